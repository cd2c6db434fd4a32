//! A LeaderWorkerSet: the rules of section 7 in their order.
//!
//! Faults, stamps and warnings are told by the policy's own functions. A fault tells its rule itself.

use super::placement::choice;
use super::sentence::{Conclusion, Sentences};
use lws_replica_placement::answer::Decision;
use lws_replica_placement::json::Fault as Malformed;
use lws_replica_placement::message::Quoted;
use lws_replica_placement::request::Request;
use lws_replica_placement::set::faults::{Judged, SetFault, Stamps};
use lws_replica_placement::set::names;
use lws_replica_placement::set::same;
use lws_replica_placement::set::stamps::{self, Stamping};
use lws_replica_placement::set::view::{Outline, SetView};
use lws_replica_placement::set::warnings::Warnings;
use lws_replica_placement::settings::{Action, Settings};
use serde_json::Value;

/// Weighs the rules for a request about a set.
///
/// # Errors
/// Set or stored set cannot be split into their parts (R5).
pub(super) fn weigh(
    request: &Request<'_>,
    _: &Value,
    said: &mut Sentences,
) -> Result<Conclusion, Malformed> {
    let outline = Outline::read(request.object, "request.object")?;
    if outline.is_deleted() {
        said.say(
            "S7",
            "it is being deleted, so nothing about it counts any more: accepted",
        );
        return Ok(Conclusion::accepted());
    }
    let settings = match Settings::read(request.settings) {
        Ok(settings) => settings,
        Err(faults) => {
            said.say("C4", super::in_a_row(&faults));
            return Ok(Conclusion::refused(400));
        }
    };
    let old = match request.old_object {
        Some(old) => Some(Outline::read(old, "request.oldObject")?),
        None => None,
    };
    let old = old.as_ref().map(Outline::set);
    let new = match (outline.set(), &old) {
        (Ok(new), _) => new,
        (Err(fault), Some(Err(known))) if fault == *known => {
            said.say(
                "S7",
                format!("{fault}; it was stored so, and nothing can be judged: accepted"),
            );
            return Ok(Conclusion::accepted());
        }
        (Err(fault), _) => {
            said.say("I5", format!("refused: {fault}"));
            return Ok(Conclusion::refused(400));
        }
    };
    let case = Case {
        request,
        settings: &settings,
        name: outline.called(request.namespace.as_deref()),
    };
    Ok(case.weigh(&new, old.and_then(Result::ok).as_deref(), said))
}

struct Case<'a> {
    request: &'a Request<'a>,
    settings: &'a Settings,
    name: String,
}

impl Case<'_> {
    fn weigh(
        &self,
        new: &SetView<'_>,
        old: Option<&SetView<'_>>,
        said: &mut Sentences,
    ) -> Conclusion {
        let mut stamping = match self.settings.action {
            Action::Inject => stamps::what_to_do(new, old),
            Action::Validate => Stamping::Leave,
        };
        let mut judged = self.judge(new, old, stamping);
        let settled = stamps::settled(stamping, new, old, &judged);
        if settled != stamping {
            stamping = settled;
            judged = self.judge(new, old, stamping);
        }
        let known = old.map_or_else(Vec::new, |old| {
            self.judge(old, None, Stamping::Leave).faults
        });
        let faults = std::mem::take(&mut judged.faults);
        let (before, introduced): (Vec<SetFault>, Vec<SetFault>) =
            faults.into_iter().partition(|fault| fault.is_among(&known));
        let is_unresolved =
            stamping == Stamping::Anew && introduced.is_empty() && judged.is_unresolved(new);
        if is_unresolved {
            stamping = Stamping::Restore;
            judged = self.judge(new, old, stamping);
        }
        let asked = judged.asks;
        self.tell_faults(new, &judged, [&before, &introduced], said);
        if !introduced.is_empty() {
            let code = introduced.iter().map(|fault| fault.code).min();
            if old.is_some() {
                said.say("S7", "the update brings in what is refused above");
            }
            let conclusion = Conclusion::refused(code.unwrap_or(422));
            return if asked {
                conclusion.with(Decision::Reject, None)
            } else {
                conclusion
            };
        }
        let written = stamps::write(self.request.object, new, old, stamping, &judged);
        said.say(
            "S6",
            self.stamps(new, stamping, is_unresolved, asked, written.is_some()),
        );
        let changed = old.is_none_or(|old| !same::is_same(new, old));
        if old.is_some() {
            said.say(
                "S7",
                match (before.is_empty(), changed) {
                    (true, _) => "the update brings no fault in",
                    (false, true) => "the faults above were there before, so they are warnings",
                    (false, false) => "the faults above were there before, and the update changes no field that is named in section 7, so nothing is said",
                },
            );
        }
        if changed {
            let mut warnings = Warnings::about(&self.name);
            warnings.of_set(new, &judged, self.request.namespace.as_deref());
            for text in warnings.into_texts() {
                said.say(warned_by(&text), format!("a warning: {text}"));
            }
        }
        let mut conclusion = Conclusion::accepted().patched(written.is_some());
        if asked {
            let decision = if written.is_some() {
                Decision::Inject
            } else {
                Decision::None
            };
            conclusion = conclusion.with(decision, None);
        }
        conclusion
    }

    /// The set as it will be: with its own stamps, with none, or with those of the stored one.
    fn judge(&self, set: &SetView<'_>, old: Option<&SetView<'_>>, stamping: Stamping) -> Judged {
        let stamps = match (stamping, old) {
            (Stamping::Anew, _) => Stamps::Ignored,
            (Stamping::Restore, Some(old)) => Stamps::Of(old),
            (Stamping::Restore, None) | (Stamping::Leave, _) => Stamps::Own,
        };
        Judged::of(
            set,
            self.settings,
            self.request.namespace.as_deref(),
            stamps,
        )
    }

    /// S1 to S5: faults, or why there are none.
    fn tell_faults(
        &self,
        set: &SetView<'_>,
        judged: &Judged,
        [before, introduced]: [&Vec<SetFault>; 2],
        said: &mut Sentences,
    ) {
        said.say("S1", asked(set, judged));
        let rules = ["A2", "A4", "A3", "I5", "S1", "S2", "S3", "S4", "S5"];
        for rule in rules {
            let of_rule = |fault: &&SetFault| fault.rule == rule;
            let old = before
                .iter()
                .filter(of_rule)
                .map(|fault| format!("{fault} (it was so before)"));
            let new = introduced
                .iter()
                .filter(of_rule)
                .map(|fault| format!("refused: {fault}"));
            let mut found = old.chain(new).peekable();
            if found.peek().is_none()
                && let Some(text) = self.clear(rule, set, judged)
            {
                said.say(rule, text);
            }
            for text in found {
                said.say(rule, text);
            }
        }
    }

    /// Why a rule has nothing to say against a set; none where it does not come in at all.
    fn clear(&self, rule: &str, set: &SetView<'_>, judged: &Judged) -> Option<String> {
        if !judged.asks {
            return None;
        }
        match rule {
            "A3" if set.pair.iter().all(Option::is_some) => {
                let leaders = set.templates().next();
                let left_out = leaders
                    .and_then(|template| judged.placement_of(template))
                    .is_some_and(|placement| placement.choice.is_empty());
                Some(if left_out {
                    "the leader's template asks for nothing and stays out, which it may".to_owned()
                } else {
                    "both templates come to one placement".to_owned()
                })
            }
            "S2" => {
                Some("no template sets a key of its placement or rules its value out".to_owned())
            }
            "S3" => Some(match set.topologies.as_slice() {
                [] => "the set is not placed by a topology of LeaderWorkerSet's own".to_owned(),
                topologies => {
                    let keys: Vec<String> = topologies
                        .iter()
                        .map(|(_, key)| Quoted(key).to_string())
                        .collect();
                    format!(
                        "LeaderWorkerSet places it by {}, which is none of our keys",
                        keys.join(" and ")
                    )
                }
            }),
            "S4" => self.longest(set, judged),
            "S5" => judged
                .placements()
                .any(|placement| names::has_subgroup_values(set, placement))
                .then(|| "subGroupSize is a number of 1 or more, as SubGroup needs it".to_owned()),
            _ => None,
        }
    }

    /// S4: the longest value there can be.
    fn longest(&self, set: &SetView<'_>, judged: &Judged) -> Option<String> {
        let name = set.name.as_deref()?;
        let leader = names::leader(set, name, set.highest_index);
        let namespace = self.request.namespace.as_deref();
        let longest = judged
            .placements()
            .flat_map(|placement| {
                placement
                    .choice
                    .keys()
                    .into_iter()
                    .map(move |key| (placement, key))
            })
            .filter_map(|(placement, key)| {
                let value = names::value(set, placement, key, namespace, &leader).ok()?;
                Some((value, key.value_limit()))
            })
            .max_by_key(|(value, _)| value.len())?;
        let (value, limit) = longest;
        let length = value.len();
        Some(if set.is_hash {
            format!(
                "generated leader names make values of {length} characters and more, of at most {limit}"
            )
        } else {
            format!(
                "the last leader there can be is \"{leader}\" and its value \"{value}\", {length} of at most {limit} characters"
            )
        })
    }

    /// What becomes of the stamps.
    fn stamps(
        &self,
        set: &SetView<'_>,
        stamping: Stamping,
        is_unresolved: bool,
        asked: bool,
        is_written: bool,
    ) -> String {
        let templates: Vec<&str> = set
            .templates()
            .map(|template| {
                if template.place.is_leaders {
                    "leaderTemplate"
                } else {
                    "workerTemplate"
                }
            })
            .collect();
        let templates = templates.join(" and ");
        match (stamping, is_written) {
            (_, _) if self.settings.action == Action::Validate => {
                "action Validate writes no stamp".to_owned()
            }
            (Stamping::Anew, true) if asked => format!("the placement is stamped into {templates}"),
            (Stamping::Anew, true) => format!("nothing is asked, so the stamp is taken out of {templates}"),
            (Stamping::Anew, false) if asked => format!("{templates} carries the right stamp already"),
            (Stamping::Anew, false) => "nothing is asked, so there is no stamp".to_owned(),
            (Stamping::Restore, _) if is_unresolved => {
                "what is asked cannot be told any more, so the old stamp stays".to_owned()
            }
            (Stamping::Restore, _) => "all it does is lose a stamp, which is put back".to_owned(),
            (Stamping::Leave, _) => {
                "it touches neither our annotations nor the templates, and a new stamp would roll every replica: stamps stay as they are".to_owned()
            }
        }
    }
}

/// S1: what the templates ask for.
fn asked(set: &SetView<'_>, judged: &Judged) -> String {
    let told: Vec<String> = set
        .templates()
        .map(|template| {
            let name = if template.place.is_leaders {
                "leaderTemplate"
            } else {
                "workerTemplate"
            };
            match judged.placement_of(template) {
                Some(placement) => format!("{name} asks for {}", choice(&placement.choice)),
                None => format!("what {name} asks for cannot be told"),
            }
        })
        .collect();
    if told.is_empty() {
        "it has no template".to_owned()
    } else {
        told.join("; ")
    }
}

/// The rule that a warning of [`Warnings::of_set`] is from.
fn warned_by(text: &str) -> &'static str {
    if text.contains(": a template sets nodeName") {
        "S2"
    } else if text.contains(" characters") {
        "S4"
    } else {
        "S8"
    }
}
