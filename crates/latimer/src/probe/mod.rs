//! A probe of a robot without a gateway: a session as `connect` has one, all of whose messages are held against their description.
//!
//! ```text
//! TCP ──▶ session, with demand for all ──▶ up ──messages as they came──▶ log of each topic ──▶ report
//!   nobody listens, or another protocol answers ──▶ failure that says so
//! ```
//!
//! The hub that the session publishes to lets no command through, so that the robot is not even stopped when the link breaks.

mod peer;
mod topic;

use std::collections::BTreeMap;
use std::time::Duration;

use latimer_core::hub::{Delivery, Hub, MailboxLimits, Selection, Shared, Subscription};
use latimer_core::model::signal::{Device, Link, LinkState};
use latimer_core::model::{ClockSource, Kind, Skew};
use latimer_core::service::{BuildError, Rules};
use latimer_core::{Clock, RobotId, Signal, Timestamp};
use latimer_dialects::{AnyDialect, BuildContext, Entry, inspect};
use latimer_listen::Trust;
use tokio_util::sync::CancellationToken;

use crate::exit::{Exit, Failure};
use crate::limits::{PROBE_ANSWER_TIMEOUT, PROBE_END_TIMEOUT};
use latimer_wire::v1::{Probe, ProbeClock, ProbeDevice, ProbeLink};
use latimer_wire::words::explained;
use topic::TopicLog;

/// What the robot is called here.
const ROBOT: &str = "robot";

/// Delays of messages that are remembered.
const MOST_DELAYS: usize = 100_000;

const SECOND_NS: i64 = 1_000_000_000;

/// Messages may wait in great number while a large one is inspected.
const LIMITS: MailboxLimits =
    MailboxLimits { events: 65_536, keys: 65_536, frames: 1024, disconnect_after: Duration::from_secs(60) };

/// Which robot is probed, and how.
pub struct Request<'a> {
    /// The dialect.
    pub entry: &'static Entry,
    /// The address, as in an entry of `connect`.
    pub address: &'a str,
    /// What the robot is called there, where several may be.
    pub called: Option<&'a str>,
    /// Other keys of the entry.
    pub keys: &'a [(String, String)],
    /// How long it is observed.
    pub observe: Duration,
    /// Whether described fields that never come are missing, though they may be left out.
    pub strict: bool,
    /// Which servers are trusted.
    pub trust: Trust,
}

/// Probes a robot until the time is over, or `interrupted`.
pub async fn probe(request: &Request<'_>, interrupted: impl Future<Output = ()>) -> Result<Probe, Failure> {
    let clock = Clock::system();
    let robot = RobotId::new(ROBOT).map_err(|error| Failure::usage(error.to_string()))?;
    let dialect = configured(request, &robot)?;
    let shown = peer::shown(request.address);
    let endpoint = peer::Endpoint::parse(request.address, request.entry.port)
        .map_err(|problem| Failure::usage(format!("{shown} is no address: {problem}")))?;
    let round_trip = endpoint.round_trip(clock).await.map_err(|error| {
        Failure::new(
            Exit::Unreachable,
            format!("nobody answers at {endpoint}: {error}; is the robot on, and is its port right?"),
        )
    })?;
    let hub = Hub::observing(clock);
    let context = BuildContext { trust: request.trust.clone(), ..BuildContext::new(&hub) };
    let unit = dialect.connect(&robot, &context).map_err(wrong)?;
    let sink = hub.sink("probe", ROBOT, LIMITS);
    let mut all = Subscription::to(Selection::of_kinds(&robot, Kind::ALL));
    all.every_change = true;
    sink.subscribe(all);
    let stop = CancellationToken::new();
    let session = tokio::spawn(unit.service.run(stop.clone()));
    let mut observed = Observed::new(request.entry, clock.now());
    let (up_by, mut deliveries) = (clock.now().after(PROBE_ANSWER_TIMEOUT), Vec::new());
    tokio::pin!(interrupted);
    loop {
        let until = observed.up.map_or(up_by, |up| up.after(request.observe));
        tokio::select! {
            () = sink.receive(&mut deliveries) => {}
            () = clock.sleep_until(until) => break,
            () = &mut interrupted => break,
        }
        for delivery in deliveries.drain(..) {
            if let Delivery::Update(_, update) = delivery {
                observed.take(&update);
            }
        }
        // Before it was up, another attempt would end alike.
        if observed.up.is_none() && observed.link.as_ref().is_some_and(|it| it.state == LinkState::Down) {
            break;
        }
    }
    let ended = clock.now();
    let device = hub.last(&robot, Kind::Device, None);
    stop.cancel();
    // What it leaves behind ends with the program.
    let _ = tokio::time::timeout(PROBE_END_TIMEOUT, session).await;
    if observed.up.is_none() {
        let reason = observed.link.and_then(|link| link.reason);
        let reason = reason.unwrap_or_else(|| "it did not answer in time".to_owned());
        let other = endpoint.describe(request.entry).await;
        let message = format!("no {} robot answers at {shown}: {reason}{other}", request.entry.name);
        return Err(Failure::new(Exit::Unreachable, message));
    }
    let lost = sink.counters().lost.load(std::sync::atomic::Ordering::Relaxed);
    let device = device.and_then(|update| match &update.signal {
        Signal::Device(device) => Some(device_from_model(device)),
        _ => None,
    });
    Ok(observed.report(request, (shown, round_trip, ended), device.unwrap_or_default(), lost))
}

/// The dialect with one entry of `connect`.
fn configured(request: &Request<'_>, robot: &RobotId) -> Result<AnyDialect, Failure> {
    let Request { entry, address, called, keys, .. } = request;
    let shown = peer::shown(address);
    if address.contains(['"', '\\']) || address.contains(char::is_control) {
        return Err(Failure::usage(format!(
            "{shown:?} is no address; write it as `address` of [[{}.connect]]",
            entry.name
        )));
    }
    let mut named: Vec<(&str, &str)> =
        keys.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    match (called, entry.called) {
        (Some(called), Some(key)) => named.push((key, called)),
        (Some(_), None) => {
            return Err(Failure::usage(format!(
                "one robot is at an address of {}; leave --robot out",
                entry.name
            )));
        }
        (None, _) => {}
    }
    let texts = table(entry, robot, address, &named, |value| toml::Value::String(value.to_owned()))?;
    let key = entry.called.filter(|key| texts.get("connect").and_then(|it| it.get(0)?.get(key)).is_none());
    if let Some(key) = key {
        return Err(Failure::usage(format!(
            "several robots may be at {shown}; name one with --robot, as `{key}` of [[{}.connect]] does",
            entry.name
        )));
    }
    // What is no text there is a number.
    let number = |value: &str| value.parse().map_or_else(|_| value.into(), toml::Value::Integer);
    let dialect = read(entry, texts).or_else(|error| match named.is_empty() {
        true => Err(error),
        false => read(entry, table(entry, robot, address, &named, number)?),
    })?;
    dialect.validate(&Rules::default()).map_err(|error| Failure::usage(error.to_string()))?;
    Ok(dialect)
}

/// The dialect's table, with more keys in its entry of `connect`.
fn table(
    entry: &Entry,
    robot: &RobotId,
    address: &str,
    keys: &[(&str, &str)],
    value: impl Fn(&str) -> toml::Value,
) -> Result<toml::Table, Failure> {
    let broken = |what: &str| Failure::usage(format!("{what} makes no table of {}", peer::shown(address)));
    let mut table: toml::Table = (entry.observe)(robot, address).parse().map_err(|_| broken(entry.name))?;
    let connect = table.get_mut("connect").and_then(|list| list.get_mut(0)).and_then(|it| it.as_table_mut());
    let connect = connect.ok_or_else(|| broken(entry.name))?;
    connect.extend(keys.iter().map(|(key, text)| ((*key).to_owned(), value(text))));
    Ok(table)
}

fn read(entry: &Entry, table: toml::Table) -> Result<AnyDialect, Failure> {
    let text = toml::Value::Table(table).to_string();
    let dialect = toml::de::ValueDeserializer::parse(&text).and_then(entry.from_toml);
    dialect.map_err(|error| Failure::usage(format!("{}: {}", entry.name, explained(error.message()))))
}

/// What cannot be connected to as it was asked for.
fn wrong(error: BuildError) -> Failure {
    Failure::usage(error.to_string())
}

fn device_from_model(device: &Device) -> ProbeDevice {
    let Device { maker, model, serial, firmware, hardware, .. } = device.clone();
    ProbeDevice { maker, model, serial, firmware, hardware }
}

/// What came until now.
struct Observed {
    entry: &'static Entry,
    began: Timestamp,
    up: Option<Timestamp>,
    link: Option<Link>,
    heard: Option<Timestamp>,
    longest_silence: Duration,
    skew: Skew,
    delays_ns: Vec<i64>,
    topics: BTreeMap<String, TopicLog>,
}

impl Observed {
    fn new(entry: &'static Entry, began: Timestamp) -> Self {
        Self {
            entry,
            began,
            up: None,
            link: None,
            heard: None,
            longest_silence: Duration::ZERO,
            skew: Skew::default(),
            delays_ns: Vec::new(),
            topics: BTreeMap::new(),
        }
    }

    fn take(&mut self, update: &Shared) {
        if let Signal::Link(link) = &update.signal {
            if link.state == LinkState::Up {
                self.up.get_or_insert(update.received);
            }
            self.link = Some(link.clone());
        }
        let Some(native) = &update.native else { return };
        let message = (update.received, native.payload.as_ptr() as usize);
        let inspect = || (self.entry.inspect)(native, update.kind());
        // Of a topic that is described, its messages are one whatever their names.
        let known = inspect::message_of(self.entry.messages, &native.topic);
        let name = known.map_or_else(|| native.topic.to_string(), |it| it.topic.to_owned());
        let log = self.topics.entry(name).or_default();
        if !log.is_new(message) {
            return;
        }
        log.take(
            (update.received, update.stamp),
            native.payload.len(),
            inspect(),
            update.kind() == Kind::Other,
        );
        let is_first = log.has_one();
        let before = self.heard.or(self.up).unwrap_or(update.received);
        self.longest_silence = self.longest_silence.max(update.received.since(before));
        self.heard = Some(update.received);
        self.skew.observe(update.stamp, update.received);
        // The first message of a topic may be an old one, and whole seconds are too coarse.
        let is_exact =
            update.stamp.clock == ClockSource::Robot && update.stamp.at.as_nanos() % SECOND_NS != 0;
        if is_exact && !is_first && self.delays_ns.len() < MOST_DELAYS {
            self.delays_ns.push(update.received.as_nanos().saturating_sub(update.stamp.at.as_nanos()));
        }
    }

    fn report(
        self,
        request: &Request<'_>,
        (address, round_trip, ended): (String, Duration, Timestamp),
        device: ProbeDevice,
        lost: u64,
    ) -> Probe {
        let up = self.up.unwrap_or(ended);
        let silence = self.longest_silence.max(ended.since(self.heard.unwrap_or(up)));
        let link = self.link.as_ref();
        let is_up = link.is_some_and(|link| link.state == LinkState::Up);
        let came =
            |topic: &str| self.topics.values().any(|log| log.message().is_some_and(|it| it.topic == topic));
        let silent = self.entry.messages.iter().map(|it| it.topic.to_owned());
        let silent = silent.filter(|topic| !came(topic)).collect();
        let mut deviations = Vec::new();
        let mut topics = Vec::new();
        for (name, log) in &self.topics {
            deviations.extend(log.deviations(name, request.strict));
            topics.push(log.report(name));
        }
        Probe {
            dialect: self.entry.name.to_owned(),
            address,
            observed_s: ended.since(up).as_secs_f64(),
            device,
            link: ProbeLink {
                up: is_up,
                reason: link.and_then(|link| link.reason.clone()).filter(|_| !is_up),
                round_trip_s: round_trip.as_secs_f64(),
                up_after_s: up.since(self.began).as_secs_f64(),
                reconnects: link.map_or(0, |link| link.reconnects),
                longest_silence_s: silence.as_secs_f64(),
                lost,
            },
            clock: clock_from_delays(self.skew.interval_s(), self.delays_ns),
            topics,
            silent,
            deviations,
        }
    }
}

fn clock_from_delays(skew_s: Option<(f64, f64)>, mut delays_ns: Vec<i64>) -> ProbeClock {
    delays_ns.sort_unstable();
    let least = delays_ns.first().copied().unwrap_or_default();
    let above = |ns: Option<&i64>| ns.map(|ns| ns.saturating_sub(least) as f64 / 1e9);
    let (median, max) = (delays_ns.get(delays_ns.len() / 2), delays_ns.last());
    ProbeClock {
        skew_min_s: skew_s.map(|(min, _)| min),
        skew_max_s: skew_s.map(|(_, max)| max),
        delay_median_s: above(median),
        delay_max_s: above(max),
    }
}
