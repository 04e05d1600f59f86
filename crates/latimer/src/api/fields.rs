//! What a path to a field leads to, in whichever kinds have it; if nothing, the nearest right word.

use latimer_core::model::shape::{Field, Type, ValueType};
use latimer_core::model::{Kind, Path};

use super::Rejection;
use latimer_wire::words::advice;

/// Names that stand for the address of an update rather than for a field.
const ADDRESS_FIELDS: [&str; 3] = ["robot", "part", "kind"];

/// What a path leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathTarget {
    /// What may stand there.
    pub form: ValueType,
    /// The unit of its numbers.
    pub unit: Option<&'static str>,
}

/// Where a path ends in nothing.
#[derive(Debug)]
struct Nowhere {
    /// How many names lead somewhere.
    depth: usize,
    /// What could stand in place of the next.
    known: Known,
}

#[derive(Debug)]
enum Known {
    /// One of these names.
    Fields(&'static [Field]),
    /// A number.
    Index,
}

/// What a path leads to, one place or more: `range.distance_m`, or `distance_m` of each kind that has it.
pub(super) fn resolve(name: &'static str, path: &Path) -> Result<Vec<PathTarget>, Rejection> {
    let segments = path.segments();
    let Some((first, rest)) = segments.split_first() else { return Ok(Vec::new()) };
    if let Some(kind) = Kind::from_word(first).filter(|_| !rest.is_empty()) {
        let place = below(kind.shape().fields, rest, 0).map_err(|it| refused(name, segments, 1, &it))?;
        return Ok(vec![place]);
    }
    if rest.is_empty() && ADDRESS_FIELDS.iter().any(|word| word.eq_ignore_ascii_case(first)) {
        return Ok(vec![PathTarget { form: ValueType::of(Type::Text), unit: None }]);
    }
    let mut places = Vec::new();
    let mut farthest: Option<Nowhere> = None;
    for kind in Kind::ALL {
        match below(kind.shape().fields, segments, 0) {
            Ok(place) => places.push(place),
            Err(it) if it.depth >= farthest.as_ref().map_or(1, |best| best.depth + 1) => farthest = Some(it),
            Err(_) => {}
        }
    }
    if !places.is_empty() {
        return Ok(places);
    }
    Err(match farthest {
        Some(it) => refused(name, segments, 0, &it),
        None => unknown_field(name, first),
    })
}

/// Follows names down from the fields of a record.
fn below(fields: &'static [Field], path: &[Box<str>], depth: usize) -> Result<PathTarget, Nowhere> {
    let nothing = Nowhere { depth, known: Known::Fields(fields) };
    let Some((first, rest)) = path.split_first() else { return Err(nothing) };
    let field = fields.iter().find(|field| field.name.eq_ignore_ascii_case(first)).ok_or(nothing)?;
    let unit = match field.form.type_ {
        Type::Duration => Some("s"),
        _ => field.unit(),
    };
    inside(PathTarget { form: field.form, unit }, rest, depth + 1)
}

fn inside(place: PathTarget, path: &[Box<str>], depth: usize) -> Result<PathTarget, Nowhere> {
    let Some((first, rest)) = path.split_first() else { return Ok(place) };
    match place.form.type_ {
        Type::Any => Ok(PathTarget { unit: None, ..place }),
        Type::Record(fields) => below(fields, path, depth),
        Type::List(item) if first.parse::<usize>().is_ok() => {
            inside(PathTarget { form: *item, ..place }, rest, depth + 1)
        }
        Type::List(_) => Err(Nowhere { depth, known: Known::Index }),
        _ => Err(Nowhere { depth, known: Known::Fields(&[]) }),
    }
}

fn refused(name: &'static str, path: &[Box<str>], skipped: usize, it: &Nowhere) -> Rejection {
    let (found, missing) = path.split_at((skipped + it.depth).min(path.len()));
    let (found, missing) = (found.join("."), missing.first().map_or("", |word| &**word));
    let (what, advice) = match it.known {
        Known::Fields([]) => (format!("nothing is below {found}"), format!("write {found} alone")),
        Known::Fields(fields) => (
            format!("{found} has no field {missing}"),
            advice(missing, fields.iter().map(|field| field.name)),
        ),
        Known::Index => (
            format!("{found} is a list; {missing} is no number"),
            format!("write {found}.0 for its first item"),
        ),
    };
    Rejection::bad(what).at(name).advice(advice)
}

/// Not even the first name is one.
fn unknown_field(name: &'static str, first: &str) -> Rejection {
    if let Some(kind) = Kind::from_word(first) {
        let fields = kind.shape().fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ");
        return Rejection::bad(format!("{kind} is a kind; one of its fields is needed"))
            .at(name)
            .advice(format!("write {kind}. and one of: {fields}"));
    }
    let fields = Kind::ALL.iter().flat_map(|kind| kind.fields().iter().copied());
    let mut known: Vec<&'static str> = fields.chain(Kind::ALL.iter().map(|kind| kind.as_str())).collect();
    known.extend(ADDRESS_FIELDS);
    known.sort_unstable();
    known.dedup();
    Rejection::bad(format!("there is no field or kind {first}")).at(name).advice(advice(first, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_paths_are_checked() {
        let check = |text: &str| resolve("pick", &text.parse().unwrap());
        for good in [
            "imu.orientation.yaw_rad",
            "Orientation.Yaw_Rad",
            "imu.orientation",
            "path.points_m.0.1",
            "hazard.items.0.part",
            "scan.ranges_m.7",
            "text.data.anything.3.below",
            "data.anything",
            "robot",
            "kind",
        ] {
            assert!(check(good).is_ok(), "{good}");
        }
        for (bad, what, hint) in [
            ("imu.orientation.bogus", "imu.orientation has no field bogus", "there are: pitch_rad, roll_rad"),
            ("orientation.yaw_rd", "orientation has no field yaw_rd", "`yaw_rad`"),
            ("imu.orientaton.yaw_rad", "imu has no field orientaton", "`orientation`"),
            ("range.distance_m.x", "nothing is below range.distance_m", "range.distance_m alone"),
            ("hazard.items.part", "hazard.items is a list", "hazard.items.0"),
            ("path.points_m.0.x", "path.points_m.0 is a list", "path.points_m.0.0"),
            ("battery", "battery is a kind", "charge_ratio"),
            ("bttery.charge_ratio", "no field or kind bttery", "`battery`"),
            ("robot.name", "no field or kind robot", ""),
        ] {
            let rejection = check(bad).unwrap_err();
            let problem = rejection.problem();
            let advice = problem.advice.clone().unwrap_or_default();
            assert!(format!("{problem:?}").contains(what) && advice.contains(hint), "{bad}: {problem:?}");
        }
    }
}
