//! What schemars says of Rust types and what holds for files that people write.

use schemars::{
    Schema,
    transform::{Transform, transform_subschemas},
};
use serde_json::Value;

/// The schema of a file that is written by hand: a key that is not stated is left out, never `null`.
pub(super) fn written(mut schema: Schema) -> Schema {
    NoNull.transform(&mut schema);
    schema
}

struct NoNull;

impl Transform for NoNull {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        if let Some(Value::Array(types)) = schema.get_mut("type") {
            types.retain(|kind| kind != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                schema.insert("type".to_owned(), only);
            }
        }
        if let Some(Value::Array(words)) = schema.get_mut("enum") {
            words.retain(|word| !word.is_null());
        }
        let Some(Value::Array(choices)) = schema.get_mut("anyOf") else { return };
        let before = choices.len();
        choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
        if let [Value::Object(only)] = choices.as_slice()
            && before > 1
        {
            // A reference beside other keywords is ignored in draft 7, so it stays in a list of one.
            let only = Value::Array(vec![Value::Object(only.clone())]);
            schema.remove("anyOf");
            schema.insert("allOf".to_owned(), only);
        }
    }
}
