//! The jack that lifts racks, and the roller on the deck.
//!
//! ```text
//!  Hold ──up──▶ Up ──at the top──▶ Hold        Hold ──down──▶ Down ──at the bottom──▶ Hold
//! ```

use latimer_core::PartName;
use latimer_core::model::signal::Joint;
use latimer_core::model::{Carry, Kind};

use crate::bodies::moment::Moment;
use crate::physics::STEP_S;

/// Time from the bottom to the top, seconds: ten and more in the field.
const TRAVEL_S: f64 = 10.0;

/// Time to roll a load in or out, seconds (plausible).
const ROLL_S: f64 = 4.0;

/// Steps between two reports at rest, and while it moves.
const PERIOD: u64 = 100;
const MOVING_PERIOD: u64 = 20;

/// What just happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    /// It is all the way up.
    Top,
    /// It begins to go down.
    LettingDown,
}

/// Both of them.
pub(super) struct Jack {
    jack: PartName,
    roller: PartName,
    progress: f64,
    /// 1 up, -1 down, 0 holds.
    way: f64,
    was_moving: bool,
    /// 1 takes in, -1 puts out, and until when.
    roll: (f64, f64),
    loaded: f64,
    starts_down: bool,
}

impl Jack {
    pub(super) fn new() -> Self {
        Self {
            jack: PartName::of("jack"),
            roller: PartName::of("roller"),
            progress: 0.0,
            way: 0.0,
            was_moving: true,
            roll: (0.0, 0.0),
            loaded: 0.0,
            starts_down: false,
        }
    }

    /// Begins what is asked; why not if it cannot.
    pub(super) fn begin(&mut self, carry: Carry, time_s: f64) -> Result<(), &'static str> {
        match carry {
            Carry::JackUp => self.way = 1.0,
            Carry::JackDown => {
                self.starts_down = self.progress >= 1.0;
                self.way = -1.0;
            }
            Carry::RollerLoad if self.loaded > 0.0 => return Err("there is a load on the roller already"),
            Carry::RollerUnload if self.loaded == 0.0 => return Err("there is no load on the roller"),
            Carry::RollerLoad => self.roll = (1.0, time_s + ROLL_S),
            Carry::RollerUnload => self.roll = (-1.0, time_s + ROLL_S),
        }
        Ok(())
    }

    /// Stops both where they are.
    pub(super) fn stop(&mut self) {
        (self.way, self.roll) = (0.0, (0.0, 0.0));
    }

    /// Whether a motor of it runs.
    pub(super) fn is_moving(&self) -> bool {
        self.way != 0.0 || self.roll.0 != 0.0
    }

    /// Moves, unless held, and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, held: bool) -> Option<Reached> {
        let mut reached = None;
        if !held {
            if std::mem::take(&mut self.starts_down) {
                reached = Some(Reached::LettingDown);
            }
            self.progress = (self.progress + self.way * STEP_S / TRAVEL_S).clamp(0.0, 1.0);
            if self.way > 0.0 && self.progress >= 1.0 {
                (self.way, reached) = (0.0, Some(Reached::Top));
            } else if self.way < 0.0 && self.progress <= 0.0 {
                self.way = 0.0;
            }
            if self.roll.0 != 0.0 && now.time_s >= self.roll.1 {
                self.loaded = if self.roll.0 > 0.0 { 1.0 } else { 0.0 };
                self.roll = (0.0, 0.0);
            }
        }
        let moving = self.is_moving();
        let changed = moving != std::mem::replace(&mut self.was_moving, moving);
        if changed || now.due(Kind::Joint, if moving { MOVING_PERIOD } else { PERIOD }) {
            now.reports.of(&self.jack, Joint { velocity_radps: None, ..Joint::share(self.progress) });
            now.reports.of(&self.roller, Joint::share(self.loaded + 0.5 * self.roll.0));
        }
        reached
    }
}
