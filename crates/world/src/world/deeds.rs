//! What robots do to racks, and how their own outline changes with them.

use super::World;
use crate::bodies::Deed;

impl World {
    /// Carries out what is left of the deeds of this step, and lets carried racks go along.
    pub(super) fn carry(&mut self) {
        for (number, deed) in std::mem::take(&mut self.wishes.deeds) {
            let done = match deed {
                Deed::Outline(footprint) => {
                    self.physics.set_footprint(&self.robots[number].chassis, footprint);
                    self.crowd[number].footprint = footprint;
                    Ok(())
                }
                Deed::TakeRack(name) => self.racks.take(&mut self.physics, &name).map(|_| {
                    self.carried.push((number, name));
                    self.revision += 1;
                }),
                Deed::PutRack { name, at } => {
                    self.carried.retain(|(_, carried)| *carried != name);
                    let carrier = &self.robots[number].chassis;
                    let put = self.racks.put(&mut self.physics, &name, at, Some(carrier));
                    self.revision += u64::from(put.is_ok());
                    put
                }
                // Those of the household are done already.
                Deed::TakeObject(_) | Deed::PutObject { .. } | Deed::AskToStay { .. } => Ok(()),
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
