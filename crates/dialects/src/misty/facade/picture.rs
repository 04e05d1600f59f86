//! `GET cameras/rgb`: the next picture that a robot's camera takes.
//!
//! No file is kept on a robot that the gateway serves, nor is the picture drawn on a screen: `FileName` is returned as its
//! name, `DisplayOnScreen` and `OverwriteExisting` change nothing.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use latimer_core::hub::{MailboxLimits, Selection, Shared, Subscription};
use latimer_core::memory::{DecodeError, Exceeded, Reservation, Share};
use latimer_core::model::Kind;
use latimer_core::model::signal::CompressedImage;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::{Author, Signal};
use serde_json::json;

use super::picture_size::{LARGEST_PX, ResizeError, resized};
use super::robot::FacadeRobot;
use crate::awaited;
use crate::misty::limits::PICTURE_TIMEOUT;
use crate::misty::rest::command_params::CommandParams;
use crate::misty::rest::envelope::{Reply, ReplyStatus};

/// What was asked for.
struct PictureRequest {
    base64: bool,
    name: Option<String>,
    size: Option<[u32; 2]>,
}

impl PictureRequest {
    fn read(params: &mut CommandParams<'_>) -> Self {
        let base64 = params.optional("Base64").unwrap_or(false);
        let name: Option<String> = params.optional("FileName");
        for flag in ["DisplayOnScreen", "OverwriteExisting"] {
            params.optional::<bool>(flag);
        }
        let [width, height] = ["Width", "Height"].map(|name| side(params, name));
        if width.is_some() != height.is_some() {
            params.refuse("Width and Height belong together, give both or none");
        }
        Self { base64, name: name.filter(|it| !it.is_empty()), size: width.zip(height).map(Into::into) }
    }
}

fn side(params: &mut CommandParams<'_>, name: &str) -> Option<u32> {
    let asked = params.optional::<i64>(name)?;
    let pixels = u32::try_from(asked).ok().filter(|it| (1..=LARGEST_PX).contains(it));
    if pixels.is_none() {
        params.refuse(format!("Invalid {name} {asked}, use 1 to {LARGEST_PX}"));
    }
    pixels
}

/// Takes a picture: the file itself, or JSON with its Base64.
pub(super) async fn take(
    robot: &FacadeRobot,
    author: &Author,
    mut params: CommandParams<'_>,
) -> Result<Response, Reply> {
    let asked = PictureRequest::read(&mut params);
    params.finish().map_err(|error| Reply::failure(ReplyStatus::BadArgument, error.to_string()))?;
    let failed = |status, why: &str| Reply::failure(status, format!("Cannot take picture  - {why}."));
    if !robot.is_reachable() {
        return Err(failed(ReplyStatus::ServiceUnavailable, "the robot is not heard"));
    }
    let update = next(robot).await;
    let Some(Signal::CompressedImage(image)) = update.as_ref().map(|update| &update.signal) else {
        let why = format!("its camera sent nothing in {} s", PICTURE_TIMEOUT.as_secs());
        return Err(failed(ReplyStatus::ServiceUnavailable, &why));
    };
    let full = |error: Exceeded| failed(ReplyStatus::ServiceUnavailable, &error.to_string());
    let memory = robot.hub.memory();
    let mut room = memory.hold(Share::Pictures);
    let image = match asked.size.filter(|size| *size != [image.width, image.height]) {
        None => image.clone(),
        Some(size) => {
            let (original, memory, client) = (image.clone(), memory.clone(), author.clone());
            let work = move || resized(&original, size, &memory, &client);
            let work = robot.hub.memory().decode(Share::Pictures, author, work).await;
            let scaled = work.map_err(|error| {
                let status = match error {
                    DecodeError::Busy => ReplyStatus::ServiceUnavailable,
                    DecodeError::Panic(_) => ReplyStatus::Exception,
                };
                failed(status, &error.to_string())
            })?;
            scaled.map_err(|error| match error {
                ResizeError::Memory(exceeded) => full(exceeded),
                error => failed(ReplyStatus::Exception, &error.to_string()),
            })?
        }
    };
    // Until the client has received it; a picture that is sent as it came is the hub's.
    let own = if asked.size.is_some() { image.data.len() } else { 0 };
    let written = if asked.base64 { 2 * image.data.len() } else { 0 };
    room.resize((own + written) as u64, author).map_err(full)?;
    Ok(response(&asked, &image, room))
}

/// What a client has not received yet, and its memory.
struct Unsent {
    bytes: Bytes,
    _room: Reservation,
}

impl AsRef<[u8]> for Unsent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

fn response(asked: &PictureRequest, image: &CompressedImage, room: Reservation) -> Response {
    let CompressedImage { format, width, height, data } = image;
    let content_type = match format {
        PictureFormat::Jpeg => "image/jpeg",
        PictureFormat::Png => "image/png",
    };
    let file = |content_type, bytes| {
        let header = [(header::CONTENT_TYPE, HeaderValue::from_static(content_type))];
        (header, Body::from(Bytes::from_owner(Unsent { bytes, _room: room }))).into_response()
    };
    if !asked.base64 {
        return file(content_type, data.clone());
    }
    let reply = Reply::success(json!({
        "base64": STANDARD.encode(data),
        "contentType": content_type,
        "height": height,
        "name": asked.name,
        "systemAsset": false,
        "width": width,
    }));
    file("application/json", reply.body.to_string().into())
}

/// The next picture of the camera that looks ahead, or of any camera if none is declared; one that was taken before does
/// not count.
async fn next(robot: &FacadeRobot) -> Option<Arc<Shared>> {
    let asked = robot.hub.clock().now();
    let profile = robot.hub.profile(&robot.robot);
    let select: Selection = match profile.camera_ahead() {
        Some(camera) => format!("{}/{}/{}", robot.robot, Kind::CompressedImage, camera.part).parse().ok()?,
        None => Selection::of_kinds(&robot.robot, &[Kind::CompressedImage]),
    };
    let sink = robot.hub.sink(crate::misty::NAME, "a picture", MailboxLimits::default());
    awaited::update(sink, Subscription::to(select), PICTURE_TIMEOUT, |update| update.received >= asked).await
}
