//! What the vendor's client for TypeScript names, as facts, and the vendor's manual beside it: each works, or says what it would need.
//!
//! `docs/axbot-sdk.md` is made from this list and the code; the end-to-end tests walk that page against a simulated chassis.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use latimer_dialects::axbot::needs;
use latimer_dialects::axbot::rest::place::Resource;
use latimer_dialects::axbot::topic::Topic;

/// What to run when the page is out of date.
const UPDATE: &str = "UPDATE_DOCS=1 cargo nextest run -p latimer-dialects sdk";

/// The topics that the client names: its list of names, its stores and its emitters.
const TOPICS: &[&str] = &[
    "/chassis/occupancy_grid",
    "/map",
    "/map_v2",
    "/incremental_map",
    "/bump_map",
    "/env_match_map",
    "/env_symmetry_map",
    "/wifi_strength_map",
    "/strongest_wifi_strength_map",
    "/tracked_pose",
    "/path",
    "/alerts",
    "/wheel_state",
    "/chassis_state",
    "/planning_state",
    "/scan_matched_points2",
    "/semantic_points",
    "/map/costmap",
    "/map/costmap_v2",
    "/maps/5cm/1hz",
    "/maps/1cm/1hz",
    "/maps/1cm/1hz/depth",
    "/detected_features/gates",
    "/detected_features/charger_pose",
    "/detected_features/chargers",
    "/map/info",
    "/battery_state",
    "/detailed_battery_state",
    "/motion_metrics",
    "/voxel_grid/5cm/1hz",
    "/voxel_grid/1cm/1hz",
    "/robot/footprint",
    "/twist_feedback",
    "/ultrasonic_echoes/points2",
    "/platform_monitor/travelled_distance",
    "/trajectory",
    "/trajectory_node_list",
    "/local_path",
    "/slam/state",
    "/imu_state",
    "/fused_sensor_state",
    "/action",
    "/ws_connections",
    "/ws_connection_established",
    "/ws_connection_disconnected",
    "/depth_camera_state",
    "/baseboard_state",
    "/move_base/trajectory",
    "/constraint_list",
    "/submap_list",
    "/slam/nearby_map_match",
    "/rgb_cameras/front/video",
    "/rgb_cameras/front_augmented/video",
    "/rgb_cameras/back/video",
    "/rgb_cameras/fork_right/video",
    "/vision_detected_objects",
    "/lidar_detected_objects",
    "/robot_model",
    "/nearby_robots",
    "/nearby_robot_footprints",
    "/nearby_auto_doors",
    "/matched_depth_points/forward",
    "/matched_depth_points/downward",
    "/matched_depth_points/upward",
    "/matched_depth_points/backward",
    "/depth_camera/forward/points2",
    "/depth_camera/downward/points2",
    "/depth_camera/upward/points2",
    "/depth_camera/backward/points2",
    "/depth_camera/forktip_l/points2",
    "/depth_camera/forktip_r/points2",
    "/depth_camera/forward/image",
    "/depth_camera/downward/image",
    "/depth_camera/upward/image",
    "/depth_camera/backward/image",
    "/depth_camera/forktip_l/image",
    "/depth_camera/forktip_r/image",
    "/horizontal_laser_2d/matched",
    "/left_laser_2d/matched",
    "/right_laser_2d/matched",
    "/rb_laser_2d/matched",
    "/bottom_laser_2d/matched",
    "/horizontal_laser_2d/scan",
    "/lf_laser_2d/scan",
    "/rf_laser_2d/scan",
    "/lb_laser_2d/scan",
    "/rb_laser_2d/scan",
    "/left_laser_2d/scan",
    "/right_laser_2d/scan",
    "/top_laser_2d/scan",
    "/lf_laser_3d/scan",
    "/rf_laser_3d/scan",
    "/lb_laser_3d/scan",
    "/rb_laser_3d/scan",
    "/head_laser_3d/scan",
    "/back_laser_3d/scan",
    "/top_laser_3d/scan",
    "/terrain_scan",
    "/global_positioning_state",
    "/sensor_manager_state",
    "/jack_state",
    "/detected_rack",
    "/detected_rack_states",
    "/map_rack_states",
    "/detected_pallets",
    "/collected_barcode",
    "/landmarks",
    "/bumper_state",
    "/raw_io_board_state",
    "/push_handle_state",
    "/towing_state",
    "/mast_state",
    "/mobile_network_state",
    "/v2x_health_state",
    "/devpvt",
];

/// The requests that the client makes and that the manual shows, each with a body of the kind that is sent; in an order in which
/// a simulated chassis can answer one after the other.
const CALLS: &[(&str, &str, &str)] = &[
    ("GET", "device/info", ""),
    ("GET", "device/info/brief", ""),
    ("GET", "device/boot_progress", ""),
    ("GET", "device/sensors", ""),
    ("GET", "device/wifi_info", ""),
    ("GET", "device/available_wifis", ""),
    ("GET", "wifi_setup", ""),
    ("GET", "device/usb_devices", ""),
    ("PUT", "device/usb_devices/saved", r#"[{"vendor_product": "1a40:0101", "bus_id": 7, "dev_id": 2}]"#),
    ("GET", "device/usb_devices/saved", ""),
    ("DELETE", "device/usb_devices/saved", ""),
    ("GET", "device/chrony/chrony.conf", ""),
    ("PUT", "device/chrony/sources", r#"["ntp.example"]"#),
    ("GET", "device/chrony/sources", ""),
    ("DELETE", "device/chrony/sources", ""),
    ("PUT", "device/chrony/allows", r#"["192.168.25.0/24"]"#),
    ("GET", "device/chrony/allows", ""),
    ("DELETE", "device/chrony/allows", ""),
    ("GET", "device/params/prod", ""),
    ("PUT", "device/params/dev", "a: 1"),
    ("GET", "device/imu_bias_temperature_curve", ""),
    ("POST", "device", "{}"),
    ("GET", "hostnames/", ""),
    ("PATCH", "hostnames/local.autoxing.com", r#"{"ip": "192.168.10.12"}"#),
    ("GET", "hostnames/local.autoxing.com", ""),
    ("DELETE", "hostnames/local.autoxing.com", ""),
    ("GET", "system/settings/schema", ""),
    ("GET", "system/settings/effective", ""),
    ("PATCH", "system/settings/user", "{}"),
    ("GET", "robot-params", ""),
    ("GET", "chassis/status", ""),
    ("PATCH", "chassis/status", r#"{"control_mode": "auto"}"#),
    ("GET", "chassis/current-map", ""),
    ("GET", "services/get_nav_thumbnail", ""),
    ("POST", "chassis/moves", r#"{"type": "standard", "target_x": 1, "target_y": 1}"#),
    ("GET", "chassis/moves", ""),
    ("GET", "chassis/moves/1", ""),
    ("PATCH", "chassis/moves/current", r#"{"state": "cancelled"}"#),
    ("GET", "maps/", ""),
    ("GET", "maps/1", ""),
    ("PATCH", "maps/1", r#"{"map_name": "hall"}"#),
    ("POST", "chassis/current-map", r#"{"map_id": 1}"#),
    ("POST", "chassis/pose", r#"{"position": [1, 1], "ori": 0}"#),
    ("POST", "services/start_global_positioning", "{}"),
    ("POST", "mappings/", r#"{"continue_mapping": false}"#),
    ("GET", "mappings/", ""),
    ("PATCH", "mappings/current", r#"{"state": "finished"}"#),
    ("POST", "maps/", r#"{"mapping_id": 1, "map_name": "new"}"#),
    ("DELETE", "maps/2", ""),
    ("DELETE", "mappings/1", ""),
    ("DELETE", "mappings/", ""),
    ("POST", "services/wheel_control/set_control_mode", r#"{"control_mode": "auto"}"#),
    ("POST", "services/wheel_control/set_emergency_stop", r#"{"enable": false}"#),
    ("POST", "services/wheel_control/clear_errors", "{}"),
    ("POST", "services/wheel_control/reset_wheels", "{}"),
    ("POST", "services/wake_up_device", "{}"),
    ("POST", "services/jack_up", "{}"),
    ("POST", "services/jack_down", "{}"),
    ("POST", "services/clear_jack_errors", "{}"),
    ("POST", "services/imu/recalibrate", "{}"),
    ("POST", "services/clear_slipping_error", "{}"),
    ("POST", "services/monitor/clear_flip_error", "{}"),
    ("POST", "services/monitor_recheck_errors", "{}"),
    ("POST", "services/clear_system_down_unexpectedly", "{}"),
    ("POST", "services/clear_range_data_all_zero_error", "{}"),
    ("POST", "services/clear_fall_risk_warning", "{}"),
    ("POST", "services/confirm_estop", "{}"),
    ("POST", "services/occupancy_grid_server/reset", "{}"),
    ("POST", "services/baseboard/power_on_lidar", r#"{"action": "power_on"}"#),
    ("POST", "services/get_rgb_image", r#"{"topic": "/rgb_cameras/front/compressed"}"#),
    ("POST", "services/start_rack_size_detection", "{}"),
    ("POST", "services/stop_rack_size_detection", "{}"),
    ("POST", "services/setup_wifi", r#"{"mode": "station", "ssid": "hall", "psk": "12345678"}"#),
    ("POST", "services/set_route_mode", r#"{"mode": "eth0_first"}"#),
    ("POST", "services/reset_usb_devices", r#"{"devices_to_reset": []}"#),
    ("GET", "services/step_time", ""),
    ("POST", "services/step_time", "{}"),
    ("POST", "services/towing_hook_lock", "{}"),
    ("POST", "services/towing_hook_release", "{}"),
    ("POST", "services/clear_towing_hook_error", "{}"),
    ("POST", "services/start_collecting_landmarks", "{}"),
    ("POST", "services/stop_collecting_landmarks", "{}"),
    ("POST", "services/probe_v2x_beacons", "{}"),
    ("POST", "services/enable_auto_mapping", r#"{"enable": true}"#),
    ("POST", "services/depth_camera/enable_cameras", r#"{"enable": true}"#),
    ("POST", "services/calibrate_depth_cameras", "{}"),
    ("POST", "services/calibrate_depth_camera_masks", "{}"),
    ("POST", "services/calibrate_lidar_yaws", "{}"),
    ("POST", "services/calibrate_duo_lidar_poses", "{}"),
    ("POST", "services/calibrate_head_lidar", "{}"),
    ("POST", "services/calibrate_rear_lidar", "{}"),
    ("POST", "services/calibrate_top_lidar", "{}"),
    ("POST", "services/calibrate_forklift_backward_camera", "{}"),
    ("POST", "services/calibrate_forklift_lidar_poses", "{}"),
    ("GET", "services/query_pose/pallet_pose", ""),
    ("GET", "services/query_pose/trailer_pose", ""),
    ("GET", "services/query_pose/rack_pose", ""),
    ("GET", "services/clean_disk", ""),
    ("POST", "services/clean_disk", "{}"),
    ("GET", "collected_data/", ""),
    ("DELETE", "collected_data/", ""),
    ("POST", "recording/", "{}"),
    ("GET", "recording/", ""),
    ("DELETE", "recording/", ""),
    ("GET", "bags/", ""),
    ("DELETE", "bags/", ""),
    ("GET", "videos/", ""),
    ("DELETE", "videos/", ""),
    ("GET", "core_dumps/", ""),
    ("DELETE", "core_dumps/", ""),
    ("GET", "app_store/packages", ""),
    ("POST", "app_store/services/download_packages", r#"{"packages": []}"#),
    ("POST", "app_store/services/install_packages", r#"{"packages": []}"#),
    ("POST", "app_store/services/uninstall_packages", r#"{"packages": ["iot"]}"#),
    ("POST", "app_store/services/refresh_store", "{}"),
    ("POST", "app_store/services/install_local_file", r#"{"filename": "/tmp/ax.tar.gz"}"#),
    ("GET", "app_store/jobs/download/tasks", ""),
    ("GET", "app_store/jobs/install/tasks", ""),
    ("GET", "app_store/firmware/packages", ""),
    ("POST", "app_store/firmware/install_packages", r#"{"packages": ["x"]}"#),
    ("POST", "bluetooth/connect", r#"{"address": "00:11:22:33:44:55"}"#),
    ("POST", "bluetooth/disconnect", r#"{"address": "00:11:22:33:44:55"}"#),
    ("GET", "ros/slam/submaps/a/0/1", ""),
    ("GET", "ros/slam/map_image", ""),
    ("GET", "ros/map/overlays", ""),
    ("PUT", "ros/map/overlays", r#"{"type": "FeatureCollection", "features": []}"#),
    ("GET", "ros/rosmaster/topics", ""),
    ("GET", "ros/rosmaster/topics/published", ""),
    ("GET", "ros/rosmaster/topics/published_names", ""),
    ("POST", "ros/imu/clear_gyro_scale", "{}"),
    ("POST", "services/imu/calibrate_gyro_scale", "{}"),
    ("POST", "services/baseboard/shutdown", r#"{"target": "main_power_supply", "reboot": true}"#),
    ("POST", "services/restart_service", "{}"),
    ("POST", "services/restart_py_axbot", "{}"),
];

fn of_topic(name: &str) -> Result<(), &'static str> {
    match needs::of_topic(name) {
        Some((_, needs)) => Err(needs),
        None => Ok(()),
    }
}

fn words(answer: Result<(), &str>) -> String {
    answer.map_or_else(|needs| format!("needs {needs}"), |()| "works".to_owned())
}

fn page() -> String {
    let mut page = "# What the vendor's client asks for\n\n\
        The vendor's client for TypeScript, [`axbot-ts-sdk`](https://github.com/AutoxingTech/axbot-ts-sdk), knows these topics; it and the\n\
        vendor's manual make these requests. Each works with a simulated chassis, or says what it would need. A test makes this page.\n\n\
        A topic that *needs* something is taken: it is among `enabled_topics`, the answer tells what it needs, and nothing comes. Of a\n\
        connected chassis it is asked for, and what comes is passed on unchanged. A request that *needs* something is refused with status\n\
        501 and a `detail` that says so. What surrounds a chassis' software (host names, network, USB devices, the clock's servers) is kept for\n\
        a simulated one; for a connected one such requests are refused with the address to ask.\n\n\
        ## Topics\n\n| topic | here |\n|---|---|\n"
        .to_owned();
    for name in TOPICS {
        let _ = writeln!(page, "| `{name}` | {} |", words(of_topic(name)));
    }
    page += "\n## Requests\n\n| request | for example | here |\n|---|---|---|\n";
    for (method, path, body) in CALLS {
        let body = if body.is_empty() { String::new() } else { format!("`{body}`") };
        let answer = needs::of_call(method, path).map_or(Ok(()), |(.., needs)| Err(*needs));
        let _ = writeln!(page, "| `{method} /{path}` | {body} | {} |", words(answer));
    }
    page
}

#[test]
fn each_topic_is_published_or_says_what_it_needs() {
    for name in TOPICS {
        let known = name.parse::<Topic>().is_ok() || needs::ANSWERS.contains(name);
        assert!(known != of_topic(name).is_err(), "{name}");
    }
    let all: BTreeSet<&str> = TOPICS.iter().copied().collect();
    assert_eq!(all.len(), TOPICS.len());
    assert!(all.len() >= 85, "{} topics", all.len());
}

#[test]
fn each_request_has_a_place_or_says_what_it_needs() {
    let all: BTreeSet<_> = CALLS.iter().map(|(method, path, _)| (method, path)).collect();
    assert_eq!(all.len(), CALLS.len());
    assert!(all.len() >= 80, "{} requests", all.len());
    let mut unused: BTreeSet<_> = needs::CALLS.iter().collect();
    for (method, path, _) in CALLS {
        let place = Resource::of(path);
        let taken = place.is_some_and(|place| place.methods().contains(method));
        let refused = needs::of_call(method, path);
        assert!(taken || refused.is_some(), "{method} {path} is neither");
        refused.map(|it| unused.remove(it));
    }
    unused.retain(|(_, path, _)| !path.ends_with("params/*"));
    assert!(unused.is_empty(), "{unused:?} are not on the page");
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/axbot-sdk.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page(),
        "docs/axbot-sdk.md is not what the code makes; run `{UPDATE}` and look at the changes"
    );
}
