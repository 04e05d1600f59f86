//! Messages of a dialect, as what they mean in the model.

use std::hint::black_box;

use anyhow::{Context as _, ensure};
use latimer_core::RobotId;
use latimer_dialects::describe::Translate;
use latimer_dialects::miro::map::Reader;
use latimer_dialects::miro::messages::PlatformSensors;
use latimer_dialects::pera;
use latimer_dialects::rosbridge::messages::{BatteryState, Imu, JointState, LaserScan, Twist};
use serde::de::DeserializeOwned;

use super::{Run, ros1, samples};

/// How often all samples are decoded.
pub(super) const ROUNDS: u32 = 20;

pub(super) fn misty() -> anyhow::Result<Run> {
    let frames = samples::misty_frames()?;
    ensure!(!frames.is_empty(), "no sample is decoded");
    Ok(Box::new(move || frames.iter().for_each(|text| drop(black_box(samples::misty_signals(text))))))
}

pub(super) fn axbot() -> anyhow::Result<Run> {
    let messages = samples::axbot_messages()?;
    ensure!(!messages.is_empty(), "no sample is decoded");
    Ok(Box::new(move || {
        messages.iter().for_each(|(topic, text)| drop(black_box(samples::axbot_signals(*topic, text))));
    }))
}

pub(super) fn pera() -> anyhow::Result<Run> {
    let (messages, robot) = (samples::pera_messages()?, RobotId::new(pera::NAME)?);
    ensure!(!messages.is_empty(), "no sample is decoded");
    Ok(Box::new(move || {
        for (topic, payload) in &messages {
            black_box(samples::pera_updates(topic, payload, &robot));
        }
    }))
}

pub(super) fn robotkoop() -> anyhow::Result<Run> {
    let messages = samples::robotkoop_messages()?;
    ensure!(!messages.is_empty(), "no sample is decoded");
    Ok(Box::new(move || {
        messages.iter().for_each(|(topic, text)| drop(black_box(samples::robotkoop_signals(*topic, text))));
    }))
}

pub(super) fn miro() -> anyhow::Result<Run> {
    let (layout, bytes) = ros1::sensors()?;
    let mut reader = Reader::default();
    Ok(Box::new(move || {
        if let Ok(message) = layout.decode::<PlatformSensors>(&bytes) {
            black_box(reader.read(&message));
        }
    }))
}

const SCAN: &str = r#"{"header":{"stamp":{"secs":1,"nsecs":2}},"angle_min":-1,"angle_max":1,"angle_increment":0.25,
    "range_min":0.1,"range_max":8,"ranges":[1,2.5,null,4,5.25,6,7,null,1.125],"intensities":[]}"#;
const IMU: &str = r#"{"header":{"stamp":{"secs":1,"nsecs":2},"frame_id":"base"},"orientation":{"x":0,"y":0,"z":0,"w":1},
    "angular_velocity":{"x":0,"y":0,"z":0.1},"linear_acceleration":{"x":0,"y":0.25,"z":9.8}}"#;
const BATTERY: &str = r#"{"voltage":12.1,"percentage":0.5,"power_supply_status":2,"present":true}"#;
const JOINTS: &str = r#"{"name":["head_yaw","head_pitch"],"position":[0.1,-0.25],"velocity":[],"effort":[]}"#;
const TWIST: &str = r#"{"linear":{"x":0.25,"y":0,"z":0},"angular":{"x":0,"y":0,"z":-0.5}}"#;

pub(super) fn rosbridge() -> anyhow::Result<Run> {
    fn read<M: DeserializeOwned + Translate<Context: Default>>(text: &str) -> anyhow::Result<()> {
        let message = serde_json::from_str::<M>(text)?;
        black_box(message.decode(&M::Context::default()).ok().context("it means nothing")?);
        Ok(())
    }
    let all = || {
        read::<LaserScan>(SCAN)?;
        read::<Imu>(IMU)?;
        read::<BatteryState>(BATTERY)?;
        read::<JointState>(JOINTS)?;
        read::<Twist>(TWIST)
    };
    all()?;
    Ok(Box::new(move || drop(black_box(all()))))
}
