//! The gateway as a client of a chassis: one connection until it drops; it never retries.
//!
//! ```text
//! GET device/info ──▶ connect ──▶ up ─┬─ frame ──decode, merge──▶ signals ──▶ hub
//!                                     ├─ demand changed ──plan──▶ enable / disable
//!                                     ├─ command ─┬─ drive ──wheel──▶ twist ──feedback──▶ outcome
//!                                     │           └─ dispatcher, driver ──▶ REST, in order ──▶ outcome
//!                                     ├─ address of a map ──pictures──▶ GET ──▶ signals ──▶ hub
//!                                     └─ silence ──▶ ping ──▶ end
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `connect` | how it begins, `device` what the robot tells of itself |
//! | `live` | the connection while it lasts |
//! | `plan` | which topics are enabled |
//! | `decode`, `receiver` | frames and what is published of them, `merge` what topics tell together |
//! | `pictures` | maps that are fetched |
//! | `orders` | commands, `driver` their requests, `twist_controller` driving by hand |
//! | `navigation_goal`, `moves` | drives and their numbers, `maps` which map is used |
//! | `call`, `rest` | requests |

mod call;
mod connect;
mod decode;
mod device;
mod executor;
mod live;
mod maps;
pub(super) mod merge;
mod moves;
mod navigation_goal;
mod orders;
mod pictures;
mod plan;
mod receiver;
mod rest;
mod twist_controller;

use futures_util::future::BoxFuture;
use latimer_core::Clock;
use latimer_core::hub::Source;
use latimer_core::supervisor::{Reach, Session, SessionEnd};
use latimer_listen::{Address, Trust};

use connect::{Introduction, connect};
use live::Live;
use pictures::Pictures;
use plan::Enabled;
use receiver::Receiver;
use rest::Rest;

use crate::link::reach;

/// A connection to one robot.
#[derive(Debug)]
pub(super) struct AxbotSession {
    base: Address,
    secret: Option<String>,
    trust: Trust,
    clock: Clock,
    receiver: Receiver,
    enabled: Enabled,
    /// Made with the first connection; what was fetched is kept for the next one.
    pictures: Option<Pictures>,
}

impl AxbotSession {
    /// For a robot at an address.
    pub(super) fn new(base: Address, secret: Option<String>, trust: Trust, clock: Clock) -> Self {
        Self {
            base,
            secret,
            trust,
            clock,
            receiver: Receiver::default(),
            enabled: Enabled::default(),
            pictures: None,
        }
    }
}

impl Session for AxbotSession {
    fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd> {
        Box::pin(async move {
            let secret = self.secret.as_deref();
            let rest = match Rest::new(self.base.clone(), secret, &self.trust) {
                Ok(rest) => rest,
                Err(error) => return SessionEnd::stop(error),
            };
            let introduction = match Introduction::ask(&rest, source).await {
                Ok(introduction) => introduction,
                Err(end) => return end,
            };
            let socket = match connect(&self.base, secret, &self.trust).await {
                Ok(socket) => socket,
                Err(end) => return end,
            };
            let pictures = self.pictures.get_or_insert_with(|| Pictures::new(rest.clone()));
            pictures.begin();
            self.receiver.begin();
            let caps = introduction.caps();
            self.enabled.begin(caps.topic_lists);
            let robot = source.robot().clone();
            let mut live =
                Live::new(&robot, self.clock, caps, rest, &mut self.receiver, &mut self.enabled, pictures);
            Box::pin(live.serve(source, socket, &introduction)).await
        })
    }

    fn probe(&mut self) -> BoxFuture<'_, Option<Reach>> {
        Box::pin(async move { reach(self.base.accepts().await) })
    }
}
