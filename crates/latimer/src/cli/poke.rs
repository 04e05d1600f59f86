//! `latimer poke`: stimuli for simulated robots.

use std::time::Duration;

use clap::{Args, Subcommand};

use super::complete;
use super::post::{DEFAULT_PATIENCE, json_from_text, post_to_robot};
use crate::client::GatewayArgs;
use crate::exit::{Ended, Failure};
use latimer_wire::v1::{Stimulus, duration};

/// `latimer poke`.
#[derive(Debug, Args)]
pub struct PokeArgs {
    /// Which robot; `latimer world` is for doors, lights and people
    #[arg(add = complete::robots())]
    robot: String,
    #[command(subcommand)]
    poke: Poke,
    /// How long the robot may take to answer
    #[arg(long, global = true, value_name = "DURATION", value_parser = duration, default_value = DEFAULT_PATIENCE)]
    patience: Duration,
    #[command(flatten)]
    gateway: GatewayArgs,
}

#[derive(Debug, Subcommand)]
#[command(subcommand_value_name = "STIMULUS", subcommand_help_heading = "Stimuli")]
enum Poke {
    #[command(flatten)]
    Stimulus(Stimulus),
    /// Any stimulus, as the API takes it
    Json {
        /// E.g. '{"stimulus": "lift"}'
        json: String,
    },
}

pub(super) async fn poke(args: PokeArgs) -> Ended {
    let PokeArgs { robot, poke, patience, gateway } = args;
    let stimulus = stimulus_from_words(poke)?;
    post_to_robot(&gateway, &robot, "poke", &stimulus, patience).await
}

fn stimulus_from_words(poke: Poke) -> Result<Stimulus, Failure> {
    Ok(match poke {
        Poke::Stimulus(Stimulus::Touch { part, hold_s }) => {
            Stimulus::Touch { part: prefixed("touch_", &part), hold_s }
        }
        Poke::Stimulus(Stimulus::Bump { part, hold_s }) => {
            Stimulus::Bump { part: prefixed("bump_", &part), hold_s }
        }
        Poke::Stimulus(stimulus) => stimulus,
        Poke::Json { json } => json_from_text(&json)?,
    })
}

/// `head_front` is short for `touch_head_front`.
fn prefixed(prefix: &str, part: &str) -> String {
    if part.starts_with(prefix) { part.to_owned() } else { format!("{prefix}{part}") }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Task};

    fn stimulus(words: &str) -> Stimulus {
        let words = ["latimer", "poke", "misty-1"].into_iter().chain(words.split(' '));
        match Cli::try_parse_from(words).unwrap().task {
            Task::Poke(args) => stimulus_from_words(args.poke).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_become_stimuli() {
        let shown = [
            "touch head_front",
            "touch touch_chin --for 2s",
            "bump front_left",
            "face Barkley --bearing -10deg",
            "face",
            "keyphrase",
            "sound 90deg --voice",
            "serial hello",
            "skill hi",
            "skill hi --data {\"a\":1}",
            "battery 15%",
            "lift --for 2s",
            "place 1.2 0.8 90deg",
            "lose-pose",
            "lose-pose --for 20s",
            "estop on",
            "estop off",
            "fail lidar --for 5s",
            "forget-home cup",
            "heat 85 --for 10s",
            "heat 85°C",
            "json {\"stimulus\":\"lift\"}",
        ];
        let shown: Vec<String> = shown
            .iter()
            .map(|words| format!("{words} → {}", serde_json::to_string(&stimulus(words)).unwrap()))
            .collect();
        insta::assert_snapshot!(shown.join("\n"));
    }
}
