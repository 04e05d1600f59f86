//! `latimer stands`: a person's word that a robot stands.

use clap::Args;
use latimer_core::limits::COMMAND_TIMEOUT;

use super::complete;
use super::post::post_to_robot;
use crate::client::GatewayArgs;
use crate::exit::Ended;

/// `latimer stands`.
#[derive(Debug, Args)]
pub struct StandsArgs {
    /// Which robot
    #[arg(value_name = "ROBOT", add = complete::robots())]
    robot: String,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn stands(args: StandsArgs) -> Ended {
    post_to_robot(&args.gateway, &args.robot, "stands", &serde_json::json!({}), COMMAND_TIMEOUT).await
}
