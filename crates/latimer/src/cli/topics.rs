//! `latimer topics`: what robots publish.

use std::io::Write;

use clap::Args;
use latimer_core::model::Kind;

use super::complete;
use super::measure::measure;
use super::post::check_robot;
use super::table::table;
use crate::client::{Gateway, GatewayArgs};
use crate::exit::Ended;
use latimer_wire::v1::Robot;

/// `latimer topics`.
#[derive(Debug, Args)]
pub struct TopicsArgs {
    /// Only those of one robot
    #[arg(add = complete::robots())]
    robot: Option<String>,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn topics(args: &TopicsArgs) -> Ended {
    let gateway = Gateway::new(&args.gateway)?;
    let select = match &args.robot {
        Some(robot) => {
            check_robot(robot)?;
            // An unknown name is an error that says which there are.
            let Robot { robot, .. } = gateway.get(&format!("/api/v1/robots/{robot}")).await?;
            format!("{robot}/**")
        }
        None => "**".to_owned(),
    };
    let keys = measure(&gateway, &select).await?;
    let rows = keys.iter().map(|(key, measured)| {
        let summary = Kind::from_word(&measured.last.kind).map_or("", |kind| kind.shape().summary);
        let class = match &measured.last.provenance {
            Some(_) => format!("{}, derived", measured.last.class),
            None => measured.last.class.clone(),
        };
        vec![key.clone(), class, measured.rate(), summary.to_owned()]
    });
    Ok(writeln!(std::io::stdout(), "{}", table(&["key", "class", "rate", "what it is"], rows))?)
}
