//! Robots of other families as the bodies of programs of the swarm.
//!
//! ```text
//! program ──localization/update──────────────────────────▶ goal ──▶ robot
//! program ──sensor/distance, sensor/color, localization──▶ the robot's reading, or its place
//! ```
//!
//! The program introduces the robot and says where it is; the gateway says nothing of that in its name.

use latimer_core::frames::Pose2;
use latimer_core::model::signal::{Frame, Pose};
use latimer_core::model::{Command, Destination, NavigationGoal};
use latimer_core::{Hub, Update};

use super::member::{Member, distance_of};
use super::place::in_arena;
use crate::pera::frame_of;
use crate::pera::messages::localization::Localization;
use crate::pera::messages::robot::{Coordinate, Log};
use crate::pera::messages::sensor::{ColorReply, DistanceReply, FREE_CM};
use crate::pera::topic::Sensor;
use crate::pera::wire::{Message, Number};

/// A program that moved or turned less than this since the last goal stands, centimetres and degrees.
const STEP_CM: f64 = 3.0;
const TURN_DEGREES: f64 = 3.0;

/// How near a goal is reached, metres; a program goes by steps of a few centimetres.
const ACCURACY_M: f64 = 0.03;

/// Where the program put the robot last: x and y in centimetres, heading in degrees.
pub(super) type Step = [f64; 3];

impl Member {
    /// The goal of a program that says where its robot is, if that is another one than before.
    pub(super) fn goal(&mut self, hub: &Hub, place: &Coordinate) -> Option<Command> {
        let number = |it: Option<Number>| it.map(|it| it.0).filter(|it| it.is_finite());
        let step = [number(place.x)?, number(place.y)?, number(place.heading)?];
        let last = self.body.as_mut()?;
        if last.is_some_and(|last| is_same(last, step)) {
            return None;
        }
        let [x_cm, y_cm, degrees] = step;
        let in_arena = Pose2::new(x_cm / 100.0, y_cm / 100.0, degrees.to_radians());
        let arena = hub.site_on_map(&self.robot, frame_of(hub, &self.frame))?;
        let Pose2 { x_m, y_m, yaw_rad } = in_arena.out_of(arena);
        *last = Some(step);
        let to = Destination::Point { x_m, y_m, yaw_rad: Some(yaw_rad) };
        Some(Command::Navigate(NavigationGoal { accuracy_m: Some(ACCURACY_M), ..NavigationGoal::to(to) }))
    }

    /// The last goal was not given, so the same place is another one.
    pub(super) fn forget_goal(&mut self) {
        if let Some(last) = &mut self.body {
            *last = None;
        }
    }

    /// The answer to its program's question for a reading.
    pub(super) fn sensed(&self, hub: &Hub, sensor: Sensor) -> Option<Message> {
        match self.reading(hub, sensor) {
            Some(reading @ Message::Distance(_)) => {
                let cm = distance_of(&reading).round().clamp(0.0, FREE_CM);
                Some(Message::DistanceOf(self.id, DistanceReply(cm)))
            }
            Some(Message::Color(color)) => {
                let ambient = color.ambient.map_or(0, |it| it.0.clamp(0.0, 255.0) as u8);
                let [red, green, blue] =
                    [color.R, color.G, color.B].map(|it| it.map_or(0, |it| it.0.clamp(0.0, 255.0) as u8));
                Some(Message::ColorOf(self.id, ColorReply { R: red, G: green, B: blue, ambient }))
            }
            _ => Some(Message::Log(Log { id: self.id, msg: self.lacks(hub, sensor)? })),
        }
    }

    /// Where the robot truly is in the arena.
    pub(super) fn located(&self, hub: &Hub) -> Option<Message> {
        let pose = hub.pose(&self.robot)?;
        let update = Update::now(&self.robot, hub.clock().now(), pose.into());
        let placed = in_arena(hub, &self.frame, &update)?;
        let latimer_core::Signal::Pose(Pose { frame: Frame::Map, x_m, y_m, yaw_rad, .. }) = placed.signal
        else {
            return None;
        };
        let place = Localization { x: x_m * 100.0, y: y_m * 100.0, heading: yaw_rad.to_degrees() };
        Some(Message::LocalizationOf(self.id, place))
    }
}

fn is_same([x, y, heading]: Step, [other_x, other_y, other_heading]: Step) -> bool {
    let turned = (heading - other_heading).rem_euclid(360.0);
    (x - other_x).hypot(y - other_y) < STEP_CM && turned.min(360.0 - turned) < TURN_DEGREES
}
