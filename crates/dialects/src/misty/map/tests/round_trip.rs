//! Signal to message to signal: the same again, but for rounding and for what Misty has no words for.

use std::f64::consts::PI;

use latimer_core::model::signal::*;
use latimer_core::model::{ToValue, Value};
use latimer_core::{Signal, Update};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use super::{there_and_back, update};
use crate::misty::map::hazard_names;

/// Equal up to what conversions and the digits of the wire cost.
fn alike(a: &Value, b: &Value, within: f64) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => (a - b).abs() <= within + 1e-12 * a.abs(),
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b, within))
        }
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((j, a), (k, b))| j == k && alike(a, b, within))
        }
        _ => a == b,
    }
}

fn comes_back(update: &Update, within: f64) -> Result<(), TestCaseError> {
    let back = there_and_back(update);
    prop_assert_eq!(&back.part, &update.part);
    prop_assert!(
        alike(&back.signal.to_value(), &update.signal.to_value(), within),
        "{:?} became {:?}",
        update.signal,
        back.signal
    );
    Ok(())
}

fn angle() -> impl Strategy<Value = f64> {
    -PI..PI
}

fn number() -> impl Strategy<Value = f64> {
    -1e4..1e4f64
}

fn ratio() -> impl Strategy<Value = f64> {
    0.0..=1.0f64
}

fn joint_part() -> impl Strategy<Value = &'static str> {
    select(&["head_pitch", "head_yaw", "head_roll", "arm_left", "arm_right", "gripper"][..])
}

const RANGE_CODES: &[(RangeStatus, i64)] = &[
    (RangeStatus::Valid, 0),
    (RangeStatus::Noisy, 101),
    (RangeStatus::WeakSignal, 102),
    (RangeStatus::Misconfigured, 103),
    (RangeStatus::TooFar, 104),
    (RangeStatus::Wrapped, 207),
    (RangeStatus::Unknown, -1),
    (RangeStatus::Unknown, 42),
];

const EDGE_CODES: &[(RangeStatus, i64)] = &[
    (RangeStatus::Valid, 0),
    (RangeStatus::HardwareFault, 203),
    (RangeStatus::NothingInView, 206),
    (RangeStatus::WeakSignal, 207),
    (RangeStatus::NothingInView, 208),
    (RangeStatus::AmbientLight, 211),
    (RangeStatus::TooNear, 212),
    (RangeStatus::TooFar, 213),
    (RangeStatus::TooNear, 214),
];

fn range(distance_m: Option<f64>, (status, code): (RangeStatus, i64)) -> Range {
    Range { distance_m, status, status_code: Some(code), ..Range::valid(0.0) }
}

fn contact_sensor() -> impl Strategy<Value = (ContactSensor, &'static str)> {
    select(
        &[
            (ContactSensor::Bumper, "bump_front_left"),
            (ContactSensor::Bumper, "bump_rear_right"),
            (ContactSensor::Bumper, "bumper_ring"),
            (ContactSensor::Touch, "touch_chin"),
            (ContactSensor::Touch, "touch_scruff"),
            (ContactSensor::Touch, "body_2"),
        ][..],
    )
}

fn face() -> impl Strategy<Value = Face> {
    let who = prop_oneof![
        Just((FaceIdentity::Detected, None)),
        Just((FaceIdentity::Stranger, None)),
        "[A-Z][a-z]{0,9}".prop_map(|name| (FaceIdentity::Known, Some(name))),
    ];
    (who, of(any::<i64>()), of(angle()), of(angle()), of(0.0..10.0f64)).prop_map(
        |((identity, label), track_id, bearing_rad, elevation_rad, distance_m)| Face {
            identity,
            label,
            track_id,
            bearing_rad,
            elevation_rad,
            distance_m,
        },
    )
}

fn imu() -> impl Strategy<Value = Imu> {
    let turned = (angle(), angle(), angle());
    let three = || (number(), number(), number());
    (of(turned), of(three()), of(three())).prop_map(|(turned, turning, pushed)| Imu {
        orientation: turned.map(|(roll_rad, pitch_rad, yaw_rad)| Orientation {
            roll_rad,
            pitch_rad,
            yaw_rad,
        }),
        angular_velocity: turning.map(|(x_radps, y_radps, z_radps)| AngularRate {
            x_radps,
            y_radps,
            z_radps,
        }),
        linear_acceleration: pushed.map(|(x_mps2, y_mps2, z_mps2)| Accel { x_mps2, y_mps2, z_mps2 }),
    })
}

fn battery() -> impl Strategy<Value = Battery> {
    let numbers = (of(ratio()), of(number()), of(number()), of(number()), of(ratio()));
    (numbers, select(PowerState::ALL), of(any::<bool>())).prop_map(
        |((charge_ratio, voltage_v, current_a, temperature_c, health_ratio), state, gauge_trained)| Battery {
            charge_ratio,
            voltage_v,
            current_a,
            temperature_c,
            health_ratio,
            state,
            gauge_trained,
            ..Battery::UNKNOWN
        },
    )
}

fn data() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        number().prop_map(Value::Float),
        "\\PC{0,8}".prop_map(|text| Value::Text(text.into())),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::List),
            proptest::collection::btree_map("[a-z]{1,4}", inner, 0..3).prop_map(|map| Value::Map(
                map.into_iter().rev().map(|(key, value)| (key.into(), value)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn joints(part in joint_part(), position_rad in of(number())) {
        let joint = Joint { position_rad, ..Joint::UNKNOWN };
        comes_back(&update(Some(part), joint), 1e-9)?;
    }

    #[test]
    fn velocities(
        linear_mps in of(number()), angular_radps in of(number()),
        closed_loop in of(any::<bool>()), ramped in of(any::<bool>()), action_id in of(any::<i64>()),
    ) {
        let velocity = Velocity { linear_mps, angular_radps, closed_loop, ramped, action_id };
        comes_back(&update(Some("commanded"), velocity), 1e-9)?;
    }

    #[test]
    fn encoders(numbers in vec(of(number()), 4)) {
        let wheel = |i: usize| WheelEncoder { rotation_rad: numbers[i], velocity_radps: numbers[i + 1] };
        comes_back(&update(None, Encoders { left: wheel(0), right: wheel(2) }), 1e-9)?;
    }

    #[test]
    fn halts(mask in of(0..65_535u32)) {
        let motion = Motion { state: MotionState::Halted, motor_mask: mask, reason: None };
        comes_back(&update(None, motion), 0.0)?;
    }

    #[test]
    fn inertial_readings(imu in imu()) {
        comes_back(&update(None, imu), 1e-9)?;
    }

    #[test]
    fn ranges(
        part in select(&["front_left", "back", "sonar_nose"][..]), distance_m in of(number()), code in select(RANGE_CODES),
    ) {
        comes_back(&update(Some(part), range(distance_m, code)), 0.0)?;
    }

    #[test]
    fn edges(
        part in select(&["front_left", "back_right", "nose"][..]), distance_m in of(number()), code in select(EDGE_CODES),
    ) {
        comes_back(&update(Some(part), Cliff(range(distance_m, code))), 0.0)?;
    }

    #[test]
    fn contacts(
        (sensor, part) in contact_sensor(), contacted in any::<bool>(), place in of((number(), number(), number())),
        frame in select(Frame::ALL),
    ) {
        let position = place.map(|(x_m, y_m, z_m)| Point { x_m, y_m, z_m });
        let mounted_on = if sensor == ContactSensor::Bumper { Frame::BaseLink } else { Frame::Head };
        let frame = if position.is_some() { frame } else { mounted_on };
        comes_back(&update(Some(part), Contact { contacted, sensor, position, frame }), 0.0)?;
    }

    #[test]
    fn batteries(battery in battery()) {
        comes_back(&update(None, battery), 1e-9)?;
    }

    #[test]
    fn faces(face in face()) {
        comes_back(&update(None, face), 1e-9)?;
    }

    #[test]
    fn trainings(level in select(TrainingMessage::ALL), message in "\\PC{0,40}", complete in any::<bool>()) {
        comes_back(&update(None, FaceTraining { level, message, complete }), 0.0)?;
    }

    #[test]
    fn key_phrases(confidence_ratio in of(ratio())) {
        let phrase = KeyPhrase { phrase: Some("Hey, Misty!".into()), confidence_ratio };
        comes_back(&update(None, phrase), 0.005)?;
    }

    #[test]
    fn playbacks(
        name in "\\PC{0,20}", directory in of("\\PC{0,20}"), duration_s in of(0.0..1e3f64),
        affect in vec(-1.0..1.0f64, 0..4),
    ) {
        comes_back(&update(None, Playback { name, directory, duration_s, affect }), 0.0)?;
    }

    #[test]
    fn sound_sources(
        speech_bearing_rad in of(angle()), noise_bearings_rad in vec(angle(), 0..4), offset_s in of(0.0..1e4f64),
        activity in prop_oneof![Just(Vec::new()), vec(ratio(), 360)], sectors_active in vec(any::<bool>(), 0..5),
    ) {
        let source = SoundSource {
            speech_bearing_rad, noise_bearings_rad, offset_s, activity_ratio: activity, sectors_active,
        };
        comes_back(&update(None, source), 0.002)?;
    }

    #[test]
    fn sound_foci(
        gain_step in of(any::<i64>()), sectors_enabled in vec(any::<bool>(), 0..5), starts in vec(0.0..6.25f64, 0..5),
    ) {
        comes_back(&update(None, SoundFocus { gain_step, sectors_enabled, sector_starts_rad: starts }), 1e-9)?;
    }

    #[test]
    fn texts(serial in any::<bool>(), text in "\\PC{0,40}", data in of(data()), truncated in of(any::<bool>())) {
        let text: std::sync::Arc<str> = text.into();
        let said = if serial {
            Text { channel: TextChannel::Serial, text, data: None, truncated: None }
        } else {
            Text { channel: TextChannel::Skill, text, data: data.filter(|data| *data != Value::Null), truncated }
        };
        comes_back(&update(Some(said.channel.as_str()), said), 1e-9)?;
    }

    #[test]
    fn hazards(mask in any::<u64>(), sources in any::<u8>(), critical in 0..3i64) {
        let watched = HazardSource::ALL.iter().enumerate().filter(|(i, _)| sources & (1 << i) != 0);
        let mut items: Vec<_> = watched
            .flat_map(|(_, source)| hazard_names(*source).iter().map(|(part, _)| (*source, *part)))
            .chain([(HazardSource::Bumper, "bumper_ring")])
            .enumerate()
            .map(|(i, (source, part))| HazardItem { source, part: part.into(), active: mask & (1 << i) != 0 })
            .collect();
        let hazard = Hazard { items: items.clone(), critical_error_code: Some(critical) };
        let Signal::Hazard(mut back) = there_and_back(&update(None, hazard)).signal else { panic!() };
        prop_assert_eq!(back.critical_error_code, Some(critical));
        // What was not named is written as in no hazard.
        let given = |it: &HazardItem| items.iter().any(|item| item.source == it.source && item.part == it.part);
        prop_assert!(back.items.iter().all(|it| given(it) || !it.active));
        back.items.retain(given);
        let order = |a: &HazardItem, b: &HazardItem| (a.source, &a.part).cmp(&(b.source, &b.part));
        items.sort_by(order);
        back.items.sort_by(order);
        prop_assert_eq!(back.items, items);
    }

    #[test]
    fn localizations(bits in 0..0x1_0000u32, mode in select(MODES), sensor in select(SENSORS)) {
        // Any state that Misty can tell is what comes from reading one.
        let json = format!(r#"{{"slamStatus":{{"status":{bits},"runMode":"{mode}","sensorStatus":"{sensor}"}}}}"#);
        let message = crate::misty::wire::Message::parse(crate::misty::wire::EventType::SlamStatus, &json).unwrap();
        let heard = crate::misty::map::signals_from_message(&message, super::RECEIVED).remove(0);
        comes_back(&super::update_from_heard(heard), 0.0)?;
    }

    #[test]
    fn yaws_of_many_turns_are_the_same_direction(yaw_rad in -100.0..100.0f64) {
        let orientation = Some(Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad });
        let turned = update(None, Imu { orientation, angular_velocity: None, linear_acceleration: None });
        let Signal::Imu(back) = there_and_back(&turned).signal else { panic!() };
        let back = back.orientation.unwrap().yaw_rad;
        prop_assert!(back.abs() <= PI && (back - yaw_rad).sin().abs() < 1e-7 && (back - yaw_rad).cos() > 0.0);
    }
}

const MODES: &[&str] = &["Uninitialized", "Tracking", "Exploring", "Relocalizing", "NotAvailable", "Docking"];
const SENSORS: &[&str] = &["Connected", "Ready", "Streaming", "USBError", "Asleep"];
