//! Device, battery, lamp, serial port, skills, hazards, websockets and help.

use crate::misty::calls::Serial;
use crate::misty::rest::row::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row!(Get "websocket/version" GetWebsocketVersion in General: Information "get websocket version" -> String),
    row!(Get "battery" GetBatteryLevel in General: Information "get battery level" -> Battery),
    row!(Get "device" GetDeviceInformation in General: Information "get device information" -> Device),
    row!(Get "help" GetHelp in General: Information "get help" (text Command = Default::Text("")) -> Help),
    row!(Get "skills/running" GetRunningSkills in Skill: Information "get running skills" -> RunningSkills),
    row!(Get "serial" GetSerialSensorValues in General: Information "get serial sensor values" -> StringsByInterface),
    row!(Get "skills" GetSkills in Skill: Information "get skills" -> Skills),
    row!(Get "websockets" GetWebsocketNames as GetWebsocketHelp in General: Information "get websocket names"
        (text WebsocketClass = Default::Text("")) -> Websockets),
    row!(Get "hazards/settings" GetHazardSettings in Locomotion (Alpha): Information "get hazard settings" -> HazardSettings),
    row!(Post "websocket/version" SetWebsocketVersion in General: Configuration "set websocket version" (text Version) -> Boolean),
    Serial::ROWS[0],
    row!(Post "hazard/updatebasesettings" UpdateBaseHazardManagementSettings in Locomotion (Alpha): Configuration "update hazard settings"
        (flag RevertToDefault, flag DisableTimeOfFlights, flag DisableBumpSensors, flags BumpSensorsEnabled,
         doubles TimeOfFlightThresholds) -> Boolean),
    row!(Post "led" ChangeLED in General: Action "change LED" (byte Red, byte Green, byte Blue) -> CommandGroup),
];
