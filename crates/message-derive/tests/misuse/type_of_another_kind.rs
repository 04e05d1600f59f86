#[path = "support/describe.rs"]
mod describe;

use latimer_message_derive::Message;

struct Battery {
    voltage_v: f64,
}

#[derive(Message)]
#[message(json = none, record = Battery)]
struct BatteryState {
    /// A text on the wire, a number in the model.
    #[field(voltage_v, required)]
    voltage: Option<String>,
}

fn main() {}
