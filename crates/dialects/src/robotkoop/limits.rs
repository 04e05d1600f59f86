//! Time-outs and limits of this dialect; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// A face that is seen all the time is reported once in so long.
    pub(crate) const FACE_REPORT_INTERVAL: Duration = Duration::from_secs(30);
    /// Between signs of life to the broker.
    pub(crate) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);
    /// Tasks that are remembered; the oldest that ended is forgotten first.
    pub(crate) const MAX_REMEMBERED_TASKS: usize = 256;
    /// Most commands that wait for the end of one task.
    pub(crate) const MAX_WAITING_FOR_TASK: usize = 16;
    /// `confirm` says only that the task arrived. A robot that says nothing else for so long has taken it.
    pub(crate) const TASK_TAKEN_TIMEOUT: Duration = Duration::from_millis(500);
    /// Commands that one robot may have under way; a task whose turn comes then fails at once.
    pub(crate) const MAX_PENDING_COMMANDS: usize = 32;
}
