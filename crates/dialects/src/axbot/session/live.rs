//! A connection while it lasts: one task that owns the socket.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use latimer_core::dispatcher::Dispatcher;
use latimer_core::hub::{CommandRequest, Source};
use latimer_core::model::signal::{ControlMode, LinkState};
use latimer_core::model::{Kind, Outcome};
use latimer_core::supervisor::SessionEnd;
use latimer_core::{Clock, RobotId, Timestamp};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message as Frame;

use super::connect::{Introduction, publish_params};
use super::device::Caps;
use super::executor::{Job, JobEvent, ModePending, RestExecutor};
use super::orders::{Order, order_from_command};
use super::pictures::{FetchError, Inlined, Pictures};
use super::plan::{Enabled, named_topics, wanted_topics};
use super::receiver::{Reaction, Receiver};
use super::rest::Rest;
use super::twist_controller::TwistController;
use crate::axbot::limits::{MAX_PICTURE_FAILURES, TOPICS_LISTED_DELAY};
use crate::limits::{PEER_PING_DELAY, PEER_SILENCE_TIMEOUT};
use crate::link::write;
use crate::socket::{PendingWrite, Socket};

/// A drive by hand that waits until it is settled who drives.
type Waiting = ([f64; 2], Option<Duration>, CommandRequest);

/// A connection while it lasts.
pub(super) struct Live<'a> {
    clock: Clock,
    caps: Caps,
    receiver: &'a mut Receiver,
    enabled: &'a mut Enabled,
    pictures: &'a mut Pictures,
    dispatcher: Dispatcher<Job>,
    publish: mpsc::UnboundedSender<JobEvent>,
    reported: mpsc::UnboundedReceiver<JobEvent>,
    wheel: TwistController,
    /// Changes of who drives that the robot has not answered.
    modes: u32,
    waiting: Option<Waiting>,
    /// Pictures in a row that could not be fetched.
    failures: u32,
    /// When the robot was asked for a topic, and what it listed since.
    asked: Timestamp,
    listed: Option<Vec<String>>,
}

impl<'a> Live<'a> {
    pub(super) fn new(
        robot: &RobotId,
        clock: Clock,
        caps: Caps,
        rest: Rest,
        receiver: &'a mut Receiver,
        enabled: &'a mut Enabled,
        pictures: &'a mut Pictures,
    ) -> Self {
        // The sender here keeps the channel open, whatever becomes of the dispatcher.
        let (publish, reported) = mpsc::unbounded_channel();
        let executor = RestExecutor::new(rest, publish.clone());
        Self {
            clock,
            caps,
            receiver,
            enabled,
            pictures,
            dispatcher: Dispatcher::start(robot.clone(), clock, executor),
            publish,
            reported,
            wheel: TwistController::default(),
            modes: 0,
            waiting: None,
            failures: 0,
            asked: clock.now(),
            listed: None,
        }
    }

    pub(super) async fn serve(
        &mut self,
        source: &mut Source,
        mut socket: Socket,
        introduction: &Introduction,
    ) -> SessionEnd {
        source.link(LinkState::Up, None);
        introduction.publish(source, self.clock.now());
        let mut demand = source.demand();
        demand.mark_changed();
        let mut incoming = self.clock.now();
        let mut tick = tokio::time::interval(Duration::from_secs(1));
        let unread = PendingWrite::of(source);
        loop {
            let mut out = Vec::new();
            let (clock, wakes) = (self.clock, self.wheel.wakes());
            let wheel = async move {
                match wakes {
                    Some(wakes) => clock.sleep_until(wakes).await,
                    None => std::future::pending().await,
                }
            };
            // In this order, so that answers are known before what the robot says next; frames come last, because
            // there is always one more.
            tokio::select! {
                biased;
                Some(reported) = self.reported.recv() => self.answered(source, reported),
                request = source.next_command() => out.extend(self.obey(request)),
                () = wheel => out.extend(self.wheel.due(self.clock.now())),
                Ok(()) = demand.changed() => out.extend(self.follow(source)),
                picture = self.pictures.next() => out.extend(self.fetched(source, picture)),
                _ = tick.tick() => {
                    source.refresh_link();
                    self.look_at_list(source);
                    let silent = self.clock.now().since(incoming);
                    if silent > PEER_SILENCE_TIMEOUT {
                        return SessionEnd::retry(format!("nothing was heard for {} s", silent.as_secs()));
                    }
                    if silent > PEER_PING_DELAY && let Err(end) = write(&mut socket, vec![Frame::Ping(Bytes::new())], &unread, "robot").await {
                        return end;
                    }
                }
                frame = socket.next() => {
                    incoming = self.clock.now();
                    let frame = match frame {
                        Some(Ok(Frame::Text(text))) => text.into(),
                        Some(Ok(Frame::Binary(bytes))) => bytes,
                        Some(Ok(Frame::Close(_))) | None => {
                            return SessionEnd::retry("the robot closed the connection");
                        }
                        // Answers to pings go out before more is read.
                        Some(Ok(_)) => match write(&mut socket, Vec::new(), &unread, "robot").await {
                            Ok(()) => continue,
                            Err(end) => return end,
                        },
                        Some(Err(error)) => {
                            return SessionEnd::retry(format!("the connection broke: {error}"));
                        }
                    };
                    self.receive(source, frame, incoming);
                }
            }
            if out.is_empty() {
                continue;
            }
            if let Err(end) =
                write(&mut socket, out.into_iter().map(Frame::text).collect(), &unread, "robot").await
            {
                return end;
            }
        }
    }

    fn receive(&mut self, source: &Source, frame: Bytes, received: Timestamp) {
        match self.receiver.receive(source, frame, received) {
            Reaction::Nothing => {}
            Reaction::Feedback => self.wheel.feedback(),
            Reaction::ThrottledWarning(reason) => self.wheel.throttled_warning(&reason),
            Reaction::Listed(topics) => self.listed = Some(topics),
            Reaction::Fetch(topic, grid, received) => self.pictures.take(topic, *grid, received),
        }
    }

    /// The messages that bring the robot to what is wanted now.
    fn follow(&mut self, source: &Source) -> Vec<String> {
        let cached = self.caps.cached_topics && self.failures < MAX_PICTURE_FAILURES;
        let wanted = wanted_topics(|kind, part| source.wants(kind, part), cached);
        let passed = named_topics(|part| source.is_named(Kind::Other, part));
        let messages = self.enabled.follow(wanted, passed);
        if !messages.is_empty() {
            self.asked = self.clock.now();
        }
        messages
    }

    /// Names the topics that the robot does not send, once it has had time to list them.
    fn look_at_list(&mut self, source: &Source) {
        if self.clock.now().since(self.asked) < TOPICS_LISTED_DELAY {
            return;
        }
        let Some(listed) = self.listed.take() else { return };
        for topic in self.enabled.missing(&listed) {
            tracing::warn!(robot = %source.robot(), %topic, "the robot does not send this topic");
        }
    }

    fn fetched(&mut self, source: &Source, picture: Result<Inlined, FetchError>) -> Vec<String> {
        match picture {
            Ok(Inlined { message, received }) => {
                self.failures = 0;
                let frame = message.write();
                self.receiver.publish(source, message, frame, received);
                Vec::new()
            }
            Err(reason) => {
                self.failures = self.failures.saturating_add(1);
                tracing::warn!(robot = %source.robot(), %reason, "a map cannot be fetched");
                self.follow(source)
            }
        }
    }

    fn answered(&mut self, source: &Source, reported: JobEvent) {
        match reported {
            JobEvent::Moving => self.receiver.moving(),
            JobEvent::Moved(numbers) => self.receiver.moved(source, numbers),
            JobEvent::Params(params) => publish_params(source, &params, self.clock.now()),
            JobEvent::Mode(mode) => {
                if let Some(control) = self.receiver.merge.control_mut() {
                    control.mode = mode;
                }
            }
            JobEvent::ModeOver => {
                self.modes = self.modes.saturating_sub(1);
                if self.modes == 0
                    && let Some((speeds, duration, request)) = self.waiting.take()
                {
                    match request.check() {
                        Ok(()) => self.drive(speeds, duration, request),
                        Err(outcome) => request.answer(outcome),
                    }
                }
            }
        }
    }

    /// Has a command carried out; the messages to be sent for it now.
    fn obey(&mut self, request: CommandRequest) -> Option<String> {
        let span = request.span();
        let _entered = span.enter();
        let order = match order_from_command(request.command.clone(), self.clock.now()) {
            Ok(order) => order,
            Err(refusal) => {
                request.answer(refusal.into());
                return None;
            }
        };
        let halt = request.command.is_stop().then(|| self.halt());
        match order {
            Order::Twist(speeds, duration) => self.drive(speeds, duration, request),
            Order::Wheels([left_mps, right_mps]) => match self.caps.wheel_gap_m {
                Some(gap_m) => {
                    let speeds = [f64::midpoint(left_mps, right_mps), (right_mps - left_mps) / gap_m];
                    self.drive(speeds, None, request);
                }
                None => request.answer(Outcome::not_now(
                    "the robot does not say how far apart its wheels are; give a speed and a turn rate instead",
                )),
            },
            Order::Stop => self.dispatcher.take(Job::Stop, request),
            Order::Call(call) => self.dispatcher.take(Job::Call(call), request),
            Order::Mode(mode) => {
                self.modes += 1;
                let pending = Arc::new(ModePending::new(self.publish.clone()));
                self.dispatcher.take(Job::Mode(mode, pending), request);
            }
            Order::Move(goal) => {
                let marks = self.receiver.merge.marks();
                self.dispatcher.take(Job::Move(goal, marks), request);
            }
            Order::Params(params) => self.dispatcher.take(Job::Params(params), request),
            Order::UseMap(map) => self.dispatcher.take(Job::UseMap(map), request),
            Order::Frame(frame) => {
                request.sent();
                request.answer(Outcome::Accepted);
                return Some(frame);
            }
        }
        halt
    }

    /// Ends driving by hand; the message to be sent for it now.
    fn halt(&mut self) -> String {
        if let Some((.., waiting)) = self.waiting.take() {
            waiting.answer(Outcome::stopped());
        }
        self.wheel.halt(self.clock.now())
    }

    /// Drives by hand, unless the robot would not; it takes a twist without a word in any case.
    fn drive(&mut self, speeds: [f64; 2], duration: Option<Duration>, request: CommandRequest) {
        if self.modes > 0 {
            if let Some((.., older)) = self.waiting.replace((speeds, duration, request)) {
                older.answer(Outcome::not_now(
                    "a newer drive took its place before the robot was ready for it",
                ));
            }
            return;
        }
        let control = self.receiver.merge.control();
        if let Some(control) = control.filter(|_| speeds != [0.0; 2]) {
            if control.emergency_stop {
                let why = "the emergency stop is pressed; release it to drive";
                return request.answer(Outcome::not_now(why));
            }
            if control.mode != ControlMode::Remote {
                let mode = control.mode;
                let why = format!("it is in control mode {mode}; set the control mode to remote to drive it");
                return request.answer(Outcome::not_now(why));
            }
        }
        self.wheel.drive(speeds, duration, Some(request));
    }
}
