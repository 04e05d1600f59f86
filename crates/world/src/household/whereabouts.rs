//! Where a thing can be.

/// Where a thing is.
#[derive(Clone, Debug, PartialEq)]
pub enum Whereabouts {
    /// It lies at a place of the world file.
    Place(String),
    /// A robot carries it, by its number in the world.
    Robot(usize),
    /// A person has it, by the order of the world file.
    Person(usize),
    /// It lies on the floor, on the map, metres.
    Floor([f64; 2]),
    /// It is not in the room.
    Gone,
}

impl Whereabouts {
    /// Whether it lies somewhere, rather than being held.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::Place(_) | Self::Floor(_))
    }

    /// The name of the place where it lies.
    pub fn place(&self) -> Option<&str> {
        match self {
            Self::Place(name) => Some(name),
            _ => None,
        }
    }
}
