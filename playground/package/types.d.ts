/** The shapes of the answers. They are those of `lws-placement review -o json` and `lws-placement diff -o json`. */

/** A value, or what is wrong with the texts it should be made of. */
export type Answer<T> = { ok: T; faults?: undefined } | { ok?: undefined; faults: Remark[] };

/** A place in a text. */
export interface Place {
  /** `manifests`, `settings` or `other settings`. */
  file: string;
  /** From 1. */
  line: number;
  /** In characters, from 1. */
  column: number;
}

/** A sentence, and the place that it is about. */
export interface Remark {
  severity: Severity;
  place: Place | null;
  text: string;
}

/** How much something matters, the worst first. */
export type Severity = "error" | "warning" | "note";

/** How much was judged of how much. */
export interface Extent {
  total: number;
  judged: number;
}

/** Totals of a report. */
export interface Sum {
  sets: number;
  replicas: Extent;
  nodeGroups: number;
  pods: Extent;
  refused: number;
}

/** Why something is refused. */
export interface Refusal {
  message: string;
  code?: number;
  place: Place | null;
  also?: Place[];
  field?: string;
  pods: string[];
  more: boolean;
  count: number;
}

/** An entry of a node selector. */
export interface Selector {
  key: string;
  value: string;
  mark: "added" | "present";
}

/** A toleration. */
export interface Toleration {
  key: string;
  value: string;
  effect?: string;
  mark: "added" | "present";
}

/** What a pod gets. */
export interface Outcome {
  allowed: boolean;
  decision?: "inject" | "none" | "defer" | "reject";
  value?: string;
  nodeSelector: Selector[];
  tolerations: Toleration[];
  /** Which of the set's refusals is its own, from 1. */
  refusal?: number;
}

/** Pods of a replica that get the same. */
export interface Members extends Outcome {
  pods: string[];
  count: number;
  when?: "gateLifted";
}

/** A replica. */
export interface ReplicaReview {
  index: number;
  members: Members[];
}

/** The answer to a set's own admission request. */
export interface Admission {
  allowed: boolean;
  refusal: Refusal | null;
  warnings: string[];
  stamped: string[];
  changed: string[];
}

/** The role of a DisaggregatedSet that makes a set. */
export interface Origin {
  kind: "DisaggregatedSet";
  namespace: string;
  name: string;
  place: Place | null;
  role: string;
  slice: number;
  revision: string;
}

/** A LeaderWorkerSet. */
export interface SetReview {
  namespace: string;
  name: string;
  place: Place | null;
  generated?: Origin;
  replicas: Extent;
  size: number;
  pods: Extent;
  admission: Admission;
  shown: ReplicaReview[];
  hidden: number;
  refusals: Refusal[];
  warnings: string[];
}

/** A pod that stands in the manifests itself. */
export interface PodReview extends Outcome {
  namespace: string;
  name: string;
  place: Place | null;
  refused?: Refusal;
  warnings: string[];
}

/** What a cluster's dump showed, as far as it is typed here. */
export interface ClusterReport {
  findings: { severity: Severity; text: string }[];
}

/** All that a review found. */
export interface Report {
  sets: SetReview[];
  pods: PodReview[];
  cluster?: ClusterReport;
  passedOver: Record<string, number>;
  notes: Remark[];
  problems: Remark[];
  sum: Sum;
}

/** What a policy answers to an admission request. */
export interface ValidationResponse {
  accepted: boolean;
  message?: string;
  code?: number;
  mutated_object?: unknown;
  audit_annotations?: Record<string, string>;
  warnings?: string[];
}

/** What a policy says of settings. */
export interface SettingsValidationResponse {
  valid: boolean;
  message?: string;
}

/** Replica, set or pod for which something differs, in words. */
export interface Subject {
  title: string;
  class: string;
  refused: boolean;
  size: string | null;
  effects: {
    text: string;
    rows: { pods: string; cells: [string, string, string, string] }[];
    hidden: number;
    refusals: [whom: string, message: string][];
  }[];
  warnings: string[];
}

/** What other settings do. */
export interface Difference {
  /** As `lws-placement diff -o json` gives it. */
  diff: {
    sum: { refused: number; changed: number; nextUpdate: number; split: number };
    sets: unknown[];
    pods: unknown[];
    rest: unknown;
    notes: Remark[];
    problems: Remark[];
  };
  /** The sum in a sentence. */
  sum: string;
  columns: [string, string, string, string];
  sets: Subject[];
  pods: Subject[];
}
