//! The requests beside the topics: each address and method has one function.
//!
//! | file | holds |
//! |---|---|
//! | `sync_task` | the task that updates what requests keep between them, which is in `state` |
//! | `boot`, `call`, `reply`, `dispatch` | what all requests have in common |
//! | `device`, `abilities`, `chassis` | what the robot is, can do, and where it is |
//! | `moves` | drives |
//! | `maps`, `current_map`, `atlas`, `wait_for` | maps |
//! | `mappings` | the making of maps |
//! | `params` | what its owner sets |
//! | `network`, `hostnames`, `usb`, `chrony`, `files`, `app_store` | what surrounds its software; `holdings` keeps it |
//! | `thumbnail` | a picture of the robot and what surrounds it |
//! | `services`, `statics` | what can be done at once, and pictures |

mod abilities;
mod app_store;
mod atlas;
mod boot;
mod call;
mod chassis;
mod chrony;
mod current_map;
mod device;
mod dispatch;
mod files;
mod holdings;
mod hostnames;
mod mappings;
mod maps;
mod moves;
mod network;
mod params;
mod reply;
mod services;
mod statics;
mod strict;
mod sync_task;
mod thumbnail;
mod usb;
mod wait_for;

use std::sync::Arc;

use axum::extract::Request;
use axum::http::Method;
use axum::response::Response;
use latimer_core::hub::Origin;
use serde_json::Value;

use call::{Call, Which};
use reply::Reply;
pub(super) use sync_task::sync;

use super::robot::FacadeRobot;
use crate::axbot::rest::fields::Fields;
use crate::axbot::rest::place::{PLACES, Resource, Settings};
use crate::axbot::rest::problem::Problem;
use crate::axbot::{NAME, needs};
use crate::pace::Stops;

/// What the services that press the emergency stop begin with.
const EMERGENCY_STOP: &str = "wheel_control/set_emergency_stop";

/// Answers one request; `path` has no slash in front.
pub(super) async fn handle(robot: Arc<FacadeRobot>, path: &str, request: Request) -> Response {
    if request.method() == Method::OPTIONS {
        return reply::preflight();
    }
    let head = request.method() == Method::HEAD;
    match answer(&robot, path, request).await {
        Ok(reply) => reply.into_response(head),
        Err(problem) => reply::refusal(&problem, head),
    }
}

/// What the robot is, as `GET /device/info` tells it.
pub(super) fn device_info(robot: &FacadeRobot) -> Value {
    device::info(robot)
}

/// Whether it is a chassis of its own, to which this gateway is connected.
pub(super) fn is_connected_chassis(robot: &FacadeRobot) -> bool {
    let report = robot.hub.robot(&robot.robot);
    report.is_some_and(|report| {
        report.info.family == NAME && matches!(report.info.origin, Origin::Connected(_))
    })
}

/// Whether a request there may stop the robot, which everybody may who sees it; what else it asks for is the hub's to refuse.
pub(super) fn may_stop(path: &str) -> bool {
    match Resource::of(path) {
        Some(Resource::ChassisStatus | Resource::CurrentMove | Resource::Move(_)) => true,
        Some(Resource::Service(name)) => name.starts_with(EMERGENCY_STOP),
        _ => false,
    }
}

/// Whether a request for a path stops the robot, or ends what it drives for.
pub(in crate::axbot) fn stops(method: &Method, path: &str) -> Stops {
    match (Resource::of(path), method.as_str()) {
        (Some(Resource::Service(name)), "POST") if name.starts_with(EMERGENCY_STOP) => {
            Stops::ByBody(|body| is_set(body, "enable"))
        }
        (Some(Resource::ChassisStatus), "PATCH") => {
            Stops::ByBody(|body| is_set(body, "emergency_stop_pressed"))
        }
        (Some(Resource::CurrentMove | Resource::Move(_)), "PATCH") => Stops::ByBody(|body| {
            let state = Fields::read(body).ok().and_then(|fields| fields.text("state").ok().flatten());
            state.as_deref() == Some("cancelled")
        }),
        _ => Stops::No,
    }
}

fn is_set(body: &[u8], field: &'static str) -> bool {
    Fields::read(body).is_ok_and(|fields| matches!(fields.boolean(field), Ok(Some(true))))
}

async fn answer(robot: &FacadeRobot, path: &str, request: Request) -> Result<Reply, Problem> {
    if !super::guard::may(&robot.settings, request.headers()) {
        return Err(Problem::Secret);
    }
    let place = Resource::of(path);
    if place != Some(Resource::BootProgress) {
        boot::is_ready(robot)?;
    }
    let shown = || path.chars().take(120).collect::<String>();
    // A message without its body is requested like one with it.
    let method = match request.method().as_str() {
        "HEAD" => "GET".to_owned(),
        other => other.to_owned(),
    };
    if let Some((.., needs)) = needs::of_call(&method, path) {
        return Err(holdings::lacking(robot, &format!("{method} /{}", shown()), needs));
    }
    let place = place
        .ok_or_else(|| Problem::NotFound(format!("there is nothing at /{}; there are: {PLACES}", shown())))?;
    if !place.methods().contains(&method.as_str()) {
        return Err(Problem::Method { method, allowed: place.methods().join(", ") });
    }
    let call = Call::read(request, &place, robot.hub.memory()).await?;
    // Boxed because few of them are large.
    Box::pin(carry_out(robot, place, &method, &call)).await
}

async fn carry_out(
    robot: &FacadeRobot,
    place: Resource,
    method: &str,
    call: &Call,
) -> Result<Reply, Problem> {
    match (place, method) {
        (Resource::DeviceInfo, _) => Ok(Reply::ok(&device_info(robot))),
        (Resource::DeviceBrief, _) => Ok(Reply::ok(&device::brief(robot))),
        (Resource::DeviceStatus, _) => Ok(Reply::ok(&device::status(robot))),
        (Resource::BootProgress, _) => Ok(boot::progress(robot)),
        (Resource::Sensors, _) => Ok(device::sensors(robot)),
        (Resource::WifiInfo, _) => network::info(robot),
        (Resource::Wifis, _) => network::available(robot),
        (Resource::WifiPage, _) => network::page(robot),
        (Resource::UsbDevices, _) => usb::list(robot),
        (Resource::SavedUsbDevices, "PUT") => usb::save(robot, call),
        (Resource::SavedUsbDevices, "DELETE") => usb::forget(robot),
        (Resource::SavedUsbDevices, _) => usb::saved(robot),
        (Resource::ChronyConfig, _) => chrony::config(robot),
        (Resource::Chrony(which), "PUT") => chrony::set(robot, which, call),
        (Resource::Chrony(which), "DELETE") => chrony::restore(robot, which),
        (Resource::Chrony(which), _) => chrony::get(robot, which),
        (Resource::Hostnames, _) => hostnames::list(robot, &call.base),
        (Resource::Hostname(name), "PATCH") => hostnames::set(robot, &name, call),
        (Resource::Hostname(name), "DELETE") => hostnames::delete(robot, &name),
        (Resource::Hostname(name), _) => hostnames::get(robot, &name),
        (Resource::Folder(folder), "DELETE") => files::clear(robot, folder),
        (Resource::Folder(folder), _) => files::list(robot, folder),
        (Resource::FolderFile(folder, name), _) => Err(files::missing(robot, folder, &name)),
        (Resource::Packages | Resource::PackageTasks, _) => app_store::none(robot),
        (Resource::GetPackages, _) => app_store::get(robot, call),
        (Resource::PackageTaskLog(id), _) => Err(app_store::missing(robot, id)),
        (Resource::ChassisStatus, "PATCH") => chassis::change(robot, call).await,
        (Resource::ChassisStatus, _) => chassis::status(robot),
        (Resource::Pose, "POST") => chassis::set_pose(robot, call).await,
        (Resource::Pose, _) => chassis::pose(robot),
        (Resource::CurrentMap, "POST") => current_map::set(robot, call).await,
        (Resource::CurrentMap, "DELETE") => current_map::clear(robot, &call.author).await,
        (Resource::CurrentMap, _) => current_map::get(robot),
        (Resource::Moves, "POST") => moves::create(robot, call).await,
        (Resource::Moves, _) => Ok(moves::list(robot)),
        (Resource::CurrentMove, "PATCH") => moves::change(robot, Which::Current, call).await,
        (Resource::CurrentMove, _) => moves::get(robot, Which::Current),
        (Resource::Move(id), "PATCH") => moves::change(robot, Which::Id(id), call).await,
        (Resource::Move(id), _) => moves::get(robot, Which::Id(id)),
        (Resource::Maps, "POST") => maps::create(robot, call).await,
        (Resource::Maps, "DELETE") => Ok(maps::clear(robot)),
        (Resource::Maps, _) => Ok(maps::list(robot, call)),
        (Resource::Map(id), "PATCH") => maps::change(robot, id, call).await,
        (Resource::Map(id), "PUT") => maps::replace(robot, id, call).await,
        (Resource::Map(id), "DELETE") => maps::delete(robot, id),
        (Resource::Map(id), _) => maps::get(robot, id, call).await,
        (Resource::MapFile(id, file), _) => maps::file(robot, id, file, call).await,
        (Resource::Mappings, "POST") => mappings::create(robot, call).await,
        (Resource::Mappings, "DELETE") => Ok(mappings::clear(robot)),
        (Resource::Mappings, _) => Ok(mappings::list(robot, call)),
        (Resource::CurrentMapping, "PATCH") => mappings::change(robot, Which::Current, call).await,
        (Resource::CurrentMapping, _) => mappings::get(robot, Which::Current, &call.base),
        (Resource::Mapping(id), "PATCH") => mappings::change(robot, Which::Id(id), call).await,
        (Resource::Mapping(id), "DELETE") => mappings::delete(robot, id),
        (Resource::Mapping(id), _) => mappings::get(robot, Which::Id(id), &call.base),
        (Resource::MappingFile(id, file), _) => mappings::file(robot, id, file, call).await,
        (Resource::Params, "GET") => Ok(params::get(robot)),
        (Resource::Params, _) => params::set(robot, call).await,
        (Resource::DefaultParams, _) => Ok(params::default(robot)),
        (Resource::Settings(Settings::User), "POST") => params::set_user(robot, call, true).await,
        (Resource::Settings(Settings::User), "PATCH") => params::set_user(robot, call, false).await,
        (Resource::Settings(which), _) => Ok(params::settings(robot, which)),
        (Resource::Service(name), "GET") => services::get(robot, &name).await,
        (Resource::Service(name), _) => services::call(robot, &name, call).await,
        (Resource::Static(name), _) => statics::get(robot, &name, call),
    }
}

#[cfg(test)]
mod tests;
