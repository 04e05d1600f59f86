use std::f64::consts::{PI, TAU};
use std::time::Duration;

use super::*;
use crate::model::call::tests as call;
use crate::model::signal::Switch;
use crate::model::{ConnectionId, Destination, NavigationGoal, TrackSpeeds};

fn at(seconds: f64) -> Timestamp {
    Timestamp::default().after(Duration::from_secs_f64(seconds))
}

fn program(name: &str) -> Author {
    Author::new("one", name)
}

fn page() -> Author {
    Author::new("page", "127.0.0.1")
}

fn drive(linear_mps: f64, seconds: Option<f64>) -> Command {
    Command::Drive { linear_mps, angular_radps: 0.0, duration: seconds.map(Duration::from_secs_f64) }
}

const STOP: Command = Command::Stop { hold: false };

fn authority(policy: Policy) -> Authority {
    Authority::new(policy, false, Some(0.25))
}

/// `sent`, with what was changed, `done`, or the refusal's code.
fn admit(authority: &mut Authority, author: &Author, command: Command, seconds: f64) -> String {
    admit_at(authority, author, command, None, seconds)
}

/// The same for a robot that is somewhere.
fn admit_at(
    authority: &mut Authority,
    author: &Author,
    command: Command,
    place: Option<PlanarPose>,
    seconds: f64,
) -> String {
    match authority.admit(author, command, place, at(seconds)) {
        Ok(Admission::Send(command, None)) => format!("sent {}", command.name()),
        Ok(Admission::Send(..)) => "limited".to_owned(),
        Ok(Admission::Done) => "done".to_owned(),
        Err(Outcome::Refused(refusal)) => refusal.code.to_string(),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn who_drives_by_hand_keeps_the_robot_for_a_moment() {
    let mut it = authority(Policy::default());
    assert_eq!(admit(&mut it, &program("a"), drive(0.2, Some(5.0)), 0.0), "sent drive");
    assert_eq!(admit(&mut it, &page(), drive(0.1, Some(0.5)), 1.0), "sent drive");
    assert_eq!(admit(&mut it, &program("a"), drive(0.2, None), 1.4), "owned");
    assert_eq!(admit(&mut it, &program("a"), STOP, 1.5), "sent stop", "everybody may stop");
    assert_eq!(admit(&mut it, &program("a"), drive(0.2, None), 2.4), "owned");
    assert_eq!(admit(&mut it, &program("a"), drive(0.2, None), 2.6), "sent drive");
    assert_eq!(it.last_lease().map(|lease| &lease.author), Some(&program("a")));
}

#[test]
fn the_newest_of_equals_drives_unless_the_first_shall() {
    let mut newest = authority(Policy::default());
    let mut first = authority(Policy { equals: Equals::First, ..Policy::default() });
    for (authority, second) in [(&mut newest, "sent drive"), (&mut first, "owned")] {
        assert_eq!(admit(authority, &program("a"), drive(0.2, None), 0.0), "sent drive");
        assert_eq!(admit(authority, &program("b"), drive(0.2, None), 9.0), second);
    }
    assert_eq!(admit(&mut first, &program("a"), STOP, 9.0), "sent stop");
    assert_eq!(admit(&mut first, &program("b"), drive(0.2, None), 10.1), "sent drive");
}

#[test]
fn an_emergency_stop_holds_until_who_pressed_it_or_a_role_releases_it() {
    let mut it = authority(Policy::default());
    assert_eq!(admit(&mut it, &program("a"), Command::EmergencyStop(true), 0.0), "sent halt");
    for command in [drive(0.1, None), Command::Navigate(NavigationGoal::to(Destination::Target))] {
        assert_eq!(admit(&mut it, &page(), command, 1.0), "unsafe");
    }
    let switches = |enabled| Command::BehaviourSwitches(vec![Switch { part: "action".into(), enabled }]);
    for command in [switches(true), call::begin()] {
        assert_eq!(admit(&mut it, &page(), command, 1.0), "unsafe", "it may begin to move of its own");
    }
    assert_eq!(admit(&mut it, &page(), switches(false), 1.0), "sent behaviour_switches");
    assert_eq!(admit(&mut it, &page(), Command::Volume(0.5), 1.0), "sent volume");
    assert_eq!(admit(&mut it, &program("b"), Command::EmergencyStop(false), 2.0), "owned");
    assert_eq!(admit(&mut it, &page(), Command::EmergencyStop(false), 2.0), "done");
    assert_eq!(admit(&mut it, &program("b"), drive(0.1, None), 3.0), "sent drive");
    let mut own = Authority::new(Policy::default(), true, None);
    assert_eq!(admit(&mut own, &program("a"), Command::EmergencyStop(true), 0.0), "sent emergency_stop");
    assert_eq!(admit(&mut own, &program("a"), Command::EmergencyStop(false), 1.0), "sent emergency_stop");
}

fn there(at: Timestamp) -> Seen {
    Seen { at: Some(at), ..Seen::default() }
}

#[test]
fn a_drive_ends_when_a_program_of_its_name_breaks_off_or_has_its_role_taken() {
    let mut it = authority(Policy::default());
    let with_another = |broke| Seen { broke: Some(at(broke)), ..there(at(9.0)) };
    admit(&mut it, &program("a"), drive(0.1, None), 5.0);
    assert_eq!(it.take_orphan(|_| with_another(4.0), at(9.0)), None, "it has driven since");
    assert_eq!(it.take_orphan(|_| with_another(6.0), at(9.0)), Some(program("a")));
    let by_itself = program("a").connected_by(ConnectionId(7));
    admit(&mut it, &by_itself, drive(0.1, None), 10.0);
    assert_eq!(it.take_orphan(|_| Seen::default(), at(10.0)), Some(program("a")), "its own is gone");
    let revoked = Seen { is_revoked: true, ..there(at(30.0)) };
    for command in [drive(0.1, None), Command::Navigate(NavigationGoal::to(Destination::Target))] {
        admit(&mut it, &program("a"), command, 20.0);
        assert_eq!(it.take_orphan(|_| revoked, at(30.0)), Some(program("a")));
        assert_eq!(it.take_orphan(|_| revoked, at(30.1)), None, "it is stopped by then");
    }
}

#[test]
fn a_drive_may_have_to_be_renewed_though_its_author_is_there() {
    let mut it = authority(Policy { renew_drives: true, ..Policy::default() });
    admit(&mut it, &program("a"), drive(0.1, None), 0.0);
    admit(&mut it, &program("a"), drive(0.1, None), 8.0);
    assert_eq!(it.take_orphan(|_| there(at(17.9)), at(17.9)), None);
    assert_eq!(it.take_orphan(|_| there(at(18.0)), at(18.0)), Some(program("a")));
}

#[test]
fn who_says_that_it_is_the_page_is_believed_once_it_has_logged_in() {
    let says = |word| Author::new(word, "127.0.0.1");
    let policy = Policy {
        priorities: [("page".to_owned(), 10), ("api".to_owned(), 1), ("cli".to_owned(), 0)].into(),
        releasers: ["page".to_owned()].into(),
        observers: ["api".to_owned()].into(),
        ..Policy::default()
    };
    let priorities = ["page", "cli", "api"].map(|word| policy.priority(&says(word)));
    assert_eq!(priorities, [1, 0, 1], "it may only lower its own");
    let priorities = ["page", "cli", "api"].map(|word| policy.priority(&says(word).logged_in()));
    assert_eq!(priorities, [10, 0, 1]);
    assert!(!policy.may_release(&says("page"), &program("a")));
    assert!(policy.may_release(&says("page").logged_in(), &program("a")));
    assert!(policy.observes(&says("page")) && !policy.observes(&says("page").logged_in()));
    assert!(Policy::default().priority(&says("page")) > Policy::default().priority(&program("a")));
}

#[test]
fn a_drive_without_an_end_ends_with_its_author() {
    let mut it = authority(Policy { drive_timeout: Duration::from_secs(2), ..Policy::default() });
    admit(&mut it, &program("a"), drive(0.1, None), 0.0);
    assert_eq!(it.take_orphan(|_| there(at(60.0)), at(60.0)), None);
    assert_eq!(it.take_orphan(|_| Seen::default(), at(60.1)), Some(program("a")), "its connection is gone");
    assert_eq!(it.take_orphan(|_| Seen::default(), at(63.0)), None, "it was stopped");
    admit(&mut it, &program("b"), drive(0.1, None), 63.0);
    assert_eq!(it.take_orphan(|_| Seen::default(), at(64.9)), None, "it never had one");
    assert_eq!(it.take_orphan(|_| Seen::default(), at(65.0)), Some(program("b")));
    admit(&mut it, &program("a"), drive(0.1, Some(100.0)), 64.0);
    assert_eq!(it.take_orphan(|_| Seen::default(), at(90.0)), None, "that ends by itself");
    admit(&mut it, &program("c"), drive(0.1, None), 200.0);
    assert_eq!(it.take_orphan(|_| there(at(190.0)), at(229.0)), None, "the drive is a sign, too");
    assert_eq!(it.take_orphan(|_| there(at(202.0)), at(231.0)), None);
    assert_eq!(
        it.take_orphan(|_| there(at(202.0)), at(232.0)),
        Some(program("c")),
        "its connection is silent"
    );
    let mut on = authority(Policy { drive_until_stopped: true, ..Policy::default() });
    admit(&mut on, &program("a"), drive(0.1, None), 0.0);
    assert_eq!(on.take_orphan(|_| Seen::default(), at(900.0)), None);
}

#[test]
fn observers_and_other_commands_are_refused() {
    let policy = Policy {
        observers: ["other".to_owned()].into(),
        commands: ["drive", "volume"].map(str::to_owned).into(),
        ..Policy::default()
    };
    let mut it = authority(policy);
    let api = Policy { observers: ["api".to_owned()].into(), ..Policy::default() };
    let mut observed = authority(api);
    for dialect in ["api", "page", "cli"] {
        let client = Author::new(dialect, "127.0.0.1");
        assert_eq!(admit(&mut observed, &client, drive(0.1, None), 0.0), "owned");
        assert_eq!(admit(&mut observed, &client, Command::CancelNavigation, 0.0), "sent cancel_navigation");
        assert_eq!(admit(&mut observed, &client, Command::EmergencyStop(true), 0.0), "sent halt");
        assert_eq!(admit(&mut observed, &client, Command::EmergencyStop(false), 0.0), "owned");
    }
    let swarm = Author::new("other", "");
    assert_eq!(admit(&mut it, &swarm, drive(0.1, None), 0.0), "owned");
    assert_eq!(admit(&mut it, &swarm, STOP, 0.0), "sent stop");
    assert_eq!(admit(&mut it, &page(), call::begin(), 0.0), "unsafe");
    assert_eq!(admit(&mut it, &page(), drive(0.1, None), 0.0), "sent drive");
}

#[test]
fn speeds_beyond_the_envelope_are_limited_or_refused() {
    let envelope = Envelope { linear_mps: Some(0.5), angular_radps: Some(1.0), ..Envelope::default() };
    let fast = Command::Drive { linear_mps: 1.0, angular_radps: 1.0, duration: None };
    let (bounded, note) = envelope.bound(fast.clone()).unwrap();
    assert_eq!(bounded, Command::Drive { linear_mps: 0.5, angular_radps: 0.5, duration: None });
    assert_eq!(
        note.unwrap(),
        "it drives slower, within what the gateway's config allows this robot here, 0.5 m/s and 1 rad/s"
    );
    assert_eq!(envelope.bound(bounded.clone()).unwrap(), (bounded, None));
    let refuses = Envelope { beyond: Beyond::Refuse, ..envelope };
    assert!(refuses.bound(fast).is_err());
    let tracks = TrackSpeeds { left_mps: -1.0, right_mps: 0.5 };
    let wide = Envelope { gap_m: Some(2.0), ..envelope };
    let (bounded, _) = wide.bound(Command::DriveTracks(tracks)).unwrap();
    assert_eq!(bounded, Command::DriveTracks(TrackSpeeds { left_mps: -0.5, right_mps: 0.25 }));
}

#[test]
fn tracks_headings_and_arcs_keep_the_envelope() {
    let envelope = Envelope { linear_mps: Some(0.5), angular_radps: Some(0.2), ..Envelope::default() };
    let tracks = |left_mps, right_mps| Command::DriveTracks(TrackSpeeds { left_mps, right_mps });
    let apart = Envelope { gap_m: Some(0.25), ..envelope };
    // 0.4 m/s over 0.25 m are 1.6 rad/s.
    assert_eq!(apart.bound(tracks(-0.2, 0.2)).unwrap().0, tracks(-0.025, 0.025));
    assert_eq!(apart.bound(tracks(0.4, 0.4)).unwrap().0, tracks(0.4, 0.4));
    let (Command::DriveTracks(bounded), _) = envelope.bound(tracks(-0.2, 0.2)).unwrap() else {
        panic!("it is another command")
    };
    assert!((bounded.right_mps - 0.01).abs() < 1e-9, "tracks that may be anywhere are near each other");

    let arc = call::arc;
    let (bounded, note) = envelope.bound(arc(1.0, 2.0)).unwrap();
    assert_eq!(bounded, arc(1.0, TAU / 0.2), "a whole circle at most");
    assert!(note.is_some());
    assert_eq!(envelope.bound(arc(1.0, 60.0)).unwrap(), (arc(1.0, 60.0), None));
    assert_eq!(Envelope::default().bound(arc(1.0, 2.0)).unwrap().0, arc(1.0, 2.0));

    let heading = |distance_m, duration_s| call::heading(PI, distance_m, duration_s);
    let Err(Outcome::Refused(refusal)) = envelope.bound(heading(1.0, 60.0)) else { panic!("it is let go") };
    assert!(refusal.to_string().contains("pace of its own"), "{refusal}");
    let straight = Envelope { angular_radps: None, ..envelope };
    assert_eq!(straight.bound(heading(1.0, 1.0)).unwrap().0, heading(1.0, 8.0), "6 s to turn, 2 s to drive");
    assert_eq!(straight.bound(heading(1.0, 9.0)).unwrap().0, heading(1.0, 9.0));
    assert_eq!(Envelope::default().bound(heading(1.0, 1.0)).unwrap().0, heading(1.0, 1.0));

    assert_eq!(envelope.bound(call::nudge(0.05)).unwrap(), (call::nudge(0.05), None));
    let (bounded, note) = envelope.bound(call::nudge(3.0)).unwrap();
    assert_eq!(
        bounded,
        drive(0.5, None),
        "a speed that a family has a command of its own for is bounded too"
    );
    assert!(note.is_some());
}

/// What the robot is sent, as often as the guard looks, until nothing more comes.
fn speeds_sent(authority: &mut Authority, command: Command, from: f64) -> Vec<f64> {
    let Ok(Admission::Send(first, _)) = authority.admit(&program("a"), command, None, at(from)) else {
        panic!("it is refused")
    };
    let adjusted = (1..).map_while(|i| {
        match authority.duty(None, true, |_| there(NEVER), at(from + 0.1 * f64::from(i))) {
            Some(Duty::Adjust(command)) => Some(command),
            None => None,
            other => panic!("{other:?}"),
        }
    });
    let linear = |command: Bounded| match command.into_command() {
        Command::Drive { linear_mps, .. } => (linear_mps * 1e3).round() / 1e3,
        other => panic!("{other:?}"),
    };
    std::iter::once(first).chain(adjusted).map(linear).collect()
}

#[test]
fn a_speed_grows_step_by_step_and_shrinks_at_once() {
    let envelope = Envelope { linear_mps2: Some(1.0), ..Envelope::default() };
    let mut it = authority(Policy { envelope, ..Policy::default() });
    assert_eq!(speeds_sent(&mut it, drive(0.35, None), 0.0), [0.1, 0.2, 0.3, 0.35]);
    assert_eq!(speeds_sent(&mut it, drive(0.2, None), 5.0), [0.2]);
    assert_eq!(speeds_sent(&mut it, drive(0.4, Some(30.0)), 6.0), [0.3, 0.4]);
    assert_eq!(speeds_sent(&mut it, drive(-0.2, None), 7.0), [-0.1, -0.2]);
    admit(&mut it, &program("a"), STOP, 8.0);
    assert!(it.duty(None, true, |_| there(NEVER), at(8.1)).is_none());
    assert_eq!(speeds_sent(&mut it, drive(0.3, Some(0.25)), 9.0), [0.1, 0.2, 0.3]);
    assert_eq!(speeds_sent(&mut it, drive(0.2, None), 10.0), [0.1, 0.2], "the drive before is over");
}

#[test]
fn both_values_of_a_speed_grow_together() {
    let envelope = Envelope { linear_mps2: Some(1.0), angular_radps2: Some(1.0), ..Envelope::default() };
    let asked = Speed::Base { linear_mps: 0.2, angular_radps: 1.0 };
    let step = envelope.approach(None, asked, Duration::from_millis(100));
    assert_eq!(step, Speed::Base { linear_mps: 0.2 * 0.1, angular_radps: 0.1 });
    assert_eq!(envelope.approach(Some(asked), asked, Duration::ZERO), asked);
}

/// A square of 4 m whose border is 1 m wide.
fn square() -> Area {
    Area::new(vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]], 1.0, 0.1).unwrap()
}

#[test]
fn an_area_is_a_polygon() {
    let shape = |corners: &[[f64; 2]]| Area::new(corners.to_vec(), 0.0, 0.1).map(drop);
    assert!(shape(&[[0.0, 0.0], [1.0, 0.0]]).is_err());
    assert!(shape(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]).is_err());
    assert!(shape(&[[0.0, 0.0], [f64::NAN, 0.0], [0.0, 1.0]]).is_err());
    // An L, with two edges on one line.
    let l = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0], [1.0, 1.0], [0.0, 1.0]];
    assert_eq!(shape(&l), Ok(()));
    let l = Area::new(l.to_vec(), 0.0, 0.1).unwrap();
    let depths = [[1.5, 1.5], [0.5, 1.5], [0.5, 0.5], [4.0, 0.5]].map(|point| l.depth_m(point));
    assert_eq!(depths, [0.5, -0.5, 0.5, -1.0]);
}

#[test]
fn a_robot_is_slow_in_the_border_of_its_area_and_only_comes_back_from_outside() {
    let mut it = authority(Policy { area: Some(square()), ..Policy::default() });
    let a = program("a");
    let goal =
        |x_m, y_m| Command::Navigate(NavigationGoal::to(Destination::Point { x_m, y_m, yaw_rad: None }));
    let mut given = |command, place| admit_at(&mut it, &a, command, place, 0.0);
    assert_eq!(given(drive(0.3, None), None), "unsafe", "nobody knows where it is");
    assert_eq!(given(drive(0.3, None), Some([2.0, 2.0, 0.0])), "sent drive");
    assert_eq!(given(drive(0.3, None), Some([3.5, 2.0, 0.0])), "limited");
    assert_eq!(given(goal(5.0, 2.0), Some([2.0, 2.0, 0.0])), "unsafe");
    let outside = Some([4.2, 2.0, 0.0]);
    assert_eq!(given(drive(0.3, None), outside), "unsafe");
    assert_eq!(given(drive(-0.1, None), outside), "sent drive", "it looks away from the area");
    assert_eq!(given(drive(-0.3, None), outside), "limited");
    assert_eq!(given(goal(2.0, 2.0), outside), "sent navigate");
    assert_eq!(given(Command::Navigate(NavigationGoal::to(Destination::Target)), outside), "unsafe");
    assert_eq!(given(Command::Volume(0.5), outside), "sent volume");
}

#[test]
fn a_robot_with_an_area_takes_no_goal_without_a_point_and_no_other_place() {
    let within = Some([2.0, 2.0, 0.0]);
    let (a, set_pose) = (program("a"), Command::SetPose { x_m: 2.0, y_m: 2.0, yaw_rad: 0.0 });
    let mut it = authority(Policy { area: Some(square()), ..Policy::default() });
    for destination in [
        Destination::Charger { pose: None, retries: 0 },
        Destination::Place("Kitchen".into()),
        Destination::Target,
    ] {
        let goal = Command::Navigate(NavigationGoal::to(destination));
        assert_eq!(admit_at(&mut it, &a, goal, within, 0.0), "unsafe");
    }
    let charger = Destination::Charger { pose: Some([3.0, 3.0, 0.0]), retries: 0 };
    let goal = Command::Navigate(NavigationGoal::to(charger));
    assert_eq!(admit_at(&mut it, &a, goal, within, 0.0), "sent navigate");
    assert_eq!(admit_at(&mut it, &a, set_pose.clone(), within, 0.0), "unsafe");
    let commands = ["set_pose".to_owned()].into();
    let mut it = authority(Policy { area: Some(square()), commands, ..Policy::default() });
    assert_eq!(admit_at(&mut it, &a, set_pose, within, 0.0), "sent set_pose");
}

#[test]
fn a_robot_that_leaves_its_area_is_stopped_once_for_each_time_that_it_is_set_in_motion() {
    let mut it = authority(Policy { area: Some(square()), ..Policy::default() });
    let duty = |it: &mut Authority, x_m, seconds| match it.duty(
        Some([x_m, 2.0, 0.0]),
        true,
        |_| there(NEVER),
        at(seconds),
    ) {
        Some(Duty::Adjust(command)) => match command.into_command() {
            Command::Drive { linear_mps, .. } => format!("drive {linear_mps}"),
            other => panic!("{other:?}"),
        },
        Some(Duty::StopOutside) => "stop".to_owned(),
        None => String::new(),
        other => panic!("{other:?}"),
    };
    let a = program("a");
    admit_at(&mut it, &a, drive(0.5, None), Some([2.0, 2.0, 0.0]), 0.0);
    assert_eq!(duty(&mut it, 2.5, 1.0), "");
    assert_eq!(duty(&mut it, 3.1, 2.0), "drive 0.1", "it has come into the border");
    assert_eq!(duty(&mut it, 4.01, 3.0), "stop");
    assert!(it.is_outside());
    assert_eq!(duty(&mut it, 4.02, 3.1), "", "once, and the stop is repeated by itself");
    // Back, but it goes on outwards.
    admit_at(&mut it, &a, drive(-0.1, None), Some([4.02, 2.0, 0.0]), 4.0);
    assert_eq!(duty(&mut it, 4.05, 4.1), "", "it may still be braking");
    assert_eq!(duty(&mut it, 4.08, 4.2), "stop");
    admit_at(&mut it, &a, drive(-0.1, None), Some([4.1, 2.0, 0.0]), 5.0);
    assert_eq!([duty(&mut it, 4.05, 5.1), duty(&mut it, 4.01, 5.2), duty(&mut it, 3.99, 5.3)], [""; 3]);
    assert!(!it.is_outside());
    assert_eq!(duty(&mut it, 4.01, 6.0), "stop", "it is out again");
}
