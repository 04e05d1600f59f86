//! What the config says of who may move a robot.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::area::PlanarPose;
use super::{Area, Envelope};
use crate::limits::{CONNECTED_DRIVE_TIMEOUT, DRIVE_TIMEOUT, DRIVER_HOLD_TIME};
use crate::model::{Author, Command};

/// The priority of the page's stick, above programs.
const BY_HAND: i32 = 10;

/// Who of two drivers with the same priority has the robot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Equals {
    /// The one that commanded last, as without a gateway.
    #[default]
    Newest,
    /// The one that began first, as long as it drives.
    First,
}

/// Who may move a robot, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Priorities by a dialect's word or an author's name; the name counts first. 0 if not given, but for the page.
    pub priorities: BTreeMap<String, i32>,
    /// Dialects and names that never command.
    pub observers: BTreeSet<String>,
    /// Dialects and names that release an emergency stop that somebody else pressed.
    pub releasers: BTreeSet<String>,
    /// Which of two with the same priority drives.
    pub equals: Equals,
    /// How long a driver keeps the robot after its last command.
    pub hold: Duration,
    /// How long a drive without an end goes on after its author was seen last.
    pub drive_timeout: Duration,
    /// The same for an author that is connected, and gives signs of it.
    pub silence: Duration,
    /// A connected author has to renew a drive without an end, too, within `drive_timeout`.
    pub renew_drives: bool,
    /// It is stopped when it comes, as one that was left moving.
    pub stops_at_start: bool,
    /// A drive without an end goes on whether or not its author is there.
    pub drive_until_stopped: bool,
    /// The only commands that may be given, by their words; all if empty.
    pub commands: BTreeSet<String>,
    /// How fast the robot may move.
    pub envelope: Envelope,
    /// Where it may be; anywhere if not given.
    pub area: Option<Area>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            priorities: BTreeMap::from([("page".to_owned(), BY_HAND)]),
            observers: BTreeSet::new(),
            releasers: ["page", "api", "cli"].map(str::to_owned).into(),
            equals: Equals::default(),
            hold: DRIVER_HOLD_TIME,
            drive_timeout: DRIVE_TIMEOUT,
            silence: CONNECTED_DRIVE_TIMEOUT,
            renew_drives: false,
            stops_at_start: false,
            drive_until_stopped: false,
            commands: BTreeSet::new(),
            envelope: Envelope::default(),
            area: None,
        }
    }
}

impl Policy {
    /// A client of the API that has not logged in has at most the priority of `api`, if that has one, whatever it says that it is.
    pub(super) fn priority(&self, author: &Author) -> i32 {
        let of = |word: &str| self.priorities.get(word).copied();
        let by_name = of(author.host());
        by_name.unwrap_or_else(|| {
            let (own, most) = (of(author.dialect), of(author.proven_dialect()));
            own.into_iter().chain(most).min().unwrap_or_default()
        })
    }

    /// How far inside its area a robot is; negative outside.
    pub(super) fn depth_m(&self, place: Option<PlanarPose>) -> Option<f64> {
        let (area, [x, y, _]) = self.area.as_ref().zip(place)?;
        Some(area.depth_m([x, y]))
    }

    pub(super) fn observes(&self, author: &Author) -> bool {
        let words = [author.dialect, author.proven_dialect(), author.host()];
        words.iter().any(|word| self.observers.contains(*word))
    }

    pub(super) fn may_release(&self, author: &Author, pressed_by: &Author) -> bool {
        let words = [author.proven_dialect(), author.granted_by(), author.host()];
        author == pressed_by || words.iter().any(|word| self.releasers.contains(*word))
    }

    /// What of its bounds is wider than it was, by its key in the config, if anything is.
    pub(crate) fn loosens(&self, before: &Self) -> Option<&'static str> {
        let wider = |was: Option<f64>, is: Option<f64>| was.is_some_and(|was| is.is_none_or(|is| is > was));
        let (is, was) = (&self.envelope, &before.envelope);
        let bounds = [
            ("max_linear_mps", wider(was.linear_mps, is.linear_mps)),
            ("max_angular_radps", wider(was.angular_radps, is.angular_radps)),
            ("max_linear_mps2", wider(was.linear_mps2, is.linear_mps2)),
            ("max_angular_radps2", wider(was.angular_radps2, is.angular_radps2)),
            // Of two areas neither need be the larger one.
            ("area", before.area.is_some() && self.area != before.area),
            (
                "commands",
                !before.commands.is_empty()
                    && (self.commands.is_empty() || !self.commands.is_subset(&before.commands)),
            ),
        ];
        bounds.into_iter().find_map(|(key, is_wider)| is_wider.then_some(key))
    }

    /// Whether the command is among those that are listed.
    pub(super) fn names(&self, command: &Command) -> bool {
        self.commands.contains(command.name())
    }

    /// The command's word if it may not be given.
    pub(super) fn forbids(&self, command: &Command) -> Option<&'static str> {
        let name = command.name();
        let allowed = self.commands.is_empty() || self.names(command);
        (!allowed).then_some(name)
    }
}
