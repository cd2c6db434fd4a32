// What there is to choose from. The repository's own examples are read as they are.

import vllm from "../../examples/vllm.yaml?raw";
import settings from "../../examples/settings.yaml?raw";
import conflict from "../examples/conflict.yaml?raw";
import disaggregated from "../examples/disaggregated.yaml?raw";
import hash from "../examples/hash.yaml?raw";
import subgroupsSettings from "../examples/subgroups-settings.yaml?raw";
import subgroups from "../examples/subgroups.yaml?raw";
import tpuSettings from "../examples/tpu-settings.yaml?raw";
import tpu from "../examples/tpu.yaml?raw";

/** An example. */
export interface Example {
  /** Its name in links. */
  id: string;
  title: string;
  manifests: string;
  settings: string;
}

export const examples: readonly [Example, ...Example[]] = [
  { id: "vllm", title: "vLLM, two replicas", manifests: vllm, settings },
  { id: "tpu", title: "TPU slices with CPU leaders", manifests: tpu, settings: tpuSettings },
  { id: "subgroups", title: "Subgroups", manifests: subgroups, settings: subgroupsSettings },
  { id: "conflict", title: "A conflicting template", manifests: conflict, settings },
  { id: "hash", title: "Hash identity", manifests: hash, settings },
  { id: "disaggregated", title: "A DisaggregatedSet", manifests: disaggregated, settings },
];
