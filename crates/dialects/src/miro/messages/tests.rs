//! Messages beside the model: each field that is a table goes both ways.

use latimer_core::Signal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::*;
use crate::describe::Translate;
use crate::describe::check::{Through, holds};
use crate::miro::map::Reader;

fn json(message: &impl Serialize) -> Json {
    // As text, in which floats of 32 bits are what they were read from.
    serde_json::from_str(&serde_json::to_string(message).unwrap()).unwrap()
}

/// A message as it is written, as far as it is described.
fn written(whole: &Json, described: &Json) -> Json {
    match (whole, described) {
        (Json::Object(whole), Json::Object(described)) => {
            let field = |(name, it): (&String, &Json)| (name.clone(), written(&whole[name], it));
            Json::Object(described.iter().map(field).collect())
        }
        _ => whole.clone(),
    }
}

/// Holds a message with only these kinds against its description.
fn check<M>(kind: Kind, signals: impl Fn(&mut M) -> Vec<Signal>)
where
    M: Described + Translate<Context = Moment> + Serialize + DeserializeOwned,
{
    holds(std::any::type_name::<M>(), M::FIELDS, kind, |wire| {
        let mut message: M = serde_json::from_value(wire.clone()).unwrap();
        let written = written(&json(&message), wire);
        let decoded = signals(&mut message);
        let encoded =
            message.decode(&Moment::default()).ok().and_then(|it| M::encode(&it, &Moment::default()));
        Through { written, decoded: Ok(decoded), encoded: encoded.map(|it| json(&it)) }
    });
}

#[test]
fn every_sense_goes_both_ways() {
    check(Kind::Battery, |message: &mut PlatformSensors| {
        message.joint_state.name = NECK.map(str::to_owned).to_vec();
        Reader::default().read(message).into_iter().map(|it| it.signal).collect()
    });
}

#[test]
fn every_field_of_the_standard_interface_goes_both_ways() {
    check(Kind::Velocity, |message: &mut Twist| vec![message.decode(&Moment::default()).unwrap().into()]);
    check(Kind::Range, |message: &mut Range| vec![message.decode(&Moment::default()).unwrap().into()]);
    check(Kind::Text, |message: &mut std_msgs::String| {
        vec![message.decode(&Moment::default()).unwrap().into()]
    });
}
