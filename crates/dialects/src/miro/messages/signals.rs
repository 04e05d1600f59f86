//! Numbers of the platform's headers: bits of signals and flags, joints, limits.

/// The embedded clock rolls over at this many microseconds: 2^29.
pub const TIME_ROLLS_OVER_USEC: i64 = 1 << 29;

/// Distance of the wheels, mm.
pub const WHEEL_TRACK_MM: f64 = 164.0;
/// Greatest speed of a wheel, mm/s.
pub const MAX_WHEEL_MMPS: f64 = 400.0;

/// `platform_control.msg_flags`, `core_control.msg_flags`: assemble both streams in one packet.
pub mod sync {
    /// The platform's part.
    pub const PLATFORM: u32 = 1 << 0;
    /// The core's part.
    pub const CORE: u32 = 1 << 1;
}

/// `platform_control.body_move_flags`.
pub mod body_move {
    /// Begin; together with `CONTINUE`.
    pub const START: u32 = 1 << 0;
    /// Go on.
    pub const CONTINUE: u32 = 1 << 1;
    /// The pose is one of the odometry, not one relative to the start.
    pub const ABSOLUTE: u32 = 1 << 2;
}

/// `core_control.body_push`, `flags`.
pub mod body_push {
    /// A way, once.
    pub const IMPULSE: u32 = 1 << 0;
    /// A speed, while it holds.
    pub const VELOCITY: u32 = 1 << 1;
    /// The body does not go forward or back.
    pub const ZERO_POSE_DR: u32 = 1 << 2;
}

/// `core_config.msg_flags`: the signals are to be taken over.
pub const UPDATE_SIGNALS: u32 = 1 << 0;

/// Actions of the core, by their numbers.
pub const ACTIONS: [&str; 6] = ["mull", "halt", "orient", "approach", "flee", "retreat"];

/// `platform_control.body_config_speed`, `platform_control.body_config`.
pub mod degree_of_freedom {
    /// As a speed: as quickly as possible.
    pub const SPEED_INFINITE: f32 = -1.0;
    /// As a position: the first one.
    pub const USE_INITIAL: f32 = 42.0;
    /// As a position: the motor is let go.
    pub const GO_INACTIVE: f32 = 43.0;
}

/// `bridge_config.flags`.
pub mod bridge {
    /// Without it the others mean nothing.
    pub const UPDATE: u32 = 1 << 0;
    /// Microphones are not published.
    pub const NO_PUBLISH_MICS: u32 = 1 << 1;
    /// Cameras are not published.
    pub const NO_PUBLISH_CAMS: u32 = 1 << 2;
}

/// `platform_state.P1_R_signals`.
pub mod p1_r {
    /// Little charge is left.
    pub const LOW_BATT: u32 = 1 << 3;
    /// The drive is stalled.
    pub const STALL_UC1: u32 = 1 << 10;
    /// The neck is stalled.
    pub const STALL_UC4: u32 = 1 << 11;
    /// It backs off from an edge.
    pub const RETREAT_ON_CLIFF: u32 = 1 << 17;
    /// It stands still for safety.
    pub const FREEZE: u32 = 1 << 19;
}

/// `platform_state.P2C_R_signals`.
pub mod p2c_r {
    /// The platform is up.
    pub const PLATFORM_READY: u32 = 1 << 0;
    /// P3 is connected.
    pub const P3_CONNECTED: u32 = 1 << 2;
    /// P3 is in step.
    pub const P3_SYNCED: u32 = 1 << 3;
}

/// `platform_state.P2L_R_signals`.
pub mod p2l_r {
    /// The mode is set.
    pub const MODE_SET: u32 = 1 << 0;
    /// The seed can be used.
    pub const SEED_READY: u32 = 1 << 1;
}

/// `platform_state.P2U_R_signals`.
pub mod p2u_r {
    /// A body move is under way.
    pub const BODY_MOVE_UNDERWAY: u32 = 1 << 16;
    /// A sound is made.
    pub const VOCALISING: u32 = 1 << 17;
    /// A command sent the neck back to how it stands at first.
    pub const ACK_BODY_RESET_INTEGRATORS: u32 = 1 << 18;
}

/// `platform_state.success_r` of a bus on which every board answers.
pub const ALL_READ: u32 = 0x00c4_dce6;
/// `platform_state.success_w` of a bus on which every board answers.
pub const ALL_WRITTEN: u32 = 0x0004_c786;
