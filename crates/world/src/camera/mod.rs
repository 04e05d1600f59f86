//! What cameras see: pictures of the simulated world from where a robot's camera is.
//!
//! ```text
//!  WorldFile ──▶ Room ┐
//!   people, doors, …  ├─▶ Scene + Lens = Shot ──submit──▶ RenderQueue ─▶ FrameEncoder ──rendered──▶ Frame
//!   (moving Solids) ──┘      (world's thread)             (its thread)      (pixels, JPEG, H.264)
//! ```
//!
//! The world is flat shapes with heights, so a picture is made of flat faces and balls: [`Renderer`] finds the
//! nearest one for each pixel and colours it by the light that falls on it. No shadows and no mirrors.
//! The same scene and the same lens give the same bytes.
//!
//! [`Scene`] is what there is, [`Lens`] the camera, a pinhole whose picture a [`Distortion`] may bend, [`Picture`] the result. A [`RenderQueue`] makes
//! pictures on a thread of its own; a caller that needs them in step with the world uses a [`FrameEncoder`].

mod distortion;
mod exposure;
mod face;
mod frame_encoder;
mod header;
mod lens;
mod light;
mod pattern;
mod picture;
mod raster;
mod render_queue;
mod renderer;
mod room;
mod scene;
#[cfg(feature = "video")]
mod streams;
mod vector;
mod video;

pub use distortion::Distortion;
pub use exposure::exposed_rate;
pub use frame_encoder::{Frame, FrameEncoder, Shot, Wants};
pub use header::jpeg_size;
pub use lens::{Lens, LensError, MAX_SIDE_PX};
pub use light::{Light, Lighting};
pub use picture::{JpegError, Picture};
pub use render_queue::RenderQueue;
pub use renderer::Renderer;
pub use room::{Patch, Room, WALL_M};
pub use scene::{Scene, Shape, Solid};
pub use video::Packet;
#[cfg(feature = "video")]
pub use video::{Encoder, VideoError};
