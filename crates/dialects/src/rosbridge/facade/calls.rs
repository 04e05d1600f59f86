//! What a client publishes and calls: commands of robots, and topics and services of other clients.

use latimer_core::hub::CommandId;
use latimer_core::limits::COMMAND_TIMEOUT;
use latimer_core::{Command, Outcome, RobotId};
use latimer_ros1::message::to_json;
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use super::client::{Client, Report, rooted};
use super::error::RequestError;
use super::outgoing::Packing;
use super::relay::RelayError;
use super::rosout::ROSOUT;
use super::{republisher, rosapi};
use crate::rosbridge::limits::{MAX_TOPICS_PER_CLIENT, RELAYED_CALL_TIMEOUT};
use crate::rosbridge::protocol::{Frame, Level, answer, call_service};
use crate::rosbridge::topics::{self, COMMANDS, CommandTopic, SERVICES};
use crate::rosbridge::types;

impl Client {
    /// The robot that listens on a topic. Of other names no robot is looked for.
    fn command_topic(&self, name: &str) -> Option<(RobotId, &'static CommandTopic)> {
        COMMANDS.iter().find(|topic| name.ends_with(topic.path))?;
        self.facade.find(name, |path| COMMANDS.iter().find(|topic| topic.path == path))
    }

    pub(super) fn advertise(&mut self, name: &str, frame: &Frame<'_>) -> Result<(), RequestError> {
        let ros_type = frame.ros_type();
        if self.takes_goals(name) {
            return Ok(());
        }
        if let Some((_, topic)) = self.command_topic(name) {
            return match ros_type.filter(|it| !topic.takes(it)) {
                Some(requested) => {
                    let (topic, known) = (name.to_owned(), topic.types());
                    Err(RequestError::OtherType { topic, known, requested })
                }
                None => Ok(()),
            };
        }
        let rooted = rooted(name);
        if rooted == ROSOUT || self.facade.find(name, topics::find).is_some() {
            return Err(RequestError::Published(rooted));
        }
        self.expect_free(&rooted)?;
        let ros_type = ros_type.ok_or(RequestError::Missing { op: frame.op.clone(), field: "type" })?;
        let latch = frame.latch.unwrap_or_default();
        let ids = self.advertised.get(&rooted).map_or(0, Vec::len);
        if ids >= MAX_TOPICS_PER_CLIENT {
            return Err(RelayError::TooMany.into());
        }
        self.facade.relay.advertise(self.inbox.client, &rooted, &ros_type, latch)?;
        let ids = self.advertised.entry(rooted.clone()).or_default();
        if !ids.contains(&frame.id) {
            ids.push(frame.id.clone());
        }
        let last = rooted.rsplit('/').next();
        if COMMANDS.iter().any(|topic| Some(topic.path) == last) {
            let problem = RequestError::NoCommandTopic(rooted).to_string();
            self.note(frame.id.as_ref(), Level::Warning, None, name, &problem);
        }
        Ok(())
    }

    /// Ends one of the client's advertisements of a topic, or all.
    pub(super) fn unadvertise(&mut self, rooted: &str, id: Option<&Json>) {
        let Some(ids) = self.advertised.get_mut(rooted) else { return };
        ids.retain(|known| id.is_some() && known.as_ref() != id);
        if ids.is_empty() {
            self.advertised.remove(rooted);
            self.facade.relay.unadvertise(self.inbox.client, rooted);
        }
    }

    pub(super) fn publish(&mut self, topic: String, frame: &Frame<'_>) -> Result<(), RequestError> {
        // What leaves the message out publishes one that leaves all out.
        let msg = frame.msg.map_or("{}", RawValue::get);
        let taken = self.publish_goal(&topic, msg, frame.id.as_ref());
        if let Some(taken) = taken.or_else(|| self.publish_to_republisher(&topic, msg)) {
            return taken;
        }
        // A robot may have come after its topic was advertised.
        if let Some((robot, command_topic)) = self.command_topic(&topic) {
            return self.publish_command(robot, command_topic, topic, msg, frame.id.clone());
        }
        let rooted = rooted(&topic);
        if !self.advertised.contains_key(&rooted) {
            self.expect_free(&rooted)?;
            // One that was not advertised takes the type that others gave the topic.
            let ros_type = frame.ros_type().or_else(|| self.facade.relay.type_of(&rooted));
            let ros_type = ros_type.ok_or_else(|| RequestError::NoCommandTopic(rooted.clone()))?;
            let latch = frame.latch;
            self.advertise(&topic, &Frame { type_name: Some(ros_type), latch, ..Frame::default() })?;
        }
        self.expect_driver()?;
        let relay = &self.facade.relay;
        let message = match relay.type_of(&rooted).as_deref().and_then(types::layout) {
            Some(layout) => {
                let (json, now) = (serde_json::from_str(msg)?, self.facade.hub.clock().now());
                let whole = types::relayed(layout.structure(), &json, now);
                whole.map_err(|error| RequestError::Message { topic, error: error.into() })?
            }
            None => msg.to_owned(),
        };
        Ok(relay.publish(&rooted, message.into())?)
    }

    fn publish_command(
        &mut self,
        robot: RobotId,
        command_topic: &CommandTopic,
        topic: String,
        msg: &str,
        id: Option<Json>,
    ) -> Result<(), RequestError> {
        let decoded = command_topic.read(msg);
        let command = decoded.map_err(|error| RequestError::Message { topic: topic.clone(), error })?;
        let command = self.facade.settled(&robot, command, msg)?;
        let about = robot.clone();
        self.command(robot, command, move |command, outcome| match problem(command, &outcome) {
            None => Report::Done,
            Some(problem) => {
                let problem = format!("{topic}: {problem}");
                Report::Refused { id, robot: about, topic, problem }
            }
        })
    }

    /// Calls a service; what is wrong with the call is its answer.
    pub(super) fn call(&mut self, name: &str, args: Json, id: Option<Json>, packing: Packing) {
        if let Err(problem) = self.try_call(name, args, id.clone(), packing) {
            self.pack(packing, answer(id.as_ref(), name, &json!(problem.to_string()), false));
        }
    }

    fn try_call(
        &mut self,
        name: &str,
        args: Json,
        id: Option<Json>,
        packing: Packing,
    ) -> Result<(), RequestError> {
        let service = &*rooted(name);
        let arguments = |ros_type: &str, args: Json| {
            let Some(layout) = types::layout(&format!("{ros_type}Request")) else { return Ok(args) };
            let read = types::arguments(layout.structure(), args);
            read.map_err(|error| RequestError::Message { topic: service.to_owned(), error: error.into() })
        };
        if let Some(ros_type) = rosapi::type_of(service) {
            let args = arguments(&ros_type, args)?;
            if rosapi::changes(service) {
                self.expect_driver()?;
            }
            let (values, result) = match rosapi::answer(&self.facade, service, &args) {
                Ok(values) => (values, true),
                Err(problem) => (json!(problem), false),
            };
            self.pack(packing, answer(id.as_ref(), name, &values, result));
            return Ok(());
        }
        if service == republisher::SERVICE.0 {
            let args = arguments(republisher::SERVICE.1, args)?;
            let values = self.republish_on_topic(&args)?;
            self.pack(packing, answer(id.as_ref(), name, &values, true));
            return Ok(());
        }
        let of_robot = |path: &str| SERVICES.iter().find(|(known, _)| *known == path);
        let may_be_robots = SERVICES.iter().any(|(path, _)| service.ends_with(path));
        if may_be_robots && let Some((robot, (path, ros_type))) = self.facade.find(service, of_robot) {
            let args = arguments(ros_type, args)?;
            let name = name.to_owned();
            return self.command(robot, rosapi::command_from_call(path, &args), move |command, outcome| {
                let problem = problem(command, &outcome);
                let values = json!({"success": problem.is_none(), "message": problem.unwrap_or_default()});
                Report::Frame(packing, answer(id.as_ref(), &name, &values, true))
            });
        }
        let ros_type = self.facade.relay.service_type(service).ok_or_else(|| {
            let absent = || RequestError::NoService(service.to_owned());
            self.facade.taken(service).map_or_else(absent, RequestError::NameTaken)
        })?;
        self.expect_driver()?;
        let called = self.facade.relay.call(service, arguments(&ros_type, args)?);
        let called = called.ok_or_else(|| RequestError::NoService(service.to_owned()))??;
        let (name, service) = (name.to_owned(), service.to_owned());
        self.pending.push(Box::pin(async move {
            let (values, result) = match tokio::time::timeout(RELAYED_CALL_TIMEOUT, called).await {
                Ok(Ok(Ok(values))) => answered(&ros_type, values),
                Ok(Ok(Err(values))) => (values, false),
                Ok(Err(_)) => (json!(format!("the client that served {service} is gone")), false),
                Err(_) => {
                    let within_s = RELAYED_CALL_TIMEOUT.as_secs();
                    (json!(format!("the client that serves {service} did not answer in {within_s} s")), false)
                }
            };
            Report::Frame(packing, answer(id.as_ref(), &name, &values, result))
        }));
        Ok(())
    }

    pub(super) fn advertise_service(&mut self, name: &str, ros_type: &str) -> Result<(), RequestError> {
        let rooted = rooted(name);
        let is_robots = self.facade.find(&rooted, |path| SERVICES.iter().find(|(it, _)| *it == path));
        if rosapi::type_of(&rooted).is_some() || is_robots.is_some() || rooted == republisher::SERVICE.0 {
            return Err(RequestError::Served(rooted));
        }
        self.expect_free(&rooted)?;
        Ok(self.facade.relay.advertise_service(self.inbox.client, &rooted, ros_type)?)
    }

    /// Hands the client a call of its service.
    pub(super) fn asked(&mut self, id: u64, service: &str, args: Json) {
        self.push(call_service(&call_id(service, id), service, &args));
    }

    /// Takes the client's answer to a call of its service.
    pub(super) fn answer(&mut self, frame: Frame<'_>) {
        let number = frame.id.as_ref().and_then(|id| id.as_str()?.rsplit(':').next()?.parse().ok());
        let Some(number) = number else { return };
        let values = frame.values.unwrap_or_default();
        let answer = if frame.result == Some(false) { Err(values) } else { Ok(values) };
        self.facade.relay.answer(self.inbox.client, number, answer);
    }

    /// Sends a robot a command, and reports the outcome.
    pub(super) fn command(
        &mut self,
        robot: RobotId,
        command: Command,
        report: impl FnOnce(CommandId, Outcome) -> Report + Send + 'static,
    ) -> Result<(), RequestError> {
        let taken = self.allowance.take(&robot, &command).ok_or(RequestError::TooManyCommands)?;
        let answer = self.driver.command(&robot, command, COMMAND_TIMEOUT);
        let id = answer.id();
        self.pending.push(Box::pin(async move {
            let outcome = answer.await;
            drop(taken);
            report(id, outcome)
        }));
        Ok(())
    }
}

/// The answer of a service with every field of its type, or what is wrong with it.
fn answered(ros_type: &str, values: Json) -> (Json, bool) {
    let Some(layout) = types::layout(&format!("{ros_type}Response")) else { return (values, true) };
    let whole = types::read(layout.structure(), &values);
    match whole.map(|it| serde_json::from_slice(&to_json(&it).unwrap_or_default()).unwrap_or_default()) {
        Ok(values) => (values, true),
        Err(error) => (json!(format!("the answer is no {ros_type}: {error}")), false),
    }
}

/// The id of a call that is handed to the client that serves it, as rosbridge's own server writes it.
fn call_id(service: &str, number: u64) -> String {
    format!("service_request:{service}:{number}")
}

/// Why a command is not done; `None` if it is.
pub(super) fn problem(command: CommandId, outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => None,
        Outcome::Refused(refusal) => Some(command.beside(refusal)),
        Outcome::TimedOut => {
            let within_s = COMMAND_TIMEOUT.as_secs();
            Some(command.beside(format_args!("the robot did not answer in {within_s} s")))
        }
    }
}
