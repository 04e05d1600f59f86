//! Every kind of coordinates, to another frame and back.

use proptest::prelude::*;

use super::Target;
use crate::frames::{NoTransform, Pose2};
use crate::model::sample::Seed;
use crate::model::shape::{Type, ValueType};
use crate::model::signal::{
    Contact, ContactSensor, DetectedObject, Door, DoorState, Doors, FeatureKind, Frame, FrameName,
    MapFeature, MapInfo, Navigation, NavigationKind, NavigationState, Neighbour, Neighbours, Objects,
    OccupancyGrid, Path, Point, PointCloud, Pose, Range, Relocation, RelocationState, Scan,
};
use crate::model::{Kind, Signal, ToValue, Value};

/// One signal of each kind that has coordinates, all at a place.
fn signals(at: Pose2) -> Vec<Signal> {
    let Pose2 { x_m, y_m, yaw_rad } = at;
    let pose =
        Pose { z_m: 0.3, roll_rad: 0.1, pitch_rad: -0.2, ..Pose::planar(Frame::Map, x_m, y_m, yaw_rad) };
    let points_m = vec![[x_m, y_m], [x_m + 1.0, y_m]];
    let text = |it: &str| Some(it.to_owned());
    vec![
        pose.clone().into(),
        Scan {
            angle_min_rad: -1.0,
            angle_increment_rad: 1.0,
            range_min_m: 0.1,
            range_max_m: 9.0,
            ranges_m: vec![1.0, 2.0, f32::INFINITY],
            pose: Some(pose.clone()),
        }
        .into(),
        PointCloud { frame: Frame::Map, points_m: vec![[x_m, y_m, 0.5]] }.into(),
        OccupancyGrid {
            frame: Frame::Map,
            resolution_m: 0.05,
            width: 2,
            height: 1,
            origin_x_m: x_m,
            origin_y_m: y_m,
            origin_yaw_rad: yaw_rad,
            cells: vec![0, 100].into(),
        }
        .into(),
        Path { frame: Frame::Map, points_m: points_m.clone(), yaws_rad: vec![yaw_rad, 0.0], width_m: None }
            .into(),
        Contact {
            contacted: true,
            sensor: ContactSensor::Bumper,
            position: Some(Point { x_m, y_m, z_m: 0.1 }),
            frame: Frame::Map,
        }
        .into(),
        Navigation {
            target: Some(pose.clone()),
            place: text("dock"),
            remaining_m: Some(2.0),
            ..Navigation::new(1, NavigationKind::Goto, NavigationState::Moving)
        }
        .into(),
        Relocation {
            state: RelocationState::Succeeded,
            score_percent: None,
            needs_confirmation: None,
            pose: Some(pose.clone()),
            message: None,
        }
        .into(),
        Objects { objects: vec![DetectedObject { pose: pose.clone(), ..DetectedObject::UNKNOWN }] }.into(),
        MapInfo {
            name: "hall".to_owned(),
            uid: None,
            version: None,
            features_version: None,
            features: vec![MapFeature {
                kind: FeatureKind::Charger,
                id: None,
                name: None,
                pose: Some(pose.clone()),
                points_m: points_m.clone(),
                mac: None,
            }],
        }
        .into(),
        Neighbours {
            robots: vec![Neighbour {
                robot: "other".to_owned(),
                pose,
                footprint_m: vec![[0.1, 0.1]],
                trend_m: points_m.clone(),
            }],
        }
        .into(),
        Doors {
            doors: vec![Door {
                name: "front".to_owned(),
                mac: None,
                state: DoorState::Open,
                polygon_m: points_m,
            }],
        }
        .into(),
    ]
}

/// A signal in a frame whose origin is somewhere in the old one.
fn moved(signal: &Signal, origin: Pose2, name: Frame) -> Signal {
    let there = |_| Ok(Pose2::default().seen_from(origin));
    let target = Target { name, origin: &there, scanner: &|| Ok(Pose2::default()) };
    signal.in_frame(&target).expect("it has a transform").expect("it has coordinates")
}

/// And back, where that frame is called as before.
fn and_back(signal: &Signal, origin: Pose2) -> Signal {
    let here = |_| Ok(origin);
    let target = Target { name: Frame::Map, origin: &here, scanner: &|| Ok(Pose2::default()) };
    signal.in_frame(&target).expect("it has a transform").expect("it has coordinates")
}

/// Whether two values are the same but for what is lost in floating-point arithmetic.
fn near(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Float(one), Value::Float(other)) => (one - other).abs() < 1e-6,
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| near(one, other))
        }
        (Value::Map(one), Value::Map(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|((name, one), (again, other))| name == again && near(one, other))
        }
        (one, other) => one == other,
    }
}

proptest! {
    #[test]
    fn there_and_back_is_what_it_was(
        // A whole turn is none, hence away from where angles wrap.
        (x, y, yaw) in (-1e2..1e2, -1e2..1e2, -3.0..3.0),
        (at_x, at_y, turn) in (-1e2..1e2, -1e2..1e2, -10.0..10.0),
    ) {
        let origin = Pose2::new(at_x, at_y, turn);
        let hall = Frame::Tree(FrameName::keep("hall"));
        for signal in signals(Pose2::new(x, y, yaw)) {
            let there = moved(&signal, origin, hall);
            let back = and_back(&there, origin);
            prop_assert!(near(&back.to_value(), &signal.to_value()), "{signal:?} is {back:?}");
        }
    }
}

#[test]
fn what_names_a_frame_is_moved_and_says_so() {
    let origin = Pose2::new(1.0, 0.0, std::f64::consts::FRAC_PI_2);
    let hall = Frame::Tree(FrameName::keep("hall"));
    for signal in signals(Pose2::new(1.0, 2.0, 0.0)) {
        assert_eq!(signal.frame(), Some(Frame::Map), "{signal:?}");
        let there = moved(&signal, origin, hall);
        assert_ne!(there, signal);
        let text = there.to_value().to_string();
        assert!(!text.contains("frame: map"), "{text}");
    }
    let Signal::Pose(pose) = moved(&signals(Pose2::new(1.0, 2.0, 0.0))[0], origin, hall) else { panic!() };
    assert!(Pose2::from(&pose).distance_to(2.0, 0.0) < 1e-9, "{pose:?}");
    assert_eq!((pose.z_m, pose.roll_rad, pose.pitch_rad), (0.3, 0.1, -0.2));
}

#[test]
fn without_coordinates_nothing_is_asked_for() {
    let nowhere = |_| Err(NoTransform::Unknown("nowhere".to_owned()));
    let target = Target { name: Frame::Map, origin: &nowhere, scanner: &|| Ok(Pose2::default()) };
    let range = Signal::from(Range::valid(1.0));
    assert_eq!((range.frame(), range.in_frame(&target)), (None, Ok(None)));
    for signal in signals(Pose2::default()) {
        assert_eq!(signal.in_frame(&target).err(), nowhere(Frame::Map).err(), "{signal:?}");
    }
    let doors = Signal::from(Doors { doors: Vec::new() });
    assert_eq!(doors.in_frame(&target), Ok(Some(doors)));
}

#[test]
fn a_kind_whose_record_names_a_frame_has_coordinates() {
    fn names_a_frame(form: &ValueType) -> bool {
        match form.type_ {
            Type::Record(fields) => {
                fields.iter().any(|field| field.name == "frame" || names_a_frame(&field.form))
            }
            Type::List(item) => names_a_frame(item),
            _ => false,
        }
    }
    for kind in Kind::ALL.iter().filter(|it| names_a_frame(&ValueType::of(Type::Record(it.shape().fields)))) {
        let signal = Signal::made_up(*kind, &mut Seed::new(1));
        assert!(signal.placed().is_some(), "{kind}: its line in the list of signals lacks `placed = true`");
    }
}
