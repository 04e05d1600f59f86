//! A robot behind a bridge as the hub sees it: one gateway is the bridge, another connects to it.

use latimer_core::hub::Shared;
use latimer_core::model::signal::image::Encoding;
use latimer_core::model::signal::{
    Battery, Cliff, Contact, ContactSensor, Frame, Image, Joint, Light, LinkState, Pose, Range, RangeStatus,
    Velocity,
};
use latimer_core::model::{Kind, ToValue};
use latimer_core::{Clock, Hub, Signal};
use latimer_e2e::ports::free_block;

use super::rig::{Gateway, Observer, play, publish};

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
    events.is_up().await;
    publish(&robot, None, Battery { voltage_v: Some(4.7), ..Battery::UNKNOWN });
    publish(&robot, Some("measured"), Velocity::of(0.2, -0.5));
    publish(&robot, None, Pose::planar(Frame::Odom, 2.0, 1.0, -3.0));
    publish(&robot, Some("yaw"), Joint::hinge(0.5));
    publish(&robot, Some("rear_left"), Light { level_ratio: 1.0 });
    publish(
        &robot,
        Some("left"),
        Cliff(Range { status: RangeStatus::WeakSignal, status_code: Some(4), ..Range::nothing() }),
    );
    let received =
        observer.update(|it| matches!(&it.signal, Signal::Battery(it) if it.voltage_v == Some(4.7))).await;
    let native = received.native.clone().unwrap();
    assert_eq!((native.dialect, &*native.topic), ("miro", "platform/sensors"));
    assert!(native.payload.len() > 1_000, "{}", native.payload.len());
    observer
        .update(|it| {
            matches!(&it.signal, Signal::Range(it) if it.distance_m.is_none() && it.status == RangeStatus::NothingInView)
        })
        .await;
    publish(&robot, Some("sonar"), Range::valid(0.25));
    let number = |signal: &Signal, field: &str| signal.field(field).unwrap().as_f64();
    observer.update(|it| it.kind() == Kind::Range && number(&it.signal, "distance_m") == Some(0.25)).await;
    observer.update(|it| it.kind() == Kind::Velocity && number(&it.signal, "linear_mps") == Some(0.2)).await;
    observer
        .update(|it| {
            let near =
                |field, number_: f64| number(&it.signal, field).is_some_and(|it| (it - number_).abs() < 1e-6);
            it.kind() == Kind::Pose && near("x_m", 2.0) && near("yaw_rad", -3.0)
        })
        .await;
    observer.update(|it| it.kind() == Kind::Light && number(&it.signal, "level_ratio") == Some(1.0)).await;
    let is_edge = |it: &Shared| it.kind() == Kind::Cliff && number(&it.signal, "status_code") == Some(4.0);
    let cliff = observer.update(is_edge).await;
    assert_eq!(cliff.part.clone().unwrap().as_str(), "left");

    let touch =
        |contacted| Contact { contacted, sensor: ContactSensor::Touch, position: None, frame: Frame::Head };
    // At first all are published, since nothing is known of the state before.
    publish(&robot, Some("touch_head_2"), touch(true));
    let begins = |it: &Shared| matches!(&it.signal, Signal::Contact(it) if it.contacted);
    let received = events.update(begins).await;
    assert_eq!(received.part.clone().unwrap().as_str(), "touch_head_2");
    publish(&robot, Some("touch_head_2"), touch(false));
    let ends = |it: &Shared| {
        it.kind() == Kind::Contact && it.part.as_ref().is_some_and(|part| part.as_str() == "touch_head_2")
    };
    let received = events.update(ends).await;
    assert!(matches!(&received.signal, Signal::Contact(it) if !it.contacted));

    // A camera is followed only while somebody follows it here.
    assert!(!robot.wants(Kind::Image, None), "{:?}", robot.wanted());
    let pictures = Observer::of(&there, "real/image/camera_right");
    let image = Image { encoding: Encoding::Rgb8, width: 8, height: 4, data: vec![0xff; 96].into() };
    super::rig::until("the eye is wanted", || robot.wants(Kind::Image, None)).await;
    publish(&robot, Some("camera_right"), image.clone());
    let received = pictures.update(|_| true).await;
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
    let is =
        |state: LinkState| move |it: &Shared| matches!(&it.signal, Signal::Link(link) if link.state == state);
    let bridge = Gateway::start(&here, &table).await;
    links.update(is(LinkState::Up)).await;
    bridge.stop().await;
    let down = links.update(is(LinkState::Down)).await;
    let Signal::Link(link) = down.signal.clone() else { unreachable!() };
    assert!(
        link.reason.is_some_and(|reason| reason.contains("rob01") || reason.contains("master")),
        "a reason"
    );
    let bridge = Gateway::start(&here, &table).await;
    links.update(is(LinkState::Up)).await;
    session.stop().await;
    bridge.stop().await;
}
