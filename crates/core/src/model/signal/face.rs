//! Faces: seen, recognised, learnt.

use crate::model::record::{record, words};

words! {
    /// What the robot knows about a face.
    pub enum FaceIdentity {
        /// A face, and nothing else is asked.
        Detected = "detected",
        /// Compared with the known ones and found to be none of them.
        Stranger = "stranger",
        /// A known face; `label` names it.
        Known = "known",
    }
}

record! {
    /// A face was seen.
    pub struct Face {
        /// What is known about it.
        pub identity: FaceIdentity,
        /// The name it was learnt under.
        pub label: Option<String>,
        /// The robot's number for this face while it stays in view.
        pub track_id: Option<i64>,
        /// Direction, counter-clockwise from ahead.
        pub bearing_rad: Option<f64>,
        /// Height above the horizon.
        pub elevation_rad: Option<f64>,
        /// How far away.
        pub distance_m: Option<f64>,
    }
}

words! {
    /// What a message about learning tells.
    pub enum TrainingMessage {
        /// A step was reached.
        Status = "status",
        /// Something to mend, e.g. two faces in view.
        Warning = "warning",
        /// Learning ended in failure.
        Error = "error",
    }
}

record! {
    /// How learning a face goes.
    pub struct FaceTraining {
        /// What kind of message it is.
        pub level: TrainingMessage,
        /// The message, for a person to read.
        pub message: String,
        /// Whether learning is over.
        pub complete: bool,
    }
}
