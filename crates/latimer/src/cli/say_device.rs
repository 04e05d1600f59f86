//! The words of `latimer send` for outputs, stops, cameras and measuring.

use clap::Subcommand;

use super::numbers::{Angles, Pixels, angles, number, pixels};
use super::say::OnOff;
use super::tell::word;
use crate::exit::Failure;
use crate::wire::v1::{Camera, Command, Pins, Sense};

#[derive(Debug, Subcommand)]
pub(super) enum SayDevice {
    /// Switch outputs, numbered over all boards
    Pins {
        /// Switch these on, e.g. 0,9
        #[arg(long, value_name = "N,N", value_delimiter = ',', required_unless_present = "off")]
        on: Vec<u32>,
        /// Switch these off, e.g. 2
        #[arg(long, value_name = "N,N", value_delimiter = ',')]
        off: Vec<u32>,
    },
    /// Say who drives: auto, manual or remote
    Mode {
        /// Who
        mode: String,
    },
    /// Press or release the emergency stop
    Estop {
        /// Pressed or released
        switch: OnOff,
    },
    /// Do something to the robot's own parts, such as calibrate_imu, check_jack or clear_slipping
    Maintain {
        /// What to do
        action: String,
    },
    /// Switch the sensors on again
    Wake,
    /// How a camera delivers; what is not given stays
    Camera {
        /// Which camera; all if not given
        #[arg(long)]
        part: Option<String>,
        /// Width and height in pixels, e.g. 320x240
        #[arg(long, value_name = "WxH", value_parser = pixels)]
        size: Option<Pixels>,
        /// Pictures a second
        #[arg(long, value_name = "HZ", value_parser = number)]
        rate: Option<f64>,
    },
    /// Measure now, and print a line of JSON for each reading
    Sense {
        /// distance, color, compass or proximity
        what: String,
        /// The directions for proximity, counter-clockwise from ahead, e.g. 0,30deg,-30deg
        #[arg(allow_hyphen_values = true, value_parser = angles)]
        angles: Option<Angles>,
        /// Which things count: R, real; V, virtual; M, mixed
        #[arg(long, value_name = "R|V|M", default_value = "V")]
        reality: String,
    },
}

impl SayDevice {
    /// What the API is told.
    pub(super) fn command(self) -> Result<Command, Failure> {
        Ok(match self {
            Self::Pins { on, off } => Command::Pins(Pins { enable: on, disable: off }),
            Self::Mode { mode } => Command::ControlMode { mode: word(&mode)? },
            Self::Estop { switch } => Command::EmergencyStop { pressed: switch == OnOff::On },
            Self::Maintain { action } => Command::Maintain { action: word(&action)? },
            Self::Wake => Command::WakeUp {},
            Self::Camera { part, size, rate } => {
                Command::Camera(Camera { part, size: size.map(|Pixels(size)| size), rate_hz: rate })
            }
            Self::Sense { what, angles, reality } => Command::Sense(Sense {
                what: word(&what)?,
                bearings_rad: angles.unwrap_or_default().0,
                reality: word(&reality)?,
            }),
        })
    }
}
