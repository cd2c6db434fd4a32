//! Required node affinity about the replica's keys and others.

use serde_json::{Value, json};

use super::random::Random;

/// Labels of nodes that are none of the policy's keys, and the values that they take.
pub const OTHERS: [(&str, [&str; 3]); 2] = [("zone", ["a", "b", "c"]), ("cores", ["2", "4", "8"])];

/// Terms in which `keys` stand with values among `values`. A term asks one thing of each other label, so that some
/// node meets it.
pub fn required(random: &mut Random, keys: &[String], values: &[String]) -> Value {
    let terms: Vec<Value> = (0..1 + random.below(3))
        .map(|_| term(random, keys, values))
        .collect();
    json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}})
}

fn term(random: &mut Random, keys: &[String], values: &[String]) -> Value {
    if random.once_in(12) {
        return json!({});
    }
    let mut expressions = Vec::new();
    for (key, values) in OTHERS {
        if random.once_in(3) {
            let expression = match random.below(if key == "cores" { 6 } else { 4 }) {
                0 => json!({"key": key, "operator": "In", "values": [random.pick(&values)]}),
                1 => json!({"key": key, "operator": "NotIn", "values": [random.pick(&values)]}),
                2 => json!({"key": key, "operator": "Exists"}),
                3 => json!({"key": key, "operator": "DoesNotExist"}),
                4 => json!({"key": key, "operator": "Gt", "values": ["2"]}),
                _ => json!({"key": key, "operator": "Lt", "values": ["8"]}),
            };
            expressions.push(expression);
        }
    }
    for _ in 0..random.below(3) {
        if keys.is_empty() {
            break;
        }
        let key = random.pick(keys);
        let some: Vec<String> = random.some(values);
        let one = random.pick(&["-1", "0", "6", "7", "8", "x"]);
        let expression = match random.below(8) {
            0..3 if !some.is_empty() => json!({"key": key, "operator": "In", "values": some}),
            3 if !some.is_empty() => json!({"key": key, "operator": "NotIn", "values": some}),
            4 => json!({"key": key, "operator": "DoesNotExist"}),
            5 => json!({"key": key, "operator": "Gt", "values": [one]}),
            6 => json!({"key": key, "operator": "Lt", "values": [one]}),
            _ => json!({"key": key, "operator": "Exists"}),
        };
        expressions.push(expression);
    }
    let mut term = json!({});
    if !expressions.is_empty() || random.once_in(2) {
        term["matchExpressions"] = json!(expressions);
    }
    if random.once_in(6) {
        term["matchFields"] =
            json!([{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]);
    }
    term
}
