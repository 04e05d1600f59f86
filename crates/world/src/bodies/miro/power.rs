//! The battery, and how warm it gets inside.

use latimer_core::model::Kind;
use latimer_core::model::signal::Temperature;

use super::parts::{BASE_LOAD_A, CELL, DRIVE_LOAD};
use crate::bodies::battery::Battery;
use crate::bodies::moment::Moment;
use crate::physics::STEP_S;
use crate::rng::Rng;

/// Steps between two reports: the robot publishes voltage and temperature 50 times a second.
const PERIOD: u64 = 2;

/// Warmth of the room, °C, and how much warmer a load makes the inside in the end, °C for each ampere
/// (plausible).
const ROOM_C: f64 = 22.0;
const WARMING_C_PER_A: f64 = 6.0;

/// Time constant of warming, seconds (plausible).
const WARMING_S: f64 = 600.0;

/// The battery and the warmth.
pub(super) struct Power {
    pub(super) battery: Battery,
    inside_c: f64,
    /// The temperature set by a stimulus, and until when.
    heated: Option<(f64, f64)>,
}

impl Power {
    pub(super) fn new(rng: &mut Rng) -> Self {
        let inside_c = ROOM_C + WARMING_C_PER_A * BASE_LOAD_A;
        Self { battery: Battery::nickel(CELL, PERIOD, rng), inside_c, heated: None }
    }

    /// It is as warm as this inside until a time.
    pub(super) fn heat(&mut self, temperature_c: f64, until_s: f64) {
        self.heated = Some((temperature_c, until_s));
    }

    /// Lives through a step and reports; the speed is the wheels' mean, m/s, the joints' current in amperes.
    pub(super) fn update(
        &mut self,
        now: &mut Moment<'_>,
        speed_mps: f64,
        joints_a: f64,
        charger_speed: Option<f64>,
    ) {
        let load_a = BASE_LOAD_A + joints_a + DRIVE_LOAD.at(speed_mps);
        self.battery.run(load_a, charger_speed, STEP_S);
        self.inside_c += (ROOM_C + WARMING_C_PER_A * load_a - self.inside_c) * STEP_S / WARMING_S;
        self.heated = self.heated.filter(|(_, until_s)| now.time_s < *until_s);
        self.battery.publish(now);
        if now.due(Kind::Temperature, PERIOD) {
            let inside_c = self.heated.map_or(self.inside_c, |(heated_c, _)| heated_c);
            now.reports.publish(Temperature { temperature_c: (inside_c * 10.0).round() / 10.0 });
        }
    }
}
