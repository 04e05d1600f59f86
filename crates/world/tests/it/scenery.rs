//! What the world looks like to clients.

use latimer_core::model::Realities;
use latimer_simulator_api::{
    Cue, DoorIs, Happening, Layer, ObstacleShape, Outline, Scenario, ScenarioEvent, Scenery, SceneryNow,
    Stimulus, WorldRequest, WorldResponse,
};
use latimer_world::{Behaviour, Start, Whereabouts, World};

use crate::lab::{Lab, id, lab};

fn look(lab: &mut Lab) -> Scenery {
    match lab.world.ask(WorldRequest::Look) {
        Ok(WorldResponse::Seen(scenery)) => *scenery,
        other => panic!("{other:?}"),
    }
}

fn glance(lab: &mut Lab) -> SceneryNow {
    match lab.world.ask(WorldRequest::Glance) {
        Ok(WorldResponse::Glimpsed(now)) => *now,
        other => panic!("{other:?}"),
    }
}

fn happen(lab: &mut Lab, happening: Happening) -> u64 {
    lab.world.ask(WorldRequest::Happen(happening)).unwrap();
    look(lab).revision
}

const ROOM: &str = "[[walls]]\npoints_m = [[0.0, 5.0], [3.0, 5.0], [3.0, 6.0]]\n\
    [[boxes]]\nname = \"sofa\"\ncenter_m = [1.0, 1.0]\nsize_m = [1.0, 0.4]\ncolor = \"#ff0000\"\n\
    [[boxes]]\ncenter_m = [3.0, 3.0]\nsize_m = [0.3, 0.3]\nmovable = true\n\
    [[cylinders]]\ncenter_m = [5.0, 1.0]\nradius_m = 0.2\n\
    [[drops]]\npolygon_m = [[5.0, 5.0], [6.0, 5.0], [6.0, 6.0]]\n\
    [[doors]]\nname = \"front\"\npoints_m = [[3.0, 4.0], [3.0, 5.0]]\nmode = \"manual\"\n\
    [[people]]\nname = \"Anna\"\nstart_m = [4.5, 4.0]\nwalk_m = [[4.5, 2.0]]\n\
    [[lights]]\nname = \"lamp\"\nposition_m = [2.0, 2.0]\n\
    [[places]]\nname = \"table\"\nposition_m = [5.0, 3.0]\n\
    [[objects]]\nname = \"cup\"\ncategory = \"dishes\"\nplace = \"table\"\n\
    [[sounds]]\nkind = \"voice\"\nposition_m = [1.0, 4.0]\n";

#[test]
fn everything_is_there_with_its_outline() {
    let mut lab = lab(ROOM, 2.0, 3.0, 0.0);
    let scenery = look(&mut lab);
    assert_eq!((scenery.name.as_str(), scenery.bounds_m), ("lab", [0.0, 0.0, 6.0, 6.0]));
    let of = |layer| scenery.shapes.iter().filter(move |shape| shape.layer == layer).collect::<Vec<_>>();
    assert_eq!(of(Layer::Wall).len(), 2, "a piece for each straight part");
    let [sofa] = of(Layer::Obstacle)[..] else { panic!() };
    assert_eq!((sofa.name.as_deref(), sofa.rgb, sofa.movable), (Some("sofa"), Some([255, 0, 0]), false));
    assert_eq!(sofa.outline, Outline::Polygon(vec![[1.5, 1.2], [0.5, 1.2], [0.5, 0.8], [1.5, 0.8]]));
    let [pushed, pillar] = of(Layer::Furniture)[..] else { panic!() };
    assert_eq!((pushed.name.as_deref(), pushed.movable), (Some("box 1"), true));
    assert_eq!((pillar.name.as_deref(), &pillar.outline), (None, &Outline::Circle(0.2)));
    for layer in [Layer::Drop, Layer::Door, Layer::Light, Layer::Place, Layer::Object, Layer::Sound] {
        assert_eq!(of(layer).len(), 1, "{layer}");
    }
    let SceneryNow { robots, people, doors, things, .. } = &scenery.now;
    assert_eq!((robots[0].robot.as_str(), robots[0].family), ("m", "misty"));
    assert!((robots[0].pose[0] - 2.0).abs() < 1e-6);
    assert_eq!(people[0].name.as_deref(), Some("Anna"));
    assert!((people[0].pose[2] + std::f64::consts::FRAC_PI_2).abs() < 1e-6, "she walks south");
    assert_eq!(doors[0].state, DoorIs::Closed);
    assert_eq!((things.len(), things[0].layer, things[0].name.as_str()), (1, Layer::Furniture, "box 1"));
}

#[test]
fn every_builtin_world_is_seen_whole() {
    for (name, _) in latimer_world::config::BUILTIN {
        let scenery = World::builtin(name, 1).unwrap().look();
        let finite = |it: &f64| it.is_finite();
        assert!(scenery.shapes.iter().all(|shape| shape.pose.iter().all(finite)), "{name}");
        let mut names: Vec<_> = scenery.shapes.iter().filter(|it| it.name.is_some()).collect();
        names.sort_by_key(|it| (it.layer, it.name.clone()));
        let twice = names.windows(2).find(|two| (two[0].layer, &two[0].name) == (two[1].layer, &two[1].name));
        assert!(twice.is_none(), "{name}: {twice:?}");
    }
}

#[test]
fn the_revision_grows_with_what_stands_about_and_not_with_what_moves() {
    let mut lab = lab(ROOM, 2.0, 3.0, 0.0);
    let first = look(&mut lab).revision;
    let put = Happening::PutObstacle {
        name: "parcel".into(),
        shape: ObstacleShape::Cylinder { radius_m: 0.1 },
        pose: [1.0, 2.0, 0.0],
        rgb: [1, 2, 3],
        reality: Realities::Virtual,
    };
    let second = happen(&mut lab, put.clone());
    let parcel = look(&mut lab).shapes.into_iter().find(|it| it.name.as_deref() == Some("parcel")).unwrap();
    assert_eq!((parcel.rgb, parcel.reality), (Some([1, 2, 3]), Realities::Virtual));
    let third = happen(&mut lab, Happening::MoveObstacle { name: "parcel".into(), pose: [1.0, 2.5, 0.0] });
    let fourth = happen(&mut lab, Happening::RemoveObstacle { name: "parcel".into() });
    let fifth = happen(&mut lab, Happening::Light { name: "lamp".into(), on: false });
    lab.world.household_mut().move_to("cup", Whereabouts::Gone).unwrap();
    let sixth = look(&mut lab).revision;
    let seen = [first, second, third, fourth, fifth, sixth];
    assert!(seen.windows(2).all(|two| two[0] < two[1]), "{seen:?}");
    assert!(look(&mut lab).shapes.iter().all(|it| it.layer != Layer::Object), "the cup is gone");
    assert!(
        lab.world.ask(WorldRequest::Happen(Happening::RemoveObstacle { name: "parcel".into() })).is_err()
    );
    lab.drive(0.3, 0.0);
    happen(&mut lab, Happening::Door { name: "front".into(), open: true });
    lab.run(4.0);
    let now = glance(&mut lab);
    assert_eq!(now.revision, sixth, "a refusal, a drive, a push and a door are no new shapes");
    let [x, y, _] = now.things[0].pose;
    assert!((x - 3.0).hypot(y - 3.0) > 0.05, "the box was pushed by robot or door: {x} {y}");
    assert!((now.time_s - 4.0).abs() < 1e-9 && now.robots[0].pose[0] > 2.5);
    assert_eq!(now.doors[0].state, DoorIs::Open);
}

#[test]
fn puppets_are_seen_at_their_given_pose() {
    let mut lab = lab("", 2.0, 3.0, 0.0);
    let (kind, pose) = ("pera".to_owned(), [4.0, 4.0, 1.0]);
    let embody = WorldRequest::Embody { robot: id("7"), kind, pose, frame: None, reality: Realities::Real };
    lab.world.ask(embody).unwrap();
    let now = glance(&mut lab);
    assert_eq!((now.robots[1].robot.as_str(), now.robots[1].family), ("7", "pera"));
    assert!((now.robots[1].pose[2] - 1.0).abs() < 1e-6);
}

#[test]
fn what_a_robot_carries_goes_along() {
    let mut lab = lab(ROOM, 2.0, 3.0, 0.0);
    lab.world.household_mut().take("cup", 0);
    let now = glance(&mut lab);
    let cup = now.things.iter().find(|thing| thing.layer == Layer::Object).unwrap();
    assert!((cup.pose[0] - 2.0).abs() < 0.5 && cup.name == "cup");
}

#[test]
fn a_scenario_that_is_begun_while_the_world_runs_counts_from_then() {
    let mut lab = lab("", 2.0, 3.0, 0.0);
    lab.run(5.0);
    let cue = |robot: &str| Cue::Poke(id(robot), Stimulus::Battery(0.2));
    let scenario = |robot: &str| Scenario::new(vec![ScenarioEvent { at_s: 1.0, cue: cue(robot) }], None);
    let refused = lab.world.ask(WorldRequest::Play(scenario("ghost"))).unwrap_err();
    assert!(refused.reason.contains("ghost") && refused.reason.contains("there are: m"), "{refused}");
    assert_eq!(lab.world.ask(WorldRequest::Play(scenario("m"))), Ok(WorldResponse::Done));
    let charge = |lab: &mut Lab| lab.number(latimer_core::model::Kind::Battery, "", "charge_ratio");
    lab.run(0.9);
    assert!(charge(&mut lab) > 0.5);
    lab.run(1.5);
    assert!(charge(&mut lab) < 0.21);
    assert!(!lab.ask(Stimulus::Battery(7.0)).is_ok());
}

#[test]
fn robots_come_in_their_order() {
    let mut world = World::builtin("demo", 1).unwrap();
    for name in ["b", "a"] {
        world.add_robot(id(name), "misty", Start::Anywhere, Behaviour::Stand).unwrap();
    }
    let robots = world.glance().robots;
    assert_eq!(robots.iter().map(|it| it.robot.as_str()).collect::<Vec<_>>(), ["b", "a"]);
}
