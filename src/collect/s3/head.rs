//! What HeadObject says, its headers read by key: dates hold commas, so nothing is split at one.

use aws_sdk_s3::{
    operation::head_object::HeadObjectOutput,
    primitives::{DateTime, DateTimeFormat},
    types::ObjectLockLegalHoldStatus,
};

use super::rules::instant;
use crate::{
    evidence::{HeadExpiration, ObjectHead, Restore},
    units::Instant,
};

/// The headers that matter. The error says which one cannot be understood.
pub(super) fn object_head(output: &HeadObjectOutput) -> Result<ObjectHead, &'static str> {
    let restore = output.restore().map(|header| restore(header).ok_or("the header x-amz-restore is not understood")).transpose()?;
    let lock_until = output.object_lock_retain_until_date();
    Ok(ObjectHead {
        storage_class: output.storage_class().map(|class| class.as_str().to_owned()),
        archive_status: output.archive_status().map(|status| status.as_str().to_owned()),
        restore,
        lock_mode: output.object_lock_mode().map(|mode| mode.as_str().to_owned()),
        lock_until: lock_until.map(|at| instant(at).ok_or("the date of the object's lock is not understood")).transpose()?,
        legal_hold: output.object_lock_legal_hold_status() == Some(&ObjectLockLegalHoldStatus::On),
        // A cross-check of what the rules say, and nothing is judged by its absence: one that cannot be read is as good as none.
        expiration: output.expiration().and_then(expiration),
    })
}

fn restore(header: &str) -> Option<Restore> {
    let fields = fields(header)?;
    let field = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    match (field("ongoing-request")?, field("expiry-date")) {
        ("true", _) => Some(Restore::Ongoing),
        ("false", Some(date)) => http_date(date).map(Restore::Until),
        ("false", None) => Some(Restore::ForGood),
        _ => None,
    }
}

fn expiration(header: &str) -> Option<HeadExpiration> {
    let fields = fields(header)?;
    let field = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    Some(HeadExpiration { on: http_date(field("expiry-date")?)?, rule: url_decoded(field("rule-id")?)? })
}

/// `a="b", c="d, e"` as pairs.
fn fields(header: &str) -> Option<Vec<(String, String)>> {
    let mut fields = Vec::new();
    let mut rest = header.trim();
    while !rest.is_empty() {
        let (key, after) = rest.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        fields.push((key.trim().to_owned(), value.to_owned()));
        rest = after.trim_start().trim_start_matches(',').trim_start();
    }
    Some(fields)
}

fn http_date(text: &str) -> Option<Instant> {
    DateTime::from_str(text, DateTimeFormat::HttpDate).ok().as_ref().and_then(instant)
}

/// Percent and plus signs, as in a form: a rule's ID can hold spaces.
fn url_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            b'+' => b' ',
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        text.parse().expect("an instant")
    }

    #[test]
    fn the_restore_header_in_all_its_forms() {
        for (header, expected) in [
            (r#"ongoing-request="true""#, Some(Restore::Ongoing)),
            (r#"ongoing-request="false", expiry-date="Fri, 21 Dec 2012 00:00:00 GMT""#, Some(Restore::Until(at("2012-12-21")))),
            (r#"expiry-date="Fri, 21 Dec 2012 00:00:00 GMT",ongoing-request="false""#, Some(Restore::Until(at("2012-12-21")))),
            (r#"ongoing-request="false""#, Some(Restore::ForGood)),
            (r#"ongoing-request="perhaps""#, None),
            (r#"ongoing-request="false", expiry-date="soon""#, None),
            ("ongoing-request=", None),
            ("", None),
        ] {
            assert_eq!(restore(header), expected, "{header}");
        }
    }

    #[test]
    fn the_expiration_header() {
        let header = r#"expiry-date="Tue, 15 Sep 2026 00:00:00 GMT", rule-id="keep%20a+week%2B1""#;
        assert_eq!(expiration(header), Some(HeadExpiration { on: at("2026-09-15"), rule: "keep a week+1".to_owned() }));
        assert_eq!(expiration(r#"expiry-date="Tue, 15 Sep 2026 00:00:00 GMT", rule-id="%zz""#), None);
        assert_eq!(expiration(r#"expiry-date="Tue, 15 Sep 2026 00:00:00 GMT", rule-id="%e"#), None);
    }
}
