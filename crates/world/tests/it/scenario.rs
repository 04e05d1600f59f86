//! What happens on cue: by a timeline, and on request.

use latimer_core::model::{Command, Kind, Realities};
use latimer_simulator_api::{
    Happening, ObjectLocation, ObstacleShape, Stimulus, WorldRequest, WorldResponse,
};
use latimer_world::scenario::{Cue, Event, Scenario};

use crate::lab::{id, lab};

fn wall(name: &str, x_m: f64) -> Happening {
    Happening::PutObstacle {
        name: name.to_owned(),
        shape: ObstacleShape::Box { length_m: 0.2, width_m: 2.0 },
        pose: [x_m, 3.0, 0.0],
        rgb: [200, 180, 160],
        reality: Realities::Real,
    }
}

#[test]
fn a_timeline_happens_at_its_times() {
    let mut lab = lab("", 1.0, 3.0, 0.0);
    let event = |at_s, cue| Event { at_s, cue };
    let timeline = Scenario::new(
        vec![
            event(3.0, Cue::Poke(id("m"), Stimulus::Battery(0.2))),
            event(1.0, Cue::Happen(wall("parcel", 2.0))),
            event(2.0, Cue::Happen(Happening::RemoveObstacle { name: "parcel".into() })),
        ],
        None,
    );
    lab.world.play(timeline).unwrap();
    let near = |lab: &mut crate::lab::Lab, seconds: f64| {
        lab.forget().run(seconds);
        lab.number(Kind::Range, "front_center", "distance_m") < 1.0
    };
    assert!(!near(&mut lab, 0.9));
    assert!(near(&mut lab, 0.6), "the parcel was put there at one second");
    assert!(!near(&mut lab, 1.0), "and taken away at two");
    lab.forget().run(1.5);
    assert!((lab.number(Kind::Battery, "", "charge_ratio") - 0.2).abs() < 0.01);
}

#[test]
fn an_impossible_event_is_refused_with_a_reason() {
    let mut lab = lab("[[people]]\nname = \"Anna\"\nstart_m = [5.0, 5.0]", 1.0, 3.0, 0.0);
    let refused =
        |lab: &mut crate::lab::Lab, happening| lab.world.ask(WorldRequest::Happen(happening)).unwrap_err();
    let door = Happening::Door { name: "front".into(), open: true };
    assert!(refused(&mut lab, door).reason.contains("front"));
    assert!(refused(&mut lab, wall("in the robot", 1.0)).reason.contains("robot"));
    let nobody = Happening::PlacePerson { name: "Ben".into(), position_m: [2.0, 2.0] };
    assert!(refused(&mut lab, nobody).reason.contains("there are: Anna"));
    let outside = Happening::PlacePerson { name: "Anna".into(), position_m: [2.0, 9.0] };
    assert!(refused(&mut lab, outside).reason.contains("outside"));
    let there = Happening::PlacePerson { name: "Anna".into(), position_m: [2.0, 3.0] };
    assert_eq!(lab.world.ask(WorldRequest::Happen(there)), Ok(WorldResponse::Done));
    lab.run(0.3);
    let distance = lab.number(Kind::Range, "front_center", "distance_m");
    assert!((distance - (1.0 - 0.2 - 0.12)).abs() < 0.03, "{distance}");
}

#[test]
fn a_scenario_about_what_is_not_there_does_not_begin() {
    let more = "[[people]]\nname = \"Anna\"\nstart_m = [5.0, 5.0]\n\
        [[doors]]\nname = \"front\"\npoints_m = [[2.0, 5.0], [3.0, 5.0]]\n\
        [[lights]]\nname = \"lamp\"\nposition_m = [3.0, 2.0]\n\
        [[places]]\nname = \"rack\"\nposition_m = [4.0, 4.0]\n\
        [[objects]]\nname = \"cup\"\ncategory = \"dishes\"\nplace = \"rack\"\n";
    let mut lab = lab(more, 1.0, 3.0, 0.0);
    let mut play = |happenings: Vec<Happening>| {
        let count = happenings.len();
        // Given last to first: the reported place is the one in the list.
        let event = |(it, happening)| Event { at_s: (count - it) as f64, cue: Cue::Happen(happening) };
        lab.world.play(Scenario::new(happenings.into_iter().enumerate().map(event).collect(), Some(60.0)))
    };
    let door = |name: &str| Happening::Door { name: name.into(), open: true };
    let light = |name: &str| Happening::Light { name: name.into(), on: true };
    let person = |name: &str| Happening::PlacePerson { name: name.into(), position_m: [2.0, 2.0] };
    let object = |name: &str, place: &str| Happening::PutObject {
        name: name.into(),
        category: "clothes".into(),
        at: ObjectLocation::Place(place.into()),
        rgb: [1, 2, 3],
    };
    let take = |name: &str| Happening::RemoveObject { name: name.into() };
    let shift = || Happening::MoveObstacle { name: "box".into(), pose: [2.0, 2.0, 0.0] };
    let remove = || Happening::RemoveObstacle { name: "box".into() };
    for (happenings, expected) in [
        (
            vec![door("back"), door("front")],
            "events[0] (at 2 s): there is no door \"back\"; the doors are: front",
        ),
        (vec![light("sun")], "there is no light \"sun\"; the lights are: lamp"),
        (vec![person("Ben")], "nobody here is called \"Ben\"; there are: Anna"),
        (vec![wall("box", 2.0), shift()], "events[1] (at 1 s): there is no obstacle \"box\" by then"),
        (vec![shift(), remove(), wall("box", 2.0)], "events[0] (at 3 s): there is no obstacle"),
        (vec![remove(), wall("crate", 2.0)], "there are: crate"),
        (vec![object("hat", "attic")], "there is no place \"attic\"; the places are: rack"),
        (vec![object("hat", "rack"), take("hat")], "events[1] (at 1 s): there is no object \"hat\""),
        (vec![take("cap")], "the objects are: cup"),
    ] {
        let published = play(happenings).unwrap_err();
        assert!(published.reason.contains(expected), "{published}");
    }
    let good = vec![
        take("hat"),
        object("hat", "rack"),
        remove(),
        shift(),
        wall("box", 2.0),
        door("front"),
        light("lamp"),
        person("Anna"),
    ];
    assert_eq!(play(good), Ok(()));
    let ghost = Event { at_s: 1.0, cue: Cue::Poke(id("ghost"), Stimulus::LosePose { hold: None }) };
    let published = lab.world.play(Scenario::new(vec![ghost], None)).unwrap_err();
    assert_eq!(published.reason, "events[0] (at 1 s): no robot ghost is simulated; there are: m");
}

#[test]
fn a_stop_in_a_scenario_is_a_command_like_any() {
    let mut lab = lab("", 1.0, 3.0, 0.0);
    let drive = Command::Drive { linear_mps: 0.3, angular_radps: 0.0, duration: None };
    let stop = Command::Stop { hold: false };
    let timeline = Scenario::new(
        vec![
            Event { at_s: 0.5, cue: Cue::Command(id("m"), drive) },
            Event { at_s: 2.5, cue: Cue::Command(id("m"), stop) },
        ],
        None,
    );
    lab.world.play(timeline).unwrap();
    lab.run(6.0);
    let way = lab.pose().x_m - 1.0;
    assert!((0.5..0.7).contains(&way), "two seconds at 0.3 m/s, not {way} m");
}
