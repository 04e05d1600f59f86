//! The web page, embedded in the program; a plain list of links where it was not built.
//!
//! `ui/` holds its source, `make page` builds it. The gateway is the same without it.

mod plain;

use axum::Router;
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::{Embed, EmbeddedFile};

use crate::api::{Api, ApiState, unknown_address};

/// What `make page` built.
#[derive(Embed)]
#[folder = "../../ui/dist/page"]
#[allow_missing = true]
struct Files;

/// The first page.
const INDEX: &str = "index.html";

/// The addresses of its views, which `ui/src/app/routes.ts` has, too: each is the first page, which shows the view.
const VIEWS: [&str; 8] = [
    "/map",
    "/fleet",
    "/interpreter",
    "/interpreter/{*key}",
    "/tasks",
    "/log",
    "/connections",
    "/robot/{robot}",
];

/// The documentation of the API, to browse.
const DOCS: &str = "docs.html";

/// Names of files in here contain a digest of their content.
const DIGESTED: &str = "assets/";

/// Everything of the page comes from this gateway, styles included: code sets them as properties, which the policy does not concern.
/// Swagger UI has pictures in its styles, cameras have theirs in memory, and forms are sent by code alone.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; object-src 'none'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What keeps browsers from making more of an answer than it is, and from telling other origins which view somebody has open.
const PROTECTION: [(HeaderName, &str); 3] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
];

/// Whether the page was built before the program was.
pub fn is_built() -> bool {
    Files::get(INDEX).is_some()
}

/// The page's addresses.
pub fn router() -> Router<ApiState> {
    let views = VIEWS.iter().fold(Router::new(), |router, view| router.route(view, get(index)));
    views
        .route("/", get(index))
        .route("/docs/api", get(docs))
        .route("/favicon.svg", get(file))
        .route("/assets/{*path}", get(file))
}

async fn index(Api { state, .. }: Api, headers: HeaderMap) -> Response {
    match Files::get(INDEX) {
        Some(file) => answer(INDEX, &file, &headers),
        None => (PROTECTION, plain::page(&state)).into_response(),
    }
}

async fn docs(headers: HeaderMap) -> Response {
    match Files::get(DOCS) {
        Some(file) => answer(DOCS, &file, &headers),
        None => axum::response::Redirect::temporary("/api/v1/openapi.json").into_response(),
    }
}

async fn file(uri: Uri, original: axum::extract::OriginalUri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    match Files::get(path) {
        Some(file) => answer(path, &file, &headers),
        None => unknown_address(original).await.into_response(),
    }
}

/// A file; nothing of it if the browser has it already.
fn answer(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let digest: String = file.metadata.sha256_hash()[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{digest}\"");
    let keep = if path.starts_with(DIGESTED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let about = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, keep.to_owned()),
        (header::CONTENT_TYPE, content_type(path).to_owned()),
    ];
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    if known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag)) {
        return (StatusCode::NOT_MODIFIED, PROTECTION, about).into_response();
    }
    (PROTECTION, about, axum::body::Bytes::from(file.data.clone().into_owned())).into_response()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
