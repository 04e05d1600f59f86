//! The neck's joints, and those that only show a mood: tail, ears, eyelids.

use latimer_core::model::signal::Joint;
use latimer_core::model::{JointPosition, JointTarget, Kind};
use latimer_core::{Outcome, PartName};

use super::neck::Angles;
use super::parts::{COSMETICS, JOINT_LOAD_A, JOINTS};
use crate::behaviour::Gesture;
use crate::bodies::moment::Moment;
use crate::bodies::{check, hinges};
use crate::physics::STEP_S;
use crate::sensors::JointMotor;

/// Steps between two reports: 50 a second.
const PERIOD: u64 = 2;

/// What is asked for to blink; it is no joint, but the way to it.
const BLINK: &str = "blink";

/// Length of a blink if none is asked for, seconds (plausible).
const BLINK_S: f64 = 0.2;

/// Which of [`COSMETICS`] the eyelids are.
const EYELIDS: usize = 3;

/// Share of the neck's range that a behaviour's small movements use: the sonar shall keep looking ahead.
const GESTURE: f64 = 0.3;

/// A joint of which only the share of its range is known.
#[derive(Clone, Debug)]
struct Cosmetic {
    part: PartName,
    share: f64,
    target: f64,
}

/// Eyelids that close and open once, or twice.
#[derive(Clone, Copy, Debug)]
struct Blink {
    began_s: f64,
    length_s: f64,
    times: f64,
}

/// All joints.
#[derive(Clone)]
pub(super) struct Joints {
    neck: [(PartName, JointMotor); 4],
    cosmetics: [Cosmetic; 4],
    blink: Option<Blink>,
    /// How far the lids are closed by how tired it is.
    droop: f64,
}

impl Joints {
    pub(super) fn new() -> Self {
        let hinge = |(name, min, max, first, speed): (&str, f64, f64, f64, f64)| {
            (PartName::of(name), JointMotor::degrees(min, max, speed).at_degrees(first))
        };
        let cosmetic =
            |(name, ..): (&str, f64, f64)| Cosmetic { part: PartName::of(name), share: 0.0, target: 0.0 };
        Self { neck: JOINTS.map(hinge), cosmetics: COSMETICS.map(cosmetic), blink: None, droop: 0.0 }
    }

    /// Sends joints to their targets: all, or none if one of them is refused. The part `blink` closes the
    /// eyelids for a time and opens them again, twice if its share is below 0.
    pub(super) fn aim(&mut self, targets: &[JointTarget], time_s: f64) -> Result<(), Outcome> {
        let mut aimed = self.clone();
        for target in targets {
            aimed.aim_one(target, time_s)?;
        }
        *self = aimed;
        Ok(())
    }

    fn aim_one(&mut self, target: &JointTarget, time_s: f64) -> Result<(), Outcome> {
        let part = &target.part;
        if let Some((_, motor)) = self.neck.iter_mut().find(|(name, _)| name == part) {
            return hinges::turn(motor, target, 1.0);
        }
        if let Some(velocity) = target.velocity_radps {
            check::within("joint velocity in rad/s", velocity, 0.001, 1e3)?;
        }
        let within_s = target.duration.map(|it| check::seconds("duration in seconds", it)).transpose()?;
        if part.as_str() == BLINK {
            self.begin_blink(share(target, -1.0)?, within_s, time_s);
            return Ok(());
        }
        let found = self.cosmetics.iter_mut().zip(COSMETICS).find(|(it, _)| it.part == *part);
        let Some((cosmetic, (_, lowest, _))) = found else {
            let names = JOINTS.iter().map(|(name, ..)| *name).chain(COSMETICS.iter().map(|(name, ..)| *name));
            let known: Vec<&str> = names.chain([BLINK]).collect();
            return Err(Outcome::bad_argument(format!("no joint {part}; there are: {}", known.join(", "))));
        };
        cosmetic.target = share(target, lowest)?;
        Ok(())
    }

    fn begin_blink(&mut self, way: f64, length_s: Option<f64>, time_s: f64) {
        let length_s = length_s.unwrap_or(BLINK_S).max(STEP_S);
        self.blink = Some(Blink { began_s: time_s, length_s, times: if way < 0.0 { 2.0 } else { 1.0 } });
    }

    /// Makes a small movement of a behaviour.
    pub(super) fn gesture(&mut self, gesture: Gesture) {
        let [_, _, (_, yaw), (_, pitch)] = &mut self.neck;
        let degrees = |share: f64, joint: usize| (GESTURE * share * JOINTS[joint].2).to_radians();
        yaw.aim(degrees(gesture.head_left, 2), yaw.speed_at(0.4));
        let level = JOINTS[3].3.to_radians();
        pitch.aim(level + degrees(gesture.head_down, 3), pitch.speed_at(0.4));
        let [_, left, right, _] = &mut self.cosmetics;
        left.target = gesture.arms_down.clamp(0.0, 1.0);
        right.target = left.target;
    }

    /// Lets the lids droop, by so much.
    pub(super) fn droop(&mut self, closure: f64) {
        self.droop = closure;
    }

    /// Holds the tail as it feels, -1..1.
    pub(super) fn wag(&mut self, share: f64) {
        let [tail, ..] = &mut self.cosmetics;
        tail.target = share;
    }

    /// Turns the neck to an angle, at a leisurely pace.
    pub(super) fn face(&mut self, yaw_rad: f64) {
        let [_, _, (_, yaw), _] = &mut self.neck;
        yaw.aim(yaw_rad, yaw.speed_at(0.4));
    }

    /// Gives way at these speeds for a step: lift, yaw, pitch.
    pub(super) fn give_way(&mut self, rates_radps: [f64; 3]) {
        let [_, moved @ ..] = &mut self.neck;
        for ((_, motor), rate) in moved.iter_mut().zip(rates_radps) {
            motor.aim(motor.position_rad() + rate * STEP_S, rate.abs());
        }
    }

    /// All stay where they are.
    pub(super) fn stop(&mut self) {
        for (_, motor) in &mut self.neck {
            motor.stop();
        }
        for cosmetic in &mut self.cosmetics {
            cosmetic.target = cosmetic.share;
        }
        self.blink = None;
    }

    /// All go to where they are after power-up.
    pub(super) fn restart(&mut self) {
        for ((_, motor), (_, _, _, first_deg, _)) in self.neck.iter_mut().zip(JOINTS) {
            motor.aim(first_deg.to_radians(), motor.speed_at(1.0));
        }
        for cosmetic in &mut self.cosmetics {
            cosmetic.target = 0.0;
        }
        self.blink = None;
    }

    /// Moves and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>) {
        self.blink = self.blink.filter(|it| now.time_s < it.began_s + it.length_s * it.times);
        let due = now.due(Kind::Joint, PERIOD);
        for (part, motor) in &mut self.neck {
            motor.step(STEP_S);
            if due {
                now.reports.of(part, motor.read());
            }
        }
        for (i, (cosmetic, (_, _, speed))) in self.cosmetics.iter_mut().zip(COSMETICS).enumerate() {
            let most = speed * STEP_S;
            cosmetic.share += (cosmetic.target - cosmetic.share).clamp(-most, most);
            if due {
                let blinks = self.blink.filter(|_| i == EYELIDS).map(|it| it.closure(now.time_s));
                let shut = blinks.unwrap_or_default().max(if i == EYELIDS { self.droop } else { 0.0 });
                let share = if shut > 0.0 { cosmetic.share.max(shut) } else { cosmetic.share };
                now.reports.of(&cosmetic.part, Joint::share(share));
            }
        }
    }

    /// Angles of the neck.
    pub(super) fn angles(&self) -> Angles {
        let [tilt, lift, yaw, pitch] = &self.neck;
        Angles {
            tilt: tilt.1.position_rad(),
            lift: lift.1.position_rad(),
            yaw: yaw.1.position_rad(),
            pitch: pitch.1.position_rad(),
        }
    }

    /// Current that the motors take, amperes.
    pub(super) fn load_a(&self) -> f64 {
        JOINT_LOAD_A * self.neck.iter().filter(|(_, motor)| motor.is_moving()).count() as f64
    }
}

impl Blink {
    /// How far the lids are closed, 0..1: shut in the middle of each blink.
    fn closure(&self, time_s: f64) -> f64 {
        let into = ((time_s - self.began_s) / self.length_s).rem_euclid(1.0);
        (2.0 * (1.0 - (2.0 * into - 1.0).abs())).min(1.0)
    }
}

/// A share within its range, or the refusal.
fn share(target: &JointTarget, lowest: f64) -> Result<f64, Outcome> {
    match target.position {
        JointPosition::Share { ratio } => check::within("share of the joint's range", ratio, lowest, 1.0),
        JointPosition::Angle { .. } => {
            Err(Outcome::bad_argument(format!("{} has no angle; give a share of its range", target.part)))
        }
    }
}
