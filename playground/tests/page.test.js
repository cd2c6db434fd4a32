// The page as people meet it: typing, links, faults, copying, the keyboard.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { stand, type } from "./support.js";

const SET = `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: typed
spec:
  replicas: 3
  leaderWorkerTemplate:
    size: 2
    workerTemplate:
      spec:
        containers: []
`;

const dump = readFileSync(fileURLToPath(new URL("../../examples/review/cluster.yaml", import.meta.url)), "utf8");

const stood = stand();

/** Runs a test on the page opened at a fragment; the browser may complain of nothing, and only the page is asked for. */
function onPage(name, fragment, act, options) {
  test(name, async () => {
    const page = await stood.open(fragment, options);
    try {
      await act(page);
      assert.deepEqual(page.complaints, []);
      const foreign = page.requests.filter((url) => !url.startsWith(stood.address));
      assert.deepEqual(foreign, []);
    } finally {
      await page.context().close();
    }
  });
}

const replicas = (page) => page.locator(".replica h4");
const copied = (page) => page.evaluate(() => navigator.clipboard.readText());
const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

onPage("a manifest that is typed is drawn", "", async (page) => {
  await type(page, "manifests", SET);
  await page.getByText("replica typed-2", { exact: true }).waitFor();
  assert.deepEqual(await replicas(page).allTextContents(), ["replica typed-0", "replica typed-1", "replica typed-2"]);
  assert.equal(await page.locator("#sum").textContent(), "3 replicas, 3 node groups, 6 pods, 0 refused");
  const first = page.getByRole("region", { name: "replica typed-0" });
  assert.deepEqual(await first.locator("ul.nodes li").allTextContents(), [
    "labelcompact-placement-group=typed-0",
    "taintcompact-placement-group=typed-0:NoSchedule",
  ]);
  assert.deepEqual(await first.getByRole("button").allTextContents(), ["typed-0leader", "typed-0-1worker"]);
  // One more keystroke, one more digit.
  await page.locator("#manifests .cm-line", { hasText: "replicas: 3" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("1");
  await page.getByText("1 replica, 1 node group, 2 pods, 0 refused").waitFor();
});

onPage("groups with nodes of their own differ in hue, and no two replicas share one", "#example=subgroups", async (page) => {
  const hues = await page.locator(".group.own").evaluateAll((groups) => groups.map((group) => group.dataset.hue));
  assert.equal(new Set(hues).size, 4);
  assert.equal(await page.getByText("subgroup 1", { exact: true }).count(), 2);
});

onPage("a link carries all of it", "", async (page) => {
  await type(page, "manifests", SET);
  await page.locator("#compare").click();
  await type(page, "other", "replicaSpecificNodeSelector: rack-group\n");
  await page.locator("#tab-picture").click();
  await page.getByRole("button", { name: "typed-1-1" }).click();
  await page.locator("#detail h3", { hasText: "typed-1-1" }).waitFor();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const link = new URL(await copied(page));
  assert.equal(link.search, "");
  assert.match(link.hash, /^#1\.[\w-]+$/);
  const other = await stood.open(link.hash);
  await other.locator("#detail h3", { hasText: "Pod default/typed-1-1" }).waitFor();
  assert.equal(await replicas(other).count(), 3);
  assert.equal(await other.locator("#compare").getAttribute("aria-expanded"), "true");
  assert.equal(await other.locator("#other .cm-line").first().textContent(), "replicaSpecificNodeSelector: rack-group");
  assert.equal(await other.getByRole("button", { pressed: true }).first().textContent(), "typed-1-1worker");
  await other.context().close();
}, clipboard);

onPage("an example's link is short", "#example=tpu", async (page) => {
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(new URL(await copied(page)).hash, "#example=tpu");
  assert.equal(await replicas(page).count(), 2);
}, clipboard);

for (const [what, fragment, text] of [
  ["a damaged link is told", "#1.AAAA", "This link is damaged, so an example is shown; ask for the link again."],
  ["an unknown example is told", "#example=none", 'There is no example "none"; the first one is shown.'],
  ["an unreadable link is told", "#%", "This link is damaged, so an example is shown; ask for the link again."],
]) {
  onPage(what, fragment, async (page) => {
    await page.getByText(text).waitFor();
    assert.equal(await replicas(page).count(), 2);
  });
}

onPage("a fault is marked at its line, and the way leads there", "", async (page) => {
  await type(page, "manifests", `${SET}---\nkind: [\n`);
  const fault = page.getByRole("list", { name: "Faults in the manifests" }).getByRole("listitem");
  await fault.waitFor();
  assert.match(await fault.textContent(), /^Errorline 1[34]/);
  assert.equal(await replicas(page).count(), 3, "what can be read is drawn all the same");
  assert.equal(await page.locator("#sum").textContent(), "3 replicas, 3 node groups, 6 pods, 0 refused, 1 not reviewed");
  assert.equal(await page.locator(".unread").textContent(), "1 part of the manifests cannot be used; their editor marks the line and tells what is wrong.");
  const marked = page.locator("#manifests .cm-lint-marker-error");
  assert.equal(await marked.count(), 1);
  await fault.getByRole("button").click();
  const line = (await fault.getByRole("button").textContent()).replace("line ", "");
  const active = await page.locator("#manifests .cm-activeLineGutter").allTextContents();
  assert.ok(active.includes(line), `${active} has ${line}`);
});

onPage("manifests of which none can be read are told as such", "", async (page) => {
  await type(page, "manifests", "apiVersion: v1\n  kind: Pod\n");
  await page.getByText("None of the manifests can be used; their editor marks the line and tells what is wrong.").waitFor();
  assert.equal(await page.locator("#sum").textContent(), "The manifests cannot be used.");
  assert.equal(await page.locator(".nothing").count(), 0, "it is not said that there is no set");
  await type(page, "manifests", SET);
  await page.getByText("3 replicas, 3 node groups, 6 pods, 0 refused", { exact: true }).waitFor();
  assert.equal(await page.locator(".unread").count(), 0);
});

onPage("a dump is told as on the command line", "", async (page) => {
  await type(page, "manifests", dump);
  await page.getByText("1 set, 2 replicas, 4 members on 3 nodes, 2 errors, 1 warning", { exact: true }).waitFor();
  const findings = await page.locator("#sets .remarks li").allTextContents();
  assert.deepEqual(findings.map((text) => text.slice(0, text.indexOf(": pod") + 1 || text.indexOf(": node") + 1)), [
    "Error: team-a/vllm, replica vllm-1:",
    "Error: team-a/vllm, replica vllm-1:",
    "Warning: team-a/vllm, replica vllm-1:",
  ]);
  await page.getByText("A picture of a dump comes from lws-placement review -o svg.").waitFor();
  const compared = page.getByText("Of a dump, the sets and pods are compared as they are stored");
  assert.equal(await compared.count(), 0);
  await page.getByRole("tab", { name: "Difference" }).click();
  await compared.waitFor();
});

onPage("an editor says how to leave it while the keyboard is in it", "", async (page) => {
  const hint = (editor) => page.locator(`.${editor} .leave`);
  assert.equal(await hint("manifests").textContent(), "Escape, then Tab leaves the editor");
  assert.equal(await page.locator(".leave:visible").count(), 0);
  for (const editor of ["manifests", "settings"]) {
    await page.locator(`#${editor} .cm-content`).focus();
    assert.ok(await hint(editor).isVisible(), editor);
    assert.equal(await page.locator(".leave:visible").count(), 1, editor);
  }
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await page.locator(".leave:visible").count(), 0);
});

onPage("a fault of the settings leaves the picture as it was", "", async (page) => {
  await type(page, "settings", "replicaSpecificNodeSelector: a\nmembres: All\n");
  const fault = page.getByRole("list", { name: "Faults in the settings" }).getByRole("listitem");
  await fault.waitFor();
  assert.match(await fault.textContent(), /^Errorline 2.*unknown field "membres"/);
  assert.equal(await page.locator("#settings .cm-lint-marker-error").count(), 1);
  assert.equal(await page.locator("#sum").textContent(), "The settings cannot be used; the picture is from before.");
  assert.equal(await replicas(page).count(), 2);
});

onPage("a refusal stands on the set, and its lines are marked", "#example=conflict", async (page) => {
  const set = page.getByRole("article").first();
  assert.match(await set.locator(".refusal").textContent(), /^The set is refused, so none of its pods are made\./);
  await set.getByRole("button", { name: "line 14" }).click();
  assert.match(await page.locator("#manifests .cm-activeLine").textContent(), /compact-placement-group: manual/);
});

onPage("warnings stand on the set", "#example=hash", async (page) => {
  await page.getByText("every recreated replica asks for new nodes").first().waitFor();
  assert.equal(await page.getByText("placed when its gate is lifted").count(), 2);
});

onPage("a pod shows its patch", "", async (page) => {
  await page.getByRole("button", { name: "vllm-1-2" }).click();
  await page.getByText("Accepted, and changed.").waitFor();
  const added = await page.locator("#detail .added").allTextContents();
  assert.ok(added.includes("+    compact-placement-group: vllm-1\n"));
  await page.getByText("As the cluster gets it").click();
  const patch = JSON.parse(await page.getByLabel("JSON patch").last().textContent());
  assert.deepEqual(patch.map(({ path }) => path), ["/spec/nodeSelector", "/spec/tolerations/1"]);
});

onPage("the result is all of it as YAML", "", async (page) => {
  await page.getByRole("tab", { name: "Result" }).click();
  const text = page.locator("#result pre");
  await text.waitFor();
  assert.equal((await text.textContent()).match(/^kind: Pod$/gm).length, 8);
});

onPage("the policies are there to copy, with the settings of the moment", "", async (page) => {
  await page.getByRole("tab", { name: "Policies" }).click();
  await page.locator("#policies pre").waitFor();
  await type(page, "settings", "replicaSpecificNodeSelector: rack-group\n");
  await page.locator("#policies pre", { hasText: "rack-group" }).waitFor();
  await page.getByRole("button", { name: "Copy policies with these settings" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  const text = await copied(page);
  assert.equal(text.match(/^kind: ClusterAdmissionPolicy$/gm).length, 4);
  assert.equal(text.match(/^ {4}replicaSpecificNodeSelector: rack-group$/gm).length, 4);
}, clipboard);

onPage("other settings show their difference", "", async (page) => {
  await page.getByRole("button", { name: "Other settings, to compare" }).click();
  await page.getByText("no difference: 1 set with 2 replicas").waitFor();
  const edit = page.getByRole("button", { name: "Edit the other settings" });
  await edit.click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "other");
  assert.ok(await page.locator(".other .leave").isVisible());
  await type(page, "other", "replicaSpecificNodeSelector: rack-group\n");
  await page.locator("#difference ins", { hasText: "rack-group" }).first().waitFor();
  assert.equal(await page.locator("#difference del").first().textContent(), "compact-placement-group");
  assert.equal(await edit.count(), 0);
  await type(page, "manifests", "a: [\n");
  await page.locator("#difference .lead", { hasText: "What cannot be read is not compared" }).waitFor();
  assert.match(await page.locator("#difference .bad").first().textContent(), /^Error: .*not valid YAML/);
  await type(page, "other", "x: 1\n");
  const fault = page.getByRole("list", { name: "Faults in the other settings" }).getByRole("listitem");
  assert.match(await fault.textContent(), /unknown field "x"/);
});

onPage("a set of a million pods is summed up", "", async (page) => {
  await type(page, "manifests", SET.replace("replicas: 3", "replicas: 500000"));
  await page.getByText("500,000 replicas").first().waitFor();
  assert.match(await page.locator("#sum").textContent(), /^\d+ of 500,000 replicas judged, .* of 1,000,000 pods judged, 0 refused$/);
  const drawn = await replicas(page).count();
  assert.ok(drawn < 20, `${drawn} replicas`);
  assert.match(await page.locator(".hidden").textContent(), /like them$/);
});

onPage("it is driven by the keyboard alone", "", async (page) => {
  const focus = () => page.evaluate(() => {
    const element = document.activeElement.shadowRoot?.activeElement ?? document.activeElement;
    return element.id || element.dataset.key || element.classList[0];
  });
  const press = async (...keys) => {
    for (const key of keys) {
      await page.keyboard.press(key);
    }
  };
  await press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the picture");
  await press("Enter");
  assert.equal(await focus(), "picture");
  assert.equal(await replicas(page).count(), 2, "the link's fragment is no state");
  await page.locator("#example").focus();
  await press("ArrowDown");
  await page.getByText("replica slice-0", { exact: true }).waitFor();
  await press("Tab");
  assert.equal(await focus(), "share");
  await press("Tab");
  assert.equal(await focus(), "cm-content");
  // Tab indents in the editor; after Escape it leaves.
  await press("Escape", "Tab");
  assert.equal(await focus(), "cm-content");
  await press("Escape", "Tab");
  assert.equal(await focus(), "compare");
  await press("Tab");
  assert.equal(await focus(), "tab-picture");
  await press("ArrowRight", "ArrowRight");
  assert.equal(await focus(), "tab-policies");
  assert.equal(await page.locator("#tab-policies").getAttribute("aria-selected"), "true");
  await page.locator("#policies pre").waitFor();
  await press("Home");
  assert.equal(await focus(), "tab-picture");
  // Past the set's two buttons to its pods, which are one stop.
  await press("Tab", "Tab", "Tab");
  assert.match(await focus(), /"member":0/);
  await press("ArrowRight", "ArrowRight", "Enter");
  await page.locator("#detail h3", { hasText: "Pod research/slice-0-2" }).waitFor();
  assert.match(await focus(), /"member":2/, "the focus stays on the pod");
  await press("End");
  assert.match(await focus(), /"replica":1,"member":8/);
  await press("Tab");
  assert.equal(await focus(), "change");
});

onPage("a phone of 360 pixels has no sideways scrolling", "#example=hash", async (page) => {
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(await width(), 360);
  await page.getByRole("button", { name: "worker" }).first().click();
  await page.locator("#detail > header h3").waitFor();
  assert.equal(await width(), 360);
  for (const tab of ["Result", "Policies", "Difference"]) {
    await page.getByRole("tab", { name: tab }).click();
    assert.equal(await width(), 360, tab);
  }
  // One below the other, none over another.
  const boxes = await page.locator(".text, .views").evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()));
  for (const [index, box] of boxes.slice(1).entries()) {
    assert.ok(box.top >= boxes[index].bottom - 1);
  }
}, { viewport: { width: 360, height: 740 } });

onPage("on a phone a wide table shows where there is more, and the keyboard scrolls it", "", async (page) => {
  await page.locator("#compare").click();
  await type(page, "other", "replicaSpecificNodeSelector: rack-group\n");
  const table = page.getByRole("region", { name: "At its next revision; until then it keeps its placement" });
  await table.waitFor();
  const { wide, edge, shades } = await table.evaluate((box) => {
    const style = getComputedStyle(box);
    return { wide: box.scrollWidth > box.clientWidth, edge: style.borderRightWidth, shades: style.backgroundAttachment };
  });
  assert.ok(wide, "it has to be scrolled");
  assert.deepEqual([edge, shades], ["1px", "local, local, scroll, scroll"]);
  await table.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector("#difference .scroll").scrollLeft > 0);
}, { viewport: { width: 360, height: 740 } });

onPage("motion is left out where it is not wanted", "", async (page) => {
  const duration = await page.locator("button.pod").first().evaluate((pod) => getComputedStyle(pod).transitionDuration);
  assert.equal(duration, "0s");
}, { reducedMotion: "reduce" });

test("nothing can be sent away, even by code in the page", async () => {
  const page = await stood.open();
  const refused = await page.evaluate(async () => {
    const blocked = new Promise((resolve) => addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective)));
    await fetch("http://127.0.0.1:9/").catch(() => undefined);
    return blocked;
  });
  assert.equal(refused, "connect-src");
  await page.context().close();
});
