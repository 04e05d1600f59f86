//! Driving by itself.

use latimer_core::model::{Destination as ModelDestination, NavigationGoal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::field::{InvalidField, not_blank};
use super::super::quantity::{Checked as _, NonNegative, Number, Radians, checked};

/// How often a charger is tried again, by default.
const DEFAULT_RETRIES: u32 = 3;

/// What to write where exactly one thing is wanted.
const ONE_DESTINATION: &str = "write one of `x_m` with `y_m`, `place`, `charger`, `route`, `rack`, `rack_area`, `unload`, `unload_area`, `lift`, `lift_wait`, `target`";

const fn retries() -> u32 {
    DEFAULT_RETRIES
}

/// Where something is on the map, and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pose {
    /// East of the map's origin.
    pub x_m: Number,
    /// North of the map's origin.
    pub y_m: Number,
    /// Counter-clockwise from +x.
    #[serde(default)]
    pub yaw_rad: Radians,
}

impl TryFrom<Pose> for [f64; 3] {
    type Error = InvalidField;

    fn try_from(given: Pose) -> Result<Self, InvalidField> {
        let Pose { x_m, y_m, yaw_rad } = given;
        Ok([checked!(x_m), checked!(y_m), checked!(yaw_rad)])
    }
}

/// A drive to somewhere.
#[derive(Clone, Debug, Default, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Navigate {
    /// Where to.
    pub to: Box<Destination>,
    /// The asker's number for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// How near is near enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy_m: Option<NonNegative>,
    /// It is there as soon as it is that near, however it is turned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub zone: bool,
}

/// Where to: exactly one of a point, a place, a charger, a route, a rack, a spot to unload, somebody.
#[derive(Clone, Debug, Default, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Destination {
    /// A point, east of the map's origin; with `y_m`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x_m: Option<Number>,
    /// The point, north of the map's origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y_m: Option<Number>,
    /// How to stand at the point; any way if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw_rad: Option<Radians>,
    /// A place that has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// A charger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charger: Option<Charger>,
    /// Along a line, point by point, each `[x, y]` in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<Vec<[Number; 2]>>,
    /// How far the route may be left to get around something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detour_m: Option<NonNegative>,
    /// Beneath a rack that stands about there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rack: Option<Pose>,
    /// Beneath the nearest rack of an area, by the area's id on the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rack_area: Option<String>,
    /// Into a lift, which the robot calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lift: Option<Spot>,
    /// Back to where the robot waits for a lift.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lift_wait: Option<Spot>,
    /// Where a rack shall be put down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unload: Option<Pose>,
    /// To a free place of an area of racks, by the area's id on the map, where a rack shall be put down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unload_area: Option<String>,
    /// After somebody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
}

/// A point on the map, and how to stand there; any way if not given.
#[derive(Clone, Copy, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spot {
    /// East of the map's origin.
    pub x_m: Number,
    /// North of the map's origin.
    pub y_m: Number,
    /// Counter-clockwise from +x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yaw_rad: Option<Radians>,
}

/// A charger: the nearest, or the one whose robots stand at a pose.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charger {
    /// Where its robots stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose: Option<Pose>,
    /// How often to try again.
    #[serde(default = "retries")]
    pub retries: u32,
}

impl Default for Charger {
    fn default() -> Self {
        Self { pose: None, retries: DEFAULT_RETRIES }
    }
}

/// The person that `follow` reports; the nearest one without a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {}

impl TryFrom<Navigate> for NavigationGoal {
    type Error = InvalidField;

    fn try_from(navigate: Navigate) -> Result<Self, InvalidField> {
        let Navigate { to, id, accuracy_m, zone } = navigate;
        Ok(Self { id, accuracy_m: checked!(accuracy_m), zone, destination: (*to).try_into()? })
    }
}

impl TryFrom<Destination> for ModelDestination {
    type Error = InvalidField;

    fn try_from(to: Destination) -> Result<Self, InvalidField> {
        let Destination {
            x_m,
            y_m,
            yaw_rad,
            place,
            charger,
            route,
            detour_m,
            rack,
            rack_area,
            unload,
            unload_area,
            lift,
            lift_wait,
            target,
        } = to;
        let point = position(x_m, y_m)?;
        let mut wanted = [
            point.map(|[x_m, y_m]| Ok(Self::Point { x_m, y_m, yaw_rad: checked!(yaw_rad) })),
            place.map(|name| not_blank("place", name).map(Self::Place)),
            charger.map(|Charger { pose, retries }| {
                Ok(Self::Charger { pose: pose.map(TryInto::try_into).transpose()?, retries })
            }),
            route.map(|points| route_from_points(points, detour_m)),
            rack.map(|pose| Ok(Self::Rack { pose: pose.try_into()? })),
            lift.map(|Spot { x_m, y_m, yaw_rad }| {
                Ok(Self::EnterLift { x_m: checked!(x_m), y_m: checked!(y_m), yaw_rad: checked!(yaw_rad) })
            }),
            lift_wait.map(|Spot { x_m, y_m, yaw_rad }| {
                Ok(Self::AwaitLift { x_m: checked!(x_m), y_m: checked!(y_m), yaw_rad: checked!(yaw_rad) })
            }),
            rack_area.map(|id| not_blank("rack_area", id).map(Self::RackOfArea)),
            unload_area.map(|id| not_blank("unload_area", id).map(Self::UnloadInArea)),
            unload.map(|pose| Ok(Self::Unload { pose: pose.try_into()? })),
            target.map(|Target {}| Ok(Self::Target)),
        ]
        .into_iter()
        .flatten();
        let destination = match (wanted.next(), wanted.next()) {
            (Some(destination), None) => destination?,
            (None, _) => return Err(InvalidField::new("to", "says nowhere to go", ONE_DESTINATION)),
            (Some(_), Some(_)) => {
                return Err(InvalidField::new("to", "says several ways to go", ONE_DESTINATION));
            }
        };
        if yaw_rad.is_some() && !matches!(destination, Self::Point { .. }) {
            return Err(InvalidField::new("yaw_rad", "belongs to a point", "write it with `x_m` and `y_m`"));
        }
        if detour_m.is_some() && !matches!(destination, Self::Route { .. }) {
            return Err(InvalidField::new("detour_m", "belongs to a route", "write it with `route`"));
        }
        Ok(destination)
    }
}

fn route_from_points(
    route: Vec<[Number; 2]>,
    detour_m: Option<NonNegative>,
) -> Result<ModelDestination, InvalidField> {
    if route.is_empty() {
        return Err(InvalidField::new("route", "has no points", "write such as [[1.0, 2.0], [3.0, 2.0]]"));
    }
    let points = route.into_iter().map(|[x, y]| Ok([x.checked("route")?, y.checked("route")?]));
    Ok(ModelDestination::Route {
        points_m: points.collect::<Result<_, InvalidField>>()?,
        detour_m: checked!(detour_m).unwrap_or(0.0),
    })
}

/// Both coordinates of a point, or neither.
fn position(x_m: Option<Number>, y_m: Option<Number>) -> Result<Option<[f64; 2]>, InvalidField> {
    match (x_m, y_m) {
        (Some(x_m), Some(y_m)) => Ok(Some([checked!(x_m), checked!(y_m)])),
        (None, None) => Ok(None),
        (Some(_), None) => Err(InvalidField::new("y_m", "is missing", "write both `x_m` and `y_m`")),
        (None, Some(_)) => Err(InvalidField::new("x_m", "is missing", "write both `x_m` and `y_m`")),
    }
}
