//! Commands to the robot, as messages that its bridge follows.
//!
//! A command that comes before the bridge follows waits for it a little, since a bridge that publishes may not have found us yet.

use std::collections::VecDeque;
use std::sync::Arc;

use latimer_core::hub::CommandRequest;
use latimer_core::model::{CameraSettings, Command, Outcome};
use latimer_core::{Clock, Signal, Timestamp};
use latimer_ros1::node::{Node, NodeError, Publisher};
use tokio::sync::watch;

use super::Settings;
use super::frames::Frames;
use crate::describe::Call as _;
use crate::miro::calls::StopSound;
use crate::miro::limits::{BRIDGE_TIMEOUT, MAX_WAITING_FOR_BRIDGE, PLATFORM_PERIOD};
use crate::miro::map::Decoded;
use crate::miro::map::downstream::MOST_PICTURES_HZ;
use crate::miro::map::downstream::core::{config_from_switches, control_from_drive};
use crate::miro::messages::{BridgeStream, PlatformConfig};
use crate::miro::node::time_from_timestamp;
use crate::miro::topic::Topic;

/// The topics that a bridge follows, advertised.
pub(super) struct Control {
    clock: Clock,
    control: Publisher,
    config: Publisher,
    core: Publisher,
    core_config: Publisher,
    stream: Publisher,
    followers: watch::Receiver<usize>,
    sounds: Arc<[String]>,
    frames: Frames,
    next: Timestamp,
    waiting: VecDeque<(CommandRequest, Timestamp)>,
    /// The last sound that the robot was asked to play, until it is taken.
    begun_sound: Option<String>,
}

impl Control {
    pub(super) fn advertise(node: &Node, settings: &Settings, clock: Clock) -> Result<Self, NodeError> {
        let offer = |topic: Topic, queue| {
            node.advertise(&topic.of(&settings.name), settings.types.of(topic), queue, false)
        };
        let control = offer(Topic::Control, 4)?;
        Ok(Self {
            clock,
            followers: control.subscribers(),
            control,
            config: offer(Topic::Config, 8)?,
            core: offer(Topic::CoreControl, 8)?,
            core_config: offer(Topic::CoreConfig, 8)?,
            stream: offer(Topic::BridgeStream, 8)?,
            sounds: settings.sounds.clone(),
            frames: Frames::default(),
            next: clock.now(),
            waiting: VecDeque::new(),
            begun_sound: None,
        })
    }

    /// Takes a command.
    pub(super) fn obey(&mut self, request: CommandRequest) {
        if request.command.is_stop() {
            let (void, kept): (VecDeque<_>, _) =
                self.waiting.drain(..).partition(|(it, _)| it.validity().is_stopped());
            self.waiting = kept;
            void.into_iter().for_each(|(it, _)| it.answer(Outcome::stopped()));
        }
        if self.is_followed() {
            return self.act(request);
        }
        if self.waiting.len() >= MAX_WAITING_FOR_BRIDGE {
            return request.answer(Outcome::unreachable(NOT_FOLLOWED));
        }
        self.waiting.push_back((request, self.clock.now().after(BRIDGE_TIMEOUT)));
    }

    fn is_followed(&self) -> bool {
        *self.followers.borrow() > 0
    }

    fn act(&mut self, request: CommandRequest) {
        let span = request.span();
        let _entered = span.enter();
        let now = self.clock.now();
        let was_speaking = self.frames.is_publishing();
        let outcome = match self.frames.take(&request.command, now) {
            Ok(true) => match &*request.command {
                Command::Stop { .. } | Command::Halt { .. } | Command::Lamp { .. } => Outcome::Done,
                _ => Outcome::Accepted,
            },
            Ok(false) => self.send(&request.command, now),
            Err(error) => Outcome::bad_argument(error.to_string()),
        };
        if outcome.is_ok() {
            request.sent();
        }
        if request.command.is_stop() && outcome.is_ok() {
            // Not with the next frame only: the connection may end before.
            self.publish_frame(now);
            self.next = now.after(PLATFORM_PERIOD);
        } else if !was_speaking {
            self.next = now;
        }
        if let (Command::Play { name, .. }, Outcome::Accepted) = (&*request.command, &outcome) {
            self.begun_sound = Some(name.clone());
        }
        request.answer(outcome);
    }

    /// The sound that the robot was asked to play since the last call.
    pub(super) const fn begun_sound(&mut self) -> Option<String> {
        self.begun_sound.take()
    }

    /// Commands that have a message of their own.
    fn send(&self, command: &Command, now: Timestamp) -> Outcome {
        let mut stream = BridgeStream::default();
        stream.header.stamp = time_from_timestamp(now);
        let published = match command {
            Command::Camera(settings) => match config_from_camera(settings) {
                Ok(mut config) => {
                    config.header.stamp = time_from_timestamp(now);
                    self.config.publish(&config)
                }
                Err(error) => return Outcome::bad_argument(error.to_string()),
            },
            Command::BehaviourDrive(drive) => {
                let mut control = control_from_drive(drive);
                control.header.stamp = time_from_timestamp(now);
                self.core.publish(&control)
            }
            Command::BehaviourSwitches(switches) => match config_from_switches(switches) {
                Ok(mut config) => {
                    config.header.stamp = time_from_timestamp(now);
                    self.core_config.publish(&config)
                }
                Err(error) => return Outcome::bad_argument(error.to_string()),
            },
            Command::Play { name, .. } => match self.number_of(name) {
                Some(number) => {
                    stream.sound_index_P3 = number;
                    self.stream.publish(&stream)
                }
                None => {
                    return Outcome::bad_argument(format!(
                        "{name:?} is not among the sounds that the bridge is said to have: {}; name them in miro.sounds",
                        self.sounds.join(", ")
                    ));
                }
            },
            Command::Native(call) if call.about().name == StopSound::DESCRIPTION.name => {
                stream.sound_index_P3 = -1;
                self.stream.publish(&stream)
            }
            other => {
                return Outcome::unsupported(format!(
                    "a MiRo has no word for {}",
                    other.name().replace('_', " ")
                ));
            }
        };
        match published {
            Ok(()) => Outcome::Accepted,
            Err(error) => Outcome::unsupported(format!("the robot's own messages cannot say it: {error}")),
        }
    }

    /// The bridge's number for a sound: `P3/hello`, or `P3/1` if there is none of that name.
    fn number_of(&self, name: &str) -> Option<i32> {
        let name = name.strip_prefix("P3/")?;
        let known = self.sounds.iter().position(|it| it == name).map(|i| i + 1);
        let number = known.or_else(|| name.parse().ok().filter(|number| *number > 0))?;
        i32::try_from(number).ok()
    }

    /// Takes what the robot published.
    pub(super) fn decoded(&mut self, decoded: &[Decoded]) {
        let now = self.clock.now();
        for it in decoded {
            if let (Some(part), Signal::Joint(joint)) = (it.part, &it.signal)
                && let Some(angle_rad) = joint.position_rad
            {
                self.frames.joint_is_at(part, angle_rad, now);
            }
        }
    }

    /// Waits until something is to be sent, and sends it. Cancel safe.
    pub(super) async fn tick(&mut self) {
        if let Some((_, until)) = self.waiting.front() {
            let until = *until;
            if !self.is_followed() {
                tokio::select! {
                    changed = self.followers.changed() => {
                        if changed.is_err() {
                            self.clock.sleep_until(until).await;
                        }
                    }
                    () = self.clock.sleep_until(until) => {}
                }
            }
            return self.stop_waiting();
        }
        if !self.frames.is_publishing() {
            return std::future::pending().await;
        }
        self.clock.sleep_until(self.next).await;
        let now = self.clock.now();
        // A frame that is late is not made up for.
        self.next = if now.since(self.next) > PLATFORM_PERIOD {
            now.after(PLATFORM_PERIOD)
        } else {
            self.next.after(PLATFORM_PERIOD)
        };
        self.publish_frame(now);
    }

    fn stop_waiting(&mut self) {
        let now = self.clock.now();
        while let Some((request, until)) = self.waiting.pop_front() {
            if let Err(outcome) = request.check() {
                request.answer(outcome);
            } else if self.is_followed() {
                self.act(request);
            } else if now >= until {
                request.answer(Outcome::unreachable(NOT_FOLLOWED));
            } else {
                return self.waiting.push_front((request, until));
            }
        }
    }

    fn publish_frame(&mut self, now: Timestamp) {
        let Some(mut frame) = self.frames.frame(now) else { return };
        frame.header.stamp = time_from_timestamp(now);
        if let Err(error) = self.control.publish(&frame) {
            tracing::debug!(%error, "the robot's own messages cannot say all of it");
        }
    }

    /// Ends the connection: refuses what waits with the reason, and stops the robot.
    pub(super) fn hang_up(&mut self, reason: &str) {
        for (request, _) in self.waiting.drain(..) {
            request.answer(Outcome::unreachable(format!("the connection ended: {reason}")));
        }
        let now = self.clock.now();
        if self.frames.is_publishing() && self.frames.take(&Command::Halt { motor_mask: None }, now).is_ok() {
            self.publish_frame(now);
        }
    }
}

const NOT_FOLLOWED: &str = "the robot's bridge does not follow platform/control";

/// Why the cameras cannot be set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum CameraError {
    #[error("the eyes of a MiRo are set together; name no camera")]
    OneEye,
    #[error("no pictures of {width} × {height} pixels; there are 128 × 96, 192 × 144 and 320 × 240")]
    Size { width: u32, height: u32 },
    #[error("{0} pictures a second are not to be had; it is a number from 0")]
    Rate(f64),
}

/// How the cameras shall deliver, in the platform's words.
fn config_from_camera(settings: &CameraSettings) -> Result<PlatformConfig, CameraError> {
    let CameraSettings { part, size, rate_hz } = settings;
    if part.is_some() {
        return Err(CameraError::OneEye);
    }
    let frame_size = match size {
        None => 0,
        Some([128, 96]) => 128,
        Some([192, 144]) => 192,
        Some([320, 240]) => 320,
        Some([width, height]) => {
            return Err(CameraError::Size { width: *width, height: *height });
        }
    };
    let rate_hz = rate_hz.unwrap_or(0.0);
    if rate_hz.is_nan() || rate_hz < 0.0 {
        return Err(CameraError::Rate(rate_hz));
    }
    let frame_rate = rate_hz.min(MOST_PICTURES_HZ) as f32;
    Ok(PlatformConfig { frame_size, frame_rate, ..PlatformConfig::default() })
}
