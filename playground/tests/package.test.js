// The package for Node, packed and installed as others would.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const vllm = readFileSync(join(root, "examples/vllm.yaml"), "utf8");
const settings = { replicaSpecificNodeSelector: "compact-placement-group" };
let folder;

/** Runs a module in the folder where the package is installed; gives what it prints, read as JSON. */
function run(source) {
  writeFileSync(join(folder, "try.mjs"), source);
  return JSON.parse(execFileSync(process.execPath, ["try.mjs"], { cwd: folder, encoding: "utf8" }));
}

/** Calls one of the package's functions there. */
function call(name, ...values) {
  return run(`import * as policy from "lws-replica-placement";
    console.log(JSON.stringify(policy.${name}(...${JSON.stringify(values)})));`);
}

before(() => {
  folder = mkdtempSync(join(tmpdir(), "package-"));
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: join(root, "playground/package"),
    encoding: "utf8",
  });
  const [{ filename, files }] = JSON.parse(packed);
  assert.deepEqual(
    files.map(({ path }) => path).sort(),
    ["README.md", "index.d.ts", "index.js", "lib/lws_playground.js", "lib/lws_playground_bg.wasm", "package.json", "types.d.ts"],
  );
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${filename}`], { cwd: folder });
});

after(() => rmSync(folder, { recursive: true, force: true }));

test("review gives the report", () => {
  const { ok } = call("review", vllm, settings);
  assert.equal(ok.sum.nodeGroups, 2);
  assert.deepEqual(ok.sets[0].shown[1].members.flatMap(({ pods }) => pods), ["vllm-1", "vllm-1-1..3"]);
});

test("objects do as well as texts", () => {
  const set = (name) => ({
    apiVersion: "leaderworkerset.x-k8s.io/v1",
    kind: "LeaderWorkerSet",
    metadata: { name },
    spec: { leaderWorkerTemplate: { size: 2, workerTemplate: { spec: { containers: [] } } } },
  });
  assert.equal(call("review", set("one"), settings).ok.sum.pods.total, 2);
  assert.equal(call("review", [set("one"), set("two")], settings).ok.sum.pods.total, 4);
  assert.equal(call("review", set("one")).ok.sum.nodeGroups, 0);
});

test("faults of settings are values, with their line", () => {
  const { ok, faults } = call("review", vllm, "replicaValue: Name\n");
  assert.equal(ok, undefined);
  assert.equal(faults[0].place.line, 1);
  assert.match(faults[0].text, /LeaderName/);
});

test("validateSettings says why not", () => {
  assert.deepEqual(call("validateSettings", settings), { valid: true });
  const { valid, message } = call("validateSettings", { members: "Nobody" });
  assert.equal(valid, false);
  assert.match(message, /members/);
});

test("validate answers a request", () => {
  const request = { uid: "1", kind: { group: "", version: "v1", kind: "ConfigMap" }, operation: "CREATE" };
  assert.deepEqual(call("validate", { settings, request }), { accepted: true });
  assert.equal(call("validate", "no JSON").code, 400);
});

test("diff tells what other settings do", () => {
  const { ok } = call("diff", vllm, settings, { replicaSpecificNodeSelector: "rack-group" });
  assert.equal(ok.sets[0].title, "LeaderWorkerSet default/vllm");
  assert.match(ok.sum, /placed otherwise/);
});

test("what has no JSON is told, and nothing throws", () => {
  const source = `
    import { diff, review, validate, validateSettings } from "lws-replica-placement";
    const cycle = {};
    cycle.self = cycle;
    for (const value of [cycle, 1n, () => {}, Symbol("x")]) {
      const told = [review(value, {}).faults[0].text, diff("", value, {}).faults[0].text, validate(value).message, validateSettings(value).message];
      if (!told.every((text) => text.startsWith("the input cannot be written as JSON: "))) throw new Error(String(told));
    }
    console.log("told");`;
  writeFileSync(join(folder, "odd.mjs"), source);
  assert.equal(execFileSync(process.execPath, ["odd.mjs"], { cwd: folder, encoding: "utf8" }), "told\n");
});

test("the example of its README runs", () => {
  const readme = readFileSync(join(root, "playground/package/README.md"), "utf8");
  const [, source] = /```js\n(.*?)```/s.exec(readme);
  writeFileSync(join(folder, "vllm.yaml"), vllm);
  writeFileSync(join(folder, "try.mjs"), source);
  const printed = execFileSync(process.execPath, ["try.mjs"], { cwd: folder, encoding: "utf8" });
  assert.equal(printed, "{ valid: true }\nvllm true [ 'vllm-0', 'vllm-1' ]\n");
});

test("its types hold", () => {
  writeFileSync(
    join(folder, "try.ts"),
    `import { diff, review, validate, validateSettings } from "lws-replica-placement";
     const answer = review("", { members: "All" });
     const total: number | undefined = answer.ok?.sum.pods.total;
     const text: string | undefined = answer.faults?.[0]?.text;
     const valid: boolean = validateSettings({}).valid;
     const accepted: boolean = validate({ request: {} }).accepted;
     const sum: string | undefined = diff([], "", "").ok?.sum;
     console.log(total, text, valid, accepted, sum);\n`,
  );
  const tsc = join(root, "playground/node_modules/.bin/tsc");
  execFileSync(tsc, ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom", "--types", "", "try.ts"], {
    cwd: folder,
    stdio: "inherit",
  });
});
