//! The identity of a finding across audits.

use sha2::{Digest as _, Sha256};

/// 32 hex digits made from rule, job and subject, never from wording or line numbers.
#[must_use]
pub fn fingerprint(rule: &str, job: &str, subject: &str) -> String {
    let mut hash = Sha256::new();
    for part in [rule, job, subject] {
        hash.update(part.as_bytes());
        // A byte that no UTF-8 text holds, so that no two triples run together.
        hash.update([0xFF]);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        assert_eq!(fingerprint("a", "b", "c").len(), 32);
        assert_ne!(fingerprint("ab", "c", "d"), fingerprint("a", "bc", "d"));
    }
}
