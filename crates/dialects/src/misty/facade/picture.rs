//! `GET cameras/rgb`: the next picture that a robot's camera takes.
//!
//! No file is kept on a robot that the gateway serves, nor is the picture drawn on a screen: `FileName` is returned as its
//! name, `DisplayOnScreen` and `OverwriteExisting` change nothing.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::Signal;
use latimer_core::hub::{MailboxLimits, Selection, Shared, Subscription};
use latimer_core::model::Kind;
use latimer_core::model::signal::CompressedImage;
use latimer_core::model::signal::image::PictureFormat;
use serde_json::json;

use super::picture_size::{LARGEST_PX, ResizeError, resized};
use super::robot::FacadeRobot;
use crate::awaited;
use crate::misty::rest::command_params::CommandParams;
use crate::misty::rest::envelope::{Reply, ReplyStatus};

/// How long the picture may take; in the dark there is one a second.
const WITHIN: Duration = Duration::from_secs(5);

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
pub(super) async fn take(robot: &FacadeRobot, mut params: CommandParams<'_>) -> Result<Response, Reply> {
    let asked = PictureRequest::read(&mut params);
    params.finish().map_err(|error| Reply::failure(ReplyStatus::BadArgument, error.to_string()))?;
    let failed = |status, why: &str| Reply::failure(status, format!("Cannot take picture  - {why}."));
    if !robot.is_reachable() {
        return Err(failed(ReplyStatus::ServiceUnavailable, "the robot is not heard"));
    }
    let update = next(robot).await;
    let Some(Signal::CompressedImage(image)) = update.as_ref().map(|update| &update.signal) else {
        let why = format!("its camera sent nothing in {} s", WITHIN.as_secs());
        return Err(failed(ReplyStatus::ServiceUnavailable, &why));
    };
    let image = match asked.size.filter(|size| *size != [image.width, image.height]) {
        None => image.clone(),
        Some(size) => {
            let original = image.clone();
            let work = tokio::task::spawn_blocking(move || resized(&original, size)).await;
            let work = work.unwrap_or(Err(ResizeError::Task));
            work.map_err(|error| failed(ReplyStatus::Exception, &error.to_string()))?
        }
    };
    Ok(response(&asked, &image))
}

fn response(asked: &PictureRequest, image: &CompressedImage) -> Response {
    let CompressedImage { format, width, height, data } = image;
    let content_type = match format {
        PictureFormat::Jpeg => "image/jpeg",
        PictureFormat::Png => "image/png",
    };
    if !asked.base64 {
        let header = [(header::CONTENT_TYPE, HeaderValue::from_static(content_type))];
        return (header, Body::from(data.clone())).into_response();
    }
    super::rest::into_response(&Reply::success(json!({
        "base64": STANDARD.encode(data),
        "contentType": content_type,
        "height": height,
        "name": asked.name,
        "systemAsset": false,
        "width": width,
    })))
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
    awaited::update(sink, Subscription::to(select), WITHIN, |update| update.received >= asked).await
}
