//! What happens in a round: how the robot begins to move, what is wrong with it, and how its motion is ended.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::fakes::Faults;

/// The robots, one of each dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Misty,
    Chassis,
    Miro,
    Swarm,
    Household,
    Bridge,
}

/// How a robot begins to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// It is given a speed.
    Drive,
    /// It is given several speeds, one after the other, faster than it takes them.
    Burst,
    /// A program that keeps a connection gives it a speed without an end.
    Program,
    /// It is given a goal or a task, or its program is started.
    Goal,
    /// By itself.
    Own,
}

/// How its motion is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Stop,
    Halt,
    EmergencyStop,
    /// Its program leaves.
    Leave,
}

/// A round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) start: Start,
    /// Between the beginning and the stop.
    pub(super) pause: Duration,
    pub(super) ending: Ending,
    pub(super) faults: Faults,
}

impl Kind {
    /// Every robot.
    pub(super) const ALL: [Self; 6] =
        [Self::Misty, Self::Chassis, Self::Miro, Self::Swarm, Self::Household, Self::Bridge];

    /// What it is called at the gateway.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Misty => "misty",
            Self::Chassis => "chassis",
            Self::Miro => "miro",
            Self::Swarm => "swarm",
            Self::Household => "household",
            Self::Bridge => "bridge",
        }
    }

    /// Whether it says of a stop that it does not take it.
    const fn can_refuse(self) -> bool {
        matches!(self, Self::Misty | Self::Chassis)
    }

    /// Whether its connection can end and come back without the robot.
    const fn can_hang_up(self) -> bool {
        matches!(self, Self::Misty | Self::Chassis | Self::Bridge)
    }

    const fn starts(self) -> &'static [Start] {
        match self {
            Self::Misty | Self::Miro => &[Start::Drive, Start::Burst, Start::Program, Start::Own],
            Self::Chassis | Self::Bridge => {
                &[Start::Drive, Start::Burst, Start::Program, Start::Goal, Start::Own]
            }
            Self::Swarm => &[Start::Goal, Start::Own],
            Self::Household => &[Start::Goal],
        }
    }
}

impl Plan {
    /// The same for the same seed and number, whatever happened before.
    pub(super) fn of(kind: Kind, seed: u64, round: u32) -> Self {
        let mut rng = StdRng::seed_from_u64(seed ^ u64::from(round).rotate_left(32));
        let start = *kind.starts().choose(&mut rng).expect("there is one");
        let ending = match start {
            Start::Program if rng.random_bool(0.5) => Ending::Leave,
            _ => *[Ending::Stop, Ending::Halt, Ending::EmergencyStop].choose(&mut rng).expect("there is one"),
        };
        let mut faults = Faults { reports: rng.random_bool(0.8), ..Faults::NONE };
        if rng.random_bool(0.5) {
            faults.takes = millis(&mut rng, 1, 400);
        }
        match rng.random_range(0..3) {
            0 if kind.can_refuse() => faults.refuses_for = millis(&mut rng, 1, 2_500),
            0 | 1 => faults.lies_for = millis(&mut rng, 1, 3_000),
            _ => {}
        }
        // Under an emergency stop it is stopped whenever it begins; else before it has shown for a second that it stands.
        (faults.resumes, faults.resumes_after) = match ending {
            Ending::EmergencyStop => (rng.random_range(0..3), millis(&mut rng, 50, 2_500)),
            _ => (rng.random_range(0..4), millis(&mut rng, 50, 600)),
        };
        faults.hangs_up = kind.can_hang_up() && rng.random_bool(0.15);
        Self { start, pause: millis(&mut rng, 0, 300), ending, faults }
    }
}

fn millis(rng: &mut StdRng, least: u64, most: u64) -> Duration {
    Duration::from_millis(rng.random_range(least..=most))
}
