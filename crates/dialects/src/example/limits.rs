//! Time-outs and limits of this dialect.

latimer_limits::limits! {
    /// Largest frame that is read, and that is written.
    pub(crate) const FRAME_MAX_BYTES: usize = 64 << 10;
    /// Most commands that wait for their answers, of a client and at a robot.
    pub(crate) const MAX_PENDING_COMMANDS: usize = 64;
}
