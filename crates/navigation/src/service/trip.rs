//! One drive to a goal.

use latimer_core::hub::{
    Delivery, MailboxLimits, NavigationControl, NavigationRequest, NavigationTopics, Selection, Shared, Sink,
    Subscription,
};
use latimer_core::limits::UNREAD_TIMEOUT;
use latimer_core::model::signal::{
    Frame, Navigation, NavigationFailure, NavigationKind, NavigationState, Path, Pose,
};
use latimer_core::model::{Kind, NavigationGoal};
use latimer_core::{Command, Hub, Outcome, Signal, Timestamp};
use latimer_panics::{Panic, blocking};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::floor::{Floor, PART};
use super::goal::{Target, limits};
use crate::geometry::Pose2;
use crate::limits::{
    MAX_UNANSWERED_SPEEDS, POSE_MAX_AGE, REPORT_INTERVAL, SETTING_OUT_TIMEOUT, SPEED_ANSWER_TIMEOUT,
    SPEED_HOLD_TIME, SPEED_INTERVAL,
};
use crate::{Believed, Navigator, Obstacles, Progress, Speeds, State, Terrain};

/// Who it is in lists of the hub's sinks.
const NAME: &str = "navigation";

const LIMITS: MailboxLimits =
    MailboxLimits { events: 256, keys: 4_096, frames: 16, disconnect_after: UNREAD_TIMEOUT };

/// The planner's part, which works beside the runtime.
struct Course {
    navigator: Navigator,
    floor: Floor,
    blocked: crate::Grid<bool>,
    obstacles: Obstacles,
}

/// One drive to a goal.
pub(super) struct Trip {
    hub: Hub,
    control: NavigationControl,
    sink: Sink,
    id: i64,
    target: Target,
    course: Option<Course>,
    started: Timestamp,
    pose: Option<(Pose2, Timestamp)>,
    progress: Progress,
    published: Option<(u32, Timestamp)>,
}

/// How it ended.
enum End {
    Arrived,
    Cancelled,
    Failed(NavigationFailure, String),
}

impl End {
    /// The planner failed.
    fn of(panic: &Panic) -> Self {
        Self::Failed(NavigationFailure::Other, panic.to_string())
    }
}

impl Trip {
    /// Looks at the goal, the robot's pose and the map; refuses what cannot be driven to.
    pub(super) async fn plan(
        hub: &Hub,
        control: NavigationControl,
        goal: &NavigationGoal,
        id: i64,
    ) -> Result<Self, Outcome> {
        let target = Target::of(control.robot(), goal)?;
        let sink = hub.internal_sink(NAME, control.robot().to_string(), LIMITS);
        for (kind, derived) in [(Kind::Pose, false), (Kind::Scan, true)] {
            let select = Selection::of_kinds(control.robot(), &[kind]);
            sink.subscribe(Subscription { derived, ..Subscription::to(select) });
        }
        for maps in [format!("*/{}", Kind::Map), format!("*/{}/{PART}", Kind::Map)] {
            let Ok(maps) = maps.parse() else { continue };
            sink.subscribe(Subscription::to(maps));
        }
        let started = hub.clock().now();
        let mut trip = Self {
            hub: hub.clone(),
            sink,
            id,
            target,
            course: None,
            started,
            pose: None,
            progress: Progress::default(),
            published: None,
            control,
        };
        trip.set_out().await?;
        Ok(trip)
    }

    /// The floor for the points of this drive, made beside the runtime: a large map takes a tenth of a second.
    async fn floor(&self, from: Pose2) -> Result<Floor, Panic> {
        let (hub, robot, points) = (self.hub.clone(), self.control.robot().clone(), self.target.points(from));
        blocking("making a map of the floor", move || Floor::of(&hub, &robot, &points)).await
    }

    /// Waits for a pose and, if any robot makes maps, for a map.
    async fn set_out(&mut self) -> Result<(), Outcome> {
        let clock = self.hub.clock();
        let until = self.started.after(SETTING_OUT_TIMEOUT);
        let mut deliveries = Vec::new();
        let mut makers = self.hub.robots().into_iter();
        let awaits_map = makers.any(|it| it.info.profile.kinds.contains(Kind::Map));
        let (mut floor, mut is_new) = (None::<Floor>, true);
        loop {
            self.pose = self.now_on_map().or(self.pose);
            if let Some((pose, _)) = self.pose.filter(|_| std::mem::take(&mut is_new)) {
                let made = self.floor(pose).await;
                floor = Some(made.map_err(|panic| Outcome::not_now(panic.to_string()))?);
            }
            let is_late = clock.now() >= until;
            match floor {
                Some(floor) if floor.is_mapped || !awaits_map || is_late => {
                    if let Some((pose, _)) = self.pose {
                        self.target.check_distance(pose)?;
                    }
                    self.course = Some(self.course(floor));
                    return Ok(());
                }
                None if is_late => {
                    let robot = self.control.robot();
                    return Err(Outcome::not_now(format!(
                        "{robot} does not know where it is: it publishes no pose on a map, and its dead reckoning is placed nowhere; \
                         add map or odom to its [[robot]] in the config"
                    )));
                }
                _ => {}
            }
            tokio::select! {
                () = clock.sleep_until(until) => {}
                () = self.sink.receive(&mut deliveries) => {
                    let kinds = deliveries.drain(..).filter_map(|it| match it {
                        Delivery::Update(_, update) => Some(update.kind()),
                        _ => None,
                    });
                    is_new |= floor.is_none() | kinds.fold(false, |is_map, kind| is_map | (kind == Kind::Map));
                }
            }
        }
    }

    fn course(&self, floor: Floor) -> Course {
        let profile = self.control.profile();
        let blocked = floor.known.blocked();
        let mut course = Course {
            navigator: Navigator::new(limits(profile)),
            obstacles: Obstacles::new(&blocked),
            blocked,
            floor,
        };
        match &self.target {
            Target::Goal(goal) => course.navigator.go(*goal),
            Target::Route { points_m, detour_m } => {
                course.navigator.follow_route_within(points_m.clone(), *detour_m)
            }
        }
        course
    }

    /// Where the robot is by now on its map.
    fn now_on_map(&self) -> Option<(Pose2, Timestamp)> {
        let pose = self.hub.pose(self.control.robot())?;
        let on_map = self.hub.on_map(self.control.robot(), &pose)?;
        let received =
            self.hub.last_of_parts(self.control.robot(), Kind::Pose).iter().map(|it| it.received).max()?;
        Some((Pose2::from(&on_map), received)).filter(|(pose, _)| pose.is_finite())
    }

    /// Reports that the drive begins.
    pub(super) fn begin(&mut self, topics: Option<&NavigationTopics>) {
        if let (Some((pose, _)), Some(course)) = (self.pose, &self.course) {
            self.progress.remaining_m = course.navigator.remaining_m(pose);
        }
        self.report(topics, NavigationState::Moving, None);
    }

    /// Drives until the end; returns the request that ended it.
    pub(super) async fn run(
        mut self,
        topics: Option<&NavigationTopics>,
        requests: &mut mpsc::Receiver<NavigationRequest>,
        shutdown: &CancellationToken,
    ) -> Option<NavigationRequest> {
        let mut next = None;
        let mut asked: Option<JoinHandle<Outcome>> = None;
        let (mut silent, mut deliveries) = (0, Vec::new());
        let end = 'drive: loop {
            let clock = self.hub.clock();
            let tick = clock.now().after(SPEED_INTERVAL);
            tokio::select! {
                () = shutdown.cancelled() => break End::Cancelled,
                request = requests.recv() => {
                    next = request;
                    break End::Cancelled;
                }
                () = clock.sleep_until(tick) => {}
            }
            if self.control.is_over() {
                break End::Cancelled;
            }
            // A robot that is slow to answer is sent no speed before it has.
            if asked.as_ref().is_some_and(JoinHandle::is_finished)
                && let Some(answer) = asked.take()
            {
                match answer.await.unwrap_or(Outcome::TimedOut) {
                    outcome if outcome.is_ok() => silent = 0,
                    Outcome::Refused(refusal) if self.control.is_over() => {
                        tracing::debug!(reason = refusal.reason, "a drive came too late");
                        break End::Cancelled;
                    }
                    Outcome::Refused(refusal) => {
                        break End::Failed(NavigationFailure::Disabled, refusal.reason);
                    }
                    _ if silent + 1 >= MAX_UNANSWERED_SPEEDS => {
                        break End::Failed(
                            NavigationFailure::Disabled,
                            "the robot does not answer".to_owned(),
                        );
                    }
                    _ => silent += 1,
                }
            }
            self.sink.try_receive(&mut deliveries);
            for delivery in deliveries.drain(..) {
                if let Delivery::Update(_, update) = delivery
                    && let Err(panic) = self.see(&update).await
                {
                    break 'drive End::of(&panic);
                }
            }
            self.pose = self.now_on_map().or(self.pose);
            let speeds = match self.step().await {
                Ok(speeds) => speeds,
                Err(panic) => break End::of(&panic),
            };
            match self.progress.state {
                State::Arrived => break End::Arrived,
                State::Failed(failure) => break End::Failed(failure.published(), failure.to_string()),
                _ => {}
            }
            self.report_on_the_way(topics);
            if asked.is_none() {
                let Speeds { linear_mps, angular_radps } = speeds;
                let drive = Command::Drive { linear_mps, angular_radps, duration: Some(SPEED_HOLD_TIME) };
                asked = Some(tokio::spawn(self.control.command(drive, SPEED_ANSWER_TIMEOUT)));
            }
        };
        // Refused, and with reason, if somebody else drives by now.
        if !self.control.is_over() {
            let stopped = self.control.command(Command::Stop { hold: false }, SPEED_ANSWER_TIMEOUT).await;
            tracing::debug!(robot = %self.control.robot(), ?stopped, "a drive to a goal ended");
        }
        let (state, failure) = match end {
            End::Arrived => (NavigationState::Succeeded, None),
            End::Cancelled => (NavigationState::Cancelled, None),
            End::Failed(failure, reason) => (NavigationState::Failed, Some((failure, reason))),
        };
        self.report(topics, state, failure);
        next
    }

    /// Takes in what the robot's sensors see, or another map.
    async fn see(&mut self, update: &Shared) -> Result<(), Panic> {
        let time_s = self.time_s();
        match &update.signal {
            Signal::Scan(scan) => {
                let scanner = match &scan.pose {
                    Some(pose) => self.hub.on_map(self.control.robot(), pose).map(|it| Pose2::from(&it)),
                    None => self.pose.map(|(pose, _)| pose),
                };
                if let (Some(scanner), Some(course)) = (scanner, &mut self.course) {
                    course.obstacles.see(scan, scanner, &course.floor.known, time_s);
                }
            }
            Signal::Map(_) => {
                let Some((pose, _)) = self.pose else { return Ok(()) };
                let floor = self.floor(pose).await?;
                let is_new = self.course.as_ref().is_none_or(|it| it.floor.known != floor.known);
                if floor.is_mapped && is_new {
                    self.course = Some(self.course(floor));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The speeds for now, and how the drive stands.
    async fn step(&mut self) -> Result<Speeds, Panic> {
        let Some(mut course) = self.course.take() else { return Ok(Speeds::REST) };
        let now = self.hub.clock().now();
        let (pose, received) = self.pose.unwrap_or_default();
        let at = Believed {
            pose,
            time_s: self.time_s(),
            lost: self.pose.is_none() || now.since(received) > POSE_MAX_AGE,
            docked: false,
            blocked_ahead_m: None,
        };
        // A new plan takes up to a tenth of a second on a large floor.
        let stepped = blocking("planning a way", move || {
            let Course { navigator, blocked, obstacles, .. } = &mut course;
            let terrain = Terrain { blocked, obstacles: Some(obstacles), doors: &[] };
            let (speeds, progress) = navigator.drive(&at, &terrain);
            (course, speeds, progress)
        });
        let (course, speeds, progress) = stepped.await?;
        (self.course, self.progress) = (Some(course), progress);
        Ok(speeds)
    }

    fn time_s(&self) -> f64 {
        self.hub.clock().now().since(self.started).as_secs_f64()
    }

    fn report_on_the_way(&mut self, topics: Option<&NavigationTopics>) {
        let now = self.hub.clock().now();
        let path_number = self.progress.path_number;
        let is_due = match self.published {
            Some((_, at)) => now.since(at) >= REPORT_INTERVAL,
            None => true,
        };
        let is_new = self.published.is_none_or(|(number, _)| number != path_number);
        if is_new && let (Some(topics), Some(course)) = (topics, &self.course) {
            topics.path(Path::of(Frame::Map, course.navigator.path().to_vec()));
        }
        if is_due || is_new {
            self.published = Some((path_number, now));
            self.report(topics, NavigationState::Moving, None);
        }
    }

    fn report(
        &self,
        topics: Option<&NavigationTopics>,
        state: NavigationState,
        failure: Option<(NavigationFailure, String)>,
    ) {
        let Some(topics) = topics else { return };
        let ([x_m, y_m], yaw_rad, is_route) = match &self.target {
            Target::Goal(goal) => (goal.at_m, goal.yaw_rad.unwrap_or_default(), false),
            Target::Route { points_m, .. } => (points_m.last().copied().unwrap_or_default(), 0.0, true),
        };
        let (failure, reason) = failure.unzip();
        topics.navigation(Navigation {
            id: self.id,
            kind: if is_route { NavigationKind::Route } else { NavigationKind::Goto },
            state,
            failure,
            failure_code: None,
            reason,
            target: Some(Pose::planar(Frame::Map, x_m, y_m, yaw_rad)),
            place: None,
            remaining_m: (state == NavigationState::Moving).then_some(self.progress.remaining_m),
            stuck: state == NavigationState::Moving && self.progress.stuck,
            passed_points: is_route.then(|| u32::try_from(self.progress.passed_points).unwrap_or(u32::MAX)),
            flags: Vec::new(),
        });
    }
}
