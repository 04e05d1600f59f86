//! What light and colour sensors see, and what lamps show.

use crate::model::record::record;

record! {
    /// What a colour sensor sees.
    pub struct Color {
        /// 0..255.
        pub red: u8,
        /// 0..255.
        pub green: u8,
        /// 0..255.
        pub blue: u8,
        /// How bright it is around, 0..1.
        pub ambient_ratio: Option<f64>,
    }
}

record! {
    /// How bright it is at a light sensor.
    pub struct Light {
        /// Share of the sensor's range, 0..1.
        pub level_ratio: f64,
    }
}

record! {
    /// What a lamp shows.
    pub struct Lamp {
        /// 0..255.
        pub red: u8,
        /// 0..255.
        pub green: u8,
        /// 0..255.
        pub blue: u8,
    }
}

record! {
    /// What a vehicle shows to others on the road.
    pub struct Indicators {
        /// It turns left.
        pub turn_left: bool,
        /// It turns right.
        pub turn_right: bool,
        /// It brakes.
        pub brake: bool,
        /// It backs up.
        pub reverse: bool,
    }
}
