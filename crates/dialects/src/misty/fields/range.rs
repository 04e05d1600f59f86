//! Distances, and what keeps the robot from driving.

use latimer_core::model::Kind;
use latimer_core::model::signal::HazardSource;

use super::{CREATED, EXPIRY, message};
use crate::misty::map::hazard_names;
use crate::misty::map::names::{EDGES, RANGES, Sensor};
use crate::misty::wire::EventType;
use crate::table::{FieldPair, Message, WordPair};

/// Range sensors, then edge sensors; both may look at the same part.
const fn both(column: usize) -> [WordPair; 8] {
    const fn pair(sensor: &Sensor, column: usize) -> WordPair {
        let name = match column {
            0 => sensor.sensor_id,
            1 => sensor.sensor_name,
            _ => sensor.sensor_position,
        };
        (name, sensor.part)
    }
    let mut pairs = [("", ""); 8];
    let mut i = 0;
    while i < 4 {
        pairs[i] = pair(&RANGES[i], column);
        pairs[i + 4] = pair(&EDGES[i], column);
        i += 1;
    }
    pairs
}

const DISTANCE: &str = "8.191 where nothing was measured, which is no distance here";
const STATUS: &str = "0 good, 100 and more doubtful, 200 and more and -1 errors; `status` is the word for it";

pub(super) const TIME_OF_FLIGHT: Message = message(
    EventType::TimeOfFlight,
    "A distance along the floor, or down to the floor.",
    &[
        FieldPair::own("averageTimeMs", "time that was averaged over; robots of 2021"),
        CREATED,
        FieldPair::number("distanceInMeters", "m", Kind::Range, "distance_m", 1.0).note(DISTANCE),
        FieldPair::number("distanceInMeters", "m", Kind::Cliff, "distance_m", 1.0).note(DISTANCE),
        EXPIRY,
        FieldPair::own("inHazard", "whether it stops the robot; robots of 2021"),
        FieldPair::part("sensorId", &both(0)),
        FieldPair::part("sensorName", &both(1)),
        FieldPair::part("sensorPosition", &both(2)).note("for conditions; sent by robots of 2021"),
        FieldPair::own("sigma", "standard deviation; robots of 2021"),
        FieldPair::own("signal", "strength of what came back; robots of 2021"),
        FieldPair::same("status", Kind::Range, "status_code").note(STATUS),
        FieldPair::same("status", Kind::Cliff, "status_code").note(STATUS),
        FieldPair::kind("type", &[("Range", "range"), ("Edge", "cliff")]),
    ],
);

/// The model has parts first, tables have the wire first.
const fn turned<const N: usize>(source: HazardSource) -> [WordPair; N] {
    let names = hazard_names(source);
    let mut pairs = [("", ""); N];
    let mut i = 0;
    while i < N {
        pairs[i] = (names[i].1, names[i].0);
        i += 1;
    }
    pairs
}

const fn active(wire: &'static str, note: &'static str) -> FieldPair {
    FieldPair::same(wire, Kind::Hazard, "items.active").note(note)
}

const fn named(wire: &'static str, words: &'static [WordPair]) -> FieldPair {
    FieldPair::words(wire, Kind::Hazard, "items.part", words)
}

pub(super) const HAZARD_NOTIFICATION: Message = message(
    EventType::HazardNotification,
    "A hazard began or ended; all sensors are listed. The message has no time.",
    &[
        active("bumpSensorsHazardState[].inHazard", "items whose source is `bumper`"),
        named("bumpSensorsHazardState[].sensorName", &turned::<4>(HazardSource::Bumper)),
        FieldPair::same("criticalInternalError", Kind::Hazard, "critical_error_code")
            .note("0 none, 1 firmware and processor do not talk, 2 real-time controller lost"),
        active("currentSensorsHazard[].inHazard", "items whose source is `current`"),
        named("currentSensorsHazard[].sensorName", &turned::<7>(HazardSource::Current)),
        active("driveStopped[].inHazard", "items whose source is `drive_zone`"),
        named("driveStopped[].sensorName", &turned::<6>(HazardSource::DriveZone)),
        active("excessiveSpeedHazard[].inHazard", "items whose source is `overspeed`; only if a robot tells"),
        named("excessiveSpeedHazard[].sensorName", &turned::<7>(HazardSource::Overspeed)),
        active("motorStallHazard[].inHazard", "items whose source is `motor_stall`"),
        named("motorStallHazard[].sensorName", &turned::<7>(HazardSource::MotorStall)),
        active("timeOfFlightSensorsHazardState[].inHazard", "items whose source is `range`"),
        named("timeOfFlightSensorsHazardState[].sensorName", &turned::<8>(HazardSource::Range)),
    ],
);
