//! `/hostnames`: names that the robot itself resolves.

use std::net::IpAddr;

use serde_json::{Value, json};

use super::call::{Base, Call};
use super::holdings::surroundings;
use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::problem::Problem;

/// The names that may be given an address, as the vendor's manual has them.
const ALLOWED: [&str; 1] = ["local.autoxing.com"];

const WHAT: &str = "host names";

/// Those that have an address.
pub(super) fn list(robot: &FacadeRobot, base: &Base) -> Result<Reply, Problem> {
    let names = &surroundings(robot, WHAT)?.hostnames;
    let all: Vec<Value> = names
        .keys()
        .map(|name| json!({"hostname": name, "url": base.url(&format!("hostnames/{name}"))}))
        .collect();
    Ok(Reply::ok(&all))
}

/// The address of one.
pub(super) fn get(robot: &FacadeRobot, name: &str) -> Result<Reply, Problem> {
    let found = surroundings(robot, WHAT)?.hostnames.get(name).copied();
    found.map(|ip| Reply::ok(&json!({"ip": ip.to_string()}))).ok_or_else(|| missing(name))
}

/// Gives one an address.
pub(super) fn set(robot: &FacadeRobot, name: &str, call: &Call) -> Result<Reply, Problem> {
    let mut all = surroundings(robot, WHAT)?;
    let Some(known) = ALLOWED.into_iter().find(|known| *known == name) else {
        let names = ALLOWED.map(|name| format!("'{name}'")).join(", ");
        let why = format!("{} is not allowed. It must be one of [{names}]", shown(name));
        return Err(Problem::InMessage(400, why));
    };
    let given = call.fields.text("ip")?.unwrap_or_default();
    let Ok(ip) = given.trim().parse::<IpAddr>() else {
        return Err(Problem::InMessage(400, format!("ip {:?} is no IP address", shown(&given))));
    };
    all.hostnames.insert(known, ip);
    Ok(Reply::ok(&json!({"message": format!("{ip} {known} added")})))
}

/// Takes its address from one.
pub(super) fn delete(robot: &FacadeRobot, name: &str) -> Result<Reply, Problem> {
    let removed = surroundings(robot, WHAT)?.hostnames.remove(name);
    let reply = removed.map(|_| Reply::ok(&json!({"message": format!("Hostname {name} deleted")})));
    reply.ok_or_else(|| missing(name))
}

fn missing(name: &str) -> Problem {
    Problem::InMessage(404, format!("{} not found", shown(name)))
}

fn shown(name: &str) -> String {
    name.chars().take(80).collect()
}
