//! Time-outs and limits of this dialect; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// How long a robot goes by a control message that is not followed by another one (published).
    pub(crate) const CONTROL_HOLD_TIMEOUT: Duration = Duration::from_secs(1);
    /// Between two messages or steps of the platform, by its own clock (published): 50 a second.
    pub(crate) const PLATFORM_PERIOD: Duration = Duration::from_millis(20);
    /// A picture or a sound that was here for longer when somebody began to follow it is of another time.
    pub(crate) const MEDIA_MAX_AGE: Duration = Duration::from_secs(1);
    /// A camera that has sent nothing for so long in one form is asked for the other.
    pub(crate) const CAMERA_SILENCE_TIMEOUT: Duration = Duration::from_secs(2);
    /// Between two messages of `/clock` by the wall's clock, for a world in a hurry; of a slower one each step is published.
    pub(crate) const CLOCK_MIN_INTERVAL: Duration = Duration::from_millis(1);
    /// How long the master may take to forget `use_sim_time` when the gateway ends.
    pub(crate) const CLOCK_END_TIMEOUT: Duration = Duration::from_secs(1);
    /// A sound whose end was not received has ended by now.
    pub(crate) const SOUND_MAX_TIME: Duration = Duration::from_secs(30);
    /// Between two times that a speed is sent while it lasts.
    pub(crate) const SPEED_RENEW_INTERVAL: Duration = Duration::from_millis(200);
    /// For how long a robot is asked to keep a speed.
    pub(crate) const SPEED_HOLD_TIME: Duration = Duration::from_millis(500);
    /// How long a robot may take to answer what a client published.
    pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
    /// Most commands under way, apart from stops.
    pub(crate) const MAX_PENDING_COMMANDS: usize = 32;
    /// What was refused is asked for again after this.
    pub(crate) const REFUSED_RETRY_DELAY: Duration = Duration::from_secs(1);
    /// Between two changes of the lamps.
    pub(crate) const LAMPS_MIN_INTERVAL: Duration = Duration::from_millis(100);
    /// A reason for a refusal is logged again after this time.
    pub(crate) const REFUSAL_LOG_INTERVAL: Duration = Duration::from_secs(60);
    /// Least time between two commands of a sort to a robot that is not simulated.
    pub(crate) const COMMAND_MIN_INTERVAL: Duration = Duration::from_millis(50);
    /// Between two looks at what the robot has.
    pub(crate) const PROFILE_LOOK_INTERVAL: Duration = Duration::from_secs(1);
    /// A pose of a robot that is older is none.
    pub(crate) const POSE_MAX_AGE: Duration = Duration::from_secs(1);
    /// What is asked for again and again is said to the robot no oftener than this; it holds for a second there.
    pub(crate) const CORE_COMMAND_MIN_INTERVAL: Duration = Duration::from_millis(300);
    /// The same number again within this time is the same pulse.
    pub(crate) const PULSE_DEBOUNCE_TIME: Duration = Duration::from_millis(200);
    /// How long one message of a pair waits for the other.
    pub(crate) const SYNC_PAIR_TIMEOUT: Duration = Duration::from_millis(100);
    /// A node that was shut down from outside comes again after this time, under another name.
    pub(crate) const NODE_RETRY_DELAY: Duration = Duration::from_secs(5);
    /// Between two looks whether other nodes serve robots of the same names.
    pub(crate) const NAMESAKE_LOOK_INTERVAL: Duration = Duration::from_secs(5);
    /// How long a joint may take to its angle.
    pub(crate) const JOINT_TIMEOUT: Duration = Duration::from_secs(3);
    /// How long a pulse is held, so that it is seen whatever the robot's rate is.
    pub(crate) const PULSE_HOLD_TIME: Duration = Duration::from_millis(100);
    /// How long it is said that nothing is asked for any more.
    pub(crate) const NEUTRAL_HOLD_TIME: Duration = Duration::from_millis(500);
    /// How long the bridge may take to follow.
    pub(crate) const BRIDGE_TIMEOUT: Duration = Duration::from_secs(3);
    /// Most commands that wait for the bridge.
    pub(crate) const MAX_WAITING_FOR_BRIDGE: usize = 16;
    /// How long the first message may take; a master that is not up is tried again by the supervisor.
    pub(crate) const FIRST_MESSAGE_TIMEOUT: Duration = Duration::from_secs(8);
    /// A robot whose sensors publish nothing for so long is gone.
    pub(crate) const ROBOT_SILENCE_TIMEOUT: Duration = Duration::from_secs(3);
    /// A pose of the robot's own counts for so long; after that ways are summed here.
    pub(crate) const OWN_POSE_MAX_AGE: Duration = Duration::from_millis(500);
}
