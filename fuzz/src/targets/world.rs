//! Worlds: no panic, and one that was read can be.

use latimer_world::{World, WorldFile};

/// A world with more takes longer to build than a run may.
const MOST_M2: f64 = 10_000.0;

pub(super) fn run(text: &str) {
    match WorldFile::parse(text) {
        Ok(file) => {
            let [width_m, depth_m] = file.size_m;
            if width_m * depth_m <= MOST_M2 {
                drop(World::new(file, 1));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
