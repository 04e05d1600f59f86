//! One update as the message of a topic: encoded once per update and style, however many clients there are.

use std::cell::RefCell;
use std::sync::Arc;

use bytes::Bytes;
use latimer_core::hub::{Encoding, Shared};
use latimer_core::model::signal::ContactSensor;
use latimer_core::model::{Kind, RobotProfile, Signal};
use latimer_core::{Hub, PartName};

use crate::axbot::map::message_from_update;
use crate::axbot::messages::Context;
use crate::axbot::style::Style;
use crate::axbot::topic::Topic;

/// Whether a topic carries an update of a robot of a profile.
pub(super) fn is_published_on(topic: Topic, profile: &RobotProfile, update: &Shared) -> bool {
    let part = update.part.as_ref().map(PartName::as_str);
    topic.origins_of(profile).any(|(kind, of)| kind == update.kind() && of.is_none_or(|of| part == Some(of)))
}

/// Whether a topic's messages hold addresses of pictures that this gateway keeps.
const fn has_addresses(topic: Topic) -> bool {
    matches!(topic, Topic::MapV2 | Topic::CostmapV2 | Topic::IncrementalMapV2)
}

/// An update as the frame of a topic.
#[derive(PartialEq)]
struct AsFrame(Topic, Style);

impl Encoding for AsFrame {
    const DIALECT: &'static str = crate::axbot::NAME;
    type Output = Written;
}

/// A frame, and the pictures that it gives addresses of, each with its word.
struct Written {
    frame: Option<Bytes>,
    pictures: Vec<(&'static str, Bytes)>,
}

/// The frame of a topic for an update; `None` if there is nothing to say. Each topic of an update is written once.
///
/// Its pictures are kept each time it is asked for: they may have gone meanwhile, or the first asker kept none.
pub(super) fn frame(
    hub: &Hub,
    topic: Topic,
    update: &Shared,
    style: Style,
    keep: &dyn Fn(&str, &Bytes) -> String,
) -> Option<Bytes> {
    // What a chassis said passes through as it said it, unless pictures would be looked for here that are there.
    if let Some(native) = &update.native
        && native.dialect == crate::axbot::NAME
        && *native.topic == *topic.as_str()
        && !has_addresses(topic)
    {
        return Some(native.payload.clone());
    }
    let written =
        update.derived(AsFrame(topic, style), |update| write(&hub.unfiltered(), topic, update, style));
    for (word, png) in &written.pictures {
        keep(word, png);
    }
    written.frame.clone()
}

fn write(hub: &Hub, topic: Topic, update: &latimer_core::Update, style: Style) -> Written {
    let pose = hub.last(&update.robot, Kind::Pose, None).and_then(|it| match &it.signal {
        Signal::Pose(pose) => Some(hub.on_map(&update.robot, pose).unwrap_or_else(|| pose.clone())),
        _ => None,
    });
    let placed = match &update.signal {
        Signal::Pose(pose) => hub
            .on_map(&update.robot, pose)
            .map(|pose| latimer_core::Update { signal: pose.into(), ..update.clone() }),
        _ => None,
    };
    let update = placed.as_ref().unwrap_or(update);
    let map = hub.last(&update.robot, Kind::MapInfo, None);
    let context = Context {
        at: update.stamp.at,
        style,
        pose,
        has_map: map.is_some(),
        map_uid: map.and_then(|it| match &it.signal {
            Signal::MapInfo(map) => map.uid.clone(),
            _ => None,
        }),
        bumpers: if topic == Topic::BumperState { bumpers(hub, update) } else { Vec::new() },
        pictures: RefCell::default(),
    };
    let frame = message_from_update(topic, update, &context).map(|message| message.write());
    Written { frame, pictures: context.pictures.into_inner() }
}

/// The bumpers of a robot and whether each is pressed, as of an update of one of them.
fn bumpers(hub: &Hub, update: &latimer_core::Update) -> Vec<(PartName, bool)> {
    let known = hub.last_of_parts(&update.robot, Kind::Contact);
    let own: Option<&latimer_core::Update> = Some(update);
    let all =
        known.iter().map(|it| -> &latimer_core::Update { it }).filter(|it| it.part != update.part).chain(own);
    let pressed = all.filter_map(|it| match &it.signal {
        Signal::Contact(contact) if contact.sensor == ContactSensor::Bumper => {
            Some((it.part.clone()?, contact.contacted))
        }
        _ => None,
    });
    pressed.collect()
}

/// The first topic that tells an update, with its frame.
pub(in crate::axbot) fn translate(
    hub: &Hub,
    update: &Shared,
    style: Style,
) -> Option<crate::contract::Translated> {
    let keep = |_: &str, _: &Bytes| String::new();
    let profile = hub.profile(&update.robot);
    let reported = Topic::ALL
        .iter()
        .filter(|topic| is_published_on(**topic, &profile, update))
        .find_map(|topic| Some((*topic, frame(hub, *topic, update, style, &keep)?)));
    reported.map(|(topic, payload)| crate::contract::Translated { topic: topic.as_str().into(), payload })
}

/// A robot's last message on a topic, if it said anything.
pub(super) fn last(
    hub: &Hub,
    robot: &latimer_core::RobotId,
    topic: Topic,
    style: Style,
    keep: &dyn Fn(&str, &Bytes) -> String,
) -> Option<Bytes> {
    last_update(hub, robot, topic, style, keep).map(|(_, frame)| frame)
}

/// The same with the update that it tells.
pub(super) fn last_update(
    hub: &Hub,
    robot: &latimer_core::RobotId,
    topic: Topic,
    style: Style,
    keep: &dyn Fn(&str, &Bytes) -> String,
) -> Option<(Arc<Shared>, Bytes)> {
    topic.origins_of(&hub.profile(robot)).find_map(|(kind, part)| {
        let of_part = |part: Arc<Shared>| Some((part.clone(), frame(hub, topic, &part, style, keep)?));
        match part {
            Some(part) => hub.last(robot, kind, Some(&PartName::of(part))).and_then(of_part),
            None => hub.last_of_parts(robot, kind).into_iter().find_map(of_part),
        }
    })
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::OccupancyGrid;
    use latimer_core::model::{Native, Update};
    use latimer_core::{Clock, RobotId};

    use super::super::statics::Statics;
    use super::*;

    fn map(native: Option<Native>) -> Shared {
        let grid = OccupancyGrid {
            resolution_m: 0.05,
            width: 1,
            height: 1,
            cells: Bytes::from_static(&[0]),
            ..OccupancyGrid::UPRIGHT
        };
        let clock = Clock::system();
        let update = Update::now(&RobotId::new("r").unwrap(), clock.now(), grid.into());
        Shared::new(Update { native, ..update.of_part(PartName::of("map")) }, 1)
    }

    #[tokio::test]
    async fn a_frame_is_handed_out_with_its_pictures_kept() {
        let hub = Hub::new(Clock::system());
        let update = map(None);
        let png = Bytes::from_static(b"png");
        // A subscriber without a filter asked first.
        update.derived(AsFrame(Topic::MapV2, Style::default()), |_| Written {
            frame: Some(Bytes::from_static(b"{}")),
            pictures: vec![("map", png.clone())],
        });
        for _ in 0..2 {
            let statics = Statics::default();
            let keep = |word: &str, png: &Bytes| statics.keep(word, png);
            assert!(frame(&hub, Topic::MapV2, &update, Style::default(), &keep).is_some());
            let address = crate::axbot::picture::address("map", &png);
            assert_eq!(statics.get(address.strip_prefix("static-files/").unwrap()), Some(png.clone()));
        }
    }

    #[tokio::test]
    async fn what_a_chassis_said_passes_through_unless_it_points_to_its_own_pictures() {
        let hub = Hub::new(Clock::system());
        let native = |topic: Topic| Native {
            dialect: crate::axbot::NAME,
            topic: topic.as_str().into(),
            payload: Bytes::from_static(b"{\"as\": \"said\"}"),
            definition: None,
        };
        let keep = |_: &str, _: &Bytes| String::new();
        let sent = |topic| frame(&hub, topic, &map(Some(native(topic))), Style::default(), &keep);
        assert_eq!(sent(Topic::Map).unwrap(), "{\"as\": \"said\"}");
        assert_ne!(sent(Topic::MapV2).as_deref(), Some(&b"{\"as\": \"said\"}"[..]));
    }
}
