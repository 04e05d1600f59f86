//! Lines to copy: what to paste so that a robot's sensor shows in a tool that everybody has.

use latimer_core::model::{Kind, PartName};
use latimer_core::{Hub, RobotId};
use latimer_listen::Address;

use crate::broker::Reached;
use crate::contract::Endpoint;

/// What stands for a dialect in addresses of the gateway's own MQTT broker.
pub const BROKER: &str = "mqtt";

/// How long `wscat` listens, s: a day.
const LISTEN_S: u32 = 86_400;

/// What shall be shown, and where it is served.
#[derive(Clone, Copy, Debug)]
pub struct LineRequest<'a> {
    /// The exchange, for what is known of the robot.
    pub hub: &'a Hub,
    /// Which robot.
    pub robot: &'a RobotId,
    /// Which kind of thing it says.
    pub kind: Kind,
    /// Which part of it; all if `None`.
    pub part: Option<&'a PartName>,
    /// Where everything is served.
    pub endpoints: &'a [Endpoint],
    /// The address of the common HTTP port as in the `Host` of the request; `https` if the request came over TLS.
    pub http: &'a Address,
}

/// A line to copy; a script has several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What runs it: `curl`, `wscat`, `python`, `javascript`, `mosquitto_sub`, `rostopic`.
    pub tool: &'static str,
    /// What to paste.
    pub line: String,
}

impl Line {
    /// A line for a tool.
    pub fn new(tool: &'static str, line: impl Into<String>) -> Self {
        Self { tool, line: line.into() }
    }

    /// Programs that ask on a WebSocket and print what comes; `ask` is JSON, which each tool may ask in its own words.
    pub(crate) fn on_socket(socket: &str, ask: impl Fn(&str) -> String) -> [Self; 3] {
        let wscat = format!("wscat -c {socket} -w {LISTEN_S} -x '{}'", ask("wscat"));
        let python = format!(
            "import websocket  # pip install websocket-client\n\
             \n\
             robot = websocket.create_connection(\"{socket}\")\n\
             robot.send('{}')\n\
             while True:\n    \
                 print(robot.recv())\n",
            ask("python")
        );
        let javascript = format!(
            "const robot = new WebSocket(\"{socket}\");\n\
             robot.onopen = () => robot.send('{}');\n\
             robot.onmessage = ({{ data }}) => console.log(data);\n",
            ask("javascript")
        );
        [("wscat", wscat), ("python", python), ("javascript", javascript)]
            .map(|(tool, line)| Self::new(tool, line))
    }

    /// Calls that read the same, on the port of a socket with a path.
    pub(crate) fn calls(socket: &str, path: &str, calls: &[&str]) -> impl Iterator<Item = Self> {
        let http = socket.replacen("ws", "http", 1);
        let http = http.strip_suffix(path).unwrap_or(&http).to_owned();
        calls.iter().map(move |call| Self::new("curl", format!("curl {http}/{call}")))
    }

    /// A program that prints what comes on a topic at a broker.
    pub(crate) fn paho(broker: &Reached, topic: &str) -> Self {
        let connect = broker.paho();
        let script = format!(
            "import paho.mqtt.client as mqtt  # pip install paho-mqtt\n\
             \n\
             client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)\n\
             client.on_connect = lambda client, *_: client.subscribe(\"{topic}\")\n\
             client.on_message = lambda client, data, message: print(message.payload.decode())\n\
             {connect}\
             client.loop_forever()\n"
        );
        Self::new("python", script)
    }
}

impl LineRequest<'_> {
    /// The address at which a dialect serves this robot alone, as the one who asks can reach it.
    pub fn endpoint(&self, dialect: &str) -> Option<String> {
        let own = |it: &&Endpoint| it.dialect == dialect && it.robot.as_ref() == Some(self.robot);
        self.endpoints.iter().find(own).map(|it| self.reachable(&it.url))
    }

    /// The address of the robot's socket in a dialect: on its own port if it has one, or below its name on the common one.
    pub(crate) fn socket(&self, dialect: &str, path: &str) -> String {
        let common = || self.http.ws(&format!("/robots/{}/{dialect}{path}", self.robot));
        self.endpoint(dialect).unwrap_or_else(common)
    }

    /// The broker at the address of an endpoint, as the client can reach it. If the request came over TLS, and the broker is the gateway's own,
    /// that is its port for TLS, if it has one.
    pub(crate) fn broker(&self, url: &str) -> Option<Reached> {
        let named = Reached::at(url)?;
        let own = self.endpoints.iter().filter(|it| it.dialect == BROKER);
        let mut own = own.filter_map(|it| Reached::at(&self.reachable(&it.url)));
        let (plain, encrypted) = (own.clone().find(|it| !it.is_tls()), own.find(Reached::is_tls));
        let is_own = plain.as_ref().is_some_and(|it| named.is_here() && it.port == named.port);
        let better = if self.http.is_tls() { encrypted.or(plain) } else { plain };
        match better {
            Some(better) if is_own => Some(better.with(named.below)),
            _ => Reached::at(&self.reachable(url)),
        }
    }

    /// An address that listens everywhere is called by the name under which the gateway was called.
    pub(crate) fn reachable(&self, url: &str) -> String {
        let host = self.http.host();
        url.replacen("://0.0.0.0", &format!("://{host}"), 1).replacen("://[::]", &format!("://{host}"), 1)
    }
}

/// What tests ask for.
#[cfg(test)]
pub(crate) mod trial {
    use latimer_core::Clock;

    use super::*;

    pub(crate) fn endpoint(
        robot: Option<&str>,
        dialect: &'static str,
        url: &str,
        try_line: &str,
    ) -> Endpoint {
        let robot = robot.map(|it| RobotId::new(it).unwrap());
        Endpoint { robot, dialect, url: url.to_owned(), try_line: try_line.to_owned() }
    }

    /// What is done with a request for a robot's part, of a client that calls the gateway so.
    pub(crate) fn at<T>(
        http: &str,
        robot: &str,
        (kind, part): (Kind, Option<&str>),
        endpoints: &[Endpoint],
        then: impl FnOnce(&LineRequest<'_>) -> T,
    ) -> T {
        then(&LineRequest {
            hub: &Hub::new(Clock::system()),
            robot: &RobotId::new(robot).unwrap(),
            kind,
            part: part.map(PartName::of).as_ref(),
            endpoints,
            http: &Address::parse(http, Some(80)).unwrap(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is done with a request of a client that calls the gateway so.
    fn request<T>(http: &str, endpoints: &[&str], then: impl FnOnce(&LineRequest<'_>) -> T) -> T {
        let endpoints: Vec<_> = endpoints.iter().map(|url| trial::endpoint(None, BROKER, url, "")).collect();
        trial::at(http, "rover-1", (Kind::Pose, None), &endpoints, then)
    }

    #[test]
    fn an_address_that_listens_everywhere_gets_a_name() {
        let reachable = |url: &str, http: &str| request(http, &[], |request| request.reachable(url));
        let url = "wss://0.0.0.0:8081/pubsub";
        assert_eq!(reachable(url, "https://gateway.lab:8080"), "wss://gateway.lab:8081/pubsub");
        assert_eq!(reachable("ws://[::]:8081/", "[::1]:8080"), "ws://[::1]:8081/");
        assert_eq!(reachable(url, "gateway.lab"), "wss://gateway.lab:8081/pubsub");
        assert_eq!(reachable("ws://10.0.0.1:1/", "x:8080"), "ws://10.0.0.1:1/");
    }

    #[test]
    fn a_broker_is_reached_as_the_gateway_is() {
        let reached = |http: &str, endpoints: &[&str], url: &str| {
            let broker = request(http, endpoints, |request| request.broker(url)).unwrap();
            format!("{} {:?}", broker.url, broker.below)
        };
        let (swarm, below) = ("mqtt://127.0.0.1:1883/v1", r#"Some("v1")"#);
        let both = ["mqtt://127.0.0.1:1883", "ws://127.0.0.1:9001/mqtt", "mqtts://0.0.0.0:8883"];
        let at = |url: &str| format!("{url} {below}");
        assert_eq!(reached("https://gateway.lab", &both, swarm), at("mqtts://gateway.lab:8883"));
        assert_eq!(reached("localhost:8080", &both, swarm), at("mqtt://127.0.0.1:1883"));
        assert_eq!(
            reached("gateway.lab:8080", &["mqtt://0.0.0.0:1883"], swarm),
            at("mqtt://gateway.lab:1883")
        );
        let other = "mqtt://broker.lab:1883/v1";
        assert_eq!(
            reached("https://gateway.lab", &both, other),
            at("mqtt://broker.lab:1883"),
            "another broker"
        );
        assert_eq!(reached("https://gateway.lab", &[], swarm), at("mqtt://127.0.0.1:1883"));
    }
}
