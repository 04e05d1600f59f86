//! Commands to a robot behind a bridge.

use latimer_core::frames::Pose2;
use latimer_core::hub::{CommandRequest, Source};
use latimer_core::model::signal::{Frame, Pose};
use latimer_core::model::{Destination, NavigationGoal};
use latimer_core::{Command, Outcome};
use serde_json::{Value as Json, json};

use super::RosbridgeSession;
use super::action::Goal;
use super::graph::{Outgoing, TWIST_STAMPED, plain_type};
use super::live::{Live, Repeated};
use crate::rosbridge::limits::{SPEED_REPEAT_INTERVAL, STOP_REPEAT_INTERVAL, STOP_REPEAT_TIME};
use crate::rosbridge::topics::{CMD_VEL, CommandTopic, command_message};

impl RosbridgeSession {
    pub(super) fn command(&self, source: &Source, live: &mut Live, request: CommandRequest) {
        let span = request.span();
        let _entered = span.enter();
        let now = self.clock.now();
        let is_stop = request.command.is_stop();
        let cancels = is_stop || request.command == Command::CancelNavigation;
        if cancels {
            live.cancel();
        }
        let can_cancel = live.goal.is_some() || !live.graph.cancels.is_empty();
        if request.command == Command::CancelNavigation && can_cancel {
            return request.answer(Outcome::Accepted);
        }
        if request.command == Command::EmergencyStop(false) {
            return match live.has_emergency_stop {
                true => live.call_emergency_stop(&self.prefix, false, request),
                // The gateway alone held the robot.
                false => request.answer(Outcome::Done),
            };
        }
        if let Command::Navigate(goal) = &*request.command
            && let NavigationGoal { destination: Destination::Point { x_m, y_m, yaw_rad }, id, .. } = *goal
            && live.graph.action.is_some()
        {
            return self.give_goal(
                source,
                live,
                (Pose2::new(x_m, y_m, yaw_rad.unwrap_or_default()), yaw_rad.is_some(), id),
                request,
            );
        }
        let Some((topic, message)) = command_message(&request.command, now) else {
            let reason = format!("ROS has no common message for {}", request.command.name());
            return request.answer(Outcome::unsupported(reason));
        };
        let Some((outgoing, message)) = self.addressed(live, topic, &message) else {
            let offered = live.graph.outgoing.get(topic.path);
            let reason = match offered {
                Some(it) => {
                    format!("{} takes {}, and {} is what can be sent", it.name, it.ros_type, topic.ros_type)
                }
                None => {
                    format!("no topic of the robot takes {}; see rosbridge.connect.topics", topic.ros_type)
                }
            };
            return match live.has_emergency_stop && request.command == Command::EmergencyStop(true) {
                true => live.call_emergency_stop(&self.prefix, true, request),
                false => request.answer(Outcome::not_now(reason)),
            };
        };
        // A subscriber that connects later receives the stop; no other command is sent late.
        let is_unheard = live.rosapi.nobody_subscribes(&outgoing.name);
        if !is_unheard || is_stop {
            request.sent();
            live.publish(&outgoing, &message);
        }
        if topic.path == CMD_VEL.path && (!is_unheard || is_stop) {
            let (until, every) = match &*request.command {
                Command::Drive { duration, .. } => (duration.map(|it| now.after(it)), SPEED_REPEAT_INTERVAL),
                _ => (Some(now.after(STOP_REPEAT_TIME)), STOP_REPEAT_INTERVAL),
            };
            let still = command_message(&Command::Stop { hold: false }, now);
            let still = still.and_then(|(topic, still)| self.addressed(live, topic, &still));
            let still = still.map_or_else(String::new, |(_, still)| still);
            let next = now.after(every);
            live.speed = Some(Repeated { outgoing: outgoing.clone(), message, still, until, every, next });
        }
        if request.command == Command::EmergencyStop(true) && live.has_emergency_stop {
            return live.call_emergency_stop(&self.prefix, true, request);
        }
        request.answer(match (is_unheard, is_stop) {
            (true, _) => Outcome::not_now(format!("nobody subscribes to {}", outgoing.name)),
            (false, true) => Outcome::Done,
            (false, false) => Outcome::Accepted,
        });
    }

    /// Where a command's message goes, and the message in the type that is taken there; `None` if nothing takes it.
    fn addressed(&self, live: &Live, topic: CommandTopic, message: &str) -> Option<(Outgoing, String)> {
        let outgoing = live.graph.outgoing.get(topic.path)?;
        let mut message: Json = serde_json::from_str(message).ok()?;
        let ros_type = plain_type(&outgoing.ros_type);
        if topic.path == CMD_VEL.path && ros_type == TWIST_STAMPED {
            message = json!({"header": {"frame_id": "base_link"}, "twist": message});
        } else if ros_type != topic.ros_type {
            return None;
        }
        unstamped(&mut message);
        Some((outgoing.clone(), message.to_string()))
    }

    /// Gives a goal to the robot's action; one that is under way is cancelled.
    fn give_goal(
        &self,
        source: &Source,
        live: &mut Live,
        (goal, has_heading, number): (Pose2, bool, Option<i64>),
        request: CommandRequest,
    ) {
        let (now, Some(action)) = (self.clock.now(), live.graph.action.clone()) else { return };
        if let Some(before) = live.goal.take() {
            live.out.push(before.cancel());
            before.replace(source, now);
        }
        let at = if action.is_in_odometry() { live.known.localizer.in_odometry(goal) } else { goal };
        let there = Command::Navigate(NavigationGoal::to(Destination::Point {
            x_m: at.x_m,
            y_m: at.y_m,
            yaw_rad: Some(at.yaw_rad),
        }));
        let message = command_message(&there, now).and_then(|(_, it)| serde_json::from_str(&it).ok());
        let Some(mut pose): Option<Json> = message else { return };
        unstamped(&mut pose);
        live.goals_given += 1;
        let id = format!("latimer:{}:{}", now.as_nanos(), live.goals_given);
        let target = Pose::planar(Frame::Map, goal.x_m, goal.y_m, goal.yaw_rad);
        let numbered = (number.unwrap_or(live.goals_given), id);
        live.goal = Some(Goal::give(
            (action, self.peer.clone()),
            numbered,
            (pose, target, has_heading),
            request,
            now,
        ));
    }
}

/// ROS 1 and ROS 2 spell a stamp in two ways, and the robot's clock may be another: bridges fill in what is missing.
fn unstamped(message: &mut Json) {
    if let Some(header) = message.get_mut("header").and_then(Json::as_object_mut) {
        header.remove("stamp");
    }
}
