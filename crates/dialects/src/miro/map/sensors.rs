//! `platform/sensors` and what repeats it, from what is known of a robot; and read one after the other.

use std::f64::consts::TAU;

use latimer_core::model::Signal;
use latimer_core::model::signal::{
    Battery, Contact, ContactSensor, Frame, Joint, Light, Pins, Pose, Temperature, Velocity,
};
use latimer_ros1::msgs::geometry_msgs::Twist;
use latimer_ros1::msgs::nav_msgs::Odometry;

use super::snapshot::Snapshot;
use super::time::EmbeddedClock;
use crate::describe::Translate;
use crate::miro::messages::{
    CLIFFS, EYELIDS, LIGHTS, Moment, NECK, PlatformSensors, SONAR, Senses, TOUCH_BODY, TOUCH_HEAD,
};

/// A pause longer than this is not reckoned through, seconds: nobody knows how it went.
const LONGEST_S: f64 = 1.0;

/// What the platform senses.
pub fn sensors_from_snapshot(known: &Snapshot, at: &Moment) -> PlatformSensors {
    PlatformSensors::encode(&known.senses(), at).unwrap_or_default()
}

/// Standard Interface: how fast it goes, m/s and rad/s.
pub fn body_vel_from_snapshot(known: &Snapshot, at: &Moment) -> Twist {
    let Senses { linear_mps, angular_radps, .. } = known.senses();
    let velocity = Velocity { linear_mps, angular_radps, ..Velocity::of(0.0, 0.0) };
    Twist::encode(&velocity, at).unwrap_or_default()
}

/// Standard Interface: where it is by its wheels, or else on its map, and how fast it goes, m and rad.
pub fn odometry_from_snapshot(known: &Snapshot, at: &Moment) -> Odometry {
    let mut odometry = Odometry::encode(&known.pose(), at).unwrap_or_default();
    odometry.twist.twist = body_vel_from_snapshot(known, at);
    odometry
}

/// A signal of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// Which part.
    pub part: Option<&'static str>,
    /// What.
    pub signal: Signal,
}

/// Reads messages one after the other: a pose is the sum of the ways, a contact is a change, or the first value that came.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    clock: EmbeddedClock,
    x_m: f64,
    y_m: f64,
    yaw_rad: f64,
    /// `None` is what was not published yet.
    touched: [Option<bool>; 8],
}

impl Reader {
    /// What a message tells, contacts as far as they changed; the first message tells all of them.
    pub fn read(&mut self, message: &PlatformSensors) -> Vec<Decoded> {
        let Senses {
            voltage_v,
            temperature_c,
            head,
            body,
            linear_mps,
            angular_radps,
            neck,
            position_ratio,
            inputs,
            sonar,
            level_ratio,
            touch_head,
            touch_body,
            cliffs,
        } = message.decode(&Moment::default()).unwrap_or_default();
        let mut decoded = Vec::with_capacity(32);
        let mut push = |part: Option<&'static str>, signal: Signal| decoded.push(Decoded { part, signal });
        // Nobody tells how full it is, and whether it is on its charger.
        push(None, Battery { voltage_v, ..Battery::UNKNOWN }.into());
        temperature_c.into_iter().for_each(|temperature_c| push(None, Temperature { temperature_c }.into()));
        for (part, imu) in [("head", head), ("body", body)] {
            let measured = imu.filter(|it| it.angular_velocity.is_some() || it.linear_acceleration.is_some());
            measured.into_iter().for_each(|imu| push(Some(part), imu.into()));
        }
        let [linear_mps, angular_radps] =
            [linear_mps, angular_radps].map(|it| it.filter(|it| it.is_finite()));
        let is_known = linear_mps.or(angular_radps).is_some();
        let [linear_mps, angular_radps] = [linear_mps, angular_radps].map(Option::unwrap_or_default);
        self.roll(message.time_usec, linear_mps, angular_radps);
        // Of one whose wheels measure nothing nobody knows whether it stands.
        if is_known {
            push(Some(Velocity::MEASURED), Velocity::of(linear_mps, angular_radps).into());
            push(None, Pose::planar(Frame::Odom, self.x_m, self.y_m, self.yaw_rad).into());
        }
        let eyelids = position_ratio.map(Joint::share);
        for (part, joint) in NECK.into_iter().zip(neck).chain([(EYELIDS, eyelids)]) {
            joint.into_iter().for_each(|joint| push(Some(part), joint.into()));
        }
        push(None, Pins { inputs, outputs: Vec::new() }.into());
        sonar.into_iter().for_each(|range| push(Some(SONAR), range.into()));
        for (part, level_ratio) in LIGHTS.into_iter().zip(level_ratio.into_iter().flatten()) {
            push(Some(part), Light { level_ratio }.into());
        }
        for (part, cliff) in CLIFFS.into_iter().zip(cliffs.into_iter().flatten()) {
            push(Some(part), cliff.into());
        }
        let head = TOUCH_HEAD.into_iter().zip(touch_head).map(|it| (it, Frame::Head));
        let body = TOUCH_BODY.into_iter().zip(touch_body).map(|it| (it, Frame::BaseLink));
        for (((part, touched), frame), last) in head.chain(body).zip(&mut self.touched) {
            let contacted = touched.unwrap_or_default();
            if last.replace(contacted) != Some(contacted) {
                let (sensor, position) = (ContactSensor::Touch, None);
                push(Some(part), Contact { contacted, sensor, position, frame }.into());
            }
        }
        decoded
    }

    /// The robot itself says where it is; ways are summed from there.
    pub fn stand_at(&mut self, pose: &Pose) {
        (self.x_m, self.y_m, self.yaw_rad) = (pose.x_m, pose.y_m, pose.yaw_rad);
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

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::{Accel, Imu};
    use latimer_ros1::message::Catalog;

    use super::*;
    use crate::miro::map::Snapshot;
    use crate::miro::messages::Moment;

    #[test]
    fn a_build_with_battery_state_tells_its_voltage_there() {
        let mut catalog = Catalog::common();
        let other = "sensor_msgs/BatteryState battery_state\nfloat32 eyelid_closure\n";
        catalog.add("miro_msgs/platform_sensors", other).unwrap();
        let layout = catalog.layout("miro_msgs/platform_sensors").unwrap();
        let senses = Senses { voltage_v: Some(4.9), ..Senses::default() };
        let message = PlatformSensors::encode(&senses, &Moment::default()).unwrap();
        let message: PlatformSensors = layout.decode(&layout.encode(&message).unwrap()).unwrap();
        assert_eq!((message.battery_voltage, message.battery_state.voltage), (0.0, 4.9));
        let said = Reader::default().read(&message);
        let volts = said.iter().find_map(|it| match &it.signal {
            Signal::Battery(battery) => battery.voltage_v,
            _ => None,
        });
        assert_eq!(volts, Some(4.9));
    }

    #[test]
    fn a_new_reader_publishes_all_touches_and_then_what_changes() {
        let touches = |said: Vec<Decoded>| -> Vec<(&str, bool)> {
            let contact = |it: Decoded| match it.signal {
                Signal::Contact(contact) => it.part.map(|part| (part, contact.contacted)),
                _ => None,
            };
            said.into_iter().filter_map(contact).collect()
        };
        let mut message = sensors_from_snapshot(&Snapshot::default(), &Moment::default());
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
        let mut message = sensors_from_snapshot(&Snapshot::default(), &Moment::default());
        message.odometry.twist.twist.linear.x = 200.0;
        let mut reader = Reader::default();
        reader.read(&message);
        reader.stand_at(&Pose::planar(Frame::Odom, 1.0, 2.0, std::f64::consts::FRAC_PI_2));
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
    fn a_speed_that_is_no_number_is_no_speed_of_zero() {
        let mut message = sensors_from_snapshot(&Snapshot::default(), &Moment::default());
        let tells = |message: &PlatformSensors| {
            let said = Reader::default().read(message);
            said.iter().any(|it| matches!(it.signal, Signal::Velocity(_) | Signal::Pose(_)))
        };
        assert!(tells(&message));
        message.odometry.twist.twist.linear.x = f64::NAN;
        message.odometry.twist.twist.angular.z = f64::NAN;
        assert!(!tells(&message));
    }

    #[test]
    fn what_an_inertial_unit_does_not_measure_is_not_published() {
        let read = |message: &PlatformSensors| -> Vec<Imu> {
            let imu = |it: Decoded| match it.signal {
                Signal::Imu(imu) => Some(imu),
                _ => None,
            };
            Reader::default().read(message).into_iter().filter_map(imu).collect()
        };
        let mut message = sensors_from_snapshot(&Snapshot::default(), &Moment::default());
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
