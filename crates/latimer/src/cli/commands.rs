//! `latimer commands`: what a robot can be asked for.

use std::io::Write;

use clap::Args;
use latimer_core::model::profile::Ability;
use latimer_navigation::service;
use serde_json::Value;

use super::complete;
use super::post::check_robot;
use super::table::table;
use crate::api::{self, Families};
use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Exit, Failure};
use latimer_wire::v1::Robot;

/// `latimer commands`.
#[derive(Debug, Args)]
pub struct CommandsArgs {
    /// Which robot
    #[arg(add = complete::robots())]
    robot: String,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn commands(args: &CommandsArgs) -> Ended {
    check_robot(&args.robot)?;
    let gateway = Gateway::new(&args.gateway)?;
    let Robot { robot, family, profile, .. } = gateway.get(&format!("/api/v1/robots/{}", args.robot)).await?;
    let Families { families } = gateway.get("/api/v1/families").await?;
    let Some(known) = families.into_iter().find(|figure| figure.family == family) else {
        let what = format!(
            "what a robot of the family {family} can be asked for is not known; `latimer send {robot} --help` lists all commands"
        );
        return Err(Failure::new(Exit::Failed, what));
    };
    let schemas = serde_json::to_value(api::openapi()).unwrap_or_default()["components"]["schemas"].take();
    let declared = |command: &str| {
        let all = schemas["Command"]["oneOf"].as_array().into_iter().flatten();
        all.map(|declared| (declared, parts(declared, &schemas)))
            .find(|(_, parts)| name(parts) == Some(command))
    };
    // The gateway's navigator takes the goals of robots that have no navigation of their own.
    let can_navigate =
        profile.is_some_and(|it| it.abilities.iter().any(|able| able == Ability::Navigate.as_str()));
    let navigator = service::COMMANDS.map(str::to_owned);
    let added = navigator.iter().filter(|it| can_navigate && !known.commands.contains(it));
    let rows = known.commands.iter().chain(added).map(|command| {
        let (fields, summary) = match declared(command) {
            Some((declared, parts)) => (fields(&parts), declared["description"].as_str().unwrap_or_default()),
            None => ("-".to_owned(), ""),
        };
        vec![command.clone(), fields, summary.to_owned()]
    });
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", table(&["command", "fields", "what it does"], rows))?;
    writeln!(
        out,
        "\nlatimer send {robot} --help shows how to write them; as JSON: latimer send {robot} json '{{\"command\": \"…\"}}'"
    )?;
    Ok(())
}

/// The objects whose properties a command has: its own, or those that it puts together.
fn parts<'a>(declared: &'a Value, schemas: &'a Value) -> Vec<&'a Value> {
    let resolved = |part: &'a Value| match part["$ref"].as_str().and_then(|it| it.rsplit('/').next()) {
        Some(name) => &schemas[name],
        None => part,
    };
    match declared["allOf"].as_array() {
        Some(all) => all.iter().map(resolved).collect(),
        None => vec![declared],
    }
}

fn name<'a>(parts: &[&'a Value]) -> Option<&'a str> {
    parts.iter().find_map(|part| part["properties"]["command"]["enum"][0].as_str())
}

/// The names of a command's fields; those that may be left out in brackets.
fn fields(parts: &[&Value]) -> String {
    let mut fields = Vec::new();
    for part in parts {
        let required = part["required"].as_array();
        let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|it| it == name));
        let names = part["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        fields.extend(names.filter(|name| *name != "command").map(|name| match is_required(name) {
            true => name.to_owned(),
            false => format!("[{name}]"),
        }));
    }
    if fields.is_empty() { "-".to_owned() } else { fields.join(" ") }
}
