//! Commands to a robot, each kept for as long as it holds: messages in, commands out. Pure; time comes from the caller.
//!
//! ```text
//!             platform/control, control/cmd_vel            a second without any
//! Nobody ───────────────────────────────────────▶ Held ───────────────────────▶ Nobody
//! controls                                        │  ▲                          (Stop, if it drives)
//!                                                 └──┘ step: what changed, the speed again
//! ```
//!
//! Each has a time of its own: the speed that of the last message with one, the lamps that of the last with
//! colours, all else that of `platform/control`. A program that only drives keeps no body move of another
//! going.
//!
//! Speeds hold until they are over; joints, lamps and shares are said when they change, sounds and blinks when they are
//! raised. After a silence, all but what is dark or neutral is said anew, since others may have changed it; what was refused, after a
//! second. The last message counts, whichever client sent it. A speed of zero ends a drive, and is else no word at all, so that a robot
//! that acts by itself goes on.

use std::time::Duration;

use latimer_core::model::{Command, JointPosition, JointTarget};
use latimer_core::{PartName, Timestamp};

use super::body_move::BodyMove;
use super::drive::{Drive, Speeds};
use super::joint_map::JointMap;
use super::pose::Flat;
use crate::miro::limits::{CONTROL_HOLD_TIMEOUT, LAMPS_MIN_INTERVAL, PLATFORM_PERIOD, REFUSED_RETRY_DELAY};
use crate::miro::map::downstream::{Aim, Control, Lamps};

/// How long a message holds: a step less than its time, so that the robot stands when it is over.
const HELD: Duration = CONTROL_HOLD_TIMEOUT.saturating_sub(PLATFORM_PERIOD);

/// What came of a step.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Orders {
    /// For the robot, in this order.
    pub(super) commands: Vec<Command>,
    /// What cannot be done, for the log.
    pub(super) throttled_warnings: Vec<String>,
}

/// The last commands, each until its time is over.
#[derive(Debug)]
pub(super) struct CommandHold {
    /// Least time between two commands of a sort.
    least: Duration,
    /// When `platform/control`, a speed and colours were last received, while each holds.
    received: Option<Timestamp>,
    driven: Option<Timestamp>,
    lit: Option<Timestamp>,
    /// When shares alone were last received, while they hold.
    shown: Option<Timestamp>,
    speeds: Option<Speeds>,
    drive: Drive,
    body_move: BodyMove,
    joints: [Option<Aim>; 4],
    sent_joints: [Option<Aim>; 4],
    cosmetics: [Option<f64>; 4],
    /// `None` if nobody knows.
    said_cosmetics: [Option<f64>; 4],
    /// Decoded anew unless they are neutral.
    cosmetics_anew: bool,
    /// Which joints and shares the last command was for.
    asked: [[bool; 4]; 2],
    /// When those are forgotten, since the command failed.
    limbs_fail: Option<Timestamp>,
    limbs_at: Option<Timestamp>,
    lamps: Lamps,
    said_lamps: [Option<[u8; 3]>; 6],
    lamps_anew: bool,
    lamps_fail: Option<Timestamp>,
    lamps_at: Option<Timestamp>,
    sounds: [u32; 2],
    blink: Option<(Duration, bool)>,
    /// Raised and not yet said.
    raised_sounds: [u32; 2],
    raised_blink: Option<(Duration, bool)>,
    throttled_warnings: Vec<String>,
}

impl CommandHold {
    /// Nobody controls; a command of a sort is said no oftener than this.
    pub(super) fn new(least: Duration) -> Self {
        Self {
            least,
            received: None,
            driven: None,
            lit: None,
            shown: None,
            speeds: None,
            drive: Drive::new(least),
            body_move: BodyMove::default(),
            joints: [None; 4],
            sent_joints: [None; 4],
            cosmetics: [None; 4],
            said_cosmetics: [Some(0.0); 4],
            cosmetics_anew: false,
            asked: [[false; 4]; 2],
            limbs_fail: None,
            limbs_at: None,
            lamps: [[0; 3]; 6],
            said_lamps: [Some([0; 3]); 6],
            lamps_anew: false,
            lamps_fail: None,
            lamps_at: None,
            sounds: [0; 2],
            blink: None,
            raised_sounds: [0; 2],
            raised_blink: None,
            throttled_warnings: Vec::new(),
        }
    }

    /// A message of `platform/control`.
    pub(super) fn receive(&mut self, control: &Control, now: Timestamp) {
        let Control { paired: _, speeds, joints, move_to, cosmetics, blink, lamps, sounds, odd } = control;
        self.received = Some(now);
        self.drive_at(*speeds, now);
        self.light_at(*lamps, now);
        self.body_move.receive(*move_to, now);
        if speeds.is_some() {
            self.body_move.give_way();
        }
        (self.joints, self.cosmetics) = (*joints, *cosmetics);
        for ((raised, last), new) in self.raised_sounds.iter_mut().zip(&mut self.sounds).zip(sounds) {
            if *new > 0 && new != last {
                *raised = *new;
            }
            *last = *new;
        }
        if blink.is_some() && *blink != self.blink {
            self.raised_blink = *blink;
        }
        self.blink = *blink;
        for field in odd {
            self.throttled_warnings
                .push(format!("{field} of platform/control is no number; it was left alone"));
        }
    }

    /// A speed alone, of `control/cmd_vel`.
    pub(super) fn drive_at(&mut self, speeds: Option<Speeds>, now: Timestamp) {
        self.driven = Some(now);
        self.speeds = speeds;
        if speeds.is_some() {
            self.body_move.give_way();
        }
    }

    /// Colours alone, of `control/lights`.
    pub(super) fn light_at(&mut self, lamps: Lamps, now: Timestamp) {
        self.lit = Some(now);
        self.lamps = lamps;
    }

    /// Shares alone, of `control/cosmetic_joints`.
    pub(super) fn show(&mut self, cosmetics: [f64; 4], now: Timestamp) {
        self.shown = Some(now);
        self.cosmetics = cosmetics.map(Some);
    }

    /// Somebody else stopped the robot: no speed holds any more, and no body move.
    pub(super) fn stopped(&mut self) {
        (self.driven, self.speeds) = (None, None);
        self.body_move.give_way();
        self.drive.stopped();
    }

    /// A command, by its word, was not carried out: what it was to bring about is said again after a while, not at every step.
    pub(super) fn failed(&mut self, name: &str, now: Timestamp) {
        let fails = match name {
            "joints" => &mut self.limbs_fail,
            "lamp" => &mut self.lamps_fail,
            _ => return,
        };
        fails.get_or_insert(now.after(REFUSED_RETRY_DELAY));
    }

    /// A command of a sort is said no oftener than this.
    pub(super) const fn pace(&mut self, least: Duration) {
        self.least = least;
        self.drive.pace(least);
    }

    /// Whether the last command drives the robot.
    pub(super) const fn is_driving(&self) -> bool {
        self.drive.goes()
    }

    /// Whether it has something to do as time goes by.
    pub(super) fn is_awake(&self) -> bool {
        let holds = [self.received, self.driven, self.lit, self.shown];
        holds.iter().any(Option::is_some) || self.drive.goes()
    }

    /// Whether it must know where the robot is.
    pub(super) const fn needs_odometry(&self) -> bool {
        self.body_move.is_underway()
    }

    /// Whether a body move has its goal, in the frame of the pose by which it began.
    pub(super) const fn has_goal(&self) -> bool {
        self.body_move.has_goal()
    }

    /// What is to be done now, by where the robot believes to be.
    pub(super) fn step(&mut self, at: Option<Flat>, joint_map: &JointMap, now: Timestamp) -> Orders {
        self.let_go(now);
        self.forget(now);
        let mut orders =
            Orders { commands: Vec::new(), throttled_warnings: std::mem::take(&mut self.throttled_warnings) };
        let moved = self.body_move.step(at, now).unwrap_or_else(|reason| {
            orders.throttled_warnings.push(reason.to_owned());
            None
        });
        let wanted = self.speeds.or(moved).map(|speeds| joint_map.speeds(speeds));
        orders.commands.extend(self.drive.step(wanted, now));
        if self.received.is_some() || self.shown.is_some() {
            self.move_limbs(joint_map, now, &mut orders);
        }
        if self.lit.is_some() {
            self.light(joint_map, now, &mut orders);
        }
        self.sound(&mut orders);
        orders
    }

    /// Lets go what nobody controls any more; what was shown stays.
    fn let_go(&mut self, now: Timestamp) {
        if is_over(&mut self.driven, now) {
            self.speeds = None;
        }
        if is_over(&mut self.received, now) {
            self.body_move = BodyMove::default();
            (self.joints, self.sent_joints) = ([None; 4], [None; 4]);
            (self.sounds, self.blink) = ([0; 2], None);
            self.cosmetics_anew = true;
        }
        self.lamps_anew |= is_over(&mut self.lit, now);
        self.cosmetics_anew |= is_over(&mut self.shown, now);
    }

    /// Forgets what was said in vain, when it is time to say it again.
    fn forget(&mut self, now: Timestamp) {
        if self.limbs_fail.take_if(|due| now >= *due).is_some() {
            let [joints, shares] = std::mem::take(&mut self.asked);
            for (said, _) in self.sent_joints.iter_mut().zip(joints).filter(|(_, asked)| *asked) {
                *said = None;
            }
            for (said, _) in self.said_cosmetics.iter_mut().zip(shares).filter(|(_, asked)| *asked) {
                *said = None;
            }
        }
        if self.lamps_fail.take_if(|due| now >= *due).is_some() {
            self.said_lamps = [None; 6];
        }
    }

    fn move_limbs(&mut self, joint_map: &JointMap, now: Timestamp, orders: &mut Orders) {
        let (mut targets, mut lacks) = (Vec::new(), Vec::new());
        if is_due(self.limbs_at, self.least, now) {
            let mut changed = [false; 4];
            for ((changed, aim), said) in changed.iter_mut().zip(&self.joints).zip(&mut self.sent_joints) {
                // A joint that is left alone keeps going where it was sent.
                *changed = aim.is_some() && aim != said;
                *said = aim.or(*said);
            }
            joint_map.joints(&self.sent_joints, changed, &mut targets, &mut lacks);
            let mut asked = [None; 4];
            for ((asked, share), said) in asked.iter_mut().zip(self.cosmetics).zip(&mut self.said_cosmetics) {
                let anew = |share: &f64| self.cosmetics_anew && *share != 0.0;
                *asked = share.filter(|share| Some(*share) != *said || anew(share));
                *said = share.or(*said);
            }
            self.cosmetics_anew = false;
            if changed.contains(&true) || asked.iter().any(Option::is_some) {
                self.asked = [changed, asked.map(|it| it.is_some())];
            }
            joint_map.cosmetics(&asked, &mut targets, &mut lacks);
        }
        if let Some((duration, twice)) = self.raised_blink.take() {
            match joint_map.blinks() {
                true => targets.push(JointTarget {
                    part: PartName::of("blink"),
                    position: JointPosition::Share { ratio: if twice { -1.0 } else { 1.0 } },
                    velocity_radps: None,
                    duration: Some(duration),
                }),
                false => lacks.push("blink"),
            }
        }
        if !targets.is_empty() {
            self.limbs_at = Some(now);
            orders.commands.push(Command::Joints(targets));
        }
        orders
            .throttled_warnings
            .extend(lacks.into_iter().map(|name| format!("the robot has nothing to move for {name}")));
    }

    fn light(&mut self, joint_map: &JointMap, now: Timestamp, orders: &mut Orders) {
        if !is_due(self.lamps_at, LAMPS_MIN_INTERVAL, now) {
            return;
        }
        let anew = std::mem::take(&mut self.lamps_anew);
        let mut changed = [false; 6];
        for ((changed, said), wanted) in changed.iter_mut().zip(&mut self.said_lamps).zip(&self.lamps) {
            *changed = *said != Some(*wanted) || anew && *wanted != [0; 3];
            *said = Some(*wanted);
        }
        let commands = joint_map.lamps(changed, &self.lamps);
        if !commands.is_empty() {
            self.lamps_at = Some(now);
            orders.commands.extend(commands);
        }
    }

    fn sound(&mut self, orders: &mut Orders) {
        for (library, number) in std::mem::take(&mut self.raised_sounds).into_iter().enumerate() {
            if number == 0 {
                continue;
            }
            match JointMap::sound(library, number) {
                Ok(command) => orders.commands.push(command),
                Err(error) => orders.throttled_warnings.push(error.to_string()),
            }
        }
    }
}

/// Whether what holds since then ends now.
fn is_over(since: &mut Option<Timestamp>, now: Timestamp) -> bool {
    since.take_if(|since| now.since(*since) >= HELD).is_some()
}

fn is_due(last: Option<Timestamp>, every: Duration, now: Timestamp) -> bool {
    last.is_none_or(|last| now.since(last) >= every)
}
