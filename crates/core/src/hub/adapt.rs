//! Commands of programs that were written for another make of robot, in the parts and modes of the robot that gets them.

use super::robots::RobotEntry;
use super::{Hub, RobotInfo};
use crate::authority::Bounded;
use crate::model::profile::Ability;
use crate::model::signal::{Control, ControlMode, LocalizationState};
use crate::model::{
    Author, Command, JointTarget, Kind, LocalizationCommand, MotionEffect, PartName, RobotProfile, Signal,
};

/// A command as a robot takes it.
pub(super) struct Adapted {
    /// What has to come before it.
    pub(super) before: Option<Command>,
    pub(super) command: Bounded,
    /// What was left out of it.
    pub(super) note: Option<String>,
}

impl Hub {
    /// A command with the robot's own names for joints and lamps, and in the control mode that it needs, if the author's dialect has no
    /// call for that.
    pub(super) fn adapt(&self, entry: &RobotEntry, author: &Author, command: Bounded) -> Adapted {
        let before = self.mode_before(entry, author, &command);
        let profile = &entry.info.profile;
        let (command, note) = command.renamed(|command| match command {
            Command::Joints(targets) => self.own_joints(profile, targets),
            Command::Lamp { part, rgb } => (Command::Lamp { part: own_lamp(profile, part), rgb }, None),
            Command::Play { name, volume_ratio } => {
                let own = self.own_sound(entry, author.dialect, &name);
                let note =
                    own.as_ref().map(|own| format!("the robot has no sound {name}; {own} stands in for it"));
                entry.plays(own.as_deref(), &name);
                (Command::Play { name: own.unwrap_or(name), volume_ratio }, note)
            }
            command => (command, None),
        });
        Adapted { before, command, note }
    }

    /// Whether a command is done without the robot: one that has no control modes can be driven in any, and one of another make that
    /// knows where it is on its map need not begin to look for that.
    pub(super) fn is_done(&self, entry: &RobotEntry, author: &Author, command: &Command) -> bool {
        let profile = &entry.info.profile;
        match command {
            Command::ControlMode(ControlMode::Auto | ControlMode::Remote) => {
                let has_modes = profile.can(Ability::ChangeMode)
                    || profile.kinds.is_empty()
                    || profile.kinds.contains(Kind::Control);
                !has_modes
            }
            Command::Localization(LocalizationCommand::Tracking(true)) => {
                let known = self.last(&entry.info.robot, Kind::Localization, None);
                let tracks = known.is_some_and(|it| match &it.signal {
                    Signal::Localization(it) => {
                        it.state == LocalizationState::Tracking && it.has_pose == Some(true)
                    }
                    _ => false,
                });
                tracks && self.family(&entry.info.robot) != Some(author.dialect)
            }
            _ => false,
        }
    }

    /// The sound that stands in for one that programs of a dialect know and a robot of another family lacks: the one at the same place of
    /// its list, which begins anew where it ends. What sounds express, their names do not say in one way for all makes.
    fn own_sound(&self, entry: &RobotEntry, dialect: &str, name: &str) -> Option<String> {
        let RobotInfo { robot, family, profile, .. } = &entry.info;
        if *family == dialect {
            return None;
        }
        let is_it = |it: &String| it.eq_ignore_ascii_case(name);
        let vocabulary = self.vocabulary();
        let place = vocabulary.of(dialect)?.sounds.iter().position(is_it)?;
        let listed = self.last(robot, Kind::Library, None);
        let own = match listed.as_ref().map(|it| &it.signal) {
            Some(Signal::Library(library)) if !library.sounds.is_empty() => &library.sounds,
            _ => &profile.sounds,
        };
        if own.iter().any(is_it) {
            return None;
        }
        own.get(place % own.len().max(1)).cloned()
    }

    fn mode_before(&self, entry: &RobotEntry, author: &Author, command: &Command) -> Option<Command> {
        let mode = match command {
            Command::Navigate(_) => ControlMode::Auto,
            _ if command.sets_speed() && command.motion_effect() == MotionEffect::Moves => {
                ControlMode::Remote
            }
            _ => return None,
        };
        let vocabulary = self.vocabulary();
        let lacks_call = vocabulary.of(author.dialect).is_some_and(|it| !it.can(Ability::ChangeMode));
        if !lacks_call || !entry.info.profile.can(Ability::ChangeMode) {
            return None;
        }
        let control = self.last(&entry.info.robot, Kind::Control, None)?;
        match &control.signal {
            // Who drives by hand gives the robot back by hand.
            Signal::Control(Control { mode: now, .. }) if *now != mode && *now != ControlMode::Manual => {
                Some(Command::ControlMode(mode))
            }
            _ => None,
        }
    }

    fn own_joints(&self, profile: &RobotProfile, targets: Vec<JointTarget>) -> (Command, Option<String>) {
        if profile.joints.is_empty() {
            return (Command::Joints(targets), None);
        }
        let vocabulary = self.vocabulary();
        let (mut own, mut other) = (Vec::new(), Vec::new());
        for target in targets {
            let is_own = profile.joints.iter().any(|it| it.part == target.part);
            match vocabulary.joint_role(&target.part).filter(|_| !is_own) {
                // What no dialect calls a joint is the robot's own affair.
                None => own.push(target),
                Some(role) => match profile.joint(role) {
                    Some(part) => own.push(JointTarget { part: part.clone(), ..target }),
                    None => other.push(target),
                },
            }
        }
        if own.is_empty() {
            // The robot refuses it in its own words.
            return (Command::Joints(other), None);
        }
        let names: Vec<&str> = other.iter().map(|it| it.part.as_str()).collect();
        let note = (!names.is_empty()).then(|| format!("the robot has no joint {}", names.join(", ")));
        (Command::Joints(own), note)
    }
}

/// The lamp that stands in for one that the robot lacks.
fn own_lamp(profile: &RobotProfile, part: Option<PartName>) -> Option<PartName> {
    match (&part, profile.lamps.first()) {
        (Some(asked), Some(first)) if !profile.lamps.iter().flatten().any(|it| it == asked) => first.clone(),
        _ => part,
    }
}
