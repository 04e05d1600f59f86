//! What it listens to.

use super::{Arg, Call, NAME, Row};
use crate::misty::rest::row::{row, text};

/// Record sound, which also tells where sounds come from.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(
    motion = still,
    wire = row!(Post "audio/record/start" StartRecordingAudio in Microphone: Action "start recording audio" -> Boolean).begins(),
    wire = row!(Post "audio/record/stop" StopRecordingAudio in Microphone: Action "stop recording audio" -> Boolean).ends(),
)]
pub struct Record {
    /// Begin or end.
    #[argument(quantity = Switch, default = true, written)]
    pub on: bool,
    /// The file's name.
    #[argument(wire = text("FileName").needed_of_clients("latimer.wav"))]
    pub name: Option<String>,
}

/// Listen for the key phrase, once.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(
    motion = still,
    // The arguments of its beginning came in 2021; a robot that only listens has no use for them.
    wire = row!(Post "audio/keyphrase/start" StartKeyPhraseRecognition in Microphone: Action "start key phrase recognition"
        (maybe_flag OverwriteExisting, maybe_int SilenceTimeout, maybe_int MaxSpeechLength, maybe_flag CaptureSpeech) -> Boolean).begins(),
    wire = row!(Post "audio/keyphrase/stop" StopKeyPhraseRecognition in Microphone: Action "stop key phrase recognition" -> Boolean).ends(),
)]
pub struct Listen {
    /// Begin or end.
    #[argument(quantity = Switch, default = true)]
    pub on: bool,
}
