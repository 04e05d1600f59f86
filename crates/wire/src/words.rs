//! The nearest known word to a wrong one.

/// The known word that was most likely meant; `None` if none is near.
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let far = |word: &str| strsim::damerau_levenshtein(&given, &word.to_lowercase());
    let best = known.into_iter().map(|word| (far(word), word)).min_by_key(|(distance, _)| *distance);
    // A word with no letter in common is not near, however short both are.
    let near = |distance: usize, word: &str| {
        distance <= 1 + word.len().min(given.len()) / 3 && distance < word.len().max(given.len())
    };
    best.filter(|(distance, word)| near(*distance, word)).map(|(_, word)| word)
}

/// `did you mean …?`, or all the words there are.
pub fn advice<'a>(given: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(given, known.clone()) {
        Some(word) => format!("did you mean `{word}`?"),
        None => {
            let mut all: Vec<&str> = known.into_iter().collect();
            all.sort_unstable();
            match all.as_slice() {
                [] => "nothing can stand here".to_owned(),
                all => format!("there are: {}", all.join(", ")),
            }
        }
    }
}

/// A message of serde, in the words of people who write files and requests.
pub fn explained(message: &str) -> String {
    let (what, rest) = if let Some(rest) = message.strip_prefix("unknown field ") {
        ("unknown key", rest)
    } else if let Some(rest) = message.strip_prefix("unknown variant ") {
        ("unknown word", rest)
    } else if let Some(rest) = message.strip_prefix("missing field ") {
        return format!("the key {rest} is missing");
    } else {
        return message.to_owned();
    };
    let mut quoted = rest.split('`').skip(1).step_by(2);
    let Some(given) = quoted.next() else { return message.to_owned() };
    let known: Vec<&str> = quoted.collect();
    format!("{what} `{given}`; {}", advice(given, known.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let known = ["listen", "robot", "address"];
        assert_eq!(nearest("lisen", known), Some("listen"));
        assert_eq!(nearest("Robt", known), Some("robot"));
        assert_eq!(nearest("adress", known), Some("address"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!((nearest("X", ["R", "V"]), nearest("v", ["R", "V"])), (None, Some("V")));
    }

    #[test]
    fn tells_serde_s_errors_to_people() {
        assert_eq!(
            explained("unknown field `lisen`, expected one of `listen`, `robot`"),
            "unknown key `lisen`; did you mean `listen`?"
        );
        assert_eq!(
            explained("unknown variant `fly`, expected `stand` or `wander`"),
            "unknown word `fly`; there are: stand, wander"
        );
        assert_eq!(explained("missing field `robot`"), "the key `robot` is missing");
        assert_eq!(explained("invalid type: integer"), "invalid type: integer");
    }
}
