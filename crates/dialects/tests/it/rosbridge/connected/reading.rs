//! Messages as real bridges write them.

use latimer_core::Signal;
use latimer_core::model::Kind;
use serde_json::{Value, json};

use super::super::real::{RealBridge, Rosapi, publish};
use super::Gateway;

const SCAN: &str = r#"{"header": {"stamp": {"sec": 9, "nanosec": 500000000}, "frame_id": "laser"}, "angle_min": -1.5, "angle_max": 1.5,
    "angle_increment": 0.75, "time_increment": 0.0, "scan_time": 0.0, "range_min": 0.1, "range_max": 3.5,
    "ranges": [1.0, Infinity, NaN, -Infinity, 2.0], "intensities": []}"#;

async fn scanning(ros_type: &'static str) -> (RealBridge, Gateway) {
    let bridge = RealBridge::start(Rosapi::Answers, &[("/scan", ros_type)], &[]).await;
    let gateway = Gateway::of(&bridge, "", "base-1/scan").await;
    (bridge, gateway)
}

#[tokio::test]
async fn numbers_for_which_json_has_no_word_are_read_and_stamps_of_ros_2() {
    let (bridge, gateway) = scanning("sensor_msgs/msg/LaserScan").await;
    bridge.publish("/scan", SCAN).await;
    let update = gateway.observer.update(|it| it.kind() == Kind::Scan).await;
    let Signal::Scan(scan) = &update.signal else { unreachable!() };
    let far = f32::INFINITY;
    assert_eq!(scan.ranges_m, [1.0, far, far, -far, 2.0]);
    assert_eq!(update.stamp.at.as_nanos(), 9_500_000_000);
    // Who sees the message itself sees JSON.
    let native = &update.native.as_ref().unwrap().payload;
    let native: Value = serde_json::from_slice(native).unwrap();
    assert_eq!(native["ranges"], json!([1.0, null, null, null, 2.0]));
}

#[tokio::test]
async fn a_battery_that_measures_little_says_the_rest() {
    let bridge =
        RealBridge::start(Rosapi::Answers, &[("/battery_state", "sensor_msgs/BatteryState")], &[]).await;
    let gateway = Gateway::of(&bridge, "", "base-1/battery").await;
    let battery = r#"{"voltage": 12.5, "temperature": NaN, "current": NaN, "percentage": 0.5, "present": true, "cell_voltage": []}"#;
    bridge.publish("/battery_state", battery).await;
    let update = gateway.observer.update(|it| it.kind() == Kind::Battery).await;
    let Signal::Battery(battery) = &update.signal else { unreachable!() };
    assert_eq!((battery.voltage_v, battery.current_a, battery.charge_ratio), (Some(12.5), None, Some(0.5)));
}

#[tokio::test]
async fn a_message_in_fragments_is_joined_and_one_that_lacks_some_costs_no_other() {
    let (bridge, gateway) = scanning("sensor_msgs/LaserScan").await;
    bridge.subscribed("/scan").await;
    let whole = publish("/scan", SCAN);
    let (one, other) = whole.split_at(whole.len() / 2);
    let piece = |id: &str, data: &str, num: usize, total: usize| {
        bridge.send(
            "/scan",
            &json!({"op": "fragment", "id": id, "data": data, "num": num, "total": total}).to_string(),
        );
    };
    piece("lost", one, 0, 2);
    piece("1", other, 1, 2);
    piece("wrong", one, 2, 2);
    piece("1", one, 0, 2);
    let update = gateway.observer.update(|it| it.kind() == Kind::Scan).await;
    let Signal::Scan(scan) = &update.signal else { unreachable!() };
    assert_eq!(scan.ranges_m.len(), 5);
}
