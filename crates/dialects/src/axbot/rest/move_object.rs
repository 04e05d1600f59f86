//! Drives as they are published.

use latimer_core::Timestamp;
use latimer_core::model::signal::{Navigation, NavigationKind, NavigationState};
use serde::Serialize;
use serde_json::Value;

use super::fail_reason::FailReason;
use super::moves::MoveRequest;

/// A drive, as `/chassis/moves/5` tells it. What only some drives have is left out of the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveObject {
    /// Its number.
    pub id: i64,
    /// Who asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creator: Option<String>,
    /// idle, moving, succeeded, failed or cancelled.
    pub state: &'static str,
    /// What it is for.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Where to, if it is a place.
    #[serde(flatten)]
    pub target: Option<Target>,
    /// Why it was given up.
    pub fail_reason: i64,
    /// The same as a name and words.
    pub fail_reason_str: String,
    /// The same for a person to read.
    pub fail_message: String,
    /// Unix time, seconds.
    pub create_time: i64,
    /// Unix time, seconds.
    pub last_modified_time: i64,
}

/// What the list leaves out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Target {
    /// Metres on the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_x: Option<f64>,
    /// Metres on the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_y: Option<f64>,
    /// Metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_z: Option<f64>,
    /// Radians.
    pub target_ori: Option<f64>,
    /// Metres.
    pub target_accuracy: Option<f64>,
    /// Whether being that near is enough.
    pub use_target_zone: Option<bool>,
    /// As old apps ask for the charger.
    pub is_charging: Option<bool>,
    /// How often to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charge_retry_count: Option<u32>,
    /// `x1, y1, x2, y2`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route_coordinates: Option<String>,
    /// Metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detour_tolerance: Option<f64>,
    /// The area of racks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rack_area_id: Option<String>,
    /// What else was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<Value>,
}

impl MoveObject {
    /// A drive that was asked for just now.
    pub fn asked(id: i64, request: &MoveRequest, now: Timestamp) -> Self {
        let [target_x, target_y, target_z] = request.target_m;
        let target = Target {
            target_x,
            target_y,
            target_z,
            target_ori: request.target_ori_rad,
            target_accuracy: request.accuracy_m,
            use_target_zone: request.use_target_zone,
            is_charging: request.is_charging,
            charge_retry_count: Some(request.charge_retry_count),
            route_coordinates: request.route_coordinates.clone(),
            detour_tolerance: request.detour_tolerance_m,
            rack_area_id: request.rack_area_id.clone(),
            properties: request.properties.clone(),
        };
        let creator = request.creator.clone();
        Self::new(id, creator, request.kind.as_str(), target, NavigationState::Moving, now)
    }

    /// A drive that somebody else asked for.
    pub fn incoming(navigation: &Navigation, now: Timestamp) -> Self {
        let target = navigation.target.as_ref().map_or_else(Target::default, |pose| Target {
            target_x: Some(pose.x_m),
            target_y: Some(pose.y_m),
            target_z: Some(pose.z_m),
            target_ori: Some(pose.yaw_rad),
            ..Target::default()
        });
        let mut object =
            Self::new(navigation.id, None, type_from_kind(navigation.kind), target, navigation.state, now);
        object.receive(navigation, now);
        object
    }

    fn new(
        id: i64,
        creator: Option<String>,
        kind: &'static str,
        target: Target,
        state: NavigationState,
        now: Timestamp,
    ) -> Self {
        let FailReason { code, text, message } = FailReason::none();
        let seconds = seconds(now);
        Self {
            id,
            creator,
            state: state.as_str(),
            kind,
            target: Some(target),
            fail_reason: code,
            fail_reason_str: text,
            fail_message: message,
            create_time: seconds,
            last_modified_time: seconds,
        }
    }

    /// Takes in how it stands.
    pub fn receive(&mut self, navigation: &Navigation, now: Timestamp) {
        self.set_state(navigation.state, now);
        if navigation.state == NavigationState::Failed {
            let FailReason { code, text, message } = FailReason::of(navigation);
            (self.fail_reason, self.fail_reason_str, self.fail_message) = (code, text, message);
        }
    }

    /// Changes how it stands.
    pub fn set_state(&mut self, state: NavigationState, now: Timestamp) {
        if self.state != state.as_str() {
            self.state = state.as_str();
            self.last_modified_time = seconds(now);
        }
    }

    /// Whether it goes on.
    pub fn is_active(&self) -> bool {
        self.state == NavigationState::Moving.as_str()
    }

    /// The same as the list tells it: without where to.
    #[must_use]
    pub fn in_short(&self) -> Self {
        Self { target: None, ..self.clone() }
    }
}

/// Whole seconds of Unix time.
pub fn seconds(at: Timestamp) -> i64 {
    at.as_nanos().div_euclid(1_000_000_000)
}

fn type_from_kind(kind: NavigationKind) -> &'static str {
    match kind {
        NavigationKind::Goto | NavigationKind::PullOver => "standard",
        NavigationKind::Charge => "charge",
        NavigationKind::Route => "along_given_route",
        NavigationKind::Follow => "follow_target",
        NavigationKind::AlignWithRack => "align_with_rack",
        NavigationKind::ToUnloadPoint => "to_unload_point",
        NavigationKind::EnterElevator => "enter_elevator",
        NavigationKind::LeaveElevator => "leave_elevator",
        NavigationKind::ToElevator => "return_to_elevator_waiting_point",
        NavigationKind::Other => "none",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axbot::rest::fields::Fields;
    use crate::axbot::rest::moves::MoveType;

    #[test]
    fn is_printed_in_full_and_in_short() {
        let body = br#"{"creator": "app", "target_x": 1, "target_y": 2, "target_ori": 0.5}"#;
        let request = MoveRequest::read(&Fields::read(body).unwrap(), &MoveType::ALL).unwrap();
        let object = MoveObject::asked(7, &request, Timestamp::from_nanos(1_647_509_573_900_000_000));
        insta::assert_json_snapshot!(object, @r#"
        {
          "id": 7,
          "creator": "app",
          "state": "moving",
          "type": "standard",
          "target_x": 1.0,
          "target_y": 2.0,
          "target_ori": 0.5,
          "target_accuracy": null,
          "use_target_zone": null,
          "is_charging": null,
          "charge_retry_count": 3,
          "fail_reason": 0,
          "fail_reason_str": "None - None",
          "fail_message": "",
          "create_time": 1647509573,
          "last_modified_time": 1647509573
        }
        "#);
        let short = serde_json::to_value(object.in_short()).unwrap();
        assert!(short.get("target_x").is_none() && short.get("target_ori").is_none(), "{short}");
    }
}
