// What is wrong with a text, below its editor.

import { button, el } from "./dom.ts";
import type { Editor } from "./editor.ts";
import type { Remark } from "./policy/types.ts";
import { SHOWN } from "./severity.ts";

/** Lists remarks, each with a button that leads to its line. */
export function showFaults(host: HTMLElement, editor: Editor, remarks: Remark[]): void {
  const items = remarks.map(({ severity, place, text }) => {
    const { word, kind } = SHOWN[severity];
    return el(
      "li",
      { class: kind },
      el("strong", {}, word),
      place ? button({ class: "quiet line" }, `line ${place.line}`, () => editor.show(place)) : null,
      el("span", {}, text),
    );
  });
  host.replaceChildren(...items);
}
