//! Calls of Misty's REST interface: no panic, and what a call asks for can be asked of a robot in the same words.
//!
//! Takes the method, the address with its query, and below them the body, which is read as a robot's answer, too.

use latimer_dialects::misty::rest::call::calls_from_command;
use latimer_dialects::misty::rest::catalogue;
use latimer_dialects::misty::rest::command::command_from_call;
use latimer_dialects::misty::rest::envelope::result_from_answer;
use latimer_dialects::misty::rest::params::Params;
use latimer_dialects::misty::rest::row::Method;

/// Longest text of what is wrong, bytes.
const LONGEST: usize = 4096;

pub(super) fn run(text: &str) {
    let (head, body) = text.split_once('\n').unwrap_or((text, ""));
    let _ = result_from_answer(body);
    let (method, address) = head.split_once(' ').unwrap_or(("POST", head));
    let method = match method {
        "GET" => Method::Get,
        "DELETE" => Method::Delete,
        "PUT" => Method::Put,
        _ => Method::Post,
    };
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let params = match Params::read(query, body) {
        Ok(params) => params,
        Err(error) => return assert!(error.to_string().len() < LONGEST, "{error}"),
    };
    let Some(entry) = catalogue::find(method, path) else { return catalogue::methods_at(path).clear() };
    let command = match command_from_call(entry, &params) {
        None => return,
        Some(Err(error)) => return assert!(error.to_string().len() < LONGEST, "{error}"),
        Some(Ok(command)) => command,
    };
    for call in calls_from_command(&command).into_iter().flatten() {
        let entry = catalogue::find(call.method, call.endpoint).expect("a robot has what is called");
        let params = Params::read("", &call.body.to_string()).expect("what is sent is read");
        let again = command_from_call(entry, &params);
        assert!(matches!(again, Some(Ok(_))), "{call:?} of {command:?}: {again:?}");
    }
}
