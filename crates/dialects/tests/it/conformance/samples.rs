//! One update of many kinds, and how far a translated one may differ.

use latimer_core::hub::Shared;
use latimer_core::model::signal::{
    Accel, Alert, Alerts, AngularRate, Battery, Cliff, Color, Contact, ContactSensor, Encoders, Face,
    FaceIdentity, FaceTraining, Footprint, Frame, Hazard, HazardItem, HazardSource, Imu, Indicators, Joint,
    KeyPhrase, Lamp, Light, Localization, LocalizationState, Motion, MotionState, Odometry, Orientation,
    Path, Pins, Playback, Pose, PowerState, Range, Severity, SoundFocus, SoundSource, Task, TaskAction,
    TaskState, Temperature, Text, TextChannel, TrainingMessage, Velocity, WheelEncoder,
};
use latimer_core::model::{ClockSource, Stamp, TaskRequest, ToValue};
use latimer_core::{Command, Hub, PartName, Signal, Update, Value};

use super::house::robot;
use crate::own;

/// Commands to try, each round with names and colours of its own: what is so already is not said again on a wire of states. A stop comes last: where it is several words, one of them
/// may still be on its way.
pub(crate) fn commands(round: usize) -> Vec<Command> {
    let task = TaskRequest {
        id: format!("task-{round}"),
        kind: "bring".to_owned(),
        parameters: vec![("object".to_owned(), "coke".to_owned())],
        asker: Some("SI_1".to_owned()),
        priority: 3,
    };
    let lamp = Command::Lamp { part: None, rgb: [1, 2, 3 + u8::try_from(round).unwrap()] };
    vec![
        own(latimer_dialects::axbot::calls::WakeUp {}),
        Command::Task(task),
        lamp,
        Command::Stop { hold: false },
    ]
}

fn of(hub: &Hub, part: Option<&str>, signal: impl Into<Signal>) -> Update {
    let now = hub.clock().now();
    Update {
        robot: robot(),
        part: part.map(PartName::of),
        stamp: Stamp::robot(now),
        received: now,
        signal: signal.into(),
        native: None,
        provenance: None,
    }
}

pub(crate) fn battery(hub: &Hub) -> Update {
    let battery = Battery {
        charge_ratio: Some(0.75),
        voltage_v: Some(8.203),
        current_a: Some(-0.441),
        temperature_c: Some(21.0),
        health_ratio: Some(1.0),
        state: PowerState::Discharging,
        gauge_trained: Some(true),
        ..Battery::UNKNOWN
    };
    of(hub, None, battery)
}

pub(crate) fn all(hub: &Hub) -> Vec<Update> {
    let wheel = |turn, rate| WheelEncoder { rotation_rad: Some(turn), velocity_radps: Some(rate) };
    let contact = |sensor, frame| Contact { contacted: true, sensor, position: None, frame };
    vec![
        battery(hub),
        of(hub, Some("front_left"), Range::valid(0.25)),
        of(hub, Some("front"), Range::valid(0.5)),
        of(hub, Some("back_right"), Cliff(Range::valid(0.04))),
        of(hub, Some("bump_front_left"), contact(ContactSensor::Bumper, Frame::BaseLink)),
        of(hub, Some("touch_chin"), contact(ContactSensor::Touch, Frame::Head)),
        of(hub, Some("head_yaw"), Joint::hinge(0.5)),
        of(hub, None, Encoders { left: wheel(10.0, 1.0), right: wheel(11.0, 1.5) }),
        of(
            hub,
            None,
            Imu {
                // On level ground; a compass says no more.
                orientation: Some(Orientation { roll_rad: 0.002, pitch_rad: -0.004, yaw_rad: 1.5 }),
                angular_velocity: Some(AngularRate { x_radps: 0.0, y_radps: 0.1, z_radps: -0.2 }),
                linear_acceleration: Some(Accel { x_mps2: 0.3, y_mps2: -0.1, z_mps2: 9.81 }),
            },
        ),
        of(hub, Some("commanded"), Velocity::of(0.25, -0.5)),
        of(hub, None, Motion { state: MotionState::Halted, motor_mask: Some(6), reason: None }),
        of(hub, None, KeyPhrase { phrase: None, confidence_ratio: Some(0.81) }),
        of(
            hub,
            None,
            Face {
                identity: FaceIdentity::Known,
                label: Some("Ada".into()),
                track_id: Some(3),
                bearing_rad: Some(0.1),
                elevation_rad: Some(0.0),
                distance_m: Some(0.71),
            },
        ),
        of(
            hub,
            None,
            FaceTraining { level: TrainingMessage::Status, message: "Well.".into(), complete: false },
        ),
        of(
            hub,
            None,
            Playback {
                directory: Some("Idle".into()),
                duration_s: Some(0.0),
                affect: vec![0.0, 0.0, -0.5],
                ..Playback::of("a.wav")
            },
        ),
        of(
            hub,
            Some("serial"),
            Text { channel: TextChannel::Serial, text: "{\"t\":1}".into(), data: None, truncated: None },
        ),
        of(
            hub,
            None,
            SoundFocus {
                gain_step: Some(65_535),
                sectors_enabled: vec![true; 4],
                sector_starts_rad: vec![2.356, 0.785, 5.498, 3.927],
            },
        ),
        of(
            hub,
            None,
            SoundSource {
                speech_bearing_rad: Some(0.5),
                noise_bearings_rad: vec![1.0],
                offset_s: Some(4.925),
                activity_ratio: vec![0.2; 360],
                sectors_active: vec![false, true, false, false],
            },
        ),
        of(
            hub,
            None,
            Hazard {
                items: vec![HazardItem {
                    source: HazardSource::Bumper,
                    part: "bump_front_left".into(),
                    active: true,
                }],
                critical_error_code: Some(0),
            },
        ),
        of(
            hub,
            None,
            Localization { state: LocalizationState::Tracking, has_pose: Some(true), ..Localization::IDLE },
        ),
    ]
    .into_iter()
    .chain(driving(hub))
    .chain(swarming(hub))
    .chain(serving(hub))
    .chain(seeing(hub))
    .collect()
}

/// What robots say that find their way.
fn driving(hub: &Hub) -> Vec<Update> {
    let outline_m = vec![[0.3, 0.2], [-0.3, 0.2], [-0.3, -0.2], [0.3, -0.2]];
    let alert = Alert { code: 8501, severity: Severity::Warning, message: "The battery is low".into() };
    vec![
        of(hub, Some("planned"), Path::of(Frame::Map, vec![[0.5, 1.0], [1.5, 1.25]])),
        of(hub, Some("trajectory"), Path::of(Frame::Map, vec![[0.0, 0.0], [0.5, 1.0]])),
        of(hub, None, Alerts { active: vec![alert] }),
        of(hub, None, Indicators { turn_left: true, turn_right: false, brake: true, reverse: false }),
        of(hub, None, Footprint { polygon_m: outline_m, width_m: 0.4 }),
        of(hub, None, Pins { inputs: vec![vec![true, false]], outputs: vec![vec![false, true]] }),
        of(hub, None, Odometry { reliable: Some(true), covariance_m2: vec![0.25, 0.0, 0.0, 0.5] }),
    ]
}

/// What robots of a swarm say.
fn swarming(hub: &Hub) -> Vec<Update> {
    vec![
        of(hub, None, Pose::planar(Frame::Map, 1.25, -0.5, 0.5)),
        of(hub, Some("front"), Color { red: 10, green: 200, blue: 30, ambient_ratio: Some(0.5) }),
        of(hub, Some("neopixel"), Lamp { red: 1, green: 2, blue: 3 }),
    ]
}

/// What household robots say of a task, from its beginning to its end.
fn serving(hub: &Hub) -> Vec<Update> {
    // Each time another one: a task that was reported on to its end is over.
    let id = format!("task-{}", hub.clock().now().as_nanos());
    let report = |state| Task::new(id.clone(), "bring", state);
    let doing = |action, target: &str| Task {
        action: Some(action),
        target: Some(target.to_owned()),
        ..report(TaskState::Progress)
    };
    let reports = [
        report(TaskState::Confirmed),
        Task { missing: vec!["to".to_owned()], ..report(TaskState::MissingInfo) },
        doing(TaskAction::Goto, "kitchen"),
        doing(TaskAction::WayBlocked, "kitchen"),
        doing(TaskAction::Found, "coke"),
        doing(TaskAction::HandoverCompleted, "coke"),
        report(TaskState::Succeeded),
    ];
    reports.into_iter().map(|task| of(hub, None, task)).collect()
}

/// What robots say that tell light from dark.
fn seeing(hub: &Hub) -> Vec<Update> {
    vec![
        of(hub, None, Temperature { temperature_c: 29.5 }),
        of(hub, Some("front_left"), Light { level_ratio: 0.6 }),
        of(hub, Some("rear_right"), Light { level_ratio: 1.0 }),
        of(hub, Some("front_right"), Light { level_ratio: 0.2 }),
        of(hub, Some("rear_left"), Light { level_ratio: 0.8 }),
    ]
}

/// Whether nothing of what is heard is wrong.
pub(crate) fn is_alike(sent: &Update, incoming: &Shared) -> bool {
    alike(&sent.signal.to_value(), &incoming.signal.to_value())
}

/// Numbers may be rounded, and what a dialect cannot say is missing; nothing may be wrong.
pub(crate) fn assert_alike(sent: &Update, incoming: &Shared) {
    let (a, b) = (sent.signal.to_value(), incoming.signal.to_value());
    assert!(alike(&a, &b), "{}\nsaid  {a}\nheard {b}", sent.key());
    if incoming.stamp.clock == ClockSource::Gateway {
        // The wire carries no time.
        return;
    }
    let lag = (sent.stamp.at.as_nanos() - incoming.stamp.at.as_nanos()).abs();
    assert!(lag < 2_000_000_000, "{}: {:?} became {:?}", sent.key(), sent.stamp, incoming.stamp);
}

/// Whether nothing of one value is wrong in the other.
pub(super) fn alike(sent: &Value, incoming: &Value) -> bool {
    match (sent, incoming) {
        (Value::Null, _) | (_, Value::Null) => true,
        // A word that claims nothing.
        (_, Value::Text(incoming)) if incoming.is_empty() || &**incoming == "unknown" => true,
        (Value::Float(a), b) => b.as_f64().is_some_and(|b| (a - b).abs() <= 0.02 * a.abs().max(0.5)),
        (Value::List(a), Value::List(b)) if a.len() == b.len() => a.iter().zip(b).all(|(a, b)| alike(a, b)),
        // A dialect may list more than was said: every sensor of its robot, every flag that follows.
        (Value::List(a), Value::List(b)) => a.iter().all(|a| b.iter().any(|b| alike(a, b))),
        (Value::Map(a), Value::Map(b)) => a
            .iter()
            .all(|(name, a)| b.iter().find(|(other, _)| other == name).is_none_or(|(_, b)| alike(a, b))),
        (a, b) => a == b,
    }
}
