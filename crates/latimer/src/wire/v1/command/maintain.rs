//! What can be done to a robot's own parts.

use latimer_core::model::Maintenance;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What to do to the robot's own parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaintainAction {
    /// Measure the inertial sensor's bias anew, standing still.
    CalibrateImu,
    /// Measure the scale of the gyroscope anew, turning on the spot.
    CalibrateGyro,
    /// Forget the wheels' faults.
    ClearWheelFaults,
    /// Forget that the wheels slipped.
    ClearSlipping,
    /// Forget that it fell.
    ClearFall,
    /// Move the jack up and down to see whether it can.
    CheckJack,
    /// Forget the jack's faults.
    ClearJackFaults,
    /// Forget what stood in the way.
    ClearCosts,
    /// Switch the laser scanner on.
    LidarOn,
    /// Switch the laser scanner off.
    LidarOff,
}

impl From<MaintainAction> for Maintenance {
    fn from(action: MaintainAction) -> Self {
        match action {
            MaintainAction::CalibrateImu => Self::CalibrateImu,
            MaintainAction::CalibrateGyro => Self::CalibrateGyro,
            MaintainAction::ClearWheelFaults => Self::ClearWheelFaults,
            MaintainAction::ClearSlipping => Self::ClearSlipping,
            MaintainAction::ClearFall => Self::ClearFall,
            MaintainAction::CheckJack => Self::CheckJack,
            MaintainAction::ClearJackFaults => Self::ClearJackFaults,
            MaintainAction::ClearCosts => Self::ClearCosts,
            MaintainAction::LidarOn => Self::LidarOn,
            MaintainAction::LidarOff => Self::LidarOff,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_the_models() {
        for known in Maintenance::ALL {
            let read: MaintainAction = serde_json::from_value(known.as_str().into()).unwrap();
            assert_eq!(Maintenance::from(read), *known);
        }
    }
}
