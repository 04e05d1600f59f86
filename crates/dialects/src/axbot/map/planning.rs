//! `/planning_state`.
//!
//! | wire | model |
//! |---|---|
//! | `map_uid` | the map of the robot, written only |
//! | `action_id`, `action_type`, `move_state` | `id`, `kind`, `state` |
//! | `fail_reason`, `fail_reason_str`, valid if it failed | `failure`, `failure_code`, `reason` |
//! | `target_poses`, the last of them, and `intent_target_pose` | `target` |
//! | `stuck_state` | `stuck`, and its word among `flags` |
//! | `in_elevator`, `viewport_blocked` and others that are true | words among `flags` |

use std::sync::Arc;

use latimer_core::model::signal::{Navigation, NavigationKind, NavigationState};
use latimer_core::{Stamp, Timestamp};

use super::fail_reasons::{self, code_and_word, failure_from_code, word_from_code};
use super::units::{finite, pose_from_map, pose_in_map};
use super::{Known, Received};
use crate::axbot::messages::drive::{KINDS, PlanningState, STATES};
use crate::axbot::wire::Extra;
use crate::describe::{Incomplete, need};

/// `StuckState` of one that is not stuck.
const NOT_STUCK: &str = "none";

/// `StuckState` of one of which no more is known.
const MOVE_STUCK: &str = "move_stucked";

/// `StuckState` of one that cannot turn.
const SPIN_STUCK: &str = "target_spin_stucked";

/// How a drive stands; nothing if that or its number is missing.
pub(super) fn received_from_planning_state(
    message: &PlanningState,
    received: Timestamp,
) -> Result<Received, Incomplete> {
    let PlanningState {
        map_uid: _,
        action_id,
        action_type,
        move_state,
        fail_reason,
        fail_reason_str,
        remaining_distance,
        target_poses,
        move_intent,
        intent_target_pose: _,
        stuck_state,
        in_elevator,
        viewport_blocked,
        is_waiting_for_dest,
        docking_with_conveyer,
        given_route_passed_point_count,
        charger_pose: _,
        going_back_to_charger,
        waiting_for_charge,
        creator: _,
        extra: _,
    } = message;
    let state = move_state.as_deref().and_then(|word| STATES.meaning(word));
    let state = need(state, "move_state")?;
    let code = fail_reason.filter(|_| state == NavigationState::Failed);
    let reason = fail_reason_str.as_ref().filter(|_| state == NavigationState::Failed);
    let stuck = stuck_state.as_deref().filter(|word| !word.is_empty() && *word != NOT_STUCK);
    let flags = [
        ("in_elevator", in_elevator),
        ("viewport_blocked", viewport_blocked),
        ("is_waiting_for_dest", is_waiting_for_dest),
        ("docking_with_conveyer", docking_with_conveyer),
        ("going_back_to_charger", going_back_to_charger),
        ("waiting_for_charge", waiting_for_charge),
    ];
    let flags = flags.into_iter().filter(|(_, is)| **is == Some(true)).map(|(word, _)| word);
    // Robots before 2.5.2 have the older key only.
    let kind = action_type.as_deref().or(move_intent.as_deref());
    let navigation = Navigation {
        id: need(*action_id, "action_id")?,
        kind: kind.and_then(|kind| KINDS.meaning(kind)).unwrap_or(NavigationKind::Other),
        state,
        failure: code.map(failure_from_code),
        failure_code: code,
        reason: reason.cloned(),
        target: target_poses.as_deref().and_then(|poses| poses.last()).and_then(pose_in_map),
        place: None,
        remaining_m: *remaining_distance,
        stuck: stuck.is_some(),
        passed_points: given_route_passed_point_count.and_then(|count| u32::try_from(count).ok()),
        flags: stuck.into_iter().chain(flags).map(Arc::from).collect(),
    };
    Ok(Received::new(None, Stamp::gateway(received), navigation))
}

/// How a drive stands.
pub(super) fn planning_state(navigation: &Navigation, known: &Known<'_>) -> PlanningState {
    let Navigation {
        id,
        kind,
        state,
        failure,
        failure_code,
        reason,
        target,
        place: _,
        remaining_m,
        stuck,
        passed_points,
        flags,
    } = navigation;
    let flag = |word: &str| flags.iter().any(|flag| **flag == *word).then_some(true);
    let (fail_reason, fail_reason_str) = match (state, failure, failure_code) {
        (NavigationState::Failed, _, Some(code)) => (*code, word_from_code(*code)),
        (NavigationState::Failed, Some(failure), None) => {
            let (code, word) = code_and_word(*failure);
            (code, Some(word))
        }
        (NavigationState::Failed, None, None) => {
            let (code, word) = code_and_word(latimer_core::model::signal::NavigationFailure::Other);
            (code, Some(word))
        }
        _ => (fail_reasons::NONE.0, Some(fail_reasons::NONE.1)),
    };
    let target_pose = target.as_ref().and_then(pose_from_map);
    let reason = reason.as_deref().filter(|_| *state == NavigationState::Failed);
    let stuck_word = match (stuck, flag(SPIN_STUCK)) {
        (false, _) => NOT_STUCK,
        (true, None) => MOVE_STUCK,
        (true, Some(_)) => SPIN_STUCK,
    };
    PlanningState {
        map_uid: known.map.and_then(|map| map.uid.clone()),
        action_id: Some(*id),
        action_type: KINDS.word(kind).map(str::to_owned),
        move_state: STATES.word(state).map(str::to_owned),
        fail_reason: Some(fail_reason),
        fail_reason_str: reason.or(fail_reason_str).map(str::to_owned),
        remaining_distance: remaining_m.and_then(finite),
        target_poses: Some(target_pose.iter().cloned().collect()),
        // The specification shows it empty: `action_type` came in its place.
        move_intent: Some(String::new()),
        intent_target_pose: target_pose,
        stuck_state: Some(stuck_word.to_owned()),
        in_elevator: flag("in_elevator"),
        viewport_blocked: flag("viewport_blocked"),
        is_waiting_for_dest: flag("is_waiting_for_dest"),
        docking_with_conveyer: flag("docking_with_conveyer"),
        given_route_passed_point_count: passed_points.map(i64::from),
        charger_pose: None,
        going_back_to_charger: flag("going_back_to_charger"),
        waiting_for_charge: flag("waiting_for_charge"),
        creator: None,
        extra: Extra::new(),
    }
}
