//! One request: where its sender reaches the robot, and what it holds.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use bytes::Bytes;

use latimer_core::Author;
use latimer_core::memory::{Budget, Reservation, Share};

use crate::axbot::NAME;
use crate::axbot::limits::{BODY_MAX_BYTES, MAP_MAX_BYTES};
use crate::axbot::rest::fields::Fields;
use crate::axbot::rest::multipart;
use crate::axbot::rest::place::Resource;
use crate::axbot::rest::problem::Problem;
use crate::body::{self, BodyError, BodyLimits};
use crate::entrance;
use crate::listen::OverTls;

/// How often a body is there: as it came, as fields, and as what they mean.
const COPIES: u64 = 3;

/// Where a client reaches the robot: `http://host:port`, by TLS if it came so, and what comes before the robot's own paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Base(String);

impl Base {
    /// As the request tells it.
    pub(super) fn of(request: &Request) -> Self {
        let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        let host = host.or_else(|| request.uri().authority().map(|authority| authority.as_str()));
        // On the common port each robot has a part of the addresses: `/robots/NAME/axbot/`.
        let mut segments = request.uri().path().split('/').skip(1);
        let prefix = match (segments.next(), segments.next(), segments.next()) {
            (Some("robots"), Some(robot), Some("axbot")) => format!("/robots/{robot}/axbot"),
            _ => String::new(),
        };
        let scheme = if request.extensions().get::<OverTls>().is_some() { "https" } else { "http" };
        Self(host.map_or_else(|| prefix.clone(), |host| format!("{scheme}://{host}{prefix}")))
    }

    /// The address of something.
    pub(super) fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.0)
    }
}

/// Which drive or making of a map is meant.
#[derive(Clone, Copy, Debug)]
pub(super) enum Which {
    /// The one that goes on.
    Current,
    /// One by its number.
    Id(i64),
}

/// A request whose body was read.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) author: Author,
    pub(super) base: Base,
    pub(super) headers: HeaderMap,
    pub(super) query: String,
    pub(super) fields: Arc<Fields>,
    /// Memory of the body, until the request is answered.
    _room: Reservation,
}

impl Call {
    /// Reads the body, if the method has one.
    pub(super) async fn read(request: Request, place: &Resource, memory: &Budget) -> Result<Self, Problem> {
        let base = Base::of(&request);
        let author = entrance::author(NAME, request.extensions());
        let has_body = ["POST", "PATCH", "PUT"].contains(&request.method().as_str());
        let query = request.uri().query().unwrap_or_default().to_owned();
        let (parts, body) = request.into_parts();
        let boundary = multipart::boundary(&parts.headers).filter(|_| place.takes_maps());
        let (body, room) = match has_body {
            true => read_body(body, place, memory, &author).await?,
            false => (Bytes::new(), memory.hold(Share::Bodies)),
        };
        let fields = match boundary {
            _ if !has_body => Fields::default(),
            None if place.takes_lists() => Fields::read_list(&body)?,
            None if body.len() > BODY_MAX_BYTES => {
                memory.decode(Share::Maps, &author, move || Fields::read(&body)).await??
            }
            None => Fields::read(&body)?,
            Some(boundary) => multipart::read(body, boundary).await?,
        };
        Ok(Self { author, base, headers: parts.headers, query, fields: Arc::new(fields), _room: room })
    }

    /// A value of the query, as it is written there.
    pub(super) fn asked(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

async fn read_body(
    body: Body,
    place: &Resource,
    memory: &Budget,
    author: &Author,
) -> Result<(Bytes, Reservation), Problem> {
    let most = if place.takes_maps() { MAP_MAX_BYTES } else { BODY_MAX_BYTES };
    let limits = BodyLimits { most, copies: COPIES };
    body::read(body, limits, memory, author).await.map_err(|error| match error {
        BodyError::Long(most) => Problem::Long(most),
        BodyError::Slow => Problem::Slow,
        BodyError::Memory(exceeded) => exceeded.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(uri: &str) -> Base {
        Base::of(&Request::builder().uri(uri).header("host", "h:1").body(Body::empty()).unwrap())
    }

    #[test]
    fn addresses_begin_where_the_client_found_the_robot() {
        assert_eq!(base("/maps/").url("maps/1.png"), "http://h:1/maps/1.png");
        assert_eq!(base("/robots/ax/axbot/maps/").url("maps/1"), "http://h:1/robots/ax/axbot/maps/1");
        let over_tls = Request::builder().uri("/maps/").header("host", "h:1").extension(OverTls);
        assert_eq!(
            Base::of(&over_tls.body(Body::empty()).unwrap()).url("maps/1.png"),
            "https://h:1/maps/1.png"
        );
    }
}
