//! Time-outs and limits of this dialect; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// How long a robot may take to accept what moves parts, which some accept only when it is done.
    pub(crate) const PARTS_COMMAND_TIMEOUT: Duration = Duration::from_secs(30);
    /// How long a robot may take to answer what moves something: a jack is up after ten seconds and more, and only then some robots answer.
    pub(crate) const SLOW_CALL_TIMEOUT: Duration = Duration::from_secs(60);
    /// Largest body of a request; maps come in one piece.
    pub(crate) const BODY_MAX_BYTES: usize = 64 << 10;
    /// Largest body that is a map.
    pub(crate) const MAP_MAX_BYTES: usize = 16 << 20;
    /// How long a request waits for the message that answers it.
    pub(crate) const WAIT_FOR_TIMEOUT: Duration = Duration::from_secs(3);
    /// How long a boot takes that somebody asked for, if the config does not say.
    pub(crate) const RESTART_TIME: Duration = Duration::from_secs(3);
    /// Most drives that are remembered.
    pub(crate) const MAX_REMEMBERED_MOVES: usize = 1_000;
    /// After a drive is over the robot's last words on it may still be on their way for so long.
    pub(crate) const MOVE_ECHO_TIME: Duration = Duration::from_secs(2);
    /// Most maps that are kept of one robot.
    pub(crate) const MAX_STORED_MAPS: usize = 64;
    /// Bytes of these maps together.
    pub(crate) const STORED_MAPS_MAX_BYTES: usize = 64 << 20;
    /// Most of these maps that only the robot itself published.
    pub(crate) const MAX_PUBLISHED_MAPS: usize = 8;
    /// Most makings of a map that are remembered.
    pub(crate) const MAX_REMEMBERED_MAPPINGS: usize = 32;
    /// Bytes of their cells together.
    pub(crate) const REMEMBERED_MAPPINGS_MAX_BYTES: usize = 64 << 20;
    /// Most pictures of one robot.
    pub(crate) const MAX_PICTURES: usize = 32;
    /// What one robot's pictures may take.
    pub(crate) const PICTURES_MAX_BYTES: usize = 64 << 20;
    /// How often topics are looked at that are sent though nothing comes.
    pub(crate) const REPEAT_LOOK_INTERVAL: Duration = Duration::from_millis(500);
    /// The same warning about orders is given once in this time.
    pub(crate) const ORDER_WARNING_INTERVAL: Duration = Duration::from_secs(1);
    /// A speed that was measured longer ago does not count; one without a subscriber is sent once a second.
    pub(crate) const SPEED_MAX_AGE: Duration = Duration::from_secs(3);
    /// A camera that sent nothing for so long does not work.
    pub(crate) const CAMERA_SILENCE_TIMEOUT: Duration = Duration::from_secs(2);
    /// Pictures of the robot are those that it was sent, if it was sent one in this time.
    pub(crate) const SENT_PICTURE_HOLD_TIME: Duration = Duration::from_secs(5);
    /// Most orders that wait.
    pub(crate) const MAX_PENDING_ORDERS: usize = 32;
    /// Largest answer of a robot that is read; a map with all its marks is one.
    pub(crate) const ANSWER_MAX_BYTES: usize = 16 << 20;
    /// Largest picture fetched.
    pub(crate) const PICTURE_MAX_BYTES: usize = 64 << 20;
    /// So long after a message the other topic of the same thing is believed to be alive.
    pub(crate) const TOPIC_ALIVE_TIME: Duration = Duration::from_secs(10);
    /// How long the robot may take for its feedback; then the next twist is sent all the same.
    pub(crate) const FEEDBACK_TIMEOUT: Duration = Duration::from_secs(1);
    /// A twist that holds is sent again after so long: bases were seen to need twenty a second to drive without a stop.
    pub(crate) const TWIST_RENEW_INTERVAL: Duration = Duration::from_millis(50);
    /// How long a drive holds that nobody renews and that names no time.
    pub(crate) const DRIVE_HOLD_TIMEOUT: Duration = Duration::from_secs(1);
    /// Longest time that a drive may hold.
    pub(crate) const DRIVE_MAX_TIME: Duration = Duration::from_secs(600);
    /// So long after it was asked a robot has listed all topics that it will send.
    pub(crate) const TOPICS_LISTED_DELAY: Duration = Duration::from_secs(3);
    /// After so many pictures in a row that could not be fetched, maps are asked for with their pictures.
    pub(crate) const MAX_PICTURE_FAILURES: u32 = 3;
}
