//! The drives that a robot was sent on and those that it went on otherwise, the newest last.
//!
//! ```text
//! open ─▶ asked ─ begin ─▶ moving ─ observe ─▶ succeeded | failed | cancelled
//!           └─ withdraw ─▶ (forgotten)  └─ another one begins ─▶ cancelled
//! ```

use std::collections::VecDeque;

use latimer_core::Timestamp;
use latimer_core::model::signal::{Navigation, NavigationState};

use crate::axbot::limits::{MAX_REMEMBERED_MOVES, MOVE_ECHO_TIME};
use crate::axbot::rest::move_object::MoveObject;
use crate::axbot::rest::moves::MoveRequest;

#[derive(Debug)]
struct Record {
    object: MoveObject,
    /// What was asked for, until the robot says something of it.
    asked: Option<MoveRequest>,
    /// The robot's number for it; its own, if that is not ours.
    own_id: i64,
    /// When it changed last.
    changed: Timestamp,
}

impl Record {
    /// Whether the robot said anything of it.
    fn is_incoming(&self) -> bool {
        self.asked.is_none()
    }

    /// Whether it was asked for, goes on, and may be what the robot speaks of now for the first time.
    fn may_begin_as(&self, navigation: &Navigation) -> bool {
        self.object.is_active() && self.asked.as_ref().is_some_and(|asked| !asked.contradicts(navigation))
    }

    fn end(&mut self, state: NavigationState, now: Timestamp) {
        self.object.set_state(state, now);
        self.changed = now;
    }
}

/// The drives that a robot was sent on and those that it went on otherwise, the newest last.
#[derive(Debug, Default)]
pub(in super::super) struct MoveHistory {
    records: VecDeque<Record>,
    highest: i64,
}

impl MoveHistory {
    /// Enters a drive that the robot is about to be asked for; its number is larger than any before.
    pub(in super::super) fn open(&mut self, request: &MoveRequest, now: Timestamp) -> i64 {
        let id = self.highest.saturating_add(1).max(1);
        self.enter(MoveObject::asked(id, request, now), Some(request.clone()), id, now);
        id
    }

    /// The robot took it, in place of the one before.
    pub(in super::super) fn begin(&mut self, id: i64, now: Timestamp) {
        for record in self.records.iter_mut().filter(|it| it.object.id != id && it.object.is_active()) {
            record.end(NavigationState::Cancelled, now);
        }
    }

    /// The robot did not take it.
    pub(in super::super) fn withdraw(&mut self, id: i64) {
        self.records.retain(|it| it.object.id != id || it.is_incoming());
    }

    /// Somebody called it off.
    pub(in super::super) fn cancel(&mut self, id: i64, now: Timestamp) {
        let record = self.records.iter_mut().find(|it| it.object.id == id && it.object.is_active());
        if let Some(record) = record {
            record.end(NavigationState::Cancelled, now);
        }
    }

    /// Takes in what the robot says; the same thing twice changes nothing.
    pub(in super::super) fn observe(&mut self, navigation: &Navigation, received: Timestamp) {
        self.highest = self.highest.max(navigation.id);
        if navigation.state == NavigationState::Idle {
            let forgotten =
                |it: &&mut Record| it.is_incoming() && it.object.is_active() && it.changed < received;
            for record in self.records.iter_mut().filter(forgotten) {
                record.end(NavigationState::Cancelled, received);
            }
            return;
        }
        let moves = navigation.state == NavigationState::Moving;
        let index = self.index_of(navigation).or_else(|| self.adopt(navigation, moves));
        let is_idle = self.current().is_none();
        let going = match index.and_then(|index| Some((index, self.records.get_mut(index)?))) {
            None => self.enter_incoming(navigation, received),
            Some((index, record)) if record.object.is_active() => {
                (record.asked, record.own_id) = (None, navigation.id);
                if !moves {
                    record.changed = received;
                }
                record.object.receive(navigation, received);
                index
            }
            // A robot that was switched off counts anew.
            Some((_, record)) if moves && is_idle && received > record.changed.after(MOVE_ECHO_TIME) => {
                let id = record.object.id;
                self.records.retain(|it| it.object.id != id);
                self.enter_incoming(navigation, received)
            }
            // The robot's last words on a drive that is over.
            Some(_) => return,
        };
        if moves {
            self.end_others(going, received);
        }
    }

    /// A robot is on one drive at a time; those that it was asked for and did not begin yet wait.
    fn end_others(&mut self, going: usize, now: Timestamp) {
        for (index, record) in self.records.iter_mut().enumerate() {
            if index != going && record.is_incoming() && record.object.is_active() {
                record.end(NavigationState::Cancelled, now);
            }
        }
    }

    /// The drive that the robot speaks of: the one that was asked for under its number, unless that is certainly another one. A
    /// robot may choose the same number for a drive of its own at the same time.
    fn index_of(&self, navigation: &Navigation) -> Option<usize> {
        let of_number = |it: &Record| it.own_id == navigation.id;
        let last =
            |is_it: &dyn Fn(&Record) -> bool| self.records.iter().rposition(|it| of_number(it) && is_it(it));
        let asked = last(&|it| it.may_begin_as(navigation));
        let goes_on = || last(&|it| it.is_incoming() && it.object.is_active());
        // One that was asked for and is over was called off before the robot said anything of it.
        asked.or_else(goes_on).or_else(|| last(&|it| it.is_incoming() || !it.object.is_active()))
    }

    /// A robot that numbers drives itself begins the one that it was asked for under another number.
    fn adopt(&mut self, navigation: &Navigation, moves: bool) -> Option<usize> {
        self.records.iter().rposition(|it| moves && it.may_begin_as(navigation))
    }

    /// Enters a drive that nobody asked for here; under the robot's number unless that is taken.
    fn enter_incoming(&mut self, navigation: &Navigation, received: Timestamp) -> usize {
        let mut object = MoveObject::incoming(navigation, received);
        if self.get(object.id).is_some() {
            object.id = self.highest.saturating_add(1);
        }
        self.enter(object, None, navigation.id, received);
        self.records.len().saturating_sub(1)
    }

    fn enter(&mut self, object: MoveObject, asked: Option<MoveRequest>, own_id: i64, now: Timestamp) {
        self.highest = self.highest.max(object.id);
        self.records.push_back(Record { object, asked, own_id, changed: now });
        if self.records.len() > MAX_REMEMBERED_MOVES {
            self.records.pop_front();
        }
    }

    /// The drive that goes on.
    pub(in super::super) fn current(&self) -> Option<&MoveObject> {
        self.records.iter().rev().map(|it| &it.object).find(|it| it.is_active())
    }

    /// A drive by its number.
    pub(in super::super) fn get(&self, id: i64) -> Option<&MoveObject> {
        self.records.iter().rev().map(|it| &it.object).find(|it| it.id == id)
    }

    /// All of them in short, the newest first.
    pub(in super::super) fn list(&self) -> Vec<MoveObject> {
        self.records.iter().rev().map(|it| it.object.in_short()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use latimer_core::model::signal::{NavigationFailure, NavigationKind};

    use super::*;
    use crate::axbot::rest::fields::Fields;
    use crate::axbot::rest::moves::MoveType;

    fn at(s: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_secs(s))
    }

    fn request() -> MoveRequest {
        let fields = Fields::read(br#"{"target_x": 1, "target_y": 2}"#).unwrap();
        MoveRequest::read(&fields, &MoveType::ALL).unwrap()
    }

    fn reported(id: i64, state: NavigationState) -> Navigation {
        Navigation {
            failure: (state == NavigationState::Failed).then_some(NavigationFailure::WayBlocked),
            ..Navigation::new(id, NavigationKind::Goto, state)
        }
    }

    fn states(move_history: &MoveHistory) -> Vec<(i64, &'static str)> {
        move_history.list().iter().map(|it| (it.id, it.state)).collect()
    }

    use NavigationState::{Failed, Idle, Moving, Succeeded};

    #[test]
    fn numbers_are_larger_than_any_that_was_heard() {
        let mut move_history = MoveHistory::default();
        move_history.observe(&reported(41, Succeeded), at(0));
        assert_eq!(move_history.open(&request(), at(1)), 42);
        assert_eq!(states(&move_history), [(42, "moving"), (41, "succeeded")]);
    }

    #[test]
    fn a_new_drive_takes_the_place_of_the_old_one() {
        let mut move_history = MoveHistory::default();
        let first = move_history.open(&request(), at(0));
        move_history.begin(first, at(0));
        let second = move_history.open(&request(), at(1));
        assert_eq!(states(&move_history), [(2, "moving"), (1, "moving")]);
        move_history.begin(second, at(1));
        move_history.observe(&reported(first, Moving), at(2));
        assert_eq!(states(&move_history), [(2, "moving"), (1, "cancelled")]);
    }

    #[test]
    fn a_refused_drive_is_forgotten_and_the_old_one_goes_on() {
        let mut move_history = MoveHistory::default();
        let first = move_history.open(&request(), at(0));
        move_history.begin(first, at(0));
        let second = move_history.open(&request(), at(1));
        move_history.withdraw(second);
        assert_eq!(move_history.current().map(|it| it.id), Some(first));
        assert_eq!(move_history.open(&request(), at(2)), 3);
    }

    #[test]
    fn what_is_over_stays_over() {
        let mut move_history = MoveHistory::default();
        let id = move_history.open(&request(), at(0));
        move_history.begin(id, at(0));
        move_history.observe(&reported(id, Moving), at(1));
        move_history.observe(&reported(id, Failed), at(2));
        move_history.observe(&reported(id, Moving), at(3));
        let object = move_history.get(id).unwrap();
        assert_eq!((object.state, object.fail_reason, object.last_modified_time), ("failed", 15, 2));
        assert_eq!(move_history.current(), None);
    }

    #[test]
    fn a_robot_may_number_drives_itself() {
        let mut move_history = MoveHistory::default();
        let id = move_history.open(&request(), at(0));
        move_history.begin(id, at(0));
        move_history.observe(&reported(900, Moving), at(1));
        move_history.observe(&reported(900, Succeeded), at(2));
        assert_eq!(states(&move_history), [(id, "succeeded")]);
    }

    #[test]
    fn a_round_that_begins_while_a_drive_is_asked_for_is_another_one() {
        // The robot counts as we do, and begins a round under the number that was chosen for the drive.
        let round = |id, state| Navigation { kind: NavigationKind::Route, ..reported(id, state) };
        let mut move_history = MoveHistory::default();
        let id = move_history.open(&request(), at(0));
        move_history.observe(&round(id, Moving), at(0));
        assert_eq!(states(&move_history), [(id + 1, "moving"), (id, "moving")]);
        assert_eq!(move_history.get(id + 1).map(|it| it.kind), Some("along_given_route"));
        move_history.begin(id, at(0));
        assert_eq!(states(&move_history), [(id + 1, "cancelled"), (id, "moving")]);
        move_history.observe(&round(id, Moving), at(0));
        move_history.observe(&reported(id, Moving), at(1));
        assert_eq!(move_history.current().map(|it| (it.id, it.kind)), Some((id, "standard")));
        move_history.observe(&reported(id, Succeeded), at(9));
        assert_eq!(states(&move_history), [(id + 1, "cancelled"), (id, "succeeded")]);
        assert_eq!(move_history.open(&request(), at(10)), id + 2);
    }

    #[test]
    fn a_round_of_another_number_is_not_the_drive_that_was_asked_for() {
        let mut move_history = MoveHistory::default();
        let id = move_history.open(&request(), at(0));
        let round = Navigation { kind: NavigationKind::Charge, ..reported(77, Moving) };
        move_history.observe(&round, at(0));
        move_history.begin(id, at(0));
        move_history.observe(&Navigation { state: NavigationState::Cancelled, ..round }, at(1));
        move_history.observe(&reported(78, Moving), at(1));
        move_history.observe(&reported(78, Succeeded), at(2));
        assert_eq!(states(&move_history), [(77, "cancelled"), (id, "succeeded")]);
    }

    #[test]
    fn drives_of_others_are_entered() {
        let mut move_history = MoveHistory::default();
        move_history.observe(&reported(5, Moving), at(0));
        move_history.observe(&reported(5, Moving), at(1));
        move_history.observe(&reported(6, Moving), at(2));
        assert_eq!(states(&move_history), [(6, "moving"), (5, "cancelled")]);
        move_history.observe(&reported(0, Idle), at(3));
        assert_eq!(move_history.current(), None);
    }

    #[test]
    fn a_robot_that_was_switched_off_counts_anew() {
        let mut move_history = MoveHistory::default();
        move_history.observe(&reported(1, Succeeded), at(0));
        move_history.observe(&reported(1, Moving), at(1));
        assert_eq!(states(&move_history), [(1, "succeeded")]);
        move_history.observe(&reported(1, Moving), at(60));
        assert_eq!(states(&move_history), [(1, "moving")]);
    }

    #[test]
    fn only_so_many_are_remembered() {
        let mut move_history = MoveHistory::default();
        for id in 1..=2_000 {
            move_history.observe(&reported(id, Succeeded), at(0));
        }
        assert_eq!((move_history.list().len(), move_history.list()[0].id), (MAX_REMEMBERED_MOVES, 2_000));
    }
}
