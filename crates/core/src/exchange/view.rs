//! The names under which conditions and picked fields find values in an update.

use super::Shared;
use crate::model::{Kind, PartName, Path, ToValue, Value};

/// A vocabulary: the model's own, or that of a dialect's messages.
pub trait View: Send + Sync {
    /// Whether updates of a kind and part can be expressed at all; asked once for each topic that a subscription selects.
    fn covers(&self, kind: Kind, part: Option<&PartName>) -> bool {
        let _ = (kind, part);
        true
    }

    /// Whether one update of what is covered can be expressed; others are skipped.
    fn knows(&self, update: &Shared) -> bool {
        let _ = update;
        true
    }

    /// The value at a path; `None` if the update has no such property.
    fn value(&self, update: &Shared, path: &Path) -> Option<Value>;
}

/// The model's own names: `range.distance_m`, or `distance_m` for short; `robot`, `part` and `kind` too.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelView;

impl View for ModelView {
    fn value(&self, update: &Shared, path: &Path) -> Option<Value> {
        let (first, rest) = path.segments().split_first()?;
        if rest.is_empty() {
            match &**first {
                "robot" => return Some(update.robot.to_value()),
                "part" => return Some(Value::Text(update.part.as_ref()?.to_string().into())),
                "kind" => return Some(update.kind().to_value()),
                _ => {}
            }
        }
        if let (Some(kind), Some((field, below))) = (Kind::from_word(first), rest.split_first()) {
            return if kind == update.kind() { below_field(update, field, below) } else { None };
        }
        below_field(update, first, rest)
    }
}

fn below_field(update: &Shared, field: &str, below: &[Box<str>]) -> Option<Value> {
    let value = update.signal.field(field)?;
    if below.is_empty() { Some(value) } else { value.at(below).cloned() }
}

/// The picked fields of an update as a map in the order asked for; what is not there is left out.
pub fn picked(view: &dyn View, update: &Shared, pick: &[Path]) -> Value {
    let found = pick.iter().filter_map(|path| Some((path.to_string().into(), view.value(update, path)?)));
    Value::Map(found.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::signal::{AngularRate, Imu};
    use crate::{RobotId, Timestamp, Update};

    #[test]
    fn finds_fields_by_kind_and_without() {
        let imu = Imu {
            orientation: None,
            angular_velocity: Some(AngularRate { x_radps: 0.0, y_radps: 0.0, z_radps: 0.5 }),
            linear_acceleration: None,
        };
        let robot = RobotId::new("rover-1").unwrap();
        let update = Shared::new(Update::now(&robot, Timestamp::default(), imu.into()), 0);
        let get = |path: &str| ModelView.value(&update, &path.parse().unwrap());
        assert_eq!(get("imu.angular_velocity.z_radps"), Some(Value::Float(0.5)));
        assert_eq!(get("angular_velocity.z_radps"), Some(Value::Float(0.5)));
        assert_eq!(get("robot"), Some(Value::Text("rover-1".into())));
        assert_eq!(get("range.distance_m"), None);
        assert_eq!(get("imu.orientation"), Some(Value::Null));
        let picked = picked(&ModelView, &update, &["imu.angular_velocity.z_radps".parse().unwrap()]);
        assert_eq!(picked.to_string(), "{imu.angular_velocity.z_radps: 0.5}");
    }
}
