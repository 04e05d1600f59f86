//! Alerts: what is wrong with which robot, since when, and until when it was.
//!
//! ```text
//! robot/alerts, robot/hazard   each list replaces the one before
//! robot/link                   down raises, up clears; trying again changes nothing
//! robot/control                an emergency stop that is pressed
//! robot/battery                little charge, of robots that publish no alerts
//! robot/range, robot/cliff     a sensor that reports that it is broken
//! a robot that goes            takes its alerts with it
//! ```

use std::collections::{BTreeSet, VecDeque};

use latimer_core::model::PartName;
use latimer_core::model::signal::{Alerts, Battery, Cliff, Link, LinkState, Severity};
use latimer_core::{RobotId, Signal, Timestamp, Update};

use super::faults::{charge, fault, of_control, of_hazard, of_sensor};
use crate::limits::JOURNAL_MAX_CLEARED_ALERTS;

/// Alerts that one list may raise.
const MAX_LISTED: usize = 256;

/// The source of an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AlertSource {
    /// `robot/alerts`.
    Alerts,
    /// `robot/hazard`.
    Hazard,
    /// `robot/link`.
    Link,
    /// `robot/control`.
    Control,
    /// `robot/battery`.
    Battery,
    /// `robot/range`.
    Range,
    /// `robot/cliff`.
    Cliff,
}

impl AlertSource {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Alerts => "alerts",
            Self::Hazard => "hazard",
            Self::Link => "link",
            Self::Control => "control",
            Self::Battery => "battery",
            Self::Range => "range",
            Self::Cliff => "cliff",
        }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: Option<i64>,
    pub(crate) severity: Severity,
    pub(crate) message: String,
}

/// One alert.
#[derive(Clone, Debug)]
pub(crate) struct AlertRecord {
    pub(crate) robot: RobotId,
    pub(crate) source: AlertSource,
    /// The part whose list it is from, for robots that have several lists.
    pub(crate) part: Option<PartName>,
    pub(crate) fault: Fault,
    pub(crate) raised: Timestamp,
    pub(crate) cleared: Option<Timestamp>,
}

/// The alerts that hold, and the last ones that did.
#[derive(Debug, Default)]
pub(super) struct AlertLog {
    active: Vec<AlertRecord>,
    cleared: VecDeque<AlertRecord>,
    /// Robots that publish alerts, low batteries included.
    publishing: BTreeSet<RobotId>,
}

impl AlertLog {
    /// Those that hold, then those that were cleared, each newest first.
    pub(super) fn all(&self) -> impl Iterator<Item = &AlertRecord> {
        self.active.iter().rev().chain(self.cleared.iter().rev())
    }

    /// Takes an update; whether an alert was raised or cleared.
    pub(super) fn take(&mut self, update: &Update) -> bool {
        match &update.signal {
            Signal::Alerts(Alerts { active }) => {
                let robot = &update.robot;
                let doubled = self.publishing.insert(robot.clone())
                    && self
                        .clear(|it| it.source == AlertSource::Battery && it.robot == *robot, update.received);
                let faults =
                    active.iter().map(|alert| fault(Some(alert.code), alert.severity, &alert.message));
                self.replace(update, AlertSource::Alerts, faults.take(MAX_LISTED).collect()) || doubled
            }
            Signal::Hazard(hazard) => {
                self.replace(update, AlertSource::Hazard, of_hazard(hazard).take(MAX_LISTED).collect())
            }
            Signal::Link(link) => self.take_link(update, link),
            Signal::Control(it) => self.replace(update, AlertSource::Control, of_control(it)),
            Signal::Battery(battery) => self.take_battery(update, battery),
            Signal::Range(it) => {
                self.replace(update, AlertSource::Range, of_sensor(it, update.part.as_ref()))
            }
            Signal::Cliff(Cliff(it)) => {
                self.replace(update, AlertSource::Cliff, of_sensor(it, update.part.as_ref()))
            }
            _ => false,
        }
    }

    /// Clears everything that is wrong with robots that are not there.
    pub(super) fn keep_only(&mut self, is_there: impl Fn(&RobotId) -> bool, now: Timestamp) {
        self.publishing.retain(|robot| is_there(robot));
        self.clear(|alert| !is_there(&alert.robot), now);
    }

    /// Clears everything that is wrong with one robot.
    pub(super) fn forget(&mut self, robot: &RobotId, now: Timestamp) -> bool {
        self.publishing.remove(robot);
        self.clear(|alert| alert.robot == *robot, now)
    }

    fn take_link(&mut self, update: &Update, link: &Link) -> bool {
        let Link { state, since, reconnects: _, skew_min_s: _, skew_max_s: _, reason } = link;
        let is_its = |alert: &AlertRecord| alert.source == AlertSource::Link && alert.robot == update.robot;
        match state {
            LinkState::Connecting => false,
            LinkState::Up => self.clear(is_its, update.received),
            LinkState::Down => {
                let message = reason.as_deref().unwrap_or("nothing is received from the robot");
                let fault = fault(None, Severity::Error, message);
                match self.active.iter_mut().find(|alert| is_its(alert)) {
                    Some(known) => {
                        known.fault = fault;
                        false
                    }
                    None => {
                        self.raise(update, AlertSource::Link, fault, *since);
                        true
                    }
                }
            }
        }
    }

    fn take_battery(&mut self, update: &Update, battery: &Battery) -> bool {
        let is_its = |alert: &AlertRecord| {
            alert.source == AlertSource::Battery && alert.robot == update.robot && alert.part == update.part
        };
        if self.publishing.contains(&update.robot) {
            return false;
        }
        match charge(battery, self.active.iter().any(is_its)) {
            Some(faults) => self.replace(update, AlertSource::Battery, faults),
            None => false,
        }
    }

    /// A list of what is wrong replaces the one before.
    fn replace(&mut self, update: &Update, source: AlertSource, faults: Vec<Fault>) -> bool {
        let is_its = |alert: &AlertRecord| {
            alert.source == source && alert.robot == update.robot && alert.part == update.part
        };
        let is_over = |alert: &AlertRecord| is_its(alert) && !faults.contains(&alert.fault);
        let mut changed = self.clear(is_over, update.received);
        for fault in faults {
            if !self.active.iter().any(|alert| is_its(alert) && alert.fault == fault) {
                self.raise(update, source, fault, update.received);
                changed = true;
            }
        }
        changed
    }

    fn raise(&mut self, update: &Update, source: AlertSource, fault: Fault, raised: Timestamp) {
        let (robot, part) = (update.robot.clone(), update.part.clone());
        self.active.push(AlertRecord { robot, source, part, fault, raised, cleared: None });
    }

    fn clear(&mut self, is_over: impl Fn(&AlertRecord) -> bool, now: Timestamp) -> bool {
        let over: Vec<AlertRecord> = self.active.extract_if(.., |alert| is_over(alert)).collect();
        let any = !over.is_empty();
        self.cleared.extend(over.into_iter().map(|alert| AlertRecord { cleared: Some(now), ..alert }));
        let surplus = self.cleared.len().saturating_sub(JOURNAL_MAX_CLEARED_ALERTS);
        self.cleared.drain(..surplus);
        any
    }
}
