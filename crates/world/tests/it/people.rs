//! People walk, are met, and are seen by the camera where geometry lets them be.

use latimer_core::model::signal::{Face, FaceIdentity};
use latimer_core::model::{Command, JointPosition, JointTarget, Kind, Signal};
use latimer_core::{Outcome, PartName};

use crate::lab::{Lab, id, lab, own};
use latimer_dialects::misty::calls::{DetectFaces, RecognizeFaces, TrainFace};

fn anna(start: &str, more: &str) -> String {
    format!("known_faces = [\"Anna\"]\n[[people]]\nname = \"Anna\"\nstart_m = {start}\n{more}")
}

fn person(lab: &Lab) -> [f64; 2] {
    lab.world.people_at().next().unwrap()
}

fn faces(lab: &Lab) -> Vec<Face> {
    let face = |signal: &&Signal| match signal {
        Signal::Face(face) => face.clone(),
        other => panic!("{other:?}"),
    };
    lab.all(Kind::Face, "").iter().map(face).collect()
}

fn look(lab: &mut Lab, joint: &str, degrees: f64) {
    let target = JointTarget {
        part: PartName::of(joint),
        position: JointPosition::angle(degrees.to_radians()),
        velocity_radps: None,
        duration: None,
    };
    assert!(lab.ask(Command::Joints(vec![target])).is_ok());
    lab.run(2.0).forget();
}

#[test]
fn they_walk_their_round_at_their_speed_and_stay_at_each_point() {
    let walk = "walk_m = [[1.0, 5.0], [1.0, 4.0]]\nspeed_mps = 0.5\npause_s = 1.0";
    let mut lab = lab(&anna("[1.0, 4.0]", walk), 5.0, 1.0, 0.0);
    lab.run(2.0);
    assert!((person(&lab)[1] - 4.5).abs() < 0.02, "{:?}", person(&lab));
    lab.run(1.5);
    assert_eq!(person(&lab), [1.0, 5.0]);
    lab.run(1.5);
    assert!((4.2..4.8).contains(&person(&lab)[1]), "on the way back");
}

#[test]
fn they_wait_for_robots_and_push_none() {
    let walk = "walk_m = [[5.0, 3.0]]\nspeed_mps = 1.0";
    let mut lab = lab(&anna("[1.0, 3.0]", walk), 3.0, 3.0, 90.0);
    lab.run(6.0);
    let [x, _] = person(&lab);
    assert!((2.2..2.6).contains(&x), "stands before the robot: {x}");
    assert!(lab.pose().distance_to(3.0, 3.0) < 1e-3);
    lab.drive(0.4, 0.0);
    lab.run(2.5);
    lab.stop();
    lab.run(3.0);
    assert_eq!(person(&lab), [5.0, 3.0], "goes on");
}

#[test]
fn ranges_and_bumpers_meet_them() {
    let mut lab = lab(&anna("[4.0, 3.0]", "color = \"#ffffff\""), 3.0, 3.0, 0.0);
    lab.run(0.3);
    let ahead = lab.number(Kind::Range, "front_center", "distance_m");
    assert!((ahead - (1.0 - 0.2 - 0.12)).abs() < 0.02, "{ahead}");
    lab.drive(0.2, 0.0);
    lab.run(4.0);
    assert!(lab.hazards().iter().any(|it| it.contains("bump_front")), "{:?}", lab.hazards());
    assert_eq!(person(&lab), [4.0, 3.0], "nobody is pushed");
    assert!(lab.pose().x_m < 3.68, "{:?}", lab.pose());
}

#[test]
fn a_known_face_is_known_and_where_it_is() {
    let mut lab = lab(&anna("[5.5, 3.5]", ""), 2.5, 3.0, 0.0);
    lab.run(1.0);
    assert!(faces(&lab).is_empty(), "nobody looks");
    lab.ask(own(DetectFaces { on: true }));
    lab.run(1.0);
    assert_eq!(faces(&lab).len(), 5);
    assert_eq!(faces(&lab)[0].identity, FaceIdentity::Detected);
    lab.ask(own(RecognizeFaces { on: true }));
    lab.forget().run(1.0);
    let face = faces(&lab).pop().unwrap();
    assert_eq!((face.identity, face.label.as_deref()), (FaceIdentity::Known, Some("Anna")));
    let (dx, dy) = (3.0_f64, 0.5_f64);
    assert!((face.bearing_rad.unwrap() - dy.atan2(dx)).abs() < 0.06, "{face:?}");
    assert!((face.distance_m.unwrap() - dx.hypot(dy)).abs() < 0.4, "{face:?}");
    assert!((face.elevation_rad.unwrap() - 1.28_f64.atan2(dx.hypot(dy))).abs() < 0.06, "{face:?}");
    look(&mut lab, "head_yaw", -60.0);
    lab.run(1.0);
    assert!(faces(&lab).is_empty(), "the head looks away");
}

#[test]
fn walls_hide_and_near_faces_need_a_head_that_looks_up() {
    let wall = "[[walls]]\npoints_m = [[4.0, 2.0], [4.0, 4.0]]";
    let mut hidden = lab(&anna("[5.5, 3.0]", wall), 2.5, 3.0, 0.0);
    hidden.ask(own(DetectFaces { on: true }));
    hidden.run(1.0);
    assert!(faces(&hidden).is_empty(), "behind a wall");
    let mut near = lab(&anna("[4.0, 3.0]", ""), 2.5, 3.0, 0.0);
    near.ask(own(DetectFaces { on: true }));
    near.run(1.0);
    assert!(faces(&near).is_empty(), "above the picture");
    look(&mut near, "head_pitch", -30.0);
    near.run(1.0);
    assert_eq!(faces(&near).len(), 5);
}

#[test]
fn a_stranger_who_walks_by_can_be_learnt() {
    let mut lab = lab("[[people]]\nstart_m = [4.3, 3.0]", 2.5, 3.0, 0.0);
    look(&mut lab, "head_pitch", -30.0);
    lab.ask(own(RecognizeFaces { on: true }));
    lab.run(0.5);
    assert_eq!(faces(&lab).pop().unwrap().identity, FaceIdentity::Stranger);
    assert_eq!(lab.ask(own(TrainFace { label: "Cleo".into() })), Outcome::Accepted);
    lab.run(6.0);
    let face = faces(&lab).pop().unwrap();
    assert_eq!((face.identity, face.label.as_deref()), (FaceIdentity::Known, Some("Cleo")));
    assert_eq!(lab.world.population().next().unwrap().0, &id("m"));
}

#[test]
fn a_person_who_meets_a_robot_turns_back_and_leaves_the_doorway() {
    let walk = "walk_m = [[2.0, 3.0], [5.0, 3.0], [2.0, 1.0]]\nspeed_mps = 1.0";
    let mut lab = lab(&anna("[2.0, 1.0]", walk), 3.0, 3.0, 90.0);
    lab.run(4.0);
    assert!(person(&lab)[0] > 2.2, "before the robot");
    let lowest = (0..1_000).map(|_| person(lab.run(0.01))[1]).fold(9.0, f64::min);
    assert!(lowest < 1.01, "all the way back, and not only to the corner: {lowest}");
}
