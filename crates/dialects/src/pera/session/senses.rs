//! Commands that wait for a reading.

use latimer_core::Timestamp;
use latimer_core::hub::CommandRequest;
use latimer_core::model::{Command, Kind, Outcome, Reading, Sensing};

use crate::pera::limits::{MAX_PENDING_READINGS, READING_TIMEOUT};
use crate::pera::map::{PartSignal, signals_from_message};
use crate::pera::wire::Message;

/// Commands that wait for a reading, with its kind and when it was asked for.
#[derive(Debug, Default)]
pub(in crate::pera) struct Senses(Vec<(CommandRequest, Kind, Timestamp)>);

impl Senses {
    /// Whether no command waits.
    pub(in crate::pera) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps a command until its reading comes.
    pub(in crate::pera) fn wait(&mut self, request: CommandRequest, now: Timestamp) {
        let kind = match &*request.command {
            Command::Sense(sense) => match sense.what {
                Sensing::Distance | Sensing::Proximity { .. } => Kind::Range,
                Sensing::Color => Kind::Color,
                Sensing::Compass => Kind::Imu,
            },
            _ => return request.answer(Outcome::Accepted),
        };
        if self.0.len() >= MAX_PENDING_READINGS {
            let reason =
                format!("the robot has {MAX_PENDING_READINGS} readings to make already; ask again later");
            return request.answer(Outcome::busy(reason));
        }
        self.0.push((request, kind, now));
    }

    /// Answers those that wait for what a robot itself measured, if that was sent after they were asked for, at the earliest then.
    pub(in crate::pera) fn receive(&mut self, message: &Message, sent: Timestamp) {
        if self.0.is_empty()
            || !matches!(message, Message::Distance(_) | Message::Color(_) | Message::Compass(_))
        {
            return;
        }
        for PartSignal { id: _, part, signal } in signals_from_message(message, &[]) {
            for (request, ..) in
                self.0.extract_if(.., |(_, kind, asked)| *kind == signal.kind() && *asked <= sent)
            {
                request.answer(Outcome::Sensed(vec![Reading { part: part.clone(), signal: signal.clone() }]));
            }
        }
    }

    /// Gives up on those that waited long enough.
    pub(in crate::pera) fn expire(&mut self, now: Timestamp) {
        for (request, ..) in self.0.extract_if(.., |(.., asked)| asked.after(READING_TIMEOUT) <= now) {
            request.answer(Outcome::TimedOut);
        }
    }
}
