use super::*;
use crate::model::{Destination, NavigationGoal, TrackSpeeds};

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
    Authority::new(policy, false)
}

/// `sent`, with what was changed, `done`, or the refusal's code.
fn admit(authority: &mut Authority, author: &Author, command: Command, seconds: f64) -> String {
    match authority.admit(author, command, at(seconds)) {
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
    assert_eq!(admit(&mut it, &page(), Command::Volume(0.5), 1.0), "sent volume");
    assert_eq!(admit(&mut it, &program("b"), Command::EmergencyStop(false), 2.0), "owned");
    assert_eq!(admit(&mut it, &page(), Command::EmergencyStop(false), 2.0), "done");
    assert_eq!(admit(&mut it, &program("b"), drive(0.1, None), 3.0), "sent drive");
    let mut own = Authority::new(Policy::default(), true);
    assert_eq!(admit(&mut own, &program("a"), Command::EmergencyStop(true), 0.0), "sent emergency_stop");
    assert_eq!(admit(&mut own, &program("a"), Command::EmergencyStop(false), 1.0), "sent emergency_stop");
}

#[test]
fn a_drive_without_an_end_ends_with_its_author() {
    let mut it = authority(Policy { drive_timeout: Duration::from_secs(2), ..Policy::default() });
    admit(&mut it, &program("a"), drive(0.1, None), 0.0);
    assert_eq!(it.take_orphan(|_| true, at(60.0)), None);
    assert_eq!(it.take_orphan(|_| false, at(60.1)), Some(program("a")), "its connection is gone");
    assert_eq!(it.take_orphan(|_| false, at(63.0)), None, "it was stopped");
    admit(&mut it, &program("b"), drive(0.1, None), 63.0);
    assert_eq!(it.take_orphan(|_| false, at(64.9)), None, "it never had one");
    assert_eq!(it.take_orphan(|_| false, at(65.0)), Some(program("b")));
    admit(&mut it, &program("a"), drive(0.1, Some(100.0)), 64.0);
    assert_eq!(it.take_orphan(|_| false, at(90.0)), None, "that ends by itself");
    let mut on = authority(Policy { drive_until_stopped: true, ..Policy::default() });
    admit(&mut on, &program("a"), drive(0.1, None), 0.0);
    assert_eq!(on.take_orphan(|_| false, at(900.0)), None);
}

#[test]
fn observers_and_other_commands_are_refused() {
    let policy = Policy {
        observers: ["other".to_owned()].into(),
        commands: ["drive", "volume"].map(str::to_owned).into(),
        ..Policy::default()
    };
    let mut it = authority(policy);
    let swarm = Author::new("other", "");
    assert_eq!(admit(&mut it, &swarm, drive(0.1, None), 0.0), "owned");
    assert_eq!(admit(&mut it, &swarm, STOP, 0.0), "sent stop");
    assert_eq!(admit(&mut it, &page(), Command::StopSound, 0.0), "unsafe");
    assert_eq!(admit(&mut it, &page(), drive(0.1, None), 0.0), "sent drive");
}

#[test]
fn speeds_beyond_the_envelope_are_limited_or_refused() {
    let envelope = Envelope { linear_mps: Some(0.5), angular_radps: Some(1.0), beyond: Beyond::Limit };
    let fast = Command::Drive { linear_mps: 1.0, angular_radps: 1.0, duration: None };
    let (bounded, note) = envelope.bound(fast.clone()).unwrap();
    assert_eq!(bounded, Command::Drive { linear_mps: 0.5, angular_radps: 0.5, duration: None });
    assert_eq!(
        note.unwrap(),
        "it drives slower, within what the gateway's config allows this robot, 0.5 m/s and 1 rad/s"
    );
    assert_eq!(envelope.bound(bounded.clone()).unwrap(), (bounded, None));
    let refuses = Envelope { beyond: Beyond::Refuse, ..envelope };
    assert!(refuses.bound(fast).is_err());
    let tracks = TrackSpeeds { left_mps: -1.0, right_mps: 0.5 };
    let (bounded, _) = envelope.bound(Command::DriveTracks(tracks)).unwrap();
    assert_eq!(bounded, Command::DriveTracks(TrackSpeeds { left_mps: -0.5, right_mps: 0.25 }));
}
