//! What is asked of robots.
//!

use latimer_core::Value;
use latimer_core::model::{Command, Realities, Refusal, SenseRequest, Sensing};

use crate::pera::messages::comm::NeopixelOrder;
use crate::pera::messages::robot::Order;
use crate::pera::roster::SwarmId;
use crate::pera::topic::{Reach, Sensor};
use crate::pera::wire::{Message, Number};

/// Beside a text: how it reached the robot.
const COMM: &str = "comm";

/// A command in the words of the swarm, or why there are none.
pub fn message_from_command(id: SwarmId, command: &Command) -> Result<Message, Refusal> {
    match command {
        Command::Stop { hold: _ } | Command::Halt { motor_mask: _ } => {
            Ok(Message::Order(Some(id), Order::Stop))
        }
        Command::Lamp { part: _, rgb: [red, green, blue] } => {
            Ok(Message::NeopixelOf(id, NeopixelOrder { R: *red, G: *green, B: *blue }))
        }
        Command::SkillMessage { text, data } => message_to_program(id, text, data.as_ref()),
        Command::Sense(SenseRequest { what, realities: _ }) => match what {
            Sensing::Distance => Ok(Message::SensorAsked(Sensor::Distance, id)),
            Sensing::Color => Ok(Message::SensorAsked(Sensor::Color, id)),
            Sensing::Compass => Ok(Message::SensorAsked(Sensor::Compass, id)),
            Sensing::Proximity { .. } => Err(Refusal::unsupported(
                "a Pera robot cannot be asked what is around it; ask for distance, color or compass",
            )),
        },
        _ => {
            let known = "stop, lamp, sense, and skill_message with START, RESET, MODE or any text";
            let name = command.name();
            Err(Refusal::unsupported(format!("a Pera robot takes no {name} from outside; it takes {known}")))
        }
    }
}

fn message_to_program(id: SwarmId, text: &str, data: Option<&Value>) -> Result<Message, Refusal> {
    let path = [COMM.into()];
    let reach = match data.and_then(|data| data.at(&path)).and_then(Value::as_str) {
        Some(word) if word == Reach::Direct.as_str() => Some(Reach::Direct),
        Some(_) => Some(Reach::Simple),
        None => None,
    };
    let data = data.filter(|data| !matches!(data, Value::Null));
    let order = match (reach, Order::from_text(text)) {
        (Some(reach), _) => return Ok(Message::CommIn(reach, id, text.to_owned())),
        (None, order) => order,
    };
    let message = match (order, data) {
        (Order::Mode(mode), None) if mode.is_empty() => {
            return Err(Refusal::unsupported("MODE needs a value: write MODE 2, or give the value as data"));
        }
        (Order::Mode(mode), Some(value)) if mode.is_empty() => {
            let mode = word(value).ok_or_else(|| Refusal::unsupported("a mode is one word or number"))?;
            Message::Order(Some(id), Order::Mode(mode))
        }
        (_, Some(_)) => {
            let known =
                "write it in the text, or say how it is heard with {\"comm\":\"simple\"} or \"direct\"";
            return Err(Refusal::unsupported(format!("{text:?} has no place for data; {known}")));
        }
        (order @ (Order::Start | Order::Reset | Order::Mode(_)), None) => Message::Order(Some(id), order),
        (_, None) => Message::CommIn(Reach::Simple, id, text.to_owned()),
    };
    Ok(message)
}

/// A value as one word of an order.
fn word(value: &Value) -> Option<String> {
    let word = match value {
        Value::Text(text) => text.trim().to_owned(),
        value => Number(value.as_f64()?).to_string(),
    };
    let is_word = !word.is_empty() && !word.contains(char::is_whitespace);
    is_word.then_some(word)
}

/// What a message asks of a robot, or of all; `None` if nothing that a robot does.
pub fn command_from_message(message: &Message) -> Option<(Option<SwarmId>, Command)> {
    match message {
        Message::Order(id, order) => Some((*id, command_from_order(order)?)),
        Message::NeopixelOf(id, NeopixelOrder { R, G, B }) => {
            Some((Some(*id), Command::Lamp { part: None, rgb: [*R, *G, *B] }))
        }
        Message::CommIn(reach, id, text) => {
            let data = Value::Map(vec![(COMM.into(), Value::Text(reach.as_str().into()))]);
            Some((Some(*id), Command::SkillMessage { text: text.clone(), data: Some(data) }))
        }
        Message::SensorAsked(sensor, id) => {
            let what = match sensor {
                Sensor::Distance => Sensing::Distance,
                Sensor::Color => Sensing::Color,
                Sensor::Compass => Sensing::Compass,
                Sensor::Proximity => return None,
            };
            Some((Some(*id), Command::Sense(SenseRequest { what, realities: Realities::Real })))
        }
        _ => None,
    }
}

fn command_from_order(order: &Order) -> Option<Command> {
    match order {
        Order::Stop => Some(Command::Stop { hold: false }),
        // Without a mode it says nothing that a robot could do.
        Order::Mode(mode) if mode.is_empty() => None,
        Order::Start | Order::Mode(_) | Order::Reset => {
            let text = match order {
                Order::Mode(mode) => format!("MODE {mode}"),
                Order::Reset => "RESET".to_owned(),
                _ => "START".to_owned(),
            };
            Some(Command::SkillMessage { text, data: None })
        }
        // It asks who is there, which is answered and not done.
        Order::Id | Order::Other(_) => None,
    }
}
