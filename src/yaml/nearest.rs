//! "Did you mean …?"

/// The most candidates that are compared.
const MOST: usize = 500;

/// The candidate that `text` most likely stands for, if one is near.
#[must_use]
pub fn nearest<'c>(text: &str, candidates: &[&'c str]) -> Option<&'c str> {
    // Longer than any key or word; comparing it would only cost time.
    if text.len() > 64 {
        return None;
    }
    let text = text.to_lowercase().replace('-', "_");
    candidates
        .iter()
        .take(MOST)
        .filter(|candidate| candidate.len() <= 64)
        .map(|candidate| (strsim::damerau_levenshtein(&text, &candidate.to_lowercase().replace('-', "_")), *candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len() / 3).max(1) && *distance < candidate.len())
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_and_far() {
        let keys = ["ttl", "name", "max_downtime"];
        assert_eq!(nearest("tll", &keys), Some("ttl"));
        assert_eq!(nearest("max-downtime", &keys), Some("max_downtime"));
        assert_eq!(nearest("maxDowntime", &keys), Some("max_downtime"));
        assert_eq!(nearest("colour", &keys), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), &keys), None);
    }
}
