//! What a robot's owner sets: how fast it drives at most, as `/robot-params` and as `/system/settings`; no I/O.
//!
//! Both are the same numbers under two names. What slows down or goes backwards is negative on the wire.

use latimer_core::model::signal::{DriveLimits, SpeedLimits};
use serde_json::{Map, Value, json};

use super::fields::Fields;
use super::problem::Problem;

/// A number under its two names.
struct Param {
    param: &'static str,
    setting: &'static str,
    title: &'static str,
    negative: bool,
    slot: fn(&mut SpeedLimits) -> &mut Option<f64>,
}

const PARAMS: [Param; 5] = [
    Param {
        param: "/wheel_control/max_forward_velocity",
        setting: "control.max_forward_velocity",
        title: "Control: Max Forward Velocity",
        negative: false,
        slot: |it| &mut it.forward_mps,
    },
    Param {
        param: "/wheel_control/max_backward_velocity",
        setting: "control.max_backward_velocity",
        title: "Control: Max Backward Velocity",
        negative: true,
        slot: |it| &mut it.backward_mps,
    },
    Param {
        param: "/wheel_control/max_forward_acc",
        setting: "control.max_forward_acc",
        title: "Control: Max Forward Acc",
        negative: false,
        slot: |it| &mut it.speed_up_mps2,
    },
    Param {
        param: "/wheel_control/max_forward_decel",
        setting: "control.max_forward_decel",
        title: "Control: Max Forward Decel",
        negative: true,
        slot: |it| &mut it.slow_down_mps2,
    },
    Param {
        param: "/wheel_control/max_angular_velocity",
        setting: "control.max_angular_velocity",
        title: "Control: Max Angular Velocity",
        negative: false,
        slot: |it| &mut it.angular_radps,
    },
];

/// Which of the two names are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// `/wheel_control/…`, of `/robot-params`.
    Params,
    /// `control.…`, of `/system/settings`.
    Settings,
}

impl Names {
    const fn of(self, param: &Param) -> &'static str {
        match self {
            Self::Params => param.param,
            Self::Settings => param.setting,
        }
    }

    /// The name of the outline.
    pub const fn footprint(self) -> &'static str {
        match self {
            Self::Params => "/robot/footprint",
            Self::Settings => "robot.footprint",
        }
    }
}

impl Param {
    fn limit(&self, limits: &SpeedLimits) -> Option<f64> {
        *(self.slot)(&mut limits.clone())
    }

    /// Between the wire and the model, either way; never a negative zero.
    fn signed(&self, value: f64) -> f64 {
        if self.negative && value != 0.0 { -value } else { value }
    }

    fn on_wire(&self, limits: &SpeedLimits) -> Option<f64> {
        self.limit(limits).map(|limit| self.signed(limit))
    }

    /// From the least to the greatest value on the wire.
    fn range(&self, greatest: &SpeedLimits) -> Option<[f64; 2]> {
        let greatest = self.limit(greatest)?;
        Some(if self.negative { [-greatest, 0.0] } else { [0.0, greatest] })
    }
}

/// The limits that are known, under their names.
pub fn json_from_limits(limits: &SpeedLimits, names: Names) -> Map<String, Value> {
    let known = PARAMS.iter().filter_map(|it| Some((names.of(it).to_owned(), json!(it.on_wire(limits)?))));
    known.collect()
}

/// The limits that `/robot-params` of a chassis tell; what is no number of the right sign is not there.
pub fn limits_from_params(params: &Value) -> SpeedLimits {
    let mut limits = SpeedLimits::NONE;
    for param in &PARAMS {
        let value = params.get(param.param).and_then(Value::as_f64).map(|value| param.signed(value));
        *(param.slot)(&mut limits) = value.filter(|value| *value >= 0.0);
    }
    limits
}

/// The limits that a request sets; `greatest` is the robot's own bound, if known.
pub fn limits_from_fields(
    fields: &Fields,
    names: Names,
    greatest: &SpeedLimits,
) -> Result<SpeedLimits, Problem> {
    let unknown = fields.names().find(|name| !PARAMS.iter().any(|it| names.of(it) == *name));
    if let Some(name) = unknown {
        let name: String = name.chars().take(80).collect();
        let known = PARAMS.iter().map(|it| names.of(it)).collect::<Vec<_>>().join(", ");
        return Err(Problem::Bad(format!("{name:?} cannot be set here; what can be set is: {known}")));
    }
    let mut limits = SpeedLimits::NONE;
    for param in &PARAMS {
        let name = names.of(param);
        let Some(value) = fields.number(name)? else { continue };
        let [low, high] = param.range(greatest).unwrap_or(match param.negative {
            true => [f64::MIN, 0.0],
            false => [0.0, f64::MAX],
        });
        if !(low..=high).contains(&value) {
            let must = match param.range(greatest) {
                Some([low, high]) => format!("must be from {low} to {high}"),
                None if param.negative => "must not be positive".to_owned(),
                None => "must not be negative".to_owned(),
            };
            return Err(Problem::Bad(format!("{name:?} is {value}, but {must}")));
        }
        *(param.slot)(&mut limits) = Some(param.signed(value));
    }
    Ok(limits)
}

/// Limits over others: what the upper ones do not have, the lower ones have.
pub fn overlaid(upper: &SpeedLimits, lower: &SpeedLimits) -> SpeedLimits {
    let mut limits = lower.clone();
    for param in &PARAMS {
        if let Some(limit) = param.limit(upper) {
            *(param.slot)(&mut limits) = Some(limit);
        }
    }
    limits
}

/// The limits that are not what they are by default.
pub fn changed(limits: &DriveLimits) -> SpeedLimits {
    let mut changed = SpeedLimits::NONE;
    for param in &PARAMS {
        let present = param.limit(&limits.present);
        *(param.slot)(&mut changed) = present.filter(|_| present != param.limit(&limits.default));
    }
    changed
}

/// What can be set, with its bounds; of what the robot does not know there is nothing.
pub fn schema(limits: &DriveLimits) -> Vec<Value> {
    let known = PARAMS.iter().filter(|it| it.limit(&limits.present).is_some());
    let one = |it: &Param| {
        let mut one = json!({"name": it.setting, "title": it.title, "type": "float"});
        if let Some(default) = it.on_wire(&limits.default) {
            one["default"] = json!(default);
        }
        if let Some([low, high]) = it.range(&limits.greatest) {
            one["range"] = json!(format!("[{low}, {high}]"));
        }
        one
    };
    known.map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(forward_mps: f64, backward_mps: f64) -> SpeedLimits {
        SpeedLimits { forward_mps: Some(forward_mps), backward_mps: Some(backward_mps), ..SpeedLimits::NONE }
    }

    fn fields(body: &str) -> Fields {
        Fields::read(body.as_bytes()).unwrap()
    }

    #[test]
    fn backwards_is_negative_on_the_wire() {
        let written = Value::Object(json_from_limits(&limits(0.8, 0.2), Names::Params));
        assert_eq!(
            written,
            json!({"/wheel_control/max_forward_velocity": 0.8, "/wheel_control/max_backward_velocity": -0.2})
        );
        assert_eq!(limits_from_params(&written), limits(0.8, 0.2));
        let odd =
            json!({"/wheel_control/max_forward_velocity": -1, "/wheel_control/max_backward_velocity": "x"});
        assert_eq!(limits_from_params(&odd), SpeedLimits::NONE);
    }

    #[test]
    fn values_out_of_bounds_are_refused_with_their_range() {
        let read = |body: &str| limits_from_fields(&fields(body), Names::Settings, &limits(0.8, 0.3));
        assert_eq!(read(r#"{"control.max_forward_velocity": 0}"#).unwrap().forward_mps, Some(0.0));
        for (body, part) in [
            (r#"{"control.max_forward_velocity": 5}"#, "from 0 to 0.8"),
            (r#"{"control.max_backward_velocity": 0.2}"#, "from -0.3 to 0"),
            (r#"{"control.max_forward_acc": -1}"#, "must not be negative"),
            (r#"{"control.max_forward_velocity": "fast"}"#, "is no number"),
            (r#"{"/wheel_control/max_forward_velocity": 0.5}"#, "control.max_angular_velocity"),
        ] {
            let problem = read(body).unwrap_err();
            assert!(problem.status() == 400 && problem.to_string().contains(part), "{body}: {problem}");
        }
    }

    #[test]
    fn what_the_user_set_differs_from_the_default() {
        let limits =
            DriveLimits { present: limits(0.5, 0.2), default: limits(0.8, 0.2), greatest: limits(0.8, 0.3) };
        let user = json_from_limits(&changed(&limits), Names::Settings);
        assert_eq!(Value::Object(user), json!({"control.max_forward_velocity": 0.5}));
        assert_eq!(schema(&limits)[1]["range"], "[-0.3, 0]");
    }
}
