//! What a robot publishes goes through one dialect, and what comes out of that through another: random values stay what they were.
//!
//! ```text
//! robot ──▶ hub ──first──▶ hub ──second──▶ hub
//!  └──────◀ hub ◀─first─── hub ◀─second──── hub ◀── drives
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use latimer_core::frames::{FrameTree, Placement, Pose2, RobotFrames};
use latimer_core::hub::Shared;
use latimer_core::model::profile::PlacedSensor;
use latimer_core::model::signal::{
    Accel, AngularRate, Battery, Color, Contact, ContactSensor, Encoders, Frame, Imu, Joint, Lamp, LinkState,
    Orientation, Pose, PowerState, Range, Text, TextChannel, Velocity, WheelEncoder,
};
use latimer_core::model::{Kind, PartName, ToValue as _};
use latimer_core::{Clock, Command, Hub, Outcome, Signal, Update, Value};
use latimer_dialects::{DIALECTS, Entry, Offers};
use latimer_testing::rounds;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::house::{House, Loopback, Observer, PATIENCE, robot};
use super::samples;

/// Sets of values, and drives, for each pair of dialects.
const CASES: u32 = 3;

/// What a robot publishes at one time: of each kind a value, and the part that it is about.
fn published() -> impl Strategy<Value = Vec<(Option<&'static str>, Signal)>> {
    let place = (0.1..8.0_f64, -8.0..8.0_f64, -3.0..3.0_f64);
    let power = (0.05..1.0_f64, 3.5..12.0_f64);
    let senses = (0.06..0.3_f64, -0.6..0.6_f64, -0.4..0.4_f64, -0.9..0.9_f64, 0..1_000_000_u32);
    let colors = (any::<[u8; 3]>(), any::<[u8; 3]>());
    let wheels = (1.0..90.0_f64, 1.0..90.0_f64, any::<bool>());
    (place, power, senses, colors, wheels).prop_map(|(place, power, senses, colors, wheels)| {
        let (x_m, y_m, yaw_rad) = place;
        let (charge, voltage) = power;
        let (range_m, pan_rad, linear_mps, angular_radps, number) = senses;
        let ([red, green, blue], seen) = colors;
        let (left_rad, right_rad, contacted) = wheels;
        let attitude = Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad };
        let wheel = |rad| WheelEncoder { rotation_rad: Some(rad), velocity_radps: Some(0.5) };
        let seen = Color { red: seen[0], green: seen[1], blue: seen[2], ambient_ratio: Some(charge) };
        vec![
            (None, Pose::planar(Frame::Map, x_m, y_m, yaw_rad).into()),
            (
                None,
                Battery {
                    charge_ratio: Some(charge),
                    voltage_v: Some(voltage),
                    state: PowerState::Discharging,
                    ..Battery::UNKNOWN
                }
                .into(),
            ),
            (
                None,
                Imu {
                    orientation: Some(attitude),
                    angular_velocity: Some(AngularRate {
                        x_radps: 0.0,
                        y_radps: 0.0,
                        z_radps: angular_radps,
                    }),
                    linear_acceleration: Some(Accel { x_mps2: linear_mps, y_mps2: 0.0, z_mps2: 9.81 }),
                }
                .into(),
            ),
            (Some("front"), Range::valid(range_m).into()),
            (Some("front"), seen.into()),
            (Some("head_yaw"), Joint::hinge(pan_rad).into()),
            (None, Velocity::of(linear_mps, angular_radps).into()),
            (None, Encoders { left: wheel(left_rad), right: wheel(right_rad) }.into()),
            (Some("neopixel"), Lamp { red, green, blue }.into()),
            (
                Some("bump_front_left"),
                Contact { contacted, sensor: ContactSensor::Bumper, position: None, frame: Frame::BaseLink }
                    .into(),
            ),
            (
                Some("serial"),
                Text {
                    channel: TextChannel::Serial,
                    text: format!("line {number}").into(),
                    data: None,
                    truncated: None,
                }
                .into(),
            ),
        ]
    })
}

/// How many numbers, texts and switches of what was published came through.
fn leaves(published: &Value, came: &Value) -> usize {
    match (published, came) {
        (Value::Null, _) | (_, Value::Null) => 0,
        (Value::List(a), Value::List(b)) => a.iter().zip(b).map(|(a, b)| leaves(a, b)).sum(),
        (Value::Map(a), Value::Map(b)) => {
            let same =
                |(name, a): &(_, Value)| b.iter().find(|(it, _)| it == name).map_or(0, |(_, b)| leaves(a, b));
            a.iter().map(same).sum()
        }
        _ => 1,
    }
}

/// Whether an update is what was published, as far as its dialects have fields for it.
fn is_same(published: &Signal, came: &Signal) -> bool {
    // Both frames begin at the same place.
    let placed = |signal: &Signal| match signal {
        Signal::Pose(pose) => Pose { frame: Frame::Map, ..*pose }.into(),
        other => other.clone(),
    };
    let (published, came) = (placed(published).to_value(), placed(came).to_value());
    samples::alike(&published, &came) && leaves(&published, &came) > 0
}

/// Whether a dialect has a message for an update; a pose may be a part of one that is composed of several updates.
fn says(dialect: &Entry, house: &House, update: &Update) -> bool {
    let is_said = || house.translator.translate(&house.hub, &Shared::new(update.clone(), 1)).is_some();
    dialect.has_message_of(update.kind()) && (update.kind() == Kind::Pose || is_said())
}

/// The map and the dead reckoning of the robot begin at the origin of the world.
fn place(hub: &Hub) {
    let origin = || Some(Placement::in_world(Pose2::default()));
    let frames = RobotFrames { map: origin(), odom: origin() };
    hub.set_frames(FrameTree::new(BTreeMap::new(), BTreeMap::from([(robot(), frames)])).unwrap());
}

/// The robot, the gateway that is connected to it, and a gateway that is connected to that.
struct Chain {
    first: &'static Entry,
    second: &'static Entry,
    near: Loopback,
    here: House,
    there: House,
    /// They are demanded of everything.
    observers: [Observer; 2],
}

impl Chain {
    async fn of(first: &'static Entry, second: &'static Entry) -> Self {
        let near = Loopback::start(first, None).await;
        [&near.here.hub, &near.there.hub].into_iter().for_each(place);
        let between = Observer::of(&near.there);
        let here = House::serving(second, near.there.hub.clone()).await;
        let there = House::connected(second, &here.authority()).await;
        place(&there.hub);
        let observers = [between, Observer::of(&there)];
        let chain = Self { first, second, near, here, there, observers };
        // A robot that knows no place is not in a swarm, and the origin is where a Misty is that knows none.
        let somewhere = chain.update(None, Pose::planar(Frame::Map, 1.0, 1.0, 1.0).into());
        let is_up =
            |update: &Shared| matches!(&update.signal, Signal::Link(link) if link.state == LinkState::Up);
        chain.observers[1].update(|| chain.near.publish(somewhere.clone()), is_up).await;
        chain
    }

    /// What is published, of a part that robots of the first dialect have.
    fn update(&self, part: Option<&str>, signal: Signal) -> Update {
        let now = Clock::system().now();
        let profile = self.first.profile();
        let own = match signal.kind() {
            Kind::Range => {
                profile.ranges.iter().find(|it| it.kind == Kind::Range).and_then(|it| it.part.clone())
            }
            Kind::Joint => profile.joints.first().map(|it| it.part.clone()),
            Kind::Contact => {
                let is_bumper = |it: &&PlacedSensor| it.part.as_str().starts_with("bump");
                profile.placed.iter().find(is_bumper).map(|it| it.part.clone())
            }
            _ => None,
        };
        let part = own.or_else(|| part.map(PartName::of));
        Update { part, ..Update::now(&robot(), now, signal) }
    }

    /// Publishes an update; a contact changes each time, since dialects send contacts at a change alone.
    fn publish(&self, update: &Update) {
        if let Signal::Contact(contact) = &update.signal {
            let before = Contact { contacted: !contact.contacted, ..contact.clone() };
            self.near.publish(Update { signal: before.into(), ..update.clone() });
        }
        self.near.publish(update.clone());
    }

    /// What is published comes out at the end, if both dialects have words for it; the kinds that did.
    async fn carries(&self, published: &[Update]) -> Vec<Kind> {
        let say_all = || published.iter().for_each(|update| self.publish(update));
        let mut carried = Vec::new();
        for update in published {
            if !says(self.first, &self.near.here, update) {
                continue;
            }
            let middle = self.comes(&self.near.there.hub, update, say_all).await;
            if !says(self.second, &self.here, &middle) {
                continue;
            }
            self.comes(&self.there.hub, update, say_all).await;
            carried.push(update.kind());
        }
        carried
    }

    /// The update as it comes out.
    async fn comes(&self, hub: &Hub, update: &Update, say: impl Fn()) -> std::sync::Arc<Shared> {
        let clock = Clock::system();
        let deadline = clock.now().after(PATIENCE / 2);
        loop {
            let last = hub.last_of_parts(&robot(), update.kind());
            if let Some(came) = last.iter().find(|came| is_same(&update.signal, &came.signal)) {
                return came.clone();
            }
            assert!(
                clock.now() < deadline,
                "{}, then {}: {} {}\ndoes not come; there are {:#?}",
                self.first.name,
                self.second.name,
                update.key(),
                update.signal.to_value(),
                last.iter().map(|it| format!("{} {}", it.key(), it.signal.to_value())).collect::<Vec<_>>(),
            );
            say();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Whether the robot gets something of a command: what is published before a facade has subscribed at its broker is lost.
    async fn hears(&mut self, command: Command) -> bool {
        let hub = self.there.hub.clone();
        tokio::spawn(async move { hub.command(&robot(), command, PATIENCE).await });
        let request = tokio::time::timeout(Duration::from_millis(500), self.near.source.next_command()).await;
        request.map(|request| request.answer(Outcome::Done)).is_ok()
    }

    /// The robot gets a command that a program gives to the gateway at the end.
    async fn obeys(&mut self, command: &Command) {
        let hub = self.there.hub.clone();
        let given = command.clone();
        let outcome = tokio::spawn(async move { hub.command(&robot(), given, PATIENCE).await });
        let mut others = Vec::new();
        let search = async {
            loop {
                let request = self.near.source.next_command().await;
                let (is_it, got) = (is_given(command, &request.command), request.command.clone());
                request.answer(Outcome::Done);
                if is_it {
                    return;
                }
                others.push(got);
            }
        };
        let came = tokio::time::timeout(PATIENCE / 2, search).await;
        let by = format!("{}, then {}", self.second.name, self.first.name);
        assert!(came.is_ok(), "{by}: {command:?} does not come; {others:?} did");
        let outcome = tokio::time::timeout(PATIENCE, outcome).await.unwrap().unwrap();
        assert!(outcome.is_ok(), "{by}: {command:?}: {outcome:?}");
    }

    async fn stop(self) {
        self.there.stop().await;
        self.here.stop().await;
        self.near.stop().await;
    }
}

/// Dialects in which a robot can be served that is connected to by another.
fn others(first: &Entry) -> impl Iterator<Item = &'static Entry> {
    let is_other = move |it: &&&Entry| it.name != first.name && it.offers == Offers::Both;
    DIALECTS.iter().filter(is_other).copied()
}

pub(super) async fn what_goes_through_another_dialect_comes_out_the_same(first: &'static Entry) {
    if first.offers != Offers::Both {
        return;
    }
    let mut runner = TestRunner::deterministic();
    for second in others(first) {
        let is_common = |kind| first.has_message_of(kind) && second.has_message_of(kind);
        // Robots of a household publish their tasks alone, which no other dialect has words for.
        if !is_common(Kind::Pose) {
            continue;
        }
        let chain = Chain::of(first, second).await;
        for _ in 0..rounds(CASES) {
            let published = published().new_tree(&mut runner).unwrap().current();
            let published: Vec<Update> =
                published.into_iter().map(|(part, signal)| chain.update(part, signal)).collect();
            let carried = chain.carries(&published).await;
            assert!(carried.contains(&Kind::Pose), "{} and {}", first.name, second.name);
        }
        chain.stop().await;
    }
}

/// What a program drives and lights a robot with.
fn given() -> impl Strategy<Value = Vec<Command>> {
    (-0.18..0.18_f64, -0.5..0.5_f64, any::<[u8; 3]>()).prop_map(|(linear_mps, angular_radps, rgb)| {
        vec![
            Command::Drive { linear_mps, angular_radps, duration: None },
            Command::Lamp { part: None, rgb },
            Command::Stop { hold: false },
        ]
    })
}

/// Whether a command is the one that was given: speeds to 1 cm/s and 0.02 rad/s.
fn is_given(given: &Command, got: &Command) -> bool {
    match (given, got) {
        (
            Command::Drive { linear_mps, angular_radps, .. },
            Command::Drive { linear_mps: linear, angular_radps: angular, .. },
        ) => (linear_mps - linear).abs() < 0.01 && (angular_radps - angular).abs() < 0.02,
        (Command::Lamp { rgb, .. }, Command::Lamp { rgb: got, .. }) => rgb == got,
        (Command::Stop { .. }, got) => got.is_stop(),
        _ => false,
    }
}

pub(super) async fn commands_through_another_dialect_are_the_same(first: &'static Entry) {
    if first.offers != Offers::Both {
        return;
    }
    let mut runner = TestRunner::deterministic();
    for second in others(first) {
        let has = |name: &str| [first, second].iter().all(|it| it.command_names().any(|it| it == name));
        // A wire of states does not tell a robot to stop that was not told to go.
        let is_common = |command: &Command| has(command.name()) && (!command.is_stop() || has("drive"));
        if !first.has_message_of(Kind::Pose) || !["drive", "lamp"].into_iter().any(has) {
            continue;
        }
        let mut next = || given().new_tree(&mut runner).unwrap().current().into_iter().filter(is_common);
        let mut chain = Chain::of(first, second).await;
        while !chain.hears(next().next().unwrap()).await {}
        for _ in 0..rounds(CASES) {
            for command in next() {
                chain.obeys(&command).await;
            }
        }
        chain.stop().await;
    }
}
