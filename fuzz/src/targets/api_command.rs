//! Bodies of the gateway's own API: no panic, and what is refused is refused in words. The first byte tells what is sent: a command, a
//! stimulus, a happening or a scenario.

use bytes::Bytes;
use latimer::api::Rejection;
use latimer::api::fuzzing::{command, happening, scenario, stimulus};

use crate::pieces::wait_for;

pub(super) fn run(bytes: &[u8]) {
    let Some((which, body)) = bytes.split_first() else { return };
    let body = Bytes::copy_from_slice(body);
    let refused = match which % 4 {
        0 => wait_for(command(body)).map(|command| assert!(!command.name().is_empty())).err(),
        1 => wait_for(stimulus(body)).map(|stimulus| assert!(!stimulus.name().is_empty())).err(),
        2 => wait_for(happening(body)).map(|happening| assert!(!happening.to_string().is_empty())).err(),
        _ => wait_for(scenario(body)).map(|scenario| super::scenario::check(&scenario)).err(),
    };
    if let Some(refused) = refused {
        check(&refused);
    }
}

/// A refusal has a reason and a status of the caller's mistakes.
pub(super) fn check(refused: &Rejection) {
    let problem = refused.problem();
    assert!((400..500).contains(&problem.status) && !problem.detail.is_empty(), "{problem:?}");
}
