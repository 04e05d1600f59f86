//! Messages beside the model: each field goes both ways as it is described.

use latimer_core::model::Kind;
use latimer_core::{Signal, Timestamp};

use super::*;
use crate::describe::check::{holds, seed, through};
use crate::describe::{Described, Object, Translate};

fn both_ways<M>(kind: Kind)
where
    M: Described + Object + Translate<Context = Context> + serde::Serialize,
    M::Record: Into<Signal> + Clone,
{
    let part = Some(PartName::of("part"));
    let context = Context { at: Timestamp::from_nanos(1), part, ..Context::default() };
    let whole = through::<M>(&context);
    holds(std::any::type_name::<M>(), M::FIELDS, kind, |json| {
        seed("rosbridge_message", &json.to_string());
        whole(json)
    });
}

#[test]
fn every_field_goes_both_ways() {
    both_ways::<BatteryState>(Kind::Battery);
    both_ways::<PoseStamped>(Kind::Pose);
    both_ways::<Odometry>(Kind::Velocity);
    both_ways::<Twist>(Kind::Velocity);
    both_ways::<Imu>(Kind::Imu);
    both_ways::<LaserScan>(Kind::Scan);
    both_ways::<Range>(Kind::Range);
    both_ways::<JointState>(Kind::Joint);
    both_ways::<CompressedImage>(Kind::CompressedImage);
    both_ways::<OccupancyGrid>(Kind::Map);
    both_ways::<Bumper>(Kind::Contact);
    both_ways::<Touch>(Kind::Contact);
    both_ways::<ColorRgba>(Kind::Lamp);
    both_ways::<Line>(Kind::Text);
}
