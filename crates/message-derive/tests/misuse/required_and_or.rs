#[path = "support/describe.rs"]
mod describe;

use latimer_message_derive::Message;

struct Battery {
    voltage_v: f64,
}

#[derive(Message)]
#[message(json = none, record = Battery)]
struct BatteryState {
    /// One or the other.
    #[field(voltage_v, required, or = 0.0)]
    voltage: Option<f64>,
}

fn main() {}
