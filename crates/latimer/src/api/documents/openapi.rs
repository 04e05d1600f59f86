//! The API's description as OpenAPI 3.1, collected from its handlers.

use std::sync::LazyLock;

use axum::http::StatusCode;
use utoipa::OpenApi as _;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{Info, InfoBuilder, LicenseBuilder, OpenApi, Server};

use super::super::{BASE, answers, root_routes, routes};
use super::extended;
use latimer_wire::v1::{BytesForm, Frame, Probe, Problem, add_schemas};

/// The beginning of the description.
pub(super) const ABOUT: &str = include_str!("about.md");

/// The description, made once.
static DOCUMENT: LazyLock<OpenApi> = LazyLock::new(document);

/// What no handler names by itself.
#[derive(utoipa::OpenApi)]
#[openapi(
    components(schemas(BytesForm, Frame, Probe, Problem)),
    tags(
        (name = "gateway", description = "The gateway itself: whether it is well, where everything is, who looks"),
        (name = "robots", description = "Who is there, and what they can be asked"),
        (name = "updates", description = "What robots publish: the last values, and everything as it comes"),
        (name = "journal", description = "What happened lately: tasks, alerts, events"),
        (name = "vocabulary", description = "The kinds, and the messages of each dialect"),
        (name = "world", description = "The simulated world: what happens in it, and how fast"),
    )
)]
struct Common;

/// The API's description.
pub fn openapi() -> &'static OpenApi {
    &DOCUMENT
}

fn document() -> OpenApi {
    let mut document = Common::openapi().nest(BASE, routes().into_openapi());
    document.merge(root_routes().into_openapi());
    document.info = info();
    document.servers = Some(vec![Server::new("/")]);
    // There is no authentication; the port is on this machine unless the config says otherwise.
    document.security = Some(Vec::new());
    if let Some(components) = &mut document.components {
        add_schemas(components);
        extended::open(components);
    }
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        let strangers = answers::problem("A page of a stranger may not use this gateway");
        let forbidden = StatusCode::FORBIDDEN.as_str().to_owned();
        operation.responses.responses.insert(forbidden, strangers.into());
    }
    document
}

fn info() -> Info {
    let license = LicenseBuilder::new()
        .name(env!("CARGO_PKG_LICENSE"))
        .identifier(Some(env!("CARGO_PKG_LICENSE")))
        .build();
    InfoBuilder::new()
        .title("Latimer")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(ABOUT))
        .license(Some(license))
        .build()
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    item.get.iter_mut().chain(&mut item.post)
}
