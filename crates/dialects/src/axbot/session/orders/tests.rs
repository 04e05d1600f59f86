use bytes::Bytes;
use latimer_core::model::call::{CallMotion, Quantity};
use latimer_core::model::signal::SpeedLimits;
use latimer_core::model::{NativeCall, TrackSpeeds};
use latimer_core::{PartName, Value};

use super::*;
use crate::axbot::calls::{self, DriveLimits, Follow, Maintain, Pins, WakeUp};
use crate::describe;

fn reported(command: Command) -> String {
    let now = Timestamp::from_nanos(1_655_896_161_012_000_000);
    let name = command.name();
    let done = match order_from_command(command, now) {
        Ok(Order::Call(Call { method, path, or_path, body, patience })) => {
            let body = body.map(|body| body.to_string()).unwrap_or_default();
            format!("{method:?} {path} {body} {} s, or {or_path:?}", patience.as_secs())
        }
        Ok(Order::Frame(frame)) => frame,
        Ok(other) => format!("{other:?}"),
        Err(reason) => format!("refused: {reason}"),
    };
    format!("{name}: {done}")
}

fn picture(part: &str, format: PictureFormat) -> Command {
    let image = CompressedImage { format, width: 2, height: 1, data: Bytes::from_static(b"jpg") };
    Command::Picture { part: PartName::of(part), image }
}

fn own(call: impl describe::Call) -> Command {
    call.command().unwrap()
}

/// A drive on a circle, which another family has.
fn arc_of_another_family() -> Command {
    let about = crate::calls().find(|it| matches!(it.motion, CallMotion::Arc)).unwrap();
    let value = |quantity: Quantity| if quantity.is_number() { Value::Float(1.0) } else { Value::Null };
    let values = about.arguments.iter().map(|it| value(it.quantity)).collect();
    Command::Native(NativeCall::new(about, values).unwrap())
}

#[test]
fn each_command_has_its_request_or_its_reason() {
    let turned = Follow { yaw_rad: Some(1.2), ..Follow::of(FollowState::Pose) };
    let mut commands = vec![
        Command::Drive { linear_mps: 0.5, angular_radps: -0.1, duration: None },
        Command::Drive { linear_mps: f64::NAN, angular_radps: 0.0, duration: None },
        Command::DriveTracks(TrackSpeeds { left_mps: 0.1, right_mps: 0.2 }),
        arc_of_another_family(),
        own(DriveLimits::from(SpeedLimits {
            forward_mps: Some(0.5),
            slow_down_mps2: Some(1.5),
            ..SpeedLimits::NONE
        })),
        Command::Stop { hold: true },
        Command::Halt { motor_mask: Some(1) },
        Command::CancelNavigation,
        own(Follow::of(FollowState::Pause)),
        own(Follow::of(FollowState::Fail)),
        own(Follow { x_m: Some(1.1), y_m: Some(2.2), ..turned.clone() }),
        own(turned),
        own(Pins { enable: Some(vec![0, 9, 13]), disable: Some(vec![2]) }),
        Command::ControlMode(ControlMode::Remote),
        Command::EmergencyStop(true),
        own(WakeUp {}),
        Command::SetPose { x_m: 1.0, y_m: -2.5, yaw_rad: 3.0 },
        Command::SetPose { x_m: f64::INFINITY, y_m: 0.0, yaw_rad: 0.0 },
        Command::Localization(LocalizationCommand::Mapping(true)),
        Command::Localization(LocalizationCommand::MappingInFrame),
        Command::Localization(LocalizationCommand::Mapping(false)),
        Command::Localization(LocalizationCommand::Relocate(RelocateBy { marks: true, scan: false })),
        Command::Localization(LocalizationCommand::Reset),
        Command::UseMap(None),
        picture("camera_front", PictureFormat::Jpeg),
        picture("camera_front", PictureFormat::Png),
        picture("camera_up", PictureFormat::Jpeg),
        Command::Volume(0.5),
    ];
    commands.extend(Carry::ALL.iter().copied().map(|action| own(calls::Carry { action })));
    commands.extend(Maintenance::ALL.iter().copied().map(|action| own(Maintain { action })));
    let reported: Vec<String> = commands.into_iter().map(reported).collect();
    insta::assert_snapshot!(reported.join("\n"));
}
