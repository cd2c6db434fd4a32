//! LeaderWorkerSets (section 7 of the contract): faults are found where people meet them, at
//! `kubectl apply`, and the placement is stamped into the templates.

pub mod faults;
pub mod names;
pub mod quantity;
pub mod same;
pub mod stamps;
pub mod template;
pub mod view;
pub mod warnings;

use std::fmt;

use crate::answer::{Answer, Decision};
use crate::json::Fault as Malformed;
use crate::message::{Quoted, Row};
use crate::request::Request;
use crate::settings::{Action, Settings};
use faults::{Judged, Stamps};
use stamps::Stamping;
use view::SetView;
use warnings::Warnings;

/// Decides about a LeaderWorkerSet.
///
/// # Errors
/// An object that is no map (R5).
pub fn decide<'a>(request: &Request<'a>) -> Result<Answer<'a>, Malformed> {
    let outline = view::Outline::read(request.object, "request.object")?;
    if outline.is_deleted() {
        return Ok(Answer::accept());
    }
    let settings = match Settings::read(request.settings) {
        Ok(settings) => settings,
        Err(faults) => return Ok(Answer::invalid_settings(&faults)),
    };
    let old = match request.old_object {
        Some(old) => Some(view::Outline::read(old, "request.oldObject")?.set()),
        None => None,
    };
    let case = Case {
        request,
        settings: &settings,
        name: outline.called(request.namespace.as_deref()),
    };
    Ok(case.answer(outline.set(), old))
}

type Read<'a> = Result<Box<SetView<'a>>, Malformed>;

struct Case<'r, 'a> {
    request: &'r Request<'a>,
    settings: &'r Settings,
    name: String,
}

impl<'a> Case<'_, 'a> {
    fn answer(&self, new: Read<'a>, old: Option<Read<'a>>) -> Answer<'a> {
        let new = match new {
            Ok(new) => new,
            Err(fault) => {
                // A set that was stored with such a type keeps its finalizers and its scale (S7).
                if let Some(Err(known)) = old
                    && known == fault
                {
                    return Answer::accept();
                }
                return self.refuse(&fault, 400);
            }
        };
        let old = old.and_then(Result::ok);
        let mut stamping = match self.settings.action {
            Action::Inject => stamps::what_to_do(&new, old.as_deref()),
            Action::Validate => Stamping::Leave,
        };
        let mut judged = self.judge(&new, old.as_deref(), stamping);
        let settled = stamps::settled(stamping, &new, old.as_deref(), &judged);
        if settled != stamping {
            stamping = settled;
            judged = self.judge(&new, old.as_deref(), stamping);
        }
        let known = old.as_deref().map_or_else(Vec::new, |old| {
            self.judge(old, None, Stamping::Leave).faults
        });
        let faults = std::mem::take(&mut judged.faults);
        let mut introduced = Row::of_sentences();
        let mut code = 422;
        for fault in &faults {
            if !fault.is_among(&known) {
                introduced.add(fault);
                code = code.min(fault.code);
            }
        }
        if !introduced.is_empty() {
            let mut answer = self.refuse(&introduced.as_str(), code);
            answer.decision = judged.asks.then_some(Decision::Reject);
            return answer;
        }
        // What the stored set asks for cannot be told any more, so what it has stays (S7).
        if stamping == Stamping::Anew && judged.is_unresolved(&new) {
            stamping = Stamping::Restore;
            judged = self.judge(&new, old.as_deref(), stamping);
        }
        let mut answer = Answer::accept();
        answer.mutated_object =
            stamps::write(self.request.object, &new, old.as_deref(), stamping, &judged);
        if judged.asks {
            answer.decision = Some(match answer.mutated_object {
                Some(_) => Decision::Inject,
                None => Decision::None,
            });
        }
        let changed = old.as_deref().is_none_or(|old| !same::is_same(&new, old));
        if changed {
            let mut warnings = Warnings::about(&self.name);
            for fault in &faults {
                warnings.of_fault(fault);
            }
            warnings.of_set(&new, &judged, self.request.namespace.as_deref());
            answer.warnings = warnings.into_texts();
        }
        answer
    }

    /// A set as it will be: with its own stamps, with none, or with those of the stored one.
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

    #[cold]
    #[inline(never)]
    fn refuse(&self, text: &dyn fmt::Display, code: u16) -> Answer<'a> {
        let name = Quoted(&self.name);
        Answer::reject(format!("LeaderWorkerSet {name}: {text}"), code)
    }
}
