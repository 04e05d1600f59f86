//! The words of `latimer world` for what happens in the world of a running gateway, and how fast it goes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Subcommand, ValueEnum};

use super::numbers::{angle, number, sides, speed};
use super::say::OnOff;
use super::tell::tell;
use crate::client::GatewayArgs;
use crate::exit::{Ended, Failure};
use crate::wire::v1::{BoxSize, CylinderSize, Happening, Pace, Reality, Rgb, Scenario};

#[derive(Debug, Subcommand)]
pub(super) enum SayWorld {
    /// Open or shut a door of the world
    Door {
        /// Which one
        name: String,
        /// Open or shut
        state: DoorState,
    },
    /// Switch a light of the world
    Light {
        /// Which one
        name: String,
        /// On or off
        switch: OnOff,
    },
    /// Put something into the world
    Put {
        /// What it is called
        name: String,
        /// Its shape
        shape: Shape,
        /// A box's length and width, e.g. 0.4x0.3, or a cylinder's radius, metres
        size: String,
        /// East of the map's origin, metres
        #[arg(allow_negative_numbers = true, value_parser = number)]
        x: f64,
        /// North of the map's origin, metres
        #[arg(allow_negative_numbers = true, value_parser = number)]
        y: f64,
        /// Counter-clockwise from east
        #[arg(allow_hyphen_values = true, value_parser = angle, default_value = "0")]
        yaw: f64,
        /// Its colour, e.g. '#ff8800'
        #[arg(long, value_name = "#RRGGBB")]
        color: Option<String>,
        /// It is in the simulation only, for robots that tell that from the room
        #[arg(long = "virtual")]
        is_virtual: bool,
    },
    /// Move something in the world
    Move {
        /// Which thing
        name: String,
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
    /// Take something out of the world
    Remove {
        /// Which thing
        name: String,
    },
    /// Put a person of the world elsewhere
    Person {
        /// Who
        name: String,
        /// East of the map's origin, metres
        #[arg(allow_negative_numbers = true, value_parser = number)]
        x: f64,
        /// North of the map's origin, metres
        #[arg(allow_negative_numbers = true, value_parser = number)]
        y: f64,
    },
    /// Begin a scenario now; an empty file ends the one that runs
    Scenario {
        /// The scenario file
        file: PathBuf,
    },
    /// The world stands still
    Pause,
    /// The world goes on at the speed before the pause
    Resume,
    /// The world goes so many times as fast as the clock
    Speed {
        /// From 0 to 100; 0 stands still
        #[arg(allow_negative_numbers = true, value_parser = speed)]
        speed: f64,
    },
    /// The world goes on by some steps and stands still again
    Step {
        /// How many
        #[arg(default_value_t = 1)]
        steps: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DoorState {
    Open,
    #[value(alias = "closed", alias = "close")]
    Shut,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Shape {
    Box,
    Cylinder,
}

/// What the API is told.
#[derive(Debug, PartialEq)]
enum Told {
    Poke(Happening),
    Pace(Pace),
    Play(Scenario),
}

impl SayWorld {
    /// Tells a gateway and prints what became of it.
    pub(super) async fn tell(self, gateway: &GatewayArgs, patience: Duration) -> Ended {
        match self.told()? {
            Told::Poke(happening) => {
                tell(gateway, "the world", "/api/v1/world/poke", &happening, patience).await
            }
            Told::Pace(pace) => tell(gateway, "the world", "/api/v1/world/pace", &pace, patience).await,
            Told::Play(scenario) => {
                tell(gateway, "the world", "/api/v1/world/scenario", &scenario, patience).await
            }
        }
    }

    fn told(self) -> Result<Told, Failure> {
        let happening = match self {
            Self::Door { name, state } => Happening::Door { name, open: state == DoorState::Open },
            Self::Light { name, switch } => Happening::Light { name, on: switch == OnOff::On },
            Self::Put { name, shape, size, x, y, yaw, color, is_virtual } => {
                let (rectangle, cylinder) = size_of(shape, &size)?;
                Happening::PutObstacle {
                    name,
                    rectangle,
                    cylinder,
                    x_m: x,
                    y_m: y,
                    yaw_rad: yaw,
                    color: color.map(Rgb).unwrap_or_default(),
                    reality: if is_virtual { Reality::Virtual } else { Reality::Real },
                }
            }
            Self::Move { name, x, y, yaw } => Happening::MoveObstacle { name, x_m: x, y_m: y, yaw_rad: yaw },
            Self::Remove { name } => Happening::RemoveObstacle { name },
            Self::Person { name, x, y } => Happening::PlacePerson { name, x_m: x, y_m: y },
            Self::Scenario { file } => return Ok(Told::Play(scenario_of(&file)?)),
            Self::Pause => return Ok(Told::Pace(Pace::Pause {})),
            Self::Resume => return Ok(Told::Pace(Pace::Resume {})),
            Self::Speed { speed } => return Ok(Told::Pace(Pace::Speed { speed })),
            Self::Step { steps } => return Ok(Told::Pace(Pace::Step { steps })),
        };
        Ok(Told::Poke(happening))
    }
}

fn scenario_of(file: &Path) -> Result<Scenario, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::usage(format!("cannot read the scenario {}: {error}", file.display())))?;
    Ok(Scenario { toml: Some(text), repeat_s: None, events: None })
}

fn size_of(shape: Shape, size: &str) -> Result<(Option<BoxSize>, Option<CylinderSize>), Failure> {
    let wrong = |wanted| Failure::usage(format!("{size:?} is no size; write {wanted}"));
    match shape {
        Shape::Box => {
            let [length_m, width_m] = sides(size, |side| number(side).ok())
                .ok_or_else(|| wrong("a box's length and width in metres, such as 0.4x0.3"))?;
            Ok((Some(BoxSize { length_m, width_m }), None))
        }
        Shape::Cylinder => {
            let radius_m = number(size).map_err(|_| wrong("a cylinder's radius in metres, such as 0.2"))?;
            Ok((None, Some(CylinderSize { radius_m })))
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::world::told_by;
    use crate::cli::{Cli, Task};
    use crate::exit::Exit;

    fn said(words: &str) -> Result<Told, Failure> {
        let words = ["latimer", "world"].into_iter().chain(words.split(' '));
        match Cli::try_parse_from(words).unwrap().task {
            Task::World(args) => told_by(args).unwrap().told(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_become_happenings() {
        let told = [
            "door front open",
            "door front shut",
            "light hall off",
            "put crate box 0.4x0.3 2 -1.5 45deg",
            "put ghost cylinder 0.2 2 1.5 --color #ff8800 --virtual",
            "move crate 1 -2 -90deg",
            "remove crate",
            "person Anna 1 2",
            "pause",
            "resume",
            "speed 10",
            "speed 0.5x",
            "step",
            "step 3",
        ];
        let json = |words: &str| match said(words).unwrap() {
            Told::Poke(happening) => serde_json::to_string(&happening).unwrap(),
            Told::Pace(pace) => serde_json::to_string(&pace).unwrap(),
            Told::Play(scenario) => serde_json::to_string(&scenario).unwrap(),
        };
        let told: Vec<String> = told.iter().map(|words| format!("{words} → {}", json(words))).collect();
        insta::assert_snapshot!(told.join("\n"));
    }

    #[test]
    fn sizes_are_explained() {
        for (words, hint) in [("put a box 0.4 1 1", "0.4x0.3"), ("put a cylinder 1x1 1 1", "radius")] {
            let told = said(words).unwrap_err();
            assert!(told.exit == Exit::Usage && told.message.contains(hint), "{told}");
        }
    }
}
