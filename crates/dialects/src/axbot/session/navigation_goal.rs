//! Drives as the bodies of `POST /chassis/moves`; no I/O.

use latimer_core::model::signal::{FeatureKind, Frame, MapFeature};
use latimer_core::model::{Destination, NavigationGoal, Refusal};
use serde_json::{Map, Value as Json, json};

/// The name of the asker that the robot gets.
const CREATOR: &str = "latimer";

/// How many names a refusal lists.
const LISTED: usize = 12;

/// How often a charger is tried again when a place turns out to be one.
const CHARGE_RETRIES: u32 = 3;

/// The body for a navigation goal.
pub(super) fn body_from_goal(goal: &NavigationGoal, marks: &[MapFeature]) -> Result<Json, Refusal> {
    let mut body = Map::new();
    body.insert("creator".into(), CREATOR.into());
    go_to(&mut body, &goal.destination, marks)?;
    if let Some(accuracy_m) = goal.accuracy_m {
        number(&mut body, "target_accuracy", accuracy_m)?;
    }
    if goal.zone {
        body.insert("use_target_zone".into(), true.into());
    }
    Ok(Json::Object(body))
}

fn go_to(
    body: &mut Map<String, Json>,
    destination: &Destination,
    marks: &[MapFeature],
) -> Result<(), Refusal> {
    let of_kind = |body: &mut Map<String, Json>, kind: &str| body.insert("type".into(), kind.into());
    match destination {
        Destination::Point { x_m, y_m, yaw_rad } => {
            of_kind(body, "standard");
            target(body, [*x_m, *y_m], *yaw_rad)
        }
        Destination::EnterLift { x_m, y_m, yaw_rad } => {
            of_kind(body, "enter_elevator");
            target(body, [*x_m, *y_m], *yaw_rad)
        }
        Destination::AwaitLift { x_m, y_m, yaw_rad } => {
            of_kind(body, "return_to_elevator_waiting_point");
            target(body, [*x_m, *y_m], *yaw_rad)
        }
        Destination::Place(name) => {
            let place = destination_of_place(name, marks)?;
            go_to(body, &place, &[])
        }
        Destination::Charger { pose, retries } => {
            of_kind(body, "charge");
            body.insert("charge_retry_count".into(), json!(retries));
            match pose {
                Some([x_m, y_m, yaw_rad]) => target(body, [*x_m, *y_m], Some(*yaw_rad)),
                None => Ok(()),
            }
        }
        Destination::Route { points_m, detour_m } => {
            of_kind(body, "along_given_route");
            if points_m.is_empty() {
                return Err(Refusal::bad_argument("the route has no points; give one or more"));
            }
            if points_m.iter().flatten().any(|it| !it.is_finite()) {
                let reason = "a point of the route is no place; give finite numbers";
                return Err(Refusal::bad_argument(reason));
            }
            let coordinates: Vec<String> = points_m.iter().flatten().map(f64::to_string).collect();
            body.insert("route_coordinates".into(), coordinates.join(",").into());
            number(body, "detour_tolerance", *detour_m)
        }
        Destination::Rack { pose: [x_m, y_m, yaw_rad] } => {
            of_kind(body, "align_with_rack");
            target(body, [*x_m, *y_m], Some(*yaw_rad))
        }
        Destination::RackOfArea(id) => {
            of_kind(body, "align_with_rack");
            body.insert("rack_area_id".into(), id.as_str().into());
            Ok(())
        }
        Destination::UnloadInArea(id) => {
            of_kind(body, "to_unload_point");
            body.insert("rack_area_id".into(), id.as_str().into());
            Ok(())
        }
        Destination::Unload { pose: [x_m, y_m, yaw_rad] } => {
            of_kind(body, "to_unload_point");
            target(body, [*x_m, *y_m], Some(*yaw_rad))
        }
        Destination::Target => {
            of_kind(body, "follow_target");
            Ok(())
        }
    }
}

fn target(body: &mut Map<String, Json>, [x_m, y_m]: [f64; 2], yaw_rad: Option<f64>) -> Result<(), Refusal> {
    number(body, "target_x", x_m)?;
    number(body, "target_y", y_m)?;
    yaw_rad.map_or(Ok(()), |yaw_rad| number(body, "target_ori", yaw_rad))
}

fn number(body: &mut Map<String, Json>, name: &str, value: f64) -> Result<(), Refusal> {
    let infinite = || Refusal::bad_argument(format!("{name} is no finite number"));
    let number = serde_json::Number::from_f64(value).ok_or_else(infinite)?;
    body.insert(name.into(), Json::Number(number));
    Ok(())
}

/// Where a place is, by what is marked on the map.
fn destination_of_place(name: &str, marks: &[MapFeature]) -> Result<Destination, Refusal> {
    let points = || marks.iter().filter(|mark| mark.pose.as_ref().is_some_and(|it| it.frame == Frame::Map));
    let named = points().filter(|mark| mark.name.as_deref() == Some(name));
    // Codes and poles are named too, by what is read off them.
    let found = named.min_by_key(|mark| match mark.kind {
        FeatureKind::Place => 0,
        FeatureKind::Charger | FeatureKind::RackPoint => 1,
        _ => 2,
    });
    let Some((mark, pose)) = found.and_then(|mark| Some((mark, mark.pose.as_ref()?))) else {
        let names: Vec<&str> = points().filter_map(|mark| mark.name.as_deref()).take(LISTED).collect();
        return Err(Refusal::bad_argument(match names.as_slice() {
            [] => format!("there is no place {name}: nothing on the robot's map has a name"),
            names => format!("there is no place {name} on the robot's map; there are: {}", names.join(", ")),
        }));
    };
    let (x_m, y_m, yaw_rad) = (pose.x_m, pose.y_m, pose.yaw_rad);
    Ok(match mark.kind {
        FeatureKind::Charger => {
            Destination::Charger { pose: Some([x_m, y_m, yaw_rad]), retries: CHARGE_RETRIES }
        }
        _ => Destination::Point { x_m, y_m, yaw_rad: Some(yaw_rad) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use latimer_core::model::signal::Pose;

    fn body(destination: Destination) -> Result<Json, Refusal> {
        let mark = |kind, name: &str, x_m| MapFeature {
            kind,
            id: None,
            name: Some(name.into()),
            pose: Some(Pose::planar(Frame::Map, x_m, 2.0, 0.5)),
            points_m: Vec::new(),
            mac: None,
        };
        let marks = [
            mark(FeatureKind::Barcode, "Hall", 9.0),
            mark(FeatureKind::Place, "Hall", 1.0),
            mark(FeatureKind::Charger, "Dock", 3.0),
        ];
        body_from_goal(
            &NavigationGoal { id: Some(3), destination, accuracy_m: Some(0.1), zone: false },
            &marks,
        )
    }

    #[test]
    fn each_destination_has_its_body() {
        let destinations = [
            Destination::Point { x_m: 1.5, y_m: -2.0, yaw_rad: None },
            Destination::Place("Hall".into()),
            Destination::Place("Dock".into()),
            Destination::Charger { pose: None, retries: 5 },
            Destination::Route { points_m: vec![[0.5, 1.0], [2.0, 3.25]], detour_m: 0.5 },
            Destination::Rack { pose: [1.0, 2.0, 0.0] },
            Destination::Unload { pose: [1.0, 2.0, 0.0] },
            Destination::RackOfArea("66b3".into()),
            Destination::UnloadInArea("66b3".into()),
            Destination::EnterLift { x_m: 4.08, y_m: 2.99, yaw_rad: Some(0.0) },
            Destination::AwaitLift { x_m: 1.0, y_m: 2.0, yaw_rad: None },
            Destination::Target,
        ];
        let bodies: Vec<String> =
            destinations.into_iter().map(|destination| body(destination).unwrap().to_string()).collect();
        insta::assert_snapshot!(bodies.join("\n"));
    }

    #[test]
    fn what_is_no_place_is_refused() {
        let problem = |destination| body(destination).unwrap_err().reason;
        assert!(problem(Destination::Place("Attic".into())).contains("there are: Hall, Hall, Dock"));
        assert!(problem(Destination::Route { points_m: vec![], detour_m: 0.0 }).contains("no points"));
        let nowhere = Destination::Point { x_m: f64::NAN, y_m: 0.0, yaw_rad: None };
        assert!(problem(nowhere).contains("target_x"));
    }
}
