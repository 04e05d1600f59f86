//! Topics that the clients of a served robot publish, as commands to the hub.
//!
//! ```text
//! platform/control ─▶ sync_pair ─┬─▶ command_hold ──50 steps a second──▶ in_flight ──Command──▶ hub
//! core/control ─────▶────────────┴─▶ core_hold ────────────────────▶ in_flight
//!                                       ▲                                  │
//! control/cmd_vel, control/lights ──────┘             refused ──▶ logged once on log and /rosout
//! platform/config, core/config, bridge/stream ────────────────▶ in_flight
//! bridge/config ──▶ what upstream leaves out
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `received` | what each topic's messages ask for |
//! | `command_hold` | the last commands, each for as long as it holds |
//! | `core_hold`, `behaviour` | what the robot's own behaviour is asked for |
//! | `drive` | the speed |
//! | `body_move`, `goto_pose`, `pose` | a move to a pose |
//! | `joint_map` | which part of the robot is meant |
//! | `sync_pair` | messages that belong together |
//! | `debounce` | a number that is sent over and over |
//! | `voice` | sounds that the robot plays, by its state |
//! | `in_flight`, `refusals` | commands under way, and reasons that were logged |
//!
//! Several clients may publish at once: the last message counts, as everywhere in ROS. Malformed messages of one client do not
//! disturb the others.

mod behaviour;
mod body_move;
mod command_hold;
#[cfg(test)]
mod command_hold_tests;
mod core_hold;
mod debounce;
mod drive;
mod goto_pose;
mod idle_streams;
mod in_flight;
mod joint_map;
mod pose;
mod received;
mod refusals;
mod sync_pair;
mod voice;

use std::net::IpAddr;
use std::sync::Arc;

use latimer_core::hub::{
    CommandId, Delivery, DemandLevel, MailboxLimits, Origin, Selection, Sink, Subscription, SubscriptionId,
};
use latimer_core::model::signal::{Frame, Switch};
use latimer_core::model::{BehaviourDrive, Command, Kind, Outcome, Signal};
use latimer_core::{Author, Timestamp, Update};
use latimer_ros1::node::{Incoming, Level, NodeError};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::miro::limits::{COMMAND_MIN_INTERVAL, PLATFORM_PERIOD, POSE_MAX_AGE, PROFILE_LOOK_INTERVAL};

use super::member::{Doings, Member};
use crate::describe::Call as _;
use crate::miro::NAME;
use crate::miro::calls::StopSound;
use crate::miro::map::downstream::Control;
use crate::miro::profile::PROFILE;
use crate::miro::topic::Topic;
use command_hold::CommandHold;
use core_hold::CoreHold;
use debounce::Debounce;
use idle_streams::IdleStreams;
use in_flight::{Done, InFlight};
use joint_map::JointMap;
use pose::Flat;
use refusals::Refusals;
use sync_pair::SyncPair;
use voice::Voice;

/// Messages of one topic that may wait.
const QUEUE: usize = 16;

/// Serves one robot until `stop`.
pub(super) async fn run(member: Arc<Member>, stop: CancellationToken) {
    if let Err(error) = serve(member.clone(), stop).await {
        tracing::warn!(robot = %member.robot, %error, "the robot takes no orders over ROS");
    }
}

async fn serve(member: Arc<Member>, stop: CancellationToken) -> Result<(), NodeError> {
    let follow =
        |topic: Topic| member.node.subscribe_like(&topic.of(&member.name), member.layout(topic), QUEUE);
    let mut control = follow(Topic::Control)?;
    let mut cmd_vel = follow(Topic::CmdVel)?;
    let mut lights = follow(Topic::ControlLights)?;
    let mut cosmetic_joints = follow(Topic::CosmeticJoints)?;
    let mut core = follow(Topic::CoreControl)?;
    let mut core_config = follow(Topic::CoreConfig)?;
    let mut config = follow(Topic::Config)?;
    let mut stream = follow(Topic::BridgeStream)?;
    let mut bridge_config = follow(Topic::BridgeConfig)?;
    let mut task = Task::new(member.clone());
    let mut beat = member.time.beat(PLATFORM_PERIOD, MissedTickBehavior::Delay);
    let mut deliveries = Vec::new();
    task.publish_doings();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            Some(incoming) = control.next() => task.by(&incoming).control(&incoming),
            Some(incoming) = cmd_vel.next() => task.by(&incoming).cmd_vel(&incoming),
            Some(incoming) = lights.next() => task.by(&incoming).lights(&incoming),
            Some(incoming) = cosmetic_joints.next() => task.by(&incoming).cosmetic_joints(&incoming),
            Some(incoming) = core.next() => task.by(&incoming).core(&incoming),
            Some(incoming) = core_config.next() => task.by(&incoming).core_config(&incoming),
            Some(incoming) = config.next() => task.by(&incoming).config(&incoming),
            Some(incoming) = stream.next() => task.by(&incoming).stream(&incoming),
            Some(incoming) = bridge_config.next() => task.bridge_config(&incoming),
            done = task.in_flight.next() => task.answered(done),
            () = task.sink.receive(&mut deliveries) => {
                for delivery in deliveries.drain(..) {
                    task.receive(delivery);
                }
            }
            _ = beat.next(), if task.is_awake() => task.step(),
        }
        task.publish_doings();
    }
    task.end().await;
    Ok(())
}

/// One robot's control; see the module.
struct Task {
    member: Arc<Member>,
    sink: Sink,
    command_hold: CommandHold,
    idle_streams: IdleStreams,
    sync_pair: SyncPair<Control, BehaviourDrive>,
    core_hold: CoreHold,
    /// Parts of the robot's own behaviour, as far as the robot tells.
    switches: Vec<Switch>,
    /// A command sent the neck back to how it stands at first.
    body_reset: bool,
    voice: Voice,
    debounce: Debounce,
    in_flight: InFlight,
    /// The node whose message was taken last, and its host.
    by: Option<(Arc<str>, IpAddr)>,
    refusals: Refusals,
    joint_map: JointMap,
    looked: Option<Timestamp>,
    /// Who follows the pose, and since when by the gateway's clock, while a move needs it.
    follows_pose: Option<(SubscriptionId, Timestamp)>,
    /// Where it is, in which frame, and when that was received.
    at: Option<(Frame, Flat, Timestamp)>,
    without: (bool, bool),
    /// The stops that the robot was given, our own and those of others that were noticed.
    stops: u64,
}

impl Task {
    fn new(member: Arc<Member>) -> Self {
        let sink = follow_robot(&member);
        let driver = member.hub.command_client(Author::new(NAME, ""));
        let in_flight = InFlight::new(driver, member.robot.clone());
        Self {
            sink,
            command_hold: CommandHold::new(COMMAND_MIN_INTERVAL),
            idle_streams: IdleStreams::default(),
            sync_pair: SyncPair::default(),
            core_hold: CoreHold::default(),
            switches: Vec::new(),
            body_reset: false,
            voice: Voice::default(),
            debounce: Debounce::default(),
            in_flight,
            by: None,
            refusals: Refusals::default(),
            joint_map: JointMap { profile: PROFILE.clone() },
            looked: None,
            follows_pose: None,
            at: None,
            without: (false, false),
            stops: member.hub.stops(&member.robot),
            member,
        }
    }

    /// The same, while it takes a message of a node, which is the author of what is sent from now on.
    fn by(&mut self, incoming: &Incoming) -> &mut Self {
        let by = (incoming.caller.clone(), incoming.host);
        if self.by.as_ref() != Some(&by) {
            self.by = Some(by);
            let author = match &self.member.gate {
                Some(gate) => {
                    Author::of(NAME, &gate.of_address(incoming.host)).called(incoming.caller.clone())
                }
                None => Author::new(NAME, incoming.caller.clone()),
            };
            self.in_flight.drive_for(self.member.hub.command_client(author));
        }
        self
    }

    /// The robot's own time, for which the commands that it receives hold.
    fn now(&self) -> Timestamp {
        self.member.time.now()
    }

    fn is_awake(&self) -> bool {
        self.command_hold.is_awake() || self.sync_pair.waits() || self.voice.is_audible()
    }

    /// Looks how the robot is made before it receives a command, after a silence and then once a second.
    fn look(&mut self) {
        let now = self.now();
        if self.command_hold.is_awake()
            && self.looked.is_some_and(|looked| now.since(looked) < PROFILE_LOOK_INTERVAL)
        {
            return;
        }
        let (hub, robot) = (&self.member.hub, &self.member.robot);
        let Some(report) = hub.robot(robot) else { return };
        self.looked = Some(now);
        self.command_hold.pace(if report.info.origin == Origin::Simulated {
            PLATFORM_PERIOD
        } else {
            COMMAND_MIN_INTERVAL
        });
        self.switches = match hub.last(robot, Kind::BehaviourState, None).map(|it| it.signal.clone()) {
            Some(Signal::BehaviourState(state)) => state.switches,
            _ => Vec::new(),
        };
        self.joint_map = JointMap { profile: report.info.profile };
    }

    fn step(&mut self) {
        let now = self.now();
        self.mind_stops();
        if let Some(due) = self.sync_pair.alone(now) {
            self.take(due);
        }
        self.voice.step(now);
        let fresh = self.at.filter(|(_, _, received)| now.since(*received) <= POSE_MAX_AGE);
        let at = fresh.map(|(_, at, _)| at);
        let orders = self.command_hold.step(at, &self.joint_map, now);
        orders.commands.into_iter().for_each(|command| self.send(command));
        orders.throttled_warnings.iter().for_each(|reason| self.complain(reason));
        self.mind_pose();
    }

    /// What was held when somebody else stopped the robot is not said again: it drives by newer messages only.
    pub(super) fn mind_stops(&mut self) {
        let stops = self.member.hub.stops(&self.member.robot);
        if std::mem::replace(&mut self.stops, stops) != stops {
            self.sync_pair = SyncPair::default();
            self.command_hold.stopped();
        }
    }

    /// Follows the pose only while a move needs it.
    fn mind_pose(&mut self) {
        match (self.command_hold.needs_odometry(), self.follows_pose) {
            (true, None) => {
                let select = Selection::of_kinds(&self.member.robot, &[Kind::Pose]);
                let since = self.member.time.wall();
                self.follows_pose = Some((self.sink.subscribe(Subscription::to(select)), since));
            }
            (false, Some((id, _))) => {
                self.sink.unsubscribe(id);
                (self.follows_pose, self.at) = (None, None);
            }
            _ => {}
        }
    }

    fn send(&mut self, command: Command) {
        let name = command.name();
        // Ours is no news to us.
        self.stops += u64::from(command.is_stop());
        if !self.in_flight.send(command) {
            self.command_hold.failed(name, self.now());
            self.complain(&format!("the robot does not answer; {name} was left out"));
        }
    }

    fn answered(&mut self, done: Done) {
        let Done { id, name, sound, outcome } = done;
        let now = self.now();
        if matches!(outcome, Outcome::Refused(_) | Outcome::TimedOut) {
            self.command_hold.failed(name, now);
        }
        match outcome {
            Outcome::Refused(reason) => self.complain_of(&format!("{name} was refused: {reason}"), Some(id)),
            Outcome::TimedOut => self.complain_of(&format!("{name} was not answered in time"), Some(id)),
            Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => {
                if let Some(sound) = sound {
                    let streamed =
                        self.member.sounds.iter().any(|it| self.joint_map.streamed(it) == play(&sound));
                    self.voice.plays(&sound, streamed, now);
                } else if name == StopSound::DESCRIPTION.name {
                    self.voice.ends(now);
                }
            }
        }
    }

    fn receive(&mut self, delivery: Delivery) {
        match delivery {
            Delivery::Update(_, update) => self.receive_update(&update),
            Delivery::Gap(_) => {}
            Delivery::End(_) => {
                self.sink = follow_robot(&self.member);
                (self.follows_pose, self.at) = (None, None);
            }
        }
    }

    fn receive_update(&mut self, update: &Update) {
        match &update.signal {
            Signal::Playback(playback) => self.voice.receive(playback, self.now()),
            Signal::Pose(pose) => {
                // A pose from before the subscription may be old.
                let fresh = self.follows_pose.is_some_and(|(_, since)| update.received > since);
                // A goal is in the frame of the pose by which it was set.
                let better = self.at.is_none_or(|(frame, ..)| {
                    frame == pose.frame || pose.frame == Frame::Odom && !self.command_hold.has_goal()
                });
                let at = Flat { x_m: pose.x_m, y_m: pose.y_m, yaw_rad: pose.yaw_rad };
                if fresh && better && at.is_finite() {
                    self.at = Some((pose.frame, at, self.now()));
                }
            }
            _ => {}
        }
    }

    /// Says on `log` and `/rosout` what could not be done, once for each reason.
    fn complain(&mut self, reason: &str) {
        self.complain_of(reason, None);
    }

    fn complain_of(&mut self, reason: &str, command: Option<CommandId>) {
        // The same of another command is no news.
        if self.refusals.is_news(reason, self.member.time.wall()) {
            let reason = command.map_or_else(|| reason.to_owned(), |id| id.beside(reason));
            tracing::info!(robot = %self.member.robot, %reason, "a client of the robot is refused");
            self.member.say(Level::Warn, &reason);
        }
    }

    /// Tells the other task what is going on here.
    fn publish_doings(&self) {
        let (no_mics, no_cams) = self.without;
        let doings = Doings {
            body_move: self.command_hold.needs_odometry(),
            vocalising: self.voice.is_audible(),
            body_reset: self.body_reset,
            free_stream_buffers: self.voice.free(),
            last_stream_message: self.voice.last_frame(self.now()),
            no_mics,
            no_cams,
        };
        self.member.doings.send_if_modified(|known| std::mem::replace(known, doings) != doings);
    }

    /// Leaves no robot driving.
    async fn end(self) {
        if self.command_hold.is_driving() {
            self.in_flight.close(Command::Stop { hold: false }).await;
        }
    }
}

fn play(name: &str) -> Command {
    Command::Play { name: name.to_owned(), volume_ratio: None }
}

/// Follows which sounds end, and slowly which the robot has, for the hub to find those that stand in for a MiRo's.
fn follow_robot(member: &Member) -> Sink {
    let sink = member.hub.internal_sink(NAME, format!("{} (control)", member.name), MailboxLimits::default());
    let select = |kinds: &[Kind]| Subscription::to(Selection::of_kinds(&member.robot, kinds));
    sink.subscribe(Subscription { demand: DemandLevel::None, ..select(&[Kind::Playback]) });
    sink.subscribe(Subscription { demand: DemandLevel::Slow, ..select(&[Kind::Library]) });
    sink
}
