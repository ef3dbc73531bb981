//! The first contact: does the bucket exist, where does it lie, and would the other calls have a chance?

use super::{
    caller::Caller,
    client::Connection,
    refusal::{Kind, Refusal},
};
use crate::evidence::Fact;

const NEEDS: &str = "s3:ListBucket on the bucket";

/// What the first contact found.
pub(super) struct Reached {
    /// The bucket's region.
    pub(super) region: Fact<String>,
    /// Why nothing else is asked: there is no such bucket, or every call would end alike.
    pub(super) blocked: Option<Refusal>,
}

/// Asks HeadBucket, and follows the region that it names, once. A HEAD answer has no body and so no code: where it is refused, a listing of
/// one key names the cause.
pub(super) async fn reach(caller: &mut Caller<'_>, connection: &Connection, region: &str) -> Reached {
    let call = caller.call("HeadBucket", "");
    let refusal = match head(caller).await {
        Ok(found) => return found_at(caller, found, call),
        Err(refusal) => refusal,
    };
    let refusal = match elsewhere(&refusal, region) {
        Some(other) => {
            caller.client = connection.client(&other, &caller.requests);
            match head(caller).await {
                Ok(found) => return found_at(caller, found.or(Some(other)), call),
                Err(refusal) => refusal,
            }
        }
        None => refusal,
    };
    if refusal.status.is_none() {
        return Reached { region: refusal.clone().fact(call), blocked: Some(refusal) };
    }
    named(caller, connection, region, refusal, call).await
}

/// Names the cause of a refused HeadBucket by a listing of one key.
async fn named(caller: &mut Caller<'_>, connection: &Connection, region: &str, head: Refusal, call: String) -> Reached {
    let mut listed = list_one(caller).await;
    let other = listed.as_ref().err().and_then(|refusal| elsewhere(refusal, region));
    if let Some(other) = other.filter(|_| head.region.is_none()) {
        caller.client = connection.client(&other, &caller.requests);
        listed = list_one(caller).await;
    }
    let told = head.region.clone().or_else(|| listed.as_ref().err().and_then(|refusal| refusal.region.clone()));
    match listed {
        Err(refusal) if refusal.has_code("NoSuchBucket") => Reached { region: refusal.clone().fact(call), blocked: Some(refusal) },
        Err(refusal) if refusal.everywhere() || refusal.status.is_none() => {
            Reached { region: refusal.clone().fact(call), blocked: Some(refusal) }
        }
        // The region stands in the answer even if access is refused.
        _ if told.is_some() => Reached { region: told.map_or_else(|| head.fact(&call), |told| caller.seen(told, &call)), blocked: None },
        Err(refusal) => {
            // Neither call has an answer that says what is there: the other settings are asked all the same, each has its own right.
            let blocked = (refusal.kind == Kind::Failed).then(|| refusal.clone());
            Reached { region: refusal.fact_if_not_missing(call), blocked }
        }
        Ok(()) => Reached { region: head.fact_if_not_missing(call), blocked: None },
    }
}

async fn head(caller: &Caller<'_>) -> Result<Option<String>, Refusal> {
    let output = caller.ask(NEEDS, caller.client.head_bucket().bucket(caller.bucket).send()).await?;
    Ok(output.bucket_region)
}

async fn list_one(caller: &Caller<'_>) -> Result<(), Refusal> {
    caller.ask(NEEDS, caller.client.list_objects_v2().bucket(caller.bucket).max_keys(1).send()).await.map(drop)
}

fn found_at(caller: &Caller<'_>, region: Option<String>, call: String) -> Reached {
    let region = match region {
        Some(region) => caller.seen(region, call),
        None => Fact::unsupported("the bucket answers, and the store names no region", call),
    };
    Reached { region, blocked: None }
}

/// The region that a refusal names, if it is another one than was signed for.
fn elsewhere(refusal: &Refusal, region: &str) -> Option<String> {
    refusal.region.clone().filter(|named| named != region)
}
