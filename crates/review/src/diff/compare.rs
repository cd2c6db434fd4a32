//! Holds the pods of one moment of a set against those of another.

use super::report::{Class, Effect, Entry, Given, MembersDiff, ReplicaDiff, Taint, Verdict, When};
use crate::review::report::{Outcome, Refusal};
use crate::review::stage::{Made, Stage, names};
use std::cmp::Ordering;

/// Most names that a refusal lists.
const NAMES: usize = 6;

/// A pod of two moments, in one of which it may be missing.
#[derive(Clone, Copy)]
struct Twin<'a> {
    before: Option<&'a Made>,
    after: Option<&'a Made>,
}

/// Which pods of two moments an effect is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// All.
    All,
    /// Those that both moments have.
    Both,
    /// Workers that both moments have.
    Workers,
    /// Those that one moment has.
    OnlyOne,
}

/// What differs between two moments, as an effect of `class` unless pods are refused that were not. None where nothing
/// does.
pub(super) fn effect(
    before: Option<&Stage>,
    after: Option<&Stage>,
    scope: Scope,
    (class, when): (Class, When),
    shown: usize,
) -> Option<Effect> {
    let mut effect = Effect {
        class,
        when,
        refusal: None,
        replicas: Vec::new(),
        hidden: 0,
        refusals: Vec::new(),
        stamped: false,
    };
    let mut numbers: Vec<usize> = Vec::new();
    let twins: Vec<Twin<'_>> = twins(before, after)
        .into_iter()
        .filter(|twin| scope.has(*twin) && twin.differs())
        .collect();
    for pods in twins.chunk_by(|a, b| a.place().0 == b.place().0) {
        let mut members: Vec<(MembersDiff, Vec<u64>)> = Vec::new();
        for twin in pods {
            let given = |pod: Option<&Made>| pod.map(|pod| given(&pod.result));
            let (old, mut new) = (given(twin.before), given(twin.after));
            if twin.is_newly_refused() {
                effect.class = Class::Refused;
            }
            // Numbers are those of this effect; why something was refused before is of no interest now.
            if let Some(new) = &mut new {
                new.refusal = new.refusal.map(|number| {
                    let known = numbers.iter().position(|known| *known == number);
                    known.map_or_else(
                        || {
                            numbers.push(number);
                            numbers.len()
                        },
                        |index| index + 1,
                    )
                });
            }
            let member = twin.place().1;
            match members.last_mut() {
                Some((last, with)) if last.before == old && last.after == new => with.push(member),
                _ => members.push((
                    MembersDiff {
                        pods: Vec::new(),
                        count: 0,
                        before: old,
                        after: new,
                    },
                    vec![member],
                )),
            }
        }
        let Some(first) = pods.first() else { continue };
        let leader = first.leader();
        let members = members.into_iter().map(|(diff, with)| MembersDiff {
            pods: names(leader, &with),
            count: count(with.len()),
            ..diff
        });
        let replica = ReplicaDiff {
            index: first.place().0,
            members: members.collect(),
        };
        hit(&mut effect.refusals, &replica, after, &numbers);
        if effect.replicas.len() < shown {
            effect.replicas.push(replica);
        } else {
            effect.hidden += 1;
        }
    }
    (!twins.is_empty()).then_some(effect)
}

/// Notes whom refusals hit.
fn hit(
    refusals: &mut Vec<Refusal>,
    replica: &ReplicaDiff,
    after: Option<&Stage>,
    numbers: &[usize],
) {
    let known = after.map_or(&[][..], |stage| &stage.refusals);
    let next = numbers.iter().skip(refusals.len());
    let new: Vec<Refusal> = next
        .filter_map(|number| known.get(number.checked_sub(1)?).cloned())
        .collect();
    refusals.extend(new);
    for members in &replica.members {
        let number = members.after.as_ref().and_then(|given| given.refusal);
        let index = number.and_then(|number| number.checked_sub(1));
        let Some(refusal) = index.and_then(|index| refusals.get_mut(index)) else {
            continue;
        };
        let room = NAMES.saturating_sub(refusal.pods.len());
        refusal.more |= members.pods.len() > room;
        refusal.pods.extend(members.pods.iter().take(room).cloned());
        refusal.count = refusal.count.saturating_add(members.count);
    }
}

impl Scope {
    fn has(self, twin: Twin<'_>) -> bool {
        let both = twin.before.is_some() && twin.after.is_some();
        match self {
            Self::All => true,
            Self::Both => both,
            Self::Workers => both && twin.place().1 > 0,
            Self::OnlyOne => !both,
        }
    }
}

impl<'a> Twin<'a> {
    /// Replica and member.
    fn place(self) -> (u64, u64) {
        let pod = self.after.or(self.before);
        pod.map_or((0, 0), |pod| (pod.replica, pod.member))
    }

    fn leader(self) -> &'a str {
        let pod = self.after.or(self.before);
        pod.map_or("", |pod| pod.leader.as_str())
    }

    fn differs(self) -> bool {
        match (self.before, self.after) {
            (Some(before), Some(after)) => !is_same(&before.result, &after.result),
            // A pod that comes or goes matters where it has a placement, or is refused.
            (one, other) => one.or(other).is_some_and(|pod| !is_nothing(&pod.result)),
        }
    }

    fn is_newly_refused(self) -> bool {
        let was_refused = self.before.is_some_and(|pod| !pod.result.allowed);
        !was_refused && self.after.is_some_and(|pod| !pod.result.allowed)
    }
}

/// Whether two pods get the same. Who wrote an entry, and why something is refused, makes no difference.
pub(super) fn is_same(before: &Outcome, after: &Outcome) -> bool {
    let known = |outcome: &Outcome| Given {
        refusal: None,
        ..given(outcome)
    };
    (!before.allowed && !after.allowed) || known(before) == known(after)
}

/// Whether a pod is accepted as it is.
fn is_nothing(outcome: &Outcome) -> bool {
    outcome.allowed && outcome.value.is_none() && outcome.placement.is_empty()
}

/// What a pod gets.
pub(super) fn given(outcome: &Outcome) -> Given {
    let selector = outcome.placement.node_selector.iter();
    let mut node_selector: Vec<Entry> = selector
        .map(|entry| Entry {
            key: entry.key.clone(),
            value: entry.value.clone(),
        })
        .collect();
    node_selector.sort();
    let mut tolerations: Vec<Taint> = outcome
        .placement
        .tolerations
        .iter()
        .map(|entry| Taint {
            key: entry.key.clone(),
            value: entry.value.clone(),
            effect: entry.effect.clone(),
        })
        .collect();
    tolerations.sort();
    Given {
        verdict: if outcome.allowed {
            Verdict::Accepted
        } else {
            Verdict::Refused
        },
        value: outcome.value.clone(),
        node_selector,
        tolerations,
        refusal: outcome.refusal,
    }
}

/// The pods of two moments side by side. Both are in the order of replicas and members. A pod that one moment could
/// have and that only the other's sample holds is left out: nothing is known of it.
fn twins<'a>(before: Option<&'a Stage>, after: Option<&'a Stage>) -> Vec<Twin<'a>> {
    let pods = |stage: Option<&'a Stage>| stage.map_or(&[][..], |stage| stage.pods.as_slice());
    let lacks = |stage: Option<&Stage>, pod: &Made| {
        stage.is_none_or(|stage| pod.replica >= stage.replicas || pod.member >= stage.size)
    };
    let place = |pod: &Made| (pod.replica, pod.member);
    let mut old = pods(before).iter().peekable();
    let mut new = pods(after).iter().peekable();
    let mut twins = Vec::new();
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return twins,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => place(old).cmp(&place(new)),
        };
        let twin = Twin {
            before: if order.is_le() { old.next() } else { None },
            after: if order.is_ge() { new.next() } else { None },
        };
        let counts = match (twin.before, twin.after) {
            (Some(pod), None) => lacks(after, pod),
            (None, Some(pod)) => lacks(before, pod),
            _ => true,
        };
        if counts {
            twins.push(twin);
        }
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
