//! Whose module a policy runs. A folder of a cluster's manifests holds other policies too, and what those do is not
//! known here.

use super::policy::Policy;
use crate::review::report::Remark;

/// What a module of this policy is called, as `lws_replica_placement.wasm` or behind a registry's name and tag.
const NAME: &str = "lws-replica-placement";

/// Parts policies from those that clearly run another module: its name does not hold this policy's, while that of
/// another policy does. Gives a sentence for each that is left out. Where no name is this policy's, all stay: somebody
/// may have stored the module under a name of their own.
#[must_use]
pub fn own(policies: Vec<Policy>) -> (Vec<Policy>, Vec<Remark>) {
    if !policies.iter().any(|policy| is_own(policy.module())) {
        return (policies, Vec::new());
    }
    let is_kept = |policy: &Policy| policy.module().is_empty() || is_own(policy.module());
    let (kept, others): (Vec<_>, Vec<_>) = policies.into_iter().partition(is_kept);
    let left_out = others.iter().map(|policy| {
        let text = format!(
            "{}: {} is left out: its module is \"{}\", not {NAME}",
            policy.line(),
            policy.title(),
            policy.module()
        );
        Remark::note(None, text)
    });
    let left_out = left_out.collect();
    (kept, left_out)
}

fn is_own(module: &str) -> bool {
    name(module).replace('_', "-").contains(NAME)
}

/// The last step of a module's path, without tag and digest.
fn name(module: &str) -> &str {
    let last = module.rsplit('/').next().unwrap_or(module);
    last.split(['@', ':']).next().unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registry_tag_and_digest_are_no_part_of_the_name() {
        for module in [
            "registry://registry.test:5000/policies/lws-replica-placement:v0.1.0",
            "registry://registry.test/lws-replica-placement@sha256:00ff",
            "file:///tmp/lws_replica_placement.wasm",
            "my-lws-replica-placement",
        ] {
            assert!(is_own(module), "{module}");
        }
        for module in [
            "registry://registry.test/lws-replica-placement/pod-privileged:v1",
            "registry://registry.test/pod-privileged:lws-replica-placement",
            "",
        ] {
            assert!(!is_own(module), "{module}");
        }
    }
}
