//! Every way through a drive.

use latimer_core::model::signal::{Frame, NavigationKind, Pose};

use super::*;

fn robot() -> RobotId {
    RobotId::new("rover-1").unwrap()
}

fn navigation(id: i64, state: NavigationState) -> Navigation {
    Navigation {
        target: Some(Pose::planar(Frame::Map, 1.0, -2.5, 0.0)),
        ..Navigation::new(id, NavigationKind::Goto, state)
    }
}

fn words(sent: Vec<Task>) -> Vec<String> {
    let word = |task: Task| {
        let target = task.target.as_ref().map_or(String::new(), |it| format!(" {it}"));
        let word = task.action.map_or(task.state.as_str(), TaskAction::as_str);
        format!("{} {word}{target}", task.id)
    };
    sent.into_iter().map(word).collect()
}

#[test]
fn a_drive_is_published_from_its_beginning_to_its_end() {
    let mut drives = Drives::default();
    let mut publish = |reported: Navigation| words(drives.navigation(&robot(), &reported, false));
    let moving = || navigation(7, NavigationState::Moving);
    assert_eq!(publish(moving()), ["rover-1-drive7 goto 1.00, -2.50"]);
    assert!(publish(moving()).is_empty(), "it is on its way");
    assert_eq!(publish(Navigation { stuck: true, ..moving() }), ["rover-1-drive7 way_blocked 1.00, -2.50"]);
    assert!(publish(Navigation { stuck: true, ..moving() }).is_empty());
    assert_eq!(publish(moving()), ["rover-1-drive7 goto 1.00, -2.50"]);
    assert_eq!(publish(navigation(7, NavigationState::Succeeded)), ["rover-1-drive7 succeeded"]);
    assert!(publish(navigation(7, NavigationState::Succeeded)).is_empty());
    assert!(publish(navigation(8, NavigationState::Failed)).is_empty(), "nobody heard of it");
}

#[test]
fn a_drive_ends_badly_in_many_ways() {
    let failed = |failure| Navigation { failure: Some(failure), ..navigation(7, NavigationState::Failed) };
    let place = || Navigation { place: Some("Sofa".into()), ..navigation(7, NavigationState::Moving) };
    let ends = |reported: Navigation| {
        let mut drives = Drives::default();
        drives.navigation(&robot(), &place(), false);
        words(drives.navigation(&robot(), &reported, false))
    };
    let over = "rover-1-drive7 failed";
    assert_eq!(ends(failed(NavigationFailure::WayBlocked)), ["rover-1-drive7 way_blocked Sofa", over]);
    assert_eq!(ends(failed(NavigationFailure::Lost)), [over]);
    assert_eq!(ends(navigation(7, NavigationState::Cancelled)), [over]);
    assert_eq!(ends(navigation(0, NavigationState::Idle)), [over]);
    let another = ends(navigation(8, NavigationState::Moving));
    assert_eq!(another, [over, "rover-1-drive8 goto 1.00, -2.50"]);
}

#[test]
fn a_drive_that_was_asked_for_has_the_name_of_its_task() {
    let mut drives = Drives::default();
    drives.expect(42, "Task1", "Sofa");
    assert!(drives.navigation(&robot(), &navigation(0, NavigationState::Idle), true).is_empty(), "not yet");
    let moving = navigation(42, NavigationState::Moving);
    assert_eq!(words(drives.navigation(&robot(), &moving, true)), ["Task1 goto Sofa"]);
    let there = navigation(42, NavigationState::Succeeded);
    assert_eq!(words(drives.navigation(&robot(), &there, true)), ["Task1 succeeded"]);
    drives.expect(43, "Task2", "Sofa");
    drives.forget(43);
    assert!(drives.navigation(&robot(), &navigation(43, NavigationState::Failed), true).is_empty());
}

#[test]
fn who_does_tasks_tells_no_drives() {
    let mut drives = Drives::default();
    assert!(drives.navigation(&robot(), &navigation(1, NavigationState::Moving), true).is_empty());
}

#[test]
fn a_motion_has_no_place_and_no_number() {
    let motion = |state| Motion { state, motor_mask: None, reason: None };
    for (end, reported) in [
        (MotionState::Succeeded, vec!["rover-1-motion5 succeeded"]),
        (MotionState::Halted, vec!["rover-1-motion5 failed"]),
        (MotionState::Blocked, vec!["rover-1-motion5 way_blocked", "rover-1-motion5 failed"]),
    ] {
        let mut drives = Drives::default();
        assert!(drives.motion(&robot(), &motion(end), 4).is_empty(), "nothing began");
        assert_eq!(words(drives.motion(&robot(), &motion(MotionState::Moving), 5)), ["rover-1-motion5 goto"]);
        assert!(drives.motion(&robot(), &motion(MotionState::Moving), 6).is_empty());
        assert_eq!(words(drives.motion(&robot(), &motion(end), 7)), reported);
    }
}

#[test]
fn drives_are_bounded() {
    let mut drives = Drives::default();
    for i in 0..1_000 {
        drives.expect(i, "T", "Sofa");
    }
    assert_eq!(drives.0.len(), MOST);
}
