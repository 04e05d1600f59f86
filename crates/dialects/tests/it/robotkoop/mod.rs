//! Household robots over the broker within: served ones as a dialogue system sees them, real ones as the hub does.

mod connected;
mod flat;
mod foreign;
mod hostile;
mod outage;
mod served;
