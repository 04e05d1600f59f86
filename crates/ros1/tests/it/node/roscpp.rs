//! roscpp as a peer in both directions: rosbag's recorder and its player.

use latimer_ros1::msgs::geometry_msgs::PointStamped;

use super::support::{Master, Running, layout, next, wait_for};

#[tokio::test]
async fn a_bag_is_recorded_and_played_back() {
    let master = Master::start().await;
    let robot = Running::at("/robot", &master.uri()).await;
    let publisher = robot.node.advertise("/point", layout("geometry_msgs/PointStamped"), 4, true).unwrap();
    let mut point = PointStamped::default();
    point.header.frame_id = "nose".to_owned();
    point.point.x = 0.125;
    publisher.publish(&point).unwrap();
    let bag = master.file("points.bag");
    master.prints("/usr/lib/rosbag/record", &["-l", "1", "-O", &bag, "/point"]).await;
    let info = master.prints("/usr/bin/rosbag", &["info", &bag]).await;
    let line = format!("geometry_msgs/PointStamped [{}]", layout("geometry_msgs/PointStamped").md5());
    assert!(info.contains(&line), "{line:?} in {info}");
    drop(publisher);
    let mut points = robot.node.subscribe("/point", Some("geometry_msgs/PointStamped"), 4).unwrap();
    let _player = master.run("/usr/lib/rosbag/play", &["--loop", &bag]);
    let played = next(&mut points).await;
    assert!(played.caller.starts_with("/play_"), "{}", played.caller);
    let played = played.decode::<PointStamped>().unwrap();
    assert_eq!((played.header.frame_id.as_str(), played.point.x), ("nose", 0.125));
    wait_for(points.publishers(), |&count| count == 1).await;
}
