//! Updates as they come, over a WebSocket or as Server-Sent Events.
//! One task owns one stream; [`flow`] is what all of them have in common.
//!
//! ```text
//! asked ──▶ flowing ──n updates──────────▶ end "complete" ──▶ closed
//!             │ ├────too slow (hub)──────▶ end "too_slow" ──▶ closed
//!             │ ├────gateway stops───────▶ end "stopping" ──▶ closed
//!             │ └────nothing written for UNREAD_TIMEOUT ────▶ cut, and logged
//!             └──────client closes or is silent for ALIVE_WITHIN ▶ closed
//! ```

mod answer;
mod events;
mod flow;
mod piece;
mod request;
mod socket;
mod updates;

use axum::http::Uri;
use axum::response::Response;

pub(super) use self::answer::{Asker, answer};
pub(super) use self::flow::Feed;
pub(super) use self::piece::Piece;
pub(super) use self::request::{ALL, StreamRequest};
use self::updates::Updates;
use super::Rejection;
use super::answers::WrongParameter;
use super::client::Api;
use latimer_wire::v1::{BytesForm, Frame, Problem};

#[utoipa::path(
    get,
    path = "/stream",
    tag = "updates",
    summary = "Updates as they come",
    description = "A WebSocket if the request asks for one, with a frame a text message; else Server-Sent Events, whose \
        `event` is the frame's `type` and whose `data` is the frame. Late joiners get the last value of each \
        selected state at once.",
    params(
        ("select" = Option<String>, Query, description = "Key expressions, by commas; everything if not given", example = "misty-1/imu"),
        ("where" = Option<Vec<String>>, Query, explode = true, description = "Conditions that must hold", example = json!(["range.distance_m < 0.3"])),
        ("every" = Option<String>, Query, description = "Shortest interval between updates of one key", example = "250ms"),
        ("pick" = Option<Vec<String>>, Query, explode = true, description = "Only these fields; also by commas", example = json!(["imu.orientation.yaw_rad"])),
        ("as" = Option<String>, Query, description = "In the words of a dialect, as its own clients see them; `all` for the model's fields and every dialect's words", example = "misty"),
        ("native" = Option<bool>, Query, description = "Bring what the robot really sent as well"),
        ("bytes" = Option<BytesForm>, Query, description = "How pictures, sound and files are written"),
        ("batch" = Option<String>, Query, description = "One message for all that comes within so long, 1ms to 10s; of each state the newest", example = "33ms"),
        ("in" = Option<String>, Query, description = "Coordinates in a frame of the tree, see `/frames`; of a key without a transform to it a `gap` says so once", example = "world"),
        ("n" = Option<u64>, Query, description = "End after so many updates", minimum = 1, example = 3),
    ),
    responses(
        (status = 101, description = "A WebSocket, whose text messages are frames"),
        (status = 200, description = "Events, whose data are frames", body = Frame, content_type = "text/event-stream"),
        (status = 426, description = "The WebSocket was asked for in a wrong way", body = Problem, content_type = "application/problem+json"),
        WrongParameter,
    )
)]
pub(super) async fn stream(api: Api, uri: Uri, asker: Asker) -> Result<Response, Rejection> {
    let request = StreamRequest::of(&uri)?.placed(&api.state.hub)?;
    let mut state = api.state.clone();
    if request.needs_whole() {
        api.permit_whole("native, as")?;
        // Also after its roles have changed.
        state.hub = state.hub.of_whole_robots();
    }
    let (updates, peer) = (state.clone(), asker.peer);
    answer(state, asker, move || Updates::new(updates, peer, request))
}
