//! Described commands as calls, both ways, by the rows that give them.

use latimer_core::model::call::{Presence, Quantity};
use latimer_core::model::{CallDescription, NativeCall};
use latimer_core::{Command, Value};
use serde_json::{Map, Value as Json, json};

use super::call::Call;
use super::catalogue;
use super::command_params::{CommandError, CommandParams};
use super::row::{Arg, Row, Unit};
use crate::json::{json_from_value, value_from_json};

/// The command that a call gives, or all that is wrong with it.
pub(super) fn command_from_row(
    row: &Row,
    about: &'static CallDescription,
    mut params: CommandParams<'_>,
) -> Result<Command, CommandError> {
    let arg_of = |name: &str| row.args.iter().find(|arg| arg.of == Some(name));
    let values = about.arguments.iter().map(|argument| match (arg_of(argument.name), row.on) {
        (Some(arg), _) => {
            let is_required = argument.presence == Presence::Required || arg.needed.is_some();
            read(&mut params, arg, argument.quantity, is_required)
        }
        (None, Some(on)) if argument.name == "on" => Value::Bool(on),
        (None, _) => Value::Null,
    });
    match NativeCall::new(about, values.collect()) {
        Ok(call) => params.finish().map(|()| Command::Native(call)),
        Err(error) => {
            let name = arg_of(error.name).map_or(error.name, |arg| arg.name);
            Err(params.refused(format!("Invalid parameter '{name}': it {}; {}", error.problem, error.advice)))
        }
    }
}

/// An argument as it was sent, in the model's unit; problems are left in `params`.
fn read(params: &mut CommandParams<'_>, arg: &Arg, quantity: Quantity, is_required: bool) -> Value {
    match quantity {
        Quantity::Flag | Quantity::Switch => given(params, arg, is_required, Value::Bool),
        Quantity::Text | Quantity::Word(_) => {
            given(params, arg, is_required, |text: String| Value::Text(text.into()))
        }
        Quantity::Whole => given(params, arg, is_required, Value::Int),
        Quantity::Wholes => given(params, arg, is_required, |list: Json| value_from_json(&list)),
        _ => {
            let mut number = given(params, arg, is_required, Value::Float);
            if let (Value::Float(given), Unit::Degrees) = (&mut number, arg.unit) {
                *given = given.to_radians();
            }
            if let (Value::Float(given), Unit::Milliseconds) = (&mut number, arg.unit) {
                *given = params.time(*given).as_secs_f64();
            }
            number
        }
    }
}

fn given<T: super::param_type::FromParam + Default>(
    params: &mut CommandParams<'_>,
    arg: &Arg,
    is_required: bool,
    value: impl FnOnce(T) -> Value,
) -> Value {
    match is_required {
        true => value(params.required(arg.name)),
        false => params.optional(arg.name).map_or(Value::Null, value),
    }
}

/// The call that carries out a described command, if it is one of Misty's.
pub(super) fn call_from_native(call: &NativeCall) -> Option<Call> {
    let on = call.argument::<bool>("on").ok();
    let gives = |row: &&Row| {
        row.given.is_some_and(|about| about.name == call.about().name) && (row.on.is_none() || row.on == on)
    };
    let row = catalogue::commands().find(gives)?;
    let mut body = Map::new();
    for arg in row.args {
        let value = call.arguments().find(|(argument, _)| arg.of == Some(argument.name));
        if let Some((_, value)) = value {
            body.insert(arg.name.to_owned(), written(arg, value));
        }
    }
    Some(Call { method: row.method, endpoint: row.endpoint, body: Json::Object(body) })
}

fn written(arg: &Arg, value: &Value) -> Json {
    match (value, arg.unit, arg.needed) {
        (Value::Float(number), Unit::Degrees, _) => json!(number.to_degrees()),
        // Whole ones, and no more than there are.
        (Value::Float(number), Unit::Milliseconds, _) => json!((number * 1000.0).round() as u64),
        (Value::Null, _, Some(needed)) => json!(needed),
        (value, ..) => json_from_value(value),
    }
}
