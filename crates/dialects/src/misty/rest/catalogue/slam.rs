//! Mapping, tracking and streaming.

use crate::misty::rest::row::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row!(Get "slam/status" GetSlamStatus as SlamGetStatus in SLAM (Alpha): Information "get SLAM status" -> SlamStatus),
    row!(Post "slam/streaming/stop" StopSlamStreaming as SlamStopStreaming in SLAM: Action "stop SLAM streaming" -> Boolean),
    row!(Post "slam/reset" ResetSlam as SlamReset in SLAM (Alpha): Configuration "reset SLAM" -> Boolean),
    row!(Post "slam/map/start" StartMapping as SlamStartMapping in SLAM (Alpha): Action "start mapping" -> Boolean),
    row!(Post "slam/streaming/start" StartSlamStreaming as SlamStartStreaming in SLAM: Action "start SLAM streaming" -> Boolean),
    row!(Post "slam/track/start" StartTracking as SlamStartTracking in SLAM (Alpha): Action "start tracking" -> Boolean),
    row!(Post "slam/map/stop" StopMapping as SlamStopMapping in SLAM (Alpha): Action "stop mapping" -> Boolean),
    row!(Post "slam/track/stop" StopSlamTracking as SlamStopTracking in SLAM (Alpha): Action "stop tracking" -> Boolean),
];
