//! Commands, answers, reports, links, restarts and time, in any order: what a robot's owner promises holds.

pub(super) fn run(bytes: &[u8]) {
    latimer_core::fuzz_robot(bytes);
}
