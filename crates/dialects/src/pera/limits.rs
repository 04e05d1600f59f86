//! Time-outs and limits of this dialect; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// Least time between two answers to the same question.
    pub(crate) const QUERY_MIN_INTERVAL: Duration = Duration::from_millis(100);
    /// How long after the greeting the obstacles are published.
    pub(crate) const OBSTACLES_DELAY: Duration = Duration::from_secs(1);
    /// Longest time between two looks for silent robots.
    pub(crate) const SILENCE_LOOK_INTERVAL: Duration = Duration::from_secs(60);
    /// How long the world has for its answers.
    pub(crate) const WORLD_ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
    /// Between two looks at what stands in the arena, and at who is one of the gateway's own robots.
    pub(crate) const ARENA_LOOK_INTERVAL: Duration = Duration::from_secs(1);
    /// Between two looks for commands to simulated robots.
    pub(crate) const COMMAND_LOOK_INTERVAL: Duration = Duration::from_millis(20);
    /// Between two times that the world is asked to move bodies, though nobody asks what they see.
    pub(crate) const BODIES_INTERVAL: Duration = Duration::from_millis(1);
    /// Between two times that some of those who come are let in.
    pub(crate) const ADMISSION_INTERVAL: Duration = Duration::from_millis(1);
    /// Messages of robots that come that may wait; past it the oldest is dealt with as another comes.
    pub(crate) const MAX_WAITING_MESSAGES: usize = 32_768;
    /// Bytes of their payloads.
    pub(crate) const WAITING_MESSAGES_MAX_BYTES: usize = 8 << 20;
    /// How long no answer may come until that is logged: a simulator may come a little later than the robots.
    pub(crate) const UNANSWERED_LOG_DELAY: Duration = Duration::from_secs(10);
    /// Between signs of life to the broker.
    pub(crate) const FACADE_KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(30);
    /// How often requests that wait are looked at.
    pub(crate) const PENDING_LOOK_INTERVAL: Duration = Duration::from_millis(100);
    /// How long a robot may take to obey a program of the swarm.
    pub(crate) const OBEY_TIMEOUT: Duration = Duration::from_secs(5);
    /// Most commands on their way, apart from stops; a broadcast to a large swarm has one for each robot.
    pub(crate) const MAX_PENDING_COMMANDS: usize = 4_096;
    /// Most of them on their way to one robot.
    pub(crate) const MAX_PENDING_COMMANDS_PER_ROBOT: usize = 64;
    /// How long the first reading of a sensor may take.
    pub(crate) const FIRST_READING_TIMEOUT: Duration = Duration::from_secs(2);
    /// Least time between two places, as robots of the swarm have it.
    pub(crate) const PLACE_MIN_INTERVAL: Duration = Duration::from_millis(500);
    /// Time between two readings of a sensor, as robots of the swarm have it, whether it reads the same or not.
    pub(crate) const READING_INTERVAL: Duration = Duration::from_secs(1);
    /// Between two readings of a body.
    pub(crate) const BODY_READING_INTERVAL: Duration = Duration::from_millis(100);
    /// A place or a lamp that has not changed is published again after so long, for those who came later.
    pub(crate) const REPEAT_INTERVAL: Duration = Duration::from_secs(5);
    /// How long a robot that is connected to may take for a reading; those of the swarm give up after two seconds themselves.
    pub(crate) const READING_TIMEOUT: Duration = Duration::from_secs(3);
    /// Most readings that a session waits for.
    pub(crate) const MAX_PENDING_READINGS: usize = 32;
    /// How long a robot may take to show that it is there.
    pub(crate) const FIRST_MESSAGE_TIMEOUT: Duration = Duration::from_secs(6);
    /// A robot that sends nothing for so long is asked whether it is there.
    pub(crate) const SILENCE_QUERY_DELAY: Duration = Duration::from_secs(10);
    /// A robot that sends nothing for so long is gone.
    pub(crate) const ROBOT_SILENCE_TIMEOUT: Duration = Duration::from_secs(35);
    /// Between signs of life to the broker.
    pub(crate) const SESSION_KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
}
