//! Lines to copy that show one of the robot's sensors as an example robot shows it.

use super::NAME;
use super::messages::MESSAGES;
use crate::lines::{Line, LineRequest};

/// Lines for a kind; none if there is no topic of it, or if no port serves the robot.
pub(super) fn lines(request: &LineRequest<'_>) -> Vec<Line> {
    let message = MESSAGES.iter().find(|it| it.kinds.contains(&request.kind));
    let Some((message, socket)) = message.zip(request.endpoint(NAME)) else { return Vec::new() };
    Line::on_socket(&socket, |_| format!(r#"{{"follow":["{}"]}}"#, message.topic)).into()
}
