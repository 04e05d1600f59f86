//! The MQTT broker of the gateway: where it is reached, which outlives the links through it.

use std::net::SocketAddr;

use latimer_core::limits::LOG_INTERVAL;
use latimer_dialects::Endpoint;
use latimer_dialects::lines::BROKER;
use latimer_listen::{ListenerPolicy, from_here};
use latimer_mqtt::Broker;
use latimer_mqtt::broker::Meter;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::limits::BROKER_LINKS_DISCONNECT_TIMEOUT;

/// Where the broker within listens, and lines that print every message there.
pub(super) fn endpoints(broker: &Broker, policy: &ListenerPolicy) -> Vec<Endpoint> {
    let login = if broker.needs_login() { " -u USER -P PASSWORD" } else { "" };
    let tcp = |scheme: &str, tls: &str, listens: SocketAddr| {
        let (ip, port) = (from_here(listens.ip()), listens.port());
        let try_line = format!("mosquitto_sub -h {ip} -p {port}{tls}{login} -v -t '#'");
        endpoint(format!("{scheme}://{listens}"), try_line)
    };
    let plain = broker.listens().map(|listens| tcp("mqtt", "", listens));
    let encrypted = broker.tls_listens().map(|listens| tcp("mqtts", " --tls-use-os-certs", listens));
    let pages = broker.websocket_listens().map(|listens| {
        let (url, ip, port) = (policy.address(listens).ws("/mqtt"), from_here(listens.ip()), listens.port());
        let scheme = url.split(':').next().unwrap_or_default();
        endpoint(url.clone(), format!("npx mqtt sub -h {ip} -p {port} -l {scheme}{login} -v -t '#'"))
    });
    plain.into_iter().chain(encrypted).chain(pages).collect()
}

fn endpoint(url: String, try_line: String) -> Endpoint {
    Endpoint { robot: None, dialect: BROKER, url, try_line }
}

/// Serves until `shutdown`, and then until the links in `speak` have disconnected.
pub(super) async fn run(broker: Broker, speak: TaskTracker, shutdown: CancellationToken) {
    let end = CancellationToken::new();
    let last_words = async {
        shutdown.cancelled().await;
        speak.close();
        if tokio::time::timeout(BROKER_LINKS_DISCONNECT_TIMEOUT, speak.wait()).await.is_err() {
            tracing::debug!("the broker ends before all links have disconnected");
        }
        end.cancel();
    };
    let meter = broker.meter();
    tokio::join!(broker.run(end.clone()), last_words, tell_drops(meter, &end));
}

/// Says now and then what the broker dropped, in one line for all of it.
async fn tell_drops(meter: Option<Meter>, end: &CancellationToken) {
    let (Some(meter), mut logged) = (meter, 0) else { return };
    while end.run_until_cancelled(tokio::time::sleep(LOG_INTERVAL)).await.is_some() {
        let dropped = meter.read().dropped;
        if dropped > logged {
            let count = dropped - logged;
            tracing::warn!(
                count,
                "the broker dropped messages for clients that are too slow or too long away"
            );
            logged = dropped;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use latimer_mqtt::BrokerConfig;

    #[tokio::test]
    async fn both_addresses_of_the_broker_are_printed() {
        let text = "listen = \"127.0.0.1:0\"\n[websocket]\nlisten = \"127.0.0.1:0\"\n[[users]]\nname = \"a\"\npassword = \"b\"";
        let config: BrokerConfig = toml::from_str(text).unwrap();
        let broker = config.build(Default::default()).await.unwrap().unwrap();
        let listed = endpoints(&broker, &ListenerPolicy::default());
        let port = broker.listens().unwrap().port();
        assert_eq!(listed[0].url, format!("mqtt://127.0.0.1:{port}"));
        assert_eq!(
            listed[0].try_line,
            format!("mosquitto_sub -h 127.0.0.1 -p {port} -u USER -P PASSWORD -v -t '#'")
        );
        assert!(
            listed[1].url.starts_with("ws://127.0.0.1:") && listed[1].url.ends_with("/mqtt"),
            "{listed:?}"
        );
    }
}
