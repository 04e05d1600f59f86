//! `GET help`: the table as robots tell it, from which the official Python SDK generates its methods.

use serde_json::{Map, Value, json};

use super::{at_endpoint, commands};
use crate::misty::rest::row::{Arg, Method, Row};

/// How long a robot lets a command run, ms.
const COMMAND_TIMEOUT_MS: u32 = 20_000;

/// The answer to `GET help`, envelope included; with a name or an endpoint, the commands of that name alone.
pub fn help_json(command: Option<&str>) -> Value {
    let wanted = command.map(str::trim).filter(|wanted| !wanted.is_empty());
    let reported = |method: Method| -> Value {
        let of_method = commands().filter(|command| command.method == method);
        of_method
            .filter(|command| wanted.is_none_or(|wanted| answers_to(command, wanted)))
            .map(entry)
            .collect()
    };
    json!({
        "result": {
            "get": reported(Method::Get),
            "post": reported(Method::Post),
            "delete": reported(Method::Delete),
            "put": reported(Method::Put),
        },
        "status": "Success",
    })
}

fn answers_to(command: &Row, wanted: &str) -> bool {
    [command.name, command.id].iter().any(|name| name.eq_ignore_ascii_case(wanted))
        || at_endpoint(command, wanted)
}

fn entry(command: &Row) -> Value {
    json!({
        "apiCommand": {
            "apiCommandGroup": command.group,
            "arguments": arguments(command.args),
            "category": command.category.as_str(),
            "commandTimeout": COMMAND_TIMEOUT_MS,
            "commandType": command.command_type.as_str(),
            "id": command.id,
            "name": command.name,
            "resultType": command.result.net_name(),
        },
        "baseApiCommand": command.id,
        "endpoint": command.endpoint,
    })
}

fn arguments(args: &[Arg]) -> Map<String, Value> {
    let reported = args.iter().enumerate().map(|(ordinal, arg)| {
        let about = json!({
            "getValueType": arg.arg_type.net_name(),
            "name": arg.name,
            "ordinalNumber": ordinal,
            "value": Value::from(arg.default),
        });
        (camel_case(arg.name), about)
    });
    reported.collect()
}

fn camel_case(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect()
}
