//! `latimer frames`: where frames are, and robots in any of them.

use std::io::Write;

use clap::Args;
use form_urlencoded::byte_serialize;

use super::complete;
use super::table::table;
use crate::api::Frames;
use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Exit, Failure};

/// `latimer frames`.
#[derive(Debug, Args)]
pub struct FramesArgs {
    /// Only this robot, with its base, its head and its sensors as they are now
    #[arg(add = complete::robots())]
    robot: Option<String>,
    /// The frame in which places of robots are printed: one of the site, or such as axbot-1/map
    #[arg(long = "in", value_name = "FRAME", default_value = latimer_core::frames::WORLD, add = complete::frames())]
    frame: String,
    /// Print JSON, as the API sends it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn frames(args: &FramesArgs) -> Ended {
    let escaped = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let robot = args.robot.as_deref().map(|robot| format!("&robot={}", escaped(robot))).unwrap_or_default();
    let path = format!("/api/v1/frames?in={}{robot}", escaped(&args.frame));
    let answer: Frames = Gateway::new(&args.gateway)?.get(&path).await?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let json = serde_json::to_string_pretty(&answer);
        let json = json.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?;
        return Ok(writeln!(out, "{json}")?);
    }
    let place = |x_m: f64, y_m: f64, yaw_rad: f64| {
        [format!("{x_m:.2} m"), format!("{y_m:.2} m"), format!("{:.1}°", yaw_rad.to_degrees())]
    };
    let frames = answer.frames.iter().map(|it| {
        let parent = it.parent.clone().unwrap_or_else(|| "-".to_owned());
        [vec![it.name.clone(), parent], place(it.x_m, it.y_m, it.yaw_rad).to_vec()].concat()
    });
    writeln!(out, "{}", table(&["frame", "in", "x", "y", "yaw"], frames))?;
    if answer.robots.is_empty() {
        return Ok(());
    }
    let robots = answer.robots.iter().map(|it| {
        let place = it.pose.as_ref().map(|it| place(it.x_m, it.y_m, it.yaw_rad).to_vec());
        let absent = vec![it.absent.clone().unwrap_or_default()];
        [vec![it.robot.clone()], place.unwrap_or(absent)].concat()
    });
    Ok(writeln!(out, "\n{}", table(&["robot", &format!("x in {}", args.frame), "y", "yaw"], robots))?)
}
