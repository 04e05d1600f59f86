//! The asynchronous streams: pictures, sound and the log, as they come.

use std::sync::Arc;

use latimer_core::Timestamp;
use latimer_core::hub::{Delivery, MailboxLimits, Selection, Sink, Subscription, SubscriptionId};
use latimer_core::model::signal::Audio;
use latimer_core::model::{Kind, Signal};
use latimer_ros1::node::{NodeError, Publisher};

use super::eyes::Eyes;
use super::{has_followers, is_stale};
use crate::describe::Translate;
use crate::miro::NAME;
use crate::miro::facade::member::Member;
use crate::miro::messages::PlatformMics;
use crate::miro::topic::Topic;

/// Frames of sound that may wait for a subscriber: a second.
const FRAMES: usize = 10;

/// The publishers of sound and of the log.
pub(super) struct Media {
    sink: Sink,
    eyes: Eyes,
    mics: Publisher,
    hears: Option<SubscriptionId>,
    /// Since when.
    hears_since: Timestamp,
    /// Samples of both ears that wait until their frame is complete.
    samples: Vec<i16>,
    /// The number of the first sample of the frame to come, counted since then.
    next_sample: u32,
    log: Arc<Publisher>,
    reads: Option<SubscriptionId>,
    /// Whether the log says that the robot's sound has another form.
    deaf_reported: bool,
    deliveries: Vec<Delivery>,
}

impl Media {
    pub(super) fn advertise(member: &Member) -> Result<Self, NodeError> {
        Ok(Self {
            sink: sink(member),
            eyes: Eyes::advertise(member)?,
            mics: member.advertise(Topic::Mics, FRAMES)?,
            hears: None,
            hears_since: Timestamp::default(),
            samples: Vec::new(),
            next_sample: 0,
            log: member.log().clone(),
            reads: None,
            deaf_reported: false,
            deliveries: Vec::new(),
        })
    }

    pub(super) fn publishers(&self) -> impl Iterator<Item = &Publisher> {
        self.eyes.publishers().chain([&self.mics, &*self.log])
    }

    /// What the robot has no camera or microphones for.
    pub(super) fn absent(&self, member: &Member) -> impl Iterator<Item = (Topic, &Publisher)> {
        let is_deaf = !member.hub.offers(&member.robot, Kind::Audio, None);
        is_deaf.then_some((Topic::Mics, &self.mics)).into_iter().chain(self.eyes.absent(member))
    }

    /// Follows of the robot what is followed here.
    pub(super) fn follow(&mut self, member: &Member) {
        self.eyes.follow(member, &self.sink);
        if self.hears.is_none() {
            member.sampled.send_replace(None);
            self.hears_since = member.hub.clock().now();
            self.samples.clear();
            self.next_sample = 0;
        }
        for (publisher, follows, kind) in
            [(&self.mics, &mut self.hears, Kind::Audio), (&*self.log, &mut self.reads, Kind::Text)]
        {
            match (has_followers(publisher), *follows) {
                (true, None) => {
                    let selection = Selection::of_kinds(&member.robot, &[kind]);
                    *follows = Some(self.sink.subscribe(Subscription::to(selection)));
                }
                (false, Some(id)) => {
                    self.sink.unsubscribe(id);
                    *follows = None;
                }
                _ => {}
            }
        }
    }

    /// A look at the clock: a robot may have come, and a camera may deliver in another form than asked for.
    pub(super) fn look(&mut self, member: &Member) {
        self.eyes.look(member, &self.sink);
    }

    /// Waits for something to publish. Cancel safe.
    pub(super) async fn receive(&mut self) {
        self.sink.receive(&mut self.deliveries).await;
    }

    pub(super) fn publish(&mut self, member: &Member) {
        let mut ended = false;
        for delivery in std::mem::take(&mut self.deliveries) {
            match delivery {
                Delivery::Update(id, update) => match &update.signal {
                    Signal::Image(_) | Signal::CompressedImage(_) => self.eyes.publish(member, id, &update),
                    Signal::Audio(audio) if !is_stale(update.received, self.hears_since) => {
                        self.sound(member, audio, member.time.of(&update), update.stamp.at);
                    }
                    Signal::Text(text) if text.channel.is_line() => member.repeat(&text.text),
                    _ => {}
                },
                Delivery::Gap(gap) => {
                    tracing::debug!(robot = %gap.robot, lost = ?gap.lost, "something was missed")
                }
                Delivery::End(_) => ended = true,
            }
        }
        if ended {
            self.sink = sink(member);
            self.eyes.forget();
            (self.hears, self.reads) = (None, None);
            self.follow(member);
        }
    }

    /// Publishes a piece of sound at a moment of the robot's time; it ended at a time of its stamps.
    fn sound(&mut self, member: &Member, audio: &Audio, moment: Timestamp, ended: Timestamp) {
        if member.doings.borrow().no_mics {
            return;
        }
        let at = member.time.moment_of(moment);
        match PlatformMics::encode(audio, &at) {
            Some(mut mics) => {
                self.samples.append(&mut mics.data);
                while self.samples.len() >= PlatformMics::LENGTH {
                    mics.data = self.samples.drain(..PlatformMics::LENGTH).collect();
                    mics.sample_number = self.next_sample;
                    self.next_sample = mics.next_sample();
                    member.sampled.send_replace(Some((ended, self.next_sample)));
                    if let Err(error) = self.mics.publish(&mics) {
                        tracing::debug!(robot = %member.robot, %error, "sound does not fit its layout");
                    }
                }
            }
            None if !self.deaf_reported => {
                self.deaf_reported = true;
                let (rate_hz, channels) = (audio.sample_rate_hz, audio.channels);
                tracing::info!(robot = %member.robot, rate_hz, channels, "it hears in another form than a MiRo");
            }
            None => {}
        }
    }
}

fn sink(member: &Member) -> Sink {
    member.hub.internal_sink(NAME, format!("{}/streams", member.name), MailboxLimits::default())
}
