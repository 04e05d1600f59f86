//! Which pages may call the common port: [`latimer_http_guard`], whose refusals are problem details here. Other sites may link to the
//! gateway's own page.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use latimer_http_guard::Refusal;

use super::client::reads_the_page;
use super::{ApiState, Rejection};

pub(super) async fn guard(State(state): State<ApiState>, request: Request, next: Next) -> Response {
    let (names, headers) = (&state.names, request.headers());
    let checked = if reads_the_page(&request) { names.check_page(headers) } else { names.check(headers) };
    match checked {
        Ok(allowed) => {
            let mut response = next.run(request).await;
            allowed.write(response.headers_mut());
            response
        }
        Err(refusal) => {
            if let Some(count) = state.names.count_refusal() {
                tracing::warn!(%refusal, count, "a request to the common port is refused");
            }
            let Refusal { header, problem, advice } = refusal;
            Rejection::new(StatusCode::FORBIDDEN, problem).at(header).advice(advice).into_response()
        }
    }
}
