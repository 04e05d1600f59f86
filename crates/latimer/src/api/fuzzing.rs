//! Requests without a port: what they ask for, or why they are refused.

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Uri, header};
use latimer_core::Command as ModelCommand;
use latimer_core::hub::Subscription;
use latimer_simulator_api::{
    Happening as ModelHappening, Scenario as ModelScenario, Stimulus as ModelStimulus,
};

use super::commands::wrong_field;
use super::stream::StreamRequest;
use super::world_view::scenario_from_body;
use super::{Rejection, body};
use latimer_wire::v1::{Command, Happening, Scenario, Stimulus};

/// What a stream is asked for.
pub fn subscription(uri: &Uri) -> Result<Subscription, Rejection> {
    Ok(StreamRequest::of(uri)?.subscription)
}

/// A command.
pub async fn command(bytes: Bytes) -> Result<ModelCommand, Rejection> {
    body::json::<Command>(request(bytes)).await?.try_into().map_err(|error| wrong_field(&error))
}

/// What happens to a simulated robot.
pub async fn stimulus(bytes: Bytes) -> Result<ModelStimulus, Rejection> {
    body::json::<Stimulus>(request(bytes)).await?.try_into().map_err(|error| wrong_field(&error))
}

/// What happens in the simulated world.
pub async fn happening(bytes: Bytes) -> Result<ModelHappening, Rejection> {
    body::json::<Happening>(request(bytes)).await?.try_into().map_err(|error| wrong_field(&error))
}

/// A scenario.
pub async fn scenario(bytes: Bytes) -> Result<ModelScenario, Rejection> {
    scenario_from_body(body::json::<Scenario>(request(bytes)).await?)
}

fn request(bytes: Bytes) -> Request {
    let mut request = Request::new(Body::from(bytes));
    request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    request
}
