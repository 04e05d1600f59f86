//! A body move: begun by `START` with `CONTINUE`, gone on with while `CONTINUE` is held, ended where it leads.
//!
//! ```text
//!       START, CONTINUE            odometry               there · too long · nobody says where it is
//! Idle ─────────────────▶ Waiting ──────────▶ Underway ──────────────────────────────────────▶ Over
//!  ▲                                                                                            │
//!  └────────────────────────────────── no CONTINUE ─────────────────────────────────────────────┘
//! ```
//!
//! `START` that stays begins nothing anew, unless it names another pose. It stands while nobody says where it is, and ends if that lasts.

use latimer_core::Timestamp;

use super::drive::Speeds;
use super::goto_pose::{GotoPose, Step};
use super::pose::Flat;
use crate::miro::map::downstream::MoveTo;

/// A robot whose odometry does not come in this time cannot move, seconds.
const PATIENCE_S: f64 = 1.0;

#[derive(Debug, Default)]
enum State {
    #[default]
    Idle,
    Waiting {
        since: Timestamp,
    },
    Underway {
        goto_pose: GotoPose,
        stepped: Timestamp,
    },
    Over,
}

/// A body move that clients ask for, step by step.
#[derive(Debug, Default)]
pub(super) struct BodyMove {
    /// What the last message said.
    requested: Option<MoveTo>,
    state: State,
}

impl BodyMove {
    /// What a message says of it.
    pub(super) fn receive(&mut self, requested: Option<MoveTo>, now: Timestamp) {
        let begins = requested.filter(|it| it.start).is_some_and(|it| self.requested != Some(it));
        self.requested = requested;
        if requested.is_none() {
            self.state = State::Idle;
        } else if begins {
            self.state = State::Waiting { since: now };
        }
    }

    /// Something else drives now.
    pub(super) fn give_way(&mut self) {
        if self.is_underway() {
            self.state = State::Over;
        }
    }

    /// Whether its goal is set, so that poses in another frame mean nothing to it.
    pub(super) const fn has_goal(&self) -> bool {
        matches!(self.state, State::Underway { .. })
    }

    /// Whether it drives, or is about to.
    pub(super) const fn is_underway(&self) -> bool {
        matches!(self.state, State::Waiting { .. } | State::Underway { .. })
    }

    /// The speeds for now, or why it ended without being there.
    pub(super) fn step(&mut self, at: Option<Flat>, now: Timestamp) -> Result<Option<Speeds>, &'static str> {
        if let (State::Waiting { since }, Some(requested)) = (&self.state, self.requested) {
            let Some(from) = at else {
                if now.since(*since).as_secs_f64() > PATIENCE_S {
                    self.state = State::Over;
                    return Err("a body move needs odometry, and the robot tells none");
                }
                return Ok(None);
            };
            let pose = Flat { x_m: requested.x_m, y_m: requested.y_m, yaw_rad: requested.yaw_rad };
            let goal = if requested.absolute { pose } else { from.out(pose) };
            self.state = State::Underway { goto_pose: GotoPose::new(goal, from), stepped: now };
        }
        let State::Underway { goto_pose, stepped } = &mut self.state else { return Ok(None) };
        let passed_s = now.since(*stepped).as_secs_f64();
        let Some(at) = at else {
            if passed_s > PATIENCE_S {
                self.state = State::Over;
                return Err("the robot tells its odometry no more; the body move was given up");
            }
            return Ok(None);
        };
        *stepped = now;
        match goto_pose.step(at, passed_s) {
            Step::Drive(linear_mps, angular_radps) => Ok(Some((linear_mps, angular_radps))),
            Step::Arrived => {
                self.state = State::Over;
                Ok(None)
            }
            Step::GaveUp => {
                self.state = State::Over;
                Err("a body move took more than ten seconds and was given up")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const AHEAD: MoveTo = MoveTo { x_m: 0.3, y_m: 0.0, yaw_rad: 0.0, start: true, absolute: false };

    fn at(ms: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_millis(ms))
    }

    fn facing_left() -> Flat {
        Flat { x_m: 1.0, y_m: 1.0, yaw_rad: std::f64::consts::FRAC_PI_2 }
    }

    #[test]
    fn a_pose_is_relative_to_where_it_began_or_absolute() {
        let mut relative = BodyMove::default();
        relative.receive(Some(AHEAD), at(0));
        let (linear, angular) = relative.step(Some(facing_left()), at(0)).unwrap().unwrap();
        assert!(linear > 0.0 && angular.abs() < 1e-9, "straight on");
        let mut absolute = BodyMove::default();
        let goal = MoveTo { x_m: 1.5, y_m: 1.0, absolute: true, ..AHEAD };
        absolute.receive(Some(goal), at(0));
        let (_, angular) = absolute.step(Some(facing_left()), at(0)).unwrap().unwrap();
        assert!(angular < 0.0, "to the right");
    }

    #[test]
    fn it_needs_its_flags() {
        let mut body_move = BodyMove::default();
        body_move.receive(Some(MoveTo { start: false, ..AHEAD }), at(0));
        assert!(!body_move.is_underway(), "never begun");
        body_move.receive(Some(AHEAD), at(20));
        assert!(body_move.is_underway());
        body_move.receive(Some(MoveTo { start: false, ..AHEAD }), at(40));
        assert!(body_move.step(Some(Flat::default()), at(40)).unwrap().is_some(), "it goes on");
        body_move.receive(None, at(60));
        assert!(!body_move.is_underway());
        assert_eq!(body_move.step(Some(Flat::default()), at(60)), Ok(None));
    }

    #[test]
    fn it_is_done_once_while_its_flags_stay() {
        let mut body_move = BodyMove::default();
        let there = Flat { x_m: 0.3, ..Flat::default() };
        body_move.receive(Some(AHEAD), at(0));
        assert!(body_move.step(Some(Flat::default()), at(0)).unwrap().is_some());
        assert_eq!(body_move.step(Some(there), at(20)), Ok(None));
        assert!(!body_move.is_underway());
        body_move.receive(Some(AHEAD), at(40));
        assert!(!body_move.is_underway(), "the same again is no new one");
        body_move.receive(Some(MoveTo { x_m: 0.4, ..AHEAD }), at(60));
        assert!(body_move.is_underway(), "another pose is");
    }

    #[test]
    fn without_odometry_it_ends_with_the_reason() {
        let mut body_move = BodyMove::default();
        body_move.receive(Some(AHEAD), at(0));
        assert_eq!(body_move.step(None, at(900)), Ok(None));
        assert!(body_move.step(None, at(1_100)).unwrap_err().contains("odometry"));
        assert!(!body_move.is_underway());
        body_move.receive(Some(MoveTo { x_m: 0.4, ..AHEAD }), at(2_000));
        assert!(!body_move.has_goal());
        assert!(body_move.step(Some(Flat::default()), at(2_000)).unwrap().is_some());
        assert!(body_move.has_goal());
        assert_eq!(body_move.step(None, at(2_900)), Ok(None), "it stands meanwhile");
        assert!(body_move.step(Some(Flat::default()), at(2_920)).unwrap().is_some(), "and goes on");
        assert!(body_move.step(None, at(4_000)).unwrap_err().contains("no more"));
        assert!(!body_move.is_underway());
    }
}
