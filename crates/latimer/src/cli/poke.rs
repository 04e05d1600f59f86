//! `latimer poke`: things that happen to simulated robots, as people say them.

use std::time::Duration;

use clap::{Args, Subcommand};

use super::numbers::{angle, duration, number, ratio, seconds, temperature};
use super::say::OnOff;
use super::say_world::SayWorld;
use super::tell::{DEFAULT_PATIENCE, body_from_json, tell_robot};
use crate::client::GatewayArgs;
use crate::exit::{Ended, Failure};
use crate::wire::v1::{Stimulus, stimulus_default as default};

/// `latimer poke`.
#[derive(Debug, Args)]
pub struct PokeArgs {
    /// Which robot; `world` for what belongs to none
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
    /// A hand touches a sensor
    Touch {
        /// Which one, e.g. head_front, chin, scruff
        part: String,
        /// For how long
        #[arg(long = "for", value_name = "DURATION", value_parser = seconds, default_value = in_seconds(default::hold_s()))]
        hold: f64,
    },
    /// Something presses a bumper
    Bump {
        /// Which one, e.g. front_left
        part: String,
        /// For how long
        #[arg(long = "for", value_name = "DURATION", value_parser = seconds, default_value = in_seconds(default::hold_s()))]
        hold: f64,
    },
    /// A face comes into view
    Face {
        /// Whose; a stranger's if not given
        label: Option<String>,
        /// Where, counter-clockwise from ahead
        #[arg(long, allow_hyphen_values = true, value_parser = angle, default_value = "0")]
        bearing: f64,
        /// How far away, metres
        #[arg(long, value_parser = number, default_value = default::face_m().to_string())]
        distance: f64,
        /// For how long
        #[arg(long = "for", value_name = "DURATION", value_parser = seconds, default_value = in_seconds(default::face_s()))]
        hold: f64,
    },
    /// Somebody says the key phrase
    #[command(alias = "key-phrase")]
    Keyphrase {
        /// How clearly
        #[arg(long, value_parser = ratio, default_value = in_percent(default::ratio()))]
        confidence: f64,
    },
    /// A noise or a voice is heard
    Sound {
        /// Where from, counter-clockwise from ahead
        #[arg(allow_hyphen_values = true, value_parser = angle, default_value = "0")]
        bearing: f64,
        /// A voice, rather than a noise
        #[arg(long)]
        voice: bool,
        /// How loud
        #[arg(long, value_parser = ratio, default_value = in_percent(default::ratio()))]
        level: f64,
        /// For how long
        #[arg(long = "for", value_name = "DURATION", value_parser = seconds, default_value = in_seconds(default::hold_s()))]
        hold: f64,
    },
    /// Hardware on the serial port sends text
    Serial {
        /// The text
        text: String,
    },
    /// A program on the robot publishes a message
    Skill {
        /// The message
        text: String,
    },
    /// The charge is set
    Battery {
        /// E.g. 15%
        #[arg(value_parser = ratio)]
        charge: f64,
    },
    /// The robot is lifted and held in the air
    Lift {
        /// For how long
        #[arg(long = "for", value_name = "DURATION", value_parser = seconds, default_value = in_seconds(default::hold_s()))]
        hold: f64,
    },
    /// The robot is put elsewhere
    Place {
        /// East of the map's origin, metres
        #[arg(allow_negative_numbers = true, value_parser = number)]
        x: f64,
        /// North of the map's origin, metres
        #[arg(allow_negative_numbers = true, value_parser = number)]
        y: f64,
        /// Counter-clockwise from east
        #[arg(allow_hyphen_values = true, value_parser = angle, default_value = "0")]
        yaw: f64,
    },
    /// The localisation loses the pose
    LosePose,
    /// An emergency stop is pressed or released
    Estop {
        /// Pressed or released
        switch: OnOff,
    },
    /// A sensor or a motor fails
    Fail {
        /// Which one, e.g. lidar, imu, front_center
        part: String,
        /// For how long
        #[arg(long = "for", value_name = "DURATION", value_parser = seconds, default_value = in_seconds(default::failure_s()))]
        hold: f64,
    },
    /// The robot gets hot inside
    Heat {
        /// Degrees Celsius
        #[arg(allow_hyphen_values = true, value_parser = temperature)]
        temperature: f64,
        /// For how long
        #[arg(long = "for", value_name = "DURATION", value_parser = seconds, default_value = in_seconds(default::heat_s()))]
        hold: f64,
    },
    #[command(flatten)]
    World(SayWorld),
    /// Any stimulus, as the API takes it
    Json {
        /// E.g. '{"stimulus": "lift"}'
        json: String,
    },
}

pub(super) async fn poke(args: PokeArgs) -> Ended {
    let PokeArgs { robot, poke, patience, gateway } = args;
    if let Poke::World(words) = poke {
        if robot == "world" {
            return words.tell(&gateway, patience).await;
        }
        return Err(belongs_to_the_world());
    }
    let stimulus = stimulus_from_words(poke)?;
    tell_robot(&gateway, &robot, "poke", &stimulus, patience).await
}

fn stimulus_from_words(poke: Poke) -> Result<Stimulus, Failure> {
    Ok(match poke {
        Poke::Touch { part, hold } => Stimulus::Touch { part: prefixed("touch_", &part), hold_s: hold },
        Poke::Bump { part, hold } => Stimulus::Bump { part: prefixed("bump_", &part), hold_s: hold },
        Poke::Face { label, bearing, distance, hold } => {
            Stimulus::Face { label, bearing_rad: bearing, distance_m: distance, hold_s: hold }
        }
        Poke::Keyphrase { confidence } => Stimulus::KeyPhrase { confidence_ratio: confidence },
        Poke::Sound { bearing, voice, level, hold } => {
            Stimulus::Sound { bearing_rad: bearing, level_ratio: level, voice, hold_s: hold }
        }
        Poke::Serial { text } => Stimulus::Serial { text },
        Poke::Skill { text } => Stimulus::SkillMessage { text },
        Poke::Battery { charge } => Stimulus::Battery { charge_ratio: charge },
        Poke::Lift { hold } => Stimulus::Lift { hold_s: hold },
        Poke::Place { x, y, yaw } => Stimulus::Place { x_m: x, y_m: y, yaw_rad: yaw },
        Poke::LosePose => Stimulus::LosePose {},
        Poke::Estop { switch } => Stimulus::EmergencyStop { pressed: switch == OnOff::On },
        Poke::Fail { part, hold } => Stimulus::Fail { part, hold_s: hold },
        Poke::Heat { temperature, hold } => Stimulus::Heat { temperature_c: temperature, hold_s: hold },
        Poke::World(_) => return Err(belongs_to_the_world()),
        Poke::Json { json } => body_from_json(&json)?,
    })
}

fn in_seconds(seconds: f64) -> String {
    format!("{seconds}s")
}

fn in_percent(ratio: f64) -> String {
    format!("{}%", ratio * 100.0)
}

/// Doors, lights and time are no robot's.
fn belongs_to_the_world() -> Failure {
    Failure::usage(
        "this belongs to the world, not to a robot; write `latimer world …` or `latimer poke world …`",
    )
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

    fn said(words: &str) -> Stimulus {
        let words = ["latimer", "poke", "misty-1"].into_iter().chain(words.split(' '));
        match Cli::try_parse_from(words).unwrap().task {
            Task::Poke(args) => stimulus_from_words(args.poke).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_become_stimuli() {
        let told = [
            "touch head_front",
            "touch touch_chin --for 2s",
            "bump front_left",
            "face Barkley --bearing -10deg",
            "face",
            "keyphrase",
            "sound 90deg --voice",
            "serial hello",
            "skill hi",
            "battery 15%",
            "lift --for 2s",
            "place 1.2 0.8 90deg",
            "lose-pose",
            "estop on",
            "estop off",
            "fail lidar --for 5s",
            "heat 85 --for 10s",
            "heat 85°C",
            "json {\"stimulus\":\"lift\"}",
        ];
        let told: Vec<String> = told
            .iter()
            .map(|words| format!("{words} → {}", serde_json::to_string(&said(words)).unwrap()))
            .collect();
        insta::assert_snapshot!(told.join("\n"));
    }
}
