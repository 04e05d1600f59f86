//! Why a move failed: the vendor's numbers and names for it, beside the model's words.

use latimer_core::model::signal::NavigationFailure;

use NavigationFailure as Failure;

/// Number, name, and what it is here. The first of each failure is the one that is written for it.
const REASONS: &[(i64, &str, Failure)] = &[
    (1, "unknown", Failure::Other),
    (2, "get_map_failed", Failure::Other),
    (3, "starting_point_out_of_map", Failure::Lost),
    (4, "ending_point_out_of_map", Failure::GoalOutside),
    (5, "starting_point_not_in_ground", Failure::NoWay),
    (6, "ending_point_not_in_ground", Failure::GoalBlocked),
    (7, "starting_equal_ending", Failure::Other),
    (8, "calculate_global_path_extended_data_error", Failure::Other),
    (9, "calculation_failed", Failure::NoWay),
    (10, "calculation_timeout", Failure::NoWay),
    (11, "no_global_path", Failure::NoWay),
    (12, "not_grab_start_index_on_global_path", Failure::Other),
    (13, "not_grab_end_index_on_global_path", Failure::Other),
    (14, "planning_timeout", Failure::WayBlocked),
    (15, "move_timeout", Failure::WayBlocked),
    (16, "control_costmap_error", Failure::Other),
    (17, "power_cable_connected", Failure::Disabled),
    (18, "rotate_timeout", Failure::WayBlocked),
    (100, "charge_retry_count_exceeded", Failure::DockFailed),
    (101, "charge_dock_detection_error", Failure::NoCharger),
    (102, "charge_dock_signal_error", Failure::DockFailed),
    (103, "invalid_charge_dock", Failure::NoCharger),
    (104, "already_charging", Failure::Other),
    (105, "no_charge_current", Failure::DockFailed),
    (200, "invalid_cabinet_pos", Failure::Other),
    (201, "cabinet_detection_error", Failure::Other),
    (202, "no_dock_with_conveyer", Failure::DockFailed),
    (203, "no_approach_conveyer", Failure::DockFailed),
    (300, "elevator_point_occupied", Failure::GoalBlocked),
    (301, "elevator_closed", Failure::DoorShut),
    (302, "elevator_point_obscured_timeout", Failure::GoalBlocked),
    (303, "elevator_point_occupancy_detection_timeout", Failure::GoalBlocked),
    (304, "elevator_enter_progress_update_timeout", Failure::WayBlocked),
    (400, "invalid_track_points", Failure::Other),
    (401, "too_far_from_start_of_track", Failure::Other),
    (500, "invalid_rack_detection_pos", Failure::NoRack),
    (501, "rack_detection_error", Failure::NoRack),
    (502, "rack_retry_count_exceeded", Failure::NoRack),
    (503, "unload_point_occupied", Failure::GoalBlocked),
    (504, "unload_point_unreachable", Failure::NoWay),
    (505, "rack_moved", Failure::NoRack),
    (506, "jack_in_up_state", Failure::Other),
    (507, "invalid_rack_area_id", Failure::Other),
    (508, "invalid_rack_area", Failure::Other),
    (509, "unknown_rack_space_state", Failure::Other),
    (510, "no_rack_in_rack_area", Failure::NoRack),
    (511, "align_failed_in_rack_area", Failure::NoRack),
    (512, "no_free_space_in_rack_area", Failure::GoalBlocked),
    (513, "failed_to_unload_in_rack_area", Failure::Other),
    (600, "follow_failed", Failure::TargetLost),
    (700, "poi_detection_error", Failure::Other),
    (701, "poi_unreachable", Failure::NoWay),
    (702, "barcode_detection_error", Failure::Other),
    (1000, "platform_alert_error", Failure::Disabled),
    (1001, "service_call_error", Failure::Other),
    (1002, "internal_error", Failure::Other),
    (1003, "map_changed", Failure::Other),
    (1004, "move_action_type_deprecated", Failure::Other),
];

/// The numbers that are not the first of their failure, but fit it best when nothing more is known.
const BEST: [(Failure, i64); 4] =
    [(Failure::NoWay, 9), (Failure::WayBlocked, 15), (Failure::NoRack, 501), (Failure::Disabled, 1000)];

/// The number of what did not fail, and its name.
pub(in crate::axbot) const NONE: (i64, &str) = (0, "none");

/// The vendor's number and name for a failure.
pub(in crate::axbot) fn code_and_word(failure: NavigationFailure) -> (i64, &'static str) {
    let best = BEST.iter().find(|(of, _)| *of == failure).map(|(_, code)| *code);
    let fits = |(code, _, of): &&(i64, &str, Failure)| best.map_or(*of == failure, |best| best == *code);
    let unknown = || REASONS.iter().find(|(_, _, of)| *of == Failure::Other);
    REASONS.iter().find(fits).or_else(unknown).map_or(NONE, |(code, word, _)| (*code, *word))
}

/// What a number means.
pub(in crate::axbot) fn failure_from_code(code: i64) -> NavigationFailure {
    REASONS.iter().find(|(known, ..)| *known == code).map_or(Failure::Other, |(.., failure)| *failure)
}

/// The vendor's name for a number.
pub(in crate::axbot) fn word_from_code(code: i64) -> Option<&'static str> {
    REASONS.iter().find(|(known, ..)| *known == code).map(|(_, word, _)| *word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_a_number_that_means_it() {
        // The vendor has no number for a robot that the gateway lost.
        assert_eq!(code_and_word(Failure::OutOfReach), (1, "unknown"));
        for failure in Failure::ALL.iter().filter(|it| **it != Failure::OutOfReach) {
            let (code, word) = code_and_word(*failure);
            assert_eq!(failure_from_code(code), *failure);
            assert_eq!(word_from_code(code), Some(word));
        }
        assert_eq!(code_and_word(Failure::NoWay), (9, "calculation_failed"));
        assert_eq!(failure_from_code(424_242), Failure::Other);
    }

    #[test]
    fn numbers_ascend() {
        assert!(REASONS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
