//! The decision about a request, in the order of section 4 of the contract.

use crate::answer::{Answer, Decision};
use crate::findings::{Conflict, Findings, Spec, Told};
use crate::json::{self, Document, Fault as Malformed, Raw};
use crate::marks::Marks;
use crate::message::{Piece, Quoted, Row, warning};
use crate::pod::{Parts, Pod};
use crate::request::{Operation, Request, Subject};
use crate::set;
use crate::settings::{Action, Settings};
use crate::splice;
use crate::standing::{self, Demand, Fault, Standing};

/// Answers a payload: Kubewarden's `ValidationResponse` as JSON.
#[must_use]
pub fn answer(payload: &[u8]) -> Vec<u8> {
    let read = std::str::from_utf8(payload)
        .map_err(|error| json::not_utf8(&error))
        .and_then(Document::read);
    let document = match read {
        Ok(document) => document,
        Err(problem) => return malformed(&problem.at(json::ROOT)).into_json(),
    };
    let answer = match Request::read(&document) {
        Err(fault) => Err(fault),
        Ok(None) => Ok(Answer::accept()),
        Ok(Some(request)) => match request.subject {
            Subject::Pod => pod(&request),
            Subject::LeaderWorkerSet => set::decide(&request),
        },
    };
    answer.unwrap_or_else(|fault| malformed(&fault)).into_json()
}

/// R5: the place and the problem, never the payload.
fn malformed<'a>(fault: &Malformed) -> Answer<'a> {
    Answer::reject(fault.to_string(), 400)
}

fn pod<'a>(request: &Request<'a>) -> Result<Answer<'a>, Malformed> {
    let parts = Parts::read(request.object, "request.object")?;
    if parts.is_deleted() {
        return Ok(Answer::accept());
    }
    let pod = parts.pod();
    if matches!(pod, Ok(None)) {
        return Ok(Answer::accept());
    }
    let settings = match Settings::read(request.settings) {
        Ok(settings) => settings,
        Err(faults) => return Ok(Answer::invalid_settings(&faults)),
    };
    let case = Case {
        request,
        settings: &settings,
        parts,
    };
    let new = case.view(parts.spec, pod);
    match (request.operation, request.old_object) {
        (Operation::Update, Some(old)) => {
            let old = Parts::read(old, "request.oldObject")?;
            Ok(case.update(&new, &case.view(old.spec, old.pod())))
        }
        _ => Ok(case.create(&new)),
    }
}

/// A pod as the policy sees it.
pub struct View<'a> {
    /// Its labels and annotations; `None` where it is no pod of a replica, or cannot be read.
    pub marks: Option<Marks<'a>>,
    /// What the policy makes of its metadata.
    pub standing: Result<Standing, Fault>,
    /// The spec fields that a decision reads; `None` where they cannot be read.
    pub spec: Option<Spec<'a>>,
    /// What its spec says to its demand; empty where it has none.
    pub findings: Findings,
}

impl<'a> View<'a> {
    /// Holds a pod's parts against what it must carry. `namespace` is the request's.
    #[must_use]
    pub fn of(
        spec: Option<Raw<'a>>,
        pod: Result<Option<Pod<'a>>, Malformed>,
        settings: &Settings,
        namespace: Option<&str>,
    ) -> Self {
        let mut view = Self {
            marks: None,
            standing: Ok(Standing::Unconcerned),
            spec: None,
            findings: Findings::default(),
        };
        match pod {
            Err(fault) => view.standing = Err(Fault::Malformed(fault)),
            Ok(None) => {}
            Ok(Some(pod)) => {
                view.standing = standing::of_pod(&pod, settings, namespace);
                view.marks = Some(pod.marks);
            }
        }
        if let Err(fault) = view.read(spec)
            && let Ok(Standing::Placed(demand)) = &view.standing
        {
            view.standing = Err(Fault::Spec(fault, demand.joined_values()));
        }
        view
    }

    fn read(&mut self, spec: Option<Raw<'a>>) -> Result<(), Malformed> {
        let spec = self.spec.insert(Spec::read(spec)?);
        if let Ok(Standing::Placed(demand)) = &self.standing {
            self.findings = Findings::of(spec, demand)?;
        }
        Ok(())
    }

    /// Whether a placement of its own applies and is there.
    #[must_use]
    pub fn is_satisfied(&self) -> bool {
        matches!(self.standing, Ok(Standing::Placed(_))) && self.findings.is_satisfied()
    }

    /// Whether any scheduling gate is left.
    #[must_use]
    pub fn is_gated(&self) -> bool {
        self.spec.as_ref().is_some_and(|spec| spec.is_gated)
    }

    /// Whether it stands on a node.
    #[must_use]
    pub fn has_node(&self) -> bool {
        self.spec.as_ref().is_some_and(|spec| spec.has_node)
    }

    /// Whether a field that the contract names differs from the stored pod's (P11).
    #[must_use]
    pub fn differs_from(&self, old: &View<'_>) -> bool {
        fn placed<'a>(view: &View<'a>) -> [Option<&'a str>; 3] {
            view.spec.as_ref().map_or([None; 3], |spec| {
                [spec.node_selector, spec.tolerations, spec.affinity].map(|raw| raw.map(Raw::get))
            })
        }
        fn malformed<'v>(view: &'v View<'_>) -> Option<&'v Malformed> {
            match &view.standing {
                Err(Fault::Malformed(fault)) => Some(fault),
                _ => None,
            }
        }
        self.marks != old.marks || malformed(self) != malformed(old) || placed(self) != placed(old)
    }
}

/// Between the reasons of a refusal.
const ALSO: &str = "; also, ";

/// One request about a pod.
struct Case<'r, 'a> {
    request: &'r Request<'a>,
    settings: &'r Settings,
    parts: Parts<'a>,
}

impl<'a> Case<'_, 'a> {
    fn view(&self, spec: Option<Raw<'a>>, pod: Result<Option<Pod<'a>>, Malformed>) -> View<'a> {
        View::of(spec, pod, self.settings, self.request.namespace.as_deref())
    }

    /// P5 to P9.
    fn create(&self, view: &View<'a>) -> Answer<'a> {
        let demand = match &view.standing {
            Err(fault) => return self.refuse_fault(fault),
            Ok(Standing::Unconcerned) => return Answer::accept(),
            Ok(standing @ (Standing::Loose | Standing::Copy)) => {
                return self.accept_bystander(standing);
            }
            Ok(Standing::Nameless) => return Answer::accept().with(Decision::Defer, None),
            Ok(Standing::Placed(demand)) => demand,
        };
        if self.settings.action == Action::Validate {
            return self.judge(view, demand, view.is_gated());
        }
        if view.has_node() {
            let mut answer = Answer::accept().with(Decision::None, Some(demand.joined_values()));
            self.warn(&mut answer, "has a node already; left as it is");
            return answer;
        }
        if view.findings.conflicts.is_empty() {
            self.inject(view, demand)
        } else {
            let mut reasons = Row::of(ALSO);
            for conflict in &view.findings.conflicts {
                reasons.add(conflict);
            }
            self.refuse(demand, reasons.as_str())
        }
    }

    /// P10 to P12: nothing here may keep a pod from losing its finalizers or getting its status.
    fn update(&self, new: &View<'a>, old: &View<'a>) -> Answer<'a> {
        if old.is_gated() {
            self.update_gated(new, old)
        } else {
            self.update_ungated(new, old)
        }
    }

    fn update_gated(&self, new: &View<'a>, old: &View<'a>) -> Answer<'a> {
        let lifted = !new.is_gated();
        let demand = match &new.standing {
            Err(fault) => {
                let known = old.standing.as_ref().err() == Some(fault);
                if lifted || !known {
                    return self.refuse_fault(fault);
                }
                return Answer::accept().with(Decision::Defer, None);
            }
            Ok(Standing::Unconcerned) => return Answer::accept(),
            Ok(standing @ (Standing::Loose | Standing::Copy)) => {
                if new.differs_from(old) {
                    return self.accept_bystander(standing);
                }
                return Answer::accept();
            }
            Ok(Standing::Nameless) => return Answer::accept().with(Decision::Defer, None),
            Ok(Standing::Placed(demand)) => demand,
        };
        let injecting = self.settings.action == Action::Inject;
        let counts = |conflict: &&Conflict| injecting || conflict.is_of_the_spec();
        let mut reasons = Row::of(ALSO);
        let mut introduced = false;
        for conflict in new.findings.conflicts.iter().filter(counts) {
            reasons.add(conflict);
            introduced |= !old.findings.conflicts.contains(conflict);
        }
        if !reasons.is_empty() && (lifted || introduced) {
            return self.refuse(demand, reasons.as_str());
        }
        if !injecting {
            return self.judge_kept(new, demand, lifted);
        }
        let mut answer = self.inject(new, demand);
        if !reasons.is_empty() {
            answer.decision = Some(Decision::Defer);
        }
        answer
    }

    fn update_ungated(&self, new: &View<'a>, old: &View<'a>) -> Answer<'a> {
        let (satisfied, value) = match &new.standing {
            Ok(Standing::Placed(demand)) => (new.is_satisfied(), Some(demand.joined_values())),
            Err(fault) => (false, fault.replica_value()),
            Ok(standing) => {
                let bystander = standing::bystander(standing).is_some();
                if bystander && new.differs_from(old) {
                    return self.accept_bystander(standing);
                }
                return Answer::accept();
            }
        };
        if !satisfied && old.is_satisfied() && !new.has_node() {
            return match &new.standing {
                Err(fault) => self.refuse_fault(fault),
                Ok(Standing::Placed(demand)) => self.refuse_turn(new, demand),
                Ok(_) => Answer::accept(),
            };
        }
        let applies = !matches!(&new.standing, Err(fault) if !fault.is_of_a_placement());
        let mut answer = Answer::accept();
        if applies {
            answer = answer.with(Decision::None, value);
        }
        if !satisfied && new.differs_from(old) {
            self.warn(
                &mut answer,
                "lacks its replica's placement, which it cannot get any more",
            );
        }
        answer
    }

    /// The pod with its placement (I1, I4).
    fn inject(&self, view: &View<'_>, demand: &Demand) -> Answer<'a> {
        let value = Some(demand.joined_values());
        let spec = view.spec.as_ref();
        let placed =
            spec.and_then(|spec| splice::place(self.request.object, spec, &view.findings, demand));
        let decision = match placed {
            Some(_) => Decision::Inject,
            None => Decision::None,
        };
        let mut answer = Answer::accept().with(decision, value);
        answer.mutated_object = placed;
        answer
    }

    /// V1 to V3 on a pod that is created, or that somebody turned away from its placement.
    fn judge(&self, view: &View<'_>, demand: &Demand, may_lack: bool) -> Answer<'a> {
        let lacks = &view.findings.lacks;
        let mut reasons = Row::of(ALSO);
        for contradiction in view.findings.contradictions() {
            reasons.add(contradiction);
        }
        if !may_lack {
            for lack in lacks {
                reasons.add(&Told(*lack, demand));
            }
        }
        if !reasons.is_empty() {
            return self.refuse(demand, reasons.as_str());
        }
        let decision = if lacks.is_empty() {
            Decision::None
        } else {
            Decision::Defer
        };
        Answer::accept().with(decision, Some(demand.joined_values()))
    }

    /// V3 on a gated pod that is changed: contradictions that were there before are passed over.
    fn judge_kept(&self, view: &View<'_>, demand: &Demand, lifted: bool) -> Answer<'a> {
        let lacks = &view.findings.lacks;
        if lifted && !lacks.is_empty() {
            let mut reasons = Row::of(ALSO);
            for lack in lacks {
                reasons.add(&Told(*lack, demand));
            }
            return self.refuse(demand, reasons.as_str());
        }
        let decision = if view.findings.is_satisfied() {
            Decision::None
        } else {
            Decision::Defer
        };
        Answer::accept().with(decision, Some(demand.joined_values()))
    }

    /// P11: the update is what is wrong, not the pod that was there before it.
    fn refuse_turn(&self, view: &View<'_>, demand: &Demand) -> Answer<'a> {
        let mut facts = Row::of(", and ");
        for contradiction in view.findings.contradictions() {
            facts.add(&format_args!("{contradiction:#}"));
        }
        for lack in &view.findings.lacks {
            facts.add(&format_args!("{:#}", Told(*lack, demand)));
        }
        let remedy = "; undo this update's change of its labels or annotations";
        self.refuse(demand, &format!("{}{remedy}", facts.as_str()))
    }

    /// I6: everything that is wrong in one message.
    fn refuse(&self, demand: &Demand, text: &str) -> Answer<'a> {
        Answer::reject(self.about(text), 422).with(Decision::Reject, Some(demand.joined_values()))
    }

    fn refuse_fault(&self, fault: &Fault) -> Answer<'a> {
        let answer = Answer::reject(self.about(&fault.to_string()), fault.code());
        if fault.is_of_a_placement() {
            answer.with(Decision::Reject, fault.replica_value())
        } else {
            answer
        }
    }

    /// What messages call the pod.
    fn name(&self) -> String {
        self.parts.called(self.request.namespace.as_deref())
    }

    fn about(&self, text: &str) -> String {
        format!("pod {}: {text}", Quoted(&self.name()))
    }

    fn accept_bystander(&self, standing: &Standing) -> Answer<'a> {
        let mut answer = Answer::accept();
        if let Some(text) = standing::bystander(standing) {
            self.warn(&mut answer, text);
        }
        answer
    }

    fn warn(&self, answer: &mut Answer<'a>, text: &str) {
        answer.warnings.push(warning(&[
            Piece::Words("pod "),
            Piece::Name(&self.name()),
            Piece::Words(" "),
            Piece::Words(text),
        ]));
    }
}
