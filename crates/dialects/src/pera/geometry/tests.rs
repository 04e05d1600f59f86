//! Against what the reference itself answered.

use latimer_core::model::Realities;
use latimer_simulator_api::{ArenaObstacle, ArenaShape};
use serde::Deserialize;

use super::{Crowd, Scene};
use crate::pera::messages::localization::Localization;
use crate::pera::wire::Number;

fn obstacle(shape: ArenaShape, at_cm: [f64; 2], orientation_deg: f64, color: &str) -> ArenaObstacle {
    let (color, reality) = (color.to_owned(), Realities::Virtual);
    ArenaObstacle { name: None, shape, at_cm, orientation_deg, color, reality }
}

fn wall(at_cm: [f64; 2], orientation_deg: f64, width_cm: f64, color: &str) -> ArenaObstacle {
    obstacle(ArenaShape::Wall { width_cm, height_cm: 8.0 }, at_cm, orientation_deg, color)
}

fn cylinder(at_cm: [f64; 2], radius_cm: f64, color: &str) -> ArenaObstacle {
    obstacle(ArenaShape::Cylinder { radius_cm, height_cm: 9.5 }, at_cm, 0.0, color)
}

fn square() -> Vec<ArenaObstacle> {
    [([-90.0, 90.0], 0.0), ([-90.0, -90.0], 90.0), ([90.0, -90.0], 180.0), ([90.0, 90.0], -90.0)]
        .map(|(at, orientation)| wall(at, orientation, 180.0, "#404040"))
        .to_vec()
}

fn at(x: f64, y: f64, heading: f64) -> Localization {
    Localization { x, y, heading }
}

fn crowd(places: &[[f64; 2]]) -> Crowd {
    let mut crowd = Crowd::default();
    for place in places {
        crowd.push(*place);
    }
    crowd
}

#[test]
fn the_default_arena() {
    let scene = Scene::new(&square());
    let alone = Crowd::default();
    let distance = |place| scene.distance(place, &alone).to_string();
    assert_eq!(distance(at(10.0, 10.0, 0.0)), "74");
    assert_eq!(distance(at(0.0, 0.0, 45.0)), "122");
    assert_eq!(distance(at(120.0, 0.0, 0.0)), "994");
    assert_eq!(distance(at(90.0, 0.0, 0.0)), "-6");
    let color = |x| scene.color(at(x, 0.0, 0.0)).to_string();
    assert_eq!((color(60.0).as_str(), color(59.9).as_str()), ("64 64 64 64", "0 0 0 0"));
    let angles = [-90.0, 0.0, 90.0].map(Number);
    let proximity = |angles| scene.proximity(at(70.0, 20.0, 0.0), &alone, angles).to_string();
    assert_eq!(proximity(&angles), "64 14 104 #000000 #404040 #000000");
    assert_eq!(proximity(&[]), " ");
}

#[test]
fn a_red_cylinder() {
    let mut obstacles = square();
    obstacles.push(cylinder([0.0, 58.0], 15.0, "#FF0000"));
    let scene = Scene::new(&obstacles);
    let place = at(0.0, 20.0, 90.0);
    assert_eq!(scene.distance(place, &Crowd::default()).to_string(), "17");
    assert_eq!(scene.color(place).to_string(), "255 0 0 85");
    // The colour's text is passed on as it is written.
    let near = scene.proximity(at(0.0, 30.0, 90.0), &Crowd::default(), &[Number(0.0)]);
    assert_eq!(near.to_string(), "7 #FF0000");
}

#[test]
fn a_cylinder_is_not_seen_across_the_seam() {
    let scene = Scene::new(&[cylinder([-50.0, -1.0], 10.0, "#ffffff")]);
    let distance = |heading| scene.distance(at(0.0, 0.0, heading), &Crowd::default()).0;
    assert_eq!((distance(-179.0), distance(179.0), distance(181.0)), (35.0, 994.0, 994.0));
}

#[test]
fn other_robots() {
    let scene = Scene::new(&square());
    let place = at(0.0, 0.0, 0.0);
    let others = crowd(&[[0.5, 0.0], [40.0, 0.0], [0.0, 30.0]]);
    assert_eq!(scene.distance(place, &others).0, 31.0, "40 less 3 less 6");
    // Each direction has its own.
    let proximity =
        |first, second| scene.proximity(place, &others, &[Number(first), Number(second)]).distances;
    assert_eq!(proximity(-90.0, 0.0), [21.0, 31.0]);
    assert_eq!(proximity(90.0, 0.0), [84.0, 31.0]);
}

/// Readings of the reference in one arena with robots, as `testdata/README.md` says.
#[derive(Deserialize)]
struct Vectors {
    obstacles: Vec<Listed>,
    robots: Vec<[f64; 2]>,
    readings: Vec<Expected>,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "parameters", rename_all = "lowercase")]
enum Listed {
    Wall { x: f64, y: f64, orientation: f64, width: f64, color: String },
    Cylinder { x: f64, y: f64, radius: f64, color: String },
}

#[derive(Deserialize)]
struct Expected {
    at: [f64; 3],
    angles: Vec<Number>,
    distance: String,
    color: String,
    proximity: String,
}

#[test]
fn answers_of_the_reference_itself() {
    let vectors: Vec<Vectors> = serde_json::from_str(include_str!("testdata/vectors.json")).unwrap();
    let mut count = 0;
    for Vectors { obstacles, robots, readings } in &vectors {
        let obstacles = obstacles.iter().map(|it| match it {
            Listed::Wall { x, y, orientation, width, color } => wall([*x, *y], *orientation, *width, color),
            Listed::Cylinder { x, y, radius, color } => cylinder([*x, *y], *radius, color),
        });
        let (scene, crowd) = (Scene::new(&obstacles.collect::<Vec<_>>()), crowd(robots));
        for Expected { at: [x, y, heading], angles, distance, color, proximity } in readings {
            let place = at(*x, *y, *heading);
            let ours = [
                scene.distance(place, &crowd).to_string(),
                scene.color(place).to_string(),
                scene.proximity(place, &crowd, angles).to_string(),
            ];
            assert_eq!(ours.each_ref(), [distance, color, proximity], "{place:?} {angles:?}");
            count += 1;
        }
    }
    assert_eq!(count, 241);
}
