//! `platform/sensors`, as signals.

use std::f64::consts::TAU;

use latimer_core::model::Signal;
use latimer_core::model::signal::{
    Accel, AngularRate, Battery, Cliff, Contact, ContactSensor, Frame, Imu, Joint, Light, Pins, Pose,
    PowerState, Range, RangeStatus, Temperature, Velocity,
};
use latimer_ros1::msgs::sensor_msgs;

use super::sensors::SONAR_M;
use super::snapshot::{CLIFFS, EYELIDS, LIGHTS, NECK, SONAR};
use super::time::EmbeddedClock;
use crate::miro::wire::{BatteryState, PlatformSensors};

/// Parts of the touch sensors, head and body.
const TOUCHES: [[&str; 4]; 2] = [
    ["touch_head_0", "touch_head_1", "touch_head_2", "touch_head_3"],
    ["touch_body_0", "touch_body_1", "touch_body_2", "touch_body_3"],
];
/// The reading from which a cliff sensor surely sees a surface.
const SURE: u8 = 8;
/// A pause longer than this is not reckoned through, seconds: nobody knows how it went.
const LONGEST_S: f64 = 1.0;

/// Something that a message tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// Which part.
    pub part: Option<&'static str>,
    /// What.
    pub signal: Signal,
}

/// Reads messages one after the other: a pose is the sum of the ways, a contact is a change, or the first that is told of it.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    clock: EmbeddedClock,
    x_m: f64,
    y_m: f64,
    yaw_rad: f64,
    /// `None` is what was not told yet.
    touched: [[Option<bool>; 4]; 2],
}

impl Reader {
    /// What a message tells, contacts as far as they changed; the first message tells all of them.
    pub fn read(&mut self, message: &PlatformSensors) -> Vec<Said> {
        let PlatformSensors {
            header: _,
            msg_flags: _,
            time_usec,
            battery_voltage,
            battery_state: BatteryState { voltage, present: _ },
            temperature,
            accel_head,
            accel_body,
            odometry,
            joint_state,
            eyelid_closure,
            dip_state_phys,
            sonar_range,
            light,
            touch_head,
            touch_body,
            cliff,
        } = message;
        let mut said = Vec::with_capacity(32);
        let mut say = |part: Option<&'static str>, signal: Signal| said.push(Said { part, signal });
        // No battery has no voltage, so 0 is one that is not told.
        let told = [battery_voltage, voltage]
            .map(|it| finite(f64::from(*it)).map(thousandths).filter(|it| *it > 0.0));
        let voltage_v = told.into_iter().flatten().next();
        // It is switched on, so it lives on its battery; how full that is nobody tells.
        say(None, Battery { voltage_v, state: PowerState::Discharging, ..Battery::UNKNOWN }.into());
        if let Some(temperature_c) = finite(temperature.temperature) {
            say(None, Temperature { temperature_c }.into());
        }
        for (part, message) in [("head", accel_head), ("body", accel_body)] {
            if let Some(imu) = imu(message) {
                say(Some(part), imu.into());
            }
        }
        let linear_mps = finite(odometry.twist.twist.linear.x).unwrap_or_default() / 1_000.0;
        let angular_radps = finite(odometry.twist.twist.angular.z).unwrap_or_default();
        self.roll(*time_usec, linear_mps, angular_radps);
        say(Some("measured"), Velocity::of(linear_mps, angular_radps).into());
        say(None, Pose::planar(Frame::Odom, self.x_m, self.y_m, self.yaw_rad).into());
        for (part, joint) in joints(joint_state) {
            say(Some(part), joint.into());
        }
        if let Some(closure) = finite(f64::from(*eyelid_closure)) {
            say(Some(EYELIDS), Joint::share(closure.clamp(0.0, 1.0)).into());
        }
        let switches = (0..4).map(|bit| dip_state_phys >> bit & 1 == 1).collect();
        say(None, Pins { inputs: vec![switches], outputs: Vec::new() }.into());
        say(Some(SONAR), range(sonar_range).into());
        for (part, level) in LIGHTS.into_iter().zip(light) {
            say(Some(part), Light { level_ratio: f64::from(*level) / 255.0 }.into());
        }
        for (part, raw) in CLIFFS.into_iter().zip(cliff) {
            say(Some(part), Cliff(surface(*raw)).into());
        }
        let frames = [Frame::Head, Frame::BaseLink];
        for (row, bits) in [touch_head, touch_body].into_iter().enumerate() {
            for (column, bit) in bits.iter().enumerate() {
                let contacted = *bit != 0;
                if self.touched[row][column].replace(contacted) != Some(contacted) {
                    let (sensor, frame) = (ContactSensor::Touch, frames[row]);
                    say(
                        Some(TOUCHES[row][column]),
                        Contact { contacted, sensor, position: None, frame }.into(),
                    );
                }
            }
        }
        said
    }

    /// The robot itself says where it is; ways are summed from there.
    pub fn stand_at(&mut self, x_m: f64, y_m: f64, yaw_rad: f64) {
        (self.x_m, self.y_m, self.yaw_rad) = (x_m, y_m, yaw_rad);
    }

    /// Goes on a circle for as long as since the message before.
    fn roll(&mut self, usec: i32, linear_mps: f64, angular_radps: f64) {
        let Some(step_s) = self.clock.since_last(usec).filter(|step_s| *step_s <= LONGEST_S) else { return };
        let middle_rad = self.yaw_rad + angular_radps * step_s / 2.0;
        self.x_m += linear_mps * step_s * middle_rad.cos();
        self.y_m += linear_mps * step_s * middle_rad.sin();
        let yaw_rad = (self.yaw_rad + angular_radps * step_s).rem_euclid(TAU);
        self.yaw_rad = if yaw_rad > TAU / 2.0 { yaw_rad - TAU } else { yaw_rad };
    }
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// Floats of 32 bits are no better than that, and look worse.
fn thousandths(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}

/// -1 in the first place of a covariance says that the quantity is not measured.
fn imu(message: &sensor_msgs::Imu) -> Option<Imu> {
    let measured = |numbers: [f64; 3], covariance: &[f64]| {
        covariance.first().is_some_and(|it| *it >= 0.0) && numbers.iter().all(|it| it.is_finite())
    };
    let (rate, accel) = (&message.angular_velocity, &message.linear_acceleration);
    let turns = measured([rate.x, rate.y, rate.z], &message.angular_velocity_covariance)
        && [rate.x, rate.y, rate.z] != [0.0; 3];
    let known = measured([accel.x, accel.y, accel.z], &message.linear_acceleration_covariance);
    (turns || known).then_some(Imu {
        orientation: None,
        angular_velocity: turns.then_some(AngularRate { x_radps: rate.x, y_radps: rate.y, z_radps: rate.z }),
        linear_acceleration: known.then_some(Accel { x_mps2: accel.x, y_mps2: accel.y, z_mps2: accel.z }),
    })
}

/// By their names, or in the order of the platform if they have none.
fn joints(state: &sensor_msgs::JointState) -> impl Iterator<Item = (&'static str, Joint)> {
    let sensor_msgs::JointState { header: _, name, position, velocity, effort: _ } = state;
    NECK.into_iter().enumerate().filter_map(move |(at, part)| {
        let named = name.iter().position(|it| it.eq_ignore_ascii_case(part));
        let index = if name.is_empty() { at } else { named? };
        let position_rad = position.get(index).copied().and_then(finite)?;
        let velocity_radps = velocity.get(index).copied().and_then(finite);
        Some((part, Joint { velocity_radps, ..Joint::hinge(position_rad) }))
    })
}

/// 0 is nothing.
fn range(message: &sensor_msgs::Range) -> Range {
    let sensor_msgs::Range { header: _, radiation_type: _, field_of_view, min_range, max_range, range } =
        message;
    let number = |it: f32| finite(f64::from(it)).filter(|it| *it > 0.0).map(thousandths);
    let (met, [near_m, far_m]) = (number(*range), SONAR_M);
    let min_m = number(*min_range).unwrap_or(near_m);
    let status = match met {
        None => RangeStatus::NothingInView,
        Some(m) if m < min_m => RangeStatus::TooNear,
        Some(_) => RangeStatus::Valid,
    };
    Range {
        distance_m: met,
        status,
        status_code: None,
        min_m: Some(min_m),
        max_m: number(*max_range).or(Some(far_m)),
        field_of_view_rad: number(*field_of_view),
    }
}

/// How much light comes back from below; how far it is to the floor is not told.
fn surface(raw: u8) -> Range {
    let status = match raw {
        0 => RangeStatus::NothingInView,
        raw if raw < SURE => RangeStatus::WeakSignal,
        _ => RangeStatus::Valid,
    };
    Range { distance_m: None, status, status_code: Some(raw.into()), ..Range::valid(0.0) }
}

#[cfg(test)]
mod tests {
    use latimer_ros1::message::Catalog;

    use super::*;
    use crate::miro::map::{Moment, Snapshot, sensors_from_snapshot};

    #[test]
    fn a_build_with_battery_state_tells_its_voltage_there() {
        let mut catalog = Catalog::common();
        let other = "sensor_msgs/BatteryState battery_state\nfloat32 eyelid_closure\n";
        catalog.add("miro_msgs/platform_sensors", other).unwrap();
        let layout = catalog.layout("miro_msgs/platform_sensors").unwrap();
        let mut known = Snapshot::default();
        known.battery = Some(Battery { voltage_v: Some(4.9), ..Battery::UNKNOWN });
        let message: PlatformSensors = layout
            .decode(&layout.encode(&sensors_from_snapshot(&known, true, Moment::default())).unwrap())
            .unwrap();
        assert_eq!((message.battery_voltage, message.battery_state.voltage), (0.0, 4.9));
        let said = Reader::default().read(&message);
        let volts = said.iter().find_map(|it| match &it.signal {
            Signal::Battery(battery) => battery.voltage_v,
            _ => None,
        });
        assert_eq!(volts, Some(4.9));
    }

    #[test]
    fn whoever_begins_to_read_tells_all_touches_and_then_what_changes() {
        let touches = |said: Vec<Said>| -> Vec<(&str, bool)> {
            let contact = |it: Said| match it.signal {
                Signal::Contact(contact) => it.part.map(|part| (part, contact.contacted)),
                _ => None,
            };
            said.into_iter().filter_map(contact).collect()
        };
        let mut message = sensors_from_snapshot(&Snapshot::default(), true, Moment::default());
        message.touch_body = [0, 0, 1, 0];
        let mut reader = Reader::default();
        let first = touches(reader.read(&message));
        assert_eq!(first.len(), 8, "a touch that ended while nobody heard it must not stay");
        assert!(first.iter().all(|(part, contacted)| *contacted == (*part == "touch_body_2")), "{first:?}");
        assert_eq!(touches(reader.read(&message)), []);
        message.touch_body = [0; 4];
        assert_eq!(touches(reader.read(&message)), [("touch_body_2", false)]);
    }

    #[test]
    fn ways_are_summed_from_where_the_robot_says_that_it_is() {
        let mut message = sensors_from_snapshot(&Snapshot::default(), true, Moment::default());
        message.odometry.twist.twist.linear.x = 200.0;
        let mut reader = Reader::default();
        reader.read(&message);
        reader.stand_at(1.0, 2.0, std::f64::consts::FRAC_PI_2);
        message.time_usec = 500_000;
        let said = reader.read(&message);
        let pose = said.iter().find_map(|it| match &it.signal {
            Signal::Pose(pose) => Some(pose),
            _ => None,
        });
        let pose = pose.unwrap();
        assert!((pose.x_m - 1.0).abs() < 1e-9 && (pose.y_m - 2.1).abs() < 1e-9, "{pose:?}");
    }

    #[test]
    fn what_an_inertial_unit_does_not_measure_is_not_told() {
        let read = |message: &PlatformSensors| -> Vec<Imu> {
            let imu = |it: Said| match it.signal {
                Signal::Imu(imu) => Some(imu),
                _ => None,
            };
            Reader::default().read(message).into_iter().filter_map(imu).collect()
        };
        let mut message = sensors_from_snapshot(&Snapshot::default(), true, Moment::default());
        assert_eq!(message.accel_head.linear_acceleration_covariance[0], -1.0);
        assert_eq!(read(&message), [], "there is none");
        let head = &mut message.accel_head;
        (head.linear_acceleration_covariance[0], head.linear_acceleration.z) = (0.0, 9.75);
        (head.angular_velocity_covariance[0], head.angular_velocity.z) = (0.0, f64::NAN);
        let accel = Accel { x_mps2: 0.0, y_mps2: 0.0, z_mps2: 9.75 };
        let expected = Imu { orientation: None, angular_velocity: None, linear_acceleration: Some(accel) };
        assert_eq!(read(&message), [expected]);
        message.accel_head.linear_acceleration.x = f64::INFINITY;
        assert_eq!(read(&message), []);
    }
}
