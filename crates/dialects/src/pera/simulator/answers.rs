//! Requests are answered, some in each turn, and the replies go to the broker.

use bytes::Bytes;
use latimer_core::model::Refusal;
use latimer_core::{RobotId, Timestamp};
use latimer_mqtt::{Message as Packet, Qos};
use latimer_simulator_api::{WorldRequest, WorldResponse};

use super::engine::{Request, Sense};
use super::readings::{last_readings, message_from_readings, request_from_sense};
use super::task::Task;
use crate::pera::config::Geometry;
use crate::pera::limits::{BODIES_INTERVAL, WORLD_ANSWER_TIMEOUT};
use crate::pera::roster::SwarmId;
use crate::pera::wire::Message;

impl Task {
    /// Moves bodies, and answers requests, as many as are due in one turn.
    pub(super) async fn answer(&mut self, now: Timestamp) {
        let requests = self.it.engine.requests.take(self.publisher.progress());
        let (mut senses, mut measured) = (Vec::new(), Vec::new());
        for (id, request) in requests {
            match (request, self.it.engine.settings.geometry) {
                (Request::Sense(sense), Geometry::Exact) => {
                    let own = self.it.roster.robot(id);
                    let Some(robot) = own.clone().or_else(|| self.it.joined_robots.robot(id).cloned()) else {
                        continue;
                    };
                    senses.push(WorldRequest::Sense { robot, request: request_from_sense(&sense) });
                    measured.push((id, own, sense));
                }
                (request, _) => self.answer_reckoned(id, &request, now),
            }
        }
        if measured.is_empty() && (self.asks.is_empty() || now < self.bodies_at) {
            return;
        }
        self.bodies_at = now.after(BODIES_INTERVAL);
        // Bodies first, so that it is measured where they are now.
        let mut asks = self.asks.take();
        let effects = asks.len();
        asks.append(&mut senses);
        let Some(simulator) = self.it.simulator.as_ref() else { return };
        let answers = match simulator.ask(WorldRequest::All(asks), WORLD_ANSWER_TIMEOUT).await {
            Ok(WorldResponse::All(answers)) => answers,
            Ok(_) => return,
            Err(error) => return self.complain_of_world(&error.to_string(), measured.len() as u64, now),
        };
        let mut answers = answers.into_iter();
        for error in answers.by_ref().take(effects).filter_map(Result::err) {
            self.complain_of_world(&error.reason, 1, now);
        }
        for ((id, own, sense), answer) in measured.into_iter().zip(answers) {
            self.answer_measured(id, own.as_ref(), &sense, answer, now);
        }
    }

    fn answer_reckoned(&mut self, id: SwarmId, request: &Request, now: Timestamp) {
        let message = self.it.engine.reckoned(id, request);
        match (request, message) {
            (Request::Sense(sense), message) => {
                if let Some(message) = message.or_else(|| self.remembered(id, sense)) {
                    self.reply(id, &message, now);
                }
            }
            (Request::Call(_), Some(message @ Message::CommIn(_, to, _))) => self.reply(to, &message, now),
            // What the robot itself has said is no news of it.
            (_, Some(message)) => drop(self.publish(&message, self.it.engine.settings.reply_qos, false)),
            (_, None) => {}
        }
    }

    fn answer_measured(
        &mut self,
        id: SwarmId,
        own: Option<&RobotId>,
        sense: &Sense,
        answer: Result<WorldResponse, Refusal>,
        now: Timestamp,
    ) {
        let message = match (answer, own) {
            (Ok(WorldResponse::Sensed(readings)), _) => message_from_readings(id, &sense.wish, &readings),
            (Err(_), Some(_)) => self.remembered(id, sense),
            (Err(error), None) => {
                // It has no body, because the world was too busy or not there yet when it came.
                self.embody(id);
                return self.complain_of_world(&error.reason, 1, now);
            }
            (Ok(_), _) => return,
        };
        if let Some(message) = message {
            self.reply(id, &message, now);
        }
    }

    /// What a robot of this gateway measured itself, for one that is not in the world or knows no place.
    fn remembered(&self, id: SwarmId, sense: &Sense) -> Option<Message> {
        let own = self.it.roster.robot(id)?;
        let place = self.it.engine.members.get(id).map(|member| member.place);
        message_from_readings(id, &sense.wish, &last_readings(&self.it.hub, &own, &sense.wish, place))
    }

    fn reply(&mut self, id: SwarmId, message: &Message, now: Timestamp) {
        self.it.engine.remember(message);
        let payload = self.publish(message, self.it.engine.settings.reply_qos, false);
        self.it.joined_robots.publish(id, message, &payload, &self.it.engine.members, now);
    }

    pub(super) fn publish(&self, message: &Message, qos: Qos, kept: bool) -> Bytes {
        let (topic, payload) = message.write();
        let packet = Packet::new(self.it.channel.join(&topic), payload.clone(), qos);
        let packet = if kept { packet.retained() } else { packet };
        // The link reports what does not get through, as a loss.
        let _ = self.publisher.publish(packet);
        payload
    }

    pub(super) fn complain_of_world(&mut self, reason: &str, count: u64, now: Timestamp) {
        if let Some(count) = self.unmeasured.due(now, count) {
            tracing::warn!(reason, count, "the simulated world did not do what the swarm needs");
        }
    }
}
