//! The time that a served robot lives by: the world's, if it is simulated, else the gateway's.
//!
//! What a simulated robot publishes goes by the world's pace: four times as fast at speed 4, not at all while it is paused. Stamps, the embedded
//! clock and the time for which commands hold are of the same clock.

use std::sync::Arc;
use std::time::Duration;

use latimer_core::hub::{Origin, Shared};
use latimer_core::model::ClockSource;
use latimer_core::{Clock, Hub, RobotId, Timestamp};
use latimer_simulator_api::WorldClock;
use tokio::time::{Interval, MissedTickBehavior};

use crate::miro::messages::Moment;

/// Beats of the world's time that are caught up one by one by who comes late; more are left out.
const CAUGHT_UP: u32 = 5;

/// One robot's time.
#[derive(Clone, Debug)]
pub(super) struct RobotTime {
    wall: Clock,
    world: Option<WorldClock>,
    switched_on: Timestamp,
    /// Its name in ROS.
    frames: Arc<str>,
}

/// A moment by both clocks, for waits that neither a fast world nor a paused one is to end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Both {
    wall: Timestamp,
    own: Timestamp,
}

/// What is due again and again in a robot's time.
pub(super) enum Beat {
    Wall { clock: Clock, interval: Interval },
    World { clock: WorldClock, period: Duration, due: Timestamp },
}

/// Whether a robot lives in the world's time; `None` of one that is not here.
fn is_of_world(hub: &Hub, robot: &RobotId) -> Option<bool> {
    hub.robot(robot).map(|report| report.info.origin == Origin::Simulated)
}

impl RobotTime {
    /// Of a robot that is switched on now, in a gateway that may have a world.
    pub(super) fn new(hub: &Hub, world: Option<&WorldClock>, robot: &RobotId, name: &str) -> Self {
        // Robots that are connected to are known before those of the world come.
        let world = world.filter(|_| is_of_world(hub, robot) != Some(false)).cloned();
        let wall = hub.clock();
        let mut time = Self { wall, world, switched_on: Timestamp::default(), frames: name.into() };
        time.switched_on = time.now();
        time
    }

    /// Whether it is the time of a robot, as far as one of its name is here, in a gateway that may have a world.
    pub(super) fn is_of(&self, hub: &Hub, world: Option<&WorldClock>, robot: &RobotId) -> bool {
        world.is_none() || is_of_world(hub, robot).is_none_or(|of_world| of_world == self.world.is_some())
    }

    /// The moment now.
    pub(super) fn now(&self) -> Timestamp {
        self.world.as_ref().map_or_else(|| self.wall.now(), WorldClock::now)
    }

    /// The moment now by the gateway's clock.
    pub(super) fn wall(&self) -> Timestamp {
        self.wall.now()
    }

    /// The moment now by both.
    pub(super) fn both(&self) -> Both {
        Both { wall: self.wall(), own: self.now() }
    }

    /// What has passed by each clock at least.
    pub(super) fn since(&self, then: Both) -> Duration {
        self.wall().since(then.wall).min(self.now().since(then.own))
    }

    /// A moment as its messages tell it, under its name.
    pub(super) fn moment_of(&self, at: Timestamp) -> Moment {
        Moment::since(at, self.switched_on, self.frames.clone())
    }

    /// When an update happened: of the world's robots they say so themselves.
    pub(super) fn of(&self, update: &Shared) -> Timestamp {
        if self.world.is_some() { update.stamp.at } else { self.now() }
    }

    /// Whether an update is of a later step of the world than a moment.
    pub(super) fn is_after(&self, update: &Shared, at: Timestamp) -> bool {
        self.world.is_some() && update.stamp.clock == ClockSource::Robot && update.stamp.at > at
    }

    /// Something that is due so often; `missed` is for the gateway's clock.
    pub(super) fn beat(&self, period: Duration, missed: MissedTickBehavior) -> Beat {
        match &self.world {
            Some(clock) => Beat::World { clock: clock.clone(), period, due: clock.now().after(period) },
            None => {
                let mut interval = tokio::time::interval(period);
                interval.set_missed_tick_behavior(missed);
                Beat::Wall { clock: self.wall, interval }
            }
        }
    }
}

impl Beat {
    /// Waits until it is due, and says of which moment it is. Cancel safe.
    pub(super) async fn next(&mut self) -> Timestamp {
        match self {
            Self::Wall { clock, interval } => {
                interval.tick().await;
                clock.now()
            }
            Self::World { clock, period, due } => {
                clock.reach(*due).await;
                // Whole beats only: its stamps stay as far apart as ever.
                let behind = clock.now().since(*due).div_duration_f64(*period) as u32;
                let at = if behind <= CAUGHT_UP { *due } else { due.after(*period * behind) };
                *due = at.after(*period);
                at
            }
        }
    }

    /// Begins anew: at once by the gateway's clock, and with a step of the world that is still to come.
    pub(super) fn begin(&mut self) {
        match self {
            Self::Wall { interval, .. } => interval.reset_immediately(),
            Self::World { clock, period, due } => *due = clock.now().after(*period),
        }
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::hub::RobotInfo;
    use latimer_simulator_api::{RequestQueue, SimulatorHandle};

    use super::*;

    const PERIOD: Duration = Duration::from_millis(20);

    fn world() -> (RobotTime, Hub, RequestQueue) {
        let hub = Hub::new(Clock::starting_at(at(0)));
        let (simulator, queue) = SimulatorHandle::new(hub.clock());
        let robot = RobotId::new("miro-1").unwrap();
        (RobotTime::new(&hub, Some(&simulator.world_clock()), &robot, "rob01"), hub, queue)
    }

    fn at(ms: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_millis(ms))
    }

    /// How many beats come while no more steps do.
    async fn beats(beat: &mut Beat) -> Vec<Timestamp> {
        let mut beats = Vec::new();
        while let Ok(at) = tokio::time::timeout(Duration::from_secs(60), beat.next()).await {
            beats.push(at);
        }
        beats
    }

    #[tokio::test(start_paused = true)]
    async fn beats_come_by_the_worlds_steps_and_stand_with_it() {
        let (time, _hub, queue) = world();
        let mut beat = time.beat(PERIOD, MissedTickBehavior::Skip);
        assert_eq!(beats(&mut beat).await, [], "an hour of the wall's clock is no moment of the world's");
        for ms in [10, 20] {
            queue.reached(at(ms));
        }
        assert_eq!(beats(&mut beat).await, [at(20)]);
        queue.reached(at(90));
        assert_eq!(beats(&mut beat).await, [at(40), at(60), at(80)], "each is of its own moment");
        queue.reached(at(1_009));
        assert_eq!(beats(&mut beat).await, [at(1_000)], "who is far behind leaves whole beats out");
        beat.begin();
        assert_eq!(beats(&mut beat).await, [], "nothing is said anew while the world stands");
    }

    #[tokio::test(start_paused = true)]
    async fn a_robot_that_is_connected_to_lives_by_the_wall_s_clock() {
        let (in_world, hub, queue) = world();
        let info = RobotInfo::new(RobotId::new("real").unwrap(), "miro", Origin::Connected(String::new()));
        let real = hub.register(info).unwrap();
        let (simulator, _queue) = SimulatorHandle::new(hub.clock());
        let time = RobotTime::new(&hub, Some(&simulator.world_clock()), real.robot(), "real");
        let mut beat = time.beat(PERIOD, MissedTickBehavior::Skip);
        beat.next().await;
        let first = beat.next().await;
        assert_eq!(beat.next().await.since(first), PERIOD);
        let then = in_world.both();
        tokio::time::advance(Duration::from_secs(9)).await;
        queue.reached(in_world.now().after(Duration::from_secs(2)));
        assert_eq!((in_world.since(then).as_secs(), time.now().since(first).as_secs()), (2, 9));
    }

    #[tokio::test(start_paused = true)]
    async fn the_embedded_clock_rolls_over_by_the_world_s_time() {
        let (time, _hub, queue) = world();
        assert_eq!(time.moment_of(time.now()).usec, 0);
        // 2^29 µs are 536.870912 s.
        queue.reached(at(537_000));
        let moment = time.moment_of(time.now());
        assert_eq!(&*moment.frames, "rob01");
        assert_eq!((moment.header("head").stamp.secs, moment.usec), (537, 129_088));
    }
}
