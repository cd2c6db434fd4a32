// The policy's own code, as WebAssembly, behind plain functions.

import { readFileSync } from "node:fs";
import * as policy from "./lib/lws_playground.js";

policy.initSync({ module: readFileSync(new URL("./lib/lws_playground_bg.wasm", import.meta.url)) });

/** A text as it is; objects as JSON, which is YAML too. */
function text(value) {
  if (typeof value === "string") {
    return value;
  }
  return Array.isArray(value) ? value.map((one) => JSON.stringify(one)).join("\n---\n") : JSON.stringify(value ?? {});
}

/** The JSON that a function of bytes answers to a value. */
function answered(call, value) {
  const bytes = value instanceof Uint8Array ? value : new TextEncoder().encode(text(value));
  return JSON.parse(new TextDecoder().decode(call(bytes)));
}

export function review(manifests, settings) {
  return JSON.parse(policy.review(text(manifests), text(settings)));
}

export function diff(manifests, from, to) {
  return JSON.parse(policy.difference(text(manifests), text(from), text(to)));
}

export function validate(payload) {
  return answered(policy.validate, payload);
}

export function validateSettings(settings) {
  return answered(policy.validateSettings, settings);
}
