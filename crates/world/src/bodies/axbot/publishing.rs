//! Periodic publications, and the poses of its cameras.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::{CameraState, Frame, Path, Pose, RunState, Status, Temperature};

use super::{Axbot, parts};
use crate::camera::Lens;
use crate::geometry::Pose2;
use crate::physics::Surroundings;
use crate::sensors::Attitude;

/// Steps between two reports of pose and speed, of the inertial sensor, and of what rarely changes.
const POSE_PERIOD: u64 = 10;
const IMU_PERIOD: u64 = 5;
pub(super) const RARE_PERIOD: u64 = 100;

/// Steps between two reports of the way right before it: 4 a second.
const LOCAL_PERIOD: u64 = 25;

impl Axbot {
    /// Steps its parts and publishes its state.
    pub(super) fn live(&mut self, around: &Surroundings<'_>) {
        let works = !self.state.is_lifted() && around.time_s >= self.faults.charger_s;
        let charger_speed = around.charger_speed().filter(|_| works);
        let jack_a = if self.jack.is_moving() { parts::JACK_LOAD_A } else { 0.0 };
        let believed = self.rover.bearings.pose();
        let busy = self.rover.way.is_active() || self.jack.is_moving();
        let now = &mut self.state.moment(around);
        self.rover.power.update(now, self.rover.drive.tracks(), jack_a, charger_speed);
        self.switches.update(now, self.rover.drive.tracks().running(), busy);
        self.device.update(now);
        let published = around.in_frame(believed);
        self.trip.update(now, around.now, self.rover.drive.tracks().running().linear_mps, published);
        if now.due(Kind::Pose, POSE_PERIOD) {
            if !self.rover.bearings.is_mapless() {
                now.reports.publish(Pose::planar(
                    Frame::Map,
                    published.x_m,
                    published.y_m,
                    published.yaw_rad,
                ));
            }
            if now.time_s >= self.faults.odometry_s {
                let odom = self.rover.bearings.odometry();
                let odom = Pose::planar(Frame::Odom, odom.x_m, odom.y_m, odom.yaw_rad);
                now.reports.of(&PartName::of("odom"), odom);
            }
        }
        if now.due(Kind::Velocity, POSE_PERIOD) {
            self.rover.drive.publish_measured(now.reports);
        }
        if now.due(Kind::Imu, IMU_PERIOD) && now.time_s >= self.faults.imu_s.max(self.faults.imu_node_s) {
            let shake_mps2 = 0.3 * around.motion.forward_mps.abs();
            now.reports.publish(self.imu.read(Attitude { shake_mps2, ..Attitude::default() }, now.rng));
        }
        self.publish_traction(around);
        let hot_c = self.temperature_c(around.time_s);
        let now = &mut self.state.moment(around);
        if now.due(Kind::Temperature, RARE_PERIOD) {
            let temperature_c = (10.0 * (hot_c + now.rng.normal(0.2))).round() / 10.0;
            now.reports.publish(Temperature { temperature_c });
        }
        if now.due(Kind::Status, RARE_PERIOD) {
            let watched = self.front.is_watched(now.demand) || self.back.is_watched(now.demand);
            let camera = Some(if watched { CameraState::Streaming } else { CameraState::Ready });
            let run_state = RunState::Running;
            now.reports.publish(Status { run_state, camera, taking_picture: None, ip_address: None });
        }
        self.sights.set_depth(around.time_s >= self.faults.depth_camera_s);
        self.sights.update(now, around, believed);
        self.warn(around);
    }

    /// Publishes the local path while it is subscribed to and the robot navigates.
    pub(super) fn publish_next(&mut self, around: &Surroundings<'_>) {
        if !around.demand.wants(Kind::Path) || !self.state.moment(around).every(LOCAL_PERIOD) {
            return;
        }
        let next = self.rover.way.forecast(around.time_s, &self.rover.bearings);
        if next.is_empty() && !self.local_published {
            return;
        }
        self.local_published = !next.is_empty();
        let published: Vec<Pose2> = next.into_iter().map(|pose| around.in_frame(pose)).collect();
        let path = Path {
            yaws_rad: published.iter().map(|it| it.yaw_rad).collect(),
            width_m: Some(self.outline.width_m),
            ..Path::of(Frame::Map, published.iter().map(|it| [it.x_m, it.y_m]).collect())
        };
        self.state.reports.of(&PartName::of("local"), path);
    }

    /// The front camera or the back one; size and field are the camera's own.
    pub(super) fn lens(&self, back: bool) -> Lens {
        let way = if back { -1.0 } else { 1.0 };
        let [x_m, y_m] = self.truth.point_out(way * parts::CAMERA_AHEAD_M, 0.0);
        let turn = if back { std::f64::consts::PI } else { 0.0 };
        Lens {
            at_m: [x_m, y_m, parts::CAMERA_HEIGHT_M],
            yaw_rad: self.truth.yaw_rad + turn,
            pitch_rad: 0.15,
            roll_rad: 0.0,
            width_px: 0,
            height_px: 0,
            field_rad: 0.0,
            distortion: None,
        }
    }
}
