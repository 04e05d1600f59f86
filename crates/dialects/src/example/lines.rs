//! Lines to copy that show one of the robot's sensors as an example robot shows it.

use super::NAME;
use super::messages::MESSAGES;
use crate::lines::LISTEN_S;
use crate::lines::{Line, LineRequest};

/// Lines for a kind; none if there is no topic of it, or if no port serves the robot.
pub(super) fn lines(request: &LineRequest<'_>) -> Vec<Line> {
    let message = MESSAGES.iter().find(|it| it.kinds.contains(&request.kind));
    let Some((message, socket)) = message.zip(request.endpoint(NAME)) else { return Vec::new() };
    let ask = format!(r#"{{"follow":["{}"]}}"#, message.topic);
    vec![
        Line::new("wscat", format!("wscat -c {socket} -w {LISTEN_S} -x '{ask}'")),
        Line::python(&socket, &ask),
        Line::javascript(&socket, &ask),
    ]
}
