//! A robot's behaviour of its own: how it feels, how awake it is, what it attends to and what it chooses to do.

use super::hazard::Switch;
use crate::Timestamp;
use crate::model::record::{record, words};

record! {
    /// How a robot feels.
    pub struct Affect {
        /// From bad, 0, to good, 1.
        pub valence_ratio: f64,
        /// From calm, 0, to excited, 1.
        pub arousal_ratio: f64,
    }
}

record! {
    /// How awake a robot is.
    pub struct Sleep {
        /// From asleep, 0, to awake, 1.
        pub wakefulness_ratio: f64,
        /// From rested, 0, to tired, 1.
        pub pressure_ratio: f64,
    }
}

record! {
    /// One of the actions that a robot chooses from.
    pub struct ActionState {
        /// What it is called.
        pub name: String,
        /// How urgent it is.
        pub priority_ratio: f64,
        /// How much it is chosen.
        pub selection_ratio: f64,
        /// How much it is let do what it wants.
        pub disinhibition_ratio: f64,
    }
}

words! {
    /// A field of attention.
    pub enum AttentionField {
        /// What the left eye sees.
        Left = "left",
        /// What the right eye sees.
        Right = "right",
        /// What both ears hear, all around.
        Wide = "wide",
    }
}

record! {
    /// Where the most salient thing in a field of attention is, seen from the head.
    pub struct PriorityPeak {
        /// Which field.
        pub field: AttentionField,
        /// Counter-clockwise from where the head faces.
        pub azimuth_rad: f64,
        /// Up from where the head faces.
        pub elevation_rad: f64,
        /// How salient it is.
        pub height_ratio: f64,
        /// How much of the field it takes up.
        pub size_ratio: f64,
        /// When it was made out; a field that was not looked at has none.
        pub completed: Option<Timestamp>,
    }
}

record! {
    /// A sound that stood out, seen from the head.
    pub struct SoundEvent {
        /// Counter-clockwise from where the head faces.
        pub azimuth_rad: f64,
        /// Up from where the head faces.
        pub elevation_rad: f64,
        /// How loud it was.
        pub magnitude_ratio: f64,
        /// When it was made out.
        pub completed: Timestamp,
    }
}

record! {
    /// How a robot's own behaviour stands.
    pub struct BehaviourState {
        /// How it feels at the moment.
        pub emotion: Affect,
        /// How it feels in the long run.
        pub mood: Affect,
        /// How awake it is.
        pub sleep: Sleep,
        /// The actions that it chooses from, in the robot's order.
        pub actions: Vec<ActionState>,
        /// Where the most salient things are.
        pub peaks: Vec<PriorityPeak>,
        /// The last sound that stood out.
        pub sound_event: Option<SoundEvent>,
        /// Parts of the behaviour that can be switched; empty if the robot does not tell.
        pub switches: Vec<Switch>,
    }
}
