//! A chassis' own commands, a struct each, from which the core, our own API, the command line and the page know them. Clients give
//! them by services and messages on the socket (`rest/service.rs`, `facade/orders.rs`); `session/orders` sends them to a real chassis.

use latimer_core::model::call::{ArgumentError, CallMotion};
use latimer_core::model::signal::SpeedLimits;
use latimer_core::model::{CallDescription, Carry as Load, FollowState, Maintenance, NativeCall};

use super::NAME;
use crate::describe::Call;

/// All of them.
pub(super) const CALLS: &[&CallDescription] = &[
    DriveLimits::DESCRIPTION,
    Follow::DESCRIPTION,
    Carry::DESCRIPTION,
    Maintain::DESCRIPTION,
    Pins::DESCRIPTION,
    WakeUp::DESCRIPTION,
];

/// Set how fast the robot drives at most; what is not given stays.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(motion = still, word = "limits", check = some_limit)]
pub struct DriveLimits {
    /// Ahead, m/s.
    #[argument(quantity = NonNegative, long = "forward", value = "M/S")]
    pub forward_mps: Option<f64>,
    /// Backwards, m/s.
    #[argument(quantity = NonNegative, long = "backward", value = "M/S")]
    pub backward_mps: Option<f64>,
    /// Turning either way, rad/s.
    #[argument(quantity = NonNegative, long = "turn", value = "RAD/S")]
    pub angular_radps: Option<f64>,
    /// Getting faster, m/s².
    #[argument(quantity = NonNegative, long = "speed-up", value = "M/S2")]
    pub speed_up_mps2: Option<f64>,
    /// Getting slower, m/s².
    #[argument(quantity = NonNegative, long = "slow-down", value = "M/S2")]
    pub slow_down_mps2: Option<f64>,
}

impl From<SpeedLimits> for DriveLimits {
    fn from(limits: SpeedLimits) -> Self {
        let SpeedLimits { forward_mps, backward_mps, angular_radps, speed_up_mps2, slow_down_mps2 } = limits;
        Self { forward_mps, backward_mps, angular_radps, speed_up_mps2, slow_down_mps2 }
    }
}

fn some_limit(call: &NativeCall) -> Result<(), ArgumentError> {
    let is_given = call.arguments().any(|(argument, _)| call.has(argument.name));
    let problem = "is missing, and so are the other limits";
    let missing = ArgumentError { name: "forward_mps", problem: problem.to_owned(), advice: "give one" };
    if is_given { Ok(()) } else { Err(missing) }
}

/// Tell where the one to follow is.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(motion = by(follow_motion), no_word, check = whole_place)]
pub struct Follow {
    /// To go where that is, to wait, or to give up.
    pub state: FollowState,
    /// East of the map's origin; stay where it is if not given.
    pub x_m: Option<f64>,
    /// North of the map's origin.
    pub y_m: Option<f64>,
    /// How to stand.
    pub yaw_rad: Option<f64>,
}

impl Follow {
    /// Neither place nor heading.
    pub const fn of(state: FollowState) -> Self {
        Self { state, x_m: None, y_m: None, yaw_rad: None }
    }
}

fn follow_motion(call: &NativeCall) -> CallMotion {
    match call.argument("state") {
        Ok(FollowState::Pause | FollowState::Fail) => CallMotion::EndsGoal,
        Ok(FollowState::Pose) | Err(_) => CallMotion::Goal,
    }
}

fn whole_place(call: &NativeCall) -> Result<(), ArgumentError> {
    let missing = |name, advice| Err(ArgumentError { name, problem: "is missing".to_owned(), advice });
    let is_pose = call.argument("state") == Ok(FollowState::Pose);
    match (call.has("x_m"), call.has("y_m"), call.has("yaw_rad")) {
        // Who ends it is not asked for more.
        _ if !is_pose => Ok(()),
        (true, false, _) => missing("y_m", "write both `x_m` and `y_m`"),
        (false, true, _) => missing("x_m", "write both `x_m` and `y_m`"),
        (false, false, false) => {
            missing("x_m", "give a place with `x_m` and `y_m`, or a heading with `yaw_rad`")
        }
        _ => Ok(()),
    }
}

/// Take, put down, load or unload.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(motion = own)]
pub struct Carry {
    /// What to do.
    pub action: Load,
}

/// Do something to the robot's own parts, such as calibrate_imu, check_jack or clear_slipping.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(motion = by(maintenance_motion))]
pub struct Maintain {
    /// What to do.
    pub action: Maintenance,
}

/// What held it may be over then, so that it goes on.
fn maintenance_motion(call: &NativeCall) -> CallMotion {
    match call.argument("action") {
        Ok(Maintenance::CalibrateGyro | Maintenance::CheckJack) | Err(_) => CallMotion::Own,
        Ok(_) => CallMotion::Starts,
    }
}

/// Switch outputs, numbered over all boards; what is not named stays.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(motion = still, check = each_once)]
pub struct Pins {
    /// Switch these on, e.g. 0,9.
    #[argument(long = "on", value = "N,N")]
    pub enable: Option<Vec<u32>>,
    /// Switch these off, e.g. 2.
    #[argument(long = "off", value = "N,N")]
    pub disable: Option<Vec<u32>>,
}

fn each_once(call: &NativeCall) -> Result<(), ArgumentError> {
    let named = |name| call.argument::<Option<Vec<u32>>>(name).ok().flatten().unwrap_or_default();
    let (enable, disable) = (named("enable"), named("disable"));
    let wrong = |problem: String, advice| Err(ArgumentError { name: "enable", problem, advice });
    if enable.is_empty() && disable.is_empty() {
        return wrong("and `disable` name no output".to_owned(), "write such as [0, 9]");
    }
    match enable.iter().find(|pin| disable.contains(pin)) {
        Some(pin) => wrong(format!("and `disable` both name {pin}"), "switch each output on or off"),
        None => Ok(()),
    }
}

/// Switch the sensors on again.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(motion = still, word = "wake")]
pub struct WakeUp {}

#[cfg(test)]
mod tests {
    use latimer_core::model::Motion;

    use super::*;

    #[test]
    fn what_each_does_to_the_motion_is_what_a_stop_and_a_latch_go_by() {
        let all = CALLS.iter().flat_map(|about| about.samples());
        let told = all.map(|call| {
            let words = ["action", "state"].map(|name| call.argument::<String>(name).unwrap_or_default());
            (format!("{} {}", call.about().name, words.concat()), call.motion())
        });
        let told: Vec<_> = told.filter(|(_, motion)| *motion != Motion::Other).collect();
        let is = |motion| told.iter().filter(|it| it.1 == motion).map(|it| it.0.as_str()).collect::<Vec<_>>();
        let own = ["jack_up", "jack_down", "roller_load", "roller_unload"].map(|it| format!("carry {it}"));
        let own =
            [&own[..], &["maintain calibrate_gyro".to_owned(), "maintain check_jack".to_owned()]].concat();
        assert_eq!(is(Motion::Own), own);
        assert_eq!(is(Motion::Goal), ["follow pose"]);
        assert_eq!(is(Motion::EndsGoal), ["follow pause", "follow fail"]);
        assert_eq!(is(Motion::Starts).len(), Maintenance::ALL.len() - 2, "what held it may be over");
        assert_eq!(told.len(), own.len() + 3 + Maintenance::ALL.len() - 2);
    }
}
