// The views, one at a time.

import { byId } from "../dom.ts";
import { type Tab, tabs } from "../state.ts";

const STEPS: Record<string, (index: number) => number> = {
  ArrowRight: (index) => index + 1,
  ArrowLeft: (index) => index - 1,
  Home: () => 0,
  End: () => -1,
};

/** Lets people choose a view, by keyboard too. */
export function watchTabs(choose: (tab: Tab) => void): void {
  for (const tab of tabs) {
    const button = byId(`tab-${tab}`);
    button.addEventListener("click", () => choose(tab));
    button.addEventListener("keydown", (event) => {
      const go = STEPS[event.key];
      const next = go ? tabs.at(go(tabs.indexOf(tab)) % tabs.length) : undefined;
      if (next) {
        event.preventDefault();
        choose(next);
        byId(`tab-${next}`).focus();
      }
    });
  }
}

/** Shows a view. */
export function showTab(chosen: Tab): void {
  for (const tab of tabs) {
    const button = byId(`tab-${tab}`);
    button.ariaSelected = String(tab === chosen);
    button.tabIndex = tab === chosen ? 0 : -1;
    byId(tab).hidden = tab !== chosen;
  }
}
