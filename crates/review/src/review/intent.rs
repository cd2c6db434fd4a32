//! Whether anything asks for a placement at all. A policy that changes nothing looks, in a table, like a policy that
//! works.

use super::place::Located;
use super::report::Remark;
use crate::settings::Settings;
use serde_json::Value;

/// The beginning of the policy's annotations.
const ANNOTATION: &str = "lws-replica-placement/";

/// The two lists of the settings.
const LISTS: [&str; 2] = ["replicaSpecificNodeSelector", "replicaSpecificToleration"];

/// What asks for a placement, as far as it was seen.
#[derive(Debug)]
pub(super) struct Intent {
    settings_ask: bool,
    annotations_count: bool,
    judges_only: bool,
    asking: u64,
    silent: Vec<Remark>,
}

impl Intent {
    /// What the settings ask for.
    pub(super) fn of(settings: &Value) -> Self {
        let asks = |list: &str| match settings.get(list) {
            None | Some(Value::Null) => false,
            Some(Value::Array(list)) => !list.is_empty(),
            Some(_) => true,
        };
        let annotations = settings.get("workloadAnnotations").and_then(Value::as_str);
        Self {
            settings_ask: LISTS.into_iter().any(asks),
            annotations_count: annotations != Some("Ignore"),
            judges_only: settings.get("action").and_then(Value::as_str) == Some("Validate"),
            asking: 0,
            silent: Vec::new(),
        }
    }

    /// Looks at a set's annotations and at those of its templates.
    pub(super) fn see(&mut self, set: &Located<'_>, title: &str) {
        let metadata = [
            "",
            "/spec/leaderWorkerTemplate/leaderTemplate",
            "/spec/leaderWorkerTemplate/workerTemplate",
        ];
        self.look(set, &metadata, title);
    }

    /// Looks at a pod's annotations.
    pub(super) fn see_pod(&mut self, pod: &Located<'_>) {
        self.look(pod, &[""], &pod.title());
    }

    fn look(&mut self, item: &Located<'_>, metadata: &[&str], title: &str) {
        let asks = metadata.iter().any(|at| {
            let annotations = item
                .value
                .pointer(&format!("{at}/metadata/annotations"))
                .and_then(Value::as_object);
            annotations.is_some_and(|map| map.keys().any(|key| key.starts_with(ANNOTATION)))
        });
        if asks && self.annotations_count {
            self.asking += 1;
        } else {
            let text = format!(
                "nothing will change in {title}: neither settings nor annotations ask for a placement"
            );
            self.silent.push(item.note("", text));
        }
    }

    /// What there is to say of the whole review.
    pub(super) fn verdict(&mut self, settings: &Settings) -> Vec<Remark> {
        let mut remarks = self.nothing(settings);
        if self.judges_only && self.settings_ask {
            let text = "the settings only judge (action: Validate), so the pods of sets are judged without what an injecting policy would have put into them";
            remarks.push(Remark::note(None, text));
        }
        remarks
    }

    /// The sentences for what nobody asks to be placed: one for all, or one each where others are placed.
    fn nothing(&mut self, settings: &Settings) -> Vec<Remark> {
        let silent = std::mem::take(&mut self.silent);
        if self.settings_ask || silent.is_empty() {
            return Vec::new();
        }
        if self.asking > 0 {
            return silent;
        }
        let annotations = if self.annotations_count {
            format!(
                "and nothing here has the annotation {ANNOTATION}node-selector or {ANNOTATION}toleration"
            )
        } else {
            "and annotations are not looked at (workloadAnnotations: Ignore)".to_owned()
        };
        let source = match settings.value().as_object() {
            Some(map) if !map.is_empty() => format!(
                "the settings of {} ask for no node selector and no toleration",
                settings.source()
            ),
            _ => "there are no settings".to_owned(),
        };
        let text = format!(
            "nothing will change: {source}, {annotations}; give {} in --settings",
            LISTS.join(" or ")
        );
        vec![Remark::note(None, text)]
    }
}
