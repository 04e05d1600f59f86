//! Sounds, recording and key phrase.

use crate::misty::calls::{Listen, Record};
use crate::misty::rest::row::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row!(Get "audio/list" GetAudioList as GetListOfAudioFiles in Speakers: Information "get audio list" -> AudioList),
    row!(Post "audio/volume" SetDefaultVolume in Speakers: Configuration "set volume" (int Volume = Default::Int(-1)) -> Boolean),
    row!(Post "audio/play" PlayAudioClip in Speakers: Action "play audio" (text FileName, maybe_int Volume) -> AudioAction),
    Listen::ROWS[0],
    Record::ROWS[0],
    Listen::ROWS[1],
    Record::ROWS[1],
];
