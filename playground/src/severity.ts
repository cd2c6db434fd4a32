// How remarks of each severity are shown.

import type { Mark } from "./editor.ts";
import type { Severity } from "./policy/types.ts";

/** The word before a remark, its class in the page, and its mark in an editor. */
export const SHOWN: Record<Severity, { word: string; kind: string; mark: Mark["severity"] }> = {
  error: { word: "Error", kind: "bad", mark: "error" },
  warning: { word: "Warning", kind: "careful", mark: "warning" },
  note: { word: "Note", kind: "note", mark: "info" },
};
