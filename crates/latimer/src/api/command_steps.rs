//! Commands at each station of their way, as they come.

use axum::http::Uri;
use axum::response::Response;
use latimer_core::RobotId;
use latimer_core::hub::{CommandSteps, Followed};

use super::answers::WrongParameter;
use super::client::Api;
use super::params::Params;
use super::stream::{Asker, Feed, Piece, answer};
use super::{Rejection, lists};
use latimer_wire::v1::{CommandFrame, End, Problem};

#[utoipa::path(
    get,
    path = "/commands/stream",
    operation_id = "commands_stream",
    tag = "robots",
    summary = "Commands as they are given, and what becomes of each at every station",
    description = "A WebSocket if the request asks for one, with a frame a text message; else Server-Sent Events, whose \
        `event` is the frame's `type` and whose `data` is the frame. What was given before is at `/commands`.",
    params(("robot" = Option<String>, Query, description = "Only those to one robot", example = "misty-1")),
    responses(
        (status = 101, description = "A WebSocket, whose text messages are frames"),
        (status = 200, description = "Events, whose data are frames", body = CommandFrame, content_type = "text/event-stream"),
        (status = 404, description = "There is no such robot", body = Problem, content_type = "application/problem+json"),
        (status = 426, description = "The WebSocket was asked for in a wrong way", body = Problem, content_type = "application/problem+json"),
        WrongParameter,
    )
)]
pub(super) async fn stream(api: Api, uri: Uri, asker: Asker) -> Result<Response, Rejection> {
    let state = api.state;
    let mut params = Params::of(&uri)?;
    let robot = params.one("robot")?;
    params.finish()?;
    let robot =
        robot.map(|name| Ok::<_, Rejection>(lists::known_robot(&state, &name)?.info.robot)).transpose()?;
    let hub = state.hub.clone();
    answer(state, asker, move || Steps { steps: hub.command_steps(), robot })
}

/// The steps of one robot's commands, or of all.
struct Steps {
    steps: CommandSteps,
    robot: Option<RobotId>,
}

impl Feed for Steps {
    async fn next(&mut self) -> (Vec<Piece>, Option<End>) {
        let (name, frame) = loop {
            match self.steps.next().await {
                Followed::Step(step) if self.robot.as_ref().is_none_or(|it| *it == step.robot) => {
                    break ("step", CommandFrame::Step(Box::new((&step).into())));
                }
                Followed::Step(_) => {}
                Followed::Missed(steps) => break ("missed", CommandFrame::Missed { steps }),
            }
        };
        (vec![Piece { name, text: frame.to_json().into() }], None)
    }
}
