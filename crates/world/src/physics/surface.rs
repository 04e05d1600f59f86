//! What a ray can tell of a thing that it meets, kept with the engine's shape.

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
}

impl Thing {
    const ALL: [Self; 5] = [Self::Wall, Self::Box, Self::Cylinder, Self::Person, Self::Robot];

    /// With its article.
    pub fn a_name(self) -> &'static str {
        match self {
            Self::Wall => "a wall",
            Self::Box => "a box",
            Self::Cylinder => "a cylinder",
            Self::Person => "a person",
            Self::Robot => "another robot",
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
}

impl Surface {
    /// A real thing that is as bright as its colour.
    pub fn plain(thing: Thing, color: Color) -> Self {
        Self { thing, reflectivity: color.reflectivity(), color, reality: Reality::Real }
    }

    /// As the engine's shapes carry it: 64 bits of reflectivity, 24 of colour, 8 of thing, 1 of reality.
    pub(super) fn pack(self) -> u128 {
        let [red, green, blue] = self.color.0.map(u128::from);
        let color = red << 16 | green << 8 | blue;
        let reality = u128::from(self.reality == Reality::Virtual);
        u128::from(self.reflectivity.to_bits()) | color << 64 | (self.thing as u128) << 88 | reality << 96
    }

    /// The reverse of [`Self::pack`].
    pub(super) fn unpack(data: u128) -> Self {
        let byte = |at: u32| (data >> at) as u8;
        Self {
            thing: Thing::ALL.get(usize::from(byte(88))).copied().unwrap_or(Thing::Wall),
            reflectivity: f64::from_bits(data as u64),
            color: Color([byte(80), byte(72), byte(64)]),
            reality: if byte(96) == 0 { Reality::Real } else { Reality::Virtual },
        }
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
                let surface = Surface { thing, reflectivity: 0.37, color, reality };
                assert_eq!(Surface::unpack(surface.pack()), surface);
            }
        }
    }
}
