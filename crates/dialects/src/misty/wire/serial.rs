//! SerialMessage: text from the hardware on the robot's back.

use serde::{Deserialize, Serialize};

use super::Extra;

/// `sensorId` of the serial port.
pub const SERIAL_SENSOR_ID: &str = "string";

/// Section "SerialMessage". The specification has no sample.
///
/// Clients ask for the property `SerialMessage` and read `message` in what they get, so the text sits one level down.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SerialMessage {
    /// What came over the port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial_message: Option<SerialText>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `serialMessage`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SerialText {
    /// When it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Until when it is good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// The line, without its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// `string`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_id: Option<String>,
    /// Name of the port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_name: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}
