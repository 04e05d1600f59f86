//! Which hazards stop the robot: `hazard/updatebasesettings` and the answer of `hazards/settings`.
//!
//! | wire | model |
//! |---|---|
//! | `bumpSensorsEnabled` `{"Bump_FrontRight": true}` or `[{"sensorName", "enabled"}]` | bumpers, by part |
//! | `timeOfFlightThresholds` `{"TOF_DownFrontRight": 0.06}` or `[{"sensorName", "threshold"}]` | ranges, by part; metres |

use std::sync::Arc;

use latimer_core::model::Command;
use latimer_core::model::signal::{HazardSettings, HazardSource, Limit, Switch};
use serde_json::{Map, Value, json};

use super::command_params::CommandParams;
use crate::misty::lenient::get_ci;
use crate::misty::map::{HazardName, hazard_names};

/// The part that a sensor's name on the wire stands for: Misty's own, or the part's as [`wire_name`] tells it, which is of small letters.
fn part_of(source: HazardSource, name: &str) -> Option<Arc<str>> {
    let known = hazard_names(source).iter().find(|(_, wire)| wire.eq_ignore_ascii_case(name));
    let is_part = |name: &str| {
        !name.is_empty() && name.bytes().all(|it| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'_'))
    };
    known.map(|(part, _)| (*part).into()).or_else(|| is_part(name).then(|| name.into()))
}

/// The name on the wire of a part in hazards; the part's own if Misty has no such sensor.
fn wire_name(source: HazardSource, part: &str) -> &str {
    hazard_names(source).iter().find(|(known, _)| *known == part).map_or(part, |(_, wire)| wire)
}

/// `(sensor, value)` pairs of a dictionary or of a list of objects.
fn pairs(value: &Value, value_key: &str) -> Option<Vec<(String, Value)>> {
    match value {
        Value::Object(fields) => {
            Some(fields.iter().map(|(name, value)| (name.clone(), value.clone())).collect())
        }
        Value::Array(items) => items
            .iter()
            .map(|item| {
                let fields = item.as_object()?;
                let name = get_ci(fields, "sensorName").or_else(|| get_ci(fields, "sensorId"))?.as_str()?;
                Some((name.to_owned(), get_ci(fields, value_key)?.clone()))
            })
            .collect(),
        _ => None,
    }
}

/// The command that `hazard/updatebasesettings` stands for.
pub(super) fn hazard_settings_from_params(params: &mut CommandParams<'_>) -> Command {
    let mut switches = Vec::new();
    let mut limits = Vec::new();
    if params.optional("DisableBumpSensors") == Some(true) {
        let off = |(part, _): &HazardName| Switch { part: (*part).into(), enabled: false };
        switches.extend(hazard_names(HazardSource::Bumper).iter().map(off));
    }
    if params.optional("DisableTimeOfFlights") == Some(true) {
        let off = |(part, _): &HazardName| Limit { part: (*part).into(), threshold_m: 0.0 };
        limits.extend(hazard_names(HazardSource::Range).iter().map(off));
    }
    if let Some(given) = params.optional::<Value>("BumpSensorsEnabled") {
        for (name, value) in listed(params, "BumpSensorsEnabled", &given, "enabled") {
            match (part_of(HazardSource::Bumper, &name), truth(&value)) {
                (Some(part), Some(enabled)) => switches.push(Switch { part, enabled }),
                (None, _) => params.refuse(format!("Invalid sensor '{name}' in BumpSensorsEnabled")),
                (_, None) => params
                    .refuse(format!("Invalid value of '{name}' in BumpSensorsEnabled, use true or false")),
            }
        }
    }
    if let Some(given) = params.optional::<Value>("TimeOfFlightThresholds") {
        for (name, value) in listed(params, "TimeOfFlightThresholds", &given, "threshold") {
            match (part_of(HazardSource::Range, &name), metres(&value)) {
                (Some(part), Some(threshold_m)) => limits.push(Limit { part, threshold_m }),
                (None, _) => params.refuse(format!("Invalid sensor '{name}' in TimeOfFlightThresholds")),
                (_, None) => {
                    params.refuse(format!("Invalid value of '{name}' in TimeOfFlightThresholds, use metres"))
                }
            }
        }
    }
    let revert = params.optional("RevertToDefault").unwrap_or(false);
    Command::HazardSettings { revert, bumpers: switches, ranges: limits }
}

fn listed(
    params: &mut CommandParams<'_>,
    name: &str,
    given: &Value,
    value_key: &str,
) -> Vec<(String, Value)> {
    pairs(given, value_key).unwrap_or_else(|| {
        params.refuse(format!("Invalid {name}, use {{\"sensor\": {value_key}}} or a list of objects"));
        Vec::new()
    })
}

fn truth(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| value.as_str()?.trim().to_ascii_lowercase().parse().ok())
}

fn metres(value: &Value) -> Option<f64> {
    let metres = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    (metres.is_finite() && metres >= 0.0).then_some(metres)
}

/// The body of `hazard/updatebasesettings`.
pub(super) fn hazard_settings_to_json(revert: bool, switches: &[Switch], limits: &[Limit]) -> Value {
    let mut body = Map::new();
    body.insert("RevertToDefault".into(), json!(revert));
    let switches: Vec<Value> = switches
        .iter()
        .map(|switch| json!({"sensorName": wire_name(HazardSource::Bumper, &switch.part), "enabled": switch.enabled}))
        .collect();
    let limits: Vec<Value> = limits
        .iter()
        .map(|limit| json!({"sensorName": wire_name(HazardSource::Range, &limit.part), "threshold": limit.threshold_m}))
        .collect();
    body.insert("BumpSensorsEnabled".into(), json!(switches));
    body.insert("TimeOfFlightThresholds".into(), json!(limits));
    Value::Object(body)
}

/// The `result` of `hazards/settings`.
pub(in crate::misty) fn hazard_settings_answer(settings: &HazardSettings) -> Value {
    let HazardSettings { bumpers: switches, ranges: limits } = settings;
    let switches: Vec<Value> = switches
        .iter()
        .map(|switch| json!({"enabled": switch.enabled, "sensorName": wire_name(HazardSource::Bumper, &switch.part)}))
        .collect();
    let limits: Vec<Value> = limits
        .iter()
        .map(|limit| json!({"sensorName": wire_name(HazardSource::Range, &limit.part), "threshold": limit.threshold_m}))
        .collect();
    json!({"bumpSensors": switches, "timeOfFlightSensors": limits})
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::*;

    fn read(body: &str) -> Result<Command, String> {
        let params = Params::read("", body).unwrap();
        let mut params = params.for_command("update hazard settings");
        let command = hazard_settings_from_params(&mut params);
        params.finish().map(|()| command).map_err(|error| error.to_string())
    }

    #[test]
    fn dictionaries_and_lists_say_the_same() {
        let old = r#"{"BumpSensorsEnabled":{"Bump_FrontRight":false},"TimeOfFlightThresholds":{"TOF_DownBackLeft":0.1}}"#;
        let new = r#"{"bumpSensorsEnabled":[{"sensorName":"bump_frontright","enabled":false}],
            "timeOfFlightThresholds":[{"sensorName":"toF_DownBackLeft","threshold":"0.1"}]}"#;
        let command = read(old).unwrap();
        assert_eq!(command, read(new).unwrap());
        let Command::HazardSettings { bumpers, ranges, revert: false } = &command else {
            panic!("{command:?}")
        };
        assert_eq!((&*bumpers[0].part, bumpers[0].enabled), ("bump_front_right", false));
        assert_eq!((&*ranges[0].part, ranges[0].threshold_m), ("cliff_back_left", 0.1));
        let back = hazard_settings_to_json(false, bumpers, ranges).to_string();
        assert_eq!(read(&back).unwrap(), command);
    }

    #[test]
    fn a_sensor_that_no_misty_has_is_called_as_it_is_told() {
        let settings = HazardSettings {
            bumpers: vec![Switch { part: "cliff_reflex".into(), enabled: true }],
            ranges: Vec::new(),
        };
        let told = hazard_settings_answer(&settings)["bumpSensors"].to_string();
        let Command::HazardSettings { bumpers, .. } =
            read(&format!(r#"{{"bumpSensorsEnabled":{told}}}"#)).unwrap()
        else {
            panic!("{told}")
        };
        assert_eq!(bumpers, settings.bumpers);
    }

    #[test]
    fn sensors_can_be_switched_off_together() {
        let command = read(r#"{"DisableTimeOfFlights":true,"DisableBumpSensors":"true"}"#).unwrap();
        let Command::HazardSettings { bumpers, ranges, .. } = command else { panic!() };
        assert_eq!((bumpers.len(), ranges.len()), (4, 8));
    }

    #[test]
    fn wrong_sensors_and_values_are_named() {
        assert!(read(r#"{"BumpSensorsEnabled":{"Bump_Top":true}}"#).unwrap_err().contains("Bump_Top"));
        assert!(read(r#"{"TimeOfFlightThresholds":{"TOF_Right":-1}}"#).unwrap_err().contains("metres"));
        assert!(read(r#"{"TimeOfFlightThresholds":7}"#).unwrap_err().contains("TimeOfFlightThresholds"));
    }
}
