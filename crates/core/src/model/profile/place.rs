//! Where on a body a sensor sits, in words that bodies of different makes share.

use std::f64::consts::{FRAC_PI_2, PI};

use crate::frames::wrap_angle;
use crate::model::signal::ContactSensor;
use crate::model::{Kind, PartName, words};

words! {
    /// Where on a body a sensor sits.
    pub enum Place {
        /// Ahead.
        Front = "front",
        /// Ahead on the left.
        FrontLeft = "front_left",
        /// Ahead on the right.
        FrontRight = "front_right",
        /// Behind.
        Back = "back",
        /// Behind on the left.
        BackLeft = "back_left",
        /// Behind on the right.
        BackRight = "back_right",
        /// Front of the head.
        HeadFront = "head_front",
        /// Back of the head.
        HeadBack = "head_back",
        /// Left of the head.
        HeadLeft = "head_left",
        /// Right of the head.
        HeadRight = "head_right",
        /// Front of the head, left.
        HeadFrontLeft = "head_front_left",
        /// Front of the head, right.
        HeadFrontRight = "head_front_right",
        /// Back of the head, left.
        HeadBackLeft = "head_back_left",
        /// Back of the head, right.
        HeadBackRight = "head_back_right",
        /// Below the mouth.
        Chin = "chin",
        /// Where the head joins the body.
        Neck = "neck",
        /// First quarter of the back.
        Back1 = "back_1",
        /// Second quarter of the back.
        Back2 = "back_2",
        /// Third quarter of the back.
        Back3 = "back_3",
        /// Last quarter of the back.
        Back4 = "back_4",
    }
}

/// A sensor for contacts or edges, and where it sits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedSensor {
    /// What it reports: [`Kind::Contact`] or [`Kind::Cliff`].
    pub kind: Kind,
    /// Its part.
    pub part: PartName,
    /// Where it sits.
    pub place: Place,
}

impl PlacedSensor {
    /// A bumper or touch sensor.
    pub fn contact(part: &str, place: Place) -> Self {
        Self { kind: Kind::Contact, part: PartName::of(part), place }
    }

    /// An edge sensor.
    pub fn edge(part: &str, place: Place) -> Self {
        Self { kind: Kind::Cliff, part: PartName::of(part), place }
    }
}

/// Half of the sector that is right ahead or behind, radians.
const STRAIGHT_RAD: f64 = 0.35;

impl Place {
    /// The place on the belt of a body at an angle from ahead, counter-clockwise.
    pub fn around(bearing_rad: f64) -> Self {
        let bearing_rad = wrap_angle(bearing_rad);
        let (is_left, off_rad) = (bearing_rad > 0.0, bearing_rad.abs());
        match () {
            () if off_rad < STRAIGHT_RAD => Self::Front,
            () if off_rad > PI - STRAIGHT_RAD => Self::Back,
            () if off_rad < FRAC_PI_2 && is_left => Self::FrontLeft,
            () if off_rad < FRAC_PI_2 => Self::FrontRight,
            () if is_left => Self::BackLeft,
            () => Self::BackRight,
        }
    }

    /// Which sensors stand in for one at this place, the likest first: any of a group.
    pub const fn stand_ins(self) -> &'static [&'static [Self]] {
        use Place::*;
        match self {
            Front => &[&[Front], &[FrontLeft, FrontRight]],
            FrontLeft => &[&[FrontLeft], &[Front]],
            FrontRight => &[&[FrontRight], &[Front]],
            Back => &[&[Back], &[BackLeft, BackRight]],
            BackLeft => &[&[BackLeft], &[Back]],
            BackRight => &[&[BackRight], &[Back]],
            HeadFront => &[&[HeadFront], &[HeadFrontLeft, HeadFrontRight]],
            HeadBack => &[&[HeadBack], &[HeadBackLeft, HeadBackRight]],
            HeadLeft => &[&[HeadLeft], &[HeadFrontLeft, HeadBackLeft]],
            HeadRight => &[&[HeadRight], &[HeadFrontRight, HeadBackRight]],
            HeadFrontLeft => &[&[HeadFrontLeft], &[HeadFront, HeadLeft]],
            HeadFrontRight => &[&[HeadFrontRight], &[HeadFront, HeadRight]],
            HeadBackLeft => &[&[HeadBackLeft], &[HeadBack, HeadLeft]],
            HeadBackRight => &[&[HeadBackRight], &[HeadBack, HeadRight]],
            Chin => &[&[Chin]],
            Neck => &[&[Neck], &[Back1]],
            // A bump is a touch of the body.
            Back1 => &[&[Back1], &[Neck, Front, FrontLeft, FrontRight]],
            Back2 => &[&[Back2]],
            Back3 => &[&[Back3]],
            Back4 => &[&[Back4], &[Back, BackLeft, BackRight]],
        }
    }

    /// What kind of contact is felt there.
    pub const fn contact(self) -> ContactSensor {
        use Place::*;
        match self {
            Front | FrontLeft | FrontRight | Back | BackLeft | BackRight => ContactSensor::Bumper,
            _ => ContactSensor::Touch,
        }
    }
}
