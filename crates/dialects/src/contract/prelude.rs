//! What each `impl Dialect` names.

pub(crate) use futures_util::future::BoxFuture;
pub(crate) use latimer_core::hub::{Origin, Shared};
pub(crate) use latimer_core::model::{CallDescription, Kind, Native};
pub(crate) use latimer_core::service::{BuildError, Service};
pub(crate) use latimer_core::{Hub, RobotId};
pub(crate) use tokio_util::sync::CancellationToken;
pub(crate) use tokio_util::task::TaskTracker;

pub(crate) use super::{
    Answers, BuildContext, Built, Clients, Dialect, Endpoint, Entry, Envelope, OwnPorts, Profile, Status,
    Stream, Translated, Translator, Transport,
};
pub(crate) use crate::channels::Channels;
pub(crate) use crate::config::{Serve, address_of};
pub(crate) use crate::inspect::Inspection;
pub(crate) use crate::lines::{Line, LineRequest};
pub(crate) use crate::pace::StopsOf;
pub(crate) use crate::running::{Connected, Running};
pub(crate) use crate::table::MessageInfo;
