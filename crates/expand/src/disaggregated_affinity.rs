//! `spec.placementPolicy` of a DisaggregatedSet: the pod affinity by which a slice's roles share a topology domain and
//! slices keep apart.

use serde_json::{Map, Value, json};

use crate::draft::{edit_list, edit_object};
use crate::error::Error;
use crate::field::Field;
use crate::names;

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";

/// A policy that asks for something.
#[derive(Debug, Clone)]
pub(crate) struct SlicePlacement {
    topology: String,
    /// Whether other DisaggregatedSets have to keep out as well.
    is_exclusive: bool,
}

impl SlicePlacement {
    /// Reads the policy; none where it asks for nothing.
    pub(crate) fn read(policy: &Field<'_>) -> Result<Option<Self>, Error> {
        let kind = policy.get("type")?;
        let topology = policy.get("topology")?;
        let is_exclusive = match kind.text()? {
            None | Some("" | "None") => return Ok(None),
            Some("ExclusiveSlice") => false,
            Some("ExclusiveTopology") => true,
            Some(_) => return Err(kind.refused("None, ExclusiveSlice or ExclusiveTopology")),
        };
        Ok(Some(Self {
            topology: topology.nonempty("the node label whose values are the domains")?,
            is_exclusive,
        }))
    }

    /// Adds the policy's terms to those of a pod's spec.
    pub(crate) fn write(&self, pod: &mut Map<String, Value>, set: &str, slice: u64) {
        let (name, slice_label) = (names::DISAGGREGATED_NAME, names::DISAGGREGATED_SLICE);
        let slice_text = slice.to_string();
        let one_of = |key: &str, operator: &str, value: &str| json!({"key": key, "operator": operator, "values": [value]});
        let exists = |key: &str| json!({"key": key, "operator": "Exists"});
        let same = vec![
            one_of(name, "In", set),
            one_of(slice_label, "In", &slice_text),
        ];
        let mut others = vec![one_of(name, "In", set)];
        if slice == 0 {
            // Pods from before there were slices have no label and count as slice 0.
            others.push(exists(slice_label));
        }
        others.push(one_of(slice_label, "NotIn", &slice_text));
        let foreign = vec![
            exists(name),
            one_of(name, "NotIn", set),
            exists(slice_label),
        ];
        edit_object(pod, "affinity", |affinity| {
            edit_object(affinity, "podAffinity", |terms| {
                edit_list(terms, REQUIRED, |terms| terms.push(self.term(same)));
            });
            edit_object(affinity, "podAntiAffinity", |terms| {
                edit_list(terms, REQUIRED, |terms| {
                    terms.push(self.term(others));
                    if self.is_exclusive {
                        terms.push(self.term(foreign));
                    }
                });
            });
        });
    }

    fn term(&self, expressions: Vec<Value>) -> Value {
        json!({
            "labelSelector": {"matchExpressions": expressions},
            "topologyKey": self.topology,
        })
    }
}
