// What is wrong with a text, below its editor.

import { button, el } from "./dom.ts";
import type { Editor } from "./editor.ts";
import type { Remark } from "./policy/types.ts";

/** Lists remarks, each with a button that leads to its line. */
export function showFaults(host: HTMLElement, editor: Editor, errors: Remark[], notes: Remark[] = []): void {
  const item = (word: string, kind: string) => ({ place, text }: Remark) =>
    el(
      "li",
      { class: kind },
      el("strong", {}, word),
      place ? button({ class: "quiet line" }, `line ${place.line}`, () => editor.show(place)) : null,
      el("span", {}, text),
    );
  host.replaceChildren(...errors.map(item("Error", "bad")), ...notes.map(item("Note", "note")));
}
