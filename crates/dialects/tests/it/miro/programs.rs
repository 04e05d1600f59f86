//! A served robot as programs see it that nobody here wrote: Debian's ROS.

use std::process::Stdio;

use latimer_core::model::Kind;
use latimer_core::model::signal::image::Encoding;
use latimer_core::model::signal::{Battery, Image};
use latimer_core::{Clock, Hub};
use tokio::process::Command;

use super::rig::{Gateway, in_time, play, publish, until};

/// Prints what comes on a topic of any type, and a picture.
const LOOK: &str = r#"
import os, sys
import rospy
from sensor_msgs.msg import Image
rospy.init_node("look", anonymous=True, disable_signals=True)
message = rospy.wait_for_message("/miro/rob01/platform/sensors", rospy.AnyMsg, timeout=30)
header = message._connection_header
print(header["type"], header["md5sum"], len(message._buff))
sys.stdout.flush()
picture = rospy.wait_for_message("/miro/rob01/platform/caml", Image, timeout=30)
print(picture.encoding, picture.width, picture.height, len(picture.data), picture.header.frame_id)
"#;

/// Fails where Debian's Python has no rospy.
fn require_rospy() {
    let mut rospy = std::process::Command::new("/usr/bin/python3");
    rospy.args(["-c", "import rospy"]).stderr(Stdio::null());
    let is_installed = rospy.status().is_ok_and(|status| status.success());
    assert!(is_installed, "rospy is missing: run `make ros`, or sudo apt-get install python3-rospy");
}

#[tokio::test]
async fn rospy_reads_sensors_and_pictures() {
    require_rospy();
    let hub = Hub::new(Clock::system());
    let robot = play(&hub, "miro-1", "miro");
    publish(&robot, None, Battery { voltage_v: Some(4.75), ..Battery::UNKNOWN });
    let gateway = Gateway::serving(&hub, "[[serve]]\nrobot = \"miro-1\"\nname = \"rob01\"\n").await;
    let home = tempfile::tempdir().unwrap();
    let look = Command::new("/usr/bin/python3")
        .args(["-c", LOOK])
        .env("ROS_MASTER_URI", gateway.master())
        .env("ROS_IP", "127.0.0.1")
        .env("ROS_HOME", home.path())
        .env("ROS_LOG_DIR", home.path())
        .kill_on_drop(true)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let show = async {
        until("the eye is wanted", || robot.wants(Kind::Image, None)).await;
        let image =
            Image { encoding: Encoding::Rgb8, width: 320, height: 240, data: vec![0x80; 230_400].into() };
        publish(&robot, Some("camera_left"), image);
    };
    let (output, ()) = tokio::join!(in_time(look.wait_with_output()), show);
    let said = String::from_utf8(output.unwrap().stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("miro_msgs/platform_sensors 547d0cf6cf799e035dff5847bb95c9dd "), "{said}");
    assert_eq!(lines[1], "rgb8 320 240 230400 rob01/caml_optical", "{said}");
    gateway.stop().await;
}
