//! `/device/chrony/…`: the servers that a simulated chassis' clock would go by, and whom it would tell the time. It goes by the
//! gateway's clock; settings are kept and returned.

use std::fmt::Write as _;

use serde_json::json;

use super::call::Call;
use super::holdings::surroundings;
use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::facade::state::surroundings::Surroundings;
use crate::axbot::rest::fields::ITEMS;
use crate::axbot::rest::place::Chrony;
use crate::axbot::rest::problem::Problem;

const WHAT: &str = "settings of its clock";

/// Most lines of either list, and longest one, bytes.
const MOST: usize = 32;
const LONGEST: usize = 255;

/// Words that a source may begin with; one without is a server.
const DIRECTIVES: [&str; 4] = ["server ", "pool ", "peer ", "refclock "];

fn list(all: &mut Surroundings, which: Chrony) -> &mut Vec<String> {
    match which {
        Chrony::Sources => &mut all.time_sources,
        Chrony::Allows => &mut all.time_allows,
    }
}

/// One of the lists.
pub(super) fn get(robot: &FacadeRobot, which: Chrony) -> Result<Reply, Problem> {
    Ok(Reply::ok(list(&mut *surroundings(robot, WHAT)?, which)))
}

/// Sets one of the lists.
pub(super) fn set(robot: &FacadeRobot, which: Chrony, call: &Call) -> Result<Reply, Problem> {
    let mut all = surroundings(robot, WHAT)?;
    let given = call.fields.texts(ITEMS)?.unwrap_or_default();
    if given.len() > MOST {
        return Err(Problem::Bad(format!("{} lines are too many; {MOST} can be kept", given.len())));
    }
    let is_line = |line: &String| {
        !line.trim().is_empty() && line.len() <= LONGEST && !line.chars().any(char::is_control)
    };
    if let Some(place) = given.iter().position(|line| !is_line(line)) {
        let why =
            format!("line {place} of the list is empty, longer than {LONGEST} bytes or more than a line");
        return Err(Problem::Bad(why));
    }
    *list(&mut all, which) = given;
    Ok(Reply::ok(&json!({"message": "kept; a simulated chassis goes by the gateway's clock"})))
}

/// Sets one of the lists back: to none.
pub(super) fn restore(robot: &FacadeRobot, which: Chrony) -> Result<Reply, Problem> {
    list(&mut *surroundings(robot, WHAT)?, which).clear();
    Ok(Reply::deleted())
}

/// Both lists as the clock's own file has them.
pub(super) fn config(robot: &FacadeRobot) -> Result<Reply, Problem> {
    let all = surroundings(robot, WHAT)?;
    let mut text =
        "# A simulated chassis goes by the gateway's clock; these lines are kept and have no effect.\n"
            .to_owned();
    for source in &all.time_sources {
        let bare = !DIRECTIVES.iter().any(|word| source.starts_with(word));
        let _ = writeln!(text, "{}{source}", if bare { "server " } else { "" });
    }
    for allowed in &all.time_allows {
        let _ = writeln!(text, "allow {allowed}");
    }
    Ok(Reply::file("text/plain; charset=utf-8", text.into()))
}
