//! A stop as an obligation: from when it is given until something shows that the robot stands.
//!
//! ```text
//! given ──▶ not taken ──answer──▶ taken ──report──▶ stands for a moment ──▶ over
//!             │ again               │ it reports that it moves: again      ▲
//!             └─────────────────────┴─ nothing shows anything: not confirmed, with an alert
//! ```

use std::time::Duration;

use super::evidence::Shown;
use crate::clock::Timestamp;
use crate::model::{Outcome, Refusal, RefusalCode};

/// How long a robot may take to answer a stop before it is sent again.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// How long a robot may take to stand after it took a stop.
const BRAKES_WITHIN: Duration = Duration::from_secs(1);

/// How long a robot stands before what it owed is over: longer than a session holds one that would go on by itself, such as a base
/// behind a bridge whose navigator drives it, and that navigator takes to go on; and longer if it never took the stop, since it may only
/// have paused.
const STANDS_FOR: Duration = Duration::from_millis(1_500);
const STANDS_UNASKED_FOR: Duration = Duration::from_secs(5);

/// Between two stops of a robot that moves still, or that did not take the one before.
const AGAIN_EVERY: Duration = Duration::from_millis(500);

/// After so long without effect a stop is an alert.
const LATE_AFTER: Duration = Duration::from_secs(3);

/// Between two looks at a robot that owes a stop; and at one that has taken it long ago and reports nothing, of which there may be
/// many, before a change of its pose is [too long ago](super::evidence) to show that it moves.
const LOOK_EVERY: Duration = Duration::from_millis(100);
const LOOK_AT_SILENT_EVERY: Duration = Duration::from_millis(400);

/// A stop that a robot owes: whatever is answered, until it stands or takes a later command to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obligation {
    /// When the first was given that it did not obey.
    since: Timestamp,
    /// When the last client's was given.
    given: Timestamp,
    /// When it is sent again, if the robot has not taken one or moves.
    again_at: Timestamp,
    repeats: u32,
    /// The robot took one, or says that it never will.
    is_answered: bool,
    /// It says that it never will.
    is_refused: bool,
    /// Since when reports show that it stands.
    stands_since: Option<Timestamp>,
    /// No stop has voided yet what the robot was given before.
    voids: bool,
}

/// What of a stop is late, for a person to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Late {
    /// It reports that it moves.
    Moves,
    /// It has not taken one.
    NotTaken,
    /// It took one, and nothing shows that it stands.
    NotConfirmed,
    /// It takes none, and nothing shows that it stands.
    Refused,
}

impl Late {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Moves => "it was stopped and moves still",
            Self::NotTaken => "it did not take a stop, which is sent again",
            Self::NotConfirmed => {
                "it does not confirm that it stands: it took a stop, and nothing that it reports shows it"
            }
            Self::Refused => {
                "it does not confirm that it stands: it takes no stop, and nothing that it reports shows it"
            }
        }
    }
}

/// What a look at an obligation finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Wait,
    /// It has to be sent again, and voids what the robot was given before, or nothing.
    Again {
        voids: bool,
    },
    /// The robot stands.
    Over,
}

impl Obligation {
    /// A stop is given.
    pub(super) fn given(now: Timestamp) -> Self {
        Self {
            since: now,
            given: now,
            again_at: now.after(ANSWERS_WITHIN),
            repeats: 0,
            is_answered: false,
            is_refused: false,
            stands_since: None,
            voids: false,
        }
    }

    /// One that is sent with the next look: of before a restart, or of a robot that moves though it must not.
    pub(super) fn due(now: Timestamp) -> Self {
        Self { again_at: now, voids: true, ..Self::given(now) }
    }

    /// The same of one that is owed: something that came after the last stop may have moved the robot.
    pub(super) const fn is_due(&mut self, now: Timestamp) {
        (self.again_at, self.voids) = (now, true);
    }

    /// Another stop is given by a client, whose answer counts.
    pub(super) fn given_again(&mut self, now: Timestamp) {
        *self = Self { since: self.since, ..Self::given(now) };
    }

    /// When the first was given that the robot did not obey.
    pub(super) const fn since(&self) -> Timestamp {
        self.since
    }

    /// When the last client's was given.
    pub(super) const fn given_at(&self) -> Timestamp {
        self.given
    }

    /// Whether the robot took one, or says that it never will.
    pub(super) const fn is_answered(&self) -> bool {
        self.is_answered
    }

    /// How often it was sent again.
    pub(super) const fn repeats(&self) -> u32 {
        self.repeats
    }

    /// The robot can be reached again.
    pub(super) const fn reached(&mut self, now: Timestamp) {
        self.again_at = now;
    }

    /// What became of a stop: of the client's, or of one that was sent again.
    pub(super) fn answered(&mut self, outcome: &Outcome, given: Timestamp, now: Timestamp, is_repeat: bool) {
        let was_answered = self.is_answered;
        self.is_answered |= outcome.is_ok() || is_final(outcome);
        self.is_refused = !outcome.is_ok() && (self.is_refused || is_final(outcome));
        let is_repeat = is_repeat && self.repeats > 0;
        if self.is_answered {
            // From the first that it took it has the time to brake, whichever that was.
            if !(was_answered && is_repeat) {
                self.again_at = given.after(BRAKES_WITHIN);
            }
        } else {
            // At once, and then each half second; the answer to an older one delays none.
            self.again_at = if is_repeat { now.after(AGAIN_EVERY).min(self.again_at) } else { now };
        }
    }

    /// What to do now. `shown` is the evidence since the stop was given. A robot that is out of reach gets the stop when its link is up again.
    pub(super) fn look(&mut self, shown: Shown, is_up: bool, now: Timestamp) -> Look {
        self.stands_since = match shown {
            Shown::Stands => self.stands_since.or(Some(now)),
            Shown::Moves => None,
            Shown::Unknown => self.stands_since,
        };
        let patience = if self.is_answered { STANDS_FOR } else { STANDS_UNASKED_FOR };
        if shown == Shown::Stands && self.stands_since.is_some_and(|since| now.since(since) >= patience) {
            return Look::Over;
        }
        let is_obeyed = self.is_answered && shown != Shown::Moves;
        if now < self.again_at || is_obeyed || !is_up {
            return Look::Wait;
        }
        self.again_at = now.after(if self.is_answered { AGAIN_EVERY } else { ANSWERS_WITHIN });
        self.repeats = self.repeats.saturating_add(1);
        Look::Again { voids: std::mem::take(&mut self.voids) }
    }

    /// What of it is late, after what was. That reports are missing is no sign that what moved stands.
    pub(super) fn late(&self, shown: Shown, now: Timestamp, before: Option<Late>) -> Option<Late> {
        if now.since(self.since) < LATE_AFTER {
            return None;
        }
        match shown {
            Shown::Moves => Some(Late::Moves),
            _ if !self.is_answered => Some(Late::NotTaken),
            Shown::Unknown if before == Some(Late::Moves) => before,
            Shown::Unknown if self.is_refused => Some(Late::Refused),
            Shown::Unknown => Some(Late::NotConfirmed),
            Shown::Stands => before,
        }
    }

    /// Whether reports of its motion have to be asked for, since it has had the time to brake and nothing shows that it did.
    pub(super) fn needs_reports(&self, shown: Shown, now: Timestamp) -> bool {
        shown != Shown::Stands && now.since(self.given) >= BRAKES_WITHIN || self.stands_since.is_some()
    }

    /// When something may have to be done next: no stop that is due is late by a look.
    pub(super) fn next_look(&self, shown: Shown, now: Timestamp) -> Timestamp {
        let is_silent = self.is_answered && shown == Shown::Unknown && now.since(self.since) >= LATE_AFTER;
        let look = now.after(if is_silent { LOOK_AT_SILENT_EVERY } else { LOOK_EVERY });
        if self.again_at > now { look.min(self.again_at) } else { look }
    }
}

/// Whether the robot answers a stop the same each time that it is asked.
const fn is_final(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Refused(Refusal {
            code: RefusalCode::Unsupported | RefusalCode::BadArgument | RefusalCode::Forbidden,
            ..
        })
    )
}
