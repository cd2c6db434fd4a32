// What becomes of the selected pod or set.

import { el } from "../dom.ts";
import type { Answer, Detail } from "../policy/types.ts";
import { change, code } from "./code.ts";

/** Shows details, or what there is to do where nothing is selected. */
export function showDetail(host: HTMLElement, answer: Answer<Detail> | null): void {
  if (!answer) {
    host.replaceChildren(el("p", { class: "hint" }, "Choose a pod to see what the policy puts into it."));
  } else if (answer.ok) {
    host.replaceChildren(...parts(answer.ok));
  } else {
    host.replaceChildren(...answer.faults.map(({ text }) => el("p", { class: "hint" }, text)));
  }
}

function parts(detail: Detail): HTMLElement[] {
  const audit = Object.entries(detail.audit);
  return [
    el(
      "header",
      {},
      el("h3", {}, detail.title),
      el("p", { class: detail.allowed ? "good" : "bad" }, verdict(detail)),
    ),
    ...detail.warnings.map((text) => el("p", { class: "careful" }, `Warning: ${text}`)),
    ...(detail.change ? [change("Change", detail.change)] : []),
    el(
      "details",
      {},
      el("summary", {}, "As the cluster gets it"),
      audit.length > 0
        ? el("dl", {}, audit.flatMap(([key, value]) => [el("dt", {}, `audit annotation ${key}`), el("dd", {}, value)]))
        : null,
      code("JSON patch", JSON.stringify(detail.patch, null, 2)),
      code("Whole object", detail.yaml),
    ),
  ];
}

function verdict({ allowed, message, code: status, lifted, change: changed, audit }: Detail): string {
  if (!allowed) {
    return `Refused${status === null ? "" : ` (${status})`}: ${message ?? "no reason given"}`;
  }
  const when = lifted ? ", by the update that lifts its gate" : "";
  if (changed) {
    return `Accepted, and changed${when}.`;
  }
  return audit["decision"] === "defer" ? "Accepted as it is for now; its placement comes later." : "Accepted as it is.";
}
