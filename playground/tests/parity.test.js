// Every case of the contract gets the very bytes from the page's code that it gets from the policy module.
// CASES names the folder that `lws-placement test e2e-tests/cases --export` has written.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as policy from "../pkg/lws_playground.js";

const cases = process.env.CASES;
const pkg = fileURLToPath(new URL("../pkg/", import.meta.url));

test("every case is answered byte for byte as by the module", { skip: cases ? false : "CASES is not set" }, () => {
  policy.initSync({ module: readFileSync(join(pkg, "lws_playground_bg.wasm")) });
  const names = readdirSync(cases)
    .filter((file) => file.endsWith(".module-answer.json"))
    .map((file) => file.replace(/\.module-answer\.json$/, ""));
  const read = (name, what) => readFileSync(join(cases, `${name}.${what}.json`), "utf8").trimEnd();
  let requests = 0;
  for (const name of names) {
    const settings = read(name, "settings");
    const isRequest = existsSync(join(cases, `${name}.request.json`));
    requests += isRequest ? 1 : 0;
    const asked = isRequest ? `{"request":${read(name, "request")},"settings":${settings}}` : settings;
    const answer = (isRequest ? policy.validate : policy.validateSettings)(new TextEncoder().encode(asked));
    const expected = readFileSync(join(cases, `${name}.module-answer.json`));
    assert.ok(expected.equals(Buffer.from(answer)), `${name}: ${new TextDecoder().decode(answer)}\nis not ${expected}`);
  }
  const files = readdirSync(fileURLToPath(new URL("../../e2e-tests/cases", import.meta.url)));
  assert.equal(names.length, files.filter((file) => file.endsWith(".yaml")).length);
  assert.ok(requests > 0 && requests < names.length, "requests and settings are both among them");
  console.log(`${requests} requests and ${names.length - requests} maps of settings`);
});
