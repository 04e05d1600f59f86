//! What there is, with links, for a program that was built without the page.

use std::fmt::Write;

use axum::response::Html;

use crate::api::ApiState;

pub(super) fn page(state: &ApiState) -> Html<String> {
    let mut page = String::from(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Latimer</title>\
         <h1>Latimer</h1>\
         <p>This program was built without its page: install Node 18.19 or later, then run <code>make demo</code>.\
         The gateway is the same without it.<ul>\
         <li><a href=/api/v1/robots>robots</a>\
         <li><a href=/api/v1/last>last values</a>\
         <li><a href=/api/v1/endpoints>where to reach what</a>\
         <li><a href=/api/v1/sinks>who looks</a>\
         <li><a href=/api/v1/health>health</a>\
         </ul><h2>Robots</h2><ul>",
    );
    for report in state.hub.robots() {
        // A robot's id has letters, digits, `_`, `-` and `.` only, so it needs no escaping.
        let robot = &report.info.robot;
        let _ = write!(
            page,
            "<li><a href=/api/v1/robots/{robot}>{robot}</a>: <a href=/api/v1/last?select={robot}>last values</a>"
        );
    }
    page.push_str(
        "</ul><p>Stream: <code>GET /api/v1/stream?select=…</code> as WebSocket or Server-Sent Events.\n",
    );
    if state.simulator.is_some() {
        page.push_str(
            "<p>Simulated world: <code>POST /api/v1/world/poke</code> makes something happen, \
             <code>POST /api/v1/world/pace</code> sets how fast it goes.\n",
        );
    }
    Html(page)
}
