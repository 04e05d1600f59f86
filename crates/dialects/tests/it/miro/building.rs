//! The errors of a dialect that cannot start.

use latimer_core::service::BuildError;
use latimer_core::{Clock, Hub};
use latimer_e2e::ports::free_block;

use super::rig::{build, checked};

async fn problem(table: &str) -> BuildError {
    match build(&Hub::new(Clock::system()), table).await {
        Ok(_) => panic!("{table} was built"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn a_port_that_is_taken_is_reported_with_its_key() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let error = problem(&format!("[master]\nlisten = \"{address}\"\n")).await;
    assert!(matches!(&error, BuildError::Bind { key, .. } if key == "miro.master.listen"), "{error}");
}

#[tokio::test]
async fn a_broken_message_is_reported_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("platform_mics.msg"), "std_msgs/Header header\nint16[ data\n").unwrap();
    let error = problem(&format!("messages = \"{}\"", folder.path().display())).await.to_string();
    assert!(
        error.contains("platform_mics.msg") && error.contains('2') && error.contains("miro.messages"),
        "{error}"
    );
}

#[test]
fn a_robot_is_not_connected_to_where_it_is_served_from() {
    let port = free_block();
    let table = format!(
        "[master]\nlisten = \"127.0.0.1:{port}\"\n[[serve]]\nrobot = \"a\"\nname = \"x\"\n\
         [[connect]]\nrobot = \"b\"\nname = \"x\"\naddress = \"127.0.0.1:{port}\"\n"
    );
    let error = checked(&table).unwrap_err().to_string();
    assert!(error.contains("another name"), "{error}");
}

#[tokio::test]
async fn endpoints_have_lines_that_show_them() {
    let hub = Hub::new(Clock::system());
    let table = "[master]\nlisten = \"127.0.0.1:0\"\n[[serve]]\nrobot = \"miro-1\"\nname = \"rob01\"\n";
    let built = build(&hub, table).await.unwrap();
    let [master, robot] = &built.endpoints[..] else { panic!("{:?}", built.endpoints) };
    assert_eq!((master.robot.as_ref(), master.url.as_str()), (None, robot.url.as_str()));
    assert_eq!(robot.robot.as_ref().unwrap().as_str(), "miro-1");
    assert_eq!(
        robot.try_line,
        format!("ROS_MASTER_URI={} rostopic echo -n1 /miro/rob01/sensors/odom", robot.url)
    );
}
