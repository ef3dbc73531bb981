//! A `_metadata` file as Flink writes it (format 3): one operator whose keyed state lies in the files that a test names.

use ttl_audit::savepoint::OperatorId;

/// `_metadata` of a checkpoint that needs these files: a path with a scheme is absolute, any other relative.
pub(crate) fn metadata<'a>(files: impl IntoIterator<Item = (&'a str, u64)>) -> Vec<u8> {
    let files: Vec<_> = files.into_iter().collect();
    let mut out = Vec::new();
    int(&mut out, 0x4960_672d);
    int(&mut out, 3);
    long(&mut out, 7);
    int(&mut out, 0);
    int(&mut out, 1);
    out.extend(OperatorId::from_uid("dedup").0);
    int(&mut out, 1);
    int(&mut out, 128);
    out.push(0);
    int(&mut out, 1);
    // The subtask: no operator state, incremental keyed state, no raw state, nothing in flight.
    int(&mut out, 0);
    int(&mut out, 0);
    int(&mut out, 0);
    out.push(11);
    long(&mut out, 7);
    text(&mut out, "efacd05f-1b76-4944-a7b7-1ff43c8e3e97");
    int(&mut out, 0);
    int(&mut out, 128);
    long(&mut out, 1_000);
    out.push(1);
    text(&mut out, "inline");
    int(&mut out, 0);
    int(&mut out, i32::try_from(files.len()).expect("few"));
    for (nth, (path, size)) in files.into_iter().enumerate() {
        text(&mut out, &format!("{nth:06}.sst"));
        if path.contains("://") {
            out.push(2);
            long(&mut out, size);
            text(&mut out, path);
        } else {
            out.push(6);
            text(&mut out, path);
            long(&mut out, size);
        }
    }
    int(&mut out, 0);
    text(&mut out, "a643e602-0ae2-44ed-804a-9b397f70031b");
    out.push(0);
    int(&mut out, 0);
    int(&mut out, 0);
    out
}

fn int(out: &mut Vec<u8>, value: i32) {
    out.extend(value.to_be_bytes());
}

fn long(out: &mut Vec<u8>, value: u64) {
    out.extend(value.to_be_bytes());
}

fn text(out: &mut Vec<u8>, value: &str) {
    out.extend(u16::try_from(value.len()).expect("short").to_be_bytes());
    out.extend(value.as_bytes());
}
