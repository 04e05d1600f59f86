//! A frame of TCPROS: what a MiRo senses.

use std::hint::black_box;
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use bytes::{Bytes, BytesMut};
use latimer_core::model::PartName;
use latimer_core::model::signal::{Battery, Joint, Range, Velocity};
use latimer_core::{RobotId, Signal, Update};
use latimer_dialects::miro::map::{Snapshot, sensors_from_snapshot};
use latimer_dialects::miro::messages::{Moment, PlatformSensors};
use latimer_dialects::miro::topic::Topic;
use latimer_dialects::miro::types::Types;
use latimer_dialects::miro::{Layouts, NAME};
use latimer_ros1::message::Layout;
use latimer_ros1::tcpros::Frames;
use tokio_util::codec::Decoder as _;

use super::{Run, samples};

/// How many frames are counted.
pub(super) const ROUNDS: u32 = 100;
/// Most bytes of a frame that are taken.
const LIMIT_BYTES: usize = 1 << 20;

/// The layout of what the platform senses, and one such message of a robot that senses something.
pub(super) fn sensors() -> anyhow::Result<(Arc<Layout>, Bytes)> {
    let (robot, mut known) = (RobotId::new(NAME)?, Snapshot::default());
    let said: [(Option<&str>, Signal); 5] = [
        (None, Battery { voltage_v: Some(4.75), ..Battery::UNKNOWN }.into()),
        (Some(Velocity::MEASURED), Velocity::of(0.25, -0.5).into()),
        (Some("yaw"), Joint::hinge(0.5).into()),
        (Some("eyelids"), Joint::share(0.25).into()),
        (Some("sonar"), Range::valid(0.25).into()),
    ];
    for (part, signal) in said {
        let mut update = Update::now(&robot, samples::AT, signal);
        update.part = part.map(PartName::of);
        known.take(&update);
    }
    let layout = Types::load(Layouts::Maker, None)?.of(Topic::Sensors);
    let message = layout.encode(&sensors_from_snapshot(&known, &Moment::default()))?;
    Ok((layout, message))
}

/// A message is read from a frame, and written again.
pub(super) fn frame() -> anyhow::Result<Run> {
    let (layout, message) = sensors()?;
    let mut framed = u32::try_from(message.len())?.to_le_bytes().to_vec();
    framed.extend_from_slice(&message);
    let mut frames = Frames::new(LIMIT_BYTES);
    let mut read_and_write = move || {
        let frame = frames.decode(&mut BytesMut::from(&framed[..]))?.context("a whole frame")?;
        let message: PlatformSensors = layout.decode(&frame)?;
        anyhow::Ok(layout.encode(&message)?)
    };
    ensure!(read_and_write()? == message, "what was read is written otherwise");
    Ok(Box::new(move || drop(black_box(read_and_write()))))
}
