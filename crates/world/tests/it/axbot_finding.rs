//! The chassis finds out where it is on its map: by its scanner, poles, barcodes, or somebody who says so.

use latimer_core::model::signal::{FeatureKind, Relocation, RelocationState};
use latimer_core::model::{Command, Kind, LocalizationCommand, RelocateBy, Signal};
use latimer_core::{Outcome, PartName};
use latimer_simulator_api::Stimulus;

use crate::axbot::hall;
use crate::axbot_maps::{mark, other_map, state, use_map, within};
use crate::lab::{Lab, seconds};

#[test]
fn what_is_lost_stays_lost_until_somebody_finds_it() {
    let mut lab = hall("");
    assert!(lab.poke(Stimulus::LosePose { hold: None }).is_ok());
    lab.run(30.0);
    assert!(!state(&lab).1, "nobody looked for it");
    let at = lab.pose();
    let mut believe = |x_m: f64| {
        let pose = Command::SetPose { x_m, y_m: at.y_m, yaw_rad: at.yaw_rad };
        assert_eq!(lab.ask(pose), Outcome::Done);
        lab.run(10.0);
        state(&lab).1
    };
    assert!(!believe(at.x_m + 6.0), "a wrong pose heals nothing");
    assert!(believe(at.x_m + 0.1), "a right one does");
    assert!(lab.poke(Stimulus::LosePose { hold: Some(seconds(5.0)) }).is_ok());
    lab.run(4.5);
    assert!(!state(&lab).1);
    assert!(within(&mut lab, 5, |lab| state(lab).1), "after its time it finds itself");
}

#[test]
fn three_mapped_poles_localize_it() {
    let poles = [("a", [2.5, 5.0]), ("b", [4.0, 1.0]), ("c", [0.5, 0.8])];
    let more: String = poles
        .iter()
        .map(|(id, [x, y])| format!("[[landmarks]]\nid = \"{id}\"\nposition_m = [{x:?}, {y:?}]\n"))
        .collect();
    let mut lab = hall(&more);
    assert!(lab.poke(Stimulus::LosePose { hold: None }).is_ok());
    let published = relocate(&mut lab, true, false, 1.0);
    assert_eq!(published[1].message.as_deref(), Some("Succeeded with landmarks a, b, c"));
    assert!(state(&lab).1);
    let two = poles[..2].iter().map(|(id, at)| mark(FeatureKind::Landmark, id, *at, 0.0)).collect();
    assert_eq!(use_map(&mut lab, other_map(two), None), Outcome::Done);
    assert_eq!(relocate(&mut lab, true, false, 1.0)[1].state, RelocationState::Failed);
}

fn relocate(lab: &mut Lab, marks: bool, scan: bool, within_s: f64) -> Vec<Relocation> {
    lab.forget();
    let by = RelocateBy { marks, scan };
    assert_eq!(lab.ask(Command::Localization(LocalizationCommand::Relocate(by))), Outcome::Accepted);
    lab.run(within_s);
    let published = |signal: &&Signal| match signal {
        Signal::Relocation(it) => Some(it.clone()),
        _ => None,
    };
    lab.all(Kind::Relocation, "").iter().filter_map(published).collect()
}

#[test]
fn it_localizes_by_its_scanner_and_publishes_the_fit() {
    let mut lab = hall("[[walls]]\npoints_m = [[5.0, 0.0], [5.0, 3.5]]\n");
    assert!(lab.poke(Stimulus::LosePose { hold: None }).is_ok());
    let published = relocate(&mut lab, true, true, 4.0);
    let states: Vec<_> = published.iter().map(|it| it.state).collect();
    assert_eq!(states, [RelocationState::Running, RelocationState::Succeeded]);
    let end = &published[1];
    assert!(end.score_percent.unwrap() > 90.0 && end.needs_confirmation == Some(false), "{end:?}");
    let (at, truth) = (end.pose.as_ref().unwrap(), lab.pose());
    assert!(truth.distance_to(at.x_m, at.y_m) < 0.1, "{at:?}");
    assert!(state(&lab).1);
    let fail = Stimulus::Fail { part: PartName::of("lidar"), hold: seconds(6.0) };
    assert!(lab.poke(fail).is_ok());
    let published = relocate(&mut lab, false, true, 4.0);
    assert_eq!(published[1].state, RelocationState::Failed);
    assert!(published[1].message.as_ref().unwrap().contains("scanner"));
    let published = relocate(&mut lab, false, false, 2.0);
    assert_eq!(published[1].state, RelocationState::Failed);
    assert!(within(&mut lab, 12, |lab| state(lab).1), "by itself it looks again");
}

#[test]
fn a_mapped_barcode_localizes_it_and_another_does_not() {
    let code = "[[barcodes]]\nid = \"R25B13_7\"\nposition_m = [1.7, 3.2]\nyaw_deg = 40.0\n";
    let mut lab = hall(code);
    let published = relocate(&mut lab, true, false, 2.0);
    let end = &published[1];
    assert_eq!(end.message.as_deref(), Some("Succeeded with barcode R25B13_7"));
    assert_eq!((end.state, end.needs_confirmation), (RelocationState::Succeeded, Some(true)));
    assert_eq!(use_map(&mut lab, other_map(Vec::new()), None), Outcome::Done);
    let published = relocate(&mut lab, true, false, 2.0);
    assert_eq!(published[1].state, RelocationState::Failed);
    assert!(published[1].message.as_ref().unwrap().contains("R25B13_7"));
    // Where the map has it a metre off, the robot believes to be a metre off, and then finds out.
    let wrong = vec![mark(FeatureKind::Barcode, "R25B13_7", [3.7, 4.2], 40_f64.to_radians())];
    assert_eq!(use_map(&mut lab, other_map(wrong), None), Outcome::Done);
    let published = relocate(&mut lab, true, false, 1.0);
    let at = published[1].pose.as_ref().unwrap();
    assert!((at.x_m - 3.5).abs() < 0.05 && (at.y_m - 4.0).abs() < 0.05, "{at:?}");
    assert!(published[1].score_percent.is_some());
    assert!(within(&mut lab, 12, |lab| !state(lab).1), "nothing fits there");
    assert_eq!(relocate(&mut lab, false, true, 4.0)[1].state, RelocationState::Succeeded);
}
