//! How a connection begins: who the robot is, then its socket.

use bytes::Bytes;
use latimer_core::hub::Source;
use latimer_core::model::Native;
use latimer_core::model::signal::{DriveLimits, SpeedLimits};
use latimer_core::supervisor::SessionEnd;
use latimer_core::{Timestamp, Update};
use latimer_listen::limits::CONNECT_TIMEOUT;
use latimer_listen::{Address, Trust};
use serde_json::Value as Json;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderValue, StatusCode};

use super::call::{Call, CallError};
use super::device::{Caps, caps_from_json, device_from_json, footprint_from_json};
use super::orders::LARGEST_BYTES;
use super::rest::Rest;
use crate::axbot::rest::params::limits_from_params;
use crate::axbot::wire::MAX_FRAME_BYTES;
use crate::socket::{Socket, connected, open};

/// What the original of a robot's introduction is called.
const INTRODUCTION: &str = "/device/info";

/// Where a robot has what its owner sets.
pub(super) const PARAMS: &str = "robot-params";

/// What a robot said of itself, and what its owner set; `null` if it said nothing.
#[derive(Debug)]
pub(super) struct Introduction(Json, Json);

impl Introduction {
    /// Asks the robot who it is. A robot that does not say is served all the same: over a thin link the answer may be
    /// too long to arrive.
    ///
    /// A refused secret is no reason to stop for good: robots get new secrets, and the wait between two attempts is
    /// long by then.
    pub(super) async fn ask(rest: &Rest, source: &Source) -> Result<Self, SessionEnd> {
        match rest.call(&Call::get("device/info")).await {
            Ok(info) if info.is_object() => {
                // Newer robots may have none of it.
                let params = rest.call(&Call::get(PARAMS)).await.unwrap_or_default();
                Ok(Self(info, params))
            }
            Ok(_) => {
                tracing::warn!(robot = %source.robot(), "what it says of itself is no JSON object");
                Ok(Self(Json::Null, Json::Null))
            }
            Err(CallError::Refused { status: 503, reason }) => {
                Err(SessionEnd::retry(format!("the robot boots: {reason}")))
            }
            Err(CallError::Refused { status: 401 | 403, reason }) => Err(refused_secret(&reason)),
            Err(CallError::Unreachable(reason)) => {
                Err(SessionEnd::retry(format!("the robot cannot be reached at {}: {reason}", rest.base())))
            }
            Err(error) => {
                tracing::warn!(robot = %source.robot(), %error, "does not say what it is");
                Ok(Self(Json::Null, Json::Null))
            }
        }
    }

    /// What the session goes by.
    pub(super) fn caps(&self) -> Caps {
        caps_from_json(&self.0)
    }

    /// Publishes what the robot is.
    pub(super) fn publish(&self, source: &Source, now: Timestamp) {
        if self.0.is_null() {
            return;
        }
        let mut device = Update::now(source.robot(), now, device_from_json(&self.0).into());
        let payload = Bytes::from(self.0.to_string());
        device.native = Some(Native {
            dialect: crate::axbot::NAME,
            topic: INTRODUCTION.into(),
            payload,
            definition: None,
        });
        source.publish(device);
        if let Some(footprint) = footprint_from_json(&self.0) {
            source.publish(Update::now(source.robot(), now, footprint.into()));
        }
        publish_params(source, &self.1, now);
    }
}

/// Publishes what the robot's owner set, if the robot tells any of it.
pub(super) fn publish_params(source: &Source, params: &Json, now: Timestamp) {
    let present = limits_from_params(params);
    if present == SpeedLimits::NONE {
        return;
    }
    let limits = DriveLimits { present, default: SpeedLimits::NONE, greatest: SpeedLimits::NONE };
    let mut update = Update::now(source.robot(), now, limits.into());
    let payload = Bytes::from(params.to_string());
    update.native = Some(Native {
        dialect: crate::axbot::NAME,
        topic: format!("/{PARAMS}").into(),
        payload,
        definition: None,
    });
    source.publish(update);
}

fn refused_secret(reason: &str) -> SessionEnd {
    SessionEnd::retry(format!("the robot refuses the secret: {reason}; set axbot.connect.secret to its own"))
}

/// Opens the socket.
pub(super) async fn connect(
    base: &Address,
    secret: Option<&str>,
    trust: &Trust,
) -> Result<Socket, SessionEnd> {
    let url = base.ws("/ws/v2/topics");
    let mut request = url
        .as_str()
        .into_client_request()
        .map_err(|error| SessionEnd::stop(format!("{url} is no address: {error}")))?;
    base.authorize(&mut request);
    if let Some(secret) = secret {
        let secret =
            HeaderValue::from_str(secret).map_err(|_| SessionEnd::stop("the secret cannot be a header"))?;
        request.headers_mut().insert("secret", secret);
    }
    let config = connected(LARGEST_BYTES, MAX_FRAME_BYTES);
    let connecting = open(request, trust, config);
    match tokio::time::timeout(CONNECT_TIMEOUT, connecting).await {
        Ok(Ok(socket)) => Ok(socket),
        Ok(Err(Error::Http(answer))) => Err(match answer.status() {
            StatusCode::SERVICE_UNAVAILABLE => SessionEnd::retry("the robot boots"),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => refused_secret(answer.status().as_str()),
            status => SessionEnd::retry(format!("{url} answered with HTTP status {status}")),
        }),
        Ok(Err(error)) => {
            Err(SessionEnd::retry(format!("cannot connect to {url}: {}", trust.explain(&error))))
        }
        Err(_) => Err(SessionEnd::retry(format!("{url} did not answer in {} s", CONNECT_TIMEOUT.as_secs()))),
    }
}
