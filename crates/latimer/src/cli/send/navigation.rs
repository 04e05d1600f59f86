//! The words of `latimer send` for robots that drive by themselves.

use std::fmt::Display;

use clap::Subcommand;
use serde_json::json;

use super::command_from_json;
use crate::exit::Failure;
use latimer_wire::v1::{
    Charger, Command, Destination, Navigate, NonNegative, Number, Pose, QuantityError, Radians, Target,
};

#[derive(Debug, Subcommand)]
pub(super) enum Navigation {
    /// Drive to a point or a place by itself
    Goto {
        /// A place's name, or metres east of the map's origin
        #[arg(allow_hyphen_values = true, value_name = "X|PLACE")]
        to: String,
        /// Metres north of the map's origin
        #[arg(allow_negative_numbers = true)]
        y: Option<Number>,
        /// How to stand there, counter-clockwise from east
        #[arg(allow_hyphen_values = true)]
        yaw: Option<Radians>,
        /// How near is near enough, metres
        #[arg(long, value_name = "METRES")]
        within: Option<NonNegative>,
        /// Be there as soon as it is that near, however it is turned
        #[arg(long, requires = "within")]
        zone: bool,
    },
    /// Drive to a charger by itself
    Charge {
        /// The one whose robots stand there; the nearest if not given
        #[arg(long, value_name = "X,Y[,YAW]", allow_hyphen_values = true, value_parser = pose)]
        at: Option<Pose>,
        /// How often to try again
        #[arg(long, value_name = "N", default_value_t = Charger::default().retries)]
        retries: u32,
    },
    /// Drive along a line by itself, point by point
    Route {
        /// Metres east and north of the map's origin, such as 1,2 3,2; below zero write -1 2 or -- -1,2
        #[arg(required = true, allow_negative_numbers = true, value_name = "X,Y")]
        points: Vec<String>,
        /// How far it may leave the line to get around something, metres
        #[arg(long, value_name = "METRES")]
        detour: Option<NonNegative>,
    },
    /// Follow the nearest person, or say where the one to follow is
    Follow {
        /// Metres east of the map's origin, or `pause`, or `fail`
        #[arg(allow_hyphen_values = true, value_name = "X|pause|fail")]
        at: Option<String>,
        /// Metres north of the map's origin
        #[arg(allow_negative_numbers = true)]
        y: Option<Number>,
        /// How to stand there, counter-clockwise from east
        #[arg(allow_hyphen_values = true)]
        yaw: Option<Radians>,
    },
    /// Drive beneath a rack, ready to take it
    Rack {
        /// About where it stands, metres east of the map's origin
        #[arg(allow_negative_numbers = true)]
        x: Number,
        /// Metres north of the map's origin
        #[arg(allow_negative_numbers = true)]
        y: Number,
        /// Counter-clockwise from east
        #[arg(allow_hyphen_values = true, default_value_t)]
        yaw: Radians,
    },
    /// Drive to where a rack shall be put down
    Unload {
        /// Metres east of the map's origin
        #[arg(allow_negative_numbers = true)]
        x: Number,
        /// Metres north of the map's origin
        #[arg(allow_negative_numbers = true)]
        y: Number,
        /// Counter-clockwise from east
        #[arg(allow_hyphen_values = true, default_value_t)]
        yaw: Radians,
    },
}

impl Navigation {
    /// Whether it is a drive that ends by itself.
    pub(super) const fn is_followed(&self) -> bool {
        matches!(
            self,
            Self::Goto { .. }
                | Self::Charge { .. }
                | Self::Route { .. }
                | Self::Rack { .. }
                | Self::Unload { .. }
        )
    }

    /// The command of the API.
    pub(super) fn command(self) -> Result<Command, Failure> {
        let pose = |x_m, y_m, yaw_rad| Some(Pose { x_m, y_m, yaw_rad });
        Ok(match self {
            Self::Goto { to, y, yaw, within, zone } => Command::Navigate(Navigate {
                to: Box::new(goto(to, y, yaw)?),
                id: None,
                accuracy_m: within,
                zone,
            }),
            Self::Charge { at, retries } => navigate(Destination {
                charger: Some(Charger { pose: at, retries }),
                ..Destination::default()
            }),
            Self::Route { points, detour } => navigate(Destination {
                route: Some(route(&points)?),
                detour_m: detour,
                ..Destination::default()
            }),
            Self::Follow { at, y, yaw } => follow(at.as_deref(), y, yaw)?,
            Self::Rack { x, y, yaw } => {
                navigate(Destination { rack: pose(x, y, yaw), ..Destination::default() })
            }
            Self::Unload { x, y, yaw } => {
                navigate(Destination { unload: pose(x, y, yaw), ..Destination::default() })
            }
        })
    }
}

fn navigate(to: Destination) -> Command {
    Command::Navigate(Navigate { to: Box::new(to), ..Navigate::default() })
}

fn goto(to: String, y_m: Option<Number>, yaw_rad: Option<Radians>) -> Result<Destination, Failure> {
    match (to.parse(), y_m) {
        (Ok(x_m), Some(_)) => Ok(Destination { x_m: Some(x_m), y_m, yaw_rad, ..Destination::default() }),
        (Err(_), None) => Ok(Destination { place: Some(to), ..Destination::default() }),
        (Ok(_), None) => Err(Failure::usage("a point needs two numbers; write such as goto 1.5 2")),
        (Err(_), Some(_)) => Err(Failure::usage(format!(
            "a place goes by its name alone; write such as goto {to}, or goto 1.5 2 for a point"
        ))),
    }
}

fn follow(at: Option<&str>, y_m: Option<Number>, yaw_rad: Option<Radians>) -> Result<Command, Failure> {
    let target = match (at, y_m) {
        (None, _) => return Ok(navigate(Destination { target: Some(Target {}), ..Destination::default() })),
        (Some(state @ ("pause" | "fail")), None) => json!({"command": "follow", "state": state}),
        (Some(x), Some(_)) if x.parse::<Number>().is_ok() => {
            let x_m = x.parse::<Number>().ok();
            json!({"command": "follow", "state": "pose", "x_m": x_m, "y_m": y_m, "yaw_rad": yaw_rad})
        }
        (Some(_), _) => {
            return Err(Failure::usage(
                "this is no place of somebody to follow; write such as follow 1.5 2, follow pause, follow fail, or follow alone",
            ));
        }
    };
    command_from_json(&target)
}

/// Points with a comma or a space between their coordinates.
fn route(words: &[String]) -> Result<Vec<[Number; 2]>, Failure> {
    let wrong = |why: &dyn Display| Failure::usage(format!("{why}; write points such as 1,2 3,2"));
    let numbers = words.iter().flat_map(|word| word.split(',')).map(str::parse);
    let numbers: Vec<Number> = numbers.collect::<Result<_, QuantityError>>().map_err(|why| wrong(&why))?;
    let (points, rest) = numbers.as_chunks::<2>();
    if rest.is_empty() { Ok(points.to_vec()) } else { Err(wrong(&"a coordinate is missing")) }
}

/// `1,2` or `1,2,90deg`.
fn pose(text: &str) -> Result<Pose, PoseError> {
    let words: Vec<&str> = text.split(',').collect();
    let (x, y, yaw) = match words.as_slice() {
        [x, y] => (x, y, "0"),
        [x, y, yaw] => (x, y, *yaw),
        _ => return Err(PoseError::Coordinates),
    };
    Ok(Pose { x_m: x.parse()?, y_m: y.parse()?, yaw_rad: yaw.parse()? })
}

/// A text that is no pose.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum PoseError {
    /// Not two or three coordinates.
    #[error("write such as 1,2 or 1,2,90deg")]
    Coordinates,
    /// A coordinate is no number.
    #[error(transparent)]
    Quantity(#[from] QuantityError),
}
