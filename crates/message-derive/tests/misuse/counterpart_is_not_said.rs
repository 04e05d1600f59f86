#[path = "support/describe.rs"]
mod describe;

use latimer_message_derive::Message;

struct Battery {
    voltage_v: Option<f64>,
}

#[derive(Message)]
#[message(json = none, record = Battery)]
struct BatteryState {
    /// Nobody says what this is.
    voltage: Option<f64>,
}

fn main() {}
