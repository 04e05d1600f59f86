//! Pictures of cameras that are not the robot's own.

use std::borrow::Cow;
use std::io::Cursor;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use latimer_core::model::signal::CompressedImage;
use latimer_core::model::signal::image::PictureFormat;
use serde::Deserialize;
use serde_json::{Map, Value};
use zune_jpeg::JpegDecoder;

use super::{Camera, MAX_SMALL_BYTES, Request, RequestError, fail, suggestion};

/// Longest side of a picture, pixels.
const MAX_SIDE: usize = 4096;

/// Base64 with or without its padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The only long request: read without keeping anything that is not wanted.
#[derive(Deserialize)]
struct Long<'a> {
    #[serde(borrow)]
    topic: Cow<'a, str>,
    #[serde(borrow, default)]
    format: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    data: Option<Cow<'a, str>>,
}

/// Reads a request that is longer than all but pictures may be.
pub(super) fn read_long(text: &str) -> Result<Request, RequestError> {
    let long: Option<Long<'_>> = serde_json::from_str(text).ok();
    match long.and_then(|it| Some((Camera::of_topic(&it.topic)?, it))) {
        Some((camera, Long { topic: _, format, data })) => {
            picture(camera, format.as_deref(), data.as_deref())
        }
        None => fail(format!(
            "{} bytes are too many: only pictures on {} or {} may have more than {MAX_SMALL_BYTES}",
            text.len(),
            Camera::Front.data_topic(),
            Camera::Back.data_topic()
        )),
    }
}

/// Reads a picture from the fields of a message.
pub(super) fn read(camera: Camera, fields: &Map<String, Value>) -> Result<Request, RequestError> {
    let topic = camera.data_topic();
    let text = |name: &str| match fields.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(other) => fail(format!("{topic}: {name} is {}; write it as text", suggestion::kind_of(other))),
    };
    if let Some(stamp) = fields.get("stamp").filter(|stamp| !stamp.is_number()) {
        return fail(format!("{topic}: stamp is {}; write seconds since 1970", suggestion::kind_of(stamp)));
    }
    picture(camera, text("format")?, text("data")?)
}

fn picture(camera: Camera, format: Option<&str>, data: Option<&str>) -> Result<Request, RequestError> {
    let topic = camera.data_topic();
    if let Some(other) = format.filter(|format| *format != "jpeg") {
        return fail(format!("{topic}: format is {:?}; it must be \"jpeg\"", suggestion::cut(other)));
    }
    let Some(data) = data else {
        return fail(format!("{topic} lacks \"data\", a JPEG file in base64"));
    };
    let data = BASE64.decode(data).map_err(|error| {
        RequestError(format!("{topic}: data is no base64: {error}; encode the bytes of a JPEG file"))
    })?;
    let mut decoder = JpegDecoder::new(Cursor::new(data.as_slice()));
    decoder.decode_headers().map_err(|error| {
        let why = suggestion::cut(&format!("{error:?}"));
        RequestError(format!("{topic}: data is no JPEG file: {why}; encode the picture as JPEG"))
    })?;
    let size = decoder.dimensions().filter(|(width, height)| *width.max(height) <= MAX_SIDE);
    let Some((width, height)) = size else {
        return fail(format!(
            "{topic}: the picture has a side of more than {MAX_SIDE} pixels; send a smaller one"
        ));
    };
    let (width, height) = (width as u32, height as u32);
    let image = CompressedImage { format: PictureFormat::Jpeg, width, height, data: data.into() };
    Ok(Request::Picture { camera, image })
}
