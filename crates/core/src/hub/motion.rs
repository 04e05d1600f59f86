//! Whether a robot moves, judged by its commands and its own reports.

use std::time::Duration;

use crate::authority::Place;
use crate::clock::Timestamp;
use crate::model::signal::{Frame, MotionState, NavigationState, Pose, Signal, Velocity};
use crate::model::{Command, Kind, PartName, Update};

/// Speeds below this are a robot that stands, m/s and rad/s.
const STANDS: f64 = 0.01;

/// A drive that has an end may end so much later.
const SLACK: Duration = Duration::from_secs(1);

/// Changes of a pose below these are noise, metres and radians.
const MOVED_M: f64 = 0.005;
const TURNED_RAD: f64 = 0.02;

/// A robot whose pose changed moves for so long after; some robots publish it once a second.
const SEEN: Duration = Duration::from_secs(2);

/// A pose that changed so long ago was the end of a motion.
const JUST_SEEN: Duration = Duration::from_millis(500);

/// Poses that are compared with the ones before; robots publish one or two, each in a frame of its own.
const MOST_POSES: usize = 4;

/// The last pose of a part in a frame.
type LastPose = (Option<PartName>, Frame, Place);

/// What keeps a robot moving.
#[derive(Debug, Default)]
pub(super) struct Motion {
    /// When it was set in motion last.
    commanded_at: Timestamp,
    /// Until when a speed lasts that it was given.
    driven_until: Option<Timestamp>,
    /// It drives somewhere, or does a task, by itself.
    navigating: bool,
    /// It reported a speed, or a motion, that has not ended.
    reported: bool,
    /// When its pose changed last.
    seen: Option<Timestamp>,
    /// When it last reported a speed that it measured.
    measured: Option<Timestamp>,
    /// When it last reported anything of its motion.
    heard: Option<Timestamp>,
    poses: Vec<LastPose>,
    /// Where it is on its map or, without one, from where it started.
    place: Option<(Frame, Place)>,
}

impl Motion {
    /// What is looked at.
    pub(super) const KINDS: [Kind; 4] = [Kind::Velocity, Kind::Motion, Kind::Navigation, Kind::Pose];

    /// Whether it may move now.
    pub(super) fn moves(&self, now: Timestamp) -> bool {
        self.navigating
            || self.reported
            || self.driven_until.is_some_and(|until| now < until)
            || self.seen.is_some_and(|seen| now.since(seen) < SEEN)
    }

    /// Whether it moved when it was heard last: of a robot that has fallen silent nobody knows what it did since.
    pub(super) fn moved_when_heard(&self, now: Timestamp) -> bool {
        self.moves(self.heard.map_or(now, |heard| heard.min(now)))
    }

    /// Whether the robot was set in motion after a moment.
    pub(super) fn is_commanded_after(&self, moment: Timestamp) -> bool {
        self.commanded_at > moment
    }

    /// Whether the robot itself reports that it moves.
    pub(super) fn reports_motion(&self, now: Timestamp) -> bool {
        self.reported || self.seen.is_some_and(|seen| now.since(seen) < JUST_SEEN)
    }

    /// Whether it drives somewhere, or does a task, by itself.
    pub(super) const fn navigates(&self) -> bool {
        self.navigating
    }

    /// A command was given to the robot.
    pub(super) fn commanded(&mut self, command: &Command, now: Timestamp) {
        let end = Timestamp::from_nanos(i64::MAX);
        let lasts = |duration: Option<Duration>| duration.map_or(end, |it| now.after(it + SLACK));
        match command {
            Command::Drive { linear_mps, angular_radps, duration } => {
                let moves = *linear_mps != 0.0 || *angular_radps != 0.0;
                self.driven_until = moves.then(|| lasts(*duration));
            }
            Command::DriveTracks(speeds) => {
                let moves = speeds.left_mps != 0.0 || speeds.right_mps != 0.0;
                self.driven_until = moves.then_some(end);
            }
            Command::DriveHeading { duration, .. } | Command::DriveArc { duration, .. } => {
                self.driven_until = Some(lasts(Some(*duration)));
            }
            Command::Navigate(_) | Command::Task(_) | Command::Follow(_) => self.navigating = true,
            _ => return,
        }
        self.commanded_at = now;
    }

    /// The robot took a stop that was given then.
    pub(super) fn stopped(&mut self, given: Timestamp) {
        if self.commanded_at <= given {
            *self = Self { place: self.place, measured: self.measured, ..Self::default() };
        }
    }

    /// Where the robot is, as far as it has reported that.
    pub(super) fn place(&self) -> Option<Place> {
        self.place.map(|(_, place)| place)
    }

    /// The robot said something.
    pub(super) fn observe(&mut self, update: &Update) {
        if Self::KINDS.contains(&update.kind()) {
            self.heard = Some(update.received);
        }
        match &update.signal {
            Signal::Velocity(velocity) => {
                if update.part.as_ref().is_some_and(|part| part.as_str() == Velocity::MEASURED) {
                    self.measured = Some(update.received);
                }
                let speeds = [velocity.linear_mps, velocity.angular_radps];
                self.reported = speeds.iter().flatten().any(|speed| speed.abs() >= STANDS);
            }
            Signal::Motion(motion) => self.reported = motion.state == MotionState::Moving,
            Signal::Navigation(navigation) => self.navigating = navigation.state == NavigationState::Moving,
            Signal::Pose(pose) => self.observe_pose(pose, update),
            _ => {}
        }
    }

    fn observe_pose(&mut self, pose: &Pose, update: &Update) {
        let at = [pose.x_m, pose.y_m, pose.yaw_rad];
        let is_better = self.place.is_none_or(|(frame, _)| frame != Frame::Map || pose.frame == Frame::Map);
        if update.part.is_none() && matches!(pose.frame, Frame::Map | Frame::Odom) && is_better {
            self.place = Some((pose.frame, at));
        }
        let known =
            self.poses.iter_mut().find(|(part, frame, _)| *part == update.part && *frame == pose.frame);
        let Some((.., before)) = known else {
            if self.poses.len() < MOST_POSES {
                self.poses.push((update.part.clone(), pose.frame, at));
            }
            return;
        };
        let [x_m, y_m, yaw_rad] = *before;
        let turned_rad = (pose.yaw_rad - yaw_rad).sin().abs();
        if (pose.x_m - x_m).hypot(pose.y_m - y_m) >= MOVED_M || turned_rad >= TURNED_RAD {
            *before = at;
            // On a map it jumps whenever the robot corrects where it believes to be, and trembles by centimetres: its wheels know better.
            let measures = self.measured.is_some_and(|then| update.received.since(then) < SEEN);
            if pose.frame != Frame::Map || !measures {
                self.seen = Some(update.received);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::signal::Velocity;
    use crate::model::{Destination, NavigationGoal, RobotId};

    fn at(seconds: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_secs(seconds))
    }

    #[test]
    fn a_robot_moves_until_its_drive_is_over_or_it_took_a_stop() {
        let mut motion = Motion::default();
        assert!(!motion.moves(at(0)));
        let drive = |duration| Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration };
        motion.commanded(&drive(Some(Duration::from_secs(2))), at(0));
        assert!(motion.moves(at(2)) && !motion.moves(at(4)));
        motion.commanded(&drive(None), at(4));
        assert!(motion.moves(at(4_000)), "it has no end");
        motion.commanded(&Command::Lamp { part: None, rgb: [0; 3] }, at(5));
        assert!(motion.moves(at(5)));
        motion.stopped(at(3));
        assert!(motion.moves(at(5)), "that stop was given before the drive");
        motion.stopped(at(5));
        assert!(!motion.moves(at(5)));
        motion.commanded(&Command::Navigate(NavigationGoal::to(Destination::Target)), at(6));
        assert!(motion.moves(at(600)));
    }

    #[test]
    fn a_robot_whose_pose_changes_moves_and_one_whose_pose_trembles_does_not() {
        let mut motion = Motion::default();
        let robot = RobotId::new("r").expect("a name");
        let mut observe_pose = |x_m, seconds| {
            let pose = Pose::planar(Frame::Map, x_m, 0.0, 0.0);
            motion.observe(&Update::now(&robot, at(seconds), pose.into()));
            motion.moves(at(seconds))
        };
        assert!(!observe_pose(1.0, 0), "it may have stood there for hours");
        assert!(!observe_pose(1.001, 1) && !observe_pose(1.0, 2));
        assert!(observe_pose(1.1, 3) && observe_pose(1.1, 4));
        assert!(!observe_pose(1.1, 6));
        assert!(observe_pose(1.2, 7));
        assert!(!motion.moves(at(20)) && motion.moved_when_heard(at(20)), "it fell silent while it moved");
    }

    #[test]
    fn a_robot_whose_wheels_stand_does_not_move_when_it_corrects_its_pose_on_a_map() {
        let robot = RobotId::new("r").expect("a name");
        let moves = |part: &str, speed, frame| {
            let mut motion = Motion::default();
            for second in 0..5 {
                let of = |signal: Signal| Update::now(&robot, at(second), signal);
                let velocity = of(Velocity::of(speed, 0.0).into());
                motion.observe(&Update { part: Some(PartName::of(part)), ..velocity });
                motion.observe(&of(Pose::planar(frame, second as f64 / 50.0, 0.0, 0.0).into()));
            }
            motion.moves(at(4))
        };
        assert!(!moves("measured", 0.0, Frame::Map));
        assert!(moves("measured", 0.02, Frame::Map));
        assert!(moves("measured", 0.0, Frame::Odom), "dead reckoning is of the wheels");
        assert!(moves("commanded", 0.0, Frame::Map), "a commanded speed of 0 is no measurement");
        let mut silent = Motion::default();
        let measured = Update::now(&robot, at(0), Velocity::of(0.0, 0.0).into());
        silent.observe(&Update { part: Some(PartName::of("measured")), ..measured });
        for second in 3..5 {
            let pose = Pose::planar(Frame::Map, f64::from(second as u8) / 10.0, 0.0, 0.0);
            silent.observe(&Update::now(&robot, at(second), pose.into()));
        }
        assert!(silent.moves(at(4)), "what its wheels said is too long ago");
    }

    #[test]
    fn a_robot_that_reports_a_speed_moves_by_whatever_command() {
        let mut motion = Motion::default();
        let robot = RobotId::new("r").expect("a name");
        let mut observe_velocity =
            |speed| motion.observe(&Update::now(&robot, at(0), Velocity::of(speed, 0.0).into()));
        observe_velocity(0.3);
        observe_velocity(0.0);
        assert!(!motion.moves(at(1)));
        motion.observe(&Update::now(&robot, at(0), Velocity::of(0.0, -0.5).into()));
        assert!(motion.moves(at(1)));
    }
}
