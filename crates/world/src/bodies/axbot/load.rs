//! The rack on the jack: taken and put down, and how the robot's outline changes with it.

use latimer_core::model::signal::Footprint as FootprintSignal;

use super::jack::Reached;
use super::{Axbot, parts};
use crate::bodies::{Effect, Outbox};
use crate::physics::{Footprint, Surroundings};

impl Axbot {
    /// Takes or puts down the rack above.
    pub(super) fn handle_rack(
        &mut self,
        reached: Option<Reached>,
        around: &Surroundings<'_>,
        out: &mut Outbox<'_>,
    ) {
        match reached {
            Some(Reached::Top) if self.rack.is_none() => {
                let Some(name) = self.rack_above(around) else { return };
                let Some(rack) = around.racks.at(&name) else { return };
                let [length_m, width_m] = rack.file.size_m;
                self.outline = Footprint {
                    length_m: length_m.max(parts::FOOTPRINT.length_m),
                    width_m: width_m.max(parts::FOOTPRINT.width_m),
                    corner_m: 0.03,
                    mass_kg: parts::FOOTPRINT.mass_kg + parts::RACK_KG,
                };
                out.act(Effect::TakeRack(name.clone()));
                out.act(Effect::Outline(self.outline));
                (self.rack, self.outline_published, self.aligning) = (Some(name), false, None);
                self.charts.set_inscribed(self.outline.width_m / 2.0);
            }
            Some(Reached::LettingDown) => {
                let Some(name) = self.rack.take() else { return };
                (self.outline, self.outline_published) = (parts::FOOTPRINT, false);
                self.charts.set_inscribed(self.outline.width_m / 2.0);
                out.act(Effect::Outline(self.outline));
                out.act(Effect::PutRack { name, at: around.pose });
            }
            _ => {}
        }
    }

    pub(super) fn footprint_signal(&self) -> FootprintSignal {
        if self.rack.is_none() {
            return FootprintSignal {
                polygon_m: parts::OUTLINE_M.to_vec(),
                width_m: parts::FOOTPRINT.width_m,
            };
        }
        let (x, y) = (self.outline.length_m / 2.0, self.outline.width_m / 2.0);
        FootprintSignal { polygon_m: vec![[x, y], [-x, y], [-x, -y], [x, -y]], width_m: self.outline.width_m }
    }
}
