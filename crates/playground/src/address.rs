//! Which set or pod of the manifests is meant, and what stands there.

use crate::answer::{Faults, fault};
use lws_expand::DisaggregatedSet;
use lws_manifest::{Document, Item};
use lws_review::review::place::Place;
use lws_review::review::report::{PodReview, SetReview};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A set, a pod of a set, or a pod that stands in the manifests itself. Whoever gets one gives it back as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Address {
    /// The line where its manifest begins, from 1.
    pub line: usize,
    /// The column there, from 1.
    pub column: usize,
    /// The name of the set, or of the pod that stands there itself.
    pub name: String,
    /// The slice of the DisaggregatedSet that stands there and makes the set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice: Option<u64>,
    /// The pod of the set; absent where the set itself is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod: Option<Member>,
}

/// A pod of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Member {
    /// The replica's index.
    pub replica: u64,
    /// The pod's index in it; 0 is the leader.
    pub member: u64,
}

impl Address {
    /// Reads an address from JSON.
    ///
    /// # Errors
    /// It is none.
    pub fn read(json: &str) -> Result<Self, Faults> {
        serde_json::from_str(json).map_err(|error| {
            fault(format!(
                "the address cannot be read: {error}; give one that the picture has"
            ))
        })
    }

    /// The address of a set; none where it has no place.
    #[must_use]
    pub fn of_set(set: &SetReview) -> Option<Self> {
        let origin = set.generated.as_ref();
        let place = origin.map_or(set.place.as_ref(), |origin| origin.place.as_ref());
        Some(Self {
            slice: origin.map(|origin| origin.slice),
            ..Self::at(place?, &set.name)
        })
    }

    /// The address of a pod that stands in the manifests itself; none where it has no place.
    #[must_use]
    pub fn of_pod(pod: &PodReview) -> Option<Self> {
        Some(Self::at(pod.place.as_ref()?, &pod.name))
    }

    /// The address of one of a set's pods.
    #[must_use]
    pub fn member(&self, replica: u64, member: u64) -> Self {
        Self {
            pod: Some(Member { replica, member }),
            ..self.clone()
        }
    }

    /// The manifest that it leads to in a text: a set as it stands or as its DisaggregatedSet makes it, or a pod.
    ///
    /// # Errors
    /// There is none: the text is another by now.
    pub fn find(&self, text: &str) -> Result<Value, Faults> {
        let documents = lws_manifest::read(text);
        let mut items = documents.iter().flatten().flat_map(Document::items);
        let gone = || {
            fault(format!(
                "\"{}\" is not in the manifests any more; choose another pod",
                self.name
            ))
        };
        let item = items.find(|item| self.leads_to(item)).ok_or_else(gone)?;
        let Some(slice) = self.slice else {
            return Ok(item.value.clone());
        };
        let whole = DisaggregatedSet::from_value(item.value).map_err(fault)?;
        let mut made = whole.slice(slice).map(|set| set.value);
        let is_it = |set: &Value| set.pointer("/metadata/name") == Some(&self.name.clone().into());
        made.find(is_it).ok_or_else(gone)
    }

    fn at(place: &Place, name: &str) -> Self {
        Self {
            line: place.line,
            column: place.column,
            name: name.to_owned(),
            slice: None,
            pod: None,
        }
    }

    fn leads_to(&self, item: &Item<'_>) -> bool {
        let at = item.locate("");
        (at.line, at.column) == (self.line, self.column)
    }
}
