//! The jack that lifts racks, and the roller on the deck.
//!
//! ```text
//!  Hold ──up──▶ Up ──at the top──▶ Hold        Hold ──down──▶ Down ──at the bottom──▶ Hold
//!  Hold ──check──▶ Up ──at the top──▶ Down ──at the bottom──▶ Hold, passed
//!  Up │ Down ──sticks for a while──▶ Hold, faulty ──forgive──▶ Hold
//! ```

use latimer_core::PartName;
use latimer_core::model::signal::{Joint, SelfCheck};
use latimer_core::model::{Carry, Kind};

use crate::bodies::moment::Moment;
use crate::physics::STEP_S;

/// Time from the bottom to the top, seconds (in the field a little under ten).
const TRAVEL_S: f64 = 9.6;

/// Time to roll a load in or out, seconds (plausible).
const ROLL_S: f64 = 4.0;

/// How long the motor pushes in vain before it gives up, seconds (plausible).
const STICKS_S: f64 = 2.0;

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

/// How the motors stand at a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hindrance {
    /// They get no current.
    pub(super) held: bool,
    /// The jack sticks.
    pub(super) sticks: bool,
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
    self_check: SelfCheck,
    /// How long it has pushed in vain, seconds.
    stuck_s: f64,
    faulty: bool,
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
            self_check: SelfCheck::Unknown,
            stuck_s: 0.0,
            faulty: false,
        }
    }

    /// Begins what is asked; why not if it cannot.
    pub(super) fn begin(&mut self, carry: Carry, time_s: f64) -> Result<(), &'static str> {
        if matches!(carry, Carry::JackUp | Carry::JackDown) {
            self.may_move()?;
        }
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

    /// Begins to see whether it can go up and down; why not if it cannot.
    pub(super) fn check(&mut self) -> Result<(), &'static str> {
        self.may_move()?;
        (self.way, self.self_check) = (1.0, SelfCheck::Up);
        Ok(())
    }

    fn may_move(&self) -> Result<(), &'static str> {
        if self.faulty {
            return Err("the jack got stuck; clear its faults first");
        }
        if self.is_checking() {
            return Err("the jack checks itself; wait until it holds");
        }
        Ok(())
    }

    fn is_checking(&self) -> bool {
        matches!(self.self_check, SelfCheck::Up | SelfCheck::Down)
    }

    /// Forgets that it got stuck.
    pub(super) fn forgive(&mut self) {
        self.faulty = false;
        if self.self_check == SelfCheck::Failed {
            self.self_check = SelfCheck::Unknown;
        }
    }

    /// Stops both where they are.
    pub(super) fn stop(&mut self) {
        (self.way, self.roll) = (0.0, (0.0, 0.0));
        if self.is_checking() {
            self.self_check = SelfCheck::Unknown;
        }
    }

    /// Whether it sticks out, however far.
    pub(super) fn is_up(&self) -> bool {
        self.progress > 0.0
    }

    /// Whether a motor of it runs.
    pub(super) fn is_moving(&self) -> bool {
        self.way != 0.0 || self.roll.0 != 0.0
    }

    /// Moves, unless it is kept from that, and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, hindrance: Hindrance) -> Option<Reached> {
        let before = self.progress;
        let reached = if hindrance.held { None } else { self.run(now.time_s, hindrance.sticks) };
        let moving = self.is_moving();
        let changed = moving != std::mem::replace(&mut self.was_moving, moving);
        if changed || now.due(Kind::Joint, if moving { MOVING_PERIOD } else { PERIOD }) {
            let jack = Joint {
                velocity_ratiops: Some(rounded((self.progress - before) / STEP_S)),
                self_check: Some(self.self_check),
                ..Joint::share(self.progress)
            };
            let velocity_ratiops = Some(if hindrance.held { 0.0 } else { self.roll.0 / ROLL_S });
            now.reports.of(&self.jack, jack);
            let roller = Joint::share(self.loaded + 0.5 * self.roll.0);
            now.reports.of(&self.roller, Joint { velocity_ratiops, ..roller });
        }
        reached
    }

    /// A step of the motors.
    fn run(&mut self, time_s: f64, sticks: bool) -> Option<Reached> {
        if self.roll.0 != 0.0 && time_s >= self.roll.1 {
            self.loaded = if self.roll.0 > 0.0 { 1.0 } else { 0.0 };
            self.roll = (0.0, 0.0);
        }
        if self.way != 0.0 && sticks {
            self.push_in_vain();
            return None;
        }
        self.stuck_s = 0.0;
        if std::mem::take(&mut self.starts_down) {
            return Some(Reached::LettingDown);
        }
        self.progress = (self.progress + self.way * STEP_S / TRAVEL_S).clamp(0.0, 1.0);
        if self.way > 0.0 && self.progress >= 1.0 {
            if self.self_check == SelfCheck::Up {
                (self.way, self.self_check) = (-1.0, SelfCheck::Down);
                return None;
            }
            self.way = 0.0;
            return Some(Reached::Top);
        }
        if self.way < 0.0 && self.progress <= 0.0 {
            self.way = 0.0;
            if self.self_check == SelfCheck::Down {
                self.self_check = SelfCheck::Passed;
            }
        }
        None
    }

    fn push_in_vain(&mut self) {
        self.stuck_s += STEP_S;
        if self.stuck_s < STICKS_S {
            return;
        }
        (self.way, self.stuck_s, self.starts_down, self.faulty) = (0.0, 0.0, false, true);
        if self.is_checking() {
            self.self_check = SelfCheck::Failed;
        }
    }
}

/// To a millionth, so that a holding jack has 0.
fn rounded(rate: f64) -> f64 {
    (rate * 1e6).round() / 1e6
}
