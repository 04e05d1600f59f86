//! What a robot that does no tasks makes of one: it drives where it is sent, and says of anything else that it does not
//! know it, or what is missing.
//!
//! | task | a robot that finds its way | any other |
//! |---|---|---|
//! | `goto` with `to` | drives there; `missing_info` of `to` if there is no such place | `unkown` |
//! | `goto` without | `missing_info` of `to` | `unkown` |
//! | `bring` without `object` | `missing_info` of `object` | the same |
//! | anything else | `unkown` | the same |

use latimer_core::model::signal::{Task, TaskState};
use latimer_core::model::{Destination, TaskRequest, is_same_name};

use super::drives::GOTO;

/// What to do about a task.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Plan {
    /// Say this.
    Say(Box<Task>),
    /// Drive there, by this name.
    Drive(Destination, String),
}

/// Where a robot could be sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ways {
    /// Whether it finds its way at all.
    pub(super) navigates: bool,
    /// The places that it knows by name.
    pub(super) places: Vec<String>,
    /// Other places of the world that it is in, by name: x and y on the map, in metres.
    pub(super) points: Vec<(String, [f64; 2])>,
}

/// What a robot that does no tasks makes of one.
pub(super) fn plan(task: &TaskRequest, ways: &Ways) -> Plan {
    let publish = |state| Box::new(Task::new(&*task.id, &*task.kind, state));
    let lacks = |name: &str| {
        Plan::Say(Box::new(Task { missing: vec![name.to_owned()], ..*publish(TaskState::MissingInfo) }))
    };
    match task.kind.as_str() {
        GOTO if ways.navigates => match task.parameter("to") {
            None => lacks("to"),
            Some(to) => drive(to, ways).unwrap_or_else(|| lacks("to")),
        },
        "bring" if task.parameter("object").is_none() => lacks("object"),
        _ => Plan::Say(publish(TaskState::Unknown)),
    }
}

/// A place by its name, however it is written, or a point as `x, y`.
fn drive(to: &str, ways: &Ways) -> Option<Plan> {
    let same = |name: &str| is_same_name(name, to);
    if let Some(place) = ways.places.iter().find(|it| same(it)) {
        return Some(Plan::Drive(Destination::Place(place.clone()), place.clone()));
    }
    let point = |[x_m, y_m]: [f64; 2]| Destination::Point { x_m, y_m, yaw_rad: None };
    if let Some((place, at_m)) = ways.points.iter().find(|(name, _)| same(name)) {
        return Some(Plan::Drive(point(*at_m), place.clone()));
    }
    let (x, y) = to.split_once(',')?;
    let number = |text: &str| text.trim().parse().ok().filter(|it: &f64| it.is_finite());
    Some(Plan::Drive(point([number(x)?, number(y)?]), to.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(kind: &str, parameters: &[(&str, &str)], navigates: bool) -> Plan {
        let parameters = parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let (id, kind) = ("T".to_owned(), kind.to_owned());
        let ways = Ways {
            navigates,
            places: vec!["Sofa".to_owned()],
            points: vec![("Küche".to_owned(), [1.0, 2.0])],
        };
        plan(&TaskRequest { id, kind, parameters, asker: None, priority: 3 }, &ways)
    }

    fn sent(kind: &str, parameters: &[(&str, &str)], navigates: bool) -> (TaskState, Vec<String>) {
        match planned(kind, parameters, navigates) {
            Plan::Say(task) => (task.state, task.missing),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn it_drives_where_it_is_sent() {
        let to = |to: &str| planned("goto", &[("to", to)], true);
        let point = |x_m, y_m| Destination::Point { x_m, y_m, yaw_rad: None };
        assert_eq!(to("sofa"), Plan::Drive(Destination::Place("Sofa".into()), "Sofa".into()));
        assert_eq!(to("kueche"), Plan::Drive(point(1.0, 2.0), "Küche".into()));
        assert_eq!(to("0.5, -2"), Plan::Drive(point(0.5, -2.0), "0.5, -2".into()));
    }

    #[test]
    fn it_is_never_silent() {
        let missing = |name: &str| (TaskState::MissingInfo, vec![name.to_owned()]);
        let unknown = (TaskState::Unknown, Vec::new());
        assert_eq!(sent("goto", &[], true), missing("to"));
        assert_eq!(sent("goto", &[("to", "moon")], true), missing("to"));
        assert_eq!(sent("goto", &[("to", "nan, 1")], true), missing("to"));
        assert_eq!(sent("goto", &[("to", "Sofa")], false), unknown);
        for navigates in [true, false] {
            assert_eq!(sent("bring", &[("to", "user")], navigates), missing("object"));
            assert_eq!(sent("bring", &[("object", "coke")], navigates), unknown);
            for kind in ["clean", "memorize", "greet", "lfd", ""] {
                assert_eq!(sent(kind, &[], navigates), unknown);
            }
        }
    }
}
