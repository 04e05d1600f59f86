//! Signals of a served robot, as messages to the followers of its topics.
//!
//! ```text
//! hub ──states, events──▶ snapshot ──50 times a second of the robot's time──▶ sensors, state, Standard Interface
//! hub ──pictures, sound, log──as they come──▶ eyes, mics, log
//! ```
//!
//! The hub is asked only for what somebody follows, so that cameras are drawn and microphones opened only then. Nothing is said of a robot
//! that is not heard.

mod body;
mod eyes;
mod media;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{BoxStream, SelectAll, StreamExt, select_all, unfold};
use latimer_core::{Hub, RobotId, Timestamp};
use latimer_ros1::node::{Level, Node, NodeError, Publisher};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::Settings;
use super::member::Member;
use crate::miro::NAME;
use crate::miro::limits::{MEDIA_MAX_AGE, PLATFORM_PERIOD};
use crate::miro::topic::Topic;
use body::Body;
use media::Media;

/// The topics of one robot, advertised.
pub(super) struct Upstream {
    member: Arc<Member>,
    body: Body,
    media: Media,
}

impl Upstream {
    pub(super) fn advertise(
        hub: &Hub,
        node: &Node,
        settings: &Settings,
        robot: RobotId,
        name: String,
    ) -> Result<Self, NodeError> {
        let member = Arc::new(Member::new(hub, node, settings, robot, name)?);
        let (body, media) = (Body::advertise(&member)?, Media::advertise(&member)?);
        Ok(Self { member, body, media })
    }

    pub(super) fn member(&self) -> &Arc<Member> {
        &self.member
    }

    /// Publishes until `stop`.
    pub(super) async fn run(self, stop: CancellationToken) {
        let Self { member, mut body, mut media } = self;
        let mut followers = followers(body.publishers().chain(media.publishers()));
        let mut beat = member.time.beat(PLATFORM_PERIOD, MissedTickBehavior::Skip);
        let mut look = tokio::time::interval(Duration::from_secs(1));
        let mut silent = Silent::default();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(()) = followers.next() => {
                    if body.follow(&member) {
                        beat.begin();
                    }
                    media.follow(&member);
                }
                () = media.receive() => media.publish(&member),
                _ = look.tick() => {
                    body.look(&member);
                    media.look(&member);
                    silent.tell(&member, body.absent().chain(media.absent(&member)));
                }
                // Last, since it is always due in a world that goes faster than messages are made.
                at = beat.next(), if body.is_followed() => body.publish(&member, at),
            }
        }
    }
}

/// Topics that somebody follows and that the robot has nothing to say on.
#[derive(Default)]
struct Silent(BTreeSet<&'static str>);

impl Silent {
    /// Says on `log` that nothing will come, once each time that somebody begins to follow such a topic; followers of the log may come
    /// later than those of the topic.
    fn tell<'a>(&mut self, member: &Member, absent: impl Iterator<Item = (Topic, &'a Publisher)>) {
        if !has_followers(member.log()) {
            return;
        }
        let followed: BTreeSet<_> =
            absent.filter(|(_, it)| has_followers(it)).map(|(topic, _)| topic.as_str()).collect();
        for topic in followed.difference(&self.0) {
            let text = format!("{} has nothing that tells {topic}; no message will come", member.robot);
            member.say(Level::Warn, &text);
        }
        self.0 = followed;
    }
}

/// Tells whenever somebody comes or goes.
fn followers<'a>(publishers: impl Iterator<Item = &'a Publisher>) -> SelectAll<BoxStream<'static, ()>> {
    select_all(publishers.map(|publisher| {
        let mut count = publisher.subscribers();
        // Those that are here already.
        count.mark_changed();
        unfold(count, |mut count| async move { count.changed().await.ok().map(|()| ((), count)) }).boxed()
    }))
}

fn is_own_family(member: &Member) -> bool {
    member.hub.family(&member.robot) == Some(NAME)
}

/// Whether anybody follows.
fn has_followers(publisher: &Publisher) -> bool {
    *publisher.subscribers().borrow() > 0
}

/// Whether what was received then is too old for who follows since.
fn is_stale(received: Timestamp, since: Timestamp) -> bool {
    received.after(MEDIA_MAX_AGE) < since
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_picture_of_a_camera_that_was_off_is_not_shown() {
        let at = |seconds| Timestamp::default().after(Duration::from_secs(seconds));
        assert!(is_stale(at(10), at(60)), "nobody looked for a while");
        assert!(!is_stale(at(10), at(10)) && !is_stale(at(10), at(11)), "it is of just now");
        assert!(!is_stale(at(60), at(10)), "it came later");
    }
}
