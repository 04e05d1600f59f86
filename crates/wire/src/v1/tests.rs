//! The wire format as documents: a change here is a change for every client.

use std::time::Duration;

use latimer_core::hub::{
    EndReason, Gap as HubGap, GapReason, MailboxLimits, ModelView, Origin, RobotInfo, Shared, Subscription,
};
use latimer_core::model::signal::{Battery, Imu, Orientation, PowerState, Range};
use latimer_core::model::{Native, Stamp as ModelStamp};
use latimer_core::{
    Clock, Command as ModelCommand, Hub, PartName, RobotId, Timestamp, Update as ModelUpdate,
};

use super::*;

fn robot() -> RobotId {
    RobotId::new("misty-1").unwrap()
}

fn at(ms: i64) -> Timestamp {
    Timestamp::from_nanos(1_795_255_445_000_000_000 + ms * 1_000_000)
}

fn range() -> Shared {
    let update = ModelUpdate {
        robot: robot(),
        part: Some(PartName::of("front_left")),
        stamp: ModelStamp::robot(at(0)),
        received: at(3),
        signal: Range::valid(0.25).into(),
        native: Some(Native {
            dialect: "misty",
            topic: "TimeOfFlight".into(),
            payload: r#"{"distanceInMeters": 0.250, "status": 0}"#.into(),
            definition: None,
        }),
        provenance: None,
    };
    Shared::new(update, 7)
}

fn json(frame: &Frame) -> serde_json::Value {
    let text = frame.to_json();
    let again = Frame::parse(&text).unwrap();
    assert_eq!(again.to_json(), text, "a frame survives the way there and back");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn an_update() {
    insta::assert_json_snapshot!("update", json(&Frame::Update(Box::new(Update::whole(&range())))));
    let native = Update::whole(&range()).with_native(&range());
    insta::assert_json_snapshot!("update_native", json(&Frame::Update(Box::new(native.clone()))));
    assert!(
        Frame::Update(Box::new(native))
            .to_json()
            .contains(r#""payload":{"distanceInMeters": 0.250, "status": 0}"#),
        "the robot's own bytes stay as they are"
    );
}

#[test]
fn an_update_picked_and_translated() {
    let pick = ["range.distance_m".parse().unwrap(), "nothing".parse().unwrap()];
    let picked = Update::picked(&range(), &ModelView, &pick, BytesForm::Count);
    insta::assert_json_snapshot!("update_picked", json(&Frame::Update(Box::new(picked))));
    let translated = Update::translated(&range(), NativeMessage::new("pera", "sensor/distance", b"25"));
    insta::assert_json_snapshot!("update_translated", json(&Frame::Update(Box::new(translated))));
}

#[test]
fn nested_fields() {
    let imu = Imu {
        orientation: Some(Orientation { roll_rad: 0.0, pitch_rad: 0.1, yaw_rad: -1.5 }),
        angular_velocity: None,
        linear_acceleration: None,
    };
    let battery = Battery { charge_ratio: Some(0.5), state: PowerState::Discharging, ..Battery::UNKNOWN };
    let data = |signal| {
        let update = Shared::new(ModelUpdate::now(&robot(), at(0), signal), 1);
        Update::whole(&update).data
    };
    insta::assert_json_snapshot!("data_imu", data(imu.into()));
    insta::assert_json_snapshot!("data_battery", data(battery.into()));
}

#[test]
fn a_gap_and_an_end() {
    let hub = Hub::new(Clock::starting_at(at(0)));
    let sink = hub.sink("api", "test", MailboxLimits::default());
    let gap = HubGap {
        subscription: sink.subscribe(Subscription::to("**".parse().unwrap())),
        robot: robot(),
        kind: Some(latimer_core::model::Kind::Contact),
        lost: Some(12),
        reason: GapReason::QueueFull,
        from: at(0),
        to: at(250),
    };
    insta::assert_json_snapshot!("gap", json(&Frame::Gap((&gap).into())));
    let end = EndReason::TooSlow { silent: Duration::from_secs(11), lost: 40 };
    insta::assert_json_snapshot!("end", json(&Frame::End((&end).into())));
}

#[test]
fn a_robot_and_a_sink() {
    let hub = Hub::new(Clock::starting_at(at(0)));
    let origin = Origin::Connected("ws://10.0.0.7/pubsub".into());
    let source = hub.register(RobotInfo::new(robot(), "misty", origin)).unwrap();
    source.publish(ModelUpdate { stamp: ModelStamp::robot(at(0)), ..ModelUpdate::clone(&range()) });
    let endpoint = latimer_dialects::Endpoint {
        robot: Some(robot()),
        dialect: "misty",
        url: "ws://127.0.0.1:8081/pubsub".into(),
        try_line: "wscat -c ws://127.0.0.1:8081/pubsub".into(),
    };
    let mut robot = Robot::new(&hub.robot(&robot()).unwrap(), vec![(&endpoint).into()]);
    robot.link.since = "(now)".into();
    insta::assert_json_snapshot!("robot", robot);

    let sink = hub.sink("api", "127.0.0.1:40312", MailboxLimits::default());
    sink.subscribe(Subscription::to("**".parse().unwrap()));
    let mut report = Sink::from(&hub.sinks()[0]);
    report.since = "(now)".into();
    insta::assert_json_snapshot!("sink", report);
}

#[test]
fn every_command_is_read() {
    let commands = [
        r#"{"command":"drive","linear_mps":0.2,"angular_radps":-0.5,"duration_s":2}"#,
        r#"{"command":"drive_limits","forward_mps":0.5,"slow_down_mps2":1}"#,
        r#"{"command":"drive_tracks","left_mps":0.2,"right_mps":0.1}"#,
        r#"{"command":"drive_heading","heading_rad":1,"distance_m":0.5,"duration_s":3,"reverse":true}"#,
        r#"{"command":"drive_arc","heading_rad":1,"radius_m":0.5,"duration_s":3}"#,
        r#"{"command":"stop"}"#,
        r#"{"command":"halt","motor_mask":6}"#,
        r#"{"command":"joints","targets":[{"part":"head_yaw","position_rad":0.3,"duration_s":1}]}"#,
        r#"{"command":"lamp","rgb":[255,0,0]}"#,
        r#"{"command":"play","name":"s_Awe.wav","volume_ratio":0.5}"#,
        r#"{"command":"volume","volume_ratio":0.5}"#,
        r#"{"command":"record","name":"a.wav"}"#,
        r#"{"command":"listen","on":false}"#,
        r#"{"command":"detect_faces"}"#,
        r#"{"command":"recognize_faces"}"#,
        r#"{"command":"train_face","label":"Anna"}"#,
        r#"{"command":"cancel_face_training"}"#,
        r#"{"command":"forget_face","label":"Anna"}"#,
        r#"{"command":"serial","text":"hello"}"#,
        r#"{"command":"skill_message","text":"hi","data":{"a":[1]}}"#,
        r#"{"command":"hazard_settings","bumpers":[{"part":"b","enabled":false}],"ranges":[{"part":"r","threshold_m":0.1}]}"#,
        r#"{"command":"localization","action":"start_mapping"}"#,
        r#"{"command":"localization","action":"relocate"}"#,
        r#"{"command":"joints","targets":[{"part":"tail","position_ratio":-0.5}]}"#,
        r#"{"command":"set_pose","x_m":1,"y_m":2,"yaw_rad":0.5}"#,
        r#"{"command":"navigate","to":{"x_m":1,"y_m":2,"yaw_rad":0.5},"id":7,"accuracy_m":0.1}"#,
        r#"{"command":"navigate","to":{"place":"Sofa"}}"#,
        r#"{"command":"navigate","to":{"charger":{}}}"#,
        r#"{"command":"navigate","to":{"charger":{"pose":{"x_m":1,"y_m":2},"retries":1}}}"#,
        r#"{"command":"navigate","to":{"route":[[1,2],[3,4]],"detour_m":0.5}}"#,
        r#"{"command":"navigate","to":{"rack":{"x_m":1,"y_m":2}}}"#,
        r#"{"command":"navigate","to":{"unload":{"x_m":1,"y_m":2,"yaw_rad":3}}}"#,
        r#"{"command":"navigate","to":{"target":{}}}"#,
        r#"{"command":"cancel_navigation"}"#,
        r#"{"command":"behaviour_drive","mood":{"valence_ratio":1,"arousal_ratio":0.5},"actions":[{"offset":0.5}],"pushes":[{"link":"head","point_m":[0.1,0,0],"velocity_mps":[0,0.1,0]}]}"#,
        r#"{"command":"behaviour_drive","sleep":{"wakefulness_ratio":0,"pressure_ratio":1},"attention":{"azimuth_rad":0.5},"vocal_ratio":0.5}"#,
        r#"{"command":"behaviour_switches","switches":[{"part":"action","enabled":false}]}"#,
        r#"{"command":"follow","state":"pose","x_m":1,"y_m":2}"#,
        r#"{"command":"follow","state":"pause"}"#,
        r#"{"command":"follow","state":"fail"}"#,
        r#"{"command":"carry","action":"jack_up"}"#,
        r#"{"command":"carry","action":"roller_unload"}"#,
        r#"{"command":"maintain","action":"calibrate_imu"}"#,
        r#"{"command":"maintain","action":"lidar_off"}"#,
        r#"{"command":"pins","enable":[0,9],"disable":[2]}"#,
        r#"{"command":"control_mode","mode":"remote"}"#,
        r#"{"command":"emergency_stop"}"#,
        r#"{"command":"emergency_stop","pressed":false}"#,
        r#"{"command":"wake_up"}"#,
        r#"{"command":"camera","part":"front","size":[320,240],"rate_hz":5}"#,
        r#"{"command":"task","id":"t1","kind":"bring","parameters":{"to":"sofa","from":"kitchen"},"asker":"Anna"}"#,
        r#"{"command":"cancel_task","id":"t1"}"#,
        r#"{"command":"sense","what":"distance"}"#,
        r#"{"command":"sense","what":"proximity","bearings_rad":[0,0.5],"reality":"mixed"}"#,
        r#"{"command":"sense","what":"compass","reality":"R"}"#,
    ];
    let read: Vec<ModelCommand> = commands
        .iter()
        .map(|text| serde_json::from_str::<Command>(text).unwrap().try_into().unwrap())
        .collect();
    for text in commands {
        let read: Command = serde_json::from_str(text).unwrap();
        let again = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<Command>(&again).unwrap(), read, "{again}");
    }
    for (text, command) in commands.iter().zip(&read) {
        assert!(text.contains(&format!("\"{}\"", command.name())), "{text} became {command:?}");
    }
    insta::assert_debug_snapshot!("commands", read);
}

#[test]
fn every_stimulus_is_read() {
    let stimuli = [
        r#"{"stimulus":"touch","part":"touch_head_front"}"#,
        r#"{"stimulus":"bump","part":"bump_front_left","hold_s":0.5}"#,
        r#"{"stimulus":"face","label":"Barkley","bearing_rad":0.17}"#,
        r#"{"stimulus":"key_phrase"}"#,
        r#"{"stimulus":"sound","bearing_rad":1.5,"voice":true}"#,
        r#"{"stimulus":"serial","text":"hello"}"#,
        r#"{"stimulus":"skill_message","text":"hi"}"#,
        r#"{"stimulus":"battery","charge_ratio":0.15}"#,
        r#"{"stimulus":"lift","hold_s":2}"#,
        r#"{"stimulus":"place","x_m":1,"y_m":2}"#,
        r#"{"stimulus":"lose_pose"}"#,
        r#"{"stimulus":"forget_home","object":"cup"}"#,
        r#"{"stimulus":"emergency_stop"}"#,
        r#"{"stimulus":"emergency_stop","pressed":false}"#,
        r#"{"stimulus":"fail","part":"lidar"}"#,
        r#"{"stimulus":"heat","temperature_c":85,"hold_s":3}"#,
    ];
    let read: Vec<latimer_simulator_api::Stimulus> = stimuli
        .iter()
        .map(|text| serde_json::from_str::<Stimulus>(text).unwrap().try_into().unwrap())
        .collect();
    insta::assert_debug_snapshot!("stimuli", read);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for text in [
        r#"{"command":"drive","linear_mps":1e999}"#,
        r#"{"command":"drive","linear_mps":NaN}"#,
        r#"{"command":"drive","linear_mps":Infinity}"#,
        r#"{"command":"drive","linear_mps":"fast"}"#,
        r#"{"command":"drive","linear":1}"#,
        r#"{"command":"stop","now":true}"#,
        r#"{"command":"cancel_face_training","x":1}"#,
        r#"{"command":"lamp","rgb":[256,0,0]}"#,
        r#"{"command":"fly"}"#,
        r#"{"command":"navigate"}"#,
        r#"{"command":"navigate","to":{"plaice":"Sofa"}}"#,
        r#"{"command":"task","kind":"bring"}"#,
        r#"{"command":"task","id":"a","kind":"bring","colour":"red"}"#,
        r#"{"command":"sense","what":"smell"}"#,
        r#"{"command":"sense","what":"color","reality":"X"}"#,
        r#"{"command":"carry","action":"throw"}"#,
        r#"{"command":"maintain","action":"polish"}"#,
        r#"{"command":"follow","state":"pose","z_m":1}"#,
        r#"{"command":"camera","size":[320,-1]}"#,
        r#"{}"#,
    ] {
        assert!(serde_json::from_str::<Command>(text).is_err(), "{text}");
    }
    for text in [
        r#"{"command":"drive","duration_s":-1}"#,
        r#"{"command":"volume","volume_ratio":50}"#,
        r#"{"command":"drive_arc","heading_rad":0,"radius_m":-1,"duration_s":1}"#,
    ] {
        let command: Command = serde_json::from_str(text).unwrap();
        assert!(ModelCommand::try_from(command).is_err(), "{text}");
    }
    let stimulus: Stimulus = serde_json::from_str(r#"{"stimulus":"battery","charge_ratio":15}"#).unwrap();
    assert!(latimer_simulator_api::Stimulus::try_from(stimulus).is_err());
}

#[test]
fn fields_that_do_not_fit_say_what_to_write() {
    let shown = |text: &str| {
        let command: Command = serde_json::from_str(text).unwrap();
        ModelCommand::try_from(command).unwrap_err().to_string()
    };
    let shown = [
        r#"{"command":"joints","targets":[{"part":"tail"}]}"#,
        r#"{"command":"joints","targets":[{"part":"tail","position_rad":1,"position_ratio":0.5}]}"#,
        r#"{"command":"joints","targets":[{"part":"tail","position_ratio":2}]}"#,
        r#"{"command":"navigate","to":{}}"#,
        r#"{"command":"navigate","to":{"place":"Sofa","target":{}}}"#,
        r#"{"command":"navigate","to":{"x_m":1}}"#,
        r#"{"command":"navigate","to":{"place":"Sofa","yaw_rad":1}}"#,
        r#"{"command":"navigate","to":{"place":" "}}"#,
        r#"{"command":"navigate","to":{"target":{},"detour_m":1}}"#,
        r#"{"command":"navigate","to":{"route":[]}}"#,
        r#"{"command":"follow","state":"pose","y_m":1}"#,
        r#"{"command":"follow","state":"pose"}"#,
        r#"{"command":"drive_limits"}"#,
        r#"{"command":"pins"}"#,
        r#"{"command":"pins","enable":[1,2],"disable":[2]}"#,
        r#"{"command":"camera","size":[0,240]}"#,
        r#"{"command":"task","id":"","kind":"bring"}"#,
        r#"{"command":"task","id":"t1","kind":"bring","priority":9}"#,
        r#"{"command":"sense","what":"proximity"}"#,
        r#"{"command":"sense","what":"compass","bearings_rad":[1]}"#,
    ]
    .map(|text| format!("{text}\n  {}", shown(text)));
    insta::assert_snapshot!("fields_that_do_not_fit", shown.join("\n"));
}

#[test]
fn every_happening_and_pace_is_read() {
    let happenings = [
        r#"{"happening":"door","name":"front","open":true}"#,
        r#"{"happening":"light","name":"hall","on":false}"#,
        r#"{"happening":"put_obstacle","name":"crate","box":{"length_m":0.4,"width_m":0.3},"x_m":1,"y_m":2}"#,
        r##"{"happening":"put_obstacle","name":"ghost","cylinder":{"radius_m":0.2},"x_m":1,"y_m":2,"yaw_rad":1,"color":"#Ff8800","reality":"virtual"}"##,
        r#"{"happening":"move_obstacle","name":"crate","x_m":1,"y_m":2,"yaw_rad":0.5}"#,
        r#"{"happening":"remove_obstacle","name":"crate"}"#,
        r#"{"happening":"put_object","name":"vase","place":"Sofa"}"#,
        r##"{"happening":"put_object","name":"hat","x_m":1,"y_m":2,"category":"clothes","color":"#ff8800"}"##,
        r#"{"happening":"move_object","name":"vase","place":"Table"}"#,
        r#"{"happening":"move_object","name":"vase","x_m":1,"y_m":2}"#,
        r#"{"happening":"remove_object","name":"vase"}"#,
        r#"{"happening":"place_person","name":"Anna","x_m":1,"y_m":2}"#,
    ];
    let happenings = happenings.map(|text| {
        let read: Happening = serde_json::from_str(text).unwrap();
        let again = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<Happening>(&again).unwrap(), read, "{again}");
        latimer_simulator_api::Happening::try_from(read).unwrap()
    });
    insta::assert_debug_snapshot!("happenings", happenings);
    let paces = [
        r#"{"pace":"speed","speed":10}"#,
        r#"{"pace":"pause"}"#,
        r#"{"pace":"resume"}"#,
        r#"{"pace":"step"}"#,
        r#"{"pace":"step","steps":3}"#,
    ];
    let paces = paces.map(|text| {
        let read: Pace = serde_json::from_str(text).unwrap();
        let again = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<Pace>(&again).unwrap(), read, "{again}");
        latimer_simulator_api::Pace::try_from(read).unwrap()
    });
    insta::assert_debug_snapshot!("paces", paces);
}

#[test]
fn happenings_that_cannot_be_meant_say_what_to_write() {
    let put = |rest: &str| {
        let text = format!(r#"{{"happening":"put_obstacle","name":"a","x_m":1,"y_m":2{rest}}}"#);
        let happening: Happening = serde_json::from_str(&text).unwrap();
        let shown = latimer_simulator_api::Happening::try_from(happening).unwrap_err();
        format!("{rest}\n  {shown}")
    };
    let shown = [
        "",
        r#","box":{"length_m":1,"width_m":1},"cylinder":{"radius_m":1}"#,
        r#","box":{"length_m":0,"width_m":1}"#,
        r#","cylinder":{"radius_m":-1}"#,
        r#","cylinder":{"radius_m":1},"color":"red""#,
        r#","cylinder":{"radius_m":1},"reality":"M""#,
    ]
    .map(put);
    insta::assert_snapshot!("happenings_that_cannot_be_meant", shown.join("\n"));
    for (rest, hint) in [
        ("", "place is missing, and so is a point on the floor; write `place`, or `x_m` and `y_m`"),
        (r#","place":" ""#, "place is empty"),
        (r#","place":"Sofa","x_m":1,"y_m":2"#, "place stands beside a point on the floor"),
        (r#","y_m":2"#, "x_m is missing"),
        (r#","x_m":2"#, "y_m is missing"),
    ] {
        let text = format!(r#"{{"happening":"move_object","name":"a"{rest}}}"#);
        let happening: Happening = serde_json::from_str(&text).unwrap();
        let shown = latimer_simulator_api::Happening::try_from(happening).unwrap_err().to_string();
        assert!(shown.contains(hint), "{shown}");
    }
    for (text, hint) in
        [(r#"{"pace":"speed","speed":-1}"#, "from 0 to 100"), (r#"{"pace":"step","steps":0}"#, "1 or more")]
    {
        let pace: Pace = serde_json::from_str(text).unwrap();
        let shown = latimer_simulator_api::Pace::try_from(pace).unwrap_err().to_string();
        assert!(shown.contains(hint), "{shown}");
    }
    for text in [r#"{"pace":"stop"}"#, r#"{"pace":"pause","speed":1}"#, r#"{"pace":"speed"}"#] {
        assert!(serde_json::from_str::<Pace>(text).is_err(), "{text}");
    }
}

#[test]
fn outcomes() {
    let shown = |outcome: latimer_core::Outcome| serde_json::to_string(&Outcome::from(outcome)).unwrap();
    assert_eq!(shown(latimer_core::Outcome::Done), r#"{"outcome":"done"}"#);
    assert_eq!(
        shown(latimer_core::Outcome::not_now("no")),
        r#"{"outcome":"refused","code":"not_now","reason":"no"}"#
    );
    assert_eq!(shown(latimer_core::Outcome::TimedOut), r#"{"outcome":"timed_out"}"#);
}
