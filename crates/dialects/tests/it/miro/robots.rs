//! A robot behind a bridge as the hub sees it: one gateway is the bridge, another connects to it.

use latimer_core::model::signal::image::Encoding;
use latimer_core::model::signal::{
    Battery, Cliff, Contact, ContactSensor, Frame, Image, Joint, Light, LinkState, Pose, Range, RangeStatus,
    Velocity,
};
use latimer_core::model::{Kind, ToValue};
use latimer_core::{Clock, Hub, Signal};
use latimer_e2e::ports::free_block;

use super::rig::{Gateway, Observer, play, tell};

fn connect(master: &str) -> String {
    format!("[[connect]]\nrobot = \"real\"\nname = \"rob01\"\naddress = \"{master}\"\n")
}

#[tokio::test]
async fn what_a_bridge_says_becomes_signals_with_their_original_bytes() {
    let (here, there) = (Hub::new(Clock::system()), Hub::new(Clock::system()));
    let robot = play(&here, "miro-1", "miro");
    let bridge = Gateway::serving(&here, "[[serve]]\nrobot = \"miro-1\"\nname = \"rob01\"\n").await;
    let session = Gateway::start(&there, &connect(bridge.master())).await;
    let observer = Observer::of(
        &there,
        "real/battery, real/range, real/cliff, real/light, real/joint, real/pose, real/velocity",
    );
    let events = Observer::of(&there, "real/contact, real/link, real/device, real/status");
    events.received("up", |it| matches!(&it.signal, Signal::Link(link) if link.state == LinkState::Up)).await;
    tell(&robot, "", Battery { voltage_v: Some(4.7), ..Battery::UNKNOWN });
    tell(&robot, "measured", Velocity::of(0.2, -0.5));
    tell(&robot, "", Pose::planar(Frame::Odom, 2.0, 1.0, -3.0));
    tell(&robot, "yaw", Joint::hinge(0.5));
    tell(&robot, "rear_left", Light { level_ratio: 1.0 });
    tell(
        &robot,
        "left",
        Cliff(Range { status: RangeStatus::WeakSignal, status_code: Some(4), ..Range::nothing() }),
    );
    let received = observer
        .received("the voltage", |it| matches!(&it.signal, Signal::Battery(it) if it.voltage_v == Some(4.7)))
        .await;
    let native = received.native.unwrap();
    assert_eq!((native.dialect, &*native.topic), ("miro", "platform/sensors"));
    assert!(native.payload.len() > 1_000, "{}", native.payload.len());
    observer
        .received("nothing in view", |it| {
            matches!(&it.signal, Signal::Range(it) if it.distance_m.is_none() && it.status == RangeStatus::NothingInView)
        })
        .await;
    tell(&robot, "sonar", Range::valid(0.25));
    let number = |signal: &Signal, field: &str| signal.field(field).unwrap().as_f64();
    observer
        .received("a range", |it| it.kind() == Kind::Range && number(&it.signal, "distance_m") == Some(0.25))
        .await;
    observer
        .received("the speed", |it| {
            it.kind() == Kind::Velocity && number(&it.signal, "linear_mps") == Some(0.2)
        })
        .await;
    observer
        .received("the pose", |it| {
            let near =
                |field, number_: f64| number(&it.signal, field).is_some_and(|it| (it - number_).abs() < 1e-6);
            it.kind() == Kind::Pose && near("x_m", 2.0) && near("yaw_rad", -3.0)
        })
        .await;
    observer
        .received("the light", |it| {
            it.kind() == Kind::Light && number(&it.signal, "level_ratio") == Some(1.0)
        })
        .await;
    let is_edge = |it: &latimer_core::model::Update| {
        it.kind() == Kind::Cliff && number(&it.signal, "status_code") == Some(4.0)
    };
    let cliff = observer.received("the edge", is_edge).await;
    assert_eq!(cliff.part.unwrap().as_str(), "left");

    let touch =
        |contacted| Contact { contacted, sensor: ContactSensor::Touch, position: None, frame: Frame::Head };
    // At first all are published, since nothing is known of the state before.
    tell(&robot, "touch_head_2", touch(true));
    let begins = |it: &latimer_core::model::Update| matches!(&it.signal, Signal::Contact(it) if it.contacted);
    let received = events.received("a touch", begins).await;
    assert_eq!(received.part.unwrap().as_str(), "touch_head_2");
    tell(&robot, "touch_head_2", touch(false));
    let ends = |it: &latimer_core::model::Update| {
        it.kind() == Kind::Contact && it.part.as_ref().is_some_and(|part| part.as_str() == "touch_head_2")
    };
    let received = events.received("the end of a touch", ends).await;
    assert!(matches!(received.signal, Signal::Contact(it) if !it.contacted));

    // A camera is followed only while somebody follows it here.
    assert!(!robot.wants(Kind::Image, None), "{:?}", robot.wanted());
    let pictures = Observer::of(&there, "real/image/camera_right");
    let image = Image { encoding: Encoding::Rgb8, width: 8, height: 4, data: vec![0xff; 96].into() };
    super::rig::until("the eye is wanted", || robot.wants(Kind::Image, None)).await;
    tell(&robot, "camera_right", image.clone());
    let received = pictures.received("the picture", |_| true).await;
    assert_eq!(received.signal.to_value(), Signal::from(image).to_value());
    session.stop().await;
    bridge.stop().await;
}

#[tokio::test]
async fn a_bridge_that_goes_is_missed_and_one_that_comes_is_found() {
    let (here, there) = (Hub::new(Clock::system()), Hub::new(Clock::system()));
    let _robot = play(&here, "miro-1", "miro");
    let port = free_block();
    let table =
        format!("[master]\nlisten = \"127.0.0.1:{port}\"\n[[serve]]\nrobot = \"miro-1\"\nname = \"rob01\"\n");
    // The session is there before any master.
    let session = Gateway::start(&there, &connect(&format!("127.0.0.1:{port}"))).await;
    let links = Observer::of(&there, "real/link");
    let is = |state: LinkState| move |it: &latimer_core::model::Update| matches!(&it.signal, Signal::Link(link) if link.state == state);
    let bridge = Gateway::start(&here, &table).await;
    links.received("up", is(LinkState::Up)).await;
    bridge.stop().await;
    let down = links.received("down", is(LinkState::Down)).await;
    let Signal::Link(link) = down.signal else { unreachable!() };
    assert!(
        link.reason.is_some_and(|reason| reason.contains("rob01") || reason.contains("master")),
        "a reason"
    );
    let bridge = Gateway::start(&here, &table).await;
    links.received("up again", is(LinkState::Up)).await;
    session.stop().await;
    bridge.stop().await;
}
