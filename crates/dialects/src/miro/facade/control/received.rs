//! What each topic's messages ask for.

use latimer_core::Timestamp;
use latimer_core::model::{BehaviourDrive, Command};
use latimer_ros1::msgs::geometry_msgs::Twist;
use latimer_ros1::node::Incoming;
use serde::de::DeserializeOwned;

use super::Task;
use super::sync_pair::Due;
use crate::describe::Call as _;
use crate::miro::calls::StopSound;
use crate::miro::map::downstream::core::drive_from_wire;
use crate::miro::map::downstream::{
    Control, camera_from_config, control_from_wire, cosmetics_from_shares, lamps_from_numbers,
};
use crate::miro::messages::signals::{bridge, sync};
use crate::miro::messages::{
    BridgeConfig, BridgeStream, CoreControl, Numbers, PlatformConfig, PlatformControl, Shares,
};
use crate::miro::topic::Topic;

impl Task {
    /// A message as a struct; one that is none is logged.
    pub(super) fn read<T: DeserializeOwned>(&mut self, topic: Topic, incoming: &Incoming) -> Option<T> {
        // A stop before this message does not concern what it asks for.
        self.mind_stops();
        match incoming.decode() {
            Ok(message) => Some(message),
            Err(error) => {
                self.complain(&format!(
                    "a message of {topic} from {} is not understood: {error}",
                    incoming.caller
                ));
                None
            }
        }
    }

    pub(super) fn control(&mut self, incoming: &Incoming) {
        let Some(message) = self.read::<PlatformControl>(Topic::Control, incoming) else { return };
        let (control, now) = (control_from_wire(&message), self.now());
        if self.idle_streams.is_idle(&incoming.caller, control.asks_nothing(), now) {
            return;
        }
        if control.paired {
            let due = self.sync_pair.platform(control, now);
            due.into_iter().for_each(|due| self.take(due));
            self.step();
        } else {
            self.flush_waiting();
            self.obey(control, now);
        }
    }

    /// A message that waits for its other half is older than this one, and would undo it later.
    fn flush_waiting(&mut self) {
        if let Some(due) = self.sync_pair.flush_platform() {
            self.take(due);
        }
    }

    pub(super) fn core(&mut self, incoming: &Incoming) {
        let Some(message) = self.read::<CoreControl>(Topic::CoreControl, incoming) else { return };
        let (drive, wrong) = drive_from_wire(&message);
        wrong.iter().for_each(|reason| self.complain(reason));
        let both = sync::PLATFORM | sync::CORE;
        let now = self.now();
        if message.msg_flags & both == both {
            let due = self.sync_pair.core(drive, now);
            due.into_iter().for_each(|due| self.take(due));
        } else {
            if let Some(due) = self.sync_pair.flush_core() {
                self.take(due);
            }
            self.take(Due::Core(drive, now));
        }
        self.step();
    }

    /// Acts on a message that waits for no other.
    pub(super) fn take(&mut self, due: Due<Control, BehaviourDrive>) {
        match due {
            Due::Platform(mut control, came) => {
                self.look();
                self.without_body(&mut control);
                self.command_hold.receive(&control, came);
            }
            Due::Core(drive, came) => self.influence(drive, came),
        }
    }

    fn obey(&mut self, control: Control, came: Timestamp) {
        self.take(Due::Platform(control, came));
        self.step();
    }

    pub(super) fn cmd_vel(&mut self, incoming: &Incoming) {
        let Some(Twist { linear, angular }) = self.read(Topic::CmdVel, incoming) else { return };
        if !(linear.x.is_finite() && angular.z.is_finite()) {
            return self.complain("a speed of control/cmd_vel is no number; it was left alone");
        }
        let speeds = (linear.x != 0.0 || angular.z != 0.0).then_some((linear.x, angular.z));
        if self.idle_streams.is_idle(&incoming.caller, speeds.is_none(), self.now()) {
            return;
        }
        self.flush_waiting();
        self.look();
        self.command_hold.drive_at(speeds, self.now());
        self.step();
    }

    pub(super) fn lights(&mut self, incoming: &Incoming) {
        let Some(Numbers { data }) = self.read(Topic::ControlLights, incoming) else { return };
        match lamps_from_numbers(&data) {
            Ok(lamps) => {
                self.flush_waiting();
                self.look();
                self.command_hold.light_at(lamps, self.now());
                self.step();
            }
            Err(error) => self.complain(&error.to_string()),
        }
    }

    pub(super) fn cosmetic_joints(&mut self, incoming: &Incoming) {
        let Some(Shares { data }) = self.read(Topic::CosmeticJoints, incoming) else { return };
        match cosmetics_from_shares(&data) {
            Ok(cosmetics) => {
                self.flush_waiting();
                self.look();
                self.command_hold.show(cosmetics, self.now());
                self.step();
            }
            Err(error) => self.complain(&error.to_string()),
        }
    }

    pub(super) fn config(&mut self, incoming: &Incoming) {
        let Some(message) = self.read::<PlatformConfig>(Topic::Config, incoming) else { return };
        let (settings, wrong) = camera_from_config(&message);
        wrong.iter().for_each(|reason| self.complain(reason));
        if let Some(settings) = settings {
            self.send(Command::Camera(settings));
        }
    }

    pub(super) fn stream(&mut self, incoming: &Incoming) {
        let Some(BridgeStream { header: _, sound_index_P3 }) = self.read(Topic::BridgeStream, incoming)
        else {
            return;
        };
        self.play(sound_index_P3);
    }

    /// Plays a sound of the bridge, by its number.
    fn play(&mut self, number: i32) {
        if !self.debounce.is_raised(number, self.now()) {
            return;
        }
        let sounds = self.member.sounds.clone();
        let named = usize::try_from(number).ok().and_then(|number| sounds.get(number.checked_sub(1)?));
        match (number, named) {
            (0, _) => {}
            (-1, _) => match (StopSound {}).command() {
                Ok(stop) => self.send(stop),
                Err(error) => self.complain(&error.to_string()),
            },
            (_, Some(name)) => {
                self.look();
                self.send(self.joint_map.streamed(name));
            }
            (number, None) => self.complain(&format!(
                "sound_index_P3 is {number}; {} sounds are loaded (key miro.sounds), 0 changes nothing, -1 stops",
                sounds.len()
            )),
        }
    }

    pub(super) fn bridge_config(&mut self, incoming: &Incoming) {
        let Some(BridgeConfig { header: _, flags, sound_index_P3 }) =
            self.read(Topic::BridgeConfig, incoming)
        else {
            return;
        };
        if flags & bridge::UPDATE != 0 {
            self.without = (flags & bridge::NO_PUBLISH_MICS != 0, flags & bridge::NO_PUBLISH_CAMS != 0);
        }
        // Nothing said here puts down what a stream has raised.
        if sound_index_P3 != 0 {
            self.play(sound_index_P3);
        }
    }
}
