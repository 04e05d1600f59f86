use super::*;
use crate::model::sample::Seed;
use crate::model::signal::*;
use crate::model::{Record, ToValue};

fn every_field(fields: &'static [Field], see: &mut dyn FnMut(&'static Field)) {
    fn inside(form: &ValueType, see: &mut dyn FnMut(&'static Field)) {
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
    assert_eq!(Kind::Hazard.shape().at("items.part").unwrap().form, ValueType::of(Type::Text));
}

#[test]
fn published_values_have_the_declared_shape() {
    // What is not finite is published as missing.
    let mut seed = Seed::plain(1);
    for kind in Kind::ALL {
        for _ in 0..100 {
            let signal = Signal::made_up(*kind, &mut seed);
            assert_eq!(signal.kind(), *kind);
            let form = ValueType::of(Type::Record(kind.shape().fields));
            assert!(form.fits(&signal.to_value()), "{signal:?}");
        }
    }
    let form = ValueType::of(Type::Record(Range::SHAPE));
    assert!(!form.fits(&Path::of(Frame::Map, Vec::new()).to_value()));
    assert!(!ValueType::of(Type::Number).fits(&Value::Null));
}
