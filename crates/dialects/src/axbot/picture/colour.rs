//! What a colour that somebody else chose stands for.

use super::Paint;
use super::shade::{self, OCCUPIED, UNKNOWN};

/// Cost of the area around an obstacle, if all that is known is that it is light red.
const NEAR: i8 = 50;

/// Less is as good as transparent.
const FAINT: u8 = 32;
/// So much more red than green and blue is red.
const REDDISH: u8 = 20;
/// Light red has at least so much green and blue.
const LIGHT: u8 = 90;
/// White has at least so much of everything.
const WHITE: u8 = 230;
/// Black has at most so much of everything.
const BLACK: u8 = 40;

/// The cell of a colour: red, green, blue, and how much of it is seen.
pub(super) fn cell(paint: Paint, [red, green, blue, alpha]: [u8; 4]) -> i8 {
    match paint {
        Paint::Map if alpha < FAINT => UNKNOWN,
        Paint::Map => {
            let sum = u16::from(red) + u16::from(green) + u16::from(blue);
            shade::cell(Paint::Map, (sum / 3) as u8, false)
        }
        Paint::Red | Paint::Grey if alpha < FAINT => 0,
        Paint::Red | Paint::Grey => {
            let other = green.max(blue);
            if red.saturating_sub(other) >= REDDISH {
                if other < LIGHT { OCCUPIED } else { NEAR }
            } else if red.min(green).min(blue) >= WHITE {
                0
            } else if red.max(other) <= BLACK {
                OCCUPIED
            } else {
                UNKNOWN
            }
        }
    }
}
