//! ROS messages as rosbridge writes them: no panic on the way to the model and back, and what was read and written reads the
//! same again.
//!
//! Takes whole messages; each is read as a message of every type.

use latimer_dialects::describe::Translate;
use latimer_dialects::rosbridge::messages::{
    BatteryState, Bumper, ColorRgba, CompressedImage, Context, Imu, JointState, LaserScan, Line,
    OccupancyGrid, Odometry, PoseStamped, Range, Touch, Twist,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn check<M: DeserializeOwned + Serialize + Translate<Context = Context>>(text: &str) {
    let Ok(message) = serde_json::from_str::<M>(text) else { return };
    let written = serde_json::to_string(&message).expect("it is written");
    let again: M = serde_json::from_str(&written).expect("what was written is read");
    assert_eq!(serde_json::to_string(&again).expect("and written"), written);
    let context = Context::default();
    if let Ok(record) = message.decode(&context) {
        M::encode(&record, &context);
    }
}

pub(super) fn run(text: &str) {
    check::<BatteryState>(text);
    check::<Bumper>(text);
    check::<ColorRgba>(text);
    check::<CompressedImage>(text);
    check::<Imu>(text);
    check::<JointState>(text);
    check::<LaserScan>(text);
    check::<Line>(text);
    check::<OccupancyGrid>(text);
    check::<Odometry>(text);
    check::<PoseStamped>(text);
    check::<Range>(text);
    check::<Touch>(text);
    check::<Twist>(text);
}
