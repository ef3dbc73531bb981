//! Parts of a whole as SVG likes them.

/// `part` of `whole` in percent, two decimals; at most the whole.
pub(super) fn percent(part: u64, whole: u64) -> String {
    let of_ten_thousand = u128::from(part.min(whole)) * 10_000 / u128::from(whole.max(1));
    format!("{}.{:02}%", of_ten_thousand / 100, of_ten_thousand % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_of_anything() {
        assert_eq!(percent(1, 3), "33.33%");
        assert_eq!(percent(u64::MAX, u64::MAX), "100.00%");
        assert_eq!(percent(5, 0), "0.00%");
        assert_eq!(percent(7, 4), "100.00%");
    }
}
