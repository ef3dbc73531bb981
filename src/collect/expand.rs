//! `${VAR}` and `${VAR:-default}`.

use super::CollectError;

/// `text` with every `${VAR}` and `${VAR:-default}` replaced by what `env` says. As in a shell, the default also stands in for a variable
/// that is empty; it ends at the first `}`. A `$` without `{` is itself.
///
/// # Errors
///
/// [`CollectError::UnsetVariable`] if a variable without a default is not set, [`CollectError::BadReference`] if what follows `${` is not
/// a name. Neither holds the text, which may be a secret; `place` says where it stands.
pub fn expand(text: &str, place: &str, env: &dyn Fn(&str) -> Option<String>) -> Result<String, CollectError> {
    let bad = || CollectError::BadReference { place: place.to_owned() };
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        expanded.push_str(before);
        let (inside, after) = after.split_once('}').ok_or_else(bad)?;
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        if !is_name(name) {
            return Err(bad());
        }
        match (env(name), default) {
            (Some(value), _) if !value.is_empty() => expanded.push_str(&value),
            (_, Some(default)) => expanded.push_str(default),
            (Some(_), None) => {}
            (None, None) => return Err(CollectError::UnsetVariable { place: place.to_owned(), variable: name.to_owned() }),
        }
        rest = after;
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// Whether a shell would take it as a variable's name.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Result<String, CollectError> {
        expand(text, "kafka.prod.sasl.password", &|name| match name {
            "SET" => Some("value".to_owned()),
            "EMPTY" => Some(String::new()),
            "NESTED" => Some("${SET}".to_owned()),
            _ => None,
        })
    }

    #[test]
    fn variables_and_defaults() {
        for (text, result) in [
            ("plain $ and $5", "plain $ and $5"),
            ("${SET}", "value"),
            ("a${SET}b${SET}c", "avaluebvaluec"),
            ("${SET:-other}", "value"),
            ("${UNSET:-other}", "other"),
            ("${UNSET:-}", ""),
            ("${EMPTY}", ""),
            ("${EMPTY:-other}", "other"),
            // What a variable holds is not looked at again: a secret may well contain `${`.
            ("${NESTED}", "${SET}"),
        ] {
            assert_eq!(expanded(text).as_deref(), Ok(result), "{text}");
        }
    }

    #[test]
    fn what_is_not_set_or_not_a_name_is_an_error_without_the_text() {
        let place = "kafka.prod.sasl.password".to_owned();
        assert_eq!(expanded("x${UNSET}"), Err(CollectError::UnsetVariable { place: place.clone(), variable: "UNSET".to_owned() }));
        for text in ["${", "s3cret${SET", "${}", "${a-b}", "${1}", "${:-x}"] {
            let error = expanded(text).expect_err(text);
            assert_eq!(error, CollectError::BadReference { place: place.clone() });
            assert!(!error.to_string().contains("s3cret"));
        }
    }
}
