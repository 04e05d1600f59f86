//! The words of `latimer world` for the world of a running gateway.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Subcommand, ValueEnum};

use crate::cli::post::post;
use crate::client::GatewayArgs;
use crate::exit::{Ended, Failure};
use latimer_wire::v1::{
    BoxSize, CylinderSize, Happening, Number, Pace, Positive, Radians, Reality, Rgb, Scenario, sides,
};

/// The API's happenings and paces, and short words for some of them.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum RunningWorld {
    #[command(flatten)]
    Happening(Happening),
    #[command(flatten)]
    Pace(Pace),
    /// Put something into the world
    Put {
        /// What it is called
        name: String,
        /// Its shape
        shape: Shape,
        /// A box's length and width, e.g. 0.4x0.3, or a cylinder's radius, metres
        size: String,
        /// East of the map's origin, metres
        #[arg(allow_negative_numbers = true)]
        x: Number,
        /// North of the map's origin, metres
        #[arg(allow_negative_numbers = true)]
        y: Number,
        /// Counter-clockwise from east
        #[arg(allow_hyphen_values = true, default_value_t)]
        yaw: Radians,
        /// Its colour, e.g. '#ff8800'
        #[arg(long, value_name = "#RRGGBB")]
        color: Option<String>,
        /// It is in the simulation only, for robots that distinguish it from the room
        #[arg(long = "virtual")]
        is_virtual: bool,
    },
    /// Begin a scenario now; an empty file ends the one that runs
    Scenario {
        /// The scenario file
        file: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum Shape {
    Box,
    Cylinder,
}

/// What is posted, each to an address of its own.
#[derive(Debug, PartialEq)]
enum Request {
    Happening(Happening),
    Pace(Pace),
    Scenario(Scenario),
}

impl RunningWorld {
    /// Posts it to a gateway and prints the outcome.
    pub(in crate::cli) async fn post(self, gateway: &GatewayArgs, patience: Duration) -> Ended {
        let whom = "the world";
        match self.request()? {
            Request::Happening(body) => post(gateway, whom, "/api/v1/world/poke", &body, patience).await,
            Request::Pace(body) => post(gateway, whom, "/api/v1/world/pace", &body, patience).await,
            Request::Scenario(body) => post(gateway, whom, "/api/v1/world/scenario", &body, patience).await,
        }
    }

    fn request(self) -> Result<Request, Failure> {
        Ok(match self {
            Self::Happening(happening) => Request::Happening(happening),
            Self::Pace(pace) => Request::Pace(pace),
            Self::Put { name, shape, size, x, y, yaw, color, is_virtual } => {
                let (rectangle, cylinder) = size_of(shape, &size)?;
                Request::Happening(Happening::PutObstacle {
                    name,
                    rectangle,
                    cylinder,
                    x_m: x,
                    y_m: y,
                    yaw_rad: yaw,
                    color: color.map(Rgb).unwrap_or_default(),
                    reality: if is_virtual { Reality::Virtual } else { Reality::Real },
                })
            }
            Self::Scenario { file } => Request::Scenario(scenario_of(&file)?),
        })
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
            let [length_m, width_m] = sides(size, |side| side.parse::<Positive>().ok())
                .ok_or_else(|| wrong("a box's length and width in metres, such as 0.4x0.3"))?;
            Ok((Some(BoxSize { length_m, width_m }), None))
        }
        Shape::Cylinder => {
            let radius_m = size.parse().map_err(|_| wrong("a cylinder's radius in metres, such as 0.2"))?;
            Ok((None, Some(CylinderSize { radius_m })))
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::world::running_from_args;
    use crate::cli::{Cli, Task};
    use crate::exit::Exit;

    fn read(words: &str) -> Result<Request, Failure> {
        let words = ["latimer", "world"].into_iter().chain(words.split(' '));
        match Cli::try_parse_from(words).unwrap().task {
            Task::World(args) => running_from_args(args).unwrap().request(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_become_happenings() {
        let shown = [
            "door front open",
            "door front shut",
            "light hall off",
            "put crate box 0.4x0.3 2 -1.5 45deg",
            "put ghost cylinder 0.2 2 1.5 --color #ff8800 --virtual",
            "move crate 1 -2 -90deg",
            "remove crate",
            "put-object vase Sofa --category decoration --color #ff8800",
            "put-object hat --x 1 --y -2",
            "move-object vase Table",
            "move-object vase --x 1.5 --y 2",
            "remove-object vase",
            "person Anna 1 2",
            "pause",
            "resume",
            "speed 10",
            "speed 0.5x",
            "step",
            "step 3",
        ];
        let json = |words: &str| match read(words).unwrap() {
            Request::Happening(happening) => serde_json::to_string(&happening).unwrap(),
            Request::Pace(pace) => serde_json::to_string(&pace).unwrap(),
            Request::Scenario(scenario) => serde_json::to_string(&scenario).unwrap(),
        };
        let shown: Vec<String> = shown.iter().map(|words| format!("{words} → {}", json(words))).collect();
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn sizes_are_explained() {
        for (words, hint) in [("put a box 0.4 1 1", "0.4x0.3"), ("put a cylinder 1x1 1 1", "radius")] {
            let shown = read(words).unwrap_err();
            assert!(shown.exit == Exit::Usage && shown.message.contains(hint), "{shown}");
        }
    }
}
