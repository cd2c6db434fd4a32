//! The module as the evaluator that reviews ask.

use super::module::Module;
use lws_review::evaluator::{Evaluator, Fault};

impl Evaluator for Module {
    fn call(&self, operation: &str, payload: &[u8]) -> Result<Vec<u8>, Fault> {
        Module::call(self, operation, payload).map(|outcome| outcome.answer)
    }
}
