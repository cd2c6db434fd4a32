// An editor for YAML that marks faults at their line.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Place } from "./policy/types.ts";

/** Something to mark in a text. */
export interface Mark {
  place: Place;
  text: string;
  severity: "error" | "warning" | "info";
}

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--paper)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line-active)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--paper)",
    color: "var(--text)",
    border: "1px solid var(--border-strong)",
    borderRadius: "6px",
    maxWidth: "min(560px, 90vw)",
    fontFamily: "var(--sans)",
  },
  ".cm-lintRange-error": { backgroundImage: "none", borderBottom: "2px solid var(--bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", borderBottom: "2px solid var(--careful)" },
  ".cm-lintRange-info": { backgroundImage: "none", borderBottom: "2px dotted var(--faint)" },
  // The gutter's own pictures are data: addresses, which the content security policy does not allow.
  ".cm-lint-marker": { width: "0.8em", height: "0.8em", borderRadius: "50%", content: "none", marginTop: "0.35em" },
  ".cm-lint-marker-error": { backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { backgroundColor: "var(--careful)", borderRadius: "2px" },
  ".cm-lint-marker-info": { backgroundColor: "var(--faint)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.labelName, tags.typeName, tags.meta, tags.keyword], color: "var(--code-number)" },
]);

/** An editor in a host element; `label` names it for screen readers. */
export class Editor {
  #view: EditorView;
  #quiet = false;

  constructor(host: HTMLElement, label: string, changed: (text: string) => void) {
    // In a shadow root the styles are adopted sheets, so the content security policy allows no inline ones but the
    // attributes that the editor measures itself with.
    const root = host.attachShadow({ mode: "open" });
    const extensions: Extension = [
      lineNumbers(),
      foldGutter({ markerDOM: fold }),
      lintGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      EditorView.lineWrapping,
      yaml(),
      syntaxHighlighting(colours),
      theme,
      EditorView.contentAttributes.of({ "aria-label": `${label}. Tab indents; press Escape, then Tab, to leave.`, spellcheck: "false", tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !this.#quiet) {
          changed(this.text);
        }
      }),
      keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
    ];
    const state = EditorState.create({ extensions });
    this.#view = new EditorView({ state, parent: root, root });
  }

  /** The text. */
  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the text, and tells nobody. */
  set text(text: string) {
    if (text !== this.text) {
      this.#quiet = true;
      this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
      this.#quiet = false;
    }
  }

  /** Marks faults, in place of those from before. */
  mark(marks: Mark[]): void {
    const diagnostics = marks.map((mark) => this.#diagnostic(mark));
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  /** Puts the keyboard there. */
  focus(): void {
    this.#view.focus();
  }

  /** Puts the cursor where a place is, and the keyboard there too. */
  show(place: Place): void {
    const { from } = this.#range(place);
    this.#view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.#view.focus();
  }

  #diagnostic({ place, text, severity }: Mark): Diagnostic {
    return { ...this.#range(place), message: text, severity };
  }

  /** From a place to the end of its line, without a comment. */
  #range({ line, column }: Place): { from: number; to: number } {
    const { doc } = this.#view.state;
    const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
    // Columns count characters, the editor counts UTF-16 units.
    const before = [...found.text].slice(0, column - 1).join("").length;
    const rest = found.text.slice(before).replace(/\s+#.*$/, "").trimEnd();
    const from = found.from + Math.min(before, found.length);
    return { from, to: from + rest.length };
  }
}

function fold(open: boolean): HTMLElement {
  const mark = document.createElement("span");
  mark.textContent = open ? "▾" : "▸";
  return mark;
}
