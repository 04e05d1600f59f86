//! Each sample by way of the model: it is written as it was read, but for what the model cannot hold.

use latimer_core::Signal;
use latimer_core::model::signal::{Frame, Pose};
use serde_json::Value as Json;

use super::{RECEIVED, encoded, update_from_received};
use crate::axbot::map::grid::grid_from_png;
use crate::axbot::map::{Received, signals_from_message};
use crate::axbot::messages::Context;
use crate::axbot::session::merge::Merge;
use crate::axbot::style::{ObstacleMaps, ScanStamps, Score, Style};
use crate::axbot::topic::Topic;
use crate::axbot::wire::Message;
use crate::axbot::wire::tests::{samples, topic_of};
use crate::golden::{Comparison, Exception};

/// What is lost or made anew on the way, by sample and key, and why.
const EXCEPTIONS: &[Exception] = &[
    ("planning_state", ".intent_target_pose.pos", "zeros in the sample; it is the pose of the target"),
    ("robot_2026_planning_state", ".intent_target_pose.pos", "as above"),
    ("robot_2026_planning_state", "-.charger_pose", "marks tell where chargers are"),
    ("robot_2026_planning_state", ".move_intent", "`action_type` came in its place, it is written empty"),
    ("robot_2026_planning_state", "-.going_back_to_charger", "written if it holds"),
    ("robot_2026_planning_state", "-.waiting_for_charge", "written if it holds"),
    ("robot_2026_planning_state", "-.creator", "the model does not tell who asked"),
    ("robot_2026_slam_state", "-.position_loss_progress", "the model has nothing for it"),
    ("robot_2026_detailed_battery_state_nan", "-.capacity", "what nobody measured is left out"),
    ("robot_2026_detailed_battery_state_nan", "-.design_capacity", "as above"),
    ("robot_2026_robot_model", "-.expanded_footprint", "the model has one outline"),
    ("robot_2026_tracked_pose", "-.cov", "the model has nothing for it"),
    ("robot_2026_tracked_pose", "-.quat", "the order of its numbers is not documented"),
    ("robot_2026_scan_matched_points2", ".points", "how sure a point is, the model does not tell"),
    ("nearby_robots", ".robots", "the sample has names of outlines that it does not show"),
    ("nearby_robot_footprints", ".footprints", "the name of an outline is the gateway's own"),
    ("detected_rack", "-.rack_box_aligned", "what is configured is not sensed"),
    ("action", "-.email", "empty in the sample: the model does not tell who asked"),
    ("action", "-.username", "as above"),
    ("action", "-.deviceName", "the model does not tell it here"),
    ("robot_2026_action", "-.email", "as above"),
    ("robot_2026_action", "-.username", "as above"),
    ("robot_2026_action", "-.deviceName", "as above"),
    ("motion_metrics", "-.linear_acc", "the model has nothing for it"),
    ("fused_sensor_state", "-.accelerability", "the manual does not tell what it measures"),
    ("robot_2026_fused_sensor_state", "-.odom_source", "as above"),
    ("robot_2026_fused_sensor_state", "-.collide_dir", "as above"),
    ("robot_2026_fused_sensor_state", "-.accelerability", "as above"),
];

/// Samples that tell what robots would like to have, where a picture is, that nothing was done, or what another topic tells.
const TOLD_BY_NO_UPDATE: [&str; 8] = [
    "imu_state",
    "external_rgb_camera_control",
    "map_v2",
    "map_costmap_v2",
    "incremental_map_v2",
    "robot_footprint",
    "detected_features_gates",
    "raw_io_board_state",
];

/// What is known beside each sample, so that it can be written again.
fn beside(name: &str, sample: &Json, incoming: &[Received]) -> Context {
    let bumpers = incoming.iter().filter_map(|incoming| match &incoming.signal {
        Signal::Contact(contact) => Some((incoming.part.clone()?, contact.contacted)),
        _ => None,
    });
    let number = sample["score"].is_number();
    let style = Style {
        scan_stamps: if sample["stamp"].is_f64() { ScanStamps::Seconds } else { ScanStamps::Milliseconds },
        score: if number { Score::Number } else { Score::Text },
        obstacle_maps: ObstacleMaps::Grey,
        ..Style::default()
    };
    // Where the robot of the sample of `/collected_barcode` is, computed by hand from its two poses.
    let yaw: f64 = -1.457 + 0.312;
    let (x, y) =
        (-14.842 + 1.992 * yaw.cos() - 0.092 * yaw.sin(), 17.595 + 1.992 * yaw.sin() + 0.092 * yaw.cos());
    let pose = (name == "collected_barcode").then(|| Pose::planar(Frame::Map, x, y, yaw));
    let map_uid = sample["map_uid"].as_str().map(str::to_owned);
    let (has_map, bumpers) = (map_uid.is_some(), bumpers.collect());
    Context { style, pose, has_map, map_uid, bumpers, ..Context::default() }
}

/// What a session makes of a message, and of that which tells the other half of its record.
fn signals(message: &Message) -> Vec<Received> {
    let mut merge = Merge::default();
    let other = match message {
        Message::SensorManagerState(_) => {
            Some((Topic::WheelState, r#"{"control_mode": "auto", "emergency_stop_pressed": false}"#))
        }
        Message::NearbyRobotFootprints(_) => Some((
            Topic::NearbyRobots,
            r#"{"robots": [{"uid": "a", "pose": {"pos": [0, 0], "ori": 0}, "footprint_digest": "0150acd9"}]}"#,
        )),
        _ => None,
    };
    if let Some((topic, text)) = other {
        let other = Message::read(topic, text.as_bytes()).unwrap();
        merge.signals(&other, RECEIVED).unwrap();
    }
    merge.signals(message, RECEIVED).unwrap()
}

/// Whether two numbers differ by no more than what a computation adds.
fn is_near(_: &str, written: &Json, shown: &Json) -> bool {
    written.as_f64().zip(shown.as_f64()).is_some_and(|(ours, theirs)| (ours - theirs).abs() < 1e-9)
}

/// Whether the sample's picture can be drawn: a file may be compressed in many ways, so cells are compared instead.
fn same_cells(topic: Topic, ours: &Json, theirs: &Json) -> bool {
    use base64::Engine;
    let cells = |json: &Json| {
        let png = base64::engine::general_purpose::STANDARD.decode(json["data"].as_str()?).ok()?;
        grid_from_png(topic, 1.0, [0.0, 0.0], &png).ok()
    };
    cells(ours).is_some() && cells(ours) == cells(theirs)
}

#[test]
fn each_sample_is_written_as_it_was_read() {
    let all = samples();
    let comparison = Comparison::new(EXCEPTIONS, is_near);
    for (name, text, sample) in &all {
        let topic = topic_of(sample);
        if TOLD_BY_NO_UPDATE.contains(&name.as_str()) {
            continue;
        }
        let message = Message::read(topic, text.as_bytes()).unwrap();
        let incoming = signals(&message);
        let context = beside(name, sample, &incoming);
        let written =
            incoming.iter().find_map(|incoming| encoded(topic, &update_from_received(incoming), &context));
        let written = written.unwrap_or_else(|| panic!("{name}: nothing is written for {incoming:?}"));
        assert_eq!(written.topic(), topic);
        let mut written: Json = serde_json::from_slice(&written.write()).unwrap();
        if sample["size"].is_array() {
            assert!(same_cells(topic, &written, sample), "{name}");
            written["data"] = sample["data"].clone();
        }
        comparison.compare(name, &written, sample);
    }
    comparison.all_are_needed();
}

#[test]
fn stamps_are_the_robots_if_it_tells_them() {
    for (name, text, sample) in samples() {
        let message = Message::read(topic_of(&sample), text.as_bytes()).unwrap();
        let reported = ["stamp", "secs", "timestamp"].iter().find_map(|key| sample[key].as_f64());
        for incoming in signals_from_message(&message, RECEIVED).unwrap_or_default() {
            let at = incoming.stamp.at.as_nanos() as f64 / 1e9;
            let reported =
                reported.map_or(RECEIVED.as_nanos() as f64 / 1e9, |it| if it > 1e11 { it / 1e3 } else { it });
            assert!((at - reported).abs() < 1e-3, "{name}: {at} instead of {reported}");
        }
    }
}
