//! The greatest speeds of a robot, for every client.

use crate::model::{Command, Outcome, TrackSpeeds};

/// What becomes of a command beyond the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beyond {
    /// It is brought within them, and its caller learns so.
    #[default]
    Limit,
    /// It is refused.
    Refuse,
}

/// The greatest speeds of a robot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Envelope {
    /// Forward and backward.
    pub linear_mps: Option<f64>,
    /// To either side.
    pub angular_radps: Option<f64>,
    /// What becomes of more.
    pub beyond: Beyond,
}

impl Envelope {
    /// The command within the bounds, and what was changed.
    pub(super) fn bound(&self, command: Command) -> Result<(Command, Option<String>), Outcome> {
        let bounded = match &command {
            Command::Drive { linear_mps, angular_radps, duration } => {
                // Both by the same factor, so that the way stays the same.
                let factor =
                    share(*linear_mps, self.linear_mps).min(share(*angular_radps, self.angular_radps));
                (factor < 1.0).then(|| Command::Drive {
                    linear_mps: linear_mps * factor,
                    angular_radps: angular_radps * factor,
                    duration: *duration,
                })
            }
            Command::DriveTracks(TrackSpeeds { left_mps, right_mps }) => {
                let fastest = left_mps.abs().max(right_mps.abs());
                let factor = share(fastest, self.linear_mps);
                (factor < 1.0).then(|| {
                    Command::DriveTracks(TrackSpeeds {
                        left_mps: left_mps * factor,
                        right_mps: right_mps * factor,
                    })
                })
            }
            Command::DriveHeading { heading_rad, distance_m, duration, reverse } => {
                let factor = share(distance_m / duration.as_secs_f64().max(1e-9), self.linear_mps);
                (factor < 1.0).then(|| Command::DriveHeading {
                    heading_rad: *heading_rad,
                    distance_m: *distance_m,
                    duration: duration.div_f64(factor.max(1e-6)),
                    reverse: *reverse,
                })
            }
            _ => None,
        };
        match (bounded, self.beyond) {
            (None, _) => Ok((command, None)),
            (Some(bounded), Beyond::Limit) => Ok((bounded, Some(self.words("it drives slower, within")))),
            (Some(_), Beyond::Refuse) => Err(Outcome::not_safe(self.words("ask for a speed within"))),
        }
    }

    fn words(&self, what: &str) -> String {
        let linear = self.linear_mps.map(|mps| format!("{mps} m/s"));
        let angular = self.angular_radps.map(|radps| format!("{radps} rad/s"));
        let bounds: Vec<String> = linear.into_iter().chain(angular).collect();
        format!("{what} what the gateway's config allows this robot, {}", bounds.join(" and "))
    }
}

/// Which share of a value is within a bound.
fn share(value: f64, most: Option<f64>) -> f64 {
    match most {
        Some(most) if value.abs() > most => most / value.abs(),
        _ => 1.0,
    }
}
