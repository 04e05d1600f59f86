//! What a robot has and can, as its source declared it.

use latimer_core::model::profile::{
    Camera, Joint, PlacedSensor, RangeSensor as ModelRange, RobotProfile as ModelProfile, Wheels,
};
use latimer_core::model::{Kind, PartName};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A part and what it is there for.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct PartRole {
    /// Its name.
    pub part: String,
    /// Of a camera `front`, `back`, `left` or `right`; of a joint what it moves, e.g. `head_yaw`; of a bumper, touch or edge sensor where
    /// it sits, e.g. `front_left`.
    pub role: String,
}

/// A sensor that measures distances.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct RangeSensor {
    /// `range`, `scan` or `point_cloud`.
    pub kind: String,
    /// Its name, if its reports have one.
    pub part: Option<String>,
    /// Where it sits in the axes of what carries it: forward, left, up.
    pub at_m: Option<[f64; 3]>,
    /// Where it looks in those axes, counter-clockwise from ahead.
    pub yaw_rad: Option<f64>,
    /// How wide it looks.
    pub field_of_view_rad: Option<f64>,
    /// Joints that carry it, from the base outward.
    pub joints: Vec<String>,
    /// Farthest distance measured.
    pub max_m: Option<f64>,
}

/// What a robot has and can, as far as its source knows.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct RobotProfile {
    /// Corners of its outline from above, counter-clockwise, in its own axes.
    pub footprint_m: Vec<[f64; 2]>,
    /// Greatest speed of a wheel.
    pub max_wheel_mps: Option<f64>,
    /// Distance between its wheels.
    pub wheel_gap_m: Option<f64>,
    /// Radius of its wheels.
    pub wheel_radius_m: Option<f64>,
    /// Its cameras.
    pub cameras: Vec<PartRole>,
    /// Its joints.
    pub joints: Vec<PartRole>,
    /// Its lamps; `null` for one that needs no name.
    pub lamps: Vec<Option<String>>,
    /// Its range sensors.
    pub ranges: Vec<RangeSensor>,
    /// Sensors for contacts and edges, by where they sit.
    pub placed: Vec<PartRole>,
    /// The kinds that it may publish; none if nothing is declared.
    pub kinds: Vec<String>,
    /// `never`, `localizes`, `makes` or `unknown`.
    pub map: String,
    /// What it can do, e.g. `navigate`.
    pub abilities: Vec<String>,
}

fn name(part: &Option<PartName>) -> Option<String> {
    part.as_ref().map(PartName::to_string)
}

impl From<&ModelRange> for RangeSensor {
    fn from(sensor: &ModelRange) -> Self {
        let ModelRange { kind, part, mount, bearing_rad: _, field_rad, max_m } = sensor;
        let hinges = mount.iter().flat_map(|it| &it.hinges);
        Self {
            kind: kind.to_string(),
            part: name(part),
            at_m: mount.as_ref().map(|it| it.at_m),
            yaw_rad: sensor.bearing(),
            field_of_view_rad: *field_rad,
            joints: hinges.map(|it| it.joint.to_string()).collect(),
            max_m: *max_m,
        }
    }
}

impl From<&ModelProfile> for RobotProfile {
    fn from(profile: &ModelProfile) -> Self {
        let ModelProfile {
            footprint_m,
            wheels,
            cameras,
            joints,
            lamps,
            sounds: _,
            ranges,
            placed,
            kinds,
            attitude: _,
            texts: _,
            map,
            abilities,
            still: _,
        } = profile;
        let placed = placed.iter().map(|PlacedSensor { kind: _, part, place }| PartRole {
            part: part.to_string(),
            role: place.as_str().to_owned(),
        });
        let camera = |Camera { part, role, mount: _, lens: _ }: &Camera| PartRole {
            part: part.to_string(),
            role: role.as_str().to_owned(),
        };
        let joint = |Joint { part, role }: &Joint| PartRole {
            part: part.to_string(),
            role: role.as_str().to_owned(),
        };
        Self {
            footprint_m: footprint_m.clone(),
            max_wheel_mps: wheels.map(|Wheels { max_mps, .. }| max_mps),
            wheel_gap_m: wheels.map(|Wheels { gap_m, .. }| gap_m),
            wheel_radius_m: wheels.and_then(|Wheels { radius_m, .. }| radius_m),
            cameras: cameras.iter().map(camera).collect(),
            joints: joints.iter().map(joint).collect(),
            lamps: lamps.iter().map(name).collect(),
            ranges: ranges.iter().map(Into::into).collect(),
            placed: placed.collect(),
            kinds: Kind::ALL.iter().filter(|kind| kinds.contains(**kind)).map(ToString::to_string).collect(),
            map: map.as_str().to_owned(),
            abilities: abilities.iter().map(|it| it.as_str().to_owned()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use latimer_dialects::DIALECTS;
    use latimer_world::bodies;

    use super::*;

    #[test]
    fn a_simulated_robot_has_all_that_every_robot_of_its_family_has() {
        for entry in DIALECTS {
            // A dialect need not have a body of its own.
            let Some(body) = bodies::find(entry.name) else { continue };
            let body: &ModelProfile = &body.profile;
            let every: &ModelProfile = entry.profile();
            let has = |what: &str, is: bool| assert!(is, "{}: {what} of {body:?}", entry.name);
            for camera in &every.cameras {
                let own = body.camera(camera.role).filter(|it| it.part == camera.part);
                has("camera", own.is_some_and(|it| camera.mount.is_none() || it.mount == camera.mount));
            }
            has("joint", every.joints.iter().all(|it| body.joints.contains(it)));
            has("lamp", every.lamps == body.lamps);
            has("sound", every.sounds.iter().all(|it| body.sounds.contains(it)));
            has("wheels", every.wheels.is_none() || every.wheels == body.wheels);
            has("placed sensor", every.placed.iter().all(|it| body.placed.contains(it)));
            has("map", every.map == body.map);
            has("ability", every.abilities.iter().all(|it| body.can(*it)));
            has("scan", !every.scans() || body.scans());
            let ranges = every.ranges.iter().filter_map(|it| it.part.as_ref());
            has(
                "range",
                ranges.into_iter().all(|part| body.ranges.iter().any(|it| it.part.as_ref() == Some(part))),
            );
        }
    }

    #[test]
    fn a_profile_is_written_with_its_roles() {
        let miro: &ModelProfile = latimer_dialects::find("miro").unwrap().profile();
        insta::assert_json_snapshot!("profile", RobotProfile::from(miro));
    }
}
