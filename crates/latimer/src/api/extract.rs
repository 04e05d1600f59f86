//! Parts of a request that are the same for many handlers; what is wrong with them is a problem like any other.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use super::Rejection;
use super::params::Params;

/// The robot that an address names, as it was written.
pub(super) struct RobotName(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for RobotName {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Rejection> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(robot)) => Ok(Self(robot)),
            Err(error) => Err(Rejection::bad(error.body_text())
                .at("robot")
                .advice("write the name of a robot; /api/v1/robots lists them")),
        }
    }
}

/// An address that takes no parameters, so that a mistyped one is no silence.
pub(super) struct NoParameters;

impl<S: Send + Sync> FromRequestParts<S> for NoParameters {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Rejection> {
        Params::of(&parts.uri)?.finish()?;
        Ok(Self)
    }
}
