//! Hardware at the serial port, which may drive the robot.

use super::{Arg, Call, NAME, Row};
use crate::misty::rest::row::{row, text};

/// Send text to hardware on the serial port.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(
    motion = starts,
    wire = row!(Post "serial" WriteSerial as MessageStreamWrite in General: Action "write serial" -> Boolean),
)]
pub struct Serial {
    /// The text.
    #[argument(wire = text("Message"))]
    pub text: String,
}
