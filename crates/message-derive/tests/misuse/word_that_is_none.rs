#[path = "support/describe.rs"]
mod describe;

use latimer_message_derive::Message;

struct Battery {
    voltage_v: f64,
}

#[derive(Message)]
#[message(json = none, record = Battery)]
struct BatteryState {
    /// `required`.
    #[field(voltage_v, requird)]
    voltage: Option<f64>,
}

fn main() {}
