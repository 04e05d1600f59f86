//! Messages of the platform beside signals, as far as that is no table: pure functions, both ways.

pub(in crate::miro) mod downstream;
mod frames;
mod lens;
mod picture;
mod sensors;
mod snapshot;
mod state;
mod time;

pub use frames::{EYES, Eye, Frames};
pub use lens::info_from_lens;
pub use picture::{
    FORMAT, PictureError, compressed_from_wire, file_from_pixels, image_from_wire, pixels_from_file,
    wire_from_compressed, wire_from_image,
};
pub use sensors::{Decoded, Reader, body_vel_from_snapshot, odometry_from_snapshot, sensors_from_snapshot};
pub use snapshot::{KINDS, Snapshot};
pub use state::{Own, signals_from_state, state_from_snapshot};
pub use time::{EmbeddedClock, usec_from_timestamp};
