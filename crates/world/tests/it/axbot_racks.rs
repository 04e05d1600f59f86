//! Areas of racks: the racks and the free places of one are looked for.

use latimer_core::Outcome;
use latimer_core::model::signal::{FeatureKind, NavigationFailure, NavigationState};
use latimer_core::model::{Carry, Command, Destination, Kind, MapUse, Signal};
use latimer_dialects::axbot::calls;

use crate::axbot::{arrive, go, hall};
use crate::lab::{Lab, own};

/// Three places in an area, and racks at some of them.
const HALL: &str = r#"
[[rack_areas]]
name = "store"
polygon_m = [[3.5, 0.2], [9.8, 0.2], [9.8, 5.8], [3.5, 5.8]]

[[rack_areas]]
name = "bare"
polygon_m = [[0.2, 0.2], [1.0, 0.2], [1.0, 1.0]]

[[racks]]
name = "A"
position_m = [4.5, 3.0]

[[racks]]
name = "B"
position_m = [7.5, 1.5]
"#;

fn of_area(id: &str) -> Destination {
    Destination::RackOfArea(id.into())
}

/// Takes the rack that it stands beneath.
fn jack(lab: &mut Lab, way: Carry) {
    assert_eq!(lab.ask(own(calls::Carry { action: way })), Outcome::Accepted);
    lab.run(12.0);
}

fn carried(lab: &Lab, name: &str) -> bool {
    lab.world.racks().at(name).unwrap().carried
}

#[test]
fn the_racks_of_an_area_are_taken_one_by_one_until_none_is_left() {
    let mut lab = hall(HALL);
    for name in ["A", "B"] {
        go(&mut lab, of_area("store"));
        let end = arrive(&mut lab, 120);
        assert_eq!(end.state, NavigationState::Succeeded, "{end:?}");
        jack(&mut lab, Carry::JackUp);
        assert!(carried(&lab, name), "{name}");
        // Out of the area, to opposite corners.
        let y_m = if name == "A" { 1.2 } else { 4.8 };
        go(&mut lab, Destination::Unload { pose: [1.8, y_m, 0.0] });
        assert_eq!(arrive(&mut lab, 120).state, NavigationState::Succeeded);
        jack(&mut lab, Carry::JackDown);
    }
    go(&mut lab, of_area("store"));
    let end = arrive(&mut lab, 120);
    assert_eq!((end.failure, end.failure_code), (Some(NavigationFailure::NoRack), Some(510)), "{end:?}");
    assert!(lab.pose().x_m > 3.0, "it went and looked: {:?}", lab.pose());
}

#[test]
fn areas_that_cannot_be_searched_fail_with_their_number() {
    let mut lab = hall(HALL);
    for (id, code) in [("attic", 507), ("bare", 508)] {
        go(&mut lab, of_area(id));
        let end = arrive(&mut lab, 3);
        assert_eq!((end.state, end.failure_code), (NavigationState::Failed, Some(code)), "{end:?}");
    }
    for to in [Destination::UnloadInArea("store".into()), Destination::Unload { pose: [1.8, 1.2, 0.0] }] {
        go(&mut lab, to);
        let end = arrive(&mut lab, 3);
        assert_eq!(
            (end.state, end.failure),
            (NavigationState::Failed, Some(NavigationFailure::NoRack)),
            "{end:?}"
        );
        assert!(end.reason.is_some_and(|why| why.contains("carries no rack")));
    }
}

#[test]
fn a_drive_that_is_asked_for_while_the_jack_moves_begins_when_it_holds() {
    let mut lab = hall(HALL);
    go(&mut lab, of_area("store"));
    assert_eq!(arrive(&mut lab, 120).state, NavigationState::Succeeded);
    let beneath = lab.pose();
    assert_eq!(lab.ask(own(calls::Carry { action: Carry::JackUp })), Outcome::Accepted);
    lab.run(2.0);
    go(&mut lab, Destination::Unload { pose: [1.8, 1.2, 0.0] });
    lab.run(4.0);
    assert!(
        lab.pose().distance_to(beneath.x_m, beneath.y_m) < 0.01,
        "it waits for its jack: {:?}",
        lab.pose()
    );
    assert_eq!(arrive(&mut lab, 120).state, NavigationState::Succeeded);
    assert!(carried(&lab, "A"));
    assert!(lab.pose().distance_to(1.8, 1.2) < 0.2, "{:?}", lab.pose());
    // Half way down it carries nothing any more.
    assert_eq!(lab.ask(own(calls::Carry { action: Carry::JackDown })), Outcome::Accepted);
    lab.run(2.0);
    go(&mut lab, Destination::Unload { pose: [1.8, 4.8, 0.0] });
    let end = arrive(&mut lab, 20);
    assert_eq!(
        (end.state, end.failure),
        (NavigationState::Failed, Some(NavigationFailure::NoRack)),
        "{end:?}"
    );
}

#[test]
fn a_rack_is_put_down_at_a_free_place_of_an_area_or_nowhere() {
    let mut lab = hall(HALL);
    go(&mut lab, of_area("store"));
    assert_eq!(arrive(&mut lab, 120).state, NavigationState::Succeeded);
    jack(&mut lab, Carry::JackUp);
    // The place where it stood is free now, that of B is not.
    go(&mut lab, Destination::Unload { pose: [7.5, 4.2, 0.0] });
    assert_eq!(arrive(&mut lab, 120).state, NavigationState::Succeeded);
    go(&mut lab, Destination::UnloadInArea("store".into()));
    let end = arrive(&mut lab, 120);
    assert_eq!(end.state, NavigationState::Succeeded, "{end:?}");
    assert!(lab.pose().distance_to(4.5, 3.0) < 0.15, "{:?}", lab.pose());
    // With the place of B alone there is no room.
    let Signal::MapInfo(mut info) = lab.last(Kind::MapInfo, "") else { panic!() };
    info.features.retain(|it| it.kind != FeatureKind::RackPoint || it.name.as_deref() == Some("B"));
    assert!(lab.ask(Command::UseMap(Some(Box::new(MapUse { info, grid: None })))).is_ok());
    go(&mut lab, Destination::UnloadInArea("store".into()));
    let end = arrive(&mut lab, 120);
    assert_eq!((end.failure, end.failure_code), (Some(NavigationFailure::GoalBlocked), Some(512)), "{end:?}");
}
