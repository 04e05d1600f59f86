use super::*;

#[test]
fn a_robot_that_holds_still_keeps_its_reflex_and_no_behaviour_that_moves() {
    let config = config_from_switches(&still()).unwrap();
    let on: Vec<_> = still().into_iter().filter(|it| it.enabled).map(|it| it.part).collect();
    assert!(on.iter().any(|it| &**it == "cliff_reflex") && on.iter().all(|it| !MOVING.contains(&&**it)));
    assert_eq!((config.P2U_W_action_signals & 1, config.P2U_W_body_signals & 1), (0, 0));
    assert!(MOVING.iter().chain(&OFF_AT_FIRST).all(|part| SWITCHES.iter().any(|it| it.2 == *part)));
}

#[test]
fn zeros_ask_for_nothing() {
    let message = CoreControl { body_push: vec![messages::Push::default()], ..CoreControl::default() };
    assert_eq!(drive_from_wire(&message), (BehaviourDrive::default(), vec![]));
}

#[test]
fn influences_go_both_ways_and_bad_numbers_are_left_out() {
    let mut message = control_from_drive(&BehaviourDrive::default());
    (message.mood_drive_gamma, message.mood_drive_target.valence) = (0.5, 0.75);
    (message.sleep_drive_gamma, message.sleep_drive_target.pressure) = (1.0, 0.25);
    message.priming_additive[3] = 0.5;
    message.priority_scale[4] = 2.0;
    message.drive_vocal = 0.25;
    message.priority_peak.height = 1.0;
    message.body_push.push(messages::Push {
        link: 4,
        flags: body_push::VELOCITY | body_push::ZERO_POSE_DR,
        pushpos: latimer_ros1::msgs::geometry_msgs::Point { x: 100.0, y: 0.0, z: 0.0 },
        pushvec: latimer_ros1::msgs::geometry_msgs::Vector3 { x: 0.0, y: -100.0, z: 0.0 },
    });
    let (drive, wrong) = drive_from_wire(&message);
    assert_eq!((wrong.len(), drive.actions.len(), drive.emotion.clone()), (0, 5, None));
    assert_eq!((drive.actions[3].priming_added, drive.actions[4].scale), (0.5, 2.0));
    assert_eq!(drive.pushes[0].way, PushWay::Velocity([0.0, -0.1, 0.0]));
    assert_eq!(control_from_drive(&drive), message);
    message.priming_additive[0] = f32::NAN;
    message.body_push[0].link = -1;
    let (left, wrong) = drive_from_wire(&message);
    assert_eq!((left.pushes.len(), left.actions[0]), (0, ActionBias::NONE));
    assert!(wrong.iter().any(|it| it.contains("priming_additive")), "{wrong:?}");
    assert!(wrong.iter().any(|it| it.contains("link -1")), "{wrong:?}");
}

#[test]
fn bits_switch_parts_both_ways_and_others_are_named() {
    let mut message = CoreConfig { P2U_W_action_signals: 1 | 1 << 9 | 1 << 3, ..CoreConfig::default() };
    (message.P2L_W_signals, message.P2U_W_body_signals, message.P1_W_signals) = (1 << 14 | 1 << 13, 3, 1);
    let Configured { switches, resets, without_effect } = configured_from_wire(&message);
    let on = |part: &str| switches.iter().find(|it| &*it.part == part).unwrap().enabled;
    assert!(on("action") && on("halt") && on("cliff_reflex") && on("body") && on("push") && resets);
    assert!(!on("flee") && !on("affect") && !on("sleep"));
    assert_eq!(
        without_effect,
        ["bits 3 of P2U_W_action_signals", "bits 13 of P2L_W_signals", "P1_W_signals"]
    );
    let config = config_from_switches(&switches).unwrap();
    assert_eq!((config.P2U_W_action_signals, config.P2L_W_signals), (1 | 1 << 9, 1 << 14));
    assert_eq!(configured_from_wire(&config).switches, switches);
    let missing = config_from_switches(&switches[1..]).unwrap_err();
    assert_eq!(missing, SwitchError::Missing("selection".to_owned()));
    let nose = Switch { part: "nose".into(), enabled: true };
    assert_eq!(config_from_switches(&[nose]).unwrap_err(), SwitchError::Unknown("nose".to_owned()));
}
