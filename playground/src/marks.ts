// What of a picture is marked in the editors.

import type { Mark } from "./editor.ts";
import type { Picture, Refusal, Remark } from "./policy/types.ts";

/** Marks for remarks that have a place. */
export function ofRemarks(remarks: Remark[], severity: Mark["severity"]): Mark[] {
  return remarks.flatMap(({ place, text }) => (place ? [{ place, text, severity }] : []));
}

/** Marks for all that a picture says of places in the manifests. */
export function ofPicture({ report }: Picture): Mark[] {
  return [
    ...ofRemarks(report.problems, "error"),
    ...ofRemarks(report.notes, "info"),
    ...report.sets.flatMap((set) => [
      ...ofRefusals([set.admission.refusal, ...set.refusals]),
      ...ofRemarks([...set.admission.warnings, ...set.warnings].map((text) => ({ place: set.place, text })), "warning"),
    ]),
    ...report.pods.flatMap((pod) => [
      ...ofRefusals([pod.refused ?? null]),
      ...ofRemarks(pod.warnings.map((text) => ({ place: pod.place, text })), "warning"),
    ]),
  ];
}

function ofRefusals(refusals: (Refusal | null)[]): Mark[] {
  return refusals.flatMap((refusal) =>
    refusal ? [refusal.place, ...(refusal.also ?? [])].flatMap((place) => ofRemarks([{ place, text: refusal.message }], "error")) : [],
  );
}
