//! Lines to copy: what to paste so that a robot's sensor shows in a tool that everybody has.

use crate::contract::Endpoint;
use latimer_core::model::{Kind, PartName};
use latimer_core::{Hub, RobotId};

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
    /// The common HTTP port as the one who asks calls it, e.g. `127.0.0.1:8080`.
    pub http: &'a str,
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

    /// A program that asks on a WebSocket and prints what comes; `ask` is JSON.
    pub(crate) fn python(socket: &str, ask: &str) -> Self {
        let script = format!(
            "import websocket  # pip install websocket-client\n\
             \n\
             robot = websocket.create_connection(\"{socket}\")\n\
             robot.send('{ask}')\n\
             while True:\n    \
                 print(robot.recv())\n"
        );
        Self::new("python", script)
    }

    /// The same for a browser or Node.
    pub(crate) fn javascript(socket: &str, ask: &str) -> Self {
        let script = format!(
            "const robot = new WebSocket(\"{socket}\");\n\
             robot.onopen = () => robot.send('{ask}');\n\
             robot.onmessage = ({{ data }}) => console.log(data);\n"
        );
        Self::new("javascript", script)
    }
}

impl LineRequest<'_> {
    /// The address at which a dialect serves this robot alone, as the one who asks can reach it.
    pub fn endpoint(&self, dialect: &str) -> Option<String> {
        let own = |it: &&Endpoint| it.dialect == dialect && it.robot.as_ref() == Some(self.robot);
        self.endpoints.iter().find(own).map(|it| reachable(&it.url, self.http))
    }
}

/// An address that listens everywhere is called by the name under which the gateway was called.
fn reachable(url: &str, http: &str) -> String {
    let host = match http.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => http,
    };
    url.replacen("://0.0.0.0", &format!("://{host}"), 1).replacen("://[::]", &format!("://{host}"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_listens_everywhere_gets_a_name() {
        let url = "ws://0.0.0.0:8081/pubsub";
        assert_eq!(reachable(url, "gateway.lab:8080"), "ws://gateway.lab:8081/pubsub");
        assert_eq!(reachable("ws://[::]:8081/", "[::1]:8080"), "ws://[::1]:8081/");
        assert_eq!(reachable(url, "gateway.lab"), "ws://gateway.lab:8081/pubsub");
        assert_eq!(reachable("ws://10.0.0.1:1/", "x:8080"), "ws://10.0.0.1:1/");
    }
}
