//! Numbers of drives: the asker's on this side, the robot's on the other; no I/O.

use std::collections::VecDeque;

/// Numbers remembered; older ones are forgotten.
const REMEMBERED: usize = 256;

/// Drives that were asked for under a number of the asker's.
#[derive(Debug, Default)]
pub(super) struct Moves {
    /// `(robot's, asker's)`, oldest first.
    known: VecDeque<(i64, i64)>,
    /// Drives that the robot was asked for and gave no number yet.
    asked: usize,
    /// The last number that the robot sent.
    last: Option<i64>,
}

impl Moves {
    /// A drive is asked for; until the robot gave its number, what it says of new numbers must wait.
    pub(super) fn ask(&mut self) {
        self.asked += 1;
    }

    /// The robot answered: its number and the asker's, or neither if it refused.
    pub(super) fn answered(&mut self, numbers: Option<(i64, i64)>) {
        self.asked = self.asked.saturating_sub(1);
        let Some((robots, askers)) = numbers else { return };
        // A robot that was started anew counts from the beginning again.
        self.known.retain(|(known, _)| *known != robots);
        if self.known.len() >= REMEMBERED {
            self.known.pop_front();
        }
        self.known.push_back((robots, askers));
    }

    /// Nothing that was asked for will be answered any more.
    pub(super) fn forget_asked(&mut self) {
        self.asked = 0;
    }

    /// Whether it is not known yet which number the asker knows this drive by.
    pub(super) fn must_wait(&self, robots: i64) -> bool {
        self.asked > 0 && self.last != Some(robots) && !self.known.iter().any(|(known, _)| *known == robots)
    }

    /// The asker's number for one of the robot's; the robot's own if nobody here asked for the drive.
    pub(super) fn askers(&mut self, robots: i64) -> i64 {
        self.last = Some(robots);
        let known = self.known.iter().rev().find(|(known, _)| *known == robots);
        known.map_or(robots, |(_, askers)| *askers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_translated_and_others_stay() {
        let mut moves = Moves::default();
        moves.ask();
        assert!(moves.must_wait(3354));
        moves.answered(Some((3354, 7)));
        assert!(!moves.must_wait(3354));
        assert_eq!((moves.askers(3354), moves.askers(12)), (7, 12));
        moves.ask();
        assert!(!moves.must_wait(12), "it was heard before the drive was asked for");
        moves.answered(None);
        assert!(!moves.must_wait(3355));
        moves.answered(Some((3354, 8)));
        assert_eq!(moves.askers(3354), 8);
    }

    #[test]
    fn old_numbers_are_forgotten() {
        let mut moves = Moves::default();
        (0..10_000).for_each(|i| moves.answered(Some((i, i + 1))));
        assert_eq!(moves.known.len(), REMEMBERED);
        assert_eq!((moves.askers(0), moves.askers(9_999)), (0, 10_000));
    }
}
