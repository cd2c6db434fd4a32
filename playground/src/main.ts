// The page: texts on the left, what the policy makes of them on the right.

import { byId, counted, el } from "./dom.ts";
import { Editor } from "./editor.ts";
import { examples } from "./examples.ts";
import { showFaults } from "./faults.ts";
import { ofPicture, ofRemarks } from "./marks.ts";
import { code } from "./panels/code.ts";
import { copy } from "./panels/copy.ts";
import { showDetail } from "./panels/detail.ts";
import { showDifference } from "./panels/difference.ts";
import { showTab, watchTabs } from "./panels/tabs.ts";
import { draw, isUnread } from "./picture/picture.ts";
import { Policy } from "./policy/client.ts";
import type { Answer, Detail, Difference, Picture, Remark } from "./policy/types.ts";
import { LONG, type State, exampleOf, fromFragment, ofExample, toFragment } from "./state.ts";

/** Pause in typing after which the address follows. */
const PAUSE = 300;

class Page {
  #policy = new Policy();
  #state: State = ofExample(examples[0]);
  #picture: Picture | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #manifests = new Editor(byId("manifests"), "Manifests", (manifests) => this.#change({ manifests }));
  #settings = new Editor(byId("settings"), "Settings", (settings) => this.#change({ settings }));
  #other = new Editor(byId("other"), "Other settings", (other) => this.#change({ other }));

  async start(): Promise<void> {
    this.#offerExamples();
    watchTabs((tab) => {
      // Whoever looks for the difference wants something to compare.
      const other = tab === "difference" && this.#state.other === null ? this.#state.settings : this.#state.other;
      this.#change({ tab, other });
    });
    byId("compare").addEventListener("click", () => {
      const open = this.#state.other === null;
      this.#change({
        other: open ? this.#state.settings : null,
        tab: open ? "difference" : this.#state.tab === "difference" ? "picture" : this.#state.tab,
      });
    });
    byId("skip").addEventListener("click", (event) => {
      // The fragment is the state's.
      event.preventDefault();
      this.#change({ tab: "picture" });
      byId("picture").focus();
    });
    const share = byId<HTMLButtonElement>("share");
    share.addEventListener("click", async () => {
      await this.#follow();
      await copy(share, location.href);
    });
    addEventListener("hashchange", () => void this.#open());
    await this.#open();
  }

  /** Opens the state that the address carries. */
  async #open(): Promise<void> {
    const state = await fromFragment(location.hash);
    if (typeof state === "string") {
      await this.#show(ofExample(examples[0]));
      byId("sum").textContent = state;
    } else {
      await this.#show(state);
    }
  }

  #change(part: Partial<State>): void {
    void this.#show({ ...this.#state, ...part });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#follow(), PAUSE);
  }

  async #show(state: State): Promise<void> {
    const before = this.#state;
    const isSame = this.#picture && before.manifests === state.manifests && before.settings === state.settings;
    this.#state = state;
    this.#manifests.text = state.manifests;
    this.#settings.text = state.settings;
    this.#other.text = state.other ?? "";
    const isCompared = state.other !== null;
    byId("compare").ariaExpanded = String(isCompared);
    byId("other-box").hidden = !isCompared;
    byId<HTMLSelectElement>("example").value = exampleOf(state)?.id ?? "";
    showTab(state.tab);
    await Promise.all([isSame ? this.#draw() : this.#review(), this.#tab(), this.#compare(), this.#select()]);
  }

  async #review(): Promise<void> {
    const { manifests, settings } = this.#state;
    const answer = await this.#policy.ask<Picture>("picture", manifests, settings);
    if (!answer) {
      return;
    }
    const picture = answer.ok;
    this.#faults("settings", this.#settings, answer.faults ?? []);
    byId("sets").classList.toggle("stale", !picture);
    if (!picture) {
      byId("sum").textContent = "The settings cannot be used; the picture is from before.";
      return;
    }
    this.#picture = picture;
    byId("sum").textContent = isUnread(picture) ? "The manifests cannot be used." : picture.sum;
    showFaults(byId("manifests-faults"), this.#manifests, [...picture.report.problems, ...picture.report.notes]);
    this.#manifests.mark(ofPicture(picture));
    this.#draw();
  }

  #draw(): void {
    if (this.#picture) {
      draw(byId("sets"), this.#picture, this.#state.selected, {
        select: (selected) => this.#change({ selected }),
        show: (place) => this.#manifests.show(place),
      });
    }
  }

  async #select(): Promise<void> {
    const { manifests, settings, selected } = this.#state;
    if (!selected) {
      showDetail(byId("detail"), null);
      return;
    }
    const answer = await this.#policy.ask<Detail>("detail", manifests, settings, JSON.stringify(selected));
    if (answer && this.#state.selected) {
      showDetail(byId("detail"), answer);
    }
  }

  /** Fills the view that is shown, if it is one of texts. */
  async #tab(): Promise<void> {
    const { manifests, settings, tab } = this.#state;
    if (tab === "result") {
      const answer = await this.#policy.ask<string>("result", manifests, settings);
      this.#text("result", "Sets and pods as they become", answer);
    } else if (tab === "policies") {
      const answer = await this.#policy.ask<string>("policies", settings);
      this.#text("policies", "Policies with these settings", answer);
    }
  }

  #text(id: "result" | "policies", title: string, answer: Answer<string> | undefined): void {
    if (answer) {
      const text = answer.ok;
      byId(id).replaceChildren(text === undefined ? el("p", { class: "hint" }, "The settings cannot be used.") : code(title, text));
    }
  }

  async #compare(): Promise<void> {
    const { manifests, settings, other } = this.#state;
    const host = byId("difference");
    if (other === null) {
      this.#faults("other", this.#other, []);
      host.replaceChildren(el("p", { class: "hint" }, "Open the other settings to compare with."));
      return;
    }
    const answer = await this.#policy.ask<Difference>("difference", manifests, settings, other);
    if (!answer) {
      return;
    }
    const faults = (answer.faults ?? []).filter(({ place }) => place?.file !== "settings");
    this.#faults("other", this.#other, faults);
    if (answer.ok) {
      showDifference(host, answer.ok, {
        isDump: Boolean(this.#picture?.findings),
        isSame: other === settings,
        edit: () => this.#other.focus(),
      });
    } else {
      host.replaceChildren(el("p", { class: "hint" }, "One of the settings cannot be used."));
    }
  }

  #faults(id: "settings" | "other", editor: Editor, faults: Remark[]): void {
    showFaults(byId(`${id}-faults`), editor, faults);
    editor.mark(ofRemarks(faults));
  }

  /** Has the address carry the state. */
  async #follow(): Promise<void> {
    clearTimeout(this.#timer);
    const fragment = await toFragment(this.#state);
    history.replaceState(null, "", `#${fragment}`);
    const share = byId("share");
    share.title = fragment.length > LONG ? `The link has ${counted(fragment.length, "character")}; some programs cut links of that length.` : "";
  }

  #offerExamples(): void {
    const select = byId<HTMLSelectElement>("example");
    const option = (value: string, title: string) => el("option", { value }, title);
    select.append(el("option", { value: "", hidden: true }, "Your own"), ...examples.map(({ id, title }) => option(id, title)));
    select.addEventListener("change", () => {
      const example = examples.find(({ id }) => id === select.value);
      if (example) {
        this.#change(ofExample(example));
      }
    });
  }
}

void new Page().start();
