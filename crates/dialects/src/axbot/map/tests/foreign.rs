//! Robots of other families: their parts keep out of topics that are about others, and nothing is invented for them.

use latimer_core::model::PartName;
use latimer_core::model::signal::*;
use latimer_core::{RobotId, Signal, Stamp, Update};
use serde_json::{Value as Json, json};

use super::{RECEIVED, encoded};
use crate::axbot::messages::Context;
use crate::axbot::topic::Topic;

fn update(part: Option<&str>, signal: impl Into<Signal>) -> Update {
    let robot = RobotId::new("rover-1").unwrap();
    let part = part.map(PartName::of);
    let (stamp, signal) = (Stamp::gateway(RECEIVED), signal.into());
    Update { robot, part, stamp, received: RECEIVED, signal, native: None, provenance: None }
}

fn reported(topic: Topic, part: Option<&str>, signal: impl Into<Signal>) -> Option<Json> {
    let message = encoded(topic, &update(part, signal), &Context::default())?;
    Some(serde_json::from_slice(&message.write()).unwrap())
}

#[test]
fn what_is_not_known_is_not_written() {
    assert_eq!(
        reported(Topic::BatteryState, None, Battery::UNKNOWN),
        Some(json!({"topic": "/battery_state", "secs": 1_700_000_000}))
    );
    let detailed = reported(Topic::DetailedBatteryState, None, Battery::UNKNOWN).unwrap();
    assert_eq!(detailed["cell_voltages"], json!([]));
    assert_eq!(
        reported(Topic::SlamState, None, Localization::IDLE),
        Some(json!({"topic": "/slam/state", "state": "inactive"}))
    );
    let control =
        Control { mode: ControlMode::Remote, emergency_stop: false, wheels_released: None, power: None };
    assert_eq!(
        reported(Topic::WheelState, None, control.clone()),
        Some(json!({"topic": "/wheel_state", "control_mode": "remote", "emergency_stop_pressed": false}))
    );
    assert_eq!(reported(Topic::SensorManagerState, None, control), None);
    let fault = Battery { state: PowerState::Fault, charge_ratio: Some(0.5), ..Battery::UNKNOWN };
    assert_eq!(reported(Topic::BatteryState, None, fault).unwrap()["power_supply_status"], Json::Null);
}

#[test]
fn only_the_map_counts() {
    for frame in [Frame::Odom, Frame::BaseLink, Frame::Head] {
        let pose = Pose::planar(frame, 1.0, 2.0, 0.5);
        assert_eq!(reported(Topic::TrackedPose, Some("odom"), pose), None);
        let path = Path::of(frame, vec![[1.0, 2.0]]);
        for (topic, part) in
            [(Topic::Path, "planned"), (Topic::LocalPath, "local"), (Topic::Trajectory, "trajectory")]
        {
            assert_eq!(reported(topic, Some(part), path.clone()), None);
        }
        let cloud = PointCloud { frame, points_m: vec![[1.0, 2.0, 3.0]] };
        assert_eq!(reported(Topic::ScanMatchedPoints2, None, cloud), None);
    }
    let pose = Pose { z_m: 0.3, ..Pose::planar(Frame::Map, 1.0, 2.0, 0.5) };
    assert_eq!(
        reported(Topic::TrackedPose, None, pose),
        Some(json!({"topic": "/tracked_pose", "pos": [1.0, 2.0], "ori": 0.5}))
    );
}

#[test]
fn a_topic_tells_its_own_parts_alone() {
    let joint = Joint { position_rad: Some(1.0), ..Joint::UNKNOWN };
    assert_eq!(reported(Topic::JackState, Some("head_yaw"), joint.clone()), None);
    assert_eq!(reported(Topic::JackState, None, joint), None);
    assert_eq!(reported(Topic::MotionMetrics, Some("commanded"), Velocity::of(1.0, 0.0)), None);
    let touch = Contact { contacted: true, sensor: ContactSensor::Touch, position: None, frame: Frame::Head };
    assert_eq!(reported(Topic::BumperState, Some("touch_front"), touch), None);
    assert_eq!(reported(Topic::Path, Some("local"), Path::of(Frame::Map, vec![])), None);
    for topic in Topic::ALL {
        assert_eq!(reported(*topic, None, Playback::of("x")), None);
    }
}

#[test]
fn a_camera_of_another_name_is_the_front_one() {
    let picture = CompressedImage {
        format: image::PictureFormat::Jpeg,
        width: 2,
        height: 1,
        data: bytes::Bytes::from_static(b"abc"),
    };
    for part in ["camera", "camera_left", "camera_front"] {
        let reported = reported(Topic::FrontCompressed, Some(part), picture.clone()).unwrap();
        let expected = json!({
            "topic": "/rgb_cameras/front/compressed", "stamp": 1_700_000_000, "format": "jpeg", "data": "YWJj",
        });
        assert_eq!(reported, expected);
    }
}

#[test]
fn a_failure_gets_the_vendors_number() {
    let failed = Navigation {
        failure: Some(NavigationFailure::GoalOutside),
        place: Some("kitchen".into()),
        stuck: true,
        ..Navigation::new(7, NavigationKind::Goto, NavigationState::Failed)
    };
    let message = reported(Topic::PlanningState, None, failed.clone()).unwrap();
    assert_eq!(
        (&message["fail_reason"], &message["fail_reason_str"]),
        (&json!(4), &json!("ending_point_out_of_map"))
    );
    assert_eq!((&message["move_intent"], &message["stuck_state"]), (&json!(""), &json!("move_stucked")));
    assert_eq!((&message["target_poses"], &message["map_uid"]), (&json!([]), &Json::Null));
    let coded = Navigation { failure_code: Some(503), reason: Some("a pallet is there".into()), ..failed };
    let message = reported(Topic::PlanningState, None, coded.clone()).unwrap();
    assert_eq!(
        (&message["fail_reason"], &message["fail_reason_str"]),
        (&json!(503), &json!("a pallet is there"))
    );
    let moving = Navigation { state: NavigationState::Moving, stuck: false, ..coded };
    let message = reported(Topic::PlanningState, None, moving).unwrap();
    assert_eq!((&message["fail_reason"], &message["fail_reason_str"]), (&json!(0), &json!("none")));
}

#[test]
fn a_task_is_published_when_it_ends() {
    let task = |state| Task::new("recalibrate_imu", "maintenance", state);
    assert_eq!(reported(Topic::Action, None, task(TaskState::Progress)), None);
    assert_eq!(
        reported(Topic::Action, None, Task::new("recalibrate_imu", "bring", TaskState::Succeeded)),
        None
    );
    let done = reported(Topic::Action, None, task(TaskState::Succeeded)).unwrap();
    assert_eq!(done["message"], "IMU calibration succeeded");
    let failed = Task { reason: Some("it was pushed".into()), ..task(TaskState::Failed) };
    assert_eq!(reported(Topic::Action, None, failed).unwrap()["message"], "error: it was pushed");
}
