//! What the robot is, and what it is doing as a whole.

use crate::model::record::{record, words};

words! {
    /// What the robot's system is doing.
    pub enum RunState {
        /// Starting.
        Loading = "loading",
        /// Ready.
        Running = "running",
        /// Installing an update.
        Updating = "updating",
    }
}

words! {
    /// What the camera is doing.
    pub enum CameraState {
        /// Off.
        Off = "off",
        /// Ready.
        Ready = "ready",
        /// Delivering pictures.
        Streaming = "streaming",
        /// Broken.
        Error = "error",
    }
}

record! {
    /// What the robot is doing as a whole.
    pub struct Status {
        /// Its system.
        pub run_state: RunState,
        /// Its main camera.
        pub camera: Option<CameraState>,
        /// Whether a still picture is being taken.
        pub taking_picture: Option<bool>,
        /// Its address in its own network.
        pub ip_address: Option<String>,
    }
}

record! {
    /// What the robot is.
    pub struct Device {
        /// Who made it.
        pub maker: Option<String>,
        /// Which model.
        pub model: Option<String>,
        /// Serial number.
        pub serial: Option<String>,
        /// The name that its owner gave.
        pub name: Option<String>,
        /// Software version.
        pub firmware: Option<String>,
        /// Hardware version.
        pub hardware: Option<String>,
        /// Its address in its own network.
        pub ip_address: Option<String>,
        /// Its network card's address.
        pub mac_address: Option<String>,
        /// Whether it is simulated.
        pub simulated: bool,
        /// Version of the ROS that its software is built on.
        pub ros_version: Option<String>,
        /// Name of that version.
        pub ros_distribution: Option<String>,
        /// Parts that have a model or software of their own.
        pub parts: Vec<DevicePart>,
        /// Options that it was set up with; none if it does not tell.
        pub options: Option<Vec<String>>,
    }
}

impl Device {
    /// A robot that tells nothing of itself.
    pub const UNKNOWN: Self = Self {
        maker: None,
        model: None,
        serial: None,
        name: None,
        firmware: None,
        hardware: None,
        ip_address: None,
        mac_address: None,
        simulated: false,
        ros_version: None,
        ros_distribution: None,
        parts: Vec::new(),
        options: None,
    };
}

record! {
    /// A part of a robot that has a model or software of its own.
    pub struct DevicePart {
        /// Which part.
        pub name: String,
        /// Which model.
        pub model: Option<String>,
        /// Which kind.
        pub kind: Option<String>,
        /// Software version; empty if it has none.
        pub firmware: Option<String>,
    }
}

record! {
    /// What the robot keeps in store.
    pub struct Library {
        /// Faces that it knows by name.
        pub faces: Vec<String>,
        /// Sound files that it can play.
        pub sounds: Vec<String>,
    }
}
