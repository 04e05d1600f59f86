//! What a condition compares with: a value that its field could have, in the field's unit.

use std::f64::consts::PI;

use latimer_core::hub::{Condition, Operator};
use latimer_core::model::shape::{Field, Type};
use latimer_core::model::{Kind, Path, Value};

use super::Rejection;
use super::fields::{PathTarget, resolve};
use latimer_wire::words::advice;

/// Units as people write them, by the unit of a field, and how many of the field's one of them is.
const WRITTEN: &[(&str, &[(&str, f64)])] = &[
    ("m", &[("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("km", 1000.0)]),
    ("m²", &[("m²", 1.0), ("m2", 1.0)]),
    ("rad", &[("rad", 1.0), ("°", PI / 180.0), ("deg", PI / 180.0)]),
    ("°", &[("°", 1.0), ("deg", 1.0), ("rad", 180.0 / PI)]),
    ("m/s", &[("m/s", 1.0), ("cm/s", 0.01), ("km/h", 1.0 / 3.6)]),
    ("rad/s", &[("rad/s", 1.0), ("°/s", PI / 180.0), ("deg/s", PI / 180.0)]),
    ("m/s²", &[("m/s²", 1.0), ("m/s2", 1.0), ("g", 9.806_65)]),
    ("V", &[("V", 1.0), ("mV", 0.001)]),
    ("A", &[("A", 1.0), ("mA", 0.001)]),
    ("Ah", &[("Ah", 1.0), ("mAh", 0.001)]),
    ("°C", &[("°C", 1.0), ("C", 1.0)]),
    ("s", &[("s", 1.0), ("ms", 0.001), ("min", 60.0), ("h", 3600.0)]),
    ("Hz", &[("Hz", 1.0), ("kHz", 1000.0)]),
    ("1/s", &[("1/s", 1.0)]),
    ("ratio", &[("%", 0.01)]),
    ("%", &[("%", 1.0)]),
];

/// Longest number before a unit, bytes: each of its beginnings is tried.
const LONGEST_NUMBER: usize = 64;

/// What is wrong, and what to do.
type Wrong = (String, String);

/// Puts what a condition compares with into its field's form; what could never hold is refused.
pub(super) fn complete(name: &'static str, condition: &mut Condition) -> Result<(), Rejection> {
    let places = resolve(name, &condition.path)?;
    if condition.value == Value::Null {
        return Ok(());
    }
    let refused = |(what, hint): Wrong| Rejection::bad(what).at(name).advice(hint);
    if let Some(other) = condition.value.as_str().and_then(field_of_a_kind) {
        let what = format!("{} is compared with another field, {other}", condition.path);
        return Err(refused((
            what,
            "compare it with a value, and compare two fields in your program".to_owned(),
        )));
    }
    // Fields of one name can differ by kind; one that fits is enough.
    let mut wrong = None;
    for place in places {
        match fitted(place, condition) {
            Ok(value) => {
                condition.value = value;
                return Ok(());
            }
            Err(it) => wrong = wrong.or(Some(it)),
        }
    }
    wrong.map_or(Ok(()), |wrong| Err(refused(wrong)))
}

/// A text that is the path of a field.
fn field_of_a_kind(text: &str) -> Option<&str> {
    let path: Path = text.parse().ok()?;
    let [kind, _, ..] = path.segments() else { return None };
    (Kind::from_word(kind).is_some() && resolve("", &path).is_ok()).then_some(text)
}

/// The value for a place.
fn fitted(place: PathTarget, condition: &Condition) -> Result<Value, Wrong> {
    let Condition { path, operator, value } = condition;
    let is_order = !matches!(operator, Operator::Equal | Operator::NotEqual);
    match place.form.type_ {
        Type::Any | Type::Text | Type::Name(_) => Ok(value.clone()),
        Type::Number | Type::Integer | Type::Duration | Type::Time => number(path, value, place.unit),
        Type::Boolean if value.as_bool().is_some() && !is_order => Ok(value.clone()),
        Type::Boolean => Err((
            format!("{path} is true or false, so {operator} {value} never holds"),
            format!("write `{path} == true`"),
        )),
        Type::Word(words) => {
            let known = words.iter().map(|word| word.word);
            match value.as_str() {
                Some(given) if known.clone().any(|word| word == given) && !is_order => Ok(value.clone()),
                Some(given) if !is_order => Err((format!("{path} is never {given}"), advice(given, known))),
                _ => Err((
                    format!("{path} is a word, so {operator} {value} never holds"),
                    format!("compare it with == or != and one of: {}", known.collect::<Vec<_>>().join(", ")),
                )),
            }
        }
        Type::Bytes => Err((
            format!("{path} is a picture, sound or file, which compares with nothing"),
            format!("write `{path} exists`"),
        )),
        Type::Record(fields) => Err((
            format!("{path} has fields of its own, so it compares with nothing"),
            format!("write {path}. and one of: {}", names(fields)),
        )),
        Type::List(_) => Err((
            format!("{path} is a list, which compares with nothing"),
            format!("write {path}.0 for its first item"),
        )),
    }
}

fn names(fields: &[Field]) -> String {
    fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ")
}

/// A number, or one with a unit behind it.
fn number(path: &Path, value: &Value, unit: Option<&str>) -> Result<Value, Wrong> {
    let Some(text) = value.as_str() else {
        return match value {
            Value::Int(_) | Value::Float(_) => Ok(value.clone()),
            _ => Err((format!("{path} is a number; {value} is none"), example(path, unit))),
        };
    };
    // The longest beginning that is a number: `1e3m` is a thousand metres.
    let split = (1..=text.len().min(LONGEST_NUMBER))
        .rev()
        .filter(|end| text.is_char_boundary(*end))
        .find_map(|end| {
            let number = text[..end].trim_end().parse::<f64>().ok().filter(|it| it.is_finite())?;
            Some((number, text[end..].trim()))
        });
    let Some((number, written)) = split else {
        return Err((format!("{path} is a number; {text} is none"), example(path, unit)));
    };
    if written.is_empty() {
        return Ok(Value::Float(number));
    }
    let known = WRITTEN.iter().find(|(of, _)| Some(*of) == unit).map_or(&[][..], |(_, known)| known);
    match known.iter().find(|(word, _)| *word == written) {
        Some((_, factor)) => Ok(Value::Float(number * factor)),
        None if known.is_empty() => {
            Err((format!("{path} has no unit; {written} is none of it"), format!("write {number} alone")))
        }
        None => {
            let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
            Err((
                format!("{path} is in {}; {written} is no such unit", unit.unwrap_or_default()),
                format!("write a number alone, or one of: {}", words.join(", ")),
            ))
        }
    }
}

fn example(path: &Path, unit: Option<&str>) -> String {
    match WRITTEN.iter().find(|(of, _)| Some(*of) == unit).and_then(|(_, known)| known.last()) {
        Some((word, _)) => format!("write such as `{path} > 1` or `{path} > 1{word}`"),
        None => format!("write such as `{path} > 1`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(text: &str) -> Result<Value, String> {
        let mut condition: Condition = text.parse().unwrap();
        complete("where", &mut condition).map_err(|rejection| {
            let problem = rejection.problem();
            format!("{}; {}", problem.detail, problem.advice.clone().unwrap_or_default())
        })?;
        Ok(condition.value)
    }

    #[test]
    fn numbers_may_have_units() {
        for (text, expected) in [
            ("range.distance_m < 30cm", 0.3),
            ("range.distance_m < 0.3", 0.3),
            ("distance_m < 1e3 mm", 1.0),
            ("battery.charge_ratio < 50%", 0.5),
            ("imu.orientation.yaw_rad > 180°", PI),
            ("imu.orientation.yaw_rad > 180 deg", PI),
            ("velocity.linear_mps >= 3.6 km/h", 1.0),
            ("pose.yaw_rad delta 90deg", PI / 2.0),
            ("path.points_m.0.0 > 50cm", 0.5),
        ] {
            let value = completed(text).unwrap().as_f64().unwrap();
            assert!((value - expected).abs() < 1e-12, "{text}: {value}");
        }
    }

    #[test]
    fn what_could_never_hold_is_refused() {
        for (text, what) in [
            ("range.distance_m > abc", "abc is none; write such as `range.distance_m > 1`"),
            (
                "range.distance_m > 5 kg",
                "is in m; kg is no such unit; write a number alone, or one of: m, cm, mm, km",
            ),
            ("range.distance_m > range.max_m", "another field"),
            ("navigation.state == flying", "is never flying"),
            ("navigation.state == Moving", "did you mean `moving`?"),
            ("navigation.state > moving", "is a word"),
            ("image.data == abc", "write `image.data exists`"),
            ("imu.orientation == 3", "write imu.orientation. and one of: "),
            ("path.points_m == 3", "write path.points_m.0"),
            ("navigation.stuck > 3", "is true or false"),
        ] {
            let error = completed(text).unwrap_err();
            assert!(error.contains(what), "{text}: {error}");
        }
    }

    #[test]
    fn what_could_hold_is_left_as_it_is() {
        for text in [
            "part == front",
            "robot == 1",
            "navigation.state != moving",
            "imu.orientation exists",
            "text.data.any == 3",
        ] {
            let before: Condition = text.parse().unwrap();
            assert_eq!(completed(text), Ok(before.value), "{text}");
        }
    }

    #[test]
    fn every_unit_of_a_field_can_be_written() {
        fn units(fields: &'static [Field], to: &mut std::collections::BTreeSet<&'static str>) {
            for field in fields {
                to.extend(field.unit());
                match field.form.type_ {
                    Type::Record(inner) => units(inner, to),
                    Type::List(item) => {
                        if let Type::Record(inner) = item.type_ {
                            units(inner, to);
                        }
                    }
                    _ => {}
                }
            }
        }
        let mut all = std::collections::BTreeSet::new();
        Kind::ALL.iter().for_each(|kind| units(kind.shape().fields, &mut all));
        for unit in all {
            assert!(WRITTEN.iter().any(|(of, _)| *of == unit), "{unit}");
        }
    }
}
