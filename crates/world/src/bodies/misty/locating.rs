//! Localisation: knows the world's map from the start, needs a moment to find itself on it.
//!
//! ```text
//!              Tracking(true)                 2 s
//!  Idle ─────────────────────▶ Relocalizing ─────▶ Tracking ──LosePose──▶ Relocalizing (8 s)
//!   │  ▲  Mapping(true)               2 s
//!   │  │──────────▶ Mapping (no pose) ─────▶ Mapping ──Mapping(false)──▶ exporting (1 s) ─▶ Idle
//!   └──Reset──▶ Starting (1 s) ─▶ Idle
//! ```

use latimer_core::model::signal::{Frame, Localization, LocalizationState, Pose};
use latimer_core::model::{Kind, LocalizationCommand};

use crate::bodies::moment::Moment;
use crate::geometry::Pose2;
use crate::rng::Rng;

/// Steps between two reports: 1 s.
const PERIOD: u64 = 100;
/// Time to find itself, seconds.
const FIND_S: f64 = 2.0;
/// Time to find itself again after the pose was lost, seconds.
pub(super) const FIND_AGAIN_S: f64 = 8.0;
/// Time to reset or to write the map, seconds.
const HOUSEKEEPING_S: f64 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    None,
    Mapping,
    Exporting,
    Tracking,
    Resetting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fix {
    Never,
    Has,
    Lost,
}

/// The localisation.
pub(super) struct Locating {
    task: Task,
    fix: Fix,
    streaming: bool,
    due_s: f64,
    changed: bool,
}

impl Locating {
    pub(super) fn new() -> Self {
        Self { task: Task::None, fix: Fix::Never, streaming: false, due_s: 0.0, changed: true }
    }

    /// Takes a command; the reason if it cannot be done.
    pub(super) fn command(&mut self, command: LocalizationCommand, time_s: f64) -> Result<(), &'static str> {
        match (command, self.task) {
            (LocalizationCommand::Reset, _) => self.go(Task::Resetting, Fix::Never, time_s + HOUSEKEEPING_S),
            (_, Task::Resetting | Task::Exporting) => {
                return Err("the localisation is busy; try again in a second");
            }
            (LocalizationCommand::Relocate(_), Task::Tracking) if self.fix != Fix::Has => {
                self.go(Task::Tracking, Fix::Never, time_s + FIND_S);
            }
            (LocalizationCommand::Relocate(_), _) => return Err("it looks for itself only while it tracks"),
            (LocalizationCommand::MappingInFrame, _) => {
                return Err("it begins each map where it stands; start mapping without a frame");
            }
            (LocalizationCommand::Streaming(on), _) => self.streaming = on,
            (LocalizationCommand::Mapping(true), Task::Tracking) => {
                return Err("it tracks; stop tracking first");
            }
            (LocalizationCommand::Tracking(true), Task::Mapping) => {
                return Err("it makes a map; stop mapping first");
            }
            (LocalizationCommand::Mapping(true), _) => self.go(Task::Mapping, Fix::Never, time_s + FIND_S),
            (LocalizationCommand::Tracking(true), _) => self.go(Task::Tracking, Fix::Never, time_s + FIND_S),
            (LocalizationCommand::Mapping(false), Task::Mapping) => {
                self.go(Task::Exporting, Fix::Never, time_s + HOUSEKEEPING_S);
            }
            (LocalizationCommand::Tracking(false), Task::Tracking) => self.go(Task::None, Fix::Never, 0.0),
            (LocalizationCommand::Mapping(false) | LocalizationCommand::Tracking(false), _) => {}
        }
        self.changed = true;
        Ok(())
    }

    fn go(&mut self, task: Task, fix: Fix, due_s: f64) {
        (self.task, self.fix, self.due_s) = (task, fix, due_s);
        if matches!(task, Task::Mapping | Task::Tracking) {
            self.streaming = true;
        }
    }

    /// Loses the pose until a time; returns whether there was one.
    pub(super) fn lose(&mut self, until_s: f64) -> bool {
        let had = self.fix == Fix::Has;
        if had {
            (self.fix, self.due_s, self.changed) = (Fix::Lost, until_s, true);
        }
        had
    }

    /// Lives through a step and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>) {
        if now.time_s >= self.due_s {
            match (self.task, self.fix) {
                (Task::Mapping | Task::Tracking, Fix::Never | Fix::Lost) => {
                    (self.fix, self.changed) = (Fix::Has, true)
                }
                (Task::Exporting | Task::Resetting, _) => (self.task, self.changed) = (Task::None, true),
                _ => {}
            }
        }
        if self.changed || now.due(Kind::Localization, PERIOD) {
            self.changed = false;
            now.reports.publish(self.report());
        }
    }

    /// The pose on the map, if it is known.
    pub(super) fn pose(&self, truth: Pose2, rng: &mut Rng) -> Option<Pose> {
        (self.fix == Fix::Has).then(|| {
            let yaw = truth.yaw_rad + rng.normal(0.005);
            Pose::planar(Frame::Map, truth.x_m + rng.normal(0.01), truth.y_m + rng.normal(0.01), yaw)
        })
    }

    fn report(&self) -> Localization {
        let (state, flag, mode) = match (self.task, self.fix) {
            (Task::None, _) => (LocalizationState::Idle, None, "Uninitialized"),
            (Task::Resetting, _) => (LocalizationState::Starting, Some("Resetting"), "NotAvailable"),
            (Task::Exporting, _) => (LocalizationState::Mapping, Some("Exporting_Map"), "ExportingScene"),
            (Task::Mapping, Fix::Lost) => {
                (LocalizationState::Relocalizing, Some("Exploring"), "Relocalizing")
            }
            (Task::Mapping, Fix::Never) => {
                (LocalizationState::Mapping, Some("Exploring"), "NeedMoreMotionToInitMap")
            }
            (Task::Mapping, Fix::Has) => (LocalizationState::Mapping, Some("Exploring"), "Exploring"),
            (Task::Tracking, Fix::Has) => (LocalizationState::Tracking, Some("Tracking"), "Tracking"),
            (Task::Tracking, _) => (LocalizationState::Relocalizing, Some("Tracking"), "Relocalizing"),
        };
        let fix = match self.fix {
            Fix::Never => None,
            Fix::Has => Some("HasPose"),
            Fix::Lost => Some("LostPose"),
        };
        // The robot says that it is ready only while it does nothing else.
        let flags = [flag.or(Some("Ready")), fix, self.streaming.then_some("Streaming")];
        Localization {
            state,
            has_pose: match self.fix {
                Fix::Never => None,
                Fix::Has => Some(true),
                Fix::Lost => Some(false),
            },
            streaming: self.streaming,
            flags: flags.into_iter().flatten().map(Into::into).collect(),
            mode: Some(mode.into()),
            sensor: Some(if self.streaming { "Streaming" } else { "Ready" }.into()),
            ..Localization::IDLE
        }
    }
}
