//! Sounds: samples, their direction, recognised phrases, playback.

use bytes::Bytes;

use crate::model::record::record;

record! {
    /// Where sounds come from, seen from the robot: 0 is ahead, counter-clockwise.
    pub struct SoundSource {
        /// Direction of the loudest voice.
        pub speech_bearing_rad: Option<f64>,
        /// Directions of noises.
        pub noise_bearings_rad: Vec<f64>,
        /// Time of the sample since the recording began.
        pub offset_s: Option<f64>,
        /// Activity per direction, in equal steps from 0, each 0..1.
        pub activity_ratio: Vec<f64>,
        /// Whether a voice is active in each sector.
        pub sectors_active: Vec<bool>,
    }
}

record! {
    /// How the sound localisation is set up.
    pub struct SoundFocus {
        /// Gain towards the voice's sector, in the robot's own steps.
        pub gain_step: Option<i64>,
        /// Which sectors listen.
        pub sectors_enabled: Vec<bool>,
        /// Where each sector begins.
        pub sector_starts_rad: Vec<f64>,
    }
}

record! {
    /// A phrase was recognised.
    pub struct KeyPhrase {
        /// The phrase, if the robot says.
        pub phrase: Option<String>,
        /// How sure the robot is, 0..1.
        pub confidence_ratio: Option<f64>,
    }
}

record! {
    /// A sound or clip finished.
    pub struct Playback {
        /// File name.
        pub name: String,
        /// Folder or group of the file.
        pub directory: Option<String>,
        /// Length.
        pub duration_s: Option<f64>,
        /// Mood of the clip as valence, arousal, dominance, each -1..1.
        pub affect: Vec<f64>,
        /// The sound of another make that it stood in for, by the name that a program asked for; the gateway adds it.
        pub stands_for: Option<String>,
    }
}

impl Playback {
    /// A sound of which nothing else is known.
    pub fn of(name: impl Into<String>) -> Self {
        Self { name: name.into(), directory: None, duration_s: None, affect: Vec::new(), stands_for: None }
    }

    /// The name that [`Command::Play`](crate::Command::Play) has for it: with the folder, if it has one.
    pub fn whole_name(&self) -> String {
        self.directory.as_ref().map_or_else(|| self.name.clone(), |it| format!("{it}/{}", self.name))
    }

    /// Whether it is the sound that was asked for by a name.
    pub fn is_of(&self, name: &str) -> bool {
        self.name == name || self.stands_for.as_deref() == Some(name) || self.whole_name() == name
    }
}

record! {
    /// A piece of what microphones hear; pieces of a stream join without a gap.
    pub struct Audio {
        /// Samples a second, of each channel.
        pub sample_rate_hz: u32,
        /// How many microphones; the left one comes first.
        pub channels: u32,
        /// Samples of 16 bits with sign, lower byte first, channels in turn.
        pub samples: Bytes,
    }
}
