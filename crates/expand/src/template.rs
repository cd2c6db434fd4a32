//! A pod template of the set: what of it reaches a pod.

use std::collections::BTreeMap;

use crate::metadata::Metadata;
use serde_json::{Map, Value};

use crate::draft::Draft;
use crate::error::Error;
use crate::field::Field;
use crate::names;
use crate::tpu;

/// A `leaderTemplate` or `workerTemplate`.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    labels: BTreeMap<String, String>,
    annotations: BTreeMap<String, String>,
    finalizers: Vec<String>,
    spec: Map<String, Value>,
    requests_tpus: bool,
}

impl Template {
    /// Reads a template. Fails where it has a type that Kubernetes would refuse at a place that has to be read or
    /// extended here; all else passes through unread.
    pub(crate) fn read(template: &Field<'_>) -> Result<Self, Error> {
        let metadata = template.get("metadata")?;
        let annotations = metadata.get("annotations")?;
        check_subgroup_size(&annotations)?;
        let spec = template.get("spec")?;
        let fields = spec.required(Field::object, "the pod's spec")?;
        check_spec(&spec)?;
        Ok(Self {
            labels: metadata.get("labels")?.text_map()?,
            annotations: annotations.text_map()?,
            finalizers: metadata.get("finalizers")?.texts()?,
            spec: fields.clone(),
            requests_tpus: tpu::requested(fields),
        })
    }

    /// A pod with all of the template that a controller takes over: labels, annotations, finalizers and spec.
    pub(crate) fn draft(&self) -> Draft {
        let finalizers = (!self.finalizers.is_empty()).then(|| self.finalizers.clone());
        let metadata = Metadata {
            labels: Some(self.labels.clone()),
            annotations: Some(self.annotations.clone()),
            finalizers,
            ..Metadata::default()
        };
        Draft {
            metadata,
            spec: self.spec.clone(),
        }
    }

    /// Whether a container or init container asks for TPUs.
    pub(crate) fn requests_tpus(&self) -> bool {
        self.requests_tpus
    }
}

/// LWS's webhook reads this annotation from pods, wherever it comes from, and refuses the pod if it is no number.
fn check_subgroup_size(annotations: &Field<'_>) -> Result<(), Error> {
    let size = annotations.get(names::SUBGROUP_SIZE)?;
    match size.text()? {
        Some(text) if !text.parse::<i32>().is_ok_and(|size| size > 0) => {
            Err(size.refused("a number of at least 1"))
        }
        _ => Ok(()),
    }
}

/// The places of a spec that are extended here must have their right types.
fn check_spec(spec: &Field<'_>) -> Result<(), Error> {
    for kind in ["containers", "initContainers"] {
        for container in spec.get(kind)?.list()? {
            container.required(Field::object, "a container")?;
            container.get("env")?.list()?;
        }
    }
    for list in ["volumes", "schedulingGates", "readinessGates"] {
        spec.get(list)?.list()?;
    }
    for affinity in ["podAffinity", "podAntiAffinity"] {
        spec.at(&[
            "affinity",
            affinity,
            "requiredDuringSchedulingIgnoredDuringExecution",
        ])?
        .list()?;
    }
    Ok(())
}
