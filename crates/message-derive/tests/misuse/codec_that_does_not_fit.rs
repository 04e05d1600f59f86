#[path = "support/describe.rs"]
mod describe;

use latimer_message_derive::Message;

#[derive(Clone, Copy)]
enum State {
    Charging,
}

struct Battery {
    state: State,
}

const STATES: &[(&str, State)] = &[("charging", State::Charging)];

#[derive(Message)]
#[message(json = none, record = Battery)]
struct BatteryState {
    /// Words are texts, and this is a number.
    #[field(state, words = STATES, required)]
    status: Option<f64>,
}

fn main() {}
