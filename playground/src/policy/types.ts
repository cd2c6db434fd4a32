// The shapes of what is drawn; the others are those of the package.

import type { Remark, Report } from "../../package/types.d.ts";

export type * from "../../package/types.d.ts";

/** Which set or pod is meant. It is given back to the policy as it came. */
export interface Address {
  line: number;
  column: number;
  name: string;
  slice?: number;
  pod?: { replica: number; member: number };
}

/** A pod as it is drawn, or several that get the same. */
export interface Card {
  name: string;
  role: "leader" | "worker" | "several";
  count: number;
  subgroup: number | null;
  decision: string | null;
  refusal: number | null;
  lifted: boolean;
  address: Address | null;
}

/** Pods of a replica that share nodes. */
export interface Group {
  labels: string[];
  taints: string[];
  refused: boolean;
  pods: Card[];
}

/** A replica as it is drawn. */
export interface ReplicaDrawing {
  index: number;
  leader: string;
  groups: Group[];
}

/** A set as it is drawn. */
export interface Drawing {
  address: Address | null;
  replicas: ReplicaDrawing[];
  hidden: number;
}

/** A report, and what is drawn of it. */
export interface Picture {
  /** The totals, worded. */
  sum: string;
  /** What is wrong in a cluster of which a dump was given. */
  findings: Remark[] | null;
  report: Report;
  sets: Drawing[];
  pods: (Address | null)[];
}

/** What becomes of one pod or set. */
export interface Detail {
  title: string;
  allowed: boolean;
  lifted: boolean;
  message: string | null;
  code: number | null;
  warnings: string[];
  audit: Record<string, string>;
  patch: unknown[];
  change: string;
  yaml: string;
}
