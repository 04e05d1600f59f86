//! Lines to copy that show one of the robot's sensors as a bridge shows it.

use super::NAME;
use super::topics;
use crate::lines::{Line, LineRequest};

/// Lines for a kind and part; none if ROS has no common message for it.
pub(super) fn lines(request: &LineRequest<'_>, prefix: &str) -> Vec<Line> {
    let path = topics::of_kind(request.kind).find_map(|topic| topic.path_of(request.part));
    let Some(path) = path else { return Vec::new() };
    // On its own port a robot's topics have root names.
    let own = request.endpoint(NAME).map(|socket| (socket, "/"));
    let (socket, prefix) = own.unwrap_or_else(|| (request.http.ws("/rosbridge"), prefix));
    Line::on_socket(&socket, |_| format!(r#"{{"op":"subscribe","topic":"{prefix}{path}"}}"#)).into()
}
