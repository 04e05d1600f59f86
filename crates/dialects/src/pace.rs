//! How much one client may ask for: requests of its address each second, and commands of it that are on their way to robots.
//!
//! ```text
//! request ──mark──▶ does it stop a robot? ──pace──▶ a bucket of stops, or that of all else ──▶ authentication, handler
//! command ──Allowance::take──▶ the room for stops to that robot, or for all else ──▶ hub
//! ```
//!
//! What stops a robot is counted apart, so that a flood of anything else never keeps it from getting through; a flood of stops
//! is bounded, too.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use futures_util::stream;
use latimer_core::{Clock, Command, RateLimit, RobotId};

use crate::DIALECTS;
use crate::limits::{MAX_PENDING_STOPS, STOP_BODY_MAX_BYTES, STOP_BODY_TIMEOUT};

/// Whether an HTTP request ends motion of a robot.
#[derive(Clone, Copy, Debug)]
pub enum Stops {
    /// It does not.
    No,
    /// It does.
    Yes,
    /// Its body says whether it does.
    ByBody(fn(&[u8]) -> bool),
}

/// Whether a request with a method for a path ends motion of a robot.
pub type StopsOf = fn(&Method, &str) -> Stops;

/// In the extensions of a request that ends motion of a robot.
#[derive(Clone, Copy, Debug)]
pub struct ToStop;

/// Requests of each address.
#[derive(Debug)]
pub(crate) struct Requests {
    stops: RateLimit<IpAddr>,
    others: RateLimit<IpAddr>,
}

impl Requests {
    /// So many a second of one address, and as many that stop robots; 0 is no limit.
    pub(crate) fn new(clock: Clock, per_s: u32) -> Self {
        let limit = || RateLimit::new(clock, per_s, "limits.requests_per_s");
        Self { stops: limit(), others: limit() }
    }

    /// Another bound from now on.
    pub(crate) fn set_rate(&self, per_s: u32) {
        self.stops.set_rate(per_s);
        self.others.set_rate(per_s);
    }

    /// How many waited.
    pub(crate) fn slowed(&self) -> u64 {
        self.stops.slowed() + self.others.slowed()
    }
}

/// Finds out whether a request stops a robot, in the words of any dialect or in those that the port has beside them.
pub(crate) async fn mark(
    State(beside): State<Option<StopsOf>>,
    mut request: Request,
    next: Next,
) -> Response {
    let stops = match asked(request.method(), request.uri().path(), beside) {
        Stops::No => false,
        Stops::Yes => true,
        Stops::ByBody(says) => {
            let (told, body) = told(std::mem::take(request.body_mut())).await;
            *request.body_mut() = body;
            told.is_some_and(|told| says(&told))
        }
    };
    if stops {
        request.extensions_mut().insert(ToStop);
    }
    next.run(request).await
}

/// Lets requests of an address that sends too many wait.
pub(crate) async fn pace(State(requests): State<Arc<Requests>>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    let of_its_sort = match request.extensions().get::<ToStop>() {
        Some(ToStop) => &requests.stops,
        None => &requests.others,
    };
    if let Some(wait) = peer.and_then(|peer| of_its_sort.wait(&peer)) {
        tokio::time::sleep(wait).await;
    }
    next.run(request).await
}

fn asked(method: &Method, path: &str, beside: Option<StopsOf>) -> Stops {
    if method.is_safe() {
        return Stops::No;
    }
    let of_dialects = DIALECTS.iter().map(|entry| (entry.stops)(method, below(path, entry.name)));
    let mut all = beside.map(|of| of(method, path)).into_iter().chain(of_dialects);
    all.find(|it| !matches!(it, Stops::No)).unwrap_or(Stops::No)
}

/// A path below a robot's address in a dialect on the common port, `/robots/NAME/DIALECT`; the whole path anywhere else.
fn below<'a>(path: &'a str, dialect: &str) -> &'a str {
    let of_robot = path.strip_prefix("/robots/").and_then(|rest| rest.split_once('/'));
    let below = of_robot.and_then(|(_, rest)| rest.strip_prefix(dialect));
    below.filter(|below| below.starts_with('/')).unwrap_or(path)
}

/// A short body that came in time, and the body to be read as if nobody had.
async fn told(body: Body) -> (Option<Bytes>, Body) {
    let mut chunks = body.into_data_stream();
    let mut read = BytesMut::new();
    let reading = async {
        while read.len() <= STOP_BODY_MAX_BYTES {
            match chunks.next().await {
                Some(Ok(chunk)) => read.extend_from_slice(&chunk),
                Some(Err(error)) => return Some(Err(error)),
                None => return Some(Ok(())),
            }
        }
        None
    };
    let end = tokio::time::timeout(STOP_BODY_TIMEOUT, reading).await.ok().flatten();
    let read = read.freeze();
    match end {
        Some(Ok(())) => (Some(read.clone()), Body::from(read)),
        Some(Err(error)) => (None, Body::from_stream(stream::iter([Ok(read), Err(error)]))),
        None => (None, Body::from_stream(stream::iter([Ok(read)]).chain(chunks))),
    }
}

/// How many commands of one client may be on their way to robots.
///
/// While as many stops to a robot are on their way as may be, nothing of the client goes to that robot: nothing is taken after
/// a stop that a stop that is refused would have had to end.
#[derive(Debug)]
pub struct Allowance {
    most: usize,
    most_of_each: usize,
    under_way: Arc<Mutex<UnderWay>>,
}

/// What is on its way.
#[derive(Debug, Default)]
struct UnderWay {
    /// To all robots, apart from stops.
    others: usize,
    of_each: HashMap<RobotId, OfRobot>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct OfRobot {
    stops: usize,
    others: usize,
}

/// The room of a command, until it is dropped.
#[derive(Debug)]
#[must_use]
pub struct Taken {
    under_way: Arc<Mutex<UnderWay>>,
    robot: RobotId,
    is_stop: bool,
}

impl Allowance {
    /// At most so many to all robots, and so many to each; [`MAX_PENDING_STOPS`] to each beside them.
    pub fn new(most: usize, most_of_each: usize) -> Self {
        Self { most, most_of_each, under_way: Arc::default() }
    }

    /// The room of one more command; `None` if there is none.
    pub fn take(&self, robot: &RobotId, command: &Command) -> Option<Taken> {
        let is_stop = command.is_stop();
        let mut under_way = lock(&self.under_way);
        let of_robot = under_way.of_each.get(robot).copied().unwrap_or_default();
        let has_room = under_way.others < self.most && of_robot.others < self.most_of_each;
        if of_robot.stops >= MAX_PENDING_STOPS || !(is_stop || has_room) {
            return None;
        }
        let of_robot = under_way.of_each.entry(robot.clone()).or_default();
        *if is_stop { &mut of_robot.stops } else { &mut of_robot.others } += 1;
        under_way.others += usize::from(!is_stop);
        Some(Taken { under_way: self.under_way.clone(), robot: robot.clone(), is_stop })
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut under_way = lock(&self.under_way);
        under_way.others -= usize::from(!self.is_stop);
        let Some(of_robot) = under_way.of_each.get_mut(&self.robot) else { return };
        *if self.is_stop { &mut of_robot.stops } else { &mut of_robot.others } -= 1;
        if *of_robot == OfRobot::default() {
            under_way.of_each.remove(&self.robot);
        }
    }
}

fn lock(under_way: &Mutex<UnderWay>) -> MutexGuard<'_, UnderWay> {
    under_way.lock().unwrap_or_else(PoisonError::into_inner)
}
