//! AudioPlayComplete and KeyPhraseRecognized: what was played and what was understood.
//!
//! | wire | model |
//! |---|---|
//! | `metaData` `name`, `directory` | `playback` |
//! | `metaData.duration`, taken as s (every sample shows 0) | `duration_s` |
//! | `metaData.vad` | `affect`: valence, arousal, dominance |
//! | `confidence`, percent | `key_phrase`, 0..1 |
//!
//! Misty knows one phrase, [`KEY_PHRASE`], and names no other.

use latimer_core::Timestamp;
use latimer_core::model::signal::{KeyPhrase, Playback};

use super::Received;
use super::time::{stamp_from_utc, utc_from_timestamp};
use super::units::{finite, percent_from_ratio, ratio_from_percent};
use crate::misty::wire::Extra;
use crate::misty::wire::audio::{AudioMetaData, AudioPlayComplete, KeyPhraseRecognized};

/// The phrase that Misty listens for.
pub const KEY_PHRASE: &str = "Hey, Misty!";

/// A file was played; `None` if the message does not say which.
pub(super) fn heard_from_audio_play_complete(
    message: &AudioPlayComplete,
    received: Timestamp,
) -> Option<Received> {
    let AudioPlayComplete { created, meta_data, extra: _ } = message;
    let AudioMetaData { directory, duration, name, vad, extra: _ } = meta_data.as_ref()?;
    Some(Received::new(
        None,
        stamp_from_utc(created.as_deref(), received),
        Playback {
            name: name.clone()?,
            directory: directory.clone(),
            duration_s: *duration,
            affect: vad.clone().unwrap_or_default(),
        },
    ))
}

/// A message about a file that was played.
pub(super) fn audio_play_complete_from_playback(playback: &Playback, at: Timestamp) -> AudioPlayComplete {
    let Playback { name, directory, duration_s, affect } = playback;
    let vad: Option<Vec<f64>> = affect.iter().map(|part| finite(*part)).collect();
    AudioPlayComplete {
        created: Some(utc_from_timestamp(at)),
        meta_data: Some(AudioMetaData {
            directory: directory.clone(),
            duration: duration_s.and_then(finite),
            name: Some(name.clone()),
            vad: vad.filter(|vad| !vad.is_empty()),
            extra: Extra::new(),
        }),
        extra: Extra::new(),
    }
}

/// Somebody said the key phrase.
pub(super) fn heard_from_key_phrase_recognized(
    message: &KeyPhraseRecognized,
    received: Timestamp,
) -> Received {
    let KeyPhraseRecognized { confidence, created, extra: _ } = message;
    Received::new(
        None,
        stamp_from_utc(created.as_deref(), received),
        KeyPhrase {
            phrase: Some(KEY_PHRASE.to_owned()),
            confidence_ratio: confidence.map(ratio_from_percent),
        },
    )
}

/// A message about a phrase that was heard.
pub(super) fn key_phrase_recognized_from_key_phrase(
    phrase: &KeyPhrase,
    at: Timestamp,
) -> KeyPhraseRecognized {
    let KeyPhrase { phrase: _, confidence_ratio } = phrase;
    KeyPhraseRecognized {
        confidence: confidence_ratio.and_then(percent_from_ratio),
        created: Some(utc_from_timestamp(at)),
        extra: Extra::new(),
    }
}
