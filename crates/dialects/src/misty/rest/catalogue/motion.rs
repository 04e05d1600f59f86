//! Driving, head and arms.

use crate::misty::calls::{DriveArc, DriveHeading};
use crate::misty::rest::row::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row!(Post "drive" Drive in Locomotion: Action "drive" (double LinearVelocity, double AngularVelocity) -> CommandGroup),
    row!(Post "drive/time" DriveTime in Locomotion: Action "drive"
        (double LinearVelocity, double AngularVelocity, int TimeMs, double Degree) -> CommandGroup),
    DriveArc::ROWS[0],
    DriveHeading::ROWS[0],
    row!(Post "halt" Halt in Locomotion: Action "halt" (int MotorMask = Default::Int(65_535)) -> MotorControl),
    row!(Post "drive/track" DriveTrack as LocomotionTrack in Locomotion: Action "drive"
        (double LeftTrackSpeed, double RightTrackSpeed) -> CommandGroup),
    row!(Post "arms" MoveArm in Attachments: Action "move arm"
        (text Arm, double Position, maybe_double Velocity, double Duration, text Units) -> CommandGroup),
    row!(Post "arms/set" MoveArms in Attachments: Action "move arms"
        (double LeftArmPosition, double RightArmPosition, maybe_double LeftArmVelocity, maybe_double RightArmVelocity, double Duration,
         text Units) -> CommandGroup),
    row!(Post "head" MoveHead in General: Action "move head"
        (double Pitch, double Roll, double Yaw, maybe_double Velocity, maybe_double Duration, text Units) -> CommandGroup),
    row!(Post "drive/stop" Stop in Locomotion: Action "stop" (flag Hold) -> CommandGroup),
];
