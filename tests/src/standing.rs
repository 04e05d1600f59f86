//! One robot of each family that stands, so that only a command moves one, at the ports of the demo.

/// Ports above the common one: a Misty's, a chassis', the broker's, the broker's for pages, the ROS master's.
pub const MISTY: u16 = 1;
/// See [`MISTY`].
pub const CHASSIS: u16 = 10;
/// See [`MISTY`].
pub const MQTT: u16 = 20;
/// See [`MISTY`].
pub const MQTT_PAGES: u16 = 21;
/// See [`MISTY`].
pub const MASTER: u16 = 30;

/// Robots of [`STANDING`].
pub const ROBOTS: [&str; 5] = ["misty-1", "axbot-1", "pera-1", "robotkoop-1", "miro-1"];

/// The config.
pub const STANDING: &str = "
[http]
listen = '127.0.0.1:8080'
[broker]
listen = '127.0.0.1:1883'
[broker.websocket]
listen = '127.0.0.1:9001'
[world]
file = 'empty'
seed = 1
[[simulate]]
robot = 'misty-1'
body = 'misty'
position_m = [2.0, 2.0]
[[simulate]]
robot = 'axbot-1'
body = 'axbot'
position_m = [2.0, 4.0]
[[simulate]]
robot = 'pera-1'
body = 'pera'
position_m = [4.0, 2.0]
[[simulate]]
robot = 'robotkoop-1'
body = 'robotkoop'
position_m = [4.2, 4.4]
[[simulate]]
robot = 'miro-1'
body = 'miro'
position_m = [5.2, 1.2]
[[misty.serve]]
robot = 'misty-1'
listen = '127.0.0.1:8081'
[[axbot.serve]]
robot = 'axbot-1'
listen = '127.0.0.1:8090'
[pera]
simulator = true
[[pera.serve]]
robot = 'pera-1'
[[robotkoop.serve]]
robot = 'robotkoop-1'
id = 'R_1'
[miro]
serve_all = true
[miro.master]
listen = '127.0.0.1:11311'
";
