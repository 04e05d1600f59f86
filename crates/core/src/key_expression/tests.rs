//! Zenoh's own library is the judge.

use proptest::prelude::*;
use zenoh_keyexpr::{OwnedKeyExpr, keyexpr};

use super::*;

fn key(text: &str) -> Key<'_> {
    Key::new(text).unwrap()
}

/// Expressions of few words, so that many meet, in any spelling.
fn expressions() -> impl Strategy<Value = String> {
    let chunk = prop_oneof![
        4 => "[ab]{1,3}",
        2 => Just("*".to_owned()),
        2 => Just("**".to_owned()),
        3 => "(\\$\\*|[ab]){1,4}",
    ];
    prop::collection::vec(chunk, 1..6).prop_map(|chunks| chunks.join("/"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn what_is_read_and_meant_is_what_zenoh_reads_and_means(
        a in expressions(), b in expressions(), any in "[ab*$#?/]{0,9}",
    ) {
        for text in [&a, &b, &any] {
            prop_assert_eq!(Key::new(text).is_ok(), keyexpr::new(text).is_ok(), "{}", text);
        }
        let (Ok(a), Ok(b)) = (KeyExpression::canonical(&a), KeyExpression::canonical(&b)) else {
            return Ok(());
        };
        let (judge_a, judge_b) = (keyexpr::new(&*a).unwrap(), keyexpr::new(&*b).unwrap());
        prop_assert_eq!(a.intersects(b.as_key()), judge_a.intersects(judge_b), "{} and {}", a, b);
        prop_assert_eq!(a.includes(b.as_key()), judge_a.includes(judge_b), "{} in {}", b, a);
    }
}

#[test]
fn spells_the_same_in_one_way() {
    for (text, canonical) in [
        ("**/**/a", "**/a"),
        ("**/*", "*/**"),
        ("**/*/**/*/a", "*/*/**/a"),
        ("a/$*", "a/*"),
        ("a/b$*$*$*c/**/**", "a/b$*c/**"),
        ("x/**/*/y", "x/*/**/y"),
    ] {
        assert_eq!(&*KeyExpression::canonical(text).unwrap(), canonical);
        // Zenoh's library leaves some doubled `$*` in place.
        if !text.contains("$*$*") {
            assert_eq!(OwnedKeyExpr::autocanonize(text.to_owned()).unwrap().as_str(), canonical);
        }
    }
}

#[test]
fn many_stars_take_no_time() {
    let (stars, chunks) = ("**/a/".repeat(200) + "**/b", "a/".repeat(2_000) + "c");
    assert!(!key(&stars).includes(key(&chunks)));
    assert!(!key(&stars).intersects(key(&("*/".repeat(2_000) + "c"))));
    let word = "a$*".repeat(200) + "b";
    assert!(!key(&word).includes(key(&"a".repeat(2_000))));
}

#[test]
fn an_error_says_what_is_wrong() {
    for (text, wrong) in [
        ("", KeyError::EmptyChunk),
        ("a//b", KeyError::EmptyChunk),
        ("a/#b", KeyError::Reserved),
        ("a/b$", KeyError::Dollar),
        ("a/b*", KeyError::StarInChunk),
        ("**/*", KeyError::NotCanonical),
        ("a/$*", KeyError::NotCanonical),
    ] {
        assert_eq!(Key::new(text), Err(wrong), "{text}");
    }
}
