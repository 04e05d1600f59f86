//! A sequence of calls to a node: no panic, each answer as the protocol has it, and no more publishers than a node follows.
//!
//! Takes a call a line, as `ros_calls.rs` reads it.

use std::sync::LazyLock;

use latimer_ros1::node::fuzzing::{Portless, Types};

use crate::pieces::without_network;
use crate::ros_calls::{calls, code_and_value};

static TYPES: LazyLock<Types> = LazyLock::new(|| Types::new().expect("the types are known"));

/// Publishers of one topic, at most.
const MOST_PUBLISHERS: usize = 256;

pub(super) fn run(text: &str) {
    let node = Portless::new(&TYPES).expect("its names are good");
    without_network(async {
        for (method, params) in calls(text) {
            if let Ok(answer) = node.call(&method, params).await {
                code_and_value(&answer);
            }
            assert!(node.publishers() <= MOST_PUBLISHERS);
        }
    });
}
