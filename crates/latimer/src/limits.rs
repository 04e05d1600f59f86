//! Time-outs and limits of this crate; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// Biggest body of a request that is read.
    pub(crate) const REQUEST_BODY_MAX_BYTES: usize = 64 << 10;
    /// Longest wait for a robot's answer.
    pub(crate) const COMMAND_MAX_TIMEOUT: Duration = Duration::from_secs(60);
    /// How long the world may take to answer whether it does its work.
    pub(crate) const READINESS_TIMEOUT: Duration = Duration::from_secs(1);
    /// How often a silent stream of events shows that it lives.
    pub(crate) const EVENT_STREAM_KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
    /// How long the last frame of a stream may take.
    pub(crate) const STREAM_END_TIMEOUT: Duration = Duration::from_millis(500);
    /// Keys without a transform that are remembered for a stream.
    pub(crate) const MAX_KEYS_WITHOUT_TRANSFORM: usize = 4096;
    /// Shortest time that one batch of a stream may cover.
    pub(crate) const BATCH_MIN_INTERVAL: Duration = Duration::from_millis(1);
    /// Longest time that one batch may cover.
    pub(crate) const BATCH_MAX_INTERVAL: Duration = Duration::from_secs(10);
    /// How often a client of a WebSocket stream is asked whether it lives.
    pub(crate) const WEBSOCKET_PING_INTERVAL: Duration = Duration::from_secs(20);
    /// How long such a client may be silent.
    pub(crate) const WEBSOCKET_SILENCE_TIMEOUT: Duration = Duration::from_secs(60);
    /// Biggest message from such a client; it has nothing to send.
    pub(crate) const WEBSOCKET_INCOMING_MAX_BYTES: usize = 4 << 10;
    /// Time between two frames of the world's stream, by default.
    pub(crate) const WORLD_FRAME_INTERVAL: Duration = Duration::from_millis(100);
    /// Least time between two frames: the world goes on by steps of 10 ms.
    pub(crate) const WORLD_FRAME_MIN_INTERVAL: Duration = Duration::from_millis(10);
    /// Most time between two frames.
    pub(crate) const WORLD_FRAME_MAX_INTERVAL: Duration = Duration::from_secs(60);
    /// How long the world may take to answer before a frame is left out.
    pub(crate) const WORLD_FRAME_TIMEOUT: Duration = Duration::from_secs(2);
    /// Between two looks at what is to be written to the audit's file; a record is written at most this much after it was closed.
    pub(crate) const AUDIT_FILE_LOOK_INTERVAL: Duration = Duration::from_millis(500);
    /// How long what was written to it waits to be synced with `everysec`.
    pub(crate) const AUDIT_FILE_SYNC_INTERVAL: Duration = Duration::from_secs(1);
    /// How long links have to disconnect before the broker ends.
    pub(crate) const BROKER_LINKS_DISCONNECT_TIMEOUT: Duration = Duration::from_millis(800);
    /// Hangups that come within this time are one.
    pub(crate) const HANGUP_MERGE_TIME: Duration = Duration::from_millis(200);
    /// Between two looks at the config file. It applies once two looks in a row find the same: an editor, a copy over the network or a full disk leave half a file for a while, which may well be a config, of fewer robots.
    pub(crate) const CONFIG_FILE_LOOK_INTERVAL: Duration = Duration::from_secs(5);
    /// How long connected robots that move may take to be stopped before their links are closed.
    pub(crate) const FINAL_STOP_TIMEOUT: Duration = Duration::from_secs(1);
    /// How long links to robots and robots' own ports may take to end, of the time that everything has.
    pub(crate) const UNITS_END_TIMEOUT: Duration = Duration::from_millis(700);
    /// How long simulated robots may take to publish first.
    pub(crate) const FIRST_REPORTS_TIMEOUT: Duration = Duration::from_secs(1);
    /// How long a robot that moves may take to be stopped before its link is closed.
    pub(crate) const UNIT_STOP_TIMEOUT: Duration = Duration::from_secs(1);
    /// How long a unit, such as a robot's link, may take to end at a reload.
    pub(crate) const UNIT_END_TIMEOUT: Duration = Duration::from_secs(1);
    /// How long a person who pressed TAB waits for the gateway.
    pub(crate) const COMPLETION_TIMEOUT: Duration = Duration::from_millis(500);
    /// How much longer than the robot an answer of the gateway may take, for the command line.
    pub(crate) const CLIENT_ANSWER_SLACK: Duration = Duration::from_secs(5);
    /// Longest answer that the command line reads.
    pub(crate) const CLIENT_ANSWER_MAX_BYTES: usize = 256 << 20;
    /// How long a gateway may be silent to the command line; it asks for a sign of life far more often.
    pub(crate) const CLIENT_STREAM_SILENCE_TIMEOUT: Duration = Duration::from_secs(65);
    /// Alerts that are kept after they were cleared.
    pub(crate) const JOURNAL_MAX_CLEARED_ALERTS: usize = 1_000;
    /// Events that the journal keeps.
    pub(crate) const JOURNAL_MAX_EVENTS: usize = 2_000;
    /// Samples of one key: ten minutes of a value that always changes.
    pub(crate) const HISTORY_MAX_SAMPLES: usize = 600;
    /// Keys whose numbers are sampled. With all their samples and columns they take 17 MB.
    pub(crate) const HISTORY_MAX_KEYS: usize = 512;
    /// Tasks that the journal keeps.
    pub(crate) const JOURNAL_MAX_TASKS: usize = 1_000;
    /// Events that may wait for the journal; enough for a moment in which the machine does something else.
    pub(crate) const JOURNAL_QUEUE_CAPACITY: usize = 16_384;
    /// How long a robot that is probed may take to answer in its dialect.
    pub(crate) const PROBE_ANSWER_TIMEOUT: Duration = Duration::from_secs(15);
    /// How long a probe may take to close its connection.
    pub(crate) const PROBE_END_TIMEOUT: Duration = Duration::from_secs(1);
    /// How long anything at the address of a probe may take to say what it is.
    pub(crate) const PROBE_PEER_TIMEOUT: Duration = Duration::from_secs(3);
    /// The least time between two samples of a key.
    pub(crate) const HISTORY_SAMPLE_INTERVAL: Duration = Duration::from_secs(1);
    /// A key of the history that was silent for so long makes room for another.
    pub(crate) const HISTORY_SILENCE_TIME: Duration = Duration::from_secs(60);
    /// How long a request waits for the journal to be written up to it.
    pub(crate) const JOURNAL_CATCH_UP_TIMEOUT: Duration = Duration::from_secs(1);
    /// Between two looks how much memory the journal takes.
    pub(crate) const JOURNAL_ACCOUNT_INTERVAL: Duration = Duration::from_secs(1);
    /// How long a link stays open after a stop: those that answer nothing, such as ROS's, may not have written it yet.
    pub(crate) const FINAL_STOP_FLUSH_TIME: Duration = Duration::from_millis(100);
    /// How long what runs may take to end its connections.
    pub(crate) const SHUTDOWN_GRACE_TIME: Duration = Duration::from_millis(1500);
    /// Between two looks at the config file where somebody asks for a reload, who has written it by then.
    pub(crate) const CONFIG_FILE_SECOND_LOOK_DELAY: Duration = Duration::from_millis(100);
    /// Longest interval or wait that can be asked for.
    pub(crate) const PARAMETER_MAX_DURATION: Duration = Duration::from_secs(86_400);
}
