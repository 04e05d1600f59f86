//! `platform/mics`: what the two microphones hear.

use bytes::Bytes;
use latimer_core::model::signal::Audio;
use latimer_ros1::msgs::std_msgs::Header;
use serde::{Deserialize, Serialize};

use super::{Moment, usec};
use crate::describe::Message;
use crate::describe::codec::{CodecInfo, codecs};

/// Samples a second of two ears; nothing is resampled.
const SILENCE: Audio = Audio { sample_rate_hz: 20_000, channels: 2, samples: Bytes::new() };

/// `miro_msgs/platform_mics` (Platform Interface, Upstream, Microphones).
#[expect(non_snake_case, reason = "ROS names")]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout, record = Audio, context = Moment, base = SILENCE, when = is_of_ears, finish = rate, amend = of_head)]
#[message(ignores(sample_rate_hz, channels))]
pub struct PlatformMics {
    /// When it was assembled, by the wall clock.
    #[field(model = "")]
    pub header: Header,
    /// No flags are known.
    #[field(reserved)]
    pub msg_flags: u32,
    /// When the frame was complete by the embedded clock, microseconds; it rolls over at 2^29.
    #[field(own = usec)]
    pub t_complete: i32,
    /// The same: in inferred layouts only.
    #[field(own = usec)]
    pub time_usec: i32,
    /// Samples a second of each ear.
    #[field(model = "sample_rate_hz")]
    pub fS: u32,
    /// Number of the first sample of each ear, counted since the microphones were opened; it rolls over at 2^32.
    #[field(own)]
    pub sample_number: u32,
    /// 2,000 samples of each ear, 20,000 a second, -512..511, left and right in turn.
    #[field(samples, codec = Samples, or = Bytes::new())]
    #[field(note = "2,000 samples of each ear, 20,000 a second, left and right in turn")]
    pub data: Vec<i16>,
}

/// Samples of each ear in a frame (published).
const FRAME: usize = 2_000;

impl PlatformMics {
    /// Samples a second of each ear (published).
    pub(in crate::miro) const RATE_HZ: f64 = 20_000.0;

    /// How many numbers a frame has, those of both ears.
    pub const LENGTH: usize = 2 * FRAME;

    /// As long as a frame is; what is missing is silence.
    pub(in crate::miro) fn padded(mut self) -> Self {
        self.data.resize(Self::LENGTH, 0);
        self
    }

    /// The number of the first sample of each ear in the frame after this one.
    pub(in crate::miro) const fn next_sample(&self) -> u32 {
        self.sample_number.wrapping_add(FRAME as u32)
    }
}

fn is_of_ears(audio: &Audio, _: &Moment) -> bool {
    (audio.sample_rate_hz, audio.channels) == (SILENCE.sample_rate_hz, SILENCE.channels)
}

fn of_head(audio: &Audio, at: &Moment, message: &mut PlatformMics) {
    message.header = at.header("head");
    message.fS = audio.sample_rate_hz;
}

/// A layout without the rate has the published one.
fn rate(message: &PlatformMics, _: &Moment, audio: &mut Audio) {
    if message.fS != 0 {
        audio.sample_rate_hz = message.fS;
    }
}

codecs! {
    /// The lower byte first.
    Samples: Vec<i16>, Bytes {
        CodecInfo::default(),
        |wire| Some(wire.iter().flat_map(|sample| sample.to_le_bytes()).collect()),
        |model| Some(model.as_chunks::<2>().0.iter().map(|sample| i16::from_le_bytes(*sample)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::Translate;

    #[test]
    fn sound_is_the_same_on_both_sides() {
        let samples: Vec<u8> = [-512_i16, 511, 0, 7].into_iter().flat_map(i16::to_le_bytes).collect();
        let audio = Audio { samples: samples.into(), ..SILENCE };
        let mics = PlatformMics::encode(&audio, &Moment::default()).unwrap();
        assert_eq!(
            (mics.decode(&Moment::default()).unwrap(), &mics.data[..]),
            (audio.clone(), &[-512, 511, 0, 7][..])
        );
        assert_eq!(
            PlatformMics::encode(&Audio { sample_rate_hz: 16_000, ..audio }, &Moment::default()),
            None
        );
    }
}
