//! What is done about a client's requests.

use axum::extract::ws::Message;
use latimer_core::access::Role;
use latimer_core::hub::CommandId;
use serde_json::{Map, Value, json};

use super::super::cameras::CameraDemand;
use super::super::enabled;
use super::super::orders::{Answer, Order, Pushed};
use super::super::request::{Request, nearest_topic};
use super::super::rest;
use super::Client;
use crate::axbot::limits::ORDER_WARNING_INTERVAL;
use crate::axbot::topic::Topic;
use crate::entrance;

/// Most throttled_warnings that are remembered.
const MAX_COMPLAINTS: usize = 32;
/// Most unknown names that are explained at once.
const MAX_EXPLAINED: usize = 3;

/// The answer to each `/twist`.
const TWIST_FEEDBACK: &str = r#"{"topic":"/twist_feedback"}"#;

impl Client {
    pub(super) fn handle(&mut self, text: &str) {
        // Its roles may have changed since it connected.
        if let Err(forbidden) = entrance::permit(&self.author, Role::See, &self.robot.robot) {
            return self.error(&forbidden.to_string());
        }
        match Request::parse(text) {
            Ok(Request::Nothing) => {}
            Ok(Request::Topics { enable, disable }) => self.switch_topics(&enable, &disable),
            Ok(Request::Twist { linear_mps, angular_radps }) => {
                self.order(Order::Twist { linear_mps, angular_radps });
            }
            Ok(Request::Follow(target)) => self.order(Order::Follow(target)),
            Ok(Request::Picture { camera, image }) => self.order(Order::Picture(camera, image)),
            Ok(Request::SetPins(outputs)) => self.order(Order::SetPins(outputs)),
            Ok(Request::ModifyPins { enable, disable }) => self.order(Order::ModifyPins(enable, disable)),
            Ok(Request::DeviceInfoBrief) => match enabled::last(&self.robot, Topic::DeviceInfoBrief) {
                Some(frame) => self.push(frame),
                None => self.error("the robot has not reported what it is"),
            },
            Ok(Request::DeviceInfo) => self.send_device_info(),
            // Each is answered, or who waits for that would wait for ever.
            Err(error) if error.is_of("/twist") => {
                self.send_answer(Answer { twist: true, problem: Some(error.to_string()), command: None });
            }
            Err(error) => self.error(&error.to_string()),
        }
    }

    /// Disables and enables topics; tells which are enabled now, and then what is known of the new ones.
    fn switch_topics(&mut self, enable: &[String], disable: &[String]) {
        let mut unknown = Vec::new();
        let mut lacking = Map::new();
        let mut first = Vec::new();
        for name in disable {
            if self.enabled.disable(&self.sink, name).is_err() {
                unknown.push(name);
            }
        }
        for name in enable {
            match self.enabled.enable(&self.sink, name) {
                Ok((topic, frame)) => {
                    if topic == Topic::ExternalRgbCameraControl {
                        self.wishes = CameraDemand::default();
                        first.extend(
                            self.wishes
                                .changes(&self.robot, self.robot.hub.clock().now())
                                .map(|it| (topic, it)),
                        );
                    }
                    // A topic under two names is published once.
                    if first.iter().all(|(known, _)| *known != topic) {
                        first.extend(frame.map(|frame| (topic, frame)));
                    }
                    lacking.extend(self.enabled.lacks(topic).map(|needs| (name.clone(), Value::from(needs))));
                }
                Err(enabled::Unknown) => match self.enabled.pass_on(&self.sink, name) {
                    Ok(needed) => lacking.extend(needed.map(|needs| (name.clone(), Value::from(needs)))),
                    Err(enabled::Unknown) => unknown.push(name),
                },
            }
        }
        let names: Vec<_> = self.enabled.names().collect();
        let mut ack = json!({ "enabled_topics": names });
        // A chassis that is connected may have what this gateway's own robots lack.
        if !lacking.is_empty() && !rest::is_connected_chassis(&self.robot) {
            ack["needs"] = lacking.into();
        }
        if !unknown.is_empty() {
            ack["error"] = explain(&unknown).into();
        }
        self.push_json(&ack);
        for (topic, frame) in first {
            self.push_of(topic, frame);
        }
    }

    fn order(&mut self, order: Order) {
        let is_twist = matches!(order, Order::Twist { .. });
        match self.orders.push(order) {
            Pushed::Waits => {}
            // The older one is done with, and each is answered.
            Pushed::Instead if is_twist => self.out.push(Message::text(TWIST_FEEDBACK)),
            Pushed::Instead => {}
            Pushed::Full => {
                let problem = "too many messages wait for the robot; send slower";
                self.send_answer(Answer { twist: is_twist, problem: Some(problem.into()), command: None });
            }
        }
    }

    pub(super) fn send_answer(&mut self, Answer { twist, problem, command }: Answer) {
        // Why it was refused comes first: who waits for the feedback goes on with the next one.
        if let Some(problem) = problem {
            self.complain(problem, command);
        }
        if twist {
            self.out.push(Message::text(TWIST_FEEDBACK));
        }
    }

    fn complain(&mut self, problem: String, command: Option<CommandId>) {
        let now = self.robot.hub.clock().now();
        if self.throttled_warnings.get(&problem).is_some_and(|last| now.since(*last) < ORDER_WARNING_INTERVAL)
        {
            return;
        }
        if self.throttled_warnings.len() >= MAX_COMPLAINTS {
            self.throttled_warnings.clear();
        }
        // The same of another command is a repetition.
        self.error(&command.map_or_else(|| problem.clone(), |id| id.beside(&problem)));
        self.throttled_warnings.insert(problem, now);
    }

    fn send_device_info(&mut self) {
        match rest::device_info(&self.robot) {
            Value::Object(info) => {
                let mut frame = serde_json::Map::new();
                frame.insert("topic".into(), "/device_info".into());
                frame.extend(info);
                self.push_json(&Value::Object(frame));
            }
            _ => self.error("the robot has not reported what it is"),
        }
    }
}

/// What to do about names that no topic has.
fn explain(unknown: &[&String]) -> String {
    let shown = unknown.iter().take(MAX_EXPLAINED).map(|name| {
        let cut: String = name.chars().take(80).collect();
        match nearest_topic(name) {
            Some(near) => format!("there is no topic {cut:?}; did you mean {near:?}?"),
            None => format!("there is no topic {cut:?}"),
        }
    });
    let mut reported: Vec<_> = shown.collect();
    if unknown.len() > MAX_EXPLAINED {
        reported.push(format!("{} more names are unknown", unknown.len() - MAX_EXPLAINED));
    }
    reported.join("; ")
}
