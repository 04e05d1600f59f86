//! Places, directions and rates, in REP-103 axes and REP-105 frames.

use crate::model::record::{record, words};

words! {
    /// The frame that coordinates are given in (REP-105, and the robot's own parts).
    pub enum Frame {
        /// Fixed to the map; corrected when the robot relocalises.
        Map = "map",
        /// Fixed where the robot started; drifts, never jumps.
        Odom = "odom",
        /// Fixed to the robot's base.
        BaseLink = "base_link",
        /// Fixed to the robot's head.
        Head = "head",
    }
}

record! {
    /// A position.
    pub struct Point {
        /// Forward, or east of the map's origin.
        pub x_m: f64,
        /// Left, or north of the map's origin.
        pub y_m: f64,
        /// Up.
        pub z_m: f64,
    }
}

record! {
    /// An attitude as fixed-axis roll, pitch, yaw.
    pub struct Orientation {
        /// About x; positive tips to the right.
        pub roll_rad: f64,
        /// About y; positive tips forward.
        pub pitch_rad: f64,
        /// About z; counter-clockwise.
        pub yaw_rad: f64,
    }
}

record! {
    /// Turn rates about the body's axes.
    pub struct AngularRate {
        /// About x.
        pub x_radps: f64,
        /// About y.
        pub y_radps: f64,
        /// About z; counter-clockwise.
        pub z_radps: f64,
    }
}

record! {
    /// Accelerations along the body's axes; at rest `z_mps2` is about +9.81 (REP-145).
    pub struct Accel {
        /// Forward.
        pub x_mps2: f64,
        /// Left.
        pub y_mps2: f64,
        /// Up.
        pub z_mps2: f64,
    }
}

record! {
    /// Where something is and how it is turned.
    pub struct Pose {
        /// The frame of the coordinates.
        pub frame: Frame,
        /// Forward, or east of the map's origin.
        pub x_m: f64,
        /// Left, or north of the map's origin.
        pub y_m: f64,
        /// Up.
        pub z_m: f64,
        /// About x; positive tips to the right.
        pub roll_rad: f64,
        /// About y; positive tips forward.
        pub pitch_rad: f64,
        /// About z; counter-clockwise.
        pub yaw_rad: f64,
    }
}

impl Pose {
    /// A pose on level ground.
    pub const fn planar(frame: Frame, x_m: f64, y_m: f64, yaw_rad: f64) -> Self {
        Self { frame, x_m, y_m, z_m: 0.0, roll_rad: 0.0, pitch_rad: 0.0, yaw_rad }
    }
}

record! {
    /// How big something is, along its own axes.
    pub struct Size {
        /// Along x.
        pub length_m: f64,
        /// Along y.
        pub width_m: f64,
        /// Along z, if known.
        pub height_m: Option<f64>,
    }
}

impl Size {
    /// An outline on the floor.
    pub const fn flat(length_m: f64, width_m: f64) -> Self {
        Self { length_m, width_m, height_m: None }
    }
}
