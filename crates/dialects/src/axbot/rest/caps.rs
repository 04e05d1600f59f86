//! What a robot says that it can do, in the vendor's words. Only what it really can is `true`.

use serde_json::{Map, Value};

use super::moves::MoveType;

/// What is known of a robot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// Its faults are cleared and its sensors recalibrated by request.
    pub maintains: bool,
    /// It takes pictures of cameras beside it.
    pub takes_pictures: bool,
    /// It drives somewhere by itself.
    pub navigates: bool,
    /// It drives along lines, and after somebody.
    pub follows: bool,
    /// It calls lifts and drives into them.
    pub rides: bool,
    /// It has maps that can be listed, changed and made.
    pub maps: bool,
    /// It tells who drives, and takes that.
    pub control: bool,
    /// It tells whether its sensors sleep.
    pub sleeps: bool,
    /// It has a jack.
    pub jack: bool,
    /// It has a roller.
    pub roller: bool,
    /// It has a camera that the topics tell.
    pub camera: bool,
    /// It makes out things on pictures.
    pub vision: bool,
    /// It tells what stands in the way.
    pub costs: bool,
    /// It tells the way that it really drives.
    pub local_path: bool,
    /// It reads codes.
    pub barcodes: bool,
    /// It tells its outline.
    pub footprint: bool,
    /// It shows what it is about to do.
    pub indicators: bool,
    /// It tells how fast it drives at most.
    pub limits: bool,
    /// It makes out racks.
    pub racks: bool,
}

impl Abilities {
    /// A robot that can do everything.
    pub const ALL: Self = Self {
        maintains: true,
        takes_pictures: true,
        navigates: true,
        follows: true,
        rides: true,
        maps: true,
        control: true,
        sleeps: true,
        jack: true,
        roller: true,
        camera: true,
        vision: true,
        costs: true,
        local_path: true,
        barcodes: true,
        footprint: true,
        indicators: true,
        limits: true,
        racks: true,
    };
}

impl Abilities {
    /// The drives that it can be asked for.
    pub fn moves(&self) -> Vec<MoveType> {
        if !self.navigates {
            return Vec::new();
        }
        let can = |it: &MoveType| {
            (self.jack || !it.needs_jack()) && (self.follows || !it.follows()) && (self.rides || !it.rides())
        };
        MoveType::ALL.into_iter().filter(can).collect()
    }

    /// The vendor's flags.
    pub fn caps(&self) -> Value {
        let caps = [
            // What the gateway itself does for every robot.
            ("supportsWsV2", true),
            ("supportsEnableTopicList", true),
            ("supportsRestartService", true),
            ("supportsStepTime", true),
            ("supportsSensorList", true),
            ("supportsSetControlModeService", true),
            // What depends on the robot.
            ("supportsSetEmergencyStopService", true),
            ("supportsWheelStateTopic", self.control),
            ("supportsWakeUpDevice", self.sleeps),
            ("supportsImuRecalibrateService", self.maintains),
            ("supportsGyroscopeScaleCalibration", self.maintains),
            ("supportsResetOccupancyGridService", self.costs),
            ("supportsRgbCamera", self.camera),
            ("supportsGetRgbImage", self.camera),
            ("supportsExternalRgbCamera", self.takes_pictures),
            ("supportsVisionBasedDetector", self.vision),
            ("supportsCachedTopics", self.maps),
            ("supportsGetNavThumbnail", self.maps),
            ("supportsLocalPath", self.local_path),
            ("supportsBarcodeGp", self.barcodes),
            ("supportsFollowTarget", self.navigates && self.follows),
            ("supportsJack", self.jack),
            ("supportsJackCheck", self.jack),
            ("supportsCrawling", self.navigates && self.jack),
            ("supportsDynamicFootprints", self.jack && self.footprint),
            ("supportsRobotSignal", self.indicators),
            ("supportsSystemSettings", self.limits),
            ("noManualMode", !self.control),
            // What no robot can here.
            ("supportsShutdownService", false),
            ("supportsImuRecalibrationFeedback", false),
            ("supportsInitialPositionAdjustment", false),
            ("supportsIncrementalMapping", false),
            ("supportsAppStore", false),
            ("supportsBags", false),
            ("supportsBagPlayer", false),
            ("supportsUsbDevices", false),
            ("supportsGetNavThumbnail", false),
            ("supportsForklift", false),
            ("supportsTowing", false),
        ];
        Value::Object(
            caps.into_iter().map(|(name, can)| (name.to_owned(), Value::Bool(can))).collect::<Map<_, _>>(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robot_without_a_jack_says_so() {
        let plain = Abilities { navigates: true, follows: true, ..Abilities::default() };
        assert_eq!(plain.caps()["supportsJack"], false);
        assert_eq!(plain.caps()["supportsFollowTarget"], true);
        assert!(!plain.moves().contains(&MoveType::AlignWithRack));
        assert!(!plain.moves().contains(&MoveType::EnterElevator));
        let jack = Abilities { jack: true, rides: true, ..plain };
        assert_eq!(jack.caps()["supportsJack"], true);
        assert_eq!(jack.moves(), MoveType::ALL);
    }

    #[test]
    fn a_robot_that_drives_to_points_only_says_so() {
        let plain = Abilities { navigates: true, ..Abilities::default() };
        assert_eq!(plain.caps()["supportsFollowTarget"], false);
        assert_eq!(plain.moves(), [MoveType::Standard, MoveType::Charge]);
    }

    #[test]
    fn a_robot_that_cannot_navigate_does_no_moves() {
        assert!(Abilities { jack: true, ..Abilities::default() }.moves().is_empty());
        assert_eq!(Abilities::default().caps()["supportsFollowTarget"], false);
        assert_eq!(Abilities::default().caps()["supportsWsV2"], true);
    }
}
