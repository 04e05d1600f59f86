//! Lifts: called, waited for, entered and left.

use latimer_core::model::signal::{
    Door, DoorState, Navigation, NavigationFailure, NavigationKind, NavigationState,
};
use latimer_core::model::{Destination, Kind, Signal};
use latimer_world::{Behaviour, Pose2, Start};

use crate::axbot::{arrive, go, hall, point};
use crate::lab::{Lab, id};

/// A lift at the east end of the hall, whose door faces west.
fn lift(more: &str) -> Lab {
    hall(&format!("[[lifts]]\nname = \"north\"\nposition_m = [8.9, 2.0]\nyaw_deg = 180\n{more}"))
}

fn into() -> Destination {
    Destination::EnterLift { x_m: 8.9, y_m: 2.0, yaw_rad: Some(0.0) }
}

fn door(lab: &Lab) -> DoorState {
    match lab.last(Kind::Doors, "") {
        Signal::Doors(doors) => doors.doors.iter().map(|it: &Door| it.state).next().unwrap(),
        other => panic!("{other:?}"),
    }
}

fn states(lab: &Lab) -> Vec<Navigation> {
    let all = lab.all(Kind::Navigation, "").into_iter();
    all.filter_map(|it| if let Signal::Navigation(it) = it { Some(it.clone()) } else { None }).collect()
}

fn is_within(it: &Navigation) -> bool {
    it.flags.iter().any(|flag| &**flag == "in_elevator")
}

#[test]
fn it_waits_until_the_lift_is_there_drives_in_and_out_again() {
    let mut lab = lift("call_s = 8");
    go(&mut lab, into());
    lab.run(11.0);
    let waits = lab.pose();
    lab.run(1.5);
    assert!(
        waits.distance_to(lab.pose().x_m, lab.pose().y_m) < 0.01 && waits.x_m > 6.5,
        "it waits: {waits:?}"
    );
    assert_eq!(door(&lab), DoorState::Closed);
    let last = states(&lab).pop().unwrap();
    assert_eq!((last.kind, last.state), (NavigationKind::EnterElevator, NavigationState::Moving));
    let end = arrive(&mut lab, 60);
    assert_eq!((end.state, end.kind), (NavigationState::Succeeded, NavigationKind::EnterElevator), "{end:?}");
    assert!(lab.pose().distance_to(8.9, 2.0) < 0.12 && is_within(&end), "{:?}", lab.pose());
    assert!(states(&lab).iter().any(|it| !is_within(it)), "it was outside at first");
    lab.run(12.0);
    assert_eq!(door(&lab), DoorState::Closed, "it closes behind it");
    go(&mut lab, point(4.0, 3.0, None));
    let end = arrive(&mut lab, 60);
    assert_eq!(end.state, NavigationState::Succeeded, "{end:?} at {:?}", lab.pose());
    assert!(lab.pose().x_m < 4.2 && !is_within(&end));
}

#[test]
fn a_lift_that_does_not_come_is_given_up() {
    let mut lab = lift("call_s = 3600");
    go(&mut lab, into());
    let end = arrive(&mut lab, 60);
    assert_eq!((end.failure, end.failure_code), (Some(NavigationFailure::DoorShut), Some(301)), "{end:?}");
    let back = Destination::AwaitLift { x_m: 4.0, y_m: 3.0, yaw_rad: None };
    go(&mut lab, back);
    let end = arrive(&mut lab, 60);
    assert_eq!((end.state, end.kind), (NavigationState::Succeeded, NavigationKind::ToElevator), "{end:?}");
}

#[test]
fn a_lift_that_is_taken_is_not_entered() {
    let mut lab = lift("");
    let within = Start::At(Pose2::new(8.9, 2.0, 0.0));
    lab.world.add_robot(id("other"), "misty", within, Behaviour::Stand).unwrap();
    go(&mut lab, into());
    let end = arrive(&mut lab, 60);
    assert_eq!((end.failure, end.failure_code), (Some(NavigationFailure::GoalBlocked), Some(300)), "{end:?}");
    assert!(lab.pose().x_m < 8.0, "{:?}", lab.pose());
}

#[test]
fn where_there_is_no_lift_none_is_entered() {
    let mut lab = lift("");
    go(&mut lab, Destination::EnterLift { x_m: 5.0, y_m: 3.0, yaw_rad: None });
    let end = arrive(&mut lab, 3);
    assert_eq!((end.state, end.failure), (NavigationState::Failed, Some(NavigationFailure::Other)));
    assert!(end.reason.unwrap().contains("no lift"));
    // Its door is a door of the world like any other, but does not open for somebody who is near.
    assert_eq!(lab.world.doors().iter().map(|it| it.file.name.as_str()).collect::<Vec<_>>(), ["north"]);
    go(&mut lab, point(7.2, 2.0, None));
    assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded);
    lab.run(5.0);
    assert_eq!(door(&lab), DoorState::Closed);
}
