//! Mixed reality: robots that are not simulated have a body here, and ask what they would sense.

use latimer_core::model::{Command, Kind, Outcome, Reading, Realities, SenseRequest, Sensing, Signal};
use latimer_simulator_api::{WorldRequest, WorldResponse};
use latimer_world::{Behaviour, Start, World, WorldFile};

use crate::lab::{id, lab};

/// The room of a small arena: a real red box on the left, a virtual green one on the right.
const ARENA: &str = "name = \"arena\"\nsize_m = [4.0, 4.0]\n\
    [[frames]]\nname = \"ring\"\nposition_m = [2.0, 2.0]\n\
    [[boxes]]\ncenter_m = [2.0, 3.0]\nsize_m = [0.4, 0.2]\ncolor = \"#ff0000\"\nreality = \"real\"\n\
    [[boxes]]\ncenter_m = [2.0, 1.0]\nsize_m = [0.4, 0.2]\ncolor = \"#00ff00\"\nreality = \"virtual\"\n";

fn arena() -> World {
    let mut world = World::new(WorldFile::parse(ARENA).unwrap(), 1).unwrap();
    let embody = WorldRequest::Embody {
        robot: id("7"),
        kind: "misty".into(),
        pose: [0.0, 0.0, 0.0],
        frame: Some("ring".into()),
        reality: Realities::Real,
    };
    assert_eq!(world.ask(embody), Ok(WorldResponse::Done));
    step(&mut world);
    world
}

fn step(world: &mut World) {
    world.step(latimer_core::Timestamp::from_nanos(0), &mut Vec::new());
}

fn sense(world: &mut World, what: Sensing, realities: Realities) -> Vec<Reading> {
    let ask = WorldRequest::Sense { robot: id("7"), request: SenseRequest { what, realities } };
    match world.ask(ask) {
        Ok(WorldResponse::Sensed(readings)) => readings,
        other => panic!("{other:?}"),
    }
}

fn to_the_sides(world: &mut World, realities: Realities) -> Vec<(f64, [u8; 3])> {
    let half = std::f64::consts::FRAC_PI_2;
    let readings = sense(world, Sensing::Proximity { bearings_rad: vec![half, -half] }, realities);
    let pair = |pair: &[Reading]| match (&pair[0].signal, &pair[1].signal) {
        (Signal::Range(range), Signal::Color(color)) => {
            (range.distance_m.unwrap_or(f64::INFINITY), [color.red, color.green, color.blue])
        }
        other => panic!("{other:?}"),
    };
    readings.chunks(2).map(pair).collect()
}

#[test]
fn real_virtual_and_mixed_readings_differ_as_they_should() {
    let mut world = arena();
    // Half a Misty is 0.1 m and more from its middle to its side.
    let edge = to_the_sides(&mut world, Realities::Mixed)[0].0 - 0.9;
    let close = |is: f64, should: f64| assert!((is - should - edge).abs() < 1e-3, "{is} {should}");
    let mixed = to_the_sides(&mut world, Realities::Mixed);
    close(mixed[0].0, 0.9);
    close(mixed[1].0, 0.9);
    let real = to_the_sides(&mut world, Realities::Real);
    close(real[0].0, 0.9);
    close(real[1].0, 2.0);
    let virtually = to_the_sides(&mut world, Realities::Virtual);
    close(virtually[1].0, 0.9);
    assert!(virtually[0].0 > 1.5, "neither the real box nor the room's real wall");
}

#[test]
fn a_puppet_follows_given_poses_and_others_meet_it() {
    let mut world = arena();
    world
        .add_robot(id("m"), "misty", Start::At(latimer_world::Pose2::new(3.2, 2.0, 0.0)), Behaviour::Stand)
        .unwrap();
    // Nearer to the real box, looking at it: its colour is seen.
    let turned = std::f64::consts::FRAC_PI_2;
    assert_eq!(
        world.ask(WorldRequest::Move { robot: id("7"), pose: [0.0, 0.6, turned] }),
        Ok(WorldResponse::Done)
    );
    step(&mut world);
    let ahead = sense(&mut world, Sensing::Distance, Realities::Mixed);
    let Signal::Range(range) = &ahead[0].signal else { panic!("{ahead:?}") };
    assert!(range.distance_m.unwrap() < 0.3, "{range:?}");
    let color = sense(&mut world, Sensing::Color, Realities::Mixed);
    let Signal::Color(color) = &color[0].signal else { panic!("{color:?}") };
    assert_eq!([color.red, color.green, color.blue], [0xff, 0, 0]);
    let compass = sense(&mut world, Sensing::Compass, Realities::Mixed);
    assert!(matches!(&compass[0].signal, Signal::Imu(imu)
        if (imu.orientation.as_ref().unwrap().yaw_rad - turned).abs() < 1e-6));
    // A simulated robot meets it, and answers the same requests.
    assert!(world.ask(WorldRequest::Move { robot: id("7"), pose: [0.7, 0.0, 0.0] }).is_ok());
    step(&mut world);
    let request = SenseRequest {
        what: Sensing::Proximity { bearings_rad: vec![2.0 * turned] },
        realities: Realities::Mixed,
    };
    let Outcome::Sensed(readings) = world.command(&id("m"), Command::Sense(request)) else { panic!() };
    assert!(matches!(&readings[0].signal, Signal::Range(range) if range.distance_m.unwrap() < 0.4));
    // It goes, and the way is free.
    assert_eq!(world.ask(WorldRequest::Release(id("7"))), Ok(WorldResponse::Done));
    assert!(world.ask(WorldRequest::Release(id("7"))).unwrap_err().reason.contains("7"));
}

#[test]
fn a_still_obstacle_is_pushed_away_by_a_puppet() {
    let text = format!(
        "{ARENA}[[boxes]]\ncenter_m = [3.0, 2.0]\nsize_m = [0.3, 0.3]\nmovable = true\nmass_kg = 1.0\n"
    );
    let mut world = World::new(WorldFile::parse(&text).unwrap(), 1).unwrap();
    let (robot, kind, frame) = (id("7"), "misty".into(), Some("ring".into()));
    let pose = [0.0; 3];
    assert!(world.ask(WorldRequest::Embody { robot, kind, pose, frame, reality: Realities::Real }).is_ok());
    // Long enough that the engine no longer looks at what does not move.
    for _ in 0..500 {
        step(&mut world);
    }
    let room = |world: &mut World| {
        let ahead = sense(world, Sensing::Distance, Realities::Mixed);
        let Signal::Range(range) = &ahead[0].signal else { panic!("{ahead:?}") };
        range.distance_m.unwrap()
    };
    let before = room(&mut world);
    assert!((0.6..0.8).contains(&before), "{before}");
    for centimetres in 0..120 {
        let pose = [f64::from(centimetres) / 100.0, 0.0, 0.0];
        assert!(world.ask(WorldRequest::Move { robot: id("7"), pose }).is_ok());
        (0..10).for_each(|_| step(&mut world));
    }
    // The box is in front of it, and no longer where it stood.
    let after = room(&mut world);
    assert!(after < 0.1, "{after}");
    assert!(world.ask(WorldRequest::Move { robot: id("7"), pose: [0.0; 3] }).is_ok());
    let away = room(&mut world);
    assert!(away > before + 0.3, "{away}");
}

#[test]
fn mistakes_are_refused() {
    let mut world = arena();
    let embody = |robot: &str, kind: &str, frame: Option<&str>| WorldRequest::Embody {
        robot: id(robot),
        kind: kind.into(),
        pose: [0.0; 3],
        frame: frame.map(str::to_owned),
        reality: Realities::Real,
    };
    let published = |world: &mut World, ask| world.ask(ask).unwrap_err();
    assert!(published(&mut world, embody("7", "misty", None)).reason.contains("already"));
    assert!(published(&mut world, embody("8", "tank", None)).reason.contains("misty"));
    assert!(published(&mut world, embody("8", "misty", Some("moon"))).reason.contains("ring"));
    assert!(
        published(&mut world, WorldRequest::Move { robot: id("8"), pose: [0.0; 3] }).reason.contains('8')
    );
    assert!(
        published(&mut world, WorldRequest::Move { robot: id("7"), pose: [f64::NAN, 0.0, 0.0] })
            .reason
            .contains("no place")
    );
    let many = Sensing::Proximity { bearings_rad: vec![0.0; 1_000] };
    let request = SenseRequest { what: many, realities: Realities::Real };
    assert!(published(&mut world, WorldRequest::Sense { robot: id("7"), request }).reason.contains("720"));
}

#[test]
fn a_simulated_robot_publishes_in_its_own_frame() {
    let more = "[[frames]]\nname = \"ring\"\nposition_m = [4.0, 4.0]\nyaw_deg = 90.0\n\
        [[spawns]]\nname = \"in\"\nframe = \"ring\"\nposition_m = [1.0, 0.0]\nyaw_deg = 0.0\n";
    let mut lab = lab(more, 1.0, 1.0, 0.0);
    lab.world.add_robot(id("r"), "misty", Start::Spawn("in".into()), Behaviour::Stand).unwrap();
    let at = lab.world.true_pose(&id("r")).unwrap();
    assert!(at.distance_to(4.0, 5.0) < 1e-6, "{at:?}");
    use latimer_core::model::LocalizationCommand::Tracking;
    assert!(lab.world.command(&id("r"), Command::Localization(Tracking(true))).is_ok());
    lab.run(6.0);
    let published = lab.received.iter().rfind(|it| it.robot == id("r") && it.kind() == Kind::Pose).unwrap();
    let number = |field| published.signal.field(field).unwrap().as_f64().unwrap();
    assert!((number("x_m") - 1.0).abs() < 0.1 && number("y_m").abs() < 0.1, "{published:?}");
    assert!(number("yaw_rad").abs() < 0.1);
}
