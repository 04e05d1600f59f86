//! `/tracked_pose`, `/odom_state`, `/global_positioning_state`: where the robot is and how far that is trusted.

use latimer_core::model::signal::{Odometry, Pose, Relocation, RelocationState};
use latimer_core::{Stamp, Timestamp};

use super::Heard;
use super::units::{counts, finite, flat_pose, pose_from_map, pose_in_map};
use super::words::{meaning_of, word_of};
use crate::axbot::style::Score as ScoreStyle;
use crate::axbot::wire::localization::{GlobalPositioningState, OdomState, TrackedPose};
use crate::axbot::wire::{Extra, Pose as WirePose, Score};

pub(in crate::axbot) const SEARCHES: [(&str, RelocationState); 4] = [
    ("unknown", RelocationState::Idle),
    ("running", RelocationState::Running),
    ("succeeded", RelocationState::Succeeded),
    ("failed", RelocationState::Failed),
];

/// Where the robot is; nothing if position or heading is missing.
pub(super) fn heard_from_tracked_pose(message: &TrackedPose, received: Timestamp) -> Option<Heard> {
    let TrackedPose { pos, ori, cov: _, quat: _, extra: _ } = message;
    let pose = pose_in_map(&WirePose { pos: *pos, ori: *ori, extra: Extra::new() })?;
    Some(Heard::new(None, Stamp::gateway(received), pose))
}

/// Where the robot is; `None` if that is not on the map, of a robot that may have one.
pub(super) fn tracked_pose(pose: &Pose, mapless: bool) -> Option<TrackedPose> {
    let WirePose { pos, ori, extra } = counts(pose.frame, mapless).then(|| flat_pose(pose)).flatten()?;
    Some(TrackedPose { pos, ori, cov: None, quat: None, extra })
}

/// How far dead reckoning is trusted.
pub(super) fn heard_from_odom_state(message: &OdomState, received: Timestamp) -> Heard {
    let OdomState { lidar_odom_reliable, lidar_odom_cov, extra: _ } = message;
    let odometry = Odometry {
        reliable: *lidar_odom_reliable,
        covariance_m2: lidar_odom_cov.clone().unwrap_or_default(),
    };
    Heard::new(None, Stamp::gateway(received), odometry)
}

/// How far dead reckoning is trusted.
pub(super) fn odom_state(odometry: &Odometry) -> OdomState {
    let Odometry { reliable, covariance_m2 } = odometry;
    let covariance: Vec<f64> = covariance_m2.iter().copied().filter_map(finite).collect();
    // With one of the numbers left out the others would stand in wrong places.
    let whole = !covariance.is_empty() && covariance.len() == covariance_m2.len();
    OdomState {
        lidar_odom_reliable: *reliable,
        lidar_odom_cov: whole.then_some(covariance),
        extra: Extra::new(),
    }
}

/// How a search stands; nothing if that is not said.
pub(super) fn heard_from_global_positioning(
    message: &GlobalPositioningState,
    received: Timestamp,
) -> Option<Heard> {
    let GlobalPositioningState { state, score, needs_confirmation, pose, message, extra: _ } = message;
    let relocation = Relocation {
        state: meaning_of(&SEARCHES, state.as_deref()?)?,
        score_percent: score.as_ref().and_then(Score::number),
        needs_confirmation: *needs_confirmation,
        pose: pose.as_ref().and_then(pose_in_map),
        message: message.clone(),
    };
    Some(Heard::new(None, Stamp::gateway(received), relocation))
}

/// How a search stands.
pub(super) fn global_positioning(relocation: &Relocation, style: ScoreStyle) -> GlobalPositioningState {
    let Relocation { state, score_percent, needs_confirmation, pose, message } = relocation;
    let score = score_percent.and_then(finite).map(|score| match style {
        ScoreStyle::Text => Score::Text(score.to_string()),
        ScoreStyle::Number => Score::Number(score),
    });
    GlobalPositioningState {
        state: word_of(&SEARCHES, state).map(str::to_owned),
        score,
        needs_confirmation: *needs_confirmation,
        pose: pose.as_ref().and_then(pose_from_map),
        message: message.clone(),
        extra: Extra::new(),
    }
}
