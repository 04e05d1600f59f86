//! Whether two people mean the same name, however each writes it.

/// Whether two names are the same but for the case of letters, blanks around them, and umlauts that are written with
/// two letters, as `Küche` and `kueche`.
pub fn is_same_name(one: &str, other: &str) -> bool {
    spelled(one).eq(spelled(other))
}

fn spelled(name: &str) -> impl Iterator<Item = char> {
    name.trim().chars().flat_map(char::to_lowercase).flat_map(|letter| {
        let (first, second) = match letter {
            'ä' => ('a', Some('e')),
            'ö' => ('o', Some('e')),
            'ü' => ('u', Some('e')),
            'ß' => ('s', Some('s')),
            other => (other, None),
        };
        std::iter::once(first).chain(second)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_blanks_and_umlauts_make_no_difference() {
        for (one, other) in [
            ("Küche", "kueche"),
            ("KÜCHE", "Kueche"),
            ("Straße", "STRASSE"),
            (" Sofa", "sofa "),
            ("Öl", "oel"),
        ] {
            assert!(is_same_name(one, other) && is_same_name(other, one), "{one} {other}");
        }
        for (one, other) in [("Sofa", "Sofas"), ("Kuche", "Küche"), ("", "a"), ("book 1", "book1")] {
            assert!(!is_same_name(one, other), "{one} {other}");
        }
    }
}
