//! Every message goes both ways as it is described.

use latimer_core::model::Kind;
use serde_json::Value as Json;

use super::*;
use crate::describe::Described;
use crate::describe::check::{Through, holds, read, seed, through};
use crate::describe::{Object, Translate};
use crate::misty::map::{SelfStateParts, self_state};
use crate::misty::wire::EventType;

fn context() -> Context {
    Context { at: Timestamp::default(), part: Some(PartName::of("commanded")) }
}

fn derived<M>(kind: Kind, context: &Context)
where
    M: Described + Object + Translate<Context = Context> + serde::Serialize,
    M::Record: Into<Signal> + Clone,
{
    let name = std::any::type_name::<M>().rsplit("::").next().unwrap().to_lowercase();
    let event = EventType::ALL.iter().find(|it| name.starts_with(&it.as_str().to_lowercase()));
    let whole = through::<M>(context);
    holds(&name, M::FIELDS, kind, |json| {
        if let Some(event) = event {
            let frame = serde_json::json!({"eventName": event.as_str(), "message": json}).to_string();
            seed("misty_message", &frame);
            seed("misty_frame", &frame);
        }
        whole(json)
    });
}

#[test]
fn messages_of_one_signal_go_both_ways_as_they_are_described() {
    let context = context();
    derived::<bodies::BatteryCharge>(Kind::Battery, &context);
    derived::<bodies::BumpSensor>(Kind::Contact, &context);
    derived::<bodies::TouchSensor>(Kind::Contact, &context);
    derived::<bodies::DriveEncoders>(Kind::Encoders, &context);
    derived::<bodies::HaltCommand>(Kind::Motion, &context);
    derived::<bodies::LocomotionCommand>(Kind::Velocity, &context);
    derived::<bodies::FaceRecognition>(Kind::Face, &context);
    derived::<bodies::FaceTraining>(Kind::FaceTraining, &context);
    derived::<bodies::Imu>(Kind::Imu, &context);
    derived::<bodies::ActuatorPosition>(Kind::Joint, &context);
    derived::<pose::Pose>(Kind::Pose, &context);
    derived::<bodies::TimeOfFlight>(Kind::Range, &context);
    derived::<bodies::SlamStatusMessage>(Kind::Localization, &context);
    derived::<bodies::AudioPlayComplete>(Kind::Playback, &context);
    derived::<bodies::KeyPhraseRecognized>(Kind::KeyPhrase, &context);
    derived::<bodies::SourceFocusConfigMessage>(Kind::SoundFocus, &context);
    derived::<bodies::SourceTrackDataMessage>(Kind::SoundSource, &context);
    derived::<bodies::SerialMessage>(Kind::Text, &context);
    derived::<bodies::SkillData>(Kind::Text, &context);
}

#[test]
fn things_that_have_a_place_go_both_ways_as_they_are_described() {
    type Message = world_state::WorldState;
    let context = context();
    let whole = through::<Message>(&context);
    holds("WorldState", Message::FIELDS, Kind::Objects, |json| {
        let Through { written, decoded, encoded } = whole(json);
        let placed =
            |object: &Json| ["x", "y"].iter().all(|axis| object["location"]["pose"].get(axis).is_some());
        if json["objects"].as_array().is_some_and(|objects| objects.iter().all(placed)) {
            return Through { written, decoded, encoded };
        }
        Through { written, decoded: Ok(Vec::new()), encoded: None }
    });
}

/// Whether each item of a list is complete and stands once.
fn is_complete(items: &[Json]) -> bool {
    let mut names: Vec<_> = items.iter().filter_map(|item| item["sensorName"].as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.len() == items.len() && items.iter().all(|item| item.get("inHazard").is_some())
}

#[test]
fn hazards_go_both_ways_and_those_that_a_message_leaves_out_are_off() {
    type Message = hazard::HazardNotification;
    let context = context();
    let whole = through::<Message>(&context);
    holds("HazardNotification", Message::FIELDS, Kind::Hazard, |json| {
        let Through { written, decoded, encoded } = whole(json);
        let mut encoded = encoded.unwrap();
        for (name, list) in encoded.as_object_mut().unwrap() {
            let Some(items) = list.as_array_mut() else { continue };
            let named = json.get(name).and_then(Json::as_array).filter(|named| is_complete(named));
            let Some(named) = named else {
                items.clear();
                continue;
            };
            let is = |item: &Json, name: &Json| item["sensorName"] == name["sensorName"];
            items.iter().filter(|item| !named.iter().any(|it| is(item, it))).for_each(|item| {
                assert_eq!(item["inHazard"], false, "{item}");
            });
            *items = named.iter().map(|it| items.iter().find(|item| is(item, it)).unwrap().clone()).collect();
        }
        Through { written, decoded, encoded: Some(encoded) }
    });
}

#[test]
fn a_self_goes_both_ways_as_it_is_described() {
    type Message = self_state::SelfState;
    holds("SelfState", Message::FIELDS, Kind::Battery, |json| {
        let message: Message = read(json);
        let received = message.signals(Timestamp::default()).unwrap();
        let mut parts = SelfStateParts::default();
        for Received { stamp, signal, .. } in &received {
            match signal {
                Signal::Battery(it) => parts.battery = Some((it, *stamp)),
                Signal::Pose(it) => parts.pose = Some((it, *stamp)),
                Signal::Localization(it) => parts.localization = Some(it),
                Signal::Status(it) => parts.status = Some(it),
                other => panic!("{other:?}"),
            }
        }
        let mut encoded = self_state(&parts).full();
        // What is not known is written as zeros.
        for (name, is_known) in
            [("location", parts.pose.is_some()), ("slamStatus", parts.localization.is_some())]
        {
            encoded.as_object_mut().unwrap().retain(|key, _| is_known || key != name);
        }
        let encoded = Some(encoded);
        let decoded = Ok(received.iter().map(|it| it.signal.clone()).collect());
        Through { written: serde_json::to_value(&message).unwrap(), decoded, encoded }
    });
}
