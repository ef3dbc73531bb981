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

/// Asks HeadBucket, and follows the region that an answer names, once.
pub(super) async fn reach(caller: &mut Caller<'_>, connection: &Connection, region: &str) -> Reached {
    let first = contact(caller, region).await;
    let Some(other) = first.elsewhere(region) else { return first.reached(caller) };
    caller.client = connection.client(&other, &caller.requests);
    contact(caller, &other).await.reached(caller)
}

/// What HeadBucket said, and a listing of one key where HeadBucket was refused: a HEAD answer has no body and so no code.
enum Contact {
    Found(Option<String>),
    Refused { head: Refusal, listed: Option<Result<(), Refusal>> },
}

async fn contact(caller: &Caller<'_>, region: &str) -> Contact {
    let head = match head(caller).await {
        Ok(found) => return Contact::Found(found),
        Err(head) => head,
    };
    let enough = head.status.is_none() || elsewhere(&head, region).is_some();
    let listed = if enough { None } else { Some(list_one(caller).await) };
    Contact::Refused { head, listed }
}

impl Contact {
    /// Another region than the one signed for, if an answer names it.
    fn elsewhere(&self, region: &str) -> Option<String> {
        match self {
            Self::Found(_) => None,
            Self::Refused { head, listed } => elsewhere(head, region).or_else(|| elsewhere(listed.as_ref()?.as_ref().err()?, region)),
        }
    }

    fn reached(self, caller: &Caller<'_>) -> Reached {
        let call = caller.call("HeadBucket", "");
        let (head, listed) = match self {
            Self::Found(Some(region)) => return Reached { region: caller.seen(region, call), blocked: None },
            Self::Found(None) => {
                return Reached { region: Fact::unsupported("the bucket answers, and the store names no region", call), blocked: None };
            }
            Self::Refused { head, listed: None } => return Reached { region: head.clone().fact(call), blocked: Some(head) },
            Self::Refused { head, listed: Some(listed) } => (head, listed),
        };
        match (listed, head.region.clone()) {
            (Err(refusal), _) if refusal.has_code("NoSuchBucket") || refusal.everywhere() || refusal.status.is_none() => {
                Reached { region: refusal.clone().fact(call), blocked: Some(refusal) }
            }
            // The region stands in the answer even where access is refused.
            (_, Some(region)) => Reached { region: caller.seen(region, call), blocked: None },
            // No answer tells what is there. After a denial the settings are asked all the same, since each has its own right.
            (Err(refusal), None) => {
                let blocked = (refusal.kind == Kind::Failed).then(|| refusal.clone());
                Reached { region: refusal.fact_if_not_missing(call), blocked }
            }
            (Ok(()), None) => Reached { region: head.fact_if_not_missing(call), blocked: None },
        }
    }
}

async fn head(caller: &Caller<'_>) -> Result<Option<String>, Refusal> {
    let output = caller.ask(NEEDS, caller.client.head_bucket().bucket(&caller.bucket).send()).await?;
    Ok(output.bucket_region)
}

async fn list_one(caller: &Caller<'_>) -> Result<(), Refusal> {
    caller.ask(NEEDS, caller.client.list_objects_v2().bucket(&caller.bucket).max_keys(1).send()).await.map(drop)
}

/// The region that a refusal names, if it is another one than was signed for.
fn elsewhere(refusal: &Refusal, region: &str) -> Option<String> {
    refusal.region.clone().filter(|named| named != region)
}
