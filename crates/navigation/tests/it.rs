//! Robots without a navigation of their own are driven to goals.

use std::time::Duration;

use latimer_core::frames::{Placement, Pose2, RobotFrames};
use latimer_core::hub::{Delivery, MailboxLimits, Origin, RobotInfo, Sink, Source, Subscription};
use latimer_core::model::profile::Ability;
use latimer_core::model::signal::{
    Frame, LinkState, Navigation, NavigationFailure, NavigationState, OccupancyGrid, Pose, Scan,
};
use latimer_core::model::{Author, Destination, Kind, KindSet, NavigationGoal, Refusal, RobotProfile};
use latimer_core::service::Service;
use latimer_core::{Clock, Command, Hub, Outcome, RobotId, Signal, Update};
use latimer_navigation::service::Navigating;
use latimer_testing::PATIENCE;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Side of the map's cells, metres.
const CELL_M: f64 = 0.1;

/// Between two rays of a scanner.
const RAY_RAD: f64 = 0.02;

/// A base that goes as it is commanded, and stands when that ends.
struct Base {
    at: watch::Receiver<Pose2>,
    /// Where a post of 20 cm stands that its scanner sees.
    post: watch::Sender<Option<[f64; 2]>>,
}

struct Site {
    hub: Hub,
    reports: Sink,
    stop: CancellationToken,
}

impl Site {
    fn new() -> Self {
        let hub = Hub::new(Clock::system());
        let reports = hub.sink("test", "observer", MailboxLimits::default());
        reports.subscribe(Subscription::to("*/navigation/**".parse().expect("it is a selection")));
        let stop = CancellationToken::new();
        let navigating = Navigating::of(&hub).expect("it is the first");
        assert!(Navigating::of(&hub).is_none(), "there is one");
        tokio::spawn(Box::new(navigating).run(stop.clone()));
        Self { hub, reports, stop }
    }

    /// A base at a pose of its dead reckoning, which began at the origin of the world.
    fn base(&self, name: &str, start: Pose2) -> Base {
        let kinds = KindSet::default().with(Kind::Pose).with(Kind::Scan);
        let profile = RobotProfile { abilities: vec![Ability::Drive], kinds, ..RobotProfile::default() };
        let odom = Some(Placement::in_world(Pose2::default()));
        let info = RobotInfo::new(id(name), "test", Origin::Connected("tcp://192.0.2.1".into()))
            .placed(RobotFrames { map: None, odom })
            .with(profile);
        let source = self.hub.register(info).expect("the name is free");
        source.link(LinkState::Up, None);
        let (moved, at) = watch::channel(start);
        let (post, seen) = watch::channel(None);
        tokio::spawn(drive(id(name), source, moved, seen));
        Base { at, post }
    }

    /// A map of 6 by 4 metres with a wall at x = 3 m that leaves a gap at the top, made by another robot.
    fn map(&self) -> Source {
        let profile = RobotProfile { kinds: KindSet::default().with(Kind::Map), ..RobotProfile::default() };
        let source = self.hub.register(RobotInfo::new(id("mapper"), "test", Origin::Simulated).with(profile));
        let source = source.expect("the name is free");
        source.link(LinkState::Up, None);
        let (width, height) = (60_u32, 40_u32);
        let cell = |i: u32| if i % width == 30 && i / width < 30 { 100 } else { 0 };
        let map = OccupancyGrid {
            frame: Frame::Map,
            resolution_m: CELL_M,
            width,
            height,
            origin_x_m: 0.0,
            origin_y_m: 0.0,
            origin_yaw_rad: 0.0,
            cells: (0..width * height).map(cell).collect::<Vec<u8>>().into(),
        };
        source.publish(Update::now(&id("mapper"), self.hub.clock().now(), map.into()));
        source
    }

    async fn go(&self, robot: &str, x_m: f64, y_m: f64) -> Outcome {
        let to = Destination::Point { x_m, y_m, yaw_rad: Some(1.0) };
        self.ask(robot, Command::Navigate(NavigationGoal { id: Some(7), ..NavigationGoal::to(to) })).await
    }

    async fn ask(&self, robot: &str, command: Command) -> Outcome {
        self.hub.command_client(Author::new("test", "client")).command(&id(robot), command, PATIENCE).await
    }

    /// The first report of a state that the drive has no more after it.
    async fn end(&self) -> Navigation {
        let mut deliveries = Vec::new();
        let search = async {
            loop {
                self.reports.receive(&mut deliveries).await;
                for delivery in deliveries.drain(..) {
                    let Delivery::Update(_, update) = delivery else { continue };
                    if let Signal::Navigation(report) = &update.signal
                        && report.state != NavigationState::Moving
                    {
                        return report.clone();
                    }
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(300), search).await.expect("each drive ends")
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn id(name: &str) -> RobotId {
    RobotId::new(name).expect("it is a name")
}

/// Moves a base 20 times a second, and publishes where it is.
async fn drive(
    robot: RobotId,
    mut source: Source,
    moved: watch::Sender<Pose2>,
    post: watch::Receiver<Option<[f64; 2]>>,
) {
    let clock = Clock::system();
    let mut tick = tokio::time::interval(Duration::from_millis(50));
    let (mut speeds, mut until) = ([0.0, 0.0], clock.now());
    loop {
        tokio::select! {
            request = source.next_command() => {
                match &*request.command {
                    Command::Drive { linear_mps, angular_radps, duration: Some(lasts) } => {
                        (speeds, until) = ([*linear_mps, *angular_radps], clock.now().after(*lasts));
                    }
                    Command::Drive { linear_mps, angular_radps, duration: None } => {
                        (speeds, until) = ([*linear_mps, *angular_radps], clock.now().after(Duration::from_secs(3600)));
                    }
                    Command::Stop { .. } => speeds = [0.0, 0.0],
                    _ => {
                        request.answer(Outcome::unsupported("it only drives"));
                        continue;
                    }
                }
                request.answer(Outcome::Done);
            }
            _ = tick.tick() => {
                let [linear_mps, angular_radps] = if clock.now() < until { speeds } else { [0.0, 0.0] };
                moved.send_modify(|at| {
                    let [x_m, y_m] = at.point_out(linear_mps * 0.05, 0.0);
                    *at = Pose2::new(x_m, y_m, at.yaw_rad + angular_radps * 0.05);
                });
                let Pose2 { x_m, y_m, yaw_rad } = *moved.borrow();
                let pose = Pose::planar(Frame::Odom, x_m, y_m, yaw_rad);
                source.publish(Update::now(&robot, clock.now(), pose.into()));
                if let Some(post) = *post.borrow() {
                    source.publish(Update::now(&robot, clock.now(), scan(*moved.borrow(), post).into()));
                }
            }
        }
    }
}

/// What a scanner that looks ahead sees of a post.
fn scan(base: Pose2, [x_m, y_m]: [f64; 2]) -> Scan {
    let range = |ray: i32| {
        let yaw_rad = base.yaw_rad + f64::from(ray - 30) * RAY_RAD;
        let [x, y] = Pose2 { yaw_rad, ..base }.point_in(x_m, y_m);
        if x > 0.0 && y.abs() < 0.1 { x as f32 - 0.1 } else { f32::INFINITY }
    };
    Scan {
        angle_min_rad: -30.0 * RAY_RAD,
        angle_increment_rad: RAY_RAD,
        range_min_m: 0.05,
        range_max_m: 8.0,
        ranges_m: (0..61).map(range).collect(),
        pose: None,
    }
}

#[tokio::test(start_paused = true)]
async fn a_base_goes_around_the_walls_of_another_robots_map() {
    let site = Site::new();
    let _map = site.map();
    let mut base = site.base("base", Pose2::new(1.0, 1.0, 0.0));
    assert_eq!(site.go("base", 5.0, 1.0).await, Outcome::Accepted);
    let seen = tokio::spawn(async move {
        let mut top_m = f64::NEG_INFINITY;
        while base.at.changed().await.is_ok() {
            let at = *base.at.borrow();
            if (at.x_m - 3.0).abs() < 0.1 {
                top_m = top_m.max(at.y_m);
            }
            if at.distance_to(5.0, 1.0) < 0.1 && (at.yaw_rad - 1.0).abs() < 0.1 {
                break;
            }
        }
        (top_m, base)
    });
    let end = site.end().await;
    assert_eq!((end.id, end.state, end.failure), (7, NavigationState::Succeeded, None), "{end:?}");
    let (top_m, _base) = seen.await.unwrap();
    assert!(top_m > 3.0, "it crossed the wall's line at y = {top_m} m");
}

#[tokio::test(start_paused = true)]
async fn without_a_map_the_floor_is_free() {
    let site = Site::new();
    let base = site.base("base", Pose2::new(0.0, 0.0, 2.0));
    assert_eq!(site.go("base", 3.0, -2.0).await, Outcome::Accepted);
    assert_eq!(site.end().await.state, NavigationState::Succeeded);
    let at = *base.at.borrow();
    assert!(at.distance_to(3.0, -2.0) < 0.15, "{at:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stop_or_another_command_ends_the_drive() {
    let site = Site::new();
    let mut base = site.base("base", Pose2::default());
    let stop = || Command::Stop { hold: false };
    let back =
        || Command::Drive { linear_mps: -0.1, angular_radps: 0.0, duration: Some(Duration::from_secs(5)) };
    for (command, moves_on) in [(stop(), false), (Command::CancelNavigation, false), (back(), true)] {
        assert_eq!(site.go("base", 30.0, 0.0).await, Outcome::Accepted);
        let start = base.at.borrow_and_update().x_m;
        while base.at.borrow().x_m < start + 0.5 {
            base.at.changed().await.unwrap();
        }
        assert!(site.ask("base", command.clone()).await.is_ok());
        assert_eq!(site.end().await.state, NavigationState::Cancelled, "{command:?}");
        let before = base.at.borrow().x_m;
        tokio::time::sleep(Duration::from_secs(2)).await;
        let went_m = base.at.borrow().x_m - before;
        assert_eq!(moves_on, went_m < -0.05, "{command:?}: {went_m} m");
        assert!(went_m < 0.05, "{command:?}: {went_m} m on");
        site.ask("base", stop()).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_newer_goal_takes_the_place_of_the_one_before() {
    let site = Site::new();
    let base = site.base("base", Pose2::default());
    assert_eq!(site.go("base", 30.0, 0.0).await, Outcome::Accepted);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let to = Destination::Point { x_m: 0.0, y_m: 1.0, yaw_rad: None };
    let goal = NavigationGoal { id: Some(8), ..NavigationGoal::to(to) };
    assert_eq!(site.ask("base", Command::Navigate(goal)).await, Outcome::Accepted);
    let (first, second) = (site.end().await, site.end().await);
    assert_eq!(
        [(first.id, first.state), (second.id, second.state)],
        [(7, NavigationState::Cancelled), (8, NavigationState::Succeeded)]
    );
    assert!(base.at.borrow().distance_to(0.0, 1.0) < 0.15);
}

#[tokio::test(start_paused = true)]
async fn who_is_answered_sees_the_new_drive_and_not_the_end_of_the_one_before() {
    let site = Site::new();
    let _base = site.base("base", Pose2::default());
    for (number, x_m) in [(1, 0.5), (2, 2.0), (3, 0.0)] {
        let to = Destination::Point { x_m, y_m: 0.0, yaw_rad: None };
        let goal = NavigationGoal { id: Some(number), ..NavigationGoal::to(to) };
        let left_m = site.hub.pose(&id("base")).map_or(0.5, |pose| (x_m - pose.x_m).abs());
        assert_eq!(site.ask("base", Command::Navigate(goal)).await, Outcome::Accepted);
        let last =
            site.hub.last(&id("base"), Kind::Navigation, None).expect("it was published before the answer");
        let Signal::Navigation(report) = &last.signal else { panic!("{last:?}") };
        assert_eq!((report.id, report.state), (number, NavigationState::Moving));
        let remaining_m = report.remaining_m.expect("it is on the way");
        assert!((remaining_m - left_m).abs() < 0.1, "{remaining_m} of {left_m} m");
        assert_eq!(site.end().await.id, number);
    }
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_reached_is_refused_or_fails_with_the_reason() {
    let site = Site::new();
    let map = site.map();
    let _base = site.base("base", Pose2::new(1.0, 1.0, 0.0));
    assert_eq!(site.go("base", 3.05, 1.0).await, Outcome::Accepted);
    let end = site.end().await;
    assert_eq!((end.state, end.failure), (NavigationState::Failed, Some(NavigationFailure::GoalBlocked)));
    drop(map);
    let refused = |outcome: Outcome, word: &str| match outcome {
        Outcome::Refused(Refusal { reason, .. }) => assert!(reason.contains(word), "{reason}"),
        other => panic!("{other:?}"),
    };
    refused(site.go("base", 900.0, 0.0).await, "at most 200 m");
    refused(site.go("base", f64::NAN, 0.0).await, "metres");
    let rack = Destination::Rack { pose: [1.0, 1.0, 0.0] };
    refused(site.ask("base", Command::Navigate(NavigationGoal::to(rack))).await, "points and routes");
    // A robot that nobody placed, and one that has no wheels.
    let profile = RobotProfile { abilities: vec![Ability::Drive], ..RobotProfile::default() };
    let lost = site
        .hub
        .register(
            RobotInfo::new(id("lost"), "test", Origin::Connected("tcp://192.0.2.1".into())).with(profile),
        )
        .unwrap();
    lost.link(LinkState::Up, None);
    refused(site.go("lost", 1.0, 0.0).await, "does not know where it is");
    let lamp = site
        .hub
        .register(RobotInfo::new(id("lamp"), "test", Origin::Connected("tcp://192.0.2.1".into())))
        .unwrap();
    lamp.link(LinkState::Up, None);
    assert!(!site.hub.profile(&id("lamp")).can(Ability::Navigate));
    assert!(site.hub.profile(&id("base")).can(Ability::Navigate));
}

#[tokio::test(start_paused = true)]
async fn a_planner_that_panics_ends_its_drive_and_stops_the_robot() {
    let site = Site::new();
    let mut base = site.base("base", Pose2::default());
    latimer_panics::fail_next("making a map of the floor");
    match site.go("base", 3.0, 0.0).await {
        Outcome::Refused(Refusal { reason, .. }) => assert!(reason.contains("making a map"), "{reason}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(site.go("base", 30.0, 0.0).await, Outcome::Accepted);
    while base.at.borrow_and_update().x_m < 0.5 {
        base.at.changed().await.unwrap();
    }
    latimer_panics::fail_next("planning a way");
    let end = site.end().await;
    assert_eq!((end.state, end.failure), (NavigationState::Failed, Some(NavigationFailure::Other)));
    let reason = end.reason.unwrap();
    assert!(reason.contains("while planning a way"), "{reason}");
    let stood = *base.at.borrow();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(base.at.borrow().distance_to(stood.x_m, stood.y_m) < 0.05, "it stands");
    assert_eq!(site.go("base", stood.x_m + 1.0, 0.0).await, Outcome::Accepted);
    assert_eq!(site.end().await.state, NavigationState::Succeeded);
}

#[tokio::test(start_paused = true)]
async fn what_its_sensors_see_is_driven_around() {
    let site = Site::new();
    let base = site.base("base", Pose2::default());
    base.post.send_replace(Some([1.5, 0.0]));
    assert_eq!(site.go("base", 3.0, 0.0).await, Outcome::Accepted);
    let mut at = base.at.clone();
    let watcher = tokio::spawn(async move {
        let mut nearest_m = f64::INFINITY;
        while at.changed().await.is_ok() && at.borrow().x_m < 2.9 {
            nearest_m = nearest_m.min(at.borrow().distance_to(1.5, 0.0));
        }
        nearest_m
    });
    assert_eq!(site.end().await.state, NavigationState::Succeeded);
    let nearest_m = watcher.await.unwrap();
    assert!(nearest_m > 0.15, "it came within {nearest_m} m of the post");
}
