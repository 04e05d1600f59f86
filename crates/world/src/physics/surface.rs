//! What a ray measures of a thing that it meets, kept with the engine's shape.

use rapier2d::prelude::*;

use latimer_core::model::Realities;

use crate::config::{Color, Reality};

/// What kind of thing a shape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A wall.
    Wall,
    /// A thing with a rectangular footprint.
    Box,
    /// A thing with a round footprint.
    Cylinder,
    /// Somebody.
    Person,
    /// A robot.
    Robot,
    /// A door.
    Door,
    /// A leg of a rack.
    Rack,
    /// A pallet.
    Pallet,
}

impl Thing {
    const ALL: [Self; 8] = [
        Self::Wall,
        Self::Box,
        Self::Cylinder,
        Self::Person,
        Self::Robot,
        Self::Door,
        Self::Rack,
        Self::Pallet,
    ];

    /// With its article.
    pub fn a_name(self) -> &'static str {
        match self {
            Self::Wall => "a wall",
            Self::Box => "a box",
            Self::Cylinder => "a cylinder",
            Self::Person => "a person",
            Self::Robot => "another robot",
            Self::Door => "a door",
            Self::Rack => "a rack",
            Self::Pallet => "a pallet",
        }
    }
}

/// The outside of a thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// What it is.
    pub thing: Thing,
    /// How much infrared light it sends back, 0..1.
    pub reflectivity: f64,
    /// Its colour.
    pub color: Color,
    /// Whether it is real or virtual.
    pub reality: Reality,
    /// How tall it is, metres.
    pub height_m: f64,
}

impl Surface {
    /// A real thing that is as bright as its colour and has a height.
    pub fn plain(thing: Thing, color: Color, height_m: f64) -> Self {
        Self { thing, reflectivity: color.reflectivity(), color, reality: Reality::Real, height_m }
    }

    /// Marks an engine's shape with it. Real and virtual shapes are of different groups, so that a ray
    /// that asks for one of them does not even visit the others; all of them collide.
    pub(super) fn on(self, shape: ColliderBuilder) -> ColliderBuilder {
        shape.user_data(self.pack()).collision_groups(InteractionGroups {
            memberships: group(self.reality),
            filter: Group::ALL,
            test_mode: InteractionTestMode::And,
        })
    }

    /// What an engine's shape is marked with.
    pub(super) fn of(shape: &Collider) -> Self {
        Self::unpack(shape.user_data)
    }

    /// As the engine's shapes carry it: 64 bits of reflectivity, 24 of colour, 8 of thing, 1 of reality, and
    /// from bit 104 on 24 of height in millimetres.
    fn pack(self) -> u128 {
        let [red, green, blue] = self.color.0.map(u128::from);
        let color = red << 16 | green << 8 | blue;
        let reality = u128::from(self.reality == Reality::Virtual);
        let height = ((self.height_m * 1_000.0).round() as u128).min(0xff_ffff);
        u128::from(self.reflectivity.to_bits())
            | color << 64
            | (self.thing as u128) << 88
            | reality << 96
            | height << 104
    }

    /// The reverse of [`Self::pack`].
    fn unpack(data: u128) -> Self {
        let byte = |at: u32| (data >> at) as u8;
        Self {
            thing: Thing::ALL.get(usize::from(byte(88))).copied().unwrap_or(Thing::Wall),
            reflectivity: f64::from_bits(data as u64),
            color: Color([byte(80), byte(72), byte(64)]),
            reality: if byte(96) == 0 { Reality::Real } else { Reality::Virtual },
            height_m: f64::from((data >> 104) as u32 & 0xff_ffff) / 1_000.0,
        }
    }
}

fn group(reality: Reality) -> Group {
    match reality {
        Reality::Real => Group::GROUP_1,
        Reality::Virtual => Group::GROUP_2,
    }
}

/// What a ray must ask the engine for to meet things of these realities only.
pub(super) fn groups(realities: Realities) -> InteractionGroups {
    let asked = [Reality::Real, Reality::Virtual].into_iter().filter(|it| it.is_among(realities));
    InteractionGroups {
        memberships: Group::ALL,
        filter: asked.map(group).collect(),
        test_mode: InteractionTestMode::And,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_on_the_way_through_the_engine() {
        for thing in Thing::ALL {
            for reality in [Reality::Real, Reality::Virtual] {
                let color = Color([0x12, 0xff, 0x80]);
                let surface = Surface { thing, reflectivity: 0.37, color, reality, height_m: 2.345 };
                assert_eq!(Surface::unpack(surface.pack()), surface);
            }
        }
    }
}
