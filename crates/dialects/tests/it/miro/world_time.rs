//! A simulated robot lives in the world's time: its streams come by the world's steps, whatever the wall's clock says.

use std::time::Duration;

use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::model::Kind;
use latimer_core::model::signal::{Audio, Battery, Frame, LinkState, Pose};
use latimer_core::{Clock, Hub, PartName, RobotId, Signal, Stamp, Timestamp, Update};
use latimer_dialects::miro::messages::{PlatformMics, PlatformSensors, PlatformState};
use latimer_ros1::msgs::{Time, nav_msgs, rosgraph_msgs};
use latimer_ros1::node::Subscription as Followed;
use latimer_ros1::xmlrpc::Value;
use latimer_simulator_api::RequestQueue;
use serde::de::DeserializeOwned;

use super::rig::{Gateway, Looker, build, in_time, next, play, until};

const ROB01: &str = "[[serve]]\nrobot = \"miro-1\"\nname = \"rob01\"\n";
/// When the world begins, far from what any clock shows.
const BEGIN: Timestamp = Timestamp::from_nanos(1_000_000_000_000);
const STEP: Duration = Duration::from_millis(10);

fn at(steps: u32) -> Timestamp {
    BEGIN.after(STEP * steps)
}

fn ms(stamp: Time) -> i64 {
    i64::from(stamp.secs) * 1_000 + i64::from(stamp.nsecs) / 1_000_000 - BEGIN.as_nanos() / 1_000_000
}

/// Something that the robot says at a step.
fn tell(robot: &Source, hub: &Hub, steps: u32, part: Option<&str>, signal: impl Into<Signal>) {
    let update = Update::now(robot.robot(), hub.clock().now(), signal.into());
    let update = Update { stamp: Stamp::robot(at(steps)), ..update };
    robot.publish(match part {
        Some(part) => update.of_part(PartName::of(part)),
        None => update,
    });
}

/// What came by now, after the wall's clock went on for a while.
async fn received<T: DeserializeOwned>(followed: &mut Followed) -> Vec<T> {
    let mut all = Vec::new();
    while let Ok(message) = tokio::time::timeout(Duration::from_millis(300), followed.next()).await {
        all.push(message.unwrap().decode().unwrap());
    }
    all
}

async fn follow(looker: &Looker, robot: &Source, topic: &str) -> Followed {
    let followed = looker.follow(topic);
    until("the robot is followed", || robot.wants(Kind::Battery, None)).await;
    followed
}

#[tokio::test]
async fn sensors_come_by_the_worlds_steps_with_its_stamps_and_stand_with_it() {
    let hub = Hub::new(Clock::system());
    let robot = play(&hub, "miro-1", "miro");
    let (gateway, world) = Gateway::in_world(&hub, ROB01).await;
    world.reached(at(0));
    let looker = Looker::at(gateway.master(), "/looker").await;
    let mut sensors = follow(&looker, &robot, "/miro/rob01/platform/sensors").await;
    let mut odom = looker.follow("/miro/rob01/sensors/odom");
    let mut state = looker.follow("/miro/rob01/platform/state");
    let paused: Vec<PlatformSensors> = received(&mut sensors).await;
    assert!(paused.is_empty(), "nothing comes from a world that is paused: {paused:?}");
    // Those who came late connect before anything is said.
    assert!(received::<PlatformState>(&mut state).await.is_empty());
    assert!(received::<nav_msgs::Odometry>(&mut odom).await.is_empty());
    for step in 1..=8 {
        tell(&robot, &hub, step, None, Pose::planar(Frame::Odom, f64::from(step), 0.0, 0.0));
        world.reached(at(step));
    }
    let read: Vec<PlatformSensors> = received(&mut sensors).await;
    let stamps: Vec<_> = read.iter().map(|it| ms(it.header.stamp)).collect();
    let first = stamps[0];
    assert_eq!(
        stamps,
        [first, first + 20, first + 40, first + 60][..stamps.len()],
        "20 ms of the world apart"
    );
    assert!(stamps.len() >= 3 && (10..=40).contains(&first), "{stamps:?}");
    for (one, next) in read.iter().zip(read.iter().skip(1)) {
        assert_eq!((next.time_usec - one.time_usec).rem_euclid(1 << 29), 20_000);
        assert_eq!(next.odometry.header.stamp, next.header.stamp);
    }
    // Each tells what was so at its own moment, though the world was further when it was written.
    for it in received::<nav_msgs::Odometry>(&mut odom).await {
        let x_m = it.pose.pose.position.x;
        assert!(x_m * 10.0 <= ms(it.header.stamp) as f64, "{x_m} at {}", ms(it.header.stamp));
    }
    let states: Vec<PlatformState> = received(&mut state).await;
    let last = states.last().unwrap();
    // 1,000 s after midnight are 16 minutes and 40 seconds.
    assert_eq!((last.rtc_hrs, last.rtc_min, last.rtc_sec), (0, 16, 40));
    let paused: Vec<PlatformSensors> = received(&mut sensors).await;
    assert!(paused.is_empty(), "the world stands again: {paused:?}");
    looker.stop().await;
    gateway.stop().await;
}

#[tokio::test]
async fn sound_is_stamped_by_the_world_that_made_it() {
    let hub = Hub::new(Clock::system());
    let robot = play(&hub, "miro-1", "miro");
    let (gateway, world) = Gateway::in_world(&hub, ROB01).await;
    world.reached(at(0));
    let looker = Looker::at(gateway.master(), "/looker").await;
    let mut mics = looker.follow("/miro/rob01/platform/mics");
    until("the ears are wanted", || robot.wants(Kind::Audio, None)).await;
    for tenth in 1..=2 {
        let audio = Audio { sample_rate_hz: 20_000, channels: 2, samples: vec![0; 8_000].into() };
        tell(&robot, &hub, 10 * tenth, Some("mics"), audio);
        let frame: PlatformMics = next(&mut mics, |_| true).await;
        assert_eq!(ms(frame.header.stamp), i64::from(tenth) * 100);
    }
    looker.stop().await;
    gateway.stop().await;
}

#[tokio::test]
async fn every_node_receives_the_world_s_time_if_the_config_says_so() {
    let hub = Hub::new(Clock::system());
    let _robot = play(&hub, "miro-1", "miro");
    let (gateway, world) = Gateway::in_world(&hub, &format!("sim_time = true\n{ROB01}")).await;
    world.reached(at(3));
    let looker = Looker::at(gateway.master(), "/looker").await;
    assert_eq!(looker.node.param("/use_sim_time").await.unwrap(), Some(Value::Boolean(true)));
    let mut clock = looker.follow("/clock");
    // The world stands, and a new subscriber receives its time.
    next(&mut clock, |it: &rosgraph_msgs::Clock| ms(it.clock) == 30).await;
    steps(&world, 4..=6, &mut clock).await;
    // What the node itself says is of that time as well.
    let mut log = looker.follow("/rosout");
    let refused = async {
        gateway_complains(&looker).await;
        next(&mut log, |it: &rosgraph_msgs::Log| it.name == "/latimer").await
    };
    assert_eq!(ms(in_time(refused).await.header.stamp), 60);
    looker.stop().await;
    gateway.stop().await;
}

/// The time of each step is published.
async fn steps(world: &RequestQueue, steps: std::ops::RangeInclusive<u32>, clock: &mut Followed) {
    for step in steps {
        world.reached(at(step));
        next(clock, |it: &rosgraph_msgs::Clock| ms(it.clock) == i64::from(step) * 10).await;
    }
}

/// Has the gateway say something on `/rosout`: lamps that are none are refused.
async fn gateway_complains(looker: &Looker) {
    let layout = latimer_ros1::message::Catalog::common().layout("std_msgs/UInt16MultiArray").unwrap();
    let lights = looker.node.advertise("/miro/rob01/control/lights", layout, 4, false).unwrap();
    let followed = lights.subscribers();
    until("the gateway follows", || *followed.borrow() > 0).await;
    lights.publish(&latimer_dialects::miro::messages::Numbers { data: vec![1] }).unwrap();
    // It is withdrawn when this is dropped, and a message on its way with it.
    tokio::time::sleep(Duration::from_millis(300)).await;
}

#[tokio::test]
async fn without_the_key_nobody_hears_of_it_and_without_a_world_there_is_none() {
    let hub = Hub::new(Clock::system());
    let _robot = play(&hub, "miro-1", "miro");
    let (gateway, _world) = Gateway::in_world(&hub, ROB01).await;
    let looker = Looker::at(gateway.master(), "/looker").await;
    assert_eq!(looker.node.param("/use_sim_time").await.unwrap(), None);
    assert_eq!(
        looker.node.other_publishers("/clock", Duration::from_secs(5)).await.unwrap(),
        Vec::<String>::new()
    );
    looker.stop().await;
    gateway.stop().await;
    let table = format!("sim_time = true\n{ROB01}\n[master]\nlisten = \"127.0.0.1:0\"\n");
    let problem = build(&hub, &table).await.err().unwrap().to_string();
    assert!(problem.contains("miro.sim_time") && problem.contains("world"), "{problem}");
}

#[tokio::test]
async fn a_battery_of_a_robot_that_is_connected_to_comes_by_the_wall_s_clock() {
    let hub = Hub::new(Clock::system());
    let origin = Origin::Connected("elsewhere".to_owned());
    let robot = hub.register(RobotInfo::new(RobotId::new("miro-1").unwrap(), "miro", origin)).unwrap();
    robot.link(LinkState::Up, None);
    let (gateway, world) = Gateway::in_world(&hub, ROB01).await;
    world.reached(at(0));
    let looker = Looker::at(gateway.master(), "/looker").await;
    let mut sensors = looker.follow("/miro/rob01/platform/sensors");
    until("the robot is followed", || robot.wants(Kind::Battery, None)).await;
    let volts = Battery { voltage_v: Some(4.5), ..Battery::UNKNOWN };
    robot.publish(Update::now(robot.robot(), hub.clock().now(), volts.into()));
    let read: PlatformSensors = next(&mut sensors, |it: &PlatformSensors| it.battery_voltage == 4.5).await;
    let age = hub.clock().now().as_nanos() / 1_000_000_000 - i64::from(read.header.stamp.secs);
    assert!((0..60).contains(&age), "{age}");
    looker.stop().await;
    gateway.stop().await;
}
