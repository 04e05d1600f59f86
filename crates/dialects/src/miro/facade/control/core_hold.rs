//! Influences on the robot's own behaviour: said when they change, and again while they hold. Pure; time comes from the caller.

use latimer_core::Timestamp;
use latimer_core::model::{BehaviourDrive, PushWay};

use crate::miro::limits::CORE_COMMAND_MIN_INTERVAL;

/// The influences that were sent to the robot last, and when.
#[derive(Debug, Default)]
pub(super) struct CoreHold(Option<(BehaviourDrive, Timestamp)>);

impl CoreHold {
    /// Whether influences are to be said: what changed, what was said a while ago, and each impulse. That there are none is said once, if
    /// there were some.
    pub(super) fn is_due(&mut self, drive: &BehaviourDrive, now: Timestamp) -> bool {
        let none = BehaviourDrive::default();
        let impulses = drive.pushes.iter().any(|it| matches!(it.way, PushWay::Impulse(_)));
        let due = match &self.0 {
            None => *drive != none,
            Some((last, _)) if last != drive || impulses => true,
            Some((_, said)) => *drive != none && now.since(*said) >= CORE_COMMAND_MIN_INTERVAL,
        };
        if due {
            self.0 = Some((drive.clone(), now));
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use latimer_core::PartName;
    use latimer_core::model::Push;

    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_millis(ms))
    }

    #[test]
    fn what_holds_is_said_now_and_then_and_its_end_once() {
        let mut core_hold = CoreHold::default();
        let none = BehaviourDrive::default();
        let loud = BehaviourDrive { vocal_ratio: 0.5, ..none.clone() };
        assert!(!core_hold.is_due(&none, at(0)), "nobody asked for anything");
        assert!(core_hold.is_due(&loud, at(20)) && !core_hold.is_due(&loud, at(300)));
        assert!(core_hold.is_due(&loud, at(320)));
        assert!(core_hold.is_due(&none, at(340)) && !core_hold.is_due(&none, at(900)));
        let push = |way| Push { link: PartName::of("head"), point_m: [0.0; 3], way, on_the_spot: false };
        let pushed = |way| BehaviourDrive { pushes: vec![push(way)], ..none.clone() };
        let (once, on) = (pushed(PushWay::Impulse([0.1; 3])), pushed(PushWay::Velocity([0.1; 3])));
        assert!(core_hold.is_due(&once, at(1_000)) && core_hold.is_due(&once, at(1_020)), "each is one");
        assert!(core_hold.is_due(&on, at(1_040)) && !core_hold.is_due(&on, at(1_060)));
    }
}
