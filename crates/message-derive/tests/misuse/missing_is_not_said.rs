#[path = "support/describe.rs"]
mod describe;

use latimer_message_derive::Message;

struct Battery {
    voltage_v: f64,
}

#[derive(Message)]
#[message(json = none, record = Battery)]
struct BatteryState {
    /// May be missing on the wire, and never in the model.
    #[field(voltage_v)]
    voltage: Option<f64>,
}

fn main() {}
