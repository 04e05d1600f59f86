//! Eight touch sensors: four behind the ears, four down the back.

use latimer_core::model::signal::{Contact, ContactSensor, Frame, Point};
use latimer_core::{Outcome, PartName};

use super::parts::{BODY_TOUCHES, HEAD_TOUCHES};
use crate::bodies::reports::Reports;
use crate::sensors::Press;

struct Sensor {
    part: PartName,
    at: Point,
    frame: Frame,
    press: Press,
}

/// The sensors, those of the head first.
pub(super) struct Touches {
    sensors: Vec<Sensor>,
}

impl Touches {
    pub(super) fn new() -> Self {
        let sensor = |frame| {
            move |(name, [x_m, y_m, z_m]): (&str, [f64; 3])| Sensor {
                part: PartName::of(name),
                at: Point { x_m, y_m, z_m },
                frame,
                press: Press::default(),
            }
        };
        let head = HEAD_TOUCHES.into_iter().map(sensor(Frame::Head));
        Self { sensors: head.chain(BODY_TOUCHES.into_iter().map(sensor(Frame::BaseLink))).collect() }
    }

    /// A hand touches one until a time.
    pub(super) fn touch(&mut self, part: &PartName, until_s: f64) -> Result<(), Outcome> {
        if let Some(sensor) = self.sensors.iter_mut().find(|sensor| sensor.part == *part) {
            sensor.press.hold_until(until_s);
            return Ok(());
        }
        let known: Vec<&str> = self.sensors.iter().map(|sensor| sensor.part.as_str()).collect();
        Err(Outcome::bad_argument(format!("no touch sensor {part}; there are: {}", known.join(", "))))
    }

    /// Whether the head and whether the body is touched.
    pub(super) fn touched(&self) -> [bool; 2] {
        let pressed = |sensors: &[Sensor]| sensors.iter().any(|sensor| sensor.press.is_pressed());
        let (head, body) = self.sensors.split_at(HEAD_TOUCHES.len());
        [pressed(head), pressed(body)]
    }

    /// Reports changes.
    pub(super) fn update(&mut self, time_s: f64, reports: &mut Reports) {
        for sensor in &mut self.sensors {
            if let Some(contacted) = sensor.press.update(false, time_s) {
                let position = Some(sensor.at.clone());
                let (sensor_kind, frame) = (ContactSensor::Touch, sensor.frame);
                reports.of(&sensor.part, Contact { contacted, sensor: sensor_kind, position, frame });
            }
        }
    }
}
