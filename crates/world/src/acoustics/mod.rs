//! What microphones hear of the simulated world.
//!
//! ```text
//!  config Sound ┐
//!  robots' own  ├─▶ Source ──distance, walls, head──▶ Ears ──▶ stereo samples
//!  tones        ┘          └─────────────────────────────────▶ activity by direction
//! ```
//!
//! A source's waveform is a function of the world's time, so that a sound arrives later at the farther ear
//! by exactly the longer way, fractions of a sample included, and frames join. Level falls with distance;
//! walls take their share, and so does the head for the ear that is turned away. No echoes.

mod activity;
mod arrival;
mod ears;
mod envelope;
mod source;
mod waveform;

pub use activity::{Activity, activity};
pub use ears::{Ears, Resolution, SAMPLE_RATE_HZ};
pub use source::{Emission, Kind, Source, through_walls};

/// How fast sound travels, m/s.
pub const SPEED_OF_SOUND_MPS: f64 = 343.0;
