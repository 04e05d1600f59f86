//! `GET cameras/rgb`: a picture of the robot's camera, as it is taken.
//!
//! The camera works while somebody waits for its picture. A robot with several eyes shows the one that looks ahead, or else its left one.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::Signal;
use latimer_core::hub::{Delivery, MailboxLimits, Subscription};
use latimer_core::model::signal::CompressedImage;
use latimer_core::model::signal::image::PictureFormat;
use serde_json::json;

use super::rest::into_response;
use super::robot::FacadeRobot;
use crate::misty::NAME;
use crate::misty::rest::command_params::CommandParams;
use crate::misty::rest::envelope::{Reply, ReplyStatus};

/// How long a camera may take to deliver; in the dark one takes a picture a second.
const PATIENCE: Duration = Duration::from_secs(6);
/// Once a picture is there, one of a better camera may follow within this.
const BETTER: Duration = Duration::from_millis(400);
/// Cameras from the best to the last; others come after them.
const CAMERAS: [&str; 4] = ["camera", "camera_front", "camera_left", "camera_right"];
/// What a picture is called that got no name.
const NAMELESS: &str = "picture";

/// Takes a picture: its bytes, or an object that holds them as Base64.
pub(super) async fn take(robot: &FacadeRobot, verb: &str, mut params: CommandParams<'_>) -> Response {
    let in_json = params.optional::<bool>("Base64").unwrap_or(false);
    let name = params.optional::<String>("FileName").filter(|name| !name.is_empty());
    // A picture is as big as the camera makes it, and there is no screen to show it on and no folder to keep it in.
    let _ = (params.optional::<i64>("Width"), params.optional::<i64>("Height"));
    let _ = (params.optional::<bool>("DisplayOnScreen"), params.optional::<bool>("OverwriteExisting"));
    if let Err(error) = params.finish() {
        return into_response(&Reply::failure(ReplyStatus::BadArgument, error.to_string()));
    }
    let Some(picture) = next(robot).await else {
        let text = format!(
            "Cannot {verb}  - no camera of the robot sent a picture within {} s.",
            PATIENCE.as_secs()
        );
        return into_response(&Reply::failure(ReplyStatus::ServiceUnavailable, text));
    };
    let CompressedImage { format, width, height, data } = picture;
    let (mime, extension) = match format {
        PictureFormat::Jpeg => ("image/jpeg", "jpg"),
        PictureFormat::Png => ("image/png", "png"),
    };
    if !in_json {
        return ([(header::CONTENT_TYPE, HeaderValue::from_static(mime))], Body::from(data)).into_response();
    }
    let name = format!("{}.{extension}", name.as_deref().unwrap_or(NAMELESS));
    into_response(&Reply::success(json!({
        "base64": STANDARD.encode(&data),
        "contentType": mime,
        "height": height,
        "name": name,
        "width": width,
    })))
}

/// The next picture of the best camera; `None` if none comes.
async fn next(robot: &FacadeRobot) -> Option<CompressedImage> {
    let sink = robot.hub.sink(NAME, "cameras/rgb", MailboxLimits::default());
    sink.subscribe(Subscription::to(format!("{}/compressed_image/*", robot.robot).parse().ok()?));
    let mut best: Option<(usize, CompressedImage)> = None;
    let mut deliveries = Vec::new();
    let clock = robot.hub.clock();
    let since = clock.now();
    let mut until = since.after(PATIENCE);
    while best.as_ref().is_none_or(|(rank, _)| *rank > 0) {
        tokio::select! {
            () = clock.sleep_until(until) => break,
            () = sink.receive(&mut deliveries) => {}
        }
        for delivery in deliveries.drain(..) {
            let Delivery::Update(_, update) = delivery else { continue };
            // The last one is still known to the hub, however old it is.
            if update.received < since {
                continue;
            }
            let (Signal::CompressedImage(picture), Some(part)) = (&update.signal, &update.part) else {
                continue;
            };
            let rank = CAMERAS.iter().position(|it| *it == part.as_str()).unwrap_or(CAMERAS.len());
            if best.is_none() {
                until = clock.now().after(BETTER);
            }
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, picture.clone()));
            }
        }
    }
    best.map(|(_, picture)| picture)
}
