//! MiRo: how it feels, sleeps, attends and acts by itself.

use latimer_core::model::signal::{BehaviourState, PriorityPeak, Switch};
use latimer_core::model::{
    ActionBias, BehaviourDrive, Command, JointPosition, Kind, Pull, Push, PushWay, Signal,
};
use latimer_core::{Outcome, PartName};
use latimer_simulator_api::Stimulus;
use latimer_world::{Behaviour, Pose2, Start, World, WorldFile};

use crate::lab::{Lab, id, seconds};
use crate::miro::{joint, miro};

/// A MiRo that wanders about.
fn wanderer(more: &str) -> Lab {
    let file = WorldFile::parse(&format!("name = \"lab\"\nsize_m = [6.0, 6.0]\n{more}")).unwrap();
    let mut world = World::new(file, 42).unwrap();
    let start = Start::At(Pose2::new(3.0, 3.0, 0.0));
    world.add_robot(id("m"), "miro", start, Behaviour::Wander).unwrap();
    let mut lab = Lab::of(world);
    lab.run(1.0);
    lab
}

fn state(lab: &Lab) -> BehaviourState {
    let Signal::BehaviourState(state) = lab.last(Kind::BehaviourState, "") else { panic!() };
    state
}

fn chosen(lab: &Lab) -> Option<String> {
    let state = state(lab);
    let chosen: Vec<_> = state.actions.iter().filter(|it| it.disinhibition_ratio == 1.0).collect();
    assert!(chosen.len() <= 1, "{chosen:?}");
    chosen.first().map(|it| it.name.clone())
}

fn switch(lab: &mut Lab, part: &str, enabled: bool) {
    let switch = Switch { part: part.into(), enabled };
    assert_eq!(lab.ask(Command::BehaviourSwitches(vec![switch])), Outcome::Done);
}

fn influence(lab: &mut Lab, drive: BehaviourDrive) {
    assert_eq!(lab.ask(Command::BehaviourDrive(Box::new(drive))), Outcome::Accepted);
}

fn touch(lab: &mut Lab, part: &str, for_s: f64) {
    assert!(lab.poke(Stimulus::Touch { part: PartName::of(part), hold: seconds(for_s) }).is_ok());
}

/// How far it goes in a time, metres.
fn way_m(lab: &mut Lab, for_s: f64) -> f64 {
    let before = lab.pose();
    let steps = (for_s * 10.0) as u32;
    let mut way_m = 0.0;
    let mut last = before;
    for _ in 0..steps {
        let here = lab.run(0.1).pose();
        way_m += here.distance_to(last.x_m, last.y_m);
        last = here;
    }
    way_m
}

#[test]
fn a_hand_pleases_it_within_seconds_and_its_mood_follows() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    lab.run(1.0);
    assert!((state(&lab).emotion.valence_ratio - 0.5).abs() < 0.02, "{:?}", state(&lab).emotion);
    touch(&mut lab, "touch_head_0", 3.0);
    lab.run(2.0);
    let BehaviourState { emotion, mood, .. } = state(&lab);
    assert!(emotion.valence_ratio > 0.55 && emotion.arousal_ratio > 0.55, "{emotion:?}");
    assert!(mood.valence_ratio > 0.5 && mood.valence_ratio < emotion.valence_ratio, "{mood:?}");
    lab.run(30.0);
    let later = state(&lab);
    assert!((later.emotion.valence_ratio - later.mood.valence_ratio).abs() < 0.02, "{later:?}");
    assert!(later.mood.valence_ratio > mood.valence_ratio, "the mood lasts: {later:?}");
    let in_range = |value: f64| (0.0..=1.0).contains(&value);
    touch(&mut lab, "touch_body_1", 60.0);
    lab.run(60.0);
    assert!(in_range(state(&lab).emotion.valence_ratio) && in_range(state(&lab).emotion.arousal_ratio));
}

#[test]
fn being_lifted_displeases_it_and_each_sense_can_be_switched_off() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    lab.run(0.5);
    assert!(lab.poke(Stimulus::Lift { hold: seconds(2.0) }).is_ok());
    lab.run(2.0);
    let lifted = state(&lab).emotion;
    assert!(lifted.valence_ratio < 0.4 && lifted.arousal_ratio > 0.55, "{lifted:?}");
    let mut numb = miro("", 3.0, 3.0, 0.0);
    switch(&mut numb, "affect_accel", false);
    assert!(numb.poke(Stimulus::Lift { hold: seconds(2.0) }).is_ok());
    numb.run(2.0);
    assert!((state(&numb).emotion.valence_ratio - 0.5).abs() < 0.01, "{:?}", state(&numb).emotion);
}

#[test]
fn a_sound_stands_out_where_it_is_and_as_loud_as_it_arrives() {
    let sound =
        "[[sounds]]\nkind = \"voice\"\nposition_m = [4.0, 4.0]\nlevel = 0.5\npattern_s = [1.0, 5.0]\n";
    let mut lab = miro(sound, 3.0, 3.0, 0.0);
    lab.run(0.5);
    let event = state(&lab).sound_event.unwrap();
    // From the middle between the ears, which is about where the robot stands.
    assert!((event.azimuth_rad - 0.785).abs() < 0.1, "{event:?}");
    assert!((event.magnitude_ratio - 0.5 / 1.41).abs() < 0.03, "{event:?}");
    let [.., wide] = &state(&lab).peaks[..] else { panic!() };
    assert!(wide.height_ratio > 0.5 && (wide.azimuth_rad - 0.785).abs() < 0.1, "{wide:?}");
    assert_eq!(wide.completed, Some(event.completed));
    lab.run(4.0);
    let quiet = state(&lab);
    assert!(quiet.peaks[2].height_ratio < 0.1, "it fades: {quiet:?}");
    assert!(quiet.sound_event.unwrap().completed.since(event.completed) < seconds(1.5), "no other came");
    lab.run(2.0);
    assert!(
        state(&lab).sound_event.unwrap().completed.since(event.completed) > seconds(5.0),
        "it came again"
    );
    let mut alone = miro("", 3.0, 3.0, 0.0);
    alone.run(2.0);
    assert_eq!(state(&alone).sound_event, None);
}

#[test]
fn an_eye_attends_to_the_person_whom_it_sees() {
    let person = |at: &str| format!("[[people]]\nname = \"Anna\"\nstart_m = {at}\n");
    let peaks = |more: &str| -> Vec<PriorityPeak> {
        let mut lab = miro(more, 3.0, 3.0, 0.0);
        lab.run(1.0);
        state(&lab).peaks
    };
    let [left, right, _] = &peaks(&person("[3.8, 3.8]"))[..] else { panic!() };
    assert!((left.azimuth_rad - 0.785).abs() < 0.05 && left.height_ratio > 0.1, "{left:?}");
    assert!((0.2..1.4).contains(&left.elevation_rad) && left.size_ratio > 0.025, "{left:?}");
    assert!(left.completed.is_some());
    assert_eq!(right.height_ratio, 0.0, "the right eye does not look there");
    let hidden = format!("{}[[walls]]\npoints_m = [[3.5, 0.0], [3.5, 6.0]]\n", person("[3.8, 3.8]"));
    for more in [hidden, person("[2.0, 3.0]"), String::new()] {
        assert!(peaks(&more).iter().all(|it| it.height_ratio == 0.0), "{more}");
    }
    // One that moves is more salient.
    let walks = format!("{}walk_m = [[3.8, 2.2]]\nspeed_mps = 0.5\n", person("[3.8, 3.8]"));
    let mut lab = miro(&walks, 3.0, 3.0, 0.0);
    lab.run(1.0);
    assert!(state(&lab).peaks[0].height_ratio > 2.0 * left.height_ratio, "{:?}", state(&lab).peaks[0]);
}

#[test]
fn it_falls_asleep_closes_its_eyes_and_stands_until_a_hand_wakes_it() {
    let mut lab = wanderer("");
    let rested = state(&lab).sleep;
    assert!(way_m(&mut lab, 5.0) > 0.3, "it wanders");
    assert!(state(&lab).sleep.pressure_ratio > rested.pressure_ratio, "and gets tired");
    assert_eq!(lab.number(Kind::Joint, "eyelids", "position_ratio"), 0.0);
    switch(&mut lab, "fast_sleep", true);
    let asleep = (0..60).any(|_| {
        lab.run(1.0);
        state(&lab).sleep.wakefulness_ratio < 0.2
    });
    assert!(asleep, "{:?}", state(&lab).sleep);
    assert_eq!(lab.number(Kind::Joint, "eyelids", "position_ratio"), 1.0);
    assert!(way_m(&mut lab, 1.0) < 0.01, "it does not wander asleep");
    touch(&mut lab, "touch_body_0", 2.0);
    lab.run(1.0);
    assert!(state(&lab).sleep.wakefulness_ratio > 0.7, "{:?}", state(&lab).sleep);
    assert!(lab.number(Kind::Joint, "eyelids", "position_ratio") < 0.1);
    switch(&mut lab, "sleep", false);
    assert!(way_m(&mut lab, 5.0) > 0.3, "it goes on");
}

#[test]
fn without_its_actions_it_stands_until_it_is_switched_on_or_off_and_on() {
    let mut lab = wanderer("");
    assert_eq!(chosen(&lab).as_deref(), Some("mull"));
    switch(&mut lab, "action", false);
    lab.run(1.0);
    assert!(way_m(&mut lab, 5.0) < 0.01);
    assert_eq!(chosen(&lab), None);
    assert!(state(&lab).switches.iter().any(|it| &*it.part == "action" && !it.enabled));
    switch(&mut lab, "action", true);
    assert!(way_m(&mut lab, 10.0) > 0.3);
    switch(&mut lab, "action", false);
    switch(&mut lab, "cliff_reflex", false);
    lab.run(1.0);
    assert!(lab.poke(Stimulus::Battery(0.0)).is_ok());
    lab.run(0.5);
    assert!(lab.poke(Stimulus::Battery(0.8)).is_ok());
    lab.run(1.0);
    assert!(
        state(&lab)
            .switches
            .iter()
            .all(|it| it.enabled || it.part.contains("_") || &*it.part == "force_mull")
    );
    assert!(
        state(&lab).switches.iter().any(|it| &*it.part == "cliff_reflex" && it.enabled),
        "lost with the power"
    );
    assert!(way_m(&mut lab, 10.0) > 0.3);
}

#[test]
fn the_cliff_reflex_is_one_switch_under_two_names() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    let enabled = |lab: &Lab| match lab.last(Kind::HazardSettings, "") {
        Signal::HazardSettings(settings) => settings.bumpers[0].enabled,
        other => panic!("{other:?}"),
    };
    lab.run(0.1);
    switch(&mut lab, "cliff_reflex", false);
    lab.run(0.1);
    assert!(!enabled(&lab));
    let on = Switch { part: "cliff_reflex".into(), enabled: true };
    let on = Command::HazardSettings { revert: false, bumpers: vec![on], ranges: vec![] };
    assert!(lab.ask(on).is_ok());
    lab.run(1.0);
    assert!(state(&lab).switches.iter().any(|it| &*it.part == "cliff_reflex" && it.enabled));
    let odd = Command::BehaviourSwitches(vec![Switch { part: "nose".into(), enabled: true }]);
    let Outcome::Refused(said) = lab.ask(odd) else { panic!() };
    assert!(said.reason.contains("nose") && said.reason.contains("cliff_reflex"), "{said}");
}

#[test]
fn pulls_move_its_state_by_their_gains_and_bias_decides_what_it_does() {
    let mut lab = wanderer("");
    let target = latimer_core::model::signal::Affect { valence_ratio: 1.0, arousal_ratio: 0.0 };
    let pull = |gain_ratio| Some(Pull { target: target.clone(), gain_ratio });
    influence(&mut lab, BehaviourDrive { mood: pull(1.0), ..BehaviourDrive::default() });
    lab.run(0.1);
    let first = state(&lab);
    assert!(first.mood.valence_ratio > 0.95 && first.mood.arousal_ratio < 0.1, "{first:?}");
    assert!(first.emotion.valence_ratio < 0.6, "the emotion follows by itself: {first:?}");
    let mut slow = wanderer("");
    influence(&mut slow, BehaviourDrive { emotion: pull(0.01), ..BehaviourDrive::default() });
    slow.run(0.5);
    let emotion = state(&slow).emotion.valence_ratio;
    assert!((0.53..0.75).contains(&emotion), "a small gain pulls slowly: {emotion}");

    let halt = ActionBias { offset: 1.0, ..ActionBias::NONE };
    let actions = vec![ActionBias::NONE, halt];
    influence(&mut lab, BehaviourDrive { actions, ..BehaviourDrive::default() });
    lab.run(0.3);
    assert_eq!(chosen(&lab).as_deref(), Some("halt"));
    assert!(way_m(&mut lab, 0.5) < 0.02, "it stands");
    lab.run(1.0);
    assert_eq!(chosen(&lab).as_deref(), Some("mull"), "nobody renewed it");
    // The core does not choose, the client does.
    switch(&mut lab, "own_selection", false);
    let halt = ActionBias { disinhibition: 1.0, ..ActionBias::NONE };
    influence(
        &mut lab,
        BehaviourDrive { actions: vec![ActionBias::NONE, halt], ..BehaviourDrive::default() },
    );
    lab.run(0.3);
    assert_eq!(chosen(&lab).as_deref(), Some("halt"));
    let many = BehaviourDrive { actions: vec![ActionBias::NONE; 9], ..BehaviourDrive::default() };
    assert!(matches!(lab.ask(Command::BehaviourDrive(Box::new(many))), Outcome::Refused(_)));
    let odd = ActionBias { offset: f64::NAN, ..ActionBias::NONE };
    let odd = BehaviourDrive { actions: vec![odd], ..BehaviourDrive::default() };
    assert!(matches!(lab.ask(Command::BehaviourDrive(Box::new(odd))), Outcome::Refused(_)));
}

fn pushed(way: PushWay) -> BehaviourDrive {
    let push = Push { link: PartName::of("head"), point_m: [0.1, 0.0, 0.0], way, on_the_spot: false };
    BehaviourDrive { pushes: vec![push], ..BehaviourDrive::default() }
}

#[test]
fn a_push_turns_the_neck_and_then_the_body() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    let yaw_deg = |lab: &Lab| lab.number(Kind::Joint, "yaw", "position_rad").to_degrees();
    influence(&mut lab, pushed(PushWay::Velocity([0.0, 0.1, 0.0])));
    lab.run(0.5);
    let turned = yaw_deg(&lab);
    assert!((5.0..40.0).contains(&turned), "{turned}");
    lab.run(1.5);
    let held = yaw_deg(&lab);
    lab.run(1.0);
    assert_eq!(yaw_deg(&lab), held, "it is over after a second");
    for _ in 0..4 {
        influence(&mut lab, pushed(PushWay::Velocity([0.0, 0.1, 0.0])));
        lab.run(0.9);
    }
    assert!(yaw_deg(&lab) > 55.0 && lab.pose().yaw_rad > 0.3, "{} {:?}", yaw_deg(&lab), lab.pose());

    let mut still = miro("", 3.0, 3.0, 0.0);
    switch(&mut still, "push", false);
    influence(&mut still, pushed(PushWay::Velocity([0.0, 0.1, 0.0])));
    still.run(1.0);
    assert_eq!(yaw_deg(&still), 0.0);
}

#[test]
fn an_impulse_is_a_way_once_and_wheels_may_be_left_out() {
    let push = |lab: &mut Lab| {
        let push = Push {
            link: PartName::of("foot"),
            point_m: [0.0; 3],
            way: PushWay::Impulse([0.05, 0.0, 0.0]),
            on_the_spot: false,
        };
        influence(lab, BehaviourDrive { pushes: vec![push], ..BehaviourDrive::default() });
        let before = lab.pose();
        lab.run(2.0);
        lab.pose().x_m - before.x_m
    };
    let mut lab = miro("", 3.0, 3.0, 0.0);
    let way_m = push(&mut lab);
    assert!((0.02..0.07).contains(&way_m), "{way_m}");
    switch(&mut lab, "push_translation", false);
    assert!(push(&mut lab).abs() < 1e-3);
}

#[test]
fn it_gives_voice_on_command() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    influence(&mut lab, BehaviourDrive { vocal_ratio: 0.5, ..BehaviourDrive::default() });
    lab.run(4.0);
    assert!(!lab.all(Kind::Playback, "").is_empty());
    let mut mute = miro("", 3.0, 3.0, 0.0);
    switch(&mut mute, "express_vocal", false);
    influence(&mut mute, BehaviourDrive { vocal_ratio: 0.5, ..BehaviourDrive::default() });
    mute.run(4.0);
    assert!(mute.all(Kind::Playback, "").is_empty());
}

#[test]
fn a_standing_robot_is_left_alone_by_its_core_and_by_what_it_attends_to() {
    let mut lab = miro("[[people]]\nstart_m = [3.8, 3.8]\n", 3.0, 3.0, 0.0);
    assert!(lab.ask(joint("yaw", JointPosition::angle(0.2))).is_ok());
    assert!(way_m(&mut lab, 10.0) < 1e-6);
    assert!((lab.number(Kind::Joint, "yaw", "position_rad") - 0.2).abs() < 1e-9);
    assert_eq!(chosen(&lab), None);
    switch(&mut lab, "action", true);
    let looks = (0..120).any(|_| {
        lab.run(0.1);
        lab.number(Kind::Joint, "yaw", "position_rad") > 0.5
    });
    assert!(looks, "now it looks at her");
}
