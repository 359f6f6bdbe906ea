//! The text of the JSON Schema of the configuration.

use serde_json::{Value, json};

/// How deep values are spread over several lines: keys of a section and solvers of a route have one line each.
const DEPTH_MAX: usize = 4;

/// Returns the text of a schema in which each key of the configuration has one line.
pub(super) fn one_key_per_line(schema: &Value) -> String {
    text(schema, 0) + "\n"
}

/// Returns the text of a value that lies in `depth` objects and arrays.
fn text(value: &Value, depth: usize) -> String {
    let (begin, items, end) = match value {
        Value::Object(keys) => {
            let key = |(name, value)| format!("{}: {}", json!(name), text(value, depth + 1));
            ("{", keys.iter().map(key).collect::<Vec<_>>(), "}")
        }
        Value::Array(items) => ("[", items.iter().map(|item| text(item, depth + 1)).collect(), "]"),
        plain => return plain.to_string(),
    };
    if depth >= DEPTH_MAX {
        return format!("{begin}{}{end}", items.join(", "));
    }
    let indent = "  ".repeat(depth);
    let lines: Vec<_> = items.iter().map(|item| format!("{indent}  {item}")).collect();
    format!("{begin}\n{}\n{indent}{end}", lines.join(",\n"))
}
