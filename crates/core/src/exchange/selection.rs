//! Which updates: key expressions over `robot/kind[/part]`.

use std::fmt;
use std::str::FromStr;

use crate::key_expression::{Key, KeyExpression};

use crate::model::{Kind, KindSet, PartName, RobotId, key};

/// One or more key expressions; an update is selected if any of them matches its key.
///
/// `*` stands for one word, `**` for any number of them, `$*` for a part of a word:
/// `*/battery`, `rover-1/range/front_left`, `rover-$*/**`. A robot alone means all that it says, a
/// robot and a kind all parts of that kind.
///
/// ```
/// use latimer_core::hub::Selection;
/// use latimer_core::model::Kind;
///
/// let fronts: Selection = "rover-*/range/front_*, */battery".parse()?;
/// assert_eq!(fronts.to_string(), "rover-$*/range/front_$*,*/battery/**", "a kind stands for all of its parts");
/// assert!(fronts.kinds().contains(Kind::Battery) && !fronts.kinds().contains(Kind::Image));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection(Vec<KeyExpression>);

/// A key expression that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{given:?} selects nothing: {reason}; write `robot/kind[/part]` with `*` or `**`, such as `*/battery`"
)]
pub struct SelectionError {
    /// What was given, cut to a readable length.
    given: String,
    /// What is wrong with it.
    reason: String,
}

impl Selection {
    /// Everything that one robot says of some kinds, parts included.
    pub fn of_kinds(robot: &RobotId, kinds: &[Kind]) -> Self {
        Self(kinds.iter().filter_map(|kind| KeyExpression::new(format!("{robot}/{kind}/**")).ok()).collect())
    }

    /// One key.
    pub(crate) fn of_key(robot: &RobotId, kind: Kind, part: Option<&PartName>) -> Option<Self> {
        KeyExpression::new(key(robot, kind, part)).ok().map(Self::of)
    }

    /// One expression.
    pub(super) fn of(expression: KeyExpression) -> Self {
        Self(vec![expression])
    }

    /// Its key expressions.
    pub(super) fn expressions(&self) -> &[KeyExpression] {
        &self.0
    }

    /// Whether a key is selected.
    pub(crate) fn includes(&self, key: Key<'_>) -> bool {
        self.0.iter().any(|selected| selected.includes(key))
    }

    /// The selection as people write it: without the ending that is understood.
    pub(crate) fn in_short(&self) -> String {
        let short = |expression: &KeyExpression| {
            let stem = expression
                .strip_suffix("/**")
                .filter(|stem| stem.parse::<Self>().is_ok_and(|read| read.0 == [expression.clone()]));
            stem.unwrap_or(expression).to_owned()
        };
        self.0.iter().map(short).collect::<Vec<_>>().join(",")
    }

    /// The kinds that could be selected, of any robot.
    pub fn kinds(&self) -> KindSet {
        let selectable = |kind: &Kind| {
            KeyExpression::new(format!("*/{kind}/**")).is_ok_and(|of_kind| self.touches(of_kind.as_key()))
        };
        Kind::ALL.iter().copied().filter(selectable).collect()
    }

    /// Whether it selects all that its robots say, and not some kinds.
    pub fn is_of_whole_robots(&self) -> bool {
        let is_whole = |it: &KeyExpression| {
            it.split_once('/').map_or(&**it == "**", |(robot, rest)| robot != "**" && rest == "**")
        };
        self.0.iter().all(is_whole)
    }

    /// Whether anything below a key expression could be selected.
    pub(crate) fn touches(&self, key: Key<'_>) -> bool {
        self.0.iter().any(|selected| selected.intersects(key))
    }
}

impl FromStr for Selection {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Self, SelectionError> {
        let mut expressions = Vec::new();
        for word in text.split([',', ' ']).map(str::trim).filter(|word| !word.is_empty()) {
            // What `ros2 topic` users type: a leading slash, and `rover-*` for a part of a word.
            let mut given = word.trim_matches('/').to_owned();
            // A robot stands for all that it says, a kind for all of its parts.
            let last = given.rsplit('/').next().unwrap_or_default();
            if given.matches('/').count() < 2 && (!given.contains('/') || !last.contains('*')) {
                given.push_str("/**");
            }
            let spelled = given.split('/').map(in_word_star).collect::<Vec<_>>().join("/");
            let error = |reason: String| SelectionError { given: word.chars().take(120).collect(), reason };
            expressions.push(KeyExpression::canonical(&spelled).map_err(|e| error(e.to_string()))?);
        }
        if expressions.is_empty() {
            return Err(SelectionError {
                given: text.chars().take(120).collect(),
                reason: "it is empty".into(),
            });
        }
        Ok(Self(expressions))
    }
}

/// Zenoh spells a star within a word `$*`; people write `rover-*`. Several in a row are one, which its library fails to see at the
/// end of an expression.
fn in_word_star(word: &str) -> String {
    if word == "*" || word == "**" {
        return word.to_owned();
    }
    let mut spelled = if word.contains("$*") { word.to_owned() } else { word.replace('*', "$*") };
    while spelled.contains("$*$*") {
        spelled = spelled.replace("$*$*", "$*");
    }
    spelled
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, expression) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{expression}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selects(selection: &str, key: &str) -> bool {
        selection.parse::<Selection>().unwrap().includes(Key::new(key).unwrap())
    }

    #[test]
    fn stars_in_a_row_are_one() {
        for selection in ["a/range/b**", "a/range/b$*$*", "a/range/b***", "a/range/$*$*$*", "a/range/*b**c**"]
        {
            let key = if selection.contains('c') { "a/range/bbcc" } else { "a/range/bcc" };
            assert!(selects(selection, key), "{selection}");
        }
        assert!(selects("ro**", "rover-1/battery"));
        assert!(!selects("a/range/b**", "a/range/cb"));
    }

    #[test]
    fn selects_by_robot_kind_and_part() {
        assert!(selects("*/battery", "rover-1/battery"));
        assert!(selects("rover-*/range/**", "rover-1/range/front_left"));
        assert!(selects("rover-1", "rover-1/range/front_left"));
        assert!(selects("/rover-1/range", "rover-1/range"));
        assert!(selects("rover-1/range", "rover-1/range/front_left"));
        assert!(selects("*/contact", "rover-1/contact/bump_front_left"));
        assert!(selects("**", "rover-1/range/front_left"));
        assert!(selects("a/b, */battery", "rover-1/battery"));
        assert!(!selects("*/battery", "rover-1/range/front_left"));
        assert!(!selects("rover-1/*", "rover-1/range/front_left"));
    }

    #[test]
    fn lists_the_kinds_it_can_select() {
        let kinds = |text: &str| text.parse::<Selection>().unwrap().kinds();
        assert_eq!(
            kinds("*/battery, rover-*/range/front_left"),
            [Kind::Battery, Kind::Range].into_iter().collect()
        );
        assert!(Kind::ALL.iter().all(|kind| kinds("rover-1").contains(*kind)));
        assert!(Kind::ALL.iter().all(|kind| kinds("*/ba*").contains(*kind) == (*kind == Kind::Battery)));
    }

    #[test]
    fn errors_have_a_reason() {
        for bad in ["", "  ", "a//b", "a/#b", "a/?"] {
            let error = bad.parse::<Selection>().unwrap_err().to_string();
            assert!(error.contains("robot/kind"), "{bad:?}: {error}");
        }
    }
}
