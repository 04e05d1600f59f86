//! The four switches on the board inside: a hand flips one, and it stays.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::Pins;

use crate::bodies::moment::Moment;

/// Steps between two reports of switches that stand as they stood: 1 s.
const PERIOD: u64 = 100;

/// What the part is called that a hand touches, before the switch's number.
const NAME: &str = "dip_";

/// The switches.
#[derive(Default)]
pub(super) struct Switches {
    on: [bool; 4],
    published: Option<[bool; 4]>,
}

impl Switches {
    /// Flips the switch that is called so; false if there is none.
    pub(super) fn flip(&mut self, part: &PartName) -> bool {
        let name = part.as_str();
        let number =
            name.trim_start_matches("touch_").strip_prefix(NAME).and_then(|it| it.parse::<usize>().ok());
        let switch = number.and_then(|number| self.on.get_mut(number));
        switch.map(|on| *on = !*on).is_some()
    }

    /// Reports changes at once.
    pub(super) fn update(&mut self, now: &mut Moment<'_>) {
        if now.due(Kind::Pins, PERIOD) || self.published != Some(self.on) {
            self.published = Some(self.on);
            now.reports.publish(Pins { inputs: vec![self.on.to_vec()], outputs: Vec::new() });
        }
    }
}
