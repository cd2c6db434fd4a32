//! A set's life over a change: stored as the first side has it, updated to what the second side has, then scaled and
//! rolled out anew. The policy answers each request; nothing about when it writes stamps is assumed here.

use super::compare::{self, Scope};
use super::report::{Change, Class, Effect, SetDiff, When};
use super::stored;
use crate::review::objects::Object;
use crate::review::report::{Refusal, Remark};
use crate::review::stage::{Admitted, Judge, Stage};
use serde_json::Value;
use std::collections::BTreeSet;

/// What it takes to follow a set.
pub(super) struct Life<'a> {
    pub(super) from: &'a Judge<'a>,
    pub(super) to: &'a Judge<'a>,
    /// Whether both sides have the same settings.
    pub(super) same_settings: bool,
    /// Replicas to keep of an effect.
    pub(super) replicas: usize,
}

/// What became of a set.
#[derive(Default)]
pub(super) struct Outcome {
    /// Kind, namespace and name.
    pub(super) title: String,
    /// The differences; none where there are none.
    pub(super) set: Option<SetDiff>,
    /// How many replicas it has.
    pub(super) replicas: u64,
    /// Whether they are made anew.
    pub(super) rolls: bool,
    /// Whether something of it is refused.
    pub(super) is_refused: bool,
    /// Faults of the policy itself.
    pub(super) faults: Vec<Remark>,
    /// Why policies do not see the set, or some of its pods, that saw them before.
    pub(super) notes: Vec<Remark>,
    /// Replica values before.
    pub(super) values_before: BTreeSet<String>,
    /// Replica values in the end.
    pub(super) values_after: BTreeSet<String>,
}

/// A stored set and its pods.
struct Moment {
    admitted: Admitted,
    stage: Stage,
}

/// What was found of a set so far.
#[derive(Default)]
struct Found {
    effects: Vec<Effect>,
    warnings: Vec<String>,
    /// Why the set as it is applied reaches no policy.
    unreached: Option<Remark>,
    rolls: bool,
}

impl Life<'_> {
    /// Follows a set from one side to the other.
    ///
    /// # Errors
    /// LWS could not expand it.
    pub(super) fn follow(
        &self,
        from: Option<&Object<'_>>,
        to: Option<&Object<'_>>,
    ) -> Result<Outcome, Remark> {
        let Some(object) = to.or(from) else {
            return Ok(Outcome::default());
        };
        let mut found = Found::default();
        let old = from.map(|set| store(self.from, set)).transpose()?;
        let old_reach = old.as_ref().and_then(|old| old.unreached.clone());
        let was_refused = old.as_ref().is_some_and(|old| !old.allowed);
        let old_warnings = old
            .as_ref()
            .map_or_else(Vec::new, |old| old.warnings.clone());
        let before = match (from, old) {
            (Some(set), Some(admitted)) if admitted.allowed => Some(Moment {
                stage: self.from.pods(set, &admitted.object)?,
                admitted,
            }),
            _ => None,
        };
        let after = match (&before, to) {
            (Some(before), Some(to)) => self.update(from.unwrap_or(to), to, before, &mut found)?,
            (None, Some(to)) => self.create(to, was_refused, &mut found)?,
            (before, None) => {
                let when = (Class::Changed, When::Removed);
                let old = before.as_ref().map(|before| &before.stage);
                found.see(compare::effect(old, None, Scope::All, when, self.replicas));
                After::default()
            }
        };
        found.effects.sort_by_key(|effect| effect.class);
        found.warnings.retain(|text| !old_warnings.contains(text));
        let old_stage = before.as_ref().map(|before| &before.stage);
        // Where nothing was made anew, the pods are those of before.
        let new_stage = match to {
            Some(_) => after.now.as_ref().or(old_stage),
            None => None,
        };
        let last_stage = after.next.as_ref().or(new_stage);
        let stages = [old_stage, after.now.as_ref(), after.next.as_ref()];
        let known = new_stage.or(old_stage);
        let change = match (from, to) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ => Change::Kept,
        };
        let set = found
            .effects
            .first()
            .map(|effect| effect.class)
            .map(|class| SetDiff {
                class,
                namespace: object.namespace.clone(),
                name: object.name.clone(),
                place: object.place(),
                change,
                replicas_before: old_stage.map(|stage| stage.replicas),
                replicas_after: new_stage.map(|stage| stage.replicas),
                judged: known.and_then(judged),
                effects: found.effects,
                warnings: found.warnings,
            });
        let pods = known.map_or(&[][..], |stage| &stage.pods);
        Ok(Outcome {
            title: format!("LeaderWorkerSet {}/{}", object.namespace, object.name),
            set,
            replicas: known.map_or(0, |stage| stage.replicas),
            rolls: found.rolls,
            is_refused: was_refused || pods.iter().any(|pod| !pod.result.allowed),
            values_before: values(old_stage),
            values_after: values(last_stage),
            notes: newly_unreached(old_reach, old_stage, found.unreached, new_stage),
            faults: faults(stages),
        })
    }

    /// The set is new, or what the first side has was refused.
    fn create(
        &self,
        to: &Object<'_>,
        was_refused: bool,
        found: &mut Found,
    ) -> Result<After, Remark> {
        let made = store(self.to, to)?;
        found.warnings.extend(made.warnings);
        found.unreached = made.unreached;
        if !made.allowed {
            if !was_refused {
                found.refused(When::Created, made.refusal);
            }
            return Ok(After::default());
        }
        let now = self.to.pods(to, &made.object)?;
        let when = (Class::Changed, When::Created);
        found.see(compare::effect(
            None,
            Some(&now),
            Scope::All,
            when,
            self.replicas,
        ));
        Ok(After {
            now: Some(now),
            next: None,
        })
    }

    /// The set is stored and its manifest is applied over it.
    fn update(
        &self,
        from: &Object<'_>,
        to: &Object<'_>,
        before: &Moment,
        found: &mut Found,
    ) -> Result<After, Remark> {
        let old = &before.admitted.object;
        let had = &before.stage;
        let sent = stored::applied(to.value(), old);
        let updated = self.to.update(to, old, &sent)?;
        found.warnings.extend(updated.warnings);
        found.unreached = updated.unreached;
        if !updated.allowed {
            found.refused(When::Applied, updated.refusal);
        }
        let current = if updated.allowed {
            &updated.object
        } else {
            old
        };
        found.rolls = stored::is_rolled_out(old, current);
        // What is made again of the templates that are stored. Where replicas are made anew anyway, only a worker alone
        // can still come of them.
        let alone = stored::replaces_workers_alone(old) && had.size > 1;
        let remade = if self.same_settings || (found.rolls && !alone) {
            None
        } else {
            Some(self.to.pods(from, old)?)
        };
        let stamped = stored::stamps(old).iter().any(Option::is_some);
        self.made_again((alone, stamped), had, remade.as_ref(), found);
        let now = if current == old {
            remade
        } else {
            Some(self.to.pods(to, current)?)
        };
        let has = now.as_ref().unwrap_or(had);
        let (when, scope) = if found.rolls {
            (When::RolledOut, Scope::All)
        } else {
            (When::Applied, Scope::OnlyOne)
        };
        let when = (Class::Changed, when);
        found.see(compare::effect(
            Some(had),
            Some(has),
            scope,
            when,
            self.replicas,
        ));
        let next = self.next(from, to, (old, had.replicas), (current, has), found)?;
        Ok(After { now, next })
    }

    /// What becomes of pods that are made again without an update.
    fn made_again(
        &self,
        (alone, stamped): (bool, bool),
        had: &Stage,
        remade: Option<&Stage>,
        found: &mut Found,
    ) {
        let Some(remade) = remade else { return };
        let (when, scope) = if alone {
            ((Class::Split, When::WorkerMadeAgain), Scope::Workers)
        } else {
            ((Class::Changed, When::MadeAgain), Scope::Both)
        };
        let effect = compare::effect(Some(had), Some(remade), scope, when, self.replicas);
        found.see(effect.map(|effect| Effect { stamped, ..effect }));
    }

    /// What the next updates bring: one that only scales the set, and one that changes a template. What they would have
    /// brought under the first side as well is no difference.
    fn next(
        &self,
        from: &Object<'_>,
        to: &Object<'_>,
        (old, replicas): (&Value, u64),
        (current, has): (&Stored, &Stage),
        found: &mut Found,
    ) -> Result<Option<Stage>, Remark> {
        let steps = [
            (
                When::Scaled,
                stored::scaled(old, replicas),
                stored::scaled(current, has.replicas),
            ),
            (
                When::NextRevision,
                Some(stored::revised(old)),
                Some(stored::revised(current)),
            ),
        ];
        for (when, first, second) in steps {
            let (Some(first), Some(second)) = (first, second) else {
                continue;
            };
            let then = self.to.update(to, current, &second)?;
            if then.allowed && stored::stamps(&then.object) == stored::stamps(current) {
                continue;
            }
            let otherwise = self.from.update(from, old, &first)?;
            if !then.allowed {
                if otherwise.allowed {
                    found.refused(when, then.refusal);
                }
                continue;
            }
            if otherwise.allowed
                && stored::stamps(&otherwise.object) == stored::stamps(&then.object)
            {
                continue;
            }
            found.warnings.extend(then.warnings);
            let next = self.to.pods(to, &then.object)?;
            let when = (Class::NextUpdate, when);
            let pods = compare::effect(Some(has), Some(&next), Scope::Both, when, self.replicas);
            if pods.is_some() {
                found.see(pods);
                return Ok(Some(next));
            }
        }
        Ok(None)
    }
}

/// A set as it is stored.
type Stored = Value;

/// The pods after a change; none where they are those of before.
#[derive(Default)]
struct After {
    now: Option<Stage>,
    next: Option<Stage>,
}

impl Found {
    fn see(&mut self, effect: Option<Effect>) {
        self.effects.extend(effect);
    }

    fn refused(&mut self, when: When, refusal: Option<Refusal>) {
        self.effects.push(Effect {
            class: Class::Refused,
            when,
            refusal,
            replicas: Vec::new(),
            hidden: 0,
            refusals: Vec::new(),
            stamped: false,
        });
    }
}

/// Creates a set; one from a cluster is there already, as it is.
fn store(judge: &Judge<'_>, set: &Object<'_>) -> Result<Admitted, Remark> {
    if stored::is_from_a_cluster(set.value()) {
        return Ok(Admitted {
            allowed: true,
            refusal: None,
            warnings: Vec::new(),
            unreached: None,
            object: set.value().clone(),
        });
    }
    judge.create(set)
}

/// How many replicas were judged; none where all were.
fn judged(stage: &Stage) -> Option<u64> {
    let replicas: BTreeSet<u64> = stage.pods.iter().map(|pod| pod.replica).collect();
    let judged = u64::try_from(replicas.len()).unwrap_or(u64::MAX);
    (judged < stage.replicas).then_some(judged)
}

/// The values of accepted pods.
fn values(stage: Option<&Stage>) -> BTreeSet<String> {
    let pods = stage.into_iter().flat_map(|stage| &stage.pods);
    pods.filter(|pod| pod.result.allowed)
        .filter_map(|pod| pod.result.value.clone())
        .collect()
}

/// Why a set or pods of it are seen by no policy, where that is another reason than before.
fn newly_unreached(
    set_before: Option<Remark>,
    before: Option<&Stage>,
    set: Option<Remark>,
    after: Option<&Stage>,
) -> Vec<Remark> {
    let of = |stage: Option<&Stage>| stage.map_or_else(Vec::new, |stage| stage.unreached.clone());
    let old: Vec<Remark> = set_before.into_iter().chain(of(before)).collect();
    let is_new = |note: &Remark| old.iter().all(|old| old.text != note.text);
    set.into_iter().chain(of(after)).filter(is_new).collect()
}

/// The faults of the policy at these moments, each once.
fn faults(stages: [Option<&Stage>; 3]) -> Vec<Remark> {
    let mut faults: Vec<Remark> = Vec::new();
    for fault in stages.into_iter().flatten().flat_map(|stage| &stage.faults) {
        if !faults.contains(fault) {
            faults.push(fault.clone());
        }
    }
    faults
}
