//! `$SYS`: what tools that watch a broker read, by the names that mosquitto has for it.
//!
//! | topic below `$SYS/broker/` | what |
//! |---|---|
//! | `version`, `uptime` | the name of this program; `N seconds` |
//! | `clients/total`, `clients/connected`, `clients/disconnected`, `clients/maximum` | sessions, and the most that were connected |
//! | `clients/expired` | sessions that were forgotten before their time |
//! | `bytes/received`, `bytes/sent` | bytes, since the start |
//! | `messages/received`, `messages/sent`, `publish/messages/…` | messages, since the start |
//! | `publish/messages/dropped` | messages that were left out for clients that read slowly |
//! | `messages/stored`, `store/messages/count`, `store/messages/bytes` | messages of QoS 1 and 2 that wait, and bytes of all that wait |
//! | `retained messages/count`, `subscriptions/count` | how many |
//! | `load/messages/received/1min`, `…/sent/…`, `load/connections/…` | a minute, as a mean over 1, 5 and 15 minutes |

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use latimer_core::Timestamp;
use tokio_util::sync::CancellationToken;

use super::router::Router;
use crate::limits::SYS_INTERVAL;

/// Minutes over which a load is the mean.
const MINUTES: [(&str, f64); 3] = [("1min", 1.0), ("5min", 5.0), ("15min", 15.0)];

/// Publishes what changed, until `shutdown`.
pub(super) async fn publish(router: &Router, shutdown: &CancellationToken) {
    let mut figures =
        Figures { began: router.clock.now(), most: 0, loads: HashMap::new(), told: HashMap::new() };
    loop {
        for (topic, value) in figures.read(router) {
            router.publish_own(&format!("$SYS/broker/{topic}"), value);
        }
        if shutdown.run_until_cancelled(router.clock.sleep(SYS_INTERVAL)).await.is_none() {
            return;
        }
    }
}

struct Figures {
    began: Timestamp,
    /// Most clients that were connected.
    most: u64,
    /// What was counted before, and the mean a minute, by topic.
    loads: HashMap<&'static str, (u64, [f64; 3])>,
    told: HashMap<String, String>,
}

impl Figures {
    /// Topics whose values are others than before.
    fn read(&mut self, router: &Router) -> Vec<(String, String)> {
        let (counters, counts) = (&router.counters, router.counts());
        let (connected, ever) = counters.clients();
        let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        let (received, sent, dropped) =
            (count(&counters.received), count(&counters.sent), count(&counters.dropped));
        self.most = self.most.max(connected);
        let uptime = router.clock.now().since(self.began).as_secs();
        let mut all = vec![
            ("version".to_owned(), format!("latimer version {}", env!("CARGO_PKG_VERSION"))),
            ("uptime".to_owned(), format!("{uptime} seconds")),
        ];
        all.extend(
            [
                ("clients/total", connected + counts.away),
                ("clients/connected", connected),
                ("clients/active", connected),
                ("clients/disconnected", counts.away),
                ("clients/inactive", counts.away),
                ("clients/maximum", self.most),
                ("clients/expired", counts.forgotten),
                ("bytes/received", count(&counters.bytes_received)),
                ("bytes/sent", count(&counters.bytes_sent)),
                ("messages/received", received),
                ("messages/sent", sent),
                ("publish/messages/received", received),
                ("publish/messages/sent", sent),
                ("publish/messages/dropped", dropped),
                ("messages/stored", counts.waiting),
                ("store/messages/count", counts.waiting),
                ("store/messages/bytes", counts.stored_bytes),
                ("retained messages/count", counts.retained),
                ("subscriptions/count", counts.subscriptions),
            ]
            .map(|(topic, value)| (topic.to_owned(), value.to_string())),
        );
        let loads = [
            ("load/messages/received", received),
            ("load/messages/sent", sent),
            ("load/publish/received", received),
            ("load/publish/sent", sent),
            ("load/connections", ever),
        ];
        for (topic, counted) in loads {
            let (before, means) = self.loads.entry(topic).or_default();
            let a_minute = (counted - *before) as f64 * 60.0 / SYS_INTERVAL.as_secs_f64();
            *before = counted;
            for (mean, (name, minutes)) in means.iter_mut().zip(MINUTES) {
                let weight = 1.0 - (-SYS_INTERVAL.as_secs_f64() / 60.0 / minutes).exp();
                *mean += (a_minute - *mean) * weight;
                all.push((format!("{topic}/{name}"), format!("{mean:.2}")));
            }
        }
        all.retain(|(topic, value)| self.told.insert(topic.clone(), value.clone()).as_ref() != Some(value));
        all
    }
}
