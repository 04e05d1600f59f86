#[path = "support/describe.rs"]
mod describe;

use latimer_message_derive::Message;

struct Battery {
    charge_ratio: Option<f64>,
}

#[derive(Message)]
#[message(json = none, record = Battery)]
struct BatteryState {
    /// Units have names.
    #[field(charge_ratio, unit = "%")]
    percentage: Option<f64>,
}

fn main() {}
