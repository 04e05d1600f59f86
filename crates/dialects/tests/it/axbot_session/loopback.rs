//! A robot here, served as a chassis by one gateway and connected to by another.

use std::sync::Arc;

use bytes::Bytes;
use latimer_core::hub::{Delivery, MailboxLimits, Shared, Sink, Source, Subscription};
use latimer_core::model::signal::{
    Control, ControlMode, FeatureKind, Frame, Joint, LinkState, MapFeature, MapInfo, Navigation,
    NavigationFailure, NavigationKind, NavigationState, OccupancyGrid, Pins, Pose, SleepState,
};
use latimer_core::model::{
    Carry, Command, Destination, FollowState, Kind, LocalizationCommand, Maintenance, MapUse, NavigationGoal,
    Outcome, RelocateBy,
};
use latimer_core::{Clock, Hub, PartName, Signal, Update};
use latimer_dialects::BuildContext;
use latimer_dialects::axbot::calls::{self, Follow, Maintain, WakeUp};
use latimer_dialects::axbot::{AxbotConfig, Connect};

use super::chassis::PATIENCE;
use super::gateway::{refusal, robot};
use crate::own;
use crate::rig::{Running, play, publish, served};

struct Loopback {
    source: Source,
    there: Hub,
    sink: Sink,
    _running: [Running; 2],
}

async fn run(hub: &Hub, config: AxbotConfig) -> Running {
    Running::start(Box::new(config), BuildContext::new(hub)).await
}

impl Loopback {
    async fn looking_at(what: &str) -> Self {
        let here = Hub::new(Clock::system());
        let source = play(&here, "axbot-1", "axbot");
        let control = Control {
            mode: ControlMode::Remote,
            emergency_stop: false,
            wheels_released: None,
            power: Some(SleepState::Awake),
        };
        source.publish(Update::now(&robot(), here.clock().now(), control.into()));
        for part in ["jack", "roller"] {
            let joint = Update::now(&robot(), here.clock().now(), Joint::share(0.0).into());
            source.publish(joint.of_part(PartName::of(part)));
        }
        let idle = navigation(0, NavigationState::Idle);
        source.publish(Update::now(&robot(), here.clock().now(), idle.into()));
        let pins = Pins { inputs: vec![], outputs: vec![vec![false; 16]] };
        source.publish(Update::now(&robot(), here.clock().now(), pins.into()));
        let serving = run(&here, AxbotConfig { serve: served(&robot()), ..AxbotConfig::default() }).await;
        let there = Hub::new(Clock::system());
        let sink = there.sink("test", "observer", MailboxLimits::default());
        for what in what.split(' ').chain(["axbot-1/link"]) {
            sink.subscribe(Subscription::to(what.parse().unwrap()));
        }
        let connect = vec![Connect { robot: robot(), address: serving.authority(), secret: None }];
        let connected = run(&there, AxbotConfig { connect, ..AxbotConfig::default() }).await;
        let loopback = Self { source, there, sink, _running: [serving, connected] };
        let is_up = |it: &Shared| matches!(&it.signal, Signal::Link(link) if link.state == LinkState::Up);
        loopback.hears(|| (), is_up).await;
        loopback
    }

    fn publish(&self, part: Option<&str>, signal: impl Into<Signal>) {
        publish(&self.source, part, signal);
    }

    /// What is heard there, of a sort; said here until it is, because topics take a moment.
    async fn hears(&self, again: impl Fn(), wanted: impl Fn(&Shared) -> bool) -> Arc<Shared> {
        let search = async {
            loop {
                let mut deliveries = Vec::new();
                let waits = tokio::time::timeout(std::time::Duration::from_millis(100), async {
                    self.sink.receive(&mut deliveries).await;
                });
                if waits.await.is_err() {
                    again();
                }
                for delivery in deliveries {
                    match delivery {
                        Delivery::Update(_, update) if wanted(&update) => return update,
                        _ => {}
                    }
                }
            }
        };
        tokio::time::timeout(PATIENCE, search).await.expect("it is heard there")
    }

    fn ask(&self, command: Command) -> tokio::task::JoinHandle<Outcome> {
        let hub = self.there.clone();
        tokio::spawn(async move { hub.command(&robot(), command, PATIENCE).await })
    }

    /// What arrives here of a command that is given there, which is then done.
    async fn arrives(&mut self, command: Command) -> Command {
        let name = command.name();
        let asked = self.ask(command);
        let next = tokio::time::timeout(PATIENCE, self.source.next_command());
        let Ok(request) = next.await else { panic!("{name} does not arrive: {:?}", asked.await) };
        let arrived = request.command.clone();
        request.answer(Outcome::Done);
        let outcome = asked.await.unwrap();
        assert!(outcome.is_ok(), "{name}: {outcome:?}");
        arrived
    }
}

#[tokio::test]
async fn commands_arrive_as_they_were_given() {
    let mut loopback = Loopback::looking_at("axbot-1/control").await;
    let mut commands = vec![
        Command::ControlMode(ControlMode::Auto),
        Command::EmergencyStop(true),
        Command::EmergencyStop(false),
        own(WakeUp {}),
        Command::SetPose { x_m: 1.0, y_m: -2.5, yaw_rad: 0.5 },
        own(Follow::of(FollowState::Pause)),
        own(Follow { x_m: Some(1.0), y_m: Some(2.0), ..Follow::of(FollowState::Pose) }),
        own(calls::Pins { enable: Some(vec![3]), disable: Some(vec![4, 5]) }),
        Command::Localization(LocalizationCommand::Relocate(RelocateBy { marks: true, scan: false })),
        Command::Localization(LocalizationCommand::Mapping(true)),
        Command::Localization(LocalizationCommand::Mapping(false)),
    ];
    commands.extend(Carry::ALL.iter().copied().map(|action| own(calls::Carry { action })));
    commands.extend(Maintenance::ALL.iter().copied().map(|action| own(Maintain { action })));
    for command in commands {
        assert_eq!(loopback.arrives(command.clone()).await, command);
    }
}

#[tokio::test]
async fn drives_by_hand_arrive_and_are_refused_in_the_robots_words() {
    let mut loopback = Loopback::looking_at("axbot-1/control").await;
    let drive = Command::Drive { linear_mps: 0.25, angular_radps: -0.5, duration: None };
    let arrived = loopback.arrives(drive).await;
    let Command::Drive { linear_mps: 0.25, angular_radps: -0.5, .. } = arrived else { panic!("{arrived:?}") };
    let stop = loopback.ask(Command::Stop { hold: false });
    loop {
        let request = tokio::time::timeout(PATIENCE, loopback.source.next_command()).await.unwrap();
        let stands = matches!(*request.command, Command::Drive { linear_mps: 0.0, angular_radps: 0.0, .. });
        request.answer(Outcome::Accepted);
        if stands {
            break;
        }
    }
    assert!(stop.await.unwrap().is_ok());
}

fn navigation(id: i64, state: NavigationState) -> Navigation {
    Navigation {
        failure: (state == NavigationState::Failed).then_some(NavigationFailure::NoWay),
        reason: (state == NavigationState::Failed).then(|| "a chair".into()),
        remaining_m: Some(1.5),
        ..Navigation::new(id, NavigationKind::Goto, state)
    }
}

#[tokio::test]
async fn drives_keep_their_numbers_on_both_sides() {
    let mut loopback = Loopback::looking_at("axbot-1/navigation").await;
    let destination = Destination::Point { x_m: 1.5, y_m: 2.0, yaw_rad: Some(0.5) };
    let goal = NavigationGoal {
        id: Some(4711),
        destination: destination.clone(),
        accuracy_m: Some(0.25),
        zone: true,
    };
    let Command::Navigate(arrived) = loopback.arrives(Command::Navigate(goal)).await else { panic!() };
    assert_eq!((&arrived.destination, arrived.accuracy_m), (&destination, Some(0.25)));
    let id = arrived.id.unwrap();
    assert_ne!(id, 4711);
    for state in [NavigationState::Moving, NavigationState::Failed] {
        let incoming = loopback
            .hears(
                || loopback.publish(None, navigation(id, state)),
                |it| matches!(&it.signal, Signal::Navigation(it) if it.id == 4711 && it.state == state),
            )
            .await;
        let Signal::Navigation(incoming) = &incoming.signal else { unreachable!() };
        assert_eq!(incoming.failure, navigation(id, state).failure);
    }
    let asked = loopback.ask(Command::Navigate(NavigationGoal::to(Destination::Target)));
    let request = loopback.source.next_command().await;
    request.answer(Outcome::not_now("the stairs are ahead"));
    assert!(refusal(asked.await.unwrap()).contains("the stairs are ahead"));
}

#[tokio::test]
async fn maps_arrive_cell_by_cell_and_go_back() {
    let mut loopback = Loopback::looking_at("axbot-1/map/** axbot-1/map_info").await;
    let grid = OccupancyGrid {
        resolution_m: 0.05,
        width: 3,
        height: 2,
        origin_x_m: -1.0,
        origin_y_m: -2.0,
        cells: Bytes::from_static(&[0, 100, 255, 0, 0, 100]),
        ..OccupancyGrid::UPRIGHT
    };
    for part in ["map", "incremental_map", "costmap_5cm"] {
        let is_it = |it: &Shared| it.kind() == Kind::Map && it.part == Some(PartName::of(part));
        let incoming = loopback.hears(|| loopback.publish(Some(part), grid.clone()), is_it).await;
        let Signal::Map(incoming) = &incoming.signal else { unreachable!() };
        assert_eq!((incoming.width, incoming.height, incoming.origin_y_m), (3, 2, -2.0), "{part}");
        if part == "map" {
            assert_eq!(*incoming, grid);
        }
    }
    let info = MapInfo {
        name: "Hall".into(),
        uid: Some("elsewhere".into()),
        version: Some(1),
        features_version: Some(1),
        features: vec![MapFeature {
            kind: FeatureKind::Place,
            id: None,
            name: Some("Desk".into()),
            pose: Some(Pose::planar(Frame::Map, 1.0, 2.0, 0.5)),
            points_m: Vec::new(),
            mac: None,
        }],
    };
    let set = Command::UseMap(Some(Box::new(MapUse { info: info.clone(), grid: Some(grid.clone()) })));
    let Command::UseMap(Some(arrived)) = loopback.arrives(set).await else { panic!() };
    assert_eq!((&arrived.info.name, arrived.info.features.len()), (&info.name, 1));
    assert_eq!(arrived.grid.as_ref().unwrap().cells, grid.cells);
    let incoming =
        loopback.hears(|| loopback.publish(None, info.clone()), |it| it.kind() == Kind::MapInfo).await;
    let Signal::MapInfo(incoming) = &incoming.signal else { unreachable!() };
    assert_eq!(incoming.features[0].name.as_deref(), Some("Desk"));
    let go = Command::Navigate(NavigationGoal::to(Destination::Place("Desk".into())));
    let Command::Navigate(arrived) = loopback.arrives(go).await else { panic!() };
    let Destination::Point { x_m, y_m, .. } = arrived.destination else { panic!("{arrived:?}") };
    assert_eq!((x_m, y_m), (1.0, 2.0));
}
