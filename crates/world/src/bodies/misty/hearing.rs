//! Ears: the key phrase while listening, directions of sounds while recording. Never both.

use std::f64::consts::TAU;

use latimer_core::model::Kind;
use latimer_core::model::signal::{KeyPhrase, SoundFocus, SoundSource};

use crate::acoustics::{self, Source};
use crate::bodies::moment::Moment;
use crate::bodies::reports::Reports;
use crate::geometry::wrap_angle;
use crate::physics::Surroundings;
use crate::rng::Rng;

/// Steps between two reports while recording: 20 a second.
const PERIOD: u64 = 5;

/// Most sounds kept at a time.
const MAX_SOUNDS: usize = 16;

/// Most directions of noises that are published.
const MAX_NOISES: usize = 3;

/// Width of the lobe that a sound makes, radians.
const LOBE_RAD: f64 = 0.4;

/// Activity of a sector above which a voice counts as active, 0..1.
const ACTIVE: f64 = 0.1;

/// Fainter sounds are not distinguished from the noise of the room.
const FAINTEST: f64 = 0.03;

/// Where the four sectors begin, degrees; each is a quarter of a circle, counter-clockwise.
const SECTORS_DEG: [f64; 4] = [135.0, 45.0, 315.0, 225.0];

/// A sound in the world.
struct Sound {
    /// Direction by the world's axes: it stays where it is when the robot turns.
    world_rad: f64,
    level: f64,
    voice: bool,
    until_s: f64,
}

/// The ears.
#[derive(Default)]
pub(super) struct Hearing {
    listening: bool,
    recording_since_s: Option<f64>,
    sounds: Vec<Sound>,
}

impl Hearing {
    /// Begins or ends listening for the key phrase; the reason if it cannot.
    pub(super) fn listen(&mut self, on: bool) -> Result<(), &'static str> {
        if on && self.recording_since_s.is_some() {
            return Err("it records sound and cannot listen for the key phrase too; stop recording first");
        }
        self.listening = on;
        Ok(())
    }

    /// Begins or ends recording, which ends listening; the reason if it cannot.
    pub(super) fn record(
        &mut self,
        on: bool,
        time_s: f64,
        reports: &mut Reports,
    ) -> Result<(), &'static str> {
        match (on, self.recording_since_s) {
            (true, Some(_)) => return Err("it records already; stop that recording first"),
            (true, None) => {
                self.listening = false;
                self.recording_since_s = Some(time_s);
                reports.publish(SoundFocus {
                    gain_step: Some(65_535),
                    sectors_enabled: vec![true; 4],
                    sector_starts_rad: SECTORS_DEG.map(f64::to_radians).to_vec(),
                });
            }
            (false, _) => self.recording_since_s = None,
        }
        Ok(())
    }

    /// A person says the key phrase; returns whether it was recognized, which ends listening.
    pub(super) fn key_phrase(&mut self, confidence_ratio: f64, reports: &mut Reports) -> bool {
        let heard = std::mem::take(&mut self.listening);
        if heard {
            let phrase = Some("Hey, Misty!".to_owned());
            reports.publish(KeyPhrase { phrase, confidence_ratio: Some(confidence_ratio) });
        }
        heard
    }

    /// A sound begins.
    pub(super) fn hear(&mut self, world_rad: f64, level: f64, voice: bool, until_s: f64) {
        if self.sounds.len() >= MAX_SOUNDS {
            self.sounds.remove(0);
        }
        self.sounds.push(Sound { world_rad, level, voice, until_s });
    }

    /// Reports directions while recording.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, around: &Surroundings<'_>) {
        self.sounds.retain(|sound| now.time_s < sound.until_s);
        if let Some(since_s) = self.recording_since_s.filter(|_| now.due(Kind::SoundSource, PERIOD)) {
            now.reports.publish(self.locate(now.time_s - since_s, around, now.rng));
        }
    }

    fn locate(&self, offset_s: f64, around: &Surroundings<'_>, rng: &mut Rng) -> SoundSource {
        let sources: Vec<Sound> = around.sounds.iter().filter_map(|it| arriving(it, around)).collect();
        let sounds = self.sounds.iter().chain(&sources);
        let mut heard: Vec<(f64, &Sound)> = sounds
            .map(|sound| (wrap_angle(sound.world_rad - around.pose.yaw_rad + rng.normal(0.03)), sound))
            .collect();
        heard.sort_by(|(_, a), (_, b)| b.level.total_cmp(&a.level));
        let activity_ratio: Vec<f64> =
            (0..360).map(|degree| activity(f64::from(degree), &heard, rng)).collect();
        let sectors_active = SECTORS_DEG.map(|start| {
            heard.iter().any(|(bearing, sound)| {
                let into = (bearing - start.to_radians()).rem_euclid(TAU);
                sound.voice && sound.level > ACTIVE && into < TAU / 4.0
            })
        });
        let bearings = |voice: bool| {
            heard.iter().filter(move |(_, sound)| sound.voice == voice).map(|(bearing, _)| *bearing)
        };
        SoundSource {
            speech_bearing_rad: bearings(true).next(),
            noise_bearings_rad: bearings(false).take(MAX_NOISES).collect(),
            offset_s: Some((offset_s * 1_000.0).round() / 1_000.0),
            activity_ratio,
            sectors_active: sectors_active.to_vec(),
        }
    }
}

/// What comes from a source in the world; the robot's own sounds have no direction.
fn arriving(source: &Source, around: &Surroundings<'_>) -> Option<Sound> {
    let [x, y] = source.position_m;
    let pose = around.pose;
    let walls = around.walls.between([pose.x_m, pose.y_m], source.position_m);
    let level = source.behind(walls).level_at(pose.distance_to(x, y));
    let arrives = source.is_on(around.time_s) && level >= FAINTEST && !around.is_own(source);
    arrives.then(|| Sound {
        world_rad: (y - pose.y_m).atan2(x - pose.x_m),
        level,
        voice: source.kind == acoustics::Kind::Voice,
        until_s: f64::INFINITY,
    })
}

/// Activity towards a degree: a murmur, and a lobe for each sound.
fn activity(degree: f64, heard: &[(f64, &Sound)], rng: &mut Rng) -> f64 {
    let lobe = |(bearing, sound): &(f64, &Sound)| {
        let off = wrap_angle(degree.to_radians() - bearing) / LOBE_RAD;
        sound.level * (-off * off).exp()
    };
    let loudest = heard.iter().map(lobe).fold(0.0, f64::max);
    (loudest + rng.between(0.0, 0.02)).min(1.0)
}
