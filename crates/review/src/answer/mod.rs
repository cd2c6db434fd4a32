//! From a policy's answer to what Kubernetes is told.
//!
//! [`PolicyAnswer`] is what the module says, [`AdmissionResponse`] what Kubewarden makes of it. The two steps, and the
//! bytes that come out, are those of `kwctl run` 1.36, recorded under this crate's `tests/kwctl`.

mod admission;
mod policy;

pub use admission::AdmissionResponse;
pub use policy::PolicyAnswer;

use crate::evaluator::{Evaluator, Fault};
use crate::request::Request;
use serde_json::Value;

/// Has `module` judge `request` under `settings` and gives Kubewarden's response.
///
/// An answer that cannot be read is a response as well, a refusal with code 500, since that is what Kubernetes gets.
///
/// # Errors
/// The module gave no answer at all.
pub fn judge(
    module: &dyn Evaluator,
    settings: &Value,
    request: &Request,
) -> Result<AdmissionResponse, Fault> {
    let bytes = module.validate(settings, request.value())?;
    Ok(match PolicyAnswer::parse(&bytes) {
        Ok(answer) => AdmissionResponse::new(request.uid(), request.object(), &answer),
        Err(error) => AdmissionResponse::failure(
            request.uid(),
            &format!("invalid response from policy: {error}"),
        ),
    })
}
