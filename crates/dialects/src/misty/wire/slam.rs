//! SlamStatus: where the mapping system stands, as a bit field with names.

use serde::{Deserialize, Serialize};

use super::{Extra, number::whole, words::words};

/// Section "SlamStatus". The whole body sits in one property.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SlamStatusMessage {
    /// The status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slam_status: Option<SlamStatus>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// State of mapping and localisation; also `slamStatus` in SelfState and the answer to `GET slam/status`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SlamStatus {
    /// State of the navigation system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_mode: Option<RunMode>,
    /// State of the depth sensor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_status: Option<SensorStatus>,
    /// Sum of [`SLAM_BITS`]; firmware of 2021 adds bits above those.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub status: Option<i64>,
    /// Names of the bits in `status`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status_list: Option<Vec<String>>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Name of `status` 0, when no bit is set.
pub const SLAM_UNINITIALIZED: &str = "Uninitialized";

/// The bits of `status` and their names, in the specification's spelling.
pub const SLAM_BITS: [(i64, &str); 16] = [
    (0x0001, "Initializing"),
    (0x0002, "Ready"),
    (0x0004, "Exploring"),
    (0x0008, "Tracking"),
    (0x0010, "Recording"),
    (0x0020, "Resetting"),
    (0x0040, "Rebooting"),
    (0x0080, "HasPose"),
    (0x0100, "LostPose"),
    (0x0200, "Exporting_Map"),
    (0x0400, "Error"),
    (0x0800, "Error_Sensor_Not_Connected"),
    (0x1000, "Error_Sensor_No_Permission"),
    (0x2000, "Error_Sensor_Cant_Open"),
    (0x4000, "Error_Error_Power_Down_Robot"),
    (0x8000, "Streaming"),
];

/// `statusList` for a `status`; bits without a name are left out.
pub fn slam_names_from_bits(status: i64) -> Vec<&'static str> {
    if status == 0 {
        return vec![SLAM_UNINITIALIZED];
    }
    SLAM_BITS.iter().filter(|(bit, _)| status & bit != 0).map(|&(_, name)| name).collect()
}

/// `status` for a `statusList`, in any case; unknown names count nothing.
pub fn slam_bits_from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> i64 {
    let bit = |name: &str| SLAM_BITS.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
    names.into_iter().filter_map(bit).fold(0, |status, (bit, _)| status | bit)
}

words! {
    /// `runMode`: what the navigation system is doing.
    RunMode {
        Uninitialized = "Uninitialized",
        Tracking = "Tracking",
        Exploring = "Exploring",
        Relocalizing = "Relocalizing",
        Paused = "Paused",
        ExportingScene = "ExportingScene",
        NeedMoreMotionToInitMap = "NeedMoreMotionToInitMap",
        NotAvailable = "NotAvailable",
    }
}

words! {
    /// `sensorStatus`: what the depth sensor is doing.
    SensorStatus {
        Uninitialized = "Uninitialized",
        Connected = "Connected",
        Booting = "Booting",
        Ready = "Ready",
        Disconnected = "Disconnected",
        Error = "Error",
        UsbError = "USBError",
        LowPowerMode = "LowPowerMode",
        RecoveryMode = "RecoveryMode",
        ProdDataCorrupt = "ProdDataCorrupt",
        CalibMissingOrInvalid = "CalibMissingOrInvalid",
        FwVersionMismatch = "FWVersionMismatch",
        FwUpdate = "FWUpdate",
        FwUpdateComplete = "FWUpdateComplete",
        FwUpdateFailed = "FWUpdateFailed",
        FwCorrupt = "FWCorrupt",
        EndOfFile = "EndOfFile",
        UsbDriverNotInstalled = "USBDriverNotInstalled",
        Streaming = "Streaming",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specifications_example_reads_both_ways() {
        let names = ["Exploring", "LostPose", "Streaming"];
        assert_eq!(slam_names_from_bits(33028), names);
        assert_eq!(slam_bits_from_names(names), 33028);
    }

    #[test]
    fn nothing_is_uninitialized_and_back() {
        assert_eq!(slam_names_from_bits(0), ["Uninitialized"]);
        assert_eq!(slam_bits_from_names(["Uninitialized", "NoSuchBit"]), 0);
    }

    #[test]
    fn every_bit_comes_back() {
        for (bit, name) in SLAM_BITS {
            assert_eq!(slam_names_from_bits(bit), [name]);
            assert_eq!(slam_bits_from_names([name]), bit);
        }
        assert_eq!(slam_names_from_bits(0x1_0002), ["Ready"]);
    }
}
