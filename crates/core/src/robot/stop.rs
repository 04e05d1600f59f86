//! A stop as an obligation: from when it is given until something shows that the robot stands.
//!
//! ```text
//! given ──▶ not taken ──answer──▶ taken ──report──▶ stands for a moment ──▶ over
//!             │ again               │ it reports that it moves: again      ▲
//!             └─────────────────────┴─ nothing shows anything: not confirmed, with an alert
//! ```

use super::evidence::Shown;
use crate::clock::Timestamp;
use crate::limits::{
    BRAKING_TIMEOUT, SILENT_STOP_WATCH_INTERVAL, STANDSTILL_TIME, STANDSTILL_TIME_UNCONFIRMED,
    STOP_ALERT_DELAY, STOP_ANSWER_TIMEOUT, STOP_REPEAT_INTERVAL, STOP_WATCH_INTERVAL,
};
use crate::model::{Outcome, Refusal, RefusalCode};

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
            again_at: now.after(STOP_ANSWER_TIMEOUT),
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
                self.again_at = given.after(BRAKING_TIMEOUT);
            }
        } else {
            // At once, and then each half second; the answer to an older one delays none.
            self.again_at = if is_repeat { now.after(STOP_REPEAT_INTERVAL).min(self.again_at) } else { now };
        }
    }

    /// What to do now. `shown` is the evidence since the stop was given. A robot that is out of reach gets the stop when its link is up again.
    pub(super) fn look(&mut self, shown: Shown, is_up: bool, now: Timestamp) -> Look {
        self.stands_since = match shown {
            Shown::Stands => self.stands_since.or(Some(now)),
            Shown::Moves => None,
            Shown::Unknown => self.stands_since,
        };
        let patience = if self.is_answered { STANDSTILL_TIME } else { STANDSTILL_TIME_UNCONFIRMED };
        if shown == Shown::Stands && self.stands_since.is_some_and(|since| now.since(since) >= patience) {
            return Look::Over;
        }
        let is_obeyed = self.is_answered && shown != Shown::Moves;
        if now < self.again_at || is_obeyed || !is_up {
            return Look::Wait;
        }
        self.again_at = now.after(if self.is_answered { STOP_REPEAT_INTERVAL } else { STOP_ANSWER_TIMEOUT });
        self.repeats = self.repeats.saturating_add(1);
        Look::Again { voids: std::mem::take(&mut self.voids) }
    }

    /// What of it is late, after what was. That reports are missing is no sign that what moved stands.
    pub(super) fn late(&self, shown: Shown, now: Timestamp, before: Option<Late>) -> Option<Late> {
        if now.since(self.since) < STOP_ALERT_DELAY {
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
        shown != Shown::Stands && now.since(self.given) >= BRAKING_TIMEOUT || self.stands_since.is_some()
    }

    /// When something may have to be done next: no stop that is due is late by a look.
    pub(super) fn next_look(&self, shown: Shown, now: Timestamp) -> Timestamp {
        let is_silent =
            self.is_answered && shown == Shown::Unknown && now.since(self.since) >= STOP_ALERT_DELAY;
        let look = now.after(if is_silent { SILENT_STOP_WATCH_INTERVAL } else { STOP_WATCH_INTERVAL });
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
