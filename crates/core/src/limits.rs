//! Time-outs and limits of this crate; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// How long a robot may take to answer a command, unless its client says otherwise.
    pub const COMMAND_TIMEOUT: Duration = Duration::from_secs(10);
    /// How long a client may leave what is sent to it unread before it is disconnected.
    pub const UNREAD_TIMEOUT: Duration = Duration::from_secs(10);
    /// Shortest time between two lines of the log on what goes on.
    pub const LOG_INTERVAL: Duration = Duration::from_secs(10);
    /// How long a robot may take to turn to a heading before it drives straight; that time is not for the way.
    pub(crate) const TURN_TO_HEADING_TIMEOUT: Duration = Duration::from_secs(6);
    /// How long a driver keeps a robot after its last command, unless `[authority] hold_s` says otherwise.
    pub(crate) const DRIVER_HOLD_TIME: Duration = Duration::from_secs(1);
    /// How long a drive without an end goes on after its author was seen last, unless `[authority] drive_timeout_s` says otherwise.
    pub(crate) const DRIVE_TIMEOUT: Duration = Duration::from_secs(10);
    /// How long a drive without an end goes on after a sign of life of its connected author, unless `[authority] silence_s` says
    /// otherwise. Sockets ask theirs every ten seconds.
    pub(crate) const CONNECTED_DRIVE_TIMEOUT: Duration = Duration::from_secs(30);
    /// The longest time for which a speed grows in one step.
    pub(crate) const SETPOINT_STEP: Duration = Duration::from_millis(100);
    /// Two clocks that are read within this time are read at the same.
    pub(crate) const CLOCK_READ_TOLERANCE: Duration = Duration::from_millis(10);
    /// Parentheses within parentheses of a filter: filters come from strangers.
    pub(crate) const FILTER_MAX_DEPTH: usize = 32;
    /// Most updates offered to subscriptions before other tasks get their turn.
    pub(crate) const EVALUATIONS_PER_TURN: usize = 256;
    /// Most encodings that one update keeps; further ones are derived for each caller.
    pub(crate) const MAX_ENCODINGS_PER_UPDATE: usize = 32;
    /// Frames between a frame and the root; more would be a mistake.
    pub(crate) const FRAME_TREE_MAX_DEPTH: usize = 16;
    /// Records of commands that are kept.
    pub(crate) const AUDIT_MAX_RECORDS: usize = 1_000;
    /// The same command with the same outcome is counted with the one before, within this time of it.
    pub(crate) const AUDIT_REPEAT_INTERVAL: Duration = Duration::from_secs(1);
    /// Equal commands are counted in one record for so long at most, so that what goes on is recorded again.
    pub(crate) const AUDIT_COUNT_TIME: Duration = Duration::from_secs(10);
    /// After so long a stop that a robot did not take is given again before the end of its link.
    pub(crate) const FINAL_STOP_RETRY_DELAY: Duration = Duration::from_millis(100);
    /// Requests that may wait for the navigator.
    pub(crate) const NAVIGATOR_QUEUE_CAPACITY: usize = 1_024;
    /// Profiles that are kept to be shared; families have one each.
    pub(crate) const MAX_SHARED_PROFILES: usize = 64;
    /// Poses of two robots that are farther apart are not of one moment: the robot may have gone on.
    pub(crate) const SAME_MOMENT_TOLERANCE: Duration = Duration::from_secs(1);
    /// Commands that may wait for one robot, and as many stops beside them.
    pub(crate) const COMMAND_QUEUE_CAPACITY: usize = 64;
    /// A caller that hung up may have sent its command and left; after this its command is taken back.
    pub(crate) const ABANDONED_COMMAND_TIMEOUT: Duration = Duration::from_millis(500);
    /// Keys that one robot may have; more would be a robot that makes up part names.
    pub(crate) const MAX_KEYS_PER_ROBOT: usize = 4096;
    /// Stations of commands that wait for one that follows them (`latimer trace`).
    pub(crate) const COMMAND_STEPS_CAPACITY: usize = 4_096;
    /// How long a client waits until its map or picture is decoded, while others are.
    pub(crate) const DECODE_QUEUE_TIMEOUT: Duration = Duration::from_secs(10);
    /// Longest name of a robot or a part.
    pub(crate) const NAME_MAX_BYTES: usize = 64;
    /// Messages of one client in a full bucket, so that a few at once pass. The beginning of a flood delays other clients by the time that
    /// these messages take.
    pub(crate) const RATE_LIMIT_BURST: u32 = 20;
    /// A bucket holds at least the messages of this time, because the timer waits no less than a millisecond.
    pub(crate) const RATE_LIMIT_TICK: Duration = Duration::from_millis(10);
    /// A client that is slowed for so long without a pause is reported.
    pub(crate) const RATE_LIMIT_REPORT_DELAY: Duration = Duration::from_secs(1);
    /// A drive that has an end may end so much later.
    pub(crate) const DRIVE_END_SLACK: Duration = Duration::from_secs(1);
    /// A robot whose pose changed moves for so long after; some robots publish it once a second.
    pub(crate) const POSE_CHANGE_SHOWS_MOTION: Duration = Duration::from_secs(2);
    /// A pose that changed so long ago was the end of a motion, and one that did not change for so long shows that it stands.
    pub(crate) const POSE_STILL_TIME: Duration = Duration::from_millis(500);
    /// So long a place counts of a robot that may have moved since it reported it.
    pub(crate) const PLACE_MAX_AGE: Duration = Duration::from_secs(3);
    /// How long a robot may take to answer a stop before it is sent again.
    pub(crate) const STOP_ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
    /// How long a robot may take to stand after it took a stop.
    pub(crate) const BRAKING_TIMEOUT: Duration = Duration::from_secs(1);
    /// How long a robot stands before what it owed is over: longer than a session holds one that would go on by itself, such as a base
    /// behind a bridge whose navigator drives it, and that navigator takes to go on; and longer if it never took the stop, since it may only
    /// have paused.
    pub(crate) const STANDSTILL_TIME: Duration = Duration::from_millis(1_500);
    /// The same of a robot that never took the stop.
    pub(crate) const STANDSTILL_TIME_UNCONFIRMED: Duration = Duration::from_secs(5);
    /// Between two stops of a robot that moves still, or that did not take the one before.
    pub(crate) const STOP_REPEAT_INTERVAL: Duration = Duration::from_millis(500);
    /// After so long without effect a stop is an alert.
    pub(crate) const STOP_ALERT_DELAY: Duration = Duration::from_secs(3);
    /// Between two looks at a robot that owes a stop.
    pub(crate) const STOP_WATCH_INTERVAL: Duration = Duration::from_millis(100);
    /// The same at a robot that took the stop long ago and reports nothing, of which there may be many: before a change of its pose is too long ago to show that it moves.
    pub(crate) const SILENT_STOP_WATCH_INTERVAL: Duration = Duration::from_millis(400);
    /// Between two looks at a robot that drives, or that has to be watched.
    pub(crate) const DRIVE_WATCH_INTERVAL: Duration = Duration::from_millis(100);
    /// Until the first look at a drive without an end.
    pub(crate) const FIRST_DRIVE_WATCH_DELAY: Duration = Duration::from_millis(1);
    /// How long a robot that was sent somewhere may take until it reports that it is on the way.
    pub(crate) const SETTING_OUT_TIMEOUT: Duration = Duration::from_secs(5);
    /// So long a robot that owes a stop may take to answer a later command to move, before it owes the stop all the same.
    pub(crate) const MOTION_ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
    /// A measured speed that is above the bound for so long is no noise.
    pub(crate) const OVERSPEED_TIME: Duration = Duration::from_millis(500);
    /// How long a stop after a lost link waits for the robot's answer; it is sent whenever the robot takes it.
    pub(crate) const LINK_LOST_STOP_TIMEOUT: Duration = Duration::from_secs(60);
    /// A stop that the robot did not take is given again after this time, as long as the link lives.
    pub(crate) const LINK_LOST_STOP_REPEAT_DELAY: Duration = Duration::from_millis(500);
    /// Longest time between two probes of a peer that is away.
    pub(crate) const PROBE_INTERVAL_AWAY: Duration = Duration::from_millis(500);
    /// The same of a peer that accepts connections and refuses sessions, to notice that it went away.
    pub(crate) const PROBE_INTERVAL_REFUSING: Duration = Duration::from_secs(2);
    /// Between two looks at whether the machine's clock was set.
    pub(crate) const WALL_CLOCK_LOOK_INTERVAL: Duration = Duration::from_secs(1);
    /// A smaller difference between the machine's clock and the gateway's is no step: NTP slews those, which both clocks follow.
    pub(crate) const WALL_CLOCK_MIN_STEP: Duration = Duration::from_millis(100);
    /// Steps of the machine's clock that are kept; of more, the oldest are forgotten.
    pub(crate) const WALL_CLOCK_MAX_STEPS: usize = 256;
}
