//! Sounds: played, understood, located.

use latimer_core::model::Kind;

use super::{CREATED, DEG, TURN, message};
use crate::misty::wire::EventType;
use crate::table::{FieldPair, Message};

pub(super) const AUDIO_PLAY_COMPLETE: Message = message(
    EventType::AudioPlayComplete,
    "A sound was played to its end.",
    &[
        CREATED,
        FieldPair::same("metaData.directory", Kind::Playback, "directory"),
        FieldPair::number("metaData.duration", "s", Kind::Playback, "duration_s", 1.0)
            .note("the specification names no unit, and its samples show 0"),
        FieldPair::same("metaData.name", Kind::Playback, "name"),
        FieldPair::number("metaData.vad[]", "ratio", Kind::Playback, "affect", 1.0)
            .note("valence, arousal, dominance, each -1 to 1"),
    ],
);

pub(super) const KEY_PHRASE_RECOGNIZED: Message = message(
    EventType::KeyPhraseRecognized,
    "Somebody said \"Hey, Misty!\".",
    &[FieldPair::number("confidence", "%", Kind::KeyPhrase, "confidence_ratio", 100.0), CREATED],
);

pub(super) const SOURCE_FOCUS_CONFIG_MESSAGE: Message = message(
    EventType::SourceFocusConfigMessage,
    "How sound is located; sent when a recording begins. The message has no time.",
    &[
        FieldPair::same("gainStep", Kind::SoundFocus, "gain_step"),
        FieldPair::same("sectorsEnabled[]", Kind::SoundFocus, "sectors_enabled"),
        FieldPair::number("sectorStartAngles[]", "°", Kind::SoundFocus, "sector_starts_rad", DEG)
            .turning(TURN)
            .note("0 to 360, counter-clockwise from ahead"),
    ],
);

pub(super) const SOURCE_TRACK_DATA_MESSAGE: Message = message(
    EventType::SourceTrackDataMessage,
    "Where sounds come from, while something is recorded. The message has no time.",
    &[
        FieldPair::number("degreeOfArrivalNoise[]", "°", Kind::SoundSource, "noise_bearings_rad", DEG)
            .turning(TURN)
            .note("0 to 360, counter-clockwise from ahead"),
        FieldPair::number("degreeOfArrivalSpeech", "°", Kind::SoundSource, "speech_bearing_rad", DEG)
            .turning(TURN)
            .note("0 to 360, counter-clockwise from ahead"),
        FieldPair::number("timeOffset", "ms", Kind::SoundSource, "offset_s", 1000.0),
        FieldPair::number("voiceActivityPolar[]", "of 255", Kind::SoundSource, "activity_ratio", 255.0)
            .note("360 of them, one a degree"),
        FieldPair::same("voiceActivitySectors[]", Kind::SoundSource, "sectors_active"),
    ],
);
