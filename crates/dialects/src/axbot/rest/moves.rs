//! Drives as they are asked for.

use latimer_core::model::Destination;
use latimer_core::model::signal::{Navigation, NavigationKind};
use serde_json::Value;

use super::fields::{FieldError, Fields, needed};
use super::problem::Problem;

/// How often a robot tries to meet its charger if nobody says.
const CHARGE_RETRIES: u32 = 3;
/// Most points of a route.
const MAX_POINTS: usize = 10_000;
/// Two lines that end so near to each other are the same, metres.
const SAME_END_M: f64 = 0.1;
/// Longest word or text of a request that is kept, bytes.
const MAX_TEXT: usize = 256;

/// What a drive is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveType {
    /// To a pose.
    Standard,
    /// To the charger.
    Charge,
    /// Along a line.
    AlongGivenRoute,
    /// Beneath a rack.
    AlignWithRack,
    /// To where a rack is put down.
    ToUnloadPoint,
    /// Into a lift.
    EnterElevator,
    /// Back to where it waits for a lift.
    ReturnToElevator,
    /// After somebody.
    FollowTarget,
}

impl MoveType {
    /// Every type that a robot here can be asked for.
    pub const ALL: [Self; 8] = [
        Self::Standard,
        Self::Charge,
        Self::AlongGivenRoute,
        Self::AlignWithRack,
        Self::ToUnloadPoint,
        Self::EnterElevator,
        Self::ReturnToElevator,
        Self::FollowTarget,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Charge => "charge",
            Self::AlongGivenRoute => "along_given_route",
            Self::AlignWithRack => "align_with_rack",
            Self::ToUnloadPoint => "to_unload_point",
            Self::EnterElevator => "enter_elevator",
            Self::ReturnToElevator => "return_to_elevator_waiting_point",
            Self::FollowTarget => "follow_target",
        }
    }

    /// Whether it goes along a line or after somebody.
    pub const fn follows(self) -> bool {
        matches!(self, Self::AlongGivenRoute | Self::FollowTarget)
    }

    /// Whether it has to do with lifts.
    pub const fn rides(self) -> bool {
        matches!(self, Self::EnterElevator | Self::ReturnToElevator)
    }

    /// Whether only robots with a jack can do it.
    pub const fn needs_jack(self) -> bool {
        matches!(self, Self::AlignWithRack | Self::ToUnloadPoint)
    }
}

/// A drive that somebody asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveRequest {
    /// Who asks.
    pub creator: Option<String>,
    /// What for.
    pub kind: MoveType,
    /// Where to, as it was asked: x, y, z in metres.
    pub target_m: [Option<f64>; 3],
    /// How to stand there.
    pub target_ori_rad: Option<f64>,
    /// How near is near enough.
    pub accuracy_m: Option<f64>,
    /// Whether that alone counts.
    pub use_target_zone: Option<bool>,
    /// Whether it was asked for in the words of old apps.
    pub is_charging: Option<bool>,
    /// How often to try again to meet the charger.
    pub charge_retry_count: u32,
    /// The line to follow, as it was asked.
    pub route_coordinates: Option<String>,
    /// How far it may leave the line.
    pub detour_tolerance_m: Option<f64>,
    /// The area of racks, by its id on the map.
    pub rack_area_id: Option<String>,
    /// What else was asked.
    pub properties: Option<Value>,
    /// Where to, as robots of all families understand it.
    pub destination: Destination,
}

impl MoveRequest {
    /// Whether a drive that a robot tells of is certainly another one: of its own, along a line or to its charger, which this one
    /// is not, or along another line.
    pub fn contradicts(&self, navigation: &Navigation) -> bool {
        match (navigation.kind, self.kind) {
            (NavigationKind::Route, MoveType::AlongGivenRoute) => {
                let Destination::Route { points_m, .. } = &self.destination else { return false };
                let ends = points_m.last().zip(navigation.target.as_ref());
                ends.is_some_and(|([x_m, y_m], end)| (x_m - end.x_m).hypot(y_m - end.y_m) > SAME_END_M)
            }
            (NavigationKind::Charge, MoveType::Charge) => false,
            (kind, _) => matches!(kind, NavigationKind::Route | NavigationKind::Charge),
        }
    }

    /// Reads what was asked; `possible` are the types that the robot can do.
    pub fn read(fields: &Fields, possible: &[MoveType]) -> Result<Self, Problem> {
        let is_charging = fields.boolean("is_charging")?;
        let kind = kind(fields, is_charging == Some(true), possible)?;
        let target_m = [fields.number("target_x")?, fields.number("target_y")?, fields.number("target_z")?];
        let target_ori_rad = fields.number("target_ori")?;
        let accuracy_m = fields.number("target_accuracy")?;
        if let Some(below) = accuracy_m.filter(|it| *it < 0.0) {
            return Err(
                FieldError::new("target_accuracy", format!("is {below}; give metres, 0 or more")).into()
            );
        }
        let retries = fields.integer("charge_retry_count")?;
        let charge_retry_count = match retries.map(u32::try_from) {
            None => CHARGE_RETRIES,
            Some(Ok(count)) => count,
            Some(Err(_)) => return Err(FieldError::new("charge_retry_count", "is no small number").into()),
        };
        let route_coordinates = fields.text("route_coordinates")?;
        let detour_tolerance_m = fields.number("detour_tolerance")?;
        let rack_area_id = fields.text("rack_area_id")?.filter(|id| !id.is_empty());
        if rack_area_id.is_some() && !kind.needs_jack() {
            let problem = "is of moves of type align_with_rack and to_unload_point; leave it out";
            return Err(FieldError::new("rack_area_id", problem).into());
        }
        if rack_area_id.as_ref().is_some_and(|id| id.len() > MAX_TEXT) {
            return Err(FieldError::new("rack_area_id", format!("is longer than {MAX_TEXT} bytes")).into());
        }
        let point = || -> Result<[f64; 2], FieldError> {
            Ok([needed("target_x", target_m[0])?, needed("target_y", target_m[1])?])
        };
        let pose = || -> Result<[f64; 3], FieldError> {
            let [x_m, y_m] = point()?;
            Ok([x_m, y_m, needed("target_ori", target_ori_rad)?])
        };
        let destination = match kind {
            MoveType::Standard => {
                let [x_m, y_m] = point()?;
                Destination::Point { x_m, y_m, yaw_rad: target_ori_rad }
            }
            MoveType::EnterElevator => {
                let [x_m, y_m] = point()?;
                Destination::EnterLift { x_m, y_m, yaw_rad: target_ori_rad }
            }
            MoveType::ReturnToElevator => {
                let [x_m, y_m] = point()?;
                Destination::AwaitLift { x_m, y_m, yaw_rad: target_ori_rad }
            }
            MoveType::Charge => {
                let pose = if target_m[0].is_some() || target_m[1].is_some() { Some(pose()?) } else { None };
                Destination::Charger { pose, retries: charge_retry_count }
            }
            MoveType::AlongGivenRoute => {
                let text = needed("route_coordinates", route_coordinates.as_deref())?;
                let detour_m = detour_tolerance_m.unwrap_or_default().max(0.0);
                Destination::Route { points_m: route(text)?, detour_m }
            }
            MoveType::AlignWithRack => match &rack_area_id {
                Some(id) => Destination::RackOfArea(id.clone()),
                None => Destination::Rack { pose: pose()? },
            },
            MoveType::ToUnloadPoint => match &rack_area_id {
                Some(id) => Destination::UnloadInArea(id.clone()),
                None => Destination::Unload { pose: pose()? },
            },
            MoveType::FollowTarget => Destination::Target,
        };
        Ok(Self {
            creator: fields.text("creator")?.map(|it| it.chars().take(MAX_TEXT).collect()),
            kind,
            target_m,
            target_ori_rad,
            accuracy_m,
            use_target_zone: fields.boolean("use_target_zone")?,
            is_charging,
            charge_retry_count,
            route_coordinates,
            detour_tolerance_m,
            rack_area_id,
            properties: fields.value("properties").filter(|it| it.to_string().len() <= MAX_TEXT).cloned(),
            destination,
        })
    }
}

fn kind(fields: &Fields, is_charging: bool, possible: &[MoveType]) -> Result<MoveType, Problem> {
    let word = fields.text("type")?.filter(|word| !word.is_empty());
    let kind = match word.as_deref() {
        None if is_charging => Some(MoveType::Charge),
        None | Some("none") => Some(MoveType::Standard),
        Some(word) => MoveType::ALL.into_iter().find(|it| it.as_str() == word),
    };
    if let Some(kind) = kind.filter(|kind| possible.contains(kind)) {
        return Ok(kind);
    }
    let asked: String = match kind {
        Some(kind) => kind.as_str().into(),
        // Robots take it, and give it up as MoveActionTypeDeprecated.
        None if word.as_deref() == Some("leave_elevator") => {
            let text =
                "moves of type leave_elevator are deprecated (1004): leave a lift by a move of type standard";
            return Err(Problem::Bad(text.into()));
        }
        None => word.unwrap_or_default().chars().take(80).collect(),
    };
    let words: Vec<&str> = possible.iter().map(|it| it.as_str()).collect();
    let possible = if words.is_empty() { "none".to_owned() } else { words.join(", ") };
    Err(Problem::Bad(format!("this robot cannot do moves of type {asked:?}; it can do: {possible}")))
}

/// `x1, y1, x2, y2`
fn route(text: &str) -> Result<Vec<[f64; 2]>, FieldError> {
    let error = |problem: String| FieldError::new("route_coordinates", problem);
    let numbers = text.split(',').map(str::trim).filter(|it| !it.is_empty()).map(|word| {
        let number = word.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| {
            error(format!("holds {:?}, which is no number", word.chars().take(40).collect::<String>()))
        })
    });
    let numbers = numbers.take(2 * MAX_POINTS + 1).collect::<Result<Vec<_>, _>>()?;
    if numbers.len() > 2 * MAX_POINTS {
        return Err(error(format!("has more than {MAX_POINTS} points")));
    }
    if numbers.len() < 4 || numbers.len() % 2 == 1 {
        let count = numbers.len();
        return Err(error(format!(
            "has {count} numbers; write x and y of two points or more, \"x1, y1, x2, y2\""
        )));
    }
    Ok(numbers.chunks_exact(2).filter_map(|pair| Some([*pair.first()?, *pair.get(1)?])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<MoveRequest, Problem> {
        MoveRequest::read(&Fields::read(body.as_bytes()).unwrap(), &MoveType::ALL)
    }

    fn problem(body: &str) -> String {
        read(body).unwrap_err().to_string()
    }

    #[test]
    fn a_move_without_a_type_is_a_standard_one() {
        let request =
            read(r#"{"target_x": 1, "target_y": "2.5", "target_ori": null, "target_accuracy": 0.2}"#);
        let request = request.unwrap();
        assert_eq!(request.kind, MoveType::Standard);
        assert_eq!(request.destination, Destination::Point { x_m: 1.0, y_m: 2.5, yaw_rad: None });
        assert_eq!((request.creator, request.accuracy_m), (None, Some(0.2)));
    }

    #[test]
    fn charging_needs_no_target_and_has_an_old_form() {
        let nearest = Destination::Charger { pose: None, retries: 3 };
        assert_eq!(read(r#"{"type": "charge"}"#).unwrap().destination, nearest);
        assert_eq!(read(r#"{"is_charging": true}"#).unwrap().destination, nearest);
        let reported = read(
            r#"{"type": "charge", "target_x": 1, "target_y": 2, "target_ori": 3, "charge_retry_count": 5}"#,
        );
        let pose = Some([1.0, 2.0, 3.0]);
        assert_eq!(reported.unwrap().destination, Destination::Charger { pose, retries: 5 });
        assert!(problem(r#"{"type": "charge", "target_x": 1}"#).contains("target_y"));
    }

    #[test]
    fn routes_are_numbers_with_commas() {
        let route = |coordinates: &str, more: &str| {
            read(&format!(r#"{{"type": "along_given_route", "route_coordinates": "{coordinates}"{more}}}"#))
        };
        assert_eq!(
            route("1, 2,3,4", r#", "detour_tolerance": 0.5"#).unwrap().destination,
            Destination::Route { points_m: vec![[1.0, 2.0], [3.0, 4.0]], detour_m: 0.5 }
        );
        for (coordinates, words) in
            [("1,2,3", "3 numbers"), ("1,2", "2 numbers"), ("1,x,2,3", "\"x\""), ("", "0 numbers")]
        {
            let reported = route(coordinates, "").unwrap_err().to_string();
            assert!(reported.contains("route_coordinates") && reported.contains(words), "{reported}");
        }
        assert!(problem(r#"{"type": "along_given_route"}"#).contains("\"route_coordinates\" is required"));
    }

    #[test]
    fn racks_are_at_poses() {
        let rack = read(r#"{"type": "align_with_rack", "target_x": 1, "target_y": 2, "target_ori": 0}"#);
        assert_eq!(rack.unwrap().destination, Destination::Rack { pose: [1.0, 2.0, 0.0] });
        let unload = read(r#"{"type": "to_unload_point", "target_x": 1, "target_y": 2, "target_ori": 0}"#);
        assert_eq!(unload.unwrap().destination, Destination::Unload { pose: [1.0, 2.0, 0.0] });
    }

    #[test]
    fn lifts_are_entered_at_a_point() {
        let enter =
            read(r#"{"type": "enter_elevator", "target_x": 4.08, "target_y": 2.99, "target_ori": 0}"#);
        let there = Destination::EnterLift { x_m: 4.08, y_m: 2.99, yaw_rad: Some(0.0) };
        assert_eq!(enter.unwrap().destination, there);
        let back = read(r#"{"type": "return_to_elevator_waiting_point", "target_x": 1, "target_y": 2}"#);
        assert_eq!(back.unwrap().destination, Destination::AwaitLift { x_m: 1.0, y_m: 2.0, yaw_rad: None });
        assert!(problem(r#"{"type": "enter_elevator"}"#).contains("target_x"));
    }

    #[test]
    fn racks_are_in_areas() {
        let of = |kind: &str| read(&format!(r#"{{"type": "{kind}", "rack_area_id": "a"}}"#));
        assert_eq!(of("align_with_rack").unwrap().destination, Destination::RackOfArea("a".into()));
        assert_eq!(of("to_unload_point").unwrap().destination, Destination::UnloadInArea("a".into()));
        assert!(of("charge").unwrap_err().to_string().contains("rack_area_id"));
        // An empty one is none.
        assert!(problem(r#"{"type": "align_with_rack", "rack_area_id": ""}"#).contains("target_x"));
        let long = format!(r#"{{"type": "align_with_rack", "rack_area_id": "{}"}}"#, "a".repeat(257));
        assert!(problem(&long).contains("256 bytes"));
    }

    #[test]
    fn what_cannot_be_done_is_reported_with_what_can() {
        assert!(problem(r#"{"type": "leave_elevator"}"#).contains("type standard"));
        let reported = problem(r#"{"type": "pull_over"}"#);
        assert!(reported.contains("\"pull_over\"") && reported.contains("standard, charge"), "{reported}");
        let fields = Fields::read(b"{\"type\": \"align_with_rack\"}").unwrap();
        let reported = MoveRequest::read(&fields, &[MoveType::Standard]).unwrap_err().to_string();
        assert!(reported.ends_with("it can do: standard"), "{reported}");
        let reported = MoveRequest::read(&fields, &[]).unwrap_err().to_string();
        assert!(reported.ends_with("it can do: none"), "{reported}");
    }

    #[test]
    fn mistakes_name_their_field() {
        assert!(problem("{}").contains("\"target_x\" is required"));
        assert!(problem(r#"{"target_x": "a"}"#).contains("\"target_x\" is no number"));
        assert!(problem(r#"{"target_accuracy": -1}"#).contains("target_accuracy"));
        assert!(problem(r#"{"charge_retry_count": -1}"#).contains("charge_retry_count"));
    }
}
