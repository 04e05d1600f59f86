//! The greatest speeds and accelerations of a robot, for every client.

use std::f64::consts::TAU;
use std::time::Duration;

use crate::limits::TURN_TO_HEADING_TIMEOUT;
use crate::model::{Command, Motion, Outcome, TrackSpeeds};

/// What becomes of a command beyond the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beyond {
    /// It is brought within them, and its caller learns so.
    #[default]
    Limit,
    /// It is refused.
    Refuse,
}

/// The greatest speeds and accelerations of a robot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Envelope {
    /// Forward and backward.
    pub linear_mps: Option<f64>,
    /// To either side.
    pub angular_radps: Option<f64>,
    /// Of a speed that is commanded, as it grows; it shrinks as fast as the robot brakes.
    pub linear_mps2: Option<f64>,
    /// The same of a turn.
    pub angular_radps2: Option<f64>,
    /// What becomes of a higher speed. Accelerations are always limited.
    pub beyond: Beyond,
    /// How far apart the robot's tracks are, of its profile: two speeds of tracks are a turn by it.
    pub gap_m: Option<f64>,
}

/// Tracks of a robot that does not say how far they are apart count as so near each other: what bounds their turn is too low rather
/// than too high.
const NARROW_M: f64 = 0.1;

/// A measured speed is beyond a bound if it is so many times as high, and so much more, m/s or rad/s.
const EXCEEDED_BY: f64 = 1.25;
const EXCEEDED_LEAST: f64 = 0.05;

/// A speed that a command sets: forward and to the left, or of both tracks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Speed {
    Base { linear_mps: f64, angular_radps: f64 },
    Tracks(TrackSpeeds),
}

impl Speed {
    /// The speed that a command sets, if it sets one.
    pub(super) fn of(command: &Command) -> Option<Self> {
        match command {
            Command::Drive { linear_mps, angular_radps, .. } => {
                Some(Self::Base { linear_mps: *linear_mps, angular_radps: *angular_radps })
            }
            Command::DriveTracks(speeds) => Some(Self::Tracks(*speeds)),
            Command::Native(call) => {
                call.speed().map(|[linear_mps, angular_radps]| Self::Base { linear_mps, angular_radps })
            }
            _ => None,
        }
    }

    /// The command that sets it; that of a family is a plain drive if its speed is another one.
    pub(super) const fn command(self, duration: Option<Duration>) -> Command {
        match self {
            Self::Base { linear_mps, angular_radps } => {
                Command::Drive { linear_mps, angular_radps, duration }
            }
            Self::Tracks(speeds) => Command::DriveTracks(speeds),
        }
    }

    fn values(self) -> [f64; 2] {
        match self {
            Self::Base { linear_mps, angular_radps } => [linear_mps, angular_radps],
            Self::Tracks(speeds) => [speeds.left_mps, speeds.right_mps],
        }
    }

    const fn with(self, [first, second]: [f64; 2]) -> Self {
        match self {
            Self::Base { .. } => Self::Base { linear_mps: first, angular_radps: second },
            Self::Tracks(_) => Self::Tracks(TrackSpeeds { left_mps: first, right_mps: second }),
        }
    }

    pub(super) fn is_zero(self) -> bool {
        self.values() == [0.0; 2]
    }

    /// Whether both values differ by less than that.
    pub(super) fn is_near(self, other: Self, by: f64) -> bool {
        self.values().into_iter().zip(other.values()).all(|(a, b)| (a - b).abs() < by)
    }
}

impl Envelope {
    /// The same with a lower speed.
    pub(super) fn at_most(self, linear_mps: Option<f64>) -> Self {
        let lower = [self.linear_mps, linear_mps].into_iter().flatten().reduce(f64::min);
        Self { linear_mps: lower, ..self }
    }

    /// The speed within the bounds. Both of its values are reduced by the same factor, so that the way stays the same.
    pub(super) fn limit(&self, speed: Speed) -> Speed {
        let [first, second] = speed.values();
        let factor = match speed {
            Speed::Base { .. } => share(first, self.linear_mps).min(share(second, self.angular_radps)),
            Speed::Tracks(_) => {
                let angular_radps = (second - first) / self.gap_m.unwrap_or(NARROW_M);
                share(first.abs().max(second.abs()), self.linear_mps)
                    .min(share(angular_radps, self.angular_radps))
            }
        };
        speed.with([first * factor, second * factor])
    }

    /// The speed that a robot which has one comes to in a time, on its way to another.
    pub(super) fn approach(&self, from: Option<Speed>, to: Speed, within: Duration) -> Speed {
        let target = to.values();
        let before = match (from, to) {
            (Some(from @ Speed::Base { .. }), Speed::Base { .. })
            | (Some(from @ Speed::Tracks(_)), Speed::Tracks(_)) => from.values(),
            _ => [0.0; 2],
        };
        let most = match to {
            Speed::Base { .. } => [self.linear_mps2, self.angular_radps2],
            Speed::Tracks(_) => [self.linear_mps2; 2],
        };
        // It brakes at once, and speeds up from there.
        let slowed: [f64; 2] = std::array::from_fn(|i| match before[i] * target[i] > 0.0 {
            true if before[i].abs() > target[i].abs() => target[i],
            true => before[i],
            false => 0.0,
        });
        let part = |i: usize| share(target[i] - slowed[i], most[i].map(|it| it * within.as_secs_f64()));
        let factor = part(0).min(part(1));
        if factor >= 1.0 {
            return to;
        }
        to.with(std::array::from_fn(|i| slowed[i] + factor * (target[i] - slowed[i])))
    }

    /// Whether there is a greatest speed.
    pub(super) const fn is_bounded(&self) -> bool {
        self.linear_mps.is_some() || self.angular_radps.is_some()
    }

    /// Whether a measured speed is beyond the greatest, by more than what wheels and their encoders are off.
    pub(super) fn is_exceeded(&self, [linear_mps, angular_radps]: [f64; 2]) -> bool {
        let beyond = |speed: f64, most: Option<f64>| {
            most.is_some_and(|most| speed.abs() > most * EXCEEDED_BY + EXCEEDED_LEAST)
        };
        beyond(linear_mps, self.linear_mps) || beyond(angular_radps, self.angular_radps)
    }

    /// Whether speeds may have to be changed after they were commanded.
    pub(super) const fn accelerates_slowly(&self) -> bool {
        self.linear_mps2.is_some() || self.angular_radps2.is_some()
    }

    /// The command within the greatest speeds, and what was changed.
    pub(super) fn bound(&self, command: Command) -> Result<(Command, Option<String>), Outcome> {
        let bounded = match command.motion() {
            Motion::Speed { duration, .. } => {
                let asked = Speed::of(&command);
                let limited = asked.map(|asked| (asked, self.limit(asked)));
                limited.filter(|(asked, limited)| asked != limited).map(|(_, it)| it.command(duration))
            }
            // The turn is the robot's own, and takes its part of the time.
            Motion::Heading { .. } if self.angular_radps.is_some() => {
                return Err(Outcome::not_safe(format!(
                    "it turns to a heading at a pace of its own, which nobody can bound: drive with a speed instead; {}",
                    self.words("keep")
                )));
            }
            Motion::Heading { distance_m, duration, .. } => {
                let least = self.least(distance_m, 0.0).map(|it| it.saturating_add(TURN_TO_HEADING_TIMEOUT));
                least.filter(|least| *least > duration).map(|least| within(&command, least))
            }
            // How far it turns depends on where it heads now: a whole circle at most.
            Motion::Arc { radius_m, duration } => {
                let least = self.least(TAU * radius_m, TAU);
                least.filter(|least| *least > duration).map(|least| within(&command, least))
            }
            Motion::Stop
            | Motion::Goal
            | Motion::Own
            | Motion::Parts
            | Motion::Starts
            | Motion::EndsGoal
            | Motion::Ends
            | Motion::Other => None,
        };
        match (bounded.filter(|bounded| *bounded != command), self.beyond) {
            (None, _) => Ok((command, None)),
            (Some(bounded), Beyond::Limit) => Ok((bounded, Some(self.words("it drives slower, within")))),
            (Some(_), Beyond::Refuse) => Err(Outcome::not_safe(self.words("ask for a speed within"))),
        }
    }

    /// The least time for a way and a turn, if there are bounds.
    fn least(&self, way_m: f64, turn_rad: f64) -> Option<Duration> {
        let times = [(way_m, self.linear_mps), (turn_rad, self.angular_radps)];
        let seconds = times.into_iter().filter_map(|(far, most)| Some(far.abs() / most?)).reduce(f64::max)?;
        // No bound lets it stand for ever.
        Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }

    fn words(&self, what: &str) -> String {
        let linear = self.linear_mps.map(|mps| format!("{mps} m/s"));
        let angular = self.angular_radps.map(|radps| format!("{radps} rad/s"));
        let bounds: Vec<String> = linear.into_iter().chain(angular).collect();
        format!("{what} what the gateway's config allows this robot here, {}", bounds.join(" and "))
    }
}

/// The same way in another time.
fn within(command: &Command, time: Duration) -> Command {
    match command {
        Command::Native(call) => Command::Native(call.within(time)),
        other => other.clone(),
    }
}

/// Which share of a value is within a bound.
fn share(value: f64, most: Option<f64>) -> f64 {
    match most {
        Some(most) if value.abs() > most => most / value.abs(),
        _ => 1.0,
    }
}
