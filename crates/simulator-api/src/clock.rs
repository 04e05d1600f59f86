//! The world's time: moved by its thread's steps, read and awaited by any other.

use latimer_core::Timestamp;
use tokio::sync::watch;

/// The time of a simulated world; cheap to clone. It goes as fast as the world does, and stands while that is paused.
#[derive(Clone, Debug)]
pub struct WorldClock(watch::Receiver<Timestamp>);

/// What moves it; only the world's thread does.
#[derive(Debug)]
pub(crate) struct WorldTime(watch::Sender<Timestamp>);

impl WorldClock {
    /// The moment of the world's last step; before the first one, when the world was made.
    pub fn now(&self) -> Timestamp {
        *self.0.borrow()
    }

    /// Waits until the world reaches a moment; at once if it has, and for ever if it ends before. Cancel safe.
    pub async fn reach(&mut self, when: Timestamp) {
        if self.0.wait_for(|now| *now >= when).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl WorldTime {
    /// A world that begins at a moment, and its clock.
    pub(crate) fn beginning(at: Timestamp) -> (Self, WorldClock) {
        let (sender, receiver) = watch::channel(at);
        (Self(sender), WorldClock(receiver))
    }

    /// A step brought the world to a moment, and all that it published was handed out.
    pub(crate) fn reached(&self, at: Timestamp) {
        self.0.send_replace(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_nanos(ms * 1_000_000)
    }

    #[tokio::test]
    async fn a_moment_is_reached_by_steps_and_by_nothing_else() {
        let (time, mut clock) = WorldTime::beginning(at(5));
        assert_eq!(clock.now(), at(5));
        clock.reach(at(5)).await;
        let waits = tokio::spawn({
            let mut clock = clock.clone();
            async move {
                clock.reach(at(25)).await;
                clock.now()
            }
        });
        for ms in [15, 24] {
            time.reached(at(ms));
            tokio::task::yield_now().await;
            assert!(!waits.is_finished());
        }
        time.reached(at(25));
        assert_eq!(waits.await.unwrap(), at(25));
    }

    #[tokio::test]
    async fn the_time_of_a_world_that_ended_comes_no_more() {
        let (time, mut clock) = WorldTime::beginning(at(5));
        drop(time);
        clock.reach(at(5)).await;
        assert_eq!(clock.now(), at(5));
        tokio::select! {
            biased;
            () = clock.reach(at(6)) => panic!("nothing moves it"),
            () = tokio::task::yield_now() => {}
        }
    }
}
