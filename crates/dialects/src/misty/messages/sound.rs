//! AudioPlayComplete, KeyPhraseRecognized, SourceTrackDataMessage and SourceFocusConfigMessage.
//!
//! 0 is ahead, and angles count counter-clockwise: of the four sectors, the one from 315 to 45 looks forward.

use latimer_core::model::signal::{KeyPhrase, Playback, SoundFocus, SoundSource};

use super::Context;
use super::codecs::{Polar, Utc};
use crate::describe::codec::{AllNumbers, Turn};
use crate::describe::{Extra, Incomplete, Message, Translate, need};

/// Section "AudioPlayComplete": an audio file was played to its end.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = Playback, context = Context)]
#[message(finish = playback, amend = meta_data, ignores(directory, duration_s, name, affect, stands_for))]
pub struct AudioPlayComplete {
    /// When it ended; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// What was played.
    #[field(model = "")]
    pub meta_data: Option<AudioMetaData>,
    pub(crate) extra: Extra,
}

fn playback(
    message: &AudioPlayComplete,
    context: &Context,
    playback: &mut Playback,
) -> Result<(), Incomplete> {
    *playback = need(message.meta_data.as_ref(), "metaData")?.decode(context)?;
    Ok(())
}

fn meta_data(playback: &Playback, context: &Context, message: &mut AudioPlayComplete) {
    message.meta_data = AudioMetaData::encode(playback, context);
}

/// The audio file.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = Playback, context = Context)]
#[message(amend = asked_name, ignores(stands_for))]
pub struct AudioMetaData {
    /// Folder, `Idle` in the sample.
    #[field(directory)]
    pub directory: Option<String>,
    /// Length.
    #[field(duration_s, note = "the specification names no unit, and its samples show 0")]
    pub duration: Option<f64>,
    /// File name.
    #[field(name, required)]
    pub name: Option<String>,
    /// Mood of the sound.
    #[field(affect, codec = AllNumbers, or = Vec::new(), note = "valence, arousal, dominance, each -1 to 1")]
    pub vad: Option<Vec<f64>>,
    pub(crate) extra: Extra,
}

/// Programs wait for the end of the sound that they asked for, whichever stood in for it.
fn asked_name(playback: &Playback, _: &Context, message: &mut AudioMetaData) {
    if let Some(name) = &playback.stands_for {
        message.name = Some(name.clone());
    }
}

/// The phrase that Misty listens for; she names no other.
pub const KEY_PHRASE: &str = "Hey, Misty!";

/// Section "KeyPhraseRecognized": somebody said the key phrase.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = KeyPhrase, context = Context)]
#[message(base = KeyPhrase { phrase: Some(KEY_PHRASE.to_owned()), confidence_ratio: None }, ignores(phrase))]
pub struct KeyPhraseRecognized {
    /// How sure the robot is; 81 in the sample.
    #[field(confidence_ratio, unit = Percent)]
    pub confidence: Option<i64>,
    /// When it was published; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    pub(crate) extra: Extra,
}

/// Section "SourceTrackDataMessage": where sound and speech come from; sent while recording, about 20 a second.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = SoundSource, context = Context, finish = voice, amend = no_voice)]
pub struct SourceTrackDataMessage {
    /// Angles of up to three sounds.
    #[field(noise_bearings_rad, each, codec = Turn::Full, or = Vec::new(), unit = Degrees, note = "0 to 360, counter-clockwise from ahead")]
    pub degree_of_arrival_noise: Option<Vec<i64>>,
    /// Angle of the loudest voice; 360 if no sector has one.
    #[field(speech_bearing_rad, codec = Turn::Full, unit = Degrees, note = "0 to 360, counter-clockwise from ahead")]
    pub degree_of_arrival_speech: Option<i64>,
    /// Time since the start of the recording.
    #[field(offset_s, unit = Milliseconds)]
    pub time_offset: Option<i64>,
    /// Sound level in each direction.
    #[field(activity_ratio, codec = Polar, or = Vec::new(), note = "360 of them, one a degree")]
    pub voice_activity_polar: Option<Vec<u8>>,
    /// Whether there is a voice in each of the four sectors.
    #[field(sectors_active, each, or = Vec::new())]
    pub voice_activity_sectors: Option<Vec<bool>>,
    pub(crate) extra: Extra,
}

/// `degreeOfArrivalSpeech` while nobody speaks, as in the sample.
const NO_VOICE: i64 = 360;

fn voice(message: &SourceTrackDataMessage, _: &Context, source: &mut SoundSource) {
    if message.degree_of_arrival_speech == Some(NO_VOICE) && !source.sectors_active.contains(&true) {
        source.speech_bearing_rad = None;
    }
}

fn no_voice(_: &SoundSource, _: &Context, message: &mut SourceTrackDataMessage) {
    message.degree_of_arrival_speech.get_or_insert(NO_VOICE);
}

/// Section "SourceFocusConfigMessage": how sound is located; sent once, when a recording starts.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = SoundFocus, context = Context)]
pub struct SourceFocusConfigMessage {
    /// Spatial gain of the sector with the voice.
    #[field(gain_step)]
    pub gain_step: Option<i64>,
    /// Which of the four sectors are in use.
    #[field(sectors_enabled, each, or = Vec::new())]
    pub sectors_enabled: Option<Vec<bool>>,
    /// Where each of the four sectors of 90 degrees starts.
    #[field(sector_starts_rad, each, codec = Turn::Bound, or = Vec::new(), unit = Degrees, note = "0 to 360, counter-clockwise from ahead")]
    pub sector_start_angles: Option<Vec<i64>>,
    pub(crate) extra: Extra,
}
