//! `/services/…`

use axum::http::StatusCode;
use latimer_core::model::Kind;
use latimer_core::model::signal::{Alerts, Battery, Pose, PowerState};
use serde_json::{Value, json};

use super::call::Call;
use super::dispatch::dispatch;
use super::holdings::is_simulated;
use super::reply::{Reply, done};
use super::{abilities, chassis, holdings, network, thumbnail, usb, wait_for};
use crate::axbot::facade::encode;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::fields::Fields;
use crate::axbot::rest::problem::Problem;
use crate::axbot::rest::service::Ask;
use crate::axbot::topic::Topic;

/// How wrong a clock may be, seconds.
const CLOCK_OFF_S: f64 = 1.0;

/// Carries out a service.
pub(super) async fn call(robot: &FacadeRobot, name: &str, call: &Call) -> Result<Reply, Problem> {
    match Ask::read(name, &call.fields, &abilities::of(robot))? {
        Ask::Robot(command) => {
            dispatch(robot, &call.author, command).await?;
            Ok(carried_out(robot, &done()))
        }
        Ask::Restart | Ask::Shutdown { reboot: true } => {
            robot.rest_state.restart(robot.hub.clock().now());
            robot.restarts.send_modify(|count| *count += 1);
            Ok(carried_out(robot, &done()))
        }
        Ask::Shutdown { reboot: false } => {
            let request = "switching it off";
            Err(holdings::lacking(robot, request, "a power supply that a request can switch"))
        }
        Ask::ForgetAlert(code) => forget_alert(robot, code).map(|answer| carried_out(robot, &answer)),
        Ask::RecheckAlerts => {
            is_simulated(robot, "requests to look at its alerts anew")?;
            Ok(carried_out(robot, &json!({"message": "what is wrong is looked at all the time"})))
        }
        Ask::RackSize => {
            let message = format!("racks are sent on {} with their sizes all the time", Topic::DetectedRack);
            Ok(carried_out(robot, &json!({"message": message})))
        }
        Ask::SetupWifi => network::set_up(robot, &call.fields).map(|answer| carried_out(robot, &answer)),
        Ask::RouteMode => network::set_route(robot, &call.fields).map(|answer| carried_out(robot, &answer)),
        Ask::ResetUsb => usb::reset(robot, &call.fields).map(|answer| carried_out(robot, &answer)),
        Ask::NavThumbnail => thumbnail::of_surroundings(robot).await,
        Ask::ChargerPose => charger_pose(robot),
        Ask::RgbImage { topic } => rgb_image(robot, &topic).await,
        Ask::StepTime => match clock(robot) {
            (false, message) => Ok(carried_out(robot, &json!({"message": message}))),
            (true, message) => Err(Problem::Bad(format!("{message}; the gateway cannot set it"))),
        },
    }
}

/// What can be read of a service.
pub(super) async fn get(robot: &FacadeRobot, name: &str) -> Result<Reply, Problem> {
    match Ask::read(name, &Fields::default(), &abilities::of(robot))? {
        Ask::NavThumbnail => thumbnail::of_surroundings(robot).await,
        Ask::ChargerPose => charger_pose(robot),
        _ => Ok(step_time(robot)),
    }
}

/// `GET /services/step_time`
fn step_time(robot: &FacadeRobot) -> Reply {
    let (should_step, message) = clock(robot);
    Reply::ok(&json!({"should_step": should_step, "message": message}))
}

/// Forgets an alert that does not hold; those that this gateway can have cleared have a command of their own.
fn forget_alert(robot: &FacadeRobot, code: i64) -> Result<Value, Problem> {
    let alerts = robot.record::<Alerts>();
    if alerts.is_some_and(|alerts| alerts.active.iter().any(|alert| alert.code == code)) {
        return Err(holdings::lacking(robot, &format!("clearing alert {code}"), "a robot that forgets it"));
    }
    Ok(json!({"message": format!("alert {code} does not hold, so there is nothing to be cleared")}))
}

/// Where the charger is on which it stands: a charger is where robots stand that charge.
fn charger_pose(robot: &FacadeRobot) -> Result<Reply, Problem> {
    let charges = |it: Battery| matches!(it.state, PowerState::Charging | PowerState::Full);
    match chassis::pose_on_map(robot).filter(|_| robot.record().is_some_and(charges)) {
        Some(Pose { x_m, y_m, yaw_rad, .. }) => {
            let round = |value: f64| (value * 1e4).round() / 1e4;
            let [x, y, ori] = [x_m, y_m, yaw_rad].map(round);
            Ok(Reply::ok(&json!({"pose": {"pos": [x, y], "ori": ori}})))
        }
        None => Err(Problem::Bad(format!("{} does not stand on a charger, or not on a map", robot.robot))),
    }
}

/// Whether the robot's clock should be set, and why.
fn clock(robot: &FacadeRobot) -> (bool, String) {
    let link = robot.hub.robot(&robot.robot).map(|report| report.link);
    match link.and_then(|link| link.skew_min_s.zip(link.skew_max_s)) {
        None => (false, "the robot tells no time that the gateway's clock could be compared with".into()),
        Some(skew) => clock_verdict(skew),
    }
}

/// The same for a skew between two bounds: a clock is set only if it is surely wrong.
fn clock_verdict((min_s, max_s): (f64, f64)) -> (bool, String) {
    let (way, surely_s) = if min_s > 0.0 { ("slow", min_s) } else { ("fast", (-max_s).max(0.0)) };
    match surely_s > CLOCK_OFF_S {
        true => (true, format!("the robot's clock is at least {surely_s:.3} seconds {way} of the gateway's")),
        false => {
            let most_s = min_s.abs().max(max_s.abs());
            let text = format!(
                "the robot's clock is at most {most_s:.3} seconds off the gateway's, as far as its stamps show, which is near enough"
            );
            (false, text)
        }
    }
}

fn carried_out(robot: &FacadeRobot, body: &Value) -> Reply {
    let status = StatusCode::from_u16(robot.settings.service_status).unwrap_or(StatusCode::OK);
    Reply::json(status, body)
}

/// The newest picture of a topic, as the topic tells it.
async fn rgb_image(robot: &FacadeRobot, name: &str) -> Result<Reply, Problem> {
    let topics = [Topic::FrontCompressed, Topic::BackCompressed];
    let Some(topic) = topics.into_iter().find(|topic| topic.as_str() == name) else {
        let names = topics.map(Topic::as_str).join(", ");
        let name: String = name.chars().take(80).collect();
        return Err(Problem::Bad(format!(
            "\"topic\" {name:?} tells no pictures; those that do are: {names}"
        )));
    };
    let cameras = abilities::cameras(robot);
    let Some((_, part)) = cameras.iter().find(|(of, _)| *of == topic) else {
        return Err(Problem::NotFound(format!("{} has no camera that {topic} could tell of", robot.robot)));
    };
    let since = robot.hub.clock().now();
    // A camera that is slow has at least its last picture.
    let newest =
        wait_for::update(robot, Kind::CompressedImage, part.as_str(), |update| update.received >= since)
            .await
            .or_else(|| robot.last_of(Kind::CompressedImage, part.as_str()));
    let keep = |word: &str, png: &bytes::Bytes| robot.statics.keep(word, png);
    let frame =
        newest.and_then(|update| encode::frame(&robot.hub, topic, &update, robot.settings.style, &keep));
    match frame {
        Some(frame) => Ok(Reply::written(frame)),
        None => Err(Problem::NotFound(format!("{} sent no picture on {topic} within 3 s", robot.robot))),
    }
}
