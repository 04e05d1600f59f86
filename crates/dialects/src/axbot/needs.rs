//! What the vendor's clients ask for and no robot here has: what each would need.
//!
//! A topic of the list is taken and stays silent, unless a connected chassis sends it: then it is passed on as it comes. A request
//! of the list is refused with status 501 and these words.

use latimer_core::PartName;

const DEPTH_CAMERAS: &str = "depth cameras";
const DEPTH_PICTURES: &str = "depth cameras whose pictures are sent";
const MORE_SCANNERS: &str = "more than one scanner";
const RAW_SCANS: &str = "scans in the vendor's binary messages, which are passed on and not made";
const SPACE_SCANNERS: &str = "a scanner that looks up and down as well";
const FORKS: &str = "forks";
const TOWING_HOOK: &str = "a towing hook";
const RADIO: &str = "a radio";
const SLAM: &str = "the vendor's SLAM, whose inner state nothing else has";
const ROS: &str = "the vendor's ROS master";
const V2X: &str = "V2X radio beacons";
const PARAM_FILES: &str = "parameter files of the vendor's software";
const PACKAGES: &str = "the vendor's package index";
const VOXELS: &str = "obstacles in three dimensions";
const LANDMARKS: &str = "poles that are collected beside a map; a mapping collects them";
const OUT_OF_USE: &str = "what it did before version 1.8; POST /services/NAME does it now";

/// Topics that no robot here tells, each with what it would need.
pub const TOPICS: &[(&str, &str)] = &[
    ("/bump_map", "a sense of how rough the floor is"),
    ("/wifi_strength_map", RADIO),
    ("/strongest_wifi_strength_map", RADIO),
    ("/mobile_network_state", "a modem"),
    ("/bluetooth_state", RADIO),
    ("/bluetooth/outbound", RADIO),
    ("/semantic_points", "points that a camera named"),
    ("/lidar_detected_objects", "things that are made out on scans"),
    ("/detected_features/charger_pose", "chargers that are made out on scans; marks tell where they are"),
    ("/detected_features/chargers", "chargers that are made out on scans; marks tell where they are"),
    ("/detected_trailer", TOWING_HOOK),
    ("/towing_state", TOWING_HOOK),
    ("/mast_state", "a mast"),
    ("/push_handle_state", "a handle to push it by"),
    ("/detected_rack_states", "levels of racks that are distinguished"),
    ("/map_rack_states", "levels of racks that are distinguished"),
    ("/depth_camera_state", DEPTH_CAMERAS),
    ("/maps/1cm/1hz/depth", DEPTH_CAMERAS),
    ("/matched_depth_points/forward", DEPTH_CAMERAS),
    ("/matched_depth_points/downward", DEPTH_CAMERAS),
    ("/matched_depth_points/upward", DEPTH_CAMERAS),
    ("/matched_depth_points/backward", DEPTH_CAMERAS),
    ("/depth_camera/forward/points2", DEPTH_CAMERAS),
    ("/depth_camera/downward/points2", DEPTH_CAMERAS),
    ("/depth_camera/upward/points2", DEPTH_CAMERAS),
    ("/depth_camera/backward/points2", DEPTH_CAMERAS),
    ("/depth_camera/forktip_l/points2", FORKS),
    ("/depth_camera/forktip_r/points2", FORKS),
    ("/depth_camera/forward/image", DEPTH_PICTURES),
    ("/depth_camera/downward/image", DEPTH_PICTURES),
    ("/depth_camera/upward/image", DEPTH_PICTURES),
    ("/depth_camera/backward/image", DEPTH_PICTURES),
    ("/depth_camera/forktip_l/image", FORKS),
    ("/depth_camera/forktip_r/image", FORKS),
    ("/rgb_cameras/fork_right/video", FORKS),
    ("/left_laser_2d/matched", MORE_SCANNERS),
    ("/right_laser_2d/matched", MORE_SCANNERS),
    ("/lt_laser_2d/matched", MORE_SCANNERS),
    ("/rb_laser_2d/matched", MORE_SCANNERS),
    ("/bottom_laser_2d/matched", MORE_SCANNERS),
    ("/horizontal_laser_2d/scan", RAW_SCANS),
    ("/lf_laser_2d/scan", MORE_SCANNERS),
    ("/rf_laser_2d/scan", MORE_SCANNERS),
    ("/lb_laser_2d/scan", MORE_SCANNERS),
    ("/rb_laser_2d/scan", MORE_SCANNERS),
    ("/left_laser_2d/scan", MORE_SCANNERS),
    ("/right_laser_2d/scan", MORE_SCANNERS),
    ("/top_laser_2d/scan", MORE_SCANNERS),
    ("/lf_laser_3d/scan", SPACE_SCANNERS),
    ("/rf_laser_3d/scan", SPACE_SCANNERS),
    ("/lb_laser_3d/scan", SPACE_SCANNERS),
    ("/rb_laser_3d/scan", SPACE_SCANNERS),
    ("/head_laser_3d/scan", SPACE_SCANNERS),
    ("/back_laser_3d/scan", SPACE_SCANNERS),
    ("/top_laser_3d/scan", SPACE_SCANNERS),
    ("/terrain_scan", SPACE_SCANNERS),
    ("/voxel_grid/5cm/1hz", VOXELS),
    ("/voxel_grid/1cm/1hz", VOXELS),
    ("/ultrasonic_echoes/points2", "ultrasonic sensors"),
    ("/devpvt", "a satellite receiver"),
    ("/v2x_health_state", V2X),
    ("/baseboard_state", "a base board that tells what it feeds"),
    ("/rgb_camera_state", "cameras that tell their state"),
    ("/measurement", "a measurement that somebody began at the robot"),
    ("/updated_map_slice", SLAM),
    ("/constraint_list", SLAM),
    ("/submap_list", SLAM),
    ("/slam/nearby_map_match", SLAM),
    ("/nearby_map_match", SLAM),
    ("/move_base/trajectory", "the vendor's planner, whose inner state nothing else has"),
    ("/ws_connections", "users who log in; here nobody does"),
    ("/ws_connection_established", "users who log in; here nobody does"),
    ("/ws_connection_disconnected", "users who log in; here nobody does"),
];

/// Requests that are not carried out, each with its method and what it would need; `*` is any one name.
pub const CALLS: &[(&str, &str, &str)] = &[
    ("POST", "services/towing_hook_lock", TOWING_HOOK),
    ("POST", "services/towing_hook_release", TOWING_HOOK),
    ("POST", "services/clear_towing_hook_error", TOWING_HOOK),
    ("GET", "services/query_pose/trailer_pose", TOWING_HOOK),
    ("GET", "services/query_pose/pallet_pose", FORKS),
    ("GET", "services/query_pose/rack_pose", "a jack that tells how long its plate is"),
    ("POST", "services/start_collecting_landmarks", LANDMARKS),
    ("POST", "services/stop_collecting_landmarks", LANDMARKS),
    ("POST", "services/probe_v2x_beacons", V2X),
    ("POST", "services/depth_camera/enable_cameras", DEPTH_CAMERAS),
    ("POST", "services/calibrate_depth_cameras", DEPTH_CAMERAS),
    ("POST", "services/calibrate_depth_camera_masks", DEPTH_CAMERAS),
    ("POST", "services/calibrate_lidar_yaws", MORE_SCANNERS),
    ("POST", "services/calibrate_duo_lidar_poses", MORE_SCANNERS),
    ("POST", "services/calibrate_head_lidar", SPACE_SCANNERS),
    ("POST", "services/calibrate_rear_lidar", SPACE_SCANNERS),
    ("POST", "services/calibrate_top_lidar", SPACE_SCANNERS),
    ("POST", "services/calibrate_forklift_backward_camera", FORKS),
    ("POST", "services/calibrate_forklift_lidar_poses", FORKS),
    ("POST", "services/enable_auto_mapping", "a robot that explores by itself"),
    ("GET", "services/clean_disk", "a disk of its own"),
    ("POST", "services/clean_disk", "a disk of its own"),
    ("POST", "recording", "a recorder in the robot; the gateway's journal has what was said"),
    ("GET", "device/params/*", PARAM_FILES),
    ("PUT", "device/params/*", PARAM_FILES),
    ("GET", "device/imu_bias_temperature_curve", "an inertial sensor whose bias is measured by temperature"),
    ("POST", "device", OUT_OF_USE),
    ("POST", "app_store/services/refresh_store", PACKAGES),
    ("POST", "app_store/services/install_local_file", PACKAGES),
    ("POST", "app_store/services/uninstall_packages", PACKAGES),
    ("GET", "app_store/firmware/packages", PACKAGES),
    ("POST", "app_store/firmware/install_packages", PACKAGES),
    ("POST", "bluetooth/connect", RADIO),
    ("POST", "bluetooth/disconnect", RADIO),
    ("GET", "ros/slam/submaps/*/*/*", SLAM),
    ("GET", "ros/slam/map_image", SLAM),
    ("GET", "ros/map/overlays", ROS),
    ("PUT", "ros/map/overlays", ROS),
    ("GET", "ros/rosmaster/topics", ROS),
    ("GET", "ros/rosmaster/topics/published", ROS),
    ("GET", "ros/rosmaster/topics/published_names", ROS),
    ("POST", "ros/imu/clear_gyro_scale", ROS),
];

/// Topics that come unasked for, as answers; enabling them changes nothing.
pub const ANSWERS: &[&str] = &["/twist_feedback", "/device_info"];

/// A topic of [`TOPICS`] by its name, and what it would need.
pub fn of_topic(name: &str) -> Option<(&'static str, &'static str)> {
    TOPICS.iter().find(|(topic, _)| *topic == name).copied()
}

/// The line of [`CALLS`] for a request that is not carried out.
pub fn of_call(method: &str, path: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    let fits = |pattern: &str| {
        let (mut asked, mut wanted) = (path.trim_matches('/').split('/'), pattern.split('/'));
        loop {
            match (asked.next(), wanted.next()) {
                (None, None) => return true,
                (Some(name), Some(known)) if known == name || known == "*" && !name.is_empty() => {}
                _ => return false,
            }
        }
    };
    CALLS.iter().find(|(of, pattern, _)| *of == method && fits(pattern))
}

/// The part under which what a connected chassis sends on a topic of [`TOPICS`] is published.
pub(super) fn part(topic: &str) -> PartName {
    PartName::of(topic.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::axbot::rest::place::Resource;
    use crate::axbot::topic::Topic;

    #[test]
    fn what_is_needed_is_not_there() {
        for (name, _) in TOPICS {
            assert!(name.parse::<Topic>().is_err(), "{name} is published");
        }
        for name in ANSWERS {
            assert!(name.parse::<Topic>().is_err() && of_topic(name).is_none(), "{name}");
        }
        for (method, path, _) in CALLS {
            let asked = path.replace('*', "1");
            let taken = Resource::of(&asked).is_some_and(|place| {
                !matches!(place, Resource::Service(_)) && place.methods().contains(method)
            });
            assert!(!taken, "{method} {path} is carried out");
            assert!(of_call(method, &asked).is_some(), "{method} {asked}");
        }
    }

    #[test]
    fn each_is_listed_once_and_each_topic_has_a_part_of_its_own() {
        let parts: BTreeSet<PartName> = TOPICS.iter().map(|(name, _)| part(name)).collect();
        assert_eq!(parts.len(), TOPICS.len());
        let calls: BTreeSet<_> = CALLS.iter().map(|(method, path, _)| (method, path)).collect();
        assert_eq!(calls.len(), CALLS.len());
    }

    #[test]
    fn a_star_is_one_name() {
        assert!(of_call("GET", "/ros/slam/submaps/a/1/2/").is_some());
        assert!(of_call("GET", "ros/slam/submaps/a/1").is_none());
        assert!(of_call("GET", "device/params//").is_none());
        assert!(of_call("DELETE", "device/params/dev").is_none());
    }
}
