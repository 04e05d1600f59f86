#[path = "support/describe.rs"]
mod describe;

use latimer_message_derive::Message;

struct Wheel {
    rotation_rad: Option<f64>,
}

struct Encoders {
    left: Wheel,
}

#[derive(Message)]
#[message(json = none, record = Encoders)]
struct DriveEncoders {
    /// `records(left = Wheel)` is missing.
    #[field(left.rotation_rad)]
    left_distance: Option<f64>,
}

fn main() {}
