//! Hostile files end in a clear error, within bounds, and without a secret.

use std::fmt::Write as _;

use proptest::prelude::*;
use ttl_audit::{audit, manifest, yaml};

/// The only error of a manifest, as text.
fn error(text: &str) -> String {
    let errors = manifest::parse("a.yaml", text).expect_err("an error");
    let [error] = errors.as_slice() else { panic!("{errors:#?}") };
    error.to_string()
}

#[test]
fn an_alias_bomb_is_refused() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..30 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        writeln!(text, "a{level}: &a{level} [{}]", below.trim_end_matches(", ")).expect("a string");
    }
    assert!(error(&text).contains("this alias makes the file too large"), "{}", error(&text));
}

#[test]
fn a_long_text_repeated_by_aliases_is_refused() {
    let text = format!("a: &a {}\nb: [{}]\n", "x".repeat(500_000), "*a, ".repeat(100_000));
    assert!(error(&text).contains("this alias makes the file too large"));
}

#[test]
fn nesting_is_bounded_in_every_style() {
    for text in [
        "[".repeat(10_000),
        "{a: ".repeat(10_000),
        "- ".repeat(10_000),
        (0..1_000).fold(String::new(), |mut text, depth| {
            writeln!(text, "{}a:", " ".repeat(depth)).expect("a string");
            text
        }),
        // By aliases: every level is shallow, the whole is not.
        (1..100).fold("a0: &a0 x\n".to_owned(), |mut text, level| {
            writeln!(text, "a{level}: &a{level} [*a{}]", level - 1).expect("a string");
            text
        }),
    ] {
        let error = error(&text);
        assert!(error.contains("nested deeper than 32 levels") || error.contains("this alias makes the file too large"), "{error}");
    }
}

#[test]
fn an_alias_inside_what_it_names_is_refused() {
    assert!(error("a: &a [*a]\n").contains("stands inside the value that it names"));
}

#[test]
fn thousands_of_errors_end_after_the_first_ones() {
    let text: String = (0..20_000).map(|number| format!("key{number}: x\n")).collect();
    let errors = manifest::parse("a.yaml", &text).expect_err("errors");
    assert_eq!(errors.len(), 201);
    assert_eq!(errors[200].message, "more than 200 errors");
    // On one line, too.
    let text = format!("{{{}}}", (0..20_000).map(|number| format!("key{number}: x, ")).collect::<String>());
    assert_eq!(manifest::parse("a.yaml", &text).expect_err("errors").len(), 201);
}

#[test]
fn a_small_file_does_not_grow_without_bounds() {
    let sources: String = (0..10_000).map(|number| format!("{{id: s{number}, topic: t}}, ")).collect();
    let states: String = (0..10_000).map(|number| format!("{{name: s{number}}}, ")).collect();
    let text = format!("version: 1\njob: a\nsources: [{sources}]\noperators: [{{uid: o, ttl: 7d, state: [{states}]}}]\n");
    assert!(text.len() < yaml::MAX_BYTES);
    assert!(error(&text).contains("pairs of sources and states"));
}

#[test]
fn what_is_no_text_is_refused_with_its_place() {
    for (bytes, place) in [
        (b"version: 1\njob: \xFF\n".as_slice(), "a.yaml:2:6: what stands here is not valid UTF-8\n   = save it as UTF-8"),
        (b"version: 1\n\0", "a.yaml:2:1: a NUL byte stands here"),
        (b"\xFF\xFEv\0", "a.yaml: written in UTF-16"),
        (&vec![b'x'; yaml::MAX_BYTES + 1], "a.yaml: larger than 1024 KiB"),
    ] {
        let error = yaml::decode("a.yaml", bytes).expect_err(place).to_string();
        assert!(error.starts_with(place), "{error}");
    }
}

#[test]
fn marks_and_line_ends_of_other_systems_do_not_matter() {
    let text = "version: 1\r\njob: a\r\nsources: [{id: s, topic: t}]\r\nownr: x\r\n";
    let bytes = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    let text = yaml::decode("a.yaml", &bytes).expect("text");
    let errors = manifest::parse("a.yaml", text).expect_err("an error");
    assert_eq!(errors[0].to_string(), "a.yaml:4:1: unknown key `ownr` in a manifest\n  |\n4 | ownr: ***\n  | ^\n  = did you mean `owner`?");
}

/// A secret is in none of the diagnostics, wherever the error is and whatever is wrong.
#[test]
fn a_secret_shows_up_nowhere() {
    const SECRET: &str = "hunter2";
    for text in [
        "version: 1\nkafka:\n  prod:\n    bootstrap.servers: a\n    sasl.password: 'hunter2'  # hunter2\n",
        "version: 1\nx: &pw hunter2\nkafka: {prod: {bootstrap.servers: a, sasl.password: *pw}}\n",
        "version: 1\nKafka: {prod: {sasl.password: hunter2}}\n",
        "version: 1\nkafka: [hunter2]\n",
        "version: 1\nkafka: hunter2\n",
        "version: 1\nkafka: {prod: [hunter2]}\n",
        "version: 1\nkafka: {prod: {bootstrap.servers: a, sasl.password: [hunter2]}}\n",
        "version: 1\nkafka: {prod: {bootstrap.servers: a, sasl.password: {hunter2: hunter2}}}\n",
        "version: 1\nkafka: {prod: {bootstrap.servers: a, sasl.password: \"${A}hunter2\"}}\n",
        "version: 1\nkafka: {prod: {bootstrap.servers: a, sasl.password: >\n      hunter2\n}}\n",
        "version: 1\nkafka:\n  prod:\n    sasl.password hunter2\n",
        "version: 1\nkafka:\n  prod:\n    sasl.password hunter2\n    a: b\n",
        "version: 1\nkafka:\n  prod:\n    sasl.password:hunter2\n",
        "version: 1\nkafka:\n  prod:\n    sasl.password: hunter2\n    sasl.password: hunter2\n",
        "version: 1\nkafka:\n  prod:\n    sasl.password: @hunter2\n",
        "version: 1\nkafka:\n  prod:\n    sasl.password: \"hunter2\n  b: c\n",
        "version: 1\nkafka:\n  prod: {sasl.password: hunter2\n",
        "version: 1\nkafka:\n  prod:\n    sasl.password: !x hunter2\n",
        "version: 1\nkafka:\n  prod:\n    ? [hunter2]\n    : hunter2\n",
        "version: 1\nsasl.password: hunter2\n",
        "version: 1\nsasl.password hunter2: x\n",
        "version: 1\npasswrod: hunter2\n",
        "version: 1\ns3: {session_token: hunter2, access_key_id: hunter2}\n",
        "version: 1\ns3: {endpoint_url: 'http://u:hunter2@h:1/x'}\n",
    ] {
        let errors = audit::parse("audit.yaml", text).expect_err(text);
        for error in &errors {
            assert!(!format!("{error}{error:?}").contains(SECRET), "{text}\n{error}");
        }
        for error in manifest::parse("a.yaml", text).expect_err(text) {
            assert!(!format!("{error}{error:?}").contains(SECRET), "as a manifest: {text}\n{error}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}|[\\[\\]{}:,&*!|>'\"%@ \n\t#a0-]{0,120}") {
        if let Err(errors) = manifest::parse("a.yaml", &text) {
            prop_assert!(!errors.is_empty());
        }
        if let Err(errors) = audit::parse("audit.yaml", &text) {
            prop_assert!(!errors.is_empty());
        }
    }
}
