//! `s3:`.

use std::collections::BTreeMap;

use crate::{
    audit::{S3Access, S3Config},
    evidence::StoreKind,
    yaml::{Fields, Node, Problems, values},
};

const STORES: &[(&str, StoreKind)] = &[("aws", StoreKind::Aws), ("other", StoreKind::Other)];

pub(super) fn read(node: &Node, problems: &mut Problems<'_>) -> Option<S3Config> {
    let mut fields = Fields::of(node, "`s3`", problems)?;
    let default = access(&mut fields, problems);
    let mut buckets = BTreeMap::new();
    if let Some(entry) = fields.get("buckets") {
        let _ = Fields::of(&entry.value, "`buckets`", problems)?;
        for bucket in entry.value.entries().unwrap_or_default() {
            if let Some(mut own) = Fields::of(&bucket.value, "a bucket", problems) {
                buckets.insert(bucket.key.clone(), access(&mut own, problems));
                refuse_credentials(&mut own);
                own.finish(problems);
            }
        }
    }
    refuse_credentials(&mut fields);
    fields.finish(problems);
    Some(S3Config { default, buckets })
}

fn access(fields: &mut Fields<'_>, problems: &mut Problems<'_>) -> S3Access {
    let region = fields.get("region").and_then(|entry| values::text(entry, problems));
    let profile = fields.get("profile").and_then(|entry| values::text(entry, problems));
    let endpoint_url = fields.get("endpoint_url").and_then(|entry| {
        values::read(entry, problems, |text| {
            let user = text.split_once("://").and_then(|(_, rest)| rest.split('/').next()).is_some_and(|authority| authority.contains('@'));
            if user {
                Err(("it holds a user name".to_owned(), "credentials come from the AWS default chain, never from the address".to_owned()))
            } else if text.starts_with("http://") || text.starts_with("https://") || text.starts_with("${") {
                Ok(text.to_owned())
            } else {
                Err(("it is not an address".to_owned(), "write https://host:port".to_owned()))
            }
        })
    });
    let force_path_style = fields.get("force_path_style").and_then(|entry| values::boolean(entry, problems));
    let store = fields.get("store").and_then(|entry| values::word(entry, STORES, problems));
    let assume_role_arn = fields.get("assume_role_arn").and_then(|entry| values::text(entry, problems));
    let external_id = fields.get("external_id").and_then(|entry| values::text(entry, problems));
    S3Access {
        region: region.map(|at| at.value),
        profile: profile.map(|at| at.value),
        endpoint_url: endpoint_url.map(|at| at.value),
        force_path_style,
        store,
        assume_role_arn: assume_role_arn.map(|at| at.value),
        external_id: external_id.map(|at| at.value),
    }
}

/// Keys never lie in an audit file.
fn refuse_credentials(fields: &mut Fields<'_>) {
    for key in ["access_key_id", "secret_access_key", "session_token", "access_key", "secret_key"] {
        fields.refuse(key, "credentials come from the AWS default chain: environment, profile or role");
    }
}
