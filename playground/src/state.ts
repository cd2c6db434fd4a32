// What the page shows, and how a link carries it: in the fragment, which browsers do not send to anyone.

import { type Example, examples } from "./examples.ts";
import type { Address } from "./policy/types.ts";

export const tabs = ["picture", "result", "policies", "difference"] as const;
export type Tab = (typeof tabs)[number];

/** All that a link carries. */
export interface State {
  manifests: string;
  settings: string;
  /** Settings to compare with; null where nothing is compared. */
  other: string | null;
  tab: Tab;
  /** What is selected in the picture. */
  selected: Address | null;
}

/** Longer fragments are cut by some programs that pass links on. */
export const LONG = 8_000;

const PREFIX = "1.";
const EXAMPLE = "example=";

/** The state of an example. */
export function ofExample(example: Example): State {
  const { manifests, settings } = example;
  return { manifests, settings, other: null, tab: "picture", selected: null };
}

/** The example whose texts these are, if they are one's. */
export function exampleOf(state: State): Example | undefined {
  return examples.find((one) => one.manifests === state.manifests && one.settings === state.settings);
}

/** The fragment of a link to a state, without its `#`. */
export async function toFragment(state: State): Promise<string> {
  const example = exampleOf(state);
  if (example && state.other === null && state.tab === "picture" && !state.selected) {
    return EXAMPLE + example.id;
  }
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return PREFIX + base64(await through(bytes, new CompressionStream("deflate-raw")));
}

/** The state that a fragment carries; a sentence where it carries none that can be read. */
export async function fromFragment(fragment: string): Promise<State | string> {
  const text = fragment.replace(/^#/, "");
  if (text === "") {
    return ofExample(examples[0]);
  }
  if (text.startsWith(EXAMPLE)) {
    const id = text.slice(EXAMPLE.length);
    const found = examples.find((one) => one.id === id);
    return found ? ofExample(found) : `There is no example "${id}"; the first one is shown.`;
  }
  try {
    const bytes = unbase64(text.slice(PREFIX.length));
    const json = await through(bytes, new DecompressionStream("deflate-raw"));
    const state = read(JSON.parse(new TextDecoder().decode(json)));
    if (text.startsWith(PREFIX) && state) {
      return state;
    }
  } catch {
    // Told below: whatever broke it, the remedy is the same.
  }
  return "This link is damaged, so an example is shown; ask for the link again.";
}

function read(value: unknown): State | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const { manifests, settings, other, tab, selected } = value as Partial<State>;
  if (typeof manifests !== "string" || typeof settings !== "string") {
    return undefined;
  }
  return {
    manifests,
    settings,
    other: typeof other === "string" ? other : null,
    tab: tabs.find((known) => known === tab) ?? "picture",
    selected: selected ?? null,
  };
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

function base64(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function unbase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
