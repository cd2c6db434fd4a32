// The policy's own code, as WebAssembly, behind plain functions.

import { readFileSync } from "node:fs";
import * as policy from "./lib/lws_playground.js";

policy.initSync({ module: readFileSync(new URL("./lib/lws_playground_bg.wasm", import.meta.url)) });

/** A text as it is; objects as JSON, which is YAML too. */
function text(value) {
  if (typeof value === "string") {
    return value;
  }
  const json = (one) => {
    const written = JSON.stringify(one);
    if (written === undefined) {
      throw new TypeError(`a ${typeof one} has none`);
    }
    return written;
  };
  return Array.isArray(value) ? value.map(json).join("\n---\n") : json(value ?? {});
}

/** What `call` answers to values as texts; what `unfit` makes of the reason where a value has none: a cycle, a function, a BigInt. */
function told(call, unfit, ...values) {
  let texts;
  try {
    texts = values.map(text);
  } catch (error) {
    return unfit(`the input cannot be written as JSON: ${error.message}; give it as text`);
  }
  return JSON.parse(call(...texts));
}

/** As {@link told}, for functions of bytes; bytes are taken as they are. */
function answered(call, unfit, value) {
  const decoded = (bytes) => new TextDecoder().decode(call(bytes));
  return value instanceof Uint8Array ? JSON.parse(decoded(value)) : told((text) => decoded(new TextEncoder().encode(text)), unfit, value);
}

const faults = (text) => ({ faults: [{ severity: "error", place: null, text }] });

export function review(manifests, settings) {
  return told(policy.review, faults, manifests, settings);
}

export function diff(manifests, from, to) {
  return told(policy.difference, faults, manifests, from, to);
}

export function validate(payload) {
  return answered(policy.validate, (message) => ({ accepted: false, message, code: 400 }), payload);
}

export function validateSettings(settings) {
  return answered(policy.validateSettings, (message) => ({ valid: false, message }), settings);
}
