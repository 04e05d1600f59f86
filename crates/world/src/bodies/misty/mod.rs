//! Misty II: two tracks, a head on three joints, two arms, eight time-of-flight sensors, four bumpers, six
//! touch sensors.
//!
//! Each file here is one organ: it takes what is physically so, keeps its own state, and writes what it
//! has to say into [`Reports`]. This file wires them together once a step:
//!
//! ```text
//!  command ─▶ goal ─▶ wish ─▶ (the world moves) ─▶ contacts, ranges, inertia ─▶ hazards ─▶ goal kept or dropped
//!                                                └▶ cameras, ears, battery, localisation ─▶ reports
//! ```

mod camera;
mod clips;
mod commands;
mod contacts;
mod driving;
mod faces;
mod figure;
mod hazards;
mod hearing;
mod identity;
mod joints;
mod locating;
mod motion_sense;
mod objects;
mod parts;
mod rangers;
mod stimuli;
mod training;

use std::sync::{Arc, LazyLock};

use latimer_core::model::signal::{CameraState, Library, MotionState};
use latimer_core::model::{Command, Kind};
use latimer_core::{Outcome, PartName};
use latimer_simulator_api::Stimulus;

use super::battery::Battery;
use super::camera_driver::{self, CameraDriver};
use super::lamps::{Glow, Lamps};
use super::state::{BodyState, Footing};
use super::{Body, BodyKind, Origin, Outbox, Wish};
use crate::acoustics::Emission;
use crate::behaviour::{Intent, Senses, Vitals};
use crate::config::Color;
use crate::drive::Speeds;
use crate::geometry::Pose2;
use crate::physics::{Motion2, STEP_S, Surroundings};
use camera::Camera;
use clips::Clips;
use contacts::Contacts;
use driving::Driving;
use faces::Faces;
use hazards::{Facts, Hazards};
use hearing::Hearing;
use identity::Identity;
use joints::Joints;
use locating::Locating;
use motion_sense::MotionSense;
use rangers::Rangers;

/// Steps between two reports of the battery: 1 s.
const BATTERY_PERIOD: u64 = 100;

/// Steps between two reports of pose and measured speed: 10 a second.
const POSE_PERIOD: u64 = 10;

/// Steps between two reports of the things around: 4 a second.
const OBJECTS_PERIOD: u64 = 25;

/// The kind of body.
pub(super) static KIND: BodyKind = BodyKind {
    family: "misty",
    title: "Misty II",
    footprint: parts::FOOTPRINT,
    color: Color([0xf2, 0xf2, 0xee]),
    height_m: 0.35,
    figure: figure::figure,
    profile: LazyLock::new(|| Arc::new(figure::profile())),
    make: |origin| Box::new(Misty::new(origin)),
};

/// The body.
pub(super) struct Misty {
    state: BodyState,
    settings_published: bool,
    driving: Driving,
    motion: MotionSense,
    contacts: Contacts,
    rangers: Rangers,
    hazards: Hazards,
    joints: Joints,
    lamps: Lamps<1>,
    battery: Battery,
    locating: Locating,
    faces: Faces,
    hearing: Hearing,
    clips: Clips,
    identity: Identity,
    camera_driver: CameraDriver,
    streams: [(Kind, PartName); camera_driver::STREAMS],
}

impl Misty {
    /// A body, fresh from the charger.
    fn new(origin: Origin<'_>) -> Self {
        let mut state = BodyState::new(origin.rng);
        let camera_driver = CameraDriver::new("camera", camera::CAMERA_MODE, 0);
        Self {
            streams: camera_driver.streams(),
            camera_driver,
            settings_published: false,
            driving: Driving::new(),
            motion: MotionSense::new(&mut state.rng),
            contacts: Contacts::new(),
            rangers: Rangers::new(),
            hazards: Hazards::new(),
            joints: Joints::new(),
            lamps: Lamps::new([parts::CHEST_LAMP]),
            battery: Battery::new(parts::CELL, BATTERY_PERIOD, &mut state.rng),
            locating: Locating::new(),
            faces: Faces::new(&origin.file.known_faces),
            hearing: Hearing::default(),
            clips: Clips::new(),
            identity: Identity::new(origin.robot, &mut state.rng),
            state,
        }
    }

    /// Why it cannot drive at all.
    fn disabled(&self) -> Option<&'static str> {
        let empty = self.battery.is_empty().then_some("the battery is empty; put the robot on a charger");
        self.state.fall().or(empty)
    }

    fn move_body(&mut self, around: &Surroundings<'_>) {
        let footing = self.state.footing();
        let motion = if footing == Footing::Ground { around.motion } else { Motion2::default() };
        self.driving.moved(around.motion, footing != Footing::Ground, STEP_S);
        let tracks = self.driving.tracks().speeds_mps();
        let now = &mut self.state.moment(around);
        self.motion.update(now, motion, tracks, footing);
        self.joints.update(now);
    }

    fn watch_hazards(&mut self, around: &Surroundings<'_>) {
        let grounded = self.state.footing() == Footing::Ground;
        let touching = if grounded { around.touching } else { &[] };
        self.contacts.update(touching, around.time_s, &mut self.state.reports);
        self.rangers.update(&mut self.state.moment(around), !grounded, around);
        let facts = Facts {
            bumpers: self.contacts.pressed(),
            seen: self.rangers.seen(),
            stalled: self.driving.tracks().is_stalled(),
            too_fast: around.motion.turn_radps.abs() > parts::OVERSPEED_RADPS,
        };
        self.hazards.update(&facts, &mut self.state.reports);
        let feeling = self.motion.feeling(around.time_s);
        self.driving.obey(&self.hazards, feeling, &mut self.state.reports);
        if let Some(reason) = self.disabled() {
            self.driving.give_up(MotionState::Failed, reason, &mut self.state.reports);
        }
        if !std::mem::replace(&mut self.settings_published, true) {
            self.state.reports.publish(self.hazards.settings());
        }
    }

    fn live(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>) {
        let [left, right] = self.driving.tracks().speeds_mps();
        let stalled = self.driving.tracks().is_stalled();
        let drive_a = if stalled {
            parts::STALL_LOAD_A
        } else {
            parts::DRIVE_LOAD.at((left.abs() + right.abs()) / 2.0)
        };
        let load_a = parts::BASE_LOAD_A + drive_a + self.joints.load_a();
        let charger_speed = around.charger_speed().filter(|_| around.time_s >= self.state.lifted_until_s);
        let camera = Camera {
            pose: around.pose,
            yaw_rad: self.joints.head_yaw_rad(),
            pitch_rad: self.joints.head_pitch_rad(),
        };
        if let Some(exposure) = self.camera_driver.look(around.time_s, around.demand, || camera.lens()) {
            out.expose(exposure);
        }
        let now = &mut self.state.moment(around);
        self.battery.run(load_a, charger_speed, STEP_S);
        self.battery.publish(now);
        self.faces.update(now, &camera, around);
        self.hearing.update(now, around);
        self.lamps.update(now);
        self.clips.update(now.time_s, now.reports);
        self.locating.update(now);
        if now.due(Kind::Pose, POSE_PERIOD) {
            let on_map = self.locating.pose(around.in_frame(around.pose), now.rng);
            now.reports.publish(on_map.unwrap_or_else(|| self.motion.pose()));
        }
        if now.due(Kind::Velocity, POSE_PERIOD) {
            self.driving.publish_measured(now.reports);
        }
        if now.due(Kind::Objects, OBJECTS_PERIOD) {
            now.reports.publish(objects::objects(self.rangers.seen(), around.now));
        }
        let streams = self.faces.is_watching() || self.camera_driver.is_watched(now.demand);
        let camera = if streams { CameraState::Streaming } else { CameraState::Ready };
        self.identity.update(now, camera, self.faces.is_taking_pictures());
        if now.every(POSE_PERIOD) {
            let library = Library { faces: self.faces.names(), sounds: clips::names() };
            self.identity.keep(library, now.reports);
        }
    }
}

impl Body for Misty {
    fn emissions(&self) -> Vec<Emission> {
        self.clips.emission().into_iter().chain(self.driving.tracks().emission()).collect()
    }

    fn glows(&self) -> Vec<Glow> {
        self.lamps.glows()
    }

    fn state(&mut self) -> &mut BodyState {
        &mut self.state
    }

    fn streams(&self) -> &[(Kind, PartName)] {
        &self.streams
    }

    fn senses(&self) -> Senses {
        let feeling = self.motion.feeling(self.state.time_s);
        let tracks = self.driving.tracks();
        Senses {
            time_s: self.state.time_s,
            yaw_rad: feeling.yaw_rad,
            travelled_m: feeling.travelled_m,
            right_m: self.rangers.distance_m(0),
            ahead_m: self.rangers.distance_m(1),
            left_m: self.rangers.distance_m(2),
            behind_m: self.rangers.distance_m(3),
            front_hazard: self.hazards.front_side().or(tracks.is_stalled_ahead().then_some(0.0)),
            rear_hazard: self.hazards.forbids(false).is_some() || tracks.is_stalled_behind(),
            helpless: self.disabled().is_some() || self.state.footing() != Footing::Ground,
            navigates: false,
        }
    }

    fn vitals(&self) -> Vitals {
        self.battery.vitals()
    }

    fn intend(&mut self, intent: &Intent) {
        let speeds = Speeds {
            linear_mps: intent.forward_mps.clamp(-parts::MAX_LINEAR_MPS, parts::MAX_LINEAR_MPS),
            angular_radps: intent.turn_radps.clamp(-parts::MAX_ANGULAR_RADPS, parts::MAX_ANGULAR_RADPS),
        };
        self.driving.intend(speeds, self.motion.feeling(self.state.time_s));
        if let Some(gesture) = intent.gesture {
            self.joints.gesture(gesture);
        }
    }

    fn is_busy(&self) -> bool {
        self.driving.is_busy()
    }

    fn command(&mut self, command: Command) -> Result<Outcome, Outcome> {
        self.obey(command)
    }

    fn poke(&mut self, stimulus: Stimulus, pose: Pose2) -> Result<Outcome, Outcome> {
        self.happen(stimulus, pose)
    }

    fn wish(&mut self, motion: Motion2, step_s: f64) -> Wish {
        let feeling = self.motion.feeling(self.state.time_s);
        let wish = self.driving.wish(motion, feeling, &self.hazards, step_s, &mut self.state.reports);
        if self.state.footing() == Footing::Ground { wish } else { Wish::STAND }
    }

    fn sense(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>) {
        if self.state.footing() != Footing::Air {
            self.state.fallen |= around.over_drop();
        }
        self.move_body(around);
        self.watch_hazards(around);
        self.live(around, out);
    }

    fn placed(&mut self, turned_rad: f64) {
        self.motion.turned(turned_rad);
    }
}
