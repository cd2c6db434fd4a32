// A text to read and to copy.

import { button, el } from "../dom.ts";
import { copy } from "./copy.ts";

/** A block of code with a title and a button that copies it. */
export function code(title: string, text: string): HTMLElement {
  return el(
    "section",
    { class: "code", "aria-label": title },
    el("header", {}, el("h3", {}, title), copyButton(`Copy ${title.toLowerCase()}`, text)),
    el("pre", { tabindex: "0", "aria-label": title }, el("code", {}, text)),
  );
}

/** Lines with `+`, `-` or a space before them, coloured. */
export function change(title: string, text: string): HTMLElement {
  const lines = text.trimEnd().split("\n").map((line) => {
    const kind = line.startsWith("@@") ? "gap" : line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : null;
    return el("span", { class: kind }, `${kind === "gap" ? "…" : line}\n`);
  });
  return el("pre", { class: "change", tabindex: "0", "aria-label": title }, el("code", {}, lines));
}

function copyButton(label: string, text: string): HTMLElement {
  const copied: HTMLButtonElement = button({ class: "quiet", "aria-label": label }, "Copy", () => void copy(copied, text));
  return copied;
}
