// All pods are one stop of the Tab key; arrows, Home and End go from pod to pod.

const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index) => index + 1,
  ArrowDown: (index) => index + 1,
  ArrowLeft: (index) => index - 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Makes one of the pods in `host` the stop: the one with the key `focused`, which gets the focus, or the selected, or the first. */
export function rove(host: HTMLElement, focused: string | undefined): void {
  const pods = all(host);
  const again = focused === undefined ? undefined : [...host.querySelectorAll<HTMLElement>("[data-key]")].find((one) => one.dataset["key"] === focused);
  const stop = pods.find((pod) => pod === again) ?? pods.find((pod) => pod.ariaPressed === "true") ?? pods[0];
  for (const pod of pods) {
    pod.tabIndex = pod === stop ? 0 : -1;
  }
  again?.focus({ preventScroll: true });
  host.onkeydown = step;
}

function step(event: KeyboardEvent): void {
  const host = event.currentTarget as HTMLElement;
  const pods = all(host);
  const index = pods.findIndex((pod) => pod === event.target);
  const go = STEPS[event.key];
  const next = index >= 0 && go ? pods[go(index, pods.length)] : undefined;
  if (next) {
    event.preventDefault();
    for (const pod of pods) {
      pod.tabIndex = pod === next ? 0 : -1;
    }
    next.focus();
  }
}

function all(host: HTMLElement): HTMLElement[] {
  return [...host.querySelectorAll<HTMLElement>("[data-pod]")];
}
