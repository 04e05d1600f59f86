//! Topics that tell again what another tells, in fewer words: they are written and not read.

use latimer_core::model::signal::{Door, DoorState, Doors, Footprint, Pins};

use super::{FromRecord, ToSignals};
use crate::axbot::messages::Context;
use crate::axbot::messages::around::{DetectedGates, Gate, RobotFootprint};
use crate::axbot::messages::codecs::corners;
use crate::axbot::messages::state::RawIoBoardState;
use crate::axbot::topic::Topic;
use crate::axbot::wire::Extra;

impl ToSignals for RobotFootprint {}

impl FromRecord<Footprint> for RobotFootprint {
    fn from_record(Footprint { polygon_m, width_m: _ }: &Footprint, _: Topic, _: &Context) -> Option<Self> {
        Some(Self { footprint: Some(corners(polygon_m)), extra: Extra::new() })
    }
}

impl ToSignals for DetectedGates {}

impl FromRecord<Doors> for DetectedGates {
    fn from_record(Doors { doors }: &Doors, _: Topic, _: &Context) -> Option<Self> {
        let gate = |Door { name, state, mac: _, polygon_m: _ }: &Door| {
            // The vendor's words know no door that moves.
            let state = match state {
                DoorState::Open => "open",
                DoorState::Closed => "closed",
                DoorState::Opening | DoorState::Closing => "unknown",
            };
            Gate { name: Some(name.clone()), state: Some(state.to_owned()), extra: Extra::new() }
        };
        Some(Self { gates: Some(doors.iter().map(gate).collect()), extra: Extra::new() })
    }
}

impl ToSignals for RawIoBoardState {}

impl FromRecord<Pins> for RawIoBoardState {
    fn from_record(Pins { inputs, outputs }: &Pins, _: Topic, _: &Context) -> Option<Self> {
        let row = |boards: &[Vec<bool>]| Some(boards.iter().flatten().map(|on| i64::from(*on)).collect());
        Some(Self { inputs_active: row(inputs), outputs_active: row(outputs), extra: Extra::new() })
    }
}
