use bytes::Bytes;

use super::*;
use crate::model::signal::image::PictureFormat;
use crate::model::signal::*;
use crate::model::{Record, ToValue};

fn every_field(fields: &'static [Field], see: &mut dyn FnMut(&'static Field)) {
    fn inside(form: &Form, see: &mut dyn FnMut(&'static Field)) {
        match form.type_ {
            Type::Record(fields) => every_field(fields, see),
            Type::List(item) => inside(item, see),
            _ => {}
        }
    }
    for field in fields {
        see(field);
        inside(&field.form, see);
    }
}

#[test]
fn every_kind_and_field_is_documented() {
    for &kind in Kind::ALL {
        let shape = kind.shape();
        assert!(shape.summary.ends_with('.'), "{kind}: {:?}", shape.summary);
        let names: Vec<&str> = shape.fields.iter().map(|field| field.name).collect();
        assert_eq!(names, kind.fields(), "{kind}");
        every_field(shape.fields, &mut |field| {
            assert!(field.summary.ends_with('.'), "{kind}.{}: {:?}", field.name, field.summary);
            assert_eq!(field.summary, field.summary.trim());
            if let Type::Word(words) | Type::Name(words) = field.form.type_ {
                assert!(!words.is_empty());
                assert!(words.iter().all(|it| it.summary.ends_with('.')), "{words:?}");
            }
        });
    }
}

#[test]
fn units_come_from_names() {
    let unit = |kind: Kind, path: &str| kind.shape().at(path).unwrap().unit();
    assert_eq!(unit(Kind::Range, "distance_m"), Some("m"));
    assert_eq!(unit(Kind::Imu, "angular_velocity.x_radps"), Some("rad/s"));
    assert_eq!(unit(Kind::Imu, "linear_acceleration.x_mps2"), Some("m/s²"));
    assert_eq!(unit(Kind::Path, "points_m"), Some("m"));
    assert_eq!(unit(Kind::Audio, "sample_rate_hz"), Some("Hz"));
    assert_eq!(unit(Kind::Battery, "charge_ratio"), Some("ratio"));
    assert_eq!(unit(Kind::Range, "status"), None);
    assert_eq!(unit(Kind::Footprint, "polygon_m"), Some("m"));
    assert!(Kind::Range.shape().at("nothing").is_none() && Kind::Range.shape().at("distance_m.x").is_none());
    assert_eq!(Kind::Hazard.shape().at("items.part").unwrap().form, Form::of(Type::Text));
}

/// Signals that hold every type of field at least once.
fn samples() -> Vec<Signal> {
    let pose = || Pose::planar(Frame::Map, 1.0, 2.0, 0.5);
    let at = Timestamp::from_nanos(7);
    vec![
        Range::valid(0.25).into(),
        Cliff(Range::nothing()).into(),
        Battery { state: PowerState::Charging, ..Battery::UNKNOWN }.into(),
        pose().into(),
        Velocity::of(0.1, 0.2).into(),
        Joint::hinge(0.1).into(),
        Localization::IDLE.into(),
        Task::new("t1", "bring", TaskState::Progress).into(),
        Imu {
            orientation: Some(Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad: 0.0 }),
            angular_velocity: None,
            linear_acceleration: Some(Accel { x_mps2: 0.0, y_mps2: 0.0, z_mps2: 9.81 }),
        }
        .into(),
        Hazard {
            items: vec![HazardItem { source: HazardSource::Range, part: "front".into(), active: true }],
            critical_error_code: None,
        }
        .into(),
        Scan {
            angle_min_rad: 0.0,
            angle_increment_rad: 0.1,
            range_min_m: 0.1,
            range_max_m: 5.0,
            ranges_m: vec![1.0, f32::INFINITY],
            pose: Some(pose()),
        }
        .into(),
        Objects {
            objects: vec![DetectedObject {
                id: 1,
                class: None,
                label: Some("cup".into()),
                pose: pose(),
                size: Some(Size::flat(0.1, 0.1)),
                pockets: None,
                confidence_ratio: Some(0.5),
                sensed: true,
                first_seen: Some(at),
                last_seen: None,
            }],
        }
        .into(),
        CompressedImage {
            format: PictureFormat::Jpeg,
            width: 1,
            height: 1,
            data: Bytes::from_static(b"abc"),
        }
        .into(),
        Path::of(Frame::Map, vec![[0.0, 1.0]]).into(),
        Pins { inputs: vec![vec![true]], outputs: Vec::new() }.into(),
        Text { channel: TextChannel::Skill, text: "x".into(), data: Some(Value::Int(1)), truncated: None }
            .into(),
        Link {
            state: LinkState::Up,
            since: at,
            reconnects: 0,
            skew_min_s: None,
            skew_max_s: None,
            reason: None,
        }
        .into(),
        Color { red: 1, green: 2, blue: 3, ambient_ratio: None }.into(),
    ]
}

#[test]
fn published_values_have_the_declared_shape() {
    for signal in samples() {
        let form = Form::of(Type::Record(signal.kind().shape().fields));
        assert!(form.fits(&signal.to_value()), "{signal:?}");
    }
    let form = Form::of(Type::Record(Range::SHAPE));
    assert!(!form.fits(&Path::of(Frame::Map, Vec::new()).to_value()));
    assert!(!Form::of(Type::Number).fits(&Value::Null));
}
