// A hue for each group of nodes: equal labels, equal hue, so that shared nodes are seen to be shared.

/** Hues that the style sheet has. */
const COUNT = 8;

export class Hues {
  #known = new Map<string, number>();

  /** The hue of nodes, from 0. */
  of(nodes: string): number {
    const known = this.#known.get(nodes);
    if (known !== undefined) {
      return known;
    }
    const hue = this.#known.size % COUNT;
    this.#known.set(nodes, hue);
    return hue;
  }
}
