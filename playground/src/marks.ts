// What of a picture is marked in the editors.

import type { Mark } from "./editor.ts";
import type { Picture, Place, Refusal, Remark } from "./policy/types.ts";
import { SHOWN } from "./severity.ts";

/** Marks for remarks that have a place. */
export function ofRemarks(remarks: Remark[]): Mark[] {
  return remarks.flatMap(({ place, text, severity }) => marked(place, text, SHOWN[severity].mark));
}

function marked(place: Place | null, text: string, severity: Mark["severity"]): Mark[] {
  return place ? [{ place, text, severity }] : [];
}

/** Marks for all that a picture says of places in the manifests. */
export function ofPicture({ report }: Picture): Mark[] {
  return [
    ...ofRemarks([...report.problems, ...report.notes]),
    ...report.sets.flatMap((set) => [
      ...ofRefusals([set.admission.refusal, ...set.refusals]),
      ...[...set.admission.warnings, ...set.warnings].flatMap((text) => marked(set.place, text, "warning")),
    ]),
    ...report.pods.flatMap((pod) => [
      ...ofRefusals([pod.refused ?? null]),
      ...pod.warnings.flatMap((text) => marked(pod.place, text, "warning")),
    ]),
  ];
}

function ofRefusals(refusals: (Refusal | null)[]): Mark[] {
  return refusals.flatMap((refusal) =>
    refusal ? [refusal.place, ...(refusal.also ?? [])].flatMap((place) => marked(place, refusal.message, "error")) : [],
  );
}
