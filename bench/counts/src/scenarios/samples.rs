//! Messages of every dialect's `testdata`, and the updates in them.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use latimer_core::model::{Kind, PartName};
use latimer_core::{RobotId, Signal, Timestamp, Update};
use latimer_dialects::describe::Received;
use latimer_dialects::misty::session::decode::{Decoded, decode};
use latimer_dialects::misty::wire::EventType;
use latimer_dialects::{axbot, misty, pera, robotkoop};

/// When everything was received.
pub(super) const AT: Timestamp = Timestamp::from_nanos(1_700_000_000_000_000_000);
/// Where a Pera looks.
pub(super) const ANGLES: [pera::wire::Number; 3] =
    [pera::wire::Number(-90.0), pera::wire::Number(0.0), pera::wire::Number(90.0)];
/// The part of what robots without a testdata of theirs say.
const NO_PART: Option<PartName> = None;

/// Kinds whose cost is that of their pixels or samples.
const HEAVY: [Kind; 5] = [Kind::Image, Kind::CompressedImage, Kind::Video, Kind::Audio, Kind::Map];

/// The texts of a dialect, by their file names.
fn texts(dialect: &str) -> anyhow::Result<Vec<String>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../crates/dialects/src")
        .join(dialect)
        .join("testdata");
    let files = fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut files = files.map(|file| Ok(file?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|it| it == "json" || it == "txt"));
    files.sort();
    ensure!(!files.is_empty(), "there is no sample in {}", folder.display());
    files.iter().map(|file| Ok(fs::read_to_string(file)?)).collect()
}

fn is_light(signal: &Signal) -> bool {
    !HEAVY.contains(&signal.kind())
}

/// The event type whose name a Misty's event has.
pub(super) fn event_type(name: &str) -> Option<EventType> {
    EventType::ALL.iter().copied().find(|it| name.contains(it.as_str()))
}

/// What one frame of a Misty says.
pub(super) fn misty_signals(text: &str) -> Vec<Received> {
    let Decoded::Event { message, .. } = decode(text, event_type) else { return Vec::new() };
    misty::map::signals_from_message(&message, AT).unwrap_or_default()
}

/// Frames of a Misty.
pub(super) fn misty_frames() -> anyhow::Result<Vec<String>> {
    let mut frames = texts(misty::NAME)?;
    frames.retain(|text| all_light(&misty_signals(text)));
    Ok(frames)
}

/// What one message of a chassis says.
pub(super) fn axbot_signals(topic: axbot::topic::Topic, text: &str) -> Vec<Received> {
    let Ok(message) = axbot::wire::Message::read(topic, text.as_bytes()) else { return Vec::new() };
    axbot::map::signals_from_message(&message, AT).unwrap_or_default()
}

/// Messages of a chassis.
pub(super) fn axbot_messages() -> anyhow::Result<Vec<(axbot::topic::Topic, String)>> {
    let topic = |text: &str| {
        axbot::topic::Topic::ALL.iter().copied().find(|topic| text.contains(&format!("\"{topic}\"")))
    };
    let messages = texts(axbot::NAME)?.into_iter().filter_map(|text| Some((topic(&text)?, text)));
    Ok(messages.filter(|(topic, text)| all_light(&axbot_signals(*topic, text))).collect())
}

fn all_light(received: &[Received]) -> bool {
    !received.is_empty() && received.iter().all(|it| is_light(&it.signal))
}

/// Topics and texts of a swarm.
pub(super) fn pera_messages() -> anyhow::Result<Vec<(pera::topic::Topic, Bytes)>> {
    let text = texts(pera::NAME)?.concat();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    Ok(lines
        .map(|(topic, text)| (pera::topic::Topic::parse(topic), Bytes::copy_from_slice(text.as_bytes())))
        .collect())
}

/// What one message of a swarm says.
pub(super) fn pera_updates(topic: &pera::topic::Topic, payload: &Bytes, robot: &RobotId) -> Vec<Update> {
    let Ok(message) = pera::wire::Message::read(topic, payload) else { return Vec::new() };
    let id = pera::map::robot_of(&message).unwrap_or(0);
    pera::map::updates_from_message(&message, payload, (id, robot), &ANGLES, AT)
}

/// Messages of household robots.
pub(super) fn robotkoop_messages() -> anyhow::Result<Vec<(robotkoop::topic::Topic, String)>> {
    let texts = texts(robotkoop::NAME)?;
    let each = texts
        .iter()
        .flat_map(|text| robotkoop::topic::Topic::ALL.iter().map(move |topic| (*topic, text.clone())));
    Ok(each.filter(|(topic, text)| robotkoop::wire::Message::read(*topic, text.as_bytes()).is_ok()).collect())
}

/// What one message of a household robot says.
pub(super) fn robotkoop_signals(topic: robotkoop::topic::Topic, text: &str) -> Vec<Signal> {
    use robotkoop::map::{received_from_request, tasks_from_status};
    use robotkoop::wire::{Body, Message};
    let Ok(message) = Message::read(topic, text.as_bytes()) else { return Vec::new() };
    match &message.body {
        Body::Report(status) | Body::Receipt(status) => {
            tasks_from_status(&message.head.task_id, "bring", status).into_iter().map(Signal::from).collect()
        }
        Body::Request(request) => {
            received_from_request(&message.head, request, AT).into_iter().map(|it| it.signal).collect()
        }
        Body::Order(_) => Vec::new(),
    }
}

/// All that is said in all samples, of a robot of each family, without its own words.
pub(super) fn updates() -> anyhow::Result<Vec<(&'static str, Update)>> {
    let mut updates = Vec::new();
    let mut add = |family, part: Option<PartName>, signal: Signal| {
        let robot = RobotId::new(family)?;
        let mut update = Update::now(&robot, AT, signal);
        update.part = part;
        updates.push((family, update));
        anyhow::Ok(())
    };
    for text in misty_frames()? {
        misty_signals(&text).into_iter().try_for_each(|it| add(misty::NAME, it.part, it.signal))?;
    }
    for (topic, text) in axbot_messages()? {
        axbot_signals(topic, &text).into_iter().try_for_each(|it| add(axbot::NAME, it.part, it.signal))?;
    }
    for (topic, payload) in pera_messages()? {
        let robot = RobotId::new(pera::NAME)?;
        pera_updates(&topic, &payload, &robot)
            .into_iter()
            .try_for_each(|it| add(pera::NAME, it.part, it.signal))?;
    }
    for (topic, text) in robotkoop_messages()? {
        robotkoop_signals(topic, &text).into_iter().try_for_each(|it| add(robotkoop::NAME, NO_PART, it))?;
    }
    Ok(updates)
}
