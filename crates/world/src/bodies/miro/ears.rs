//! The two ears: a stream of stereo sound, and where the loudest sounds come from.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::{Audio, SoundSource};

use super::core::Heard;
use super::neck::Link;
use super::parts::RIGHT_EAR_M;
use crate::acoustics::{self, Activity, Resolution, SAMPLE_RATE_HZ, Source, activity};
use crate::bodies::moment::Moment;
use crate::geometry::{Pose2, wrap_angle};
use crate::physics::Surroundings;
use crate::rng::Rng;

/// Steps between two frames of sound, and between two reports of directions: 10 a second (published).
const PERIOD: u64 = 10;

/// Samples of one ear in a frame (published).
const FRAME: usize = 2_000;

/// Length of a frame, seconds.
const FRAME_S: f64 = FRAME as f64 / SAMPLE_RATE_HZ;

/// Number of the stream among those of the body.
pub(super) const STREAM: usize = 4;

/// Most sounds that are made on cue at a time.
const MAX_CUES: usize = 16;

/// How far away a sound on cue is, metres.
const CUE_M: f64 = 1.0;

/// Sounds on cue have numbers from here on; those of the world begin at 0.
const FIRST_CUE: u64 = 1_000_000;

/// Fainter sounds are not distinguished from the noise of the room.
const FAINTEST: f64 = 0.03;

/// Degrees between two published directions of activity.
const SECTOR: usize = 10;

/// A sound on cue.
struct Cue {
    source: Source,
    until_s: f64,
}

/// The ears.
pub(super) struct Ears {
    mics: PartName,
    seed: u64,
    /// The microphones while they are subscribed to.
    open: Option<acoustics::Ears>,
    cues: Vec<Cue>,
    next_cue: u64,
}

impl Ears {
    pub(super) fn new(rng: &mut Rng) -> Self {
        let (mics, seed) = (PartName::of("mics"), rng.bits());
        Self { mics, seed, open: None, cues: Vec::new(), next_cue: FIRST_CUE }
    }

    /// The stream.
    pub(super) fn stream() -> (Kind, PartName) {
        (Kind::Audio, PartName::of("mics"))
    }

    /// A sound begins, in a direction from where the robot truly is.
    pub(super) fn hear(&mut self, pose: Pose2, bearing_rad: f64, level: f64, voice: bool, until_s: f64) {
        if self.cues.len() >= MAX_CUES {
            self.cues.remove(0);
        }
        let (sin, cos) = bearing_rad.sin_cos();
        let source = Source {
            id: self.next_cue,
            kind: if voice { acoustics::Kind::Voice } else { acoustics::Kind::Noise },
            position_m: pose.point_out(CUE_M * cos, CUE_M * sin),
            level,
            through_walls: 1.0,
            pattern_s: Vec::new(),
        };
        self.next_cue += 1;
        self.cues.push(Cue { source, until_s });
    }

    /// Reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, around: &Surroundings<'_>, head: &Link) {
        self.cues.retain(|cue| now.time_s < cue.until_s);
        let listens = around.demand.wants_stream(STREAM);
        if !listens {
            self.open = None;
        }
        let publishes_directions = now.due(Kind::SoundSource, PERIOD);
        if !(publishes_directions || listens && now.every(PERIOD)) {
            return;
        }
        let at = place(around.pose, head);
        let sources = self.sources(around, at);
        if publishes_directions {
            // Its own sounds have no direction.
            let others: Vec<Source> = sources.iter().filter(|it| !around.is_own(it)).cloned().collect();
            now.reports.publish(directions(&activity(&others, at, now.time_s)));
        }
        if listens && now.every(PERIOD) {
            let spacing_m = 2.0 * RIGHT_EAR_M[1].abs();
            let seed = self.seed;
            let open =
                self.open.get_or_insert_with(|| acoustics::Ears::new(spacing_m, Resolution::Ten, seed));
            let samples = open.hear(&sources, at, now.time_s - FRAME_S, FRAME);
            now.reports.of(
                &self.mics,
                Audio {
                    sample_rate_hz: SAMPLE_RATE_HZ as u32,
                    channels: 2,
                    samples: samples.into_iter().flat_map(i16::to_le_bytes).collect(),
                },
            );
        }
    }

    /// The loudest sound that is not the robot's own, as it reaches the head now.
    pub(super) fn loudest(&self, around: &Surroundings<'_>, head: &Link) -> Option<Heard> {
        let at = place(around.pose, head);
        let sounds = self.sources(around, at);
        let others = sounds.iter().filter(|it| !around.is_own(it) && it.is_on(around.time_s));
        let heard = others.map(|source| {
            let [x, y] = source.position_m;
            let [ahead, left] = at.point_in(x, y);
            let level = source.level_at(at.distance_to(x, y));
            Heard { id: source.id, azimuth_rad: left.atan2(ahead), level }
        });
        heard.max_by(|a, b| a.level.total_cmp(&b.level))
    }

    /// What sounds, in the world and on cue.
    fn sources(&self, around: &Surroundings<'_>, at: Pose2) -> Vec<Source> {
        let world = around
            .sounds
            .iter()
            .map(|source| source.behind(around.walls.between([at.x_m, at.y_m], source.position_m)));
        world.chain(self.cues.iter().map(|cue| cue.source.clone())).collect()
    }
}

/// The middle between the ears, facing where the head faces.
fn place(pose: Pose2, head: &Link) -> Pose2 {
    let [x, _, z] = RIGHT_EAR_M;
    let [x_m, y_m, _] = head.point_out([x, 0.0, z]);
    let [ahead, left, _] = head.forward();
    let [x, y] = pose.point_out(x_m, y_m);
    Pose2::new(x, y, wrap_angle(pose.yaw_rad + left.atan2(ahead)))
}

/// The loudest directions, counter-clockwise from where the head faces.
fn directions(activity: &Activity) -> SoundSource {
    let loudest = |levels: &[f64; 360]| {
        let (degree, level) = (0_u16..).zip(levels).max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        (*level >= FAINTEST).then(|| wrap_angle(f64::from(degree).to_radians()))
    };
    let sum = |degree: usize| (activity.voice[degree] + activity.noise[degree]).min(1.0);
    SoundSource {
        speech_bearing_rad: loudest(&activity.voice),
        noise_bearings_rad: loudest(&activity.noise).into_iter().collect(),
        offset_s: None,
        activity_ratio: (0..360).step_by(SECTOR).map(sum).collect(),
        sectors_active: Vec::new(),
    }
}
