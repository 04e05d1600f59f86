//! Effects of robots on racks and on their own outline.

use super::World;
use crate::bodies::Effect;

impl World {
    /// Applies the remaining effects of this step, and moves carried racks with their robots.
    pub(super) fn carry(&mut self) {
        for (number, effect) in std::mem::take(&mut self.wishes.effects) {
            let done = match effect {
                Effect::Outline(footprint) => {
                    self.physics.set_footprint(&self.robots[number].chassis, footprint);
                    self.crowd[number].footprint = footprint;
                    Ok(())
                }
                Effect::TakeRack(name) => self.racks.take(&mut self.physics, &name).map(|_| {
                    self.carried.push((number, name));
                    self.revision += 1;
                }),
                Effect::PutRack { name, at } => {
                    self.carried.retain(|(_, carried)| *carried != name);
                    let carrier = &self.robots[number].chassis;
                    let put = self.racks.put(&mut self.physics, &name, at, Some(carrier));
                    self.revision += u64::from(put.is_ok());
                    put
                }
                Effect::CallLift(name) => {
                    self.doors.call(&name);
                    Ok(())
                }
                // The household has applied these already.
                Effect::TakeObject(_) | Effect::PutObject { .. } | Effect::AskToStay { .. } => Ok(()),
            };
            if let Err(reason) = done {
                tracing::warn!(robot = %self.robots[number].id, %reason, "a robot could not do what it began");
            }
        }
        for (number, name) in &self.carried {
            if let Err(reason) = self.racks.carry(name, self.crowd[*number].pose) {
                tracing::warn!(rack = name, %reason, "a rack does not come along");
            }
        }
    }
}
