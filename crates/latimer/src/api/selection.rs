//! Selectors, conditions and picked fields: what could never match is refused with the nearest right word.

use latimer_core::hub::{Filter, Selection};
use latimer_core::key_expression::{Key, KeyExpression};
use latimer_core::model::{Kind, Path};

use super::{Rejection, comparison, fields};
use latimer_wire::words::advice;

/// A selector whose kinds exist.
pub(super) fn selection(name: &'static str, given: &str) -> Result<Selection, Rejection> {
    let selection: Selection = given
        .parse()
        .map_err(|error: latimer_core::hub::SelectionError| Rejection::bad(error.to_string()).at(name))?;
    for expression in expressions(&selection) {
        let mut chunks = expression.split('/');
        if let (Some(robot), Some(kind)) = (chunks.next(), chunks.next())
            && robot != "**"
            && !kind.contains('*')
            && Kind::from_word(kind).is_none()
        {
            return Err(Rejection::bad(format!("no robot publishes the kind {kind}"))
                .at(name)
                .advice(advice(kind, Kind::ALL.iter().map(|kind| kind.as_str()))));
        }
    }
    Ok(selection)
}

/// The key expressions of a selection.
pub(super) fn expressions(selection: &Selection) -> Vec<KeyExpression> {
    // A selection prints as what it consists of.
    selection.to_string().split(',').filter_map(|expression| KeyExpression::new(expression).ok()).collect()
}

/// Whether one of them selects a key.
pub(super) fn includes(expressions: &[KeyExpression], key: &str) -> bool {
    Key::new(key).is_ok_and(|key| expressions.iter().any(|expression| expression.includes(key)))
}

/// Filters that must all hold, by fields that exist and values that they could have.
pub(super) fn filter(name: &'static str, given: &[String]) -> Result<Filter, Rejection> {
    let mut filter = Filter::default();
    for line in given {
        let read = line.parse::<Filter>();
        filter = filter.and(read.map_err(|error| Rejection::bad(error.to_string()).at(name))?);
    }
    filter.conditions_mut().iter_mut().try_for_each(|condition| comparison::complete(name, condition))?;
    Ok(filter)
}

/// Fields that exist, by commas.
pub(super) fn paths(name: &'static str, given: &[String]) -> Result<Vec<Path>, Rejection> {
    let words = given.iter().flat_map(|line| line.split(',')).map(str::trim).filter(|word| !word.is_empty());
    let mut paths = Vec::new();
    for word in words {
        match word.parse::<Path>() {
            Ok(path) => paths.push(path),
            Err(error) => return Err(Rejection::bad(error.to_string()).at(name)),
        }
    }
    for path in &paths {
        fields::resolve(name, path)?;
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice_of<T>(result: Result<T, Rejection>) -> String {
        result.err().and_then(|rejection| rejection.problem().advice.clone()).unwrap_or_default()
    }

    #[test]
    fn what_could_never_match_is_refused() {
        assert_eq!(advice_of(selection("select", "misty-1/rnge")), "did you mean `range`?");
        for good in ["misty-1", "*/battery", "**", "**/front_left", "misty-*/range/**", "a/battery,b/imu"] {
            assert!(selection("select", good).is_ok(), "{good}");
        }
        let where_ = |text: &str| filter("where", &[text.to_owned()]);
        assert_eq!(advice_of(where_("range.distanc_m < 1")), "did you mean `distance_m`?");
        assert!(
            where_("imu.orientation.bogus > 0").is_err()
                && paths("pick", &["imu.orientation.bogus".to_owned()]).is_err()
        );
        assert_eq!(advice_of(where_("rnge.distance_m < 1")), "did you mean `range`?");
        for good in ["range.distance_m < 1", "Distance_M < 1", "part == x", "imu.orientation.yaw_rad > 0"] {
            assert!(where_(good).is_ok(), "{good}");
        }
        assert_eq!(paths("pick", &["distance_m, status".to_owned()]).unwrap().len(), 2);
        assert!(paths("pick", &["a..b".to_owned()]).is_err());
    }
}
