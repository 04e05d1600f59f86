//! Updates made of numbers and words that no robot should send.

use latimer_core::model::signal::image::{Codec, PictureFormat};
use latimer_core::model::signal::*;
use latimer_core::{Signal, Timestamp};
use proptest::prelude::*;

/// Numbers that break naive arithmetic, and all others.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        Just(1e308),
        Just(-1e308),
        Just(-0.0),
        Just(5e-324),
        -100.0..100.0,
        proptest::num::f64::ANY,
    ]
}

fn any_frame() -> impl Strategy<Value = Frame> {
    prop_oneof![4 => Just(Frame::Map), 1 => proptest::sample::select(Frame::ALL)]
}

/// What one update of each kind is made of.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    numbers: Vec<f64>,
    whole: i64,
    text: String,
    pub(crate) flag: bool,
    frame: Frame,
    pick: usize,
}

prop_compose! {
    pub(crate) fn any_parts()(
        numbers in proptest::collection::vec(any_number(), 8),
        whole in any::<i64>(),
        text in ".{0,12}",
        flag in any::<bool>(),
        frame in any_frame(),
        pick in 0_usize..64,
    ) -> Parts {
        Parts { numbers, whole, text, flag, frame, pick }
    }
}

impl Parts {
    fn n(&self, i: usize) -> f64 {
        self.numbers[i % self.numbers.len()]
    }

    fn some(&self, i: usize) -> Option<f64> {
        (!(self.pick + i).is_multiple_of(5)).then(|| self.n(i))
    }

    pub(crate) fn one<T: Copy>(&self, all: &[T]) -> T {
        all[self.pick % all.len()]
    }

    pub(crate) fn pose(&self) -> Pose {
        Pose { z_m: self.n(3), ..Pose::planar(self.frame, self.n(0), self.n(1), self.n(2)) }
    }

    fn points(&self) -> Vec<[f64; 2]> {
        (0..self.pick % 7).map(|i| [self.n(i), self.n(i + 1)]).collect()
    }

    fn object(&self, i: usize) -> DetectedObject {
        let size = Size { length_m: self.n(i), width_m: self.n(i + 1), height_m: self.some(i + 2) };
        let pockets = Pockets { width_m: self.n(i), height_m: self.n(i + 1), spacing_m: self.n(i + 2) };
        DetectedObject {
            id: self.whole,
            class: self.flag.then(|| self.text.clone()),
            label: (!self.pick.is_multiple_of(3)).then(|| self.text.clone()),
            pose: self.pose(),
            size: self.flag.then_some(size),
            pockets: self.flag.then_some(pockets),
            confidence_ratio: self.some(i),
            sensed: !self.pick.is_multiple_of(4),
            first_seen: None,
            last_seen: None,
        }
    }

    /// One update of each kind that makes numbers and words of others.
    pub(crate) fn any_signal(&self) -> Vec<Signal> {
        let text = || self.text.clone();
        let cells = bytes::Bytes::from(vec![100_u8; (self.pick % 4) * 2]);
        vec![
            OccupancyGrid {
                frame: self.frame,
                resolution_m: self.n(0),
                width: (self.pick % 4) as u32,
                height: 2,
                origin_x_m: self.n(1),
                origin_y_m: self.n(2),
                cells,
                ..OccupancyGrid::UPRIGHT
            }
            .into(),
            Control {
                mode: self.one(ControlMode::ALL),
                emergency_stop: self.flag,
                wheels_released: self.some(0).map(|_| self.flag),
                power: Some(self.one(SleepState::ALL)),
            }
            .into(),
            Localization {
                state: self.one(LocalizationState::ALL),
                has_pose: Some(self.flag),
                quality_ratio: self.some(0),
                match_ratio: self.some(1),
                constraints: Some(u32::MAX),
                flags: vec![text().into(), "no_fix".into()],
                ..Localization::IDLE
            }
            .into(),
            Objects { objects: (0..self.pick % 4).map(|i| self.object(i)).collect() }.into(),
            Battery {
                charge_ratio: self.some(0),
                voltage_v: self.some(1),
                current_a: self.some(2),
                temperature_c: self.some(3),
                health_ratio: self.some(4),
                state: self.one(PowerState::ALL),
                gauge_trained: None,
                cell_voltages_v: self.numbers.clone(),
                capacity_ah: self.some(5),
                design_capacity_ah: self.some(6),
                cycles: Some(self.whole),
            }
            .into(),
            self.pose().into(),
            self.navigation().into(),
            Scan {
                angle_min_rad: self.n(0),
                angle_increment_rad: self.n(1),
                range_min_m: self.n(2),
                range_max_m: self.n(3),
                ranges_m: self.numbers.iter().map(|it| *it as f32).collect(),
                pose: Some(self.pose()),
            }
            .into(),
            PointCloud { frame: self.frame, points_m: vec![[self.n(0), self.n(1), self.n(2)]; 3] }.into(),
            Path {
                frame: self.frame,
                points_m: self.points(),
                yaws_rad: self.numbers.iter().take(self.pick % 5).copied().collect(),
                width_m: self.some(0),
            }
            .into(),
            Alerts {
                active: vec![Alert { code: self.whole, severity: self.one(Severity::ALL), message: text() }],
            }
            .into(),
            Odometer {
                trip_start: Some(Timestamp::from_nanos(self.whole)),
                trip_s: self.n(0),
                trip_m: self.n(1),
                total_m: self.n(2),
            }
            .into(),
            Video {
                codec: Codec::H264,
                key_frame: true,
                sequence: 0,
                width: 0,
                height: 0,
                data: text().into(),
            }
            .into(),
            CompressedImage {
                format: self.one(PictureFormat::ALL),
                width: 0,
                height: 0,
                data: text().into(),
            }
            .into(),
            Footprint { polygon_m: self.points(), width_m: self.n(0) }.into(),
            Neighbours {
                robots: vec![Neighbour {
                    robot: text(),
                    pose: self.pose(),
                    footprint_m: self.points(),
                    trend_m: self.points(),
                }],
            }
            .into(),
            Odometry { reliable: Some(self.flag), covariance_m2: self.numbers.clone() }.into(),
            Relocation {
                state: self.one(RelocationState::ALL),
                score_percent: self.some(0),
                needs_confirmation: Some(self.flag),
                pose: Some(self.pose()),
                message: Some(text()),
            }
            .into(),
            Device {
                model: Some(text()),
                serial: Some(text()),
                firmware: Some(text()),
                simulated: true,
                ..Device::UNKNOWN
            }
            .into(),
            Joint {
                position_rad: self.some(0).filter(|_| self.flag),
                position_m: self.some(1),
                velocity_radps: self.some(2),
                position_ratio: self.some(0),
                velocity_ratiops: self.some(1),
                self_check: Some(self.one(SelfCheck::ALL)),
            }
            .into(),
            Indicators { turn_left: self.flag, turn_right: true, brake: false, reverse: self.flag }.into(),
            Doors {
                doors: vec![Door {
                    name: text(),
                    mac: Some(text()),
                    state: self.one(DoorState::ALL),
                    polygon_m: self.points(),
                }],
            }
            .into(),
            Contact { contacted: true, sensor: ContactSensor::Bumper, position: None, frame: self.frame }
                .into(),
            Pins { inputs: vec![vec![self.flag; 3]; 2], outputs: vec![] }.into(),
            MapInfo {
                name: text(),
                uid: Some(text()),
                version: Some(self.whole),
                features_version: None,
                features: vec![],
            }
            .into(),
            Task {
                reason: Some(text()),
                ..Task::new(
                    self.one(&["recalibrate_imu", "calibrate_gyro_scale", "x"]),
                    "maintenance",
                    self.one(TaskState::ALL),
                )
            }
            .into(),
            Velocity::of(self.n(0), self.n(1)).into(),
            Contact {
                contacted: self.flag,
                sensor: ContactSensor::Touch,
                position: Some(Point { x_m: self.n(0), y_m: self.n(1), z_m: self.n(2) }),
                frame: self.frame,
            }
            .into(),
            self.range().into(),
            Cliff(self.range()).into(),
            Encoders { left: self.wheel(0), right: self.wheel(2) }.into(),
            Imu {
                orientation: Some(Orientation {
                    roll_rad: self.n(0),
                    pitch_rad: self.n(1),
                    yaw_rad: self.n(2),
                }),
                angular_velocity: Some(AngularRate {
                    x_radps: self.n(3),
                    y_radps: self.n(4),
                    z_radps: self.n(5),
                }),
                linear_acceleration: Some(Accel { x_mps2: self.n(0), y_mps2: self.n(1), z_mps2: self.n(2) }),
            }
            .into(),
            SoundSource {
                speech_bearing_rad: self.some(0),
                noise_bearings_rad: self.numbers.clone(),
                offset_s: self.some(1),
                activity_ratio: self.numbers.clone(),
                sectors_active: vec![],
            }
            .into(),
            SoundFocus { gain_step: None, sectors_enabled: vec![], sector_starts_rad: self.numbers.clone() }
                .into(),
            KeyPhrase { phrase: None, confidence_ratio: self.some(0) }.into(),
            Face {
                identity: FaceIdentity::Known,
                label: None,
                track_id: Some(self.whole),
                bearing_rad: self.some(0),
                elevation_rad: self.some(1),
                distance_m: self.some(2),
            }
            .into(),
            Playback { duration_s: self.some(0), affect: self.numbers.clone(), ..Playback::of(text()) }
                .into(),
        ]
    }

    fn range(&self) -> Range {
        Range {
            distance_m: self.some(0),
            min_m: self.some(1),
            max_m: self.some(2),
            field_of_view_rad: self.some(3),
            ..Range::valid(0.0)
        }
    }

    fn wheel(&self, i: usize) -> WheelEncoder {
        WheelEncoder { rotation_rad: self.some(i), velocity_radps: self.some(i + 1) }
    }

    fn navigation(&self) -> Navigation {
        Navigation {
            id: self.whole,
            kind: self.one(NavigationKind::ALL),
            state: self.one(NavigationState::ALL),
            failure: Some(self.one(NavigationFailure::ALL)),
            failure_code: self.some(0).map(|_| self.whole),
            reason: Some(self.text.clone()),
            target: Some(self.pose()),
            place: None,
            remaining_m: self.some(1),
            stuck: self.flag,
            passed_points: Some(u32::MAX),
            flags: vec![self.text.as_str().into(), "in_elevator".into()],
        }
    }
}
