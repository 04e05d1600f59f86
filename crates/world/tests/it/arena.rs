//! Arenas of swarm simulators as worlds, and worlds as such arenas.

use latimer_core::model::{Realities, SenseRequest, Sensing, Signal};
use latimer_simulator_api::{ArenaShape, Happening, WorldRequest, WorldResponse};
use latimer_world::config::ArenaFileError;
use latimer_world::{World, WorldFile, WorldFileError};

use crate::lab::id;

/// A wall whose place is given twice, a red cylinder, another one of the same name, and what nobody can build.
const FILE: &str = r##"{"arena": {"xMin": -90, "xMax": "90", "yMin": -90, "yMax": 90}, "obstacles": [
    {"type": "wall", "name": "w", "reality": "R",
     "parameters": {"x": -90, "y": 80, "orientation": 0, "width": "180", "height": 8, "y": 90}},
    {"type": "cylinder", "description": "red", "reality": "V",
     "parameters": {"x": 0, "y": 58, "radius": 15, "height": 9.5, "color": "#FF0000"}},
    {"type": "cylinder", "description": "red", "parameters": {"x": 60, "y": 0, "radius": 5}},
    {"type": "box", "parameters": {"x": -35, "y": -55, "width": 20, "depth": 10, "color": "olive"}},
    {"type": "cone", "parameters": {"radius": 5}}, {"type": "wall", "parameters": {"x": 1}}, 7
]}"##;

fn world() -> World {
    World::new(WorldFile::parse(FILE).unwrap(), 1).unwrap()
}

fn embody(world: &mut World, robot: &str, pose: [f64; 3]) {
    let (kind, frame) = ("pera".into(), Some("arena".into()));
    let ask = WorldRequest::Embody { robot: id(robot), kind, pose, frame, reality: Realities::Virtual };
    assert_eq!(world.ask(ask), Ok(WorldResponse::Done));
}

fn distance(robot: &str, realities: Realities) -> WorldRequest {
    WorldRequest::Sense { robot: id(robot), request: SenseRequest { what: Sensing::Distance, realities } }
}

fn metres(answer: &WorldResponse) -> Option<f64> {
    match answer {
        WorldResponse::Sensed(readings) => match &readings[0].signal {
            Signal::Range(range) => range.distance_m,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_and_colours_stay_as_written() {
    let world = world();
    let arena = world.arena("arena");
    assert_eq!(arena.bounds_cm, [-90.0, -90.0, 90.0, 90.0]);
    assert_eq!(arena.obstacles.len(), 4, "what cannot be built is left out");
    let wall = &arena.obstacles[0];
    assert_eq!((wall.at_cm, wall.reality), ([-90.0, 90.0], Realities::Real), "the last y counts");
    assert_eq!(wall.color, "#404040");
    let red = &arena.obstacles[1];
    assert_eq!((red.color.as_str(), red.name.as_deref()), ("#FF0000", Some("red")));
    assert_eq!(red.shape, ArenaShape::Cylinder { radius_cm: 15.0, height_cm: 9.5 });
    assert_eq!(arena.obstacles[3].color, "olive");
    assert_eq!(world.file().size_m, [1.8, 1.8]);
    assert_eq!(world.file().spawns.len(), 5);
}

#[test]
fn rays_meet_what_the_file_says_and_nothing_else() {
    let mut world = world();
    let up = std::f64::consts::FRAC_PI_2;
    embody(&mut world, "1", [0.0, 0.0, up]);
    // From the robot's edge at 3 cm to the cylinder's at 43 cm.
    let seen = metres(&world.ask(distance("1", Realities::Virtual)).unwrap()).unwrap();
    assert!((seen - 0.40).abs() < 1e-3, "{seen}");
    // Behind it stands the real wall, 2 cm thick about 90 cm.
    let seen = metres(&world.ask(distance("1", Realities::Real)).unwrap()).unwrap();
    assert!((seen - 0.86).abs() < 1e-3, "{seen}");
    assert!(world.ask(WorldRequest::Move { robot: id("1"), pose: [0.0, 0.0, -up] }).is_ok());
    assert_eq!(metres(&world.ask(distance("1", Realities::Mixed)).unwrap()), None, "an arena is open");
}

#[test]
fn many_things_are_done_in_order_without_a_step_between() {
    let mut world = world();
    embody(&mut world, "1", [-0.5, 0.0, 0.0]);
    embody(&mut world, "2", [0.0, -0.5, 0.0]);
    let all = WorldRequest::All(vec![
        distance("1", Realities::Virtual),
        WorldRequest::Move { robot: id("2"), pose: [0.0, 0.0, 0.0] },
        distance("1", Realities::Virtual),
        distance("9", Realities::Virtual),
        WorldRequest::All(Vec::new()),
    ]);
    let Ok(WorldResponse::All(answers)) = world.ask(all) else { panic!() };
    let seen = |i: usize| metres(answers[i].as_ref().unwrap()).unwrap();
    assert!((seen(0) - 1.02).abs() < 1e-3, "the cylinder at 55 cm: {}", seen(0));
    assert!((seen(2) - 0.44).abs() < 1e-3, "the other robot: {}", seen(2));
    assert!(answers[3].as_ref().unwrap_err().reason.contains('9'));
    assert!(answers[4].is_err());
}

#[test]
fn a_moved_obstacle_is_published_at_its_new_pose() {
    let mut world = world();
    let before = world.arena("arena").revision;
    let moved = Happening::MoveObstacle { name: "red 2".into(), pose: [1.6, 0.9, 0.0] };
    assert_eq!(world.ask(WorldRequest::Happen(moved)), Ok(WorldResponse::Done));
    assert_eq!(
        world.ask(WorldRequest::Happen(Happening::RemoveObstacle { name: "red".into() })),
        Ok(WorldResponse::Done)
    );
    let arena = world.arena("arena");
    assert!(arena.revision > before);
    let places: Vec<_> = arena.obstacles.iter().map(|it| it.at_cm).collect();
    assert_eq!(places, [[-90.0, 90.0], [-35.0, -55.0], [70.0, 0.0]]);
}

#[test]
fn any_world_has_an_arena() {
    let arena = World::builtin("arena", 1).unwrap().arena("arena");
    assert_eq!((arena.frame.as_deref(), arena.obstacles.len()), (Some("arena"), 4));
    assert_eq!(arena.obstacles[0].at_cm, [-90.0, -90.0]);
    assert_eq!(arena.obstacles[0].shape, ArenaShape::Wall { width_cm: 180.0, height_cm: 250.0 });
    // Without such a frame it is the whole room.
    let room = World::builtin("maze", 1).unwrap().arena("moon");
    assert_eq!((room.frame, room.bounds_cm[0]), (None, 0.0));
    let demo = World::builtin("demo", 1).unwrap().arena("arena");
    assert!(demo.obstacles.len() < World::builtin("demo", 1).unwrap().arena("moon").obstacles.len());
}

#[test]
fn an_invalid_arena_is_refused_with_its_place() {
    let error = |text: &str| WorldFile::parse(text).unwrap_err();
    let Err(WorldFileError::Arena(ArenaFileError::Json { line, .. })) = WorldFile::parse("{\n  \"arena\": }")
    else {
        panic!()
    };
    assert_eq!(line, 2);
    let text = error(r#"{"arena": {"xMin": 90, "xMax": -90}}"#).to_string();
    assert!(text.contains("xMin and xMax") && text.contains("50 cm"), "{text}");
    assert!(error(r#"{"arena": {"xMin": "far"}}"#).to_string().contains("arena.xMin"));
    assert!(error(r#"{"obstacles": {}}"#).to_string().contains("no list"));
    let nested = format!("{{\"obstacles\": {}1{}}}", "[".repeat(5_000), "]".repeat(5_000));
    assert!(WorldFile::parse(&nested).is_err());
    // An arena without anything in it is one, too.
    assert_eq!(WorldFile::parse("{}").unwrap().size_m, [1.8, 1.8]);
}
