//! What it attends to: the most salient person or robot that each eye sees, and the loudest sound.
//!
//! Salient is what moves, and what is near. An eye sees as far as its published field of view reaches: a thing that no
//! part of is in that field, or that is behind a wall, is not seen. All directions are seen from the head.

use std::collections::BTreeMap;

use latimer_core::Timestamp;
use latimer_core::model::AttentionTarget;
use latimer_core::model::signal::{AttentionField, PriorityPeak, SoundEvent};

use super::switches::{Part, Switches};
use crate::bodies;
use crate::bodies::miro::neck::Link;
use crate::bodies::miro::parts::{EYE_DIVERGENCE_RAD, EYE_ELEVATION_RAD, EYE_FIELD_RAD};
use crate::geometry::wrap_angle;
use crate::physics::Surroundings;

/// Farther things are not noticed, metres (plausible).
const SIGHT_M: f64 = 4.0;
/// Salience of what stands, and the speed of what is as salient as can be, m/s (plausible).
const STANDING: f64 = 0.25;
const FAST_MPS: f64 = 0.5;
/// At this distance and nearer salience is whole, metres (plausible).
const NEAR_M: f64 = 1.0;

/// Height over width of a picture.
const ASPECT: f64 = 0.75;

/// Sounds fainter than this are not noticed, 0..1 (plausible); the gain of their salience (published).
const FAINTEST: f64 = 0.03;
const SOUND_GAIN: f64 = 10.0;
/// A sound that goes on is noticed again after this time, seconds (plausible), and one that grows by this factor at once.
const AGAIN_S: f64 = 1.0;
const LOUDER: f64 = 1.5;
/// How long the salience of a sound lasts, seconds (plausible).
const SOUND_LASTS_S: f64 = 1.0;
/// How far away and how high above the floor sounds are taken to be, metres, and how wide and high, radians (published).
const SOUND_AT_M: f64 = 2.0;
const SOUND_HIGH_M: f64 = 0.6;
const SOUND_SIZE_RAD: [f64; 2] = [0.1, 0.3];

/// Numbers of robots begin here, those of people at 0.
const ROBOTS: u64 = 1 << 32;

/// A sound as it reaches the head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::bodies::miro) struct Heard {
    /// Which.
    pub(in crate::bodies::miro) id: u64,
    /// Counter-clockwise from where the head faces.
    pub(in crate::bodies::miro) azimuth_rad: f64,
    /// 0..1.
    pub(in crate::bodies::miro) level: f64,
}

/// Something that is to be seen.
struct Thing {
    id: u64,
    at_m: [f64; 2],
    /// Across and up.
    size_m: [f64; 2],
}

/// What it attends to.
#[derive(Debug)]
pub(super) struct Attention {
    /// In the order left, right, wide.
    peaks: [PriorityPeak; 3],
    sound: Option<SoundEvent>,
    /// The sound that was noticed last: which, how loud, when.
    noticed: Option<(u64, f64, f64)>,
    /// Where things were at the last look, and when that was.
    seen_m: BTreeMap<u64, [f64; 2]>,
    looked_s: f64,
}

impl Attention {
    pub(super) fn new() -> Self {
        let fields = [AttentionField::Left, AttentionField::Right, AttentionField::Wide];
        Self {
            peaks: fields.map(nothing),
            sound: None,
            noticed: None,
            seen_m: BTreeMap::new(),
            looked_s: 0.0,
        }
    }

    /// In the order left, right, wide.
    pub(super) fn peaks(&self) -> &[PriorityPeak; 3] {
        &self.peaks
    }

    /// The last sound that stood out.
    pub(super) fn sound(&self) -> Option<&SoundEvent> {
        self.sound.as_ref()
    }

    /// The most salient thing of all.
    pub(super) fn highest(&self) -> &PriorityPeak {
        let [first, rest @ ..] = &self.peaks;
        rest.iter().fold(first, |best, peak| if peak.height_ratio > best.height_ratio { peak } else { best })
    }

    /// Looks with the eyes that are open.
    pub(super) fn look(
        &mut self,
        around: &Surroundings<'_>,
        head: &Link,
        open: [bool; 2],
        switches: &Switches,
    ) {
        let attends = switches.is_on(Part::Attention) && switches.is_on(Part::AttentionVision);
        let [left, right, _] = &mut self.peaks;
        *left = nothing(AttentionField::Left);
        *right = nothing(AttentionField::Right);
        let passed_s = around.time_s - std::mem::replace(&mut self.looked_s, around.time_s);
        let before = std::mem::take(&mut self.seen_m);
        if !attends || open == [false; 2] {
            return;
        }
        for (peak, open) in [&mut *left, &mut *right].into_iter().zip(open) {
            peak.completed = open.then_some(around.now);
        }
        for thing in things(around) {
            let [ahead_m, left_m] = around.pose.point_in(thing.at_m[0], thing.at_m[1]);
            let distance_m = ahead_m.hypot(left_m);
            if distance_m > SIGHT_M
                || around.walls.between([around.pose.x_m, around.pose.y_m], thing.at_m) > 0
            {
                continue;
            }
            let moved_m =
                before.get(&thing.id).map_or(0.0, |[x, y]| (thing.at_m[0] - x).hypot(thing.at_m[1] - y));
            self.seen_m.insert(thing.id, thing.at_m);
            let speed_mps = if passed_s > 0.0 { moved_m / passed_s } else { 0.0 };
            let moves = STANDING + (1.0 - STANDING) * (speed_mps / FAST_MPS).min(1.0);
            let height_ratio = moves * (NEAR_M / distance_m.max(NEAR_M));
            let [foot, top] = [0.0, thing.size_m[1]].map(|z_m| direction(head, [ahead_m, left_m, z_m]));
            let [wide_m, tall_m] = thing.size_m;
            let area = wide_m * tall_m / distance_m.max(0.1).powi(2);
            let field = 4.0 * (EYE_FIELD_RAD / 2.0).tan().powi(2) * ASPECT;
            for (peak, (open, outward)) in [&mut *left, &mut *right]
                .into_iter()
                .zip(open.into_iter().zip([EYE_DIVERGENCE_RAD, -EYE_DIVERGENCE_RAD]))
            {
                let Some(elevation_rad) = seen_elevation(foot, top, outward).filter(|_| open) else {
                    continue;
                };
                if height_ratio > peak.height_ratio {
                    peak.azimuth_rad = top[0];
                    peak.elevation_rad = elevation_rad;
                    peak.height_ratio = height_ratio;
                    peak.size_ratio = (area / field).min(1.0);
                }
            }
        }
    }

    /// Listens: the loudest sound is noticed when it begins, grows, or goes on for a while.
    pub(super) fn listen(
        &mut self,
        heard: Option<Heard>,
        head: &Link,
        [time_s, passed_s]: [f64; 2],
        now: Timestamp,
        switches: &Switches,
    ) {
        let [.., wide] = &mut self.peaks;
        wide.height_ratio *= (-passed_s / SOUND_LASTS_S).exp();
        let Some(Heard { id, azimuth_rad, level }) = heard.filter(|it| it.level >= FAINTEST) else { return };
        let news = self.noticed.is_none_or(|(last, loud, since_s)| {
            last != id || level > LOUDER * loud || time_s - since_s >= AGAIN_S
        });
        if !news {
            return;
        }
        self.noticed = Some((id, level, time_s));
        let elevation_rad = (SOUND_HIGH_M - head.at_m[2]).atan2(SOUND_AT_M);
        let magnitude_ratio = level.min(1.0);
        self.sound = Some(SoundEvent { azimuth_rad, elevation_rad, magnitude_ratio, completed: now });
        let height_ratio = (SOUND_GAIN * level).min(1.0);
        let attends = switches.is_on(Part::Attention) && switches.is_on(Part::AttentionSound);
        if attends && height_ratio > wide.height_ratio {
            let [across, up] = SOUND_SIZE_RAD;
            let size_ratio = across * up / (4.0 * ASPECT);
            *wide =
                at(AttentionTarget { azimuth_rad, elevation_rad, height_ratio, size_ratio }, wide.field, now);
        }
    }

    /// Takes in what a client wants it to attend to.
    pub(super) fn direct(&mut self, target: &AttentionTarget, now: Timestamp) {
        let [.., wide] = &mut self.peaks;
        if target.height_ratio >= wide.height_ratio {
            *wide = at(*target, wide.field, now);
        }
    }
}

fn at(target: AttentionTarget, field: AttentionField, completed: Timestamp) -> PriorityPeak {
    let AttentionTarget { azimuth_rad, elevation_rad, height_ratio, size_ratio } = target;
    PriorityPeak { field, azimuth_rad, elevation_rad, height_ratio, size_ratio, completed: Some(completed) }
}

fn nothing(field: AttentionField) -> PriorityPeak {
    PriorityPeak {
        field,
        azimuth_rad: 0.0,
        elevation_rad: 0.0,
        height_ratio: 0.0,
        size_ratio: 0.0,
        completed: None,
    }
}

/// Who is there: people and other robots.
fn things(around: &Surroundings<'_>) -> impl Iterator<Item = Thing> {
    let people = (0..).zip(around.people.iter()).map(|(id, walker)| Thing {
        id,
        at_m: walker.at,
        size_m: [2.0 * walker.person.radius_m, walker.person.height_m],
    });
    let own = around.pose;
    let robots = (ROBOTS..).zip(around.crowd).filter(move |(_, it)| it.pose != own).map(|(id, it)| Thing {
        id,
        at_m: [it.pose.x_m, it.pose.y_m],
        size_m: [it.footprint.width_m, bodies::find(it.family).map_or(0.3, |kind| kind.height_m)],
    });
    people.chain(robots)
}

/// Azimuth and elevation of a point of the foot's axes, seen from the head.
fn direction(head: &Link, point_m: [f64; 3]) -> [f64; 2] {
    let [ahead, left, up] = head.point_in(point_m);
    [left.atan2(ahead), up.atan2(ahead.hypot(left))]
}

/// Where in an eye's field a thing between two directions is, as an elevation; nothing if it is outside.
fn seen_elevation(foot: [f64; 2], top: [f64; 2], outward_rad: f64) -> Option<f64> {
    let half = EYE_FIELD_RAD / 2.0;
    if wrap_angle(top[0] - outward_rad).abs() > half {
        return None;
    }
    let half_up = (half.tan() * ASPECT).atan();
    let low = foot[1].min(top[1]).max(EYE_ELEVATION_RAD - half_up);
    let high = foot[1].max(top[1]).min(EYE_ELEVATION_RAD + half_up);
    (low <= high).then_some((low + high) / 2.0)
}
