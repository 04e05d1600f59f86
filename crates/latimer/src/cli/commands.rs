//! `latimer commands`: what a robot can be asked for.

use std::io::Write;

use clap::Args;
use serde_json::Value;

use super::post::check_robot;
use super::table::table;
use crate::api::{self, Families};
use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Exit, Failure};
use crate::wire::v1::Robot;

/// `latimer commands`.
#[derive(Debug, Args)]
pub struct CommandsArgs {
    /// Which robot
    robot: String,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn commands(args: &CommandsArgs) -> Ended {
    check_robot(&args.robot)?;
    let gateway = Gateway::new(&args.gateway)?;
    let Robot { robot, family, .. } = gateway.get(&format!("/api/v1/robots/{}", args.robot)).await?;
    let Families { families } = gateway.get("/api/v1/families").await?;
    let Some(known) = families.into_iter().find(|figure| figure.family == family) else {
        let what = format!(
            "what a robot of the family {family} can be asked for is not known; `latimer send {robot} --help` lists all commands"
        );
        return Err(Failure::new(Exit::Failed, what));
    };
    let schema = &serde_json::to_value(api::openapi()).unwrap_or_default()["components"]["schemas"]["Command"]
        ["oneOf"];
    let rows = known.commands.iter().map(|command| {
        let declared = schema.as_array().into_iter().flatten().find(|it| name(it) == Some(command));
        let fields = declared.map(arguments).unwrap_or_default();
        let summary = declared.and_then(|it| it["description"].as_str()).unwrap_or_default();
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

fn name(declared: &Value) -> Option<&str> {
    declared["properties"]["command"]["enum"][0].as_str()
}

/// The names of a command's fields; those that may be left out in brackets.
fn arguments(declared: &Value) -> String {
    let required: Vec<&str> =
        declared["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let names = declared["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    let fields: Vec<String> = names
        .filter(|name| *name != "command")
        .map(|name| if required.contains(&name) { name.to_owned() } else { format!("[{name}]") })
        .collect();
    if fields.is_empty() { "-".to_owned() } else { fields.join(" ") }
}
