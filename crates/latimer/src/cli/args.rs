//! What can be asked for on the command line, with examples.

use latimer_wire::v1::{duration, speed};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use latimer_core::service::Insecure;

use super::api::ApiTask;
use super::cert::CertArgs;
use super::commands::CommandsArgs;
use super::doctor::DoctorArgs;
use super::echo::EchoArgs;
use super::estop::EstopArgs;
use super::frames::FramesArgs;
use super::hz::HzArgs;
use super::info::InfoArgs;
use super::limits::LimitsArgs;
use super::matrix::MatrixArgs;
use super::poke::PokeArgs;
use super::probe::ProbeArgs;
use super::reload::ReloadArgs;
use super::robots::RobotsArgs;
use super::send::SendArgs;
use super::stands::StandsArgs;
use super::topics::TopicsArgs;
use super::trace::TraceArgs;
use super::user::UserArgs;
use super::world::WorldArgs;
use crate::exit;
use crate::log::LogArgs;

const EXAMPLES: &str = "\
Examples:
  latimer demo                                      eight simulated robots, and how to reach them
  latimer robots                                    who is there
  latimer info misty-1                              how it is connected and served, what it can, who drives it, whether it moves
  latimer topics misty-1                            what a robot publishes; info KEY explains it
  latimer echo misty-1/battery                      the battery of one robot
  latimer echo '*/range/**' --where 'range.distance_m < 0.3'
  latimer hz misty-1/imu                            how often something comes
  latimer send misty-1 drive 0.2 0 --for 2s         drive 0.2 m/s ahead for two seconds
  latimer trace misty-1                             what a robot is asked for, by whom, and what becomes of it
  latimer poke misty-1 touch head_front             stroke a simulated robot
  latimer run -c robots.toml                        your own robots
  latimer probe misty 127.0.0.1:8081                what a robot offers, and where it deviates";

/// A gateway between robots of every family and the programs written for any of them
#[derive(Debug, Parser)]
#[command(name = "latimer", version, after_help = format!("{EXAMPLES}\n\n{}", exit::HELP))]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub task: Task,
    /// The log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Simulate robots and serve them, without any config or hardware
    #[command(after_help = "\
Examples:
  latimer demo                       until Ctrl-C
  latimer demo --for 30s --seed 7    half a minute of another run
  latimer demo --speed 10            ten times as fast as the clock
  latimer demo --port-base 9000      common HTTP port 9000, Misty 9001, all others beside them")]
    Demo(DemoArgs),
    /// Run what a config describes
    #[command(after_help = "\
Examples:
  latimer run -c robots.toml
  latimer run -c robots.toml --log json 2> gateway.log

Every key is explained in config/reference.toml.")]
    Run(RunArgs),
    /// Say what is wrong with a config, without running it
    CheckConfig(CheckArgs),
    /// Say what of a config and of this machine will trouble a gateway
    #[command(after_help = "\
Entries for nobody, files that others may read or write, listeners without protection, few file handles, a clock that is not set. A gateway
says the same when it starts.

Exit codes:
  0  nothing is found
  1  something is found
  2  wrong arguments, or the config is wrong")]
    Doctor(DoctorArgs),
    /// Have a gateway read its config again, or say what would come of it
    #[command(after_help = "\
A gateway reads it by itself when the file has changed. Bounds of robots that move are not loosened without --force. The demo has no
config file, and nothing to read again.")]
    Reload(ReloadArgs),
    /// List the robots of a running gateway
    Robots(RobotsArgs),
    /// List frames, and where robots are in one of them
    #[command(after_help = "\
Examples:
  latimer frames
  latimer frames miro-1
  latimer frames --in arena")]
    Frames(FramesArgs),
    /// List what robots publish, and how often
    #[command(after_help = "\
Examples:
  latimer topics
  latimer topics misty-1")]
    Topics(TopicsArgs),
    /// Explain a robot: how it is connected and served, what it can, who drives it; or a key: fields, units, who follows
    #[command(after_help = "\
Examples:
  latimer info misty-1
  latimer info misty-1/battery
  latimer info misty-1/range/front_center")]
    Info(InfoArgs),
    /// Show what robots are asked for as it comes, by whom, and what becomes of it at each station
    #[command(after_help = "\
given: its client gave it · changed: within a bound · queued: the robot's owner let it pass · sent: to the robot · then answered, refused
or timed out, or overtaken by a stop, or replaced by a newer speed; abandoned if its client went. The id is that of the log, of
/api/v1/commands, and of the answer to the client.

Examples:
  latimer trace misty-1
  latimer trace misty-1 -n 1        until one command is answered
  latimer trace --json              all robots, a station a line")]
    Trace(TraceArgs),
    /// List what a robot can be asked for
    #[command(after_help = "\
Examples:
  latimer commands axbot-1")]
    Commands(CommandsArgs),
    /// Print what robots publish, as it comes
    #[command(after_help = "\
Times are UTC. A selector is robot/kind[/part] with * for one word, ** for any number of words and misty-* for a part
of a word; a robot alone means all that it publishes.

Examples:
  latimer echo misty-1                                          all that misty-1 publishes
  latimer echo misty-1/range/front_center --every 1s            one distance a second
  latimer echo '*/range/**' --where 'range.distance_m < 30cm'   near things only
  latimer echo '*/battery' --where 'charge_ratio < 20% or voltage_v < 14'
  latimer echo misty-1/imu --pick imu.orientation.yaw_rad       one field
  latimer echo misty-1/battery --as misty -n 1                  as a Misty client sees it, once
  latimer echo '**' --json --native > day.jsonl                 everything, with the robots' own words")]
    Echo(EchoArgs),
    /// Measure how often updates come, and how regularly
    #[command(after_help = "\
Examples:
  latimer hz misty-1/imu
  latimer hz 'misty-1/range/**' -n 100")]
    Hz(HzArgs),
    /// Ask a robot for something
    #[command(after_help = "\
Angles are 20deg, 0.35rad or plain radians, counter-clockwise; durations 500ms, 2s; ratios 15% or 0.15.

Examples:
  latimer send misty-1 drive 0.2 0.5 --for 2s       0.2 m/s ahead, turning left at 0.5 rad/s
  latimer send misty-1 head --yaw 20deg --pitch=-10deg
  latimer send misty-1 arm left 45deg
  latimer send misty-1 led 255 0 0
  latimer send misty-1 play 002-Growl-01.wav --volume 50%
  latimer send axbot-1 goto Desk                    until it is there; also goto 1.5 2 90deg, charge, route 1,2 3,2
  latimer send axbot-1 goto Desk --no-wait          until the robot has answered; cancel calls it off
  latimer send robotkoop-1 bring --object coke --to user        each step until it is done; also clean, memorize
  latimer send robotkoop-1 task bring --from kitchen --to sofa
  latimer send pera-1 sense proximity 0,30deg,-30deg --reality M
  latimer send misty-1 json '{\"command\": \"stop\"}'   any command, as the API takes it")]
    Send(SendArgs),
    /// Make certificates for a lab, so that other machines reach the gateway by TLS
    #[command(after_help = "\
The root is made once for a folder. Machines that call the gateway trust it: curl --cacert certificates/ca.pem, or the browser's
settings. The lines that the config needs are printed.

Examples:
  latimer cert gateway.lab 192.168.1.5      for the gateway, by all its names
  latimer cert --client anna                for somebody who calls it
  latimer cert --revoke certificates/anna.pem    anna has left, or lost the key")]
    Cert(CertArgs),
    /// Make the entry of a user for the users' file
    #[command(after_help = "\
The password is the first line of what is piped in; else one is made and printed once.

Examples:
  latimer user ada
  latimer user course --grant 'drive:pera-*' --grant see")]
    User(UserArgs),
    /// Stop robots at once, and keep them from moving until it is released
    #[command(after_help = "\
Robots without an emergency stop of their own are halted, and the gateway refuses what moves them.

Examples:
  latimer estop misty-1 axbot-1
  latimer estop --all
  latimer estop --all --release")]
    Estop(EstopArgs),
    /// Say that a robot stands, as somebody has seen, which does not confirm that itself after a stop
    #[command(after_help = "\
The alert ends, and no stop is sent again. It is written down who said so.

Examples:
  latimer stands misty-1")]
    Stands(StandsArgs),
    /// Connect to a robot or an emulator, and report what it offers and where it deviates from its specification
    #[command(after_help = "\
No gateway is needed, and nothing is sent to the robot but what makes it publish. Addresses are those of `connect` in the
config; docs/probe.md explains the report.

Examples:
  latimer probe misty 127.0.0.1:8081
  latimer probe axbot 127.0.0.1:8090 --seconds 5 --json
  latimer probe pera mqtt://127.0.0.1:1883/v1 --robot 1
  latimer probe miro http://127.0.0.1:11311 --robot rob01

Exit codes:
  0  nothing deviates
  1  something deviates
  2  wrong arguments
  3  no such robot answers there, or it went away
  5  nothing came from the robot in time")]
    Probe(ProbeArgs),
    /// Make something happen to a simulated robot
    #[command(after_help = "\
Doors, lights, people and the world's time are for `latimer world`.

Examples:
  latimer poke misty-1 touch head_front --for 2s
  latimer poke misty-1 bump front_left
  latimer poke misty-1 face Barkley --bearing 10deg
  latimer poke misty-1 sound 90deg --voice
  latimer poke misty-1 battery 15%
  latimer poke misty-1 place 1.2 0.8 90deg
  latimer poke axbot-1 estop on
  latimer poke axbot-1 fail lidar --for 5s")]
    Poke(PokeArgs),
    /// Look at the simulated worlds, and make something happen in the one that runs
    #[command(after_help = "\
Examples:
  latimer world list
  latimer world check lab.toml
  latimer world render demo -o demo.png
  latimer world render lab.toml -o lab.png --width 1600
  latimer world door workshop open
  latimer world put crate box 0.4x0.3 2 1.5 45deg
  latimer world speed 10                            ten times as fast as the clock

docs/world-files.md shows how to write one.")]
    World(WorldArgs),
    /// Print a description of the API, for programs that read or draw it
    #[command(subcommand)]
    #[command(after_help = "\
Examples:
  latimer api openapi > openapi.json
  latimer api asyncapi > asyncapi.json")]
    Api(ApiTask),
    /// List what programs of each dialect get of robots of each family
    #[command(after_help = "\
Examples:
  latimer matrix                    every family with every dialect
  latimer matrix axbot misty        what a Misty program gets of a chassis, message by message
  latimer matrix miro axbot --json

native: the robot's own; exact: it has that, too; derived: made from what it has; absent: the client is answered so.")]
    Matrix(MatrixArgs),
    /// List the dialects that this program speaks
    Dialects,
    /// List time-outs and limits of every part of the program
    Limits(LimitsArgs),
    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  latimer completions bash > ~/.local/share/bash-completion/completions/latimer
  latimer completions zsh > ~/.zfunc/_latimer
  latimer completions fish > ~/.config/fish/completions/latimer.fish")]
    Completions {
        /// Which shell
        shell: Shell,
    },
}

/// How a gateway runs.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Stop by itself after a while, e.g. 30s
    #[arg(long = "for", value_name = "DURATION", value_parser = duration)]
    pub stop_after: Option<Duration>,
    /// Seed of all chance in the simulated world: the same seed gives the same run
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How many times as fast as the clock the simulated world goes, 0 to 100; 0 stands still
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = speed)]
    pub speed: Option<f64>,
    /// A scenario file: what happens in the simulated world, and when
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// Move all ports together: N becomes the common HTTP port, the others keep their distance to it
    /// (MQTT comes to N+20, the ROS master to N+30)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub port_base: Option<u16>,
    /// Keep in this folder which robots may move and which emergency stops are pressed: after a restart, however the gateway ended,
    /// the former are stopped first, and the latter hold
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
    /// Let other machines reach a listener without encryption or password: one such as http.listen, or all
    #[arg(long, value_name = "KEY", num_args = 0..=1, require_equals = true, default_missing_value = Insecure::ALL)]
    pub insecure: Vec<String>,
}

/// `latimer demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// How it runs.
    #[command(flatten)]
    pub serve: ServeArgs,
    /// Do not open the page in a browser, where there is a desktop
    #[arg(long)]
    pub no_open: bool,
}

/// `latimer run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The config file
    #[arg(short, long, value_name = "FILE")]
    pub config: PathBuf,
    /// How it runs.
    #[command(flatten)]
    pub serve: ServeArgs,
}

/// `latimer check-config`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The config file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Let other machines reach a listener without encryption or password: one such as http.listen, or all
    #[arg(long, value_name = "KEY", num_args = 0..=1, require_equals = true, default_missing_value = Insecure::ALL)]
    pub insecure: Vec<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_sound() {
        Cli::command().debug_assert();
    }
}
