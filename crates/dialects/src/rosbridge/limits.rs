//! Time-outs and limits of this dialect; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// How long a speed on `cmd_vel` lasts: what ROS's own controllers drive on for without another.
    pub(crate) const TWIST_HOLD_TIMEOUT: Duration = Duration::from_millis(500);
    /// Topics that one client may subscribe to.
    pub(crate) const MAX_TOPICS_PER_CLIENT: usize = 512;
    /// Messages of a topic that wait for a client's `throttle_rate`; a `queue_length` above is this.
    pub(crate) const MAX_QUEUED_MESSAGES: usize = 100;
    /// What the messages of all its topics may take that wait so.
    pub(crate) const QUEUED_MESSAGES_MAX_BYTES: usize = 16 << 20;
    /// Commands of one client that may wait for their robots, apart from stops.
    pub(crate) const MAX_COMMANDS_PER_CLIENT: usize = 64;
    /// Topics, and as many services, that clients of a port have for one another.
    pub(crate) const MAX_RELAYED_NAMES: usize = 1024;
    /// Longest name of one of them.
    pub(crate) const RELAYED_NAME_MAX_BYTES: usize = 256;
    /// Messages of other clients that wait for one; those that come then are left out.
    pub(crate) const RELAY_INBOX_MESSAGES: usize = 256;
    /// What these may take, beyond the first.
    pub(crate) const RELAY_INBOX_BYTES: usize = 16 << 20;
    /// How long a client may take to answer a call of its service.
    pub(crate) const RELAYED_CALL_TIMEOUT: Duration = Duration::from_secs(30);
    /// Parameters that clients may set.
    pub(crate) const MAX_PARAMETERS: usize = 1024;
    /// What all of them may take.
    pub(crate) const PARAMETERS_MAX_BYTES: usize = 1 << 20;
    /// Fragments of one message that is sent; of fewer each is longer than was asked for.
    pub(crate) const MAX_SENT_FRAGMENTS: usize = 4096;
    /// Goals of actions of one client that may be under way.
    pub(crate) const MAX_GOALS_PER_CLIENT: usize = 16;
    /// Frames that a page wants republished with one goal of `tf2_web_republisher`.
    pub(crate) const MAX_REPUBLISHED_FRAMES: usize = 256;
    /// How often a second they are at most.
    pub(crate) const REPUBLISHING_MAX_HZ: f64 = 50.0;
    /// Goals of a robot, given by any client, whose names are kept.
    pub(crate) const MAX_KEPT_GOALS: usize = 16;
    /// How often the bridge is asked for its topics.
    pub(crate) const TOPICS_POLL_INTERVAL: Duration = Duration::from_secs(3);
    /// How long rosapi may take to answer at first; then the config's topics are all that is known.
    pub(crate) const ROSAPI_TIMEOUT: Duration = Duration::from_secs(4);
    /// How long after a call of rosapi that is not answered it is called again: each may hold a thread of the bridge.
    pub(crate) const ROSAPI_RETRY_INTERVAL: Duration = Duration::from_secs(30);
    /// How long the odometry may be silent while it is followed, until the link says so.
    pub(crate) const ODOMETRY_SILENCE_TIMEOUT: Duration = Duration::from_secs(5);
    /// The same as a multiple of the longest time between two of its messages, if that is longer.
    pub(crate) const MISSED_MESSAGES: u32 = 4;
    /// How long a bridge may tell nothing of a goal that was given to an action; then it is cancelled and refused.
    pub(crate) const GOAL_BEGIN_TIMEOUT: Duration = Duration::from_secs(4);
    /// Events of a goal that wait for its client; feedback beyond that is dropped.
    pub(crate) const GOAL_EVENTS: usize = 4;
    /// Shortest time between two reports of how far a goal is.
    pub(crate) const NAVIGATION_INTERVAL: Duration = Duration::from_millis(200);
    /// Topics of a bridge that are looked at.
    pub(crate) const MAX_LISTED_TOPICS: usize = 4096;
    /// Joints of a message.
    pub(crate) const MAX_JOINTS: usize = 256;
    /// Transforms of a message of `/tf`, and frames of a robot that are kept.
    pub(crate) const MAX_TRANSFORMS: usize = 1024;
    /// Points of a cloud.
    pub(crate) const MAX_POINTS: usize = 1_000_000;
    /// How often a speed that lasts is repeated: controllers stop half a second after the last one.
    pub(crate) const SPEED_REPEAT_INTERVAL: Duration = Duration::from_millis(100);
    /// How often zeros are repeated after a stop: a controller that goes on by itself publishes twenty times a second, and the last one counts.
    pub(crate) const STOP_REPEAT_INTERVAL: Duration = Duration::from_millis(20);
    /// So long zeros are repeated after a stop, beyond the time in which another one comes if the base has not stopped: a base whose
    /// own navigator drives it goes on after a single one.
    pub(crate) const STOP_REPEAT_TIME: Duration = Duration::from_millis(700);
    /// Largest frame read; a map is millions of numbers.
    pub(crate) const RECEIVED_FRAME_MAX_BYTES: usize = 64 << 20;
    /// Pieces of one message that comes in fragments.
    pub(crate) const MAX_FRAGMENTS: usize = 100_000;
    /// Messages whose fragments are awaited at a time; the oldest is given up for one more.
    pub(crate) const MAX_FRAGMENTED_MESSAGES: usize = 8;
    /// Largest frame written.
    pub(crate) const SENT_FRAME_MAX_BYTES: usize = 64 << 10;
    /// Calls whose answers are awaited.
    pub(crate) const MAX_PENDING_CALLS: usize = 16;
}
