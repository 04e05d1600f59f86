//! A subscriber of images that does not read, beside one that does.

use latimer_ros1::msgs::sensor_msgs::Image;
use latimer_ros1::tcpros::write_header;
use tokio::net::TcpStream;

use super::peers::{Reader, asking, door};
use super::support::{Ours, PATIENCE, layout, wait_for};

const TOPIC: &str = "/camera";

/// More than the sockets' buffers hold, so that the slow one falls behind.
const IMAGES: u32 = 200;

#[tokio::test]
async fn who_does_not_read_loses_its_oldest_and_costs_nobody_anything() {
    let master = Ours::start().await;
    let camera = master.node("/camera_node").await;
    let publisher = camera.node.advertise(TOPIC, layout("sensor_msgs/Image"), 4, false).unwrap();
    let door = door(camera.node.uri(), TOPIC).await;
    let mut slow = TcpStream::connect(door).await.unwrap();
    write_header(&mut slow, &asking(TOPIC, "*"), PATIENCE).await.unwrap();
    let mut fast = Reader::of(door, TOPIC).await;
    wait_for(publisher.subscribers(), |&count| count == 2).await;
    let mut image =
        Image { height: 240, width: 320, step: 960, encoding: "rgb8".to_owned(), ..Image::default() };
    image.data = vec![7; 230_400].into();
    for number in 1..=IMAGES {
        publisher.publish(&image).unwrap();
        let frame = fast.next().await;
        assert_eq!(frame[..4], number.to_le_bytes(), "the fast one gets each, at once");
    }
    let (_, mut frames) = latimer_ros1::tcpros::read_header(slow, 1 << 20, PATIENCE).await.unwrap();
    let mut numbers = Vec::new();
    while numbers.last() != Some(&IMAGES) {
        let frame = futures_util::StreamExt::next(&mut frames).await.unwrap().unwrap();
        numbers.push(u32::from_le_bytes(*frame.first_chunk().unwrap()));
    }
    assert!(numbers.len() < IMAGES as usize, "it lost some");
    assert!(numbers.is_sorted(), "in order: {numbers:?}");
    assert_eq!(
        numbers[numbers.len() - 4..],
        [IMAGES - 3, IMAGES - 2, IMAGES - 1, IMAGES],
        "the newest waited"
    );
}
