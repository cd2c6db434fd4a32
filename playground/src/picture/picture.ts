// Draws the replicas: each a group of nodes of its own, with its pods inside.

import { button, counted, el } from "../dom.ts";
import type { Address, Card, Drawing, Group, Picture, Place, PodReview, Refusal, Remark, ReplicaDrawing, SetReview } from "../policy/types.ts";
import { SHOWN } from "../severity.ts";
import { Hues } from "./hues.ts";
import { rove } from "./rove.ts";

/** What the picture asks of the page. */
export interface Acts {
  select(address: Address): void;
  show(place: Place): void;
}

/** Whether two addresses lead to the same. */
export function same(one: Address | null, other: Address | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether faults in the manifests left nothing to draw. */
export function isUnread({ report, findings }: Picture): boolean {
  return report.problems.length > 0 && report.sets.length + report.pods.length === 0 && !findings;
}

/** Draws a picture into a host. The focus stays where it was, if that is drawn again. */
export function draw(host: HTMLElement, picture: Picture, selected: Address | null, acts: Acts): void {
  const focused = document.activeElement instanceof HTMLElement && host.contains(document.activeElement) ? document.activeElement.dataset["key"] : undefined;
  const hues = new Hues();
  const draws = new Draws(selected, acts, hues);
  const { report } = picture;
  const sets = report.sets.map((set, index) => draws.set(set, picture.sets[index]));
  const pods = report.pods.map((pod, index) => draws.pod(pod, picture.pods[index] ?? null));
  const unread = unreadPart(picture);
  const nothing = el("p", { class: "nothing" }, "No LeaderWorkerSet and no pod of one is in the manifests.");
  const findings = picture.findings ? draws.cluster(picture.findings) : null;
  const any = sets.length + pods.length > 0 || findings || unread;
  host.replaceChildren(...[unread, findings, ...sets, ...pods, any ? null : nothing].filter((part) => part !== null));
  rove(host, focused);
}

class Draws {
  constructor(
    private readonly selected: Address | null,
    private readonly acts: Acts,
    private readonly hues: Hues,
  ) {}

  set(review: SetReview, drawing: Drawing | undefined): HTMLElement {
    const title = `${review.namespace}/${review.name}`;
    const refused = review.admission.refusal;
    const origin = review.generated;
    return el(
      "article",
      { class: "set", "data-refused": refused !== null },
      el(
        "header",
        {},
        el("h3", {}, el("span", { class: "kind" }, "LeaderWorkerSet "), title),
        el("p", { class: "extent" }, extent(review)),
        this.#line(review.place),
        drawing?.address ? this.#details(drawing.address, `Details of ${title}`) : null,
      ),
      origin ? el("p", { class: "origin" }, `role ${origin.role} of ${origin.kind} ${origin.namespace}/${origin.name}; ${origin.revision} stands for its revision`) : null,
      refused ? this.#refusal("The set is refused, so none of its pods are made.", refused) : null,
      review.refusals.map((refusal, index) => this.#refusal(`[${index + 1}] ${hit(refusal)} refused.`, refusal)),
      warnings([...review.admission.warnings, ...review.warnings]),
      drawing && drawing.replicas.length > 0
        ? el("div", { class: "replicas" }, drawing.replicas.map((replica) => this.#replica(replica)))
        : null,
      drawing && drawing.hidden > 0 && !refused ? el("p", { class: "hidden" }, hidden(review, drawing)) : null,
    );
  }

  pod(review: PodReview, address: Address | null): HTMLElement {
    const title = `${review.namespace}/${review.name}`;
    const entries = review.nodeSelector.map((entry) => `${entry.key}=${entry.value}`);
    const taints = review.tolerations.map((entry) => `${entry.key}=${entry.value}${entry.effect ? `:${entry.effect}` : ""}`);
    return el(
      "article",
      { class: "set", "data-refused": review.refused !== undefined },
      el(
        "header",
        {},
        el("h3", {}, el("span", { class: "kind" }, "Pod "), title),
        this.#line(review.place),
        address ? this.#details(address, `Details of pod ${title}`) : null,
      ),
      review.refused ? this.#refusal("The pod is refused.", review.refused) : null,
      warnings(review.warnings),
      review.refused ? null : nodes(entries, taints),
    );
  }

  cluster(findings: Remark[]): HTMLElement {
    return el(
      "article",
      { class: "set" },
      el("header", {}, el("h3", {}, "What runs in the cluster")),
      findings.length === 0
        ? el("p", { class: "extent" }, "Nothing is wrong with the replicas that run.")
        : el("ul", { class: "remarks" }, findings.map(({ severity, text }) => el("li", { class: SHOWN[severity].kind }, `${SHOWN[severity].word}: ${text}`))),
      el("p", { class: "hint" }, "A picture of a dump comes from ", el("code", {}, "lws-placement review -o svg"), "."),
    );
  }

  #replica(replica: ReplicaDrawing): HTMLElement {
    return el(
      "section",
      { class: "replica", "aria-label": `replica ${replica.leader}` },
      el("h4", {}, "replica ", el("span", { class: "mono" }, replica.leader)),
      replica.groups.map((group) => this.#group(group)),
    );
  }

  #group(group: Group): HTMLElement {
    const own = group.labels.length + group.taints.length > 0;
    const kind = group.refused ? "refused" : own ? "own" : "any";
    return el(
      "div",
      { class: `group ${kind}`, "data-hue": own ? this.hues.of([...group.labels, ...group.taints].join()) : null },
      group.refused
        ? el("p", { class: "nodes" }, "refused: no node ever sees these pods")
        : own
          ? nodes(group.labels, group.taints)
          : el("p", { class: "nodes" }, "any node: the policy asks for nothing here"),
      subgroups(group.pods).map(([index, pods]) =>
        index === null
          ? el("ul", { class: "pods" }, pods.map((pod) => el("li", {}, this.#card(pod))))
          : el(
              "div",
              { class: "subgroup" },
              el("p", { class: "subgroup-name" }, `subgroup ${index}`),
              el("ul", { class: "pods", "aria-label": `subgroup ${index}` }, pods.map((pod) => el("li", {}, this.#card(pod)))),
            ),
      ),
    );
  }

  #card(card: Card): HTMLElement {
    const { address } = card;
    const role = card.role === "several" ? counted(card.count, "pod") : card.role;
    const label = [
      el("span", { class: "pod-name" }, card.name),
      el("span", { class: "role" }, role),
      card.lifted ? el("span", { class: "when" }, "placed when its gate is lifted") : null,
      card.refusal === null ? null : el("span", { class: "bad" }, `refused [${card.refusal}]`),
    ];
    if (!address) {
      return el("span", { class: `pod ${card.role}` }, label);
    }
    const key = JSON.stringify(address);
    return button(
      { class: `pod ${card.role}`, "data-key": key, "data-pod": true, "aria-pressed": String(same(this.selected, address)) },
      label,
      () => this.acts.select(address),
    );
  }

  #details(address: Address, label: string): HTMLElement {
    return button(
      { class: "quiet", "data-key": JSON.stringify(address), "aria-pressed": String(same(this.selected, address)), "aria-label": label },
      "Details",
      () => this.acts.select(address),
    );
  }

  #line(place: Place | null): HTMLElement | null {
    return place && button({ class: "quiet line" }, `line ${place.line}`, () => this.acts.show(place));
  }

  #refusal(title: string, refusal: Refusal): HTMLElement {
    const places = [refusal.place, ...(refusal.also ?? [])];
    return el(
      "div",
      { class: "refusal" },
      el("p", {}, el("strong", {}, title), " ", refusal.message),
      el("p", { class: "places" }, refusal.field ? el("span", {}, `field ${refusal.field} of the pod`) : null, places.map((place) => this.#line(place))),
    );
  }
}

/** That manifests could not be used; none where all could. */
function unreadPart(picture: Picture): HTMLElement | null {
  const count = picture.report.problems.length;
  if (count === 0) {
    return null;
  }
  const what = isUnread(picture) ? "None of the manifests can be used" : `${counted(count, "part")} of the manifests cannot be used`;
  return el("p", { class: "unread bad" }, `${what}; their editor marks the line and tells what is wrong.`);
}

/** Labels and taints of the nodes that pods ask for. */
function nodes(labels: string[], taints: string[]): HTMLElement {
  // A line breaks before the effect, if it has to.
  const item = (kind: string, text: string) =>
    el("li", {}, el("span", { class: "tag" }, kind), el("code", {}, text.split(/(?=:)/).map((part) => el("span", {}, part))));
  return el(
    "ul",
    { class: "nodes", "aria-label": "nodes" },
    labels.map((label) => item("label", label)),
    taints.map((taint) => item("taint", taint)),
  );
}

function warnings(texts: string[]): HTMLElement | null {
  return texts.length === 0 ? null : el("ul", { class: "remarks" }, texts.map((text) => el("li", { class: "careful" }, `Warning: ${text}`)));
}

function extent({ replicas, size, pods }: SetReview): string {
  const judged = replicas.judged < replicas.total && replicas.judged > 0 ? `; ${counted(pods.judged, "pod")} of ${pods.total.toLocaleString("en")} judged, where names get longer` : "";
  return `${counted(replicas.total, "replica")} × ${counted(size, "pod")}${judged}`;
}

function hidden(review: SetReview, drawing: Drawing): string {
  const rest = counted(drawing.hidden, "more replica");
  return review.replicas.judged < review.replicas.total
    ? `and ${rest} like them`
    : `and ${rest}, judged but not drawn`;
}

function hit({ pods, more, count }: Refusal): string {
  const names = pods.join(", ");
  return more ? `${names} and more, ${counted(count, "pod")},` : names;
}

/** Pods by subgroup, in the order of the first of each. */
function subgroups(pods: Card[]): [number | null, Card[]][] {
  const found = new Map<number | null, Card[]>();
  for (const pod of pods) {
    const known = found.get(pod.subgroup);
    if (known) {
      known.push(pod);
    } else {
      found.set(pod.subgroup, [pod]);
    }
  }
  return [...found];
}
