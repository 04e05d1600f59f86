#[path = "support/describe.rs"]
mod describe;

use latimer_message_derive::Message;

struct Battery {
    voltage_v: Option<f64>,
    current_a: Option<f64>,
}

#[derive(Message)]
#[message(json = none, record = Battery)]
struct BatteryState {
    /// Nobody says what becomes of the current: `ignores(current_a)` does.
    #[field(voltage_v)]
    voltage: Option<f64>,
}

fn main() {}
