// What the other settings do.

import { button, counted, el } from "../dom.ts";
import type { Difference, Remark, Subject } from "../policy/types.ts";
import { SHOWN } from "../severity.ts";

type Effect = Subject["effects"][number];

/** What is compared, and how to get at the other settings. */
interface Sides {
  /** Whether the manifests are a cluster's dump. */
  isDump: boolean;
  /** Whether both settings are the same text. */
  isSame: boolean;
  edit(): void;
}

/** Shows a comparison. */
export function showDifference(host: HTMLElement, { sum, columns, sets, pods, diff }: Difference, { isDump, isSame, edit }: Sides): void {
  const errors = diff.problems.filter(({ severity }) => severity === "error");
  host.replaceChildren(
    el("p", { class: "lead" }, errors.length === 0 ? sum : "What cannot be read is not compared, so this may not be all:"),
    ...remarks(errors),
    ...(errors.length === 0 ? [] : [el("p", {}, sum)]),
    ...(isSame
      ? [
          el(
            "p",
            { class: "hint" },
            "The other settings, below the settings, are still the same text. Change them to see what that does. ",
            button({ class: "quiet" }, "Edit the other settings", edit),
          ),
        ]
      : []),
    ...(isDump ? [el("p", { class: "hint" }, "Of a dump, the sets and pods are compared as they are stored; the nodes that they run on are not looked at.")] : []),
    ...[...sets, ...pods].map((subject) => article(subject, columns)),
    ...remarks([...diff.problems.filter(({ severity }) => severity !== "error"), ...diff.notes]),
  );
}

function article(subject: Subject, columns: string[]): HTMLElement {
  return el(
    "article",
    { class: "set", "data-refused": subject.refused },
    el("header", {}, el("h3", {}, subject.title), el("p", { class: "extent" }, [subject.class, subject.size].filter((part) => part !== null).join(", "))),
    subject.warnings.map((text) => el("p", { class: "careful" }, `Warning: ${text}`)),
    subject.effects.flatMap((effect) => effectParts(effect, columns)),
  );
}

function effectParts(effect: Effect, columns: string[]): HTMLElement[] {
  const rows = effect.rows.map(({ pods, cells }) => el("tr", {}, el("th", { scope: "row" }, pods), cells.map((cell) => el("td", {}, signed(cell)))));
  const title = effect.text === "" ? "What it gets" : sentence(effect.text);
  return [
    ...(rows.length > 0
      ? [
          el(
            "div",
            { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
            el(
              "table",
              {},
              el("caption", {}, title),
              el("thead", {}, el("tr", {}, ["Pods", ...columns].map((column) => el("th", { scope: "col" }, column)))),
              el("tbody", {}, rows),
            ),
          ),
        ]
      : [el("p", {}, title)]),
    ...(effect.hidden > 0 ? [el("p", { class: "hidden" }, `and ${counted(effect.hidden, "more replica")} that differ`)] : []),
    ...effect.refusals.map(([whom, message]) => el("div", { class: "refusal" }, el("p", {}, el("strong", {}, `${whom} refused.`), " ", message))),
  ];
}

/** Lines with signs, the signs in words for those who do not see colours. */
function signed(cell: string): HTMLElement[] {
  return cell.split("\n").flatMap((line) => {
    const text = line.slice(1);
    if (text === "") {
      return [];
    }
    const sign = line[0];
    return sign === "+" ? el("ins", {}, text) : sign === "-" ? el("del", {}, text) : el("span", {}, text);
  });
}

function remarks(found: Remark[]): HTMLElement[] {
  return found.map(({ severity, text }) => el("p", { class: SHOWN[severity].kind }, `${SHOWN[severity].word}: ${text}`));
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
