//! AudioPlayComplete, KeyPhraseRecognized, SourceTrackDataMessage and SourceFocusConfigMessage.

use serde::{Deserialize, Serialize};

use super::{Extra, number::whole};

/// Section "AudioPlayComplete": an audio file was played to its end.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct AudioPlayComplete {
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// What was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_data: Option<AudioMetaData>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The audio file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct AudioMetaData {
    /// Folder, `Idle` in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Length; 0 in the sample, so the unit is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// File name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Mood of the sound: valence, arousal, dominance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vad: Option<Vec<f64>>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Section "KeyPhraseRecognized": somebody said "Hey, Misty!".
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct KeyPhraseRecognized {
    /// How sure the robot is; 81 in the sample.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub confidence: Option<i64>,
    /// When it was heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Section "SourceTrackDataMessage": where sound and speech come from; sent while recording, about 20 a second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SourceTrackDataMessage {
    /// Angles of up to three sounds, 0 to 360 degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degree_of_arrival_noise: Option<Vec<f64>>,
    /// Angle of the loudest voice, 0 to 360 degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degree_of_arrival_speech: Option<f64>,
    /// Time since the start of the recording, ms.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub time_offset: Option<i64>,
    /// Sound level in each of 360 directions, 0 to 255.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voice_activity_polar: Option<Vec<u8>>,
    /// Whether there is a voice in each of the four sectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voice_activity_sectors: Option<Vec<bool>>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Section "SourceFocusConfigMessage": how sound is located; sent once, when a recording starts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SourceFocusConfigMessage {
    /// Spatial gain of the sector with the voice.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub gain_step: Option<i64>,
    /// Which of the four sectors are in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sectors_enabled: Option<Vec<bool>>,
    /// Where each of the four sectors of 90 degrees starts, 0 to 360 degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sector_start_angles: Option<Vec<f64>>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}
