//! What a program for Mistys sends: every call of the catalogue that asks the robot for something.

use super::rest::catalogue::commands;
use super::rest::command::command_from_call;
use super::rest::params::Params;
use super::rest::row::Method;
use crate::contract::{ClientMessage, Clients};

/// What any call needs; each takes its own of it.
const ARGUMENTS: &str = r#"{"LinearVelocity":10,"AngularVelocity":0,"TimeMs":1000,"LeftTrackSpeed":10,"RightTrackSpeed":10,
    "Heading":0,"Radius":1,"Distance":1,"Arm":"left","Position":0,"LeftArmPosition":0,"RightArmPosition":0,"Pitch":0,"Red":1,
    "Green":2,"Blue":3,"FileName":"a.wav","Volume":50,"FaceId":"Ada","Message":"hello","RevertToDefault":true,
    "Version":"Current"}"#;

/// All of it.
pub(super) fn clients() -> Clients {
    let arguments = Params::read("", ARGUMENTS).unwrap_or_default();
    let messages = commands().filter(|call| call.method != Method::Get).filter_map(|call| {
        let command = command_from_call(call, &arguments)?.ok()?;
        let (method, path) = (call.method.as_str(), format!("api/{}", call.endpoint));
        Some(ClientMessage::request(command.name(), method, &path, ARGUMENTS))
    });
    Clients { messages: messages.collect(), ..Clients::default() }
}
