//! Why a drive was given up: the vendor's numbers, and their names.

use latimer_core::model::signal::{Navigation, NavigationFailure};

/// Numbers and names.
const NAMES: &[(i64, &str)] = &[
    (0, "None"),
    (1, "Unknown"),
    (2, "GetMapFailed"),
    (3, "StartingPointOutOfMap"),
    (4, "EndingPointOutOfMap"),
    (5, "StartingPointNotInGround"),
    (6, "EndingPointNotInGround"),
    (7, "StartingEqualEnding"),
    (8, "CalculateGlobalPathExtendedDataError"),
    (9, "CalculationFailed"),
    (10, "CalculationTimeout"),
    (11, "NoGlobalPath"),
    (12, "NotGrabStartIndexOnGlobalPath"),
    (13, "NotGrabEndIndexOnGlobalPath"),
    (14, "PlanningTimeout"),
    (15, "MoveTimeout"),
    (16, "ControlCostmapError"),
    (17, "PowerCableConnected"),
    (18, "RotateTimeout"),
    (100, "ChargeRetryCountExceeded"),
    (101, "ChargeDockDetectionError"),
    (102, "ChargeDockSignalError"),
    (103, "InvalidChargeDock"),
    (104, "AlreadyCharging"),
    (105, "NoChargeCurrent"),
    (200, "InvalidCabinetPos"),
    (201, "CabinetDetectionError"),
    (202, "NoDockWithConveyer"),
    (203, "NoApproachConveyer"),
    (300, "ElevatorPointOccupied"),
    (301, "ElevatorClosed"),
    (302, "ElevatorPointObscuredTimeout"),
    (303, "ElevatorPointOccupancyDetectionTimeout"),
    (304, "ElevatorEnterProgressUpdateTimeout"),
    (400, "InvalidTrackPoints"),
    (401, "TooFarFromStartOfTrack"),
    (500, "InvalidRackDetectionPos"),
    (501, "RackDetectionError"),
    (502, "RackRetryCountExceeded"),
    (503, "UnloadPointOccupied"),
    (504, "UnloadPointUnreachable"),
    (505, "RackMoved"),
    (506, "JackInUpState"),
    (507, "InvalidRackAreaId"),
    (508, "InvalidRackArea"),
    (509, "UnknownRackSpaceState"),
    (510, "NoRackInRackArea"),
    (511, "AlignFailedInRackArea"),
    (512, "NoFreeSpaceInRackArea"),
    (513, "FailedToUnloadInRackArea"),
    (600, "FollowFailed"),
    (700, "PoiDetectionError"),
    (701, "PoiUnreachable"),
    (702, "BarcodeDetectionError"),
    (1000, "PlatformAlertError"),
    (1001, "ServiceCallError"),
    (1002, "InternalError"),
    (1003, "MapChanged"),
    (1004, "MoveActionTypeDeprecated"),
];

/// Why a drive was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailReason {
    /// The number; 0 if it was not.
    pub code: i64,
    /// `Name - words`
    pub text: String,
    /// For a person to read.
    pub message: String,
}

impl FailReason {
    /// It was not given up.
    pub fn none() -> Self {
        Self { code: 0, text: "None - None".into(), message: String::new() }
    }

    /// Why a robot gave a drive up.
    pub fn of(navigation: &Navigation) -> Self {
        let Navigation { failure, failure_code, reason, .. } = navigation;
        let code = failure_code.filter(|code| *code != 0).unwrap_or_else(|| failure.map_or(1, code));
        let name = NAMES.iter().find(|(known, _)| *known == code).map_or("Unknown", |(_, name)| name);
        let words = failure.map_or_else(|| name.to_owned(), |failure| failure.as_str().replace('_', " "));
        let message = reason.clone().unwrap_or_else(|| words.clone());
        Self { code, text: format!("{name} - {}", reason.as_deref().unwrap_or(&words)), message }
    }
}

/// The nearest number for why a robot of any family gave up.
fn code(failure: NavigationFailure) -> i64 {
    match failure {
        NavigationFailure::GoalBlocked => 6,
        NavigationFailure::GoalOutside => 4,
        NavigationFailure::NoWay => 11,
        NavigationFailure::WayBlocked | NavigationFailure::DoorShut => 15,
        NavigationFailure::DockFailed => 100,
        NavigationFailure::NoCharger => 103,
        NavigationFailure::Lost | NavigationFailure::Disabled => 1000,
        NavigationFailure::NoRack => 501,
        NavigationFailure::TargetLost => 600,
        NavigationFailure::Other => 1,
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::{NavigationKind, NavigationState};

    use super::*;

    fn failed(failure: Option<NavigationFailure>, failure_code: Option<i64>) -> Navigation {
        Navigation {
            id: 1,
            kind: NavigationKind::Goto,
            state: NavigationState::Failed,
            failure,
            failure_code,
            reason: None,
            target: None,
            place: None,
            remaining_m: None,
            stuck: false,
            passed_points: None,
            flags: Vec::new(),
        }
    }

    #[test]
    fn every_failure_has_a_number_with_a_name() {
        for failure in NavigationFailure::ALL {
            let reason = FailReason::of(&failed(Some(*failure), None));
            assert!(reason.code > 0 && !reason.text.starts_with("None"), "{failure}: {reason:?}");
        }
    }

    #[test]
    fn the_robots_own_number_counts() {
        let reason = FailReason::of(&failed(Some(NavigationFailure::NoRack), Some(502)));
        assert_eq!((reason.code, reason.text.as_str()), (502, "RackRetryCountExceeded - no rack"));
        let mut told = failed(None, Some(501));
        told.reason = Some("Wrong rack size".into());
        assert_eq!(FailReason::of(&told).text, "RackDetectionError - Wrong rack size");
    }

    #[test]
    fn numbers_are_in_order() {
        assert!(NAMES.is_sorted_by_key(|(code, _)| *code));
    }
}
