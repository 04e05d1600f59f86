//! Messages of the platform beside signals: pure functions, both ways.

pub(in crate::miro) mod downstream;
mod mics;
mod picture;
mod sensors;
mod sensors_read;
mod snapshot;
mod state;
mod state_read;
mod time;

pub use mics::{audio_from_mics, mics_from_audio};
pub use picture::{
    FORMAT, PictureError, compressed_from_wire, file_from_pixels, image_from_wire, pixels_from_file,
    wire_from_compressed, wire_from_image,
};
pub use sensors::{
    Moment, body_vel_from_snapshot, joint_state_from_snapshot, odometry_from_snapshot, range_from_snapshot,
    sensors_from_snapshot,
};
pub use sensors_read::{Reader, Said};
pub use snapshot::{CLIFFS, EYELIDS, KINDS, LIGHTS, NECK, SONAR, Snapshot, TOUCH_BODY, TOUCH_HEAD};
pub use state::{Own, state_from_snapshot};
pub use state_read::signals_from_state;
pub use time::{EmbeddedClock, usec_from_timestamp};
