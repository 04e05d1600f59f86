//! `core/control` and `core/config`, as far as they are acted on.

use latimer_core::Timestamp;
use latimer_core::model::{BehaviourDrive, Command, JointPosition, JointTarget};
use latimer_ros1::node::Incoming;

use super::Task;
use crate::miro::map::downstream::core::{Configured, configured_from_wire};
use crate::miro::map::downstream::{Control, JOINTS};
use crate::miro::messages::CoreConfig;
use crate::miro::messages::signals::UPDATE_SIGNALS;
use crate::miro::profile::JOINT_ROLES;
use crate::miro::topic::Topic;

impl Task {
    /// Whether a part of the robot's own behaviour is off, as far as the robot tells.
    fn is_off(&self, part: &str) -> bool {
        self.switches.iter().any(|it| &*it.part == part && !it.enabled)
    }

    /// A body move needs the part that moves the body.
    pub(super) fn without_body(&mut self, control: &mut Control) {
        if control.move_to.is_some() && self.is_off("body") {
            control.move_to = None;
            self.complain("body_move has no effect while MIRO_P2U_W_BODY_ENABLE of core/config is not set");
        }
    }

    /// Tells the robot what influences its behaviour.
    pub(super) fn influence(&mut self, drive: BehaviourDrive, came: Timestamp) {
        if !self.core_hold.is_due(&drive, came) {
            return;
        }
        self.look();
        let disinhibits = drive.actions.iter().any(|it| it.disinhibition != 0.0);
        if disinhibits && self.switches.iter().any(|it| &*it.part == "own_selection" && it.enabled) {
            self.complain("disinhibition of core/control has no effect unless MIRO_P2B_W_BRANCH_NO_SELECTION of core/config is set");
        }
        self.send(Command::BehaviourDrive(Box::new(drive)));
    }

    /// `core/config`.
    pub(super) fn core_config(&mut self, incoming: &Incoming) {
        let Some(message) = self.read::<CoreConfig>(Topic::CoreConfig, incoming) else { return };
        if message.msg_flags & UPDATE_SIGNALS == 0 {
            return self.complain("core/config has no effect without FLAG_UPDATE_SIGNALS in msg_flags");
        }
        let Configured { switches, resets, without_effect } = configured_from_wire(&message);
        if !without_effect.is_empty() {
            self.complain(&format!("{} of core/config have no effect here", without_effect.join("; ")));
        }
        self.look();
        if self.has_core() {
            self.switches.clone_from(&switches);
        }
        self.send(Command::BehaviourSwitches(switches));
        if resets && !self.body_reset {
            self.stand_neck();
        }
        self.body_reset = resets;
    }

    /// Whether the robot tells of parts that can be switched.
    fn has_core(&self) -> bool {
        !self.switches.is_empty()
    }

    /// Has the neck go back to how it stands at first.
    fn stand_neck(&mut self) {
        let joints = JOINTS.into_iter().zip(JOINT_ROLES);
        let target = |((_, degrees), role): ((&str, f64), _)| {
            let part = self.joint_map.profile.joint(role)?.clone();
            let position = JointPosition::angle(degrees.to_radians());
            Some(JointTarget { part, position, velocity_radps: None, duration: None })
        };
        let targets: Vec<JointTarget> = joints.filter_map(target).collect();
        if !targets.is_empty() {
            self.send(Command::Joints(targets));
        }
    }
}
