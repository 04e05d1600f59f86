//! A navigation ends for its clients when the link to its robot is lost, and ends once.
//!
//! ```text
//!            Moving                 link lost: Failed, published
//!  ┌─ none ─────────▶ under way ──────────────────────────────▶ lost ──┐ the robot's reports of it are dropped
//!  └──────────────────────┴── end, as reported ◀── its end, another drive, or a goal that is given ─┘
//! ```

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::model::signal::{Navigation, NavigationFailure, NavigationState};

/// What is known of a robot's last drive.
#[derive(Debug, Default)]
pub(super) struct DriveEnds(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    under_way: Option<Navigation>,
    /// The number of a drive whose end was published when the link was lost.
    lost: Option<i64>,
}

impl DriveEnds {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a report is published. Of a drive whose end was published already, neither its progress nor its end is.
    pub(super) fn publishes(&self, report: &Navigation) -> bool {
        let is_moving = report.state == NavigationState::Moving;
        let mut known = self.known();
        if known.lost == Some(report.id) {
            known.lost.take_if(|_| !is_moving);
            return false;
        }
        *known = Known { under_way: is_moving.then(|| report.clone()), lost: None };
        true
    }

    /// A goal is given: what is reported from now on may be of another drive with the same number.
    pub(super) fn goal_given(&self) {
        self.known().lost = None;
    }

    /// The robot is out of reach: the end of the drive that it is on, if it is on one.
    pub(super) fn lose(&self, reason: String) -> Option<Navigation> {
        let mut known = self.known();
        let last = known.under_way.take()?;
        known.lost = Some(last.id);
        Some(Navigation {
            state: NavigationState::Failed,
            failure: Some(NavigationFailure::OutOfReach),
            reason: Some(reason),
            remaining_m: None,
            stuck: false,
            ..last
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::signal::NavigationKind;

    fn report(id: i64, state: NavigationState) -> Navigation {
        Navigation::new(id, NavigationKind::Goto, state)
    }

    #[test]
    fn an_end_is_published_once() {
        let ends = DriveEnds::default();
        assert_eq!(ends.lose("away".into()), None, "it is on no drive");
        assert!(ends.publishes(&report(7, NavigationState::Moving)));
        let end = ends.lose("away".into()).unwrap();
        assert_eq!((end.id, end.state, end.reason.as_deref()), (7, NavigationState::Failed, Some("away")));
        assert_eq!(ends.lose("away".into()), None);
        // It drove on, until the gateway reached and stopped it.
        assert!(!ends.publishes(&report(7, NavigationState::Moving)));
        assert!(!ends.publishes(&report(7, NavigationState::Cancelled)));
        assert!(ends.publishes(&report(7, NavigationState::Idle)));
    }

    #[test]
    fn another_drive_or_a_new_goal_is_published() {
        let ends = DriveEnds::default();
        for again in [8, 7] {
            assert!(ends.publishes(&report(7, NavigationState::Moving)));
            assert!(ends.lose("away".into()).is_some());
            // Robots that do not count their drives give each the same number.
            if again == 7 {
                ends.goal_given();
            }
            assert!(ends.publishes(&report(again, NavigationState::Moving)));
            assert!(ends.publishes(&report(again, NavigationState::Succeeded)));
        }
    }
}
