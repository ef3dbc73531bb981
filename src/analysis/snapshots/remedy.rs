//! What to paste for snapshots: a fresh one, a copy back to `STANDARD`, a restore out of an archive.

use super::{Archive, ObjectView, PlaceView, RecoveryView, SnapshotKind, SnapshotView};
use crate::{
    finding::{
        Remedy,
        shell::{variable, word},
    },
    manifest::{Flink, Platform},
    units::S3Location,
};

/// Above this number of objects a command finds them by listing instead of naming each.
const NAMED_IN_A_COMMAND: usize = 10;

/// A fresh savepoint, in the way of the platform, into the declared savepoint folder.
#[must_use]
pub fn fresh_savepoint(flink: &Flink, recovery: &RecoveryView) -> Remedy {
    let folder = savepoint_folder(recovery).map(|folder| folder.to_string());
    match flink.platform {
        Platform::KubernetesOperator => {
            let key = savepoint_setting(flink);
            let target = folder.unwrap_or_else(|| "a folder in S3".to_owned());
            Remedy::configuration(
                format!(
                    "Take a fresh savepoint. The operator writes it to `{key}`, which should be {target}; a value of the nonce that differs from the \
                     present one triggers it."
                ),
                "spec:\n  job:\n    savepointTriggerNonce: 1",
            )
        }
        Platform::ManagedFlink => Remedy::say(
            "Take a fresh snapshot of the application, and export it to the declared location (only snapshots of the enhanced mode can be \
             exported).",
        ),
        Platform::Ververica => Remedy::say(
            "Take a fresh savepoint of the deployment in Ververica Platform. Where it lies is decided by the platform's storage, which should be the declared \
             location.",
        ),
        Platform::SelfManaged | Platform::Other => {
            let target = folder.map_or_else(|| variable("SAVEPOINT_DIR", "set it to a folder in S3 first"), |folder| word(&folder));
            let job = variable("JOB_ID", "set it to the job id that flink list shows");
            Remedy::paste(
                format!(
                    "Take a fresh savepoint while the job runs. To stop the job with one instead: `flink stop --savepointPath {target} \"$JOB_ID\"`. Add \
                     what your deployment needs to reach the job, such as `-t` and `-D`. A lifecycle rule that covers the folder will treat it like the \
                     last one."
                ),
                format!("flink savepoint {job} {target}"),
            )
        }
    }
}

/// The setting of the default savepoint folder: the older name up to Flink 1.19, which later versions accept too.
fn savepoint_setting(flink: &Flink) -> &'static str {
    match flink.release() {
        Some(release) if release >= (1, 20) => "execution.checkpointing.savepoint-dir",
        _ => "state.savepoints.dir",
    }
}

/// Checkpoints that a cancellation leaves where they are.
#[must_use]
pub fn retain_checkpoints() -> Remedy {
    Remedy::configuration(
        "Keep the checkpoints of a cancelled job, and delete old ones by hand. (In code: \
         `ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION`, `ExternalizedCheckpointCleanup` before Flink 1.20.)",
        "execution.checkpointing.externalized-checkpoint-retention: RETAIN_ON_CANCELLATION",
    )
}

/// The first declared savepoint folder in S3; of a location that is a snapshot itself, the folder around it.
fn savepoint_folder(recovery: &RecoveryView) -> Option<S3Location> {
    recovery.places.iter().filter(|place| place.kind == SnapshotKind::Savepoint).find_map(|place: &PlaceView| {
        let declared = place.declared.value.s3()?;
        let itself = place.complete().iter().any(|snapshot| snapshot.location == *declared);
        let parent = declared.key().rsplit_once('/').map_or("", |(parent, _)| parent);
        Some(if itself { S3Location::new(declared.bucket(), parent) } else { declared.clone() })
    })
}

/// A copy of the snapshot's objects onto themselves in `STANDARD`, with what it does and does not do: those in its folder by the folder, those
/// beside it (`shared/`) one by one if they are in another class. `restored`: objects of an archive class with a restored copy are among them,
/// which the command line skips unless forced.
///
/// `--metadata-directive REPLACE`: S3 refuses a copy of an object onto itself that changes nothing, and what is in STANDARD already would be one.
/// Flink neither writes nor reads metadata of objects.
#[must_use]
pub fn copy_to_standard(snapshot: &SnapshotView, restored: bool) -> Remedy {
    let force = if restored { " --force-glacier-transfer" } else { "" };
    let when = if restored { "Once the restore has finished, and while the restored copies last: copy" } else { "Copy" };
    let mut say = format!(
        "{when} the objects onto themselves in STANDARD. The copy is a new object: its last-modified is the time of the copy, so lifecycle \
         rules count from then and this audit sees the snapshot as taken then, and a rule that moved the objects will move them again. It is \
         encrypted as the bucket's default says and has no lock but the bucket's default. In a versioned bucket the old version stays behind. Large \
         objects are copied in parts, for which the AWS CLI may also want to read and write tags. If you copy to another folder instead, relative \
         references in `_metadata` move along, while absolute ones (shared/ files, entropy injection) keep pointing to the old place.",
    );
    if restored {
        say.push_str(" Without --force-glacier-transfer `aws s3 cp --recursive` skips objects of the classes GLACIER and DEEP_ARCHIVE.");
    }
    let options = format!("--storage-class STANDARD --metadata-directive REPLACE{force}");
    let elsewhere = |object: &&ObjectView| object.class.as_deref().is_some_and(|class| class != "STANDARD");
    let (inside, outside): (Vec<&ObjectView>, Vec<&ObjectView>) =
        snapshot.objects.iter().flatten().partition(|object| is_below(object, &snapshot.location));
    let outside: Vec<&ObjectView> = outside.into_iter().filter(elsewhere).collect();
    let mut commands = Vec::new();
    if outside.is_empty() || inside.iter().any(elsewhere) {
        let folder = word(&format!("{}/", snapshot.location.to_string().trim_end_matches('/')));
        commands.push(format!("aws s3 cp {folder} {folder} --recursive {options}"));
    }
    for object in outside.iter().take(NAMED_IN_A_COMMAND) {
        let uri = word(&format!("s3://{}/{}", object.bucket, object.key));
        commands.push(format!("aws s3 cp {uri} {uri} {options}"));
    }
    if let Some(more) = outside.len().checked_sub(NAMED_IN_A_COMMAND).filter(|more| *more > 0) {
        say.push_str(&format!(
            " {} more that lie outside the snapshot's folder have to be copied in the same way.",
            super::words::counted(more, "object")
        ));
    }
    Remedy::paste(say, commands.join("\n"))
}

/// Restores of these archived objects, one remedy for each archive that they lie in.
#[must_use]
pub fn restore(objects: &[(&ObjectView, &Archive)], snapshot: &SnapshotView) -> Vec<Remedy> {
    super::words::by_archive(objects).into_iter().map(|(archive, within)| restore_from(archive, &within, snapshot)).collect()
}

/// A later end for these restored copies, one remedy for each class that they are in.
#[must_use]
pub fn extend(copies: &[(&ObjectView, &Archive)], snapshot: &SnapshotView) -> Vec<Remedy> {
    super::words::by_archive(copies)
        .into_iter()
        .map(|(archive, within)| {
            Remedy::paste(
                format!(
                    "Or let the restored copies of the {} in {archive} last longer: asked again while a copy exists, `Days` counts from the \
                     time of the new request.",
                    super::words::counted(within.len(), "object")
                ),
                for_each(archive, &within, snapshot, r#"{"Days":92}"#),
            )
        })
        .collect()
}

fn restore_from(archive: &Archive, objects: &[&ObjectView], snapshot: &SnapshotView) -> Remedy {
    let Some(waits) = archive.waits() else {
        return Remedy::say(format!("Restore the objects in {archive} the way that this store does it; this version does not know how."));
    };
    let (request, after) = if archive.restores_for_good() {
        ("{}", "The objects move back to the Frequent Access tier for good and begin to age again.")
    } else {
        (
            r#"{"Days":14,"GlacierJobParameters":{"Tier":"Standard"}}"#,
            "The restore makes a copy that ends after `Days`; copy the objects to STANDARD before that. Wait until HEAD of every object \
             says `ongoing-request=\"false\"`.",
        )
    };
    Remedy::paste(
        format!("Restore the {} in {archive}. How long that takes: {waits}. {after}", super::words::counted(objects.len(), "object")),
        for_each(archive, objects, snapshot, request),
    )
}

/// One request for each object: named while they are few, found by listing the snapshot's folder otherwise.
fn for_each(archive: &Archive, objects: &[&ObjectView], snapshot: &SnapshotView, request: &str) -> String {
    let outside = objects.iter().any(|object| !is_below(object, &snapshot.location));
    if objects.len() <= NAMED_IN_A_COMMAND || outside {
        return objects
            .iter()
            .map(|object| {
                let (bucket, key) = (word(&object.bucket), word(&object.key));
                format!("aws s3api restore-object --bucket {bucket} --key {key} --restore-request {}", word(request))
            })
            .collect::<Vec<_>>()
            .join("\n");
    }
    let (bucket, prefix) = (word(snapshot.location.bucket()), word(&snapshot.location.prefix()));
    let query = word(&format!("Contents[?StorageClass=='{}'].[Key]", archive.listed_class()));
    let request = word(request);
    format!(
        "aws s3api list-objects-v2 --bucket {bucket} --prefix {prefix} --query {query} --output text |\n  while IFS= read -r key; do\n    \
         aws s3api restore-object --bucket {bucket} --key \"$key\" --restore-request {request}\n  done"
    )
}

fn is_below(object: &ObjectView, folder: &S3Location) -> bool {
    object.bucket == folder.bucket() && object.key.starts_with(&folder.prefix())
}
