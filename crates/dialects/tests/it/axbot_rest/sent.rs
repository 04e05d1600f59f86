//! What the robot of these tests says.

use latimer_core::model::signal::{
    Control, ControlMode, Device, FeatureKind, Footprint, Frame, Joint, Localization, LocalizationState,
    MapFeature, MapInfo, Navigation, NavigationFailure, NavigationKind, NavigationState, OccupancyGrid, Pose,
    SleepState,
};

pub(crate) fn control(emergency_stop: bool) -> Control {
    let power = Some(SleepState::Awake);
    Control { mode: ControlMode::Auto, emergency_stop, wheels_released: Some(false), power }
}

pub(crate) fn device() -> Device {
    Device {
        model: Some("hygeia".into()),
        serial: Some("7182".into()),
        firmware: Some("2.13.0".into()),
        simulated: true,
        ..Device::UNKNOWN
    }
}

pub(crate) fn footprint() -> Footprint {
    Footprint { polygon_m: vec![[0.3, 0.2], [-0.3, 0.2], [-0.3, -0.2], [0.3, -0.2]], width_m: 0.4 }
}

pub(crate) fn navigation(id: i64, state: NavigationState) -> Navigation {
    Navigation {
        failure: (state == NavigationState::Failed).then_some(NavigationFailure::NoRack),
        target: Some(Pose::planar(Frame::Map, 7.0, 8.0, 0.5)),
        ..Navigation::new(id, NavigationKind::Goto, state)
    }
}

pub(crate) fn localization(state: LocalizationState) -> Localization {
    Localization { state, ..Localization::IDLE }
}

pub(crate) fn jack() -> Joint {
    Joint::hinge(0.0)
}

pub(crate) fn charger() -> MapFeature {
    MapFeature {
        kind: FeatureKind::Charger,
        id: None,
        name: Some("dock".into()),
        pose: Some(Pose::planar(Frame::Map, 1.0, 2.0, std::f64::consts::FRAC_PI_2)),
        points_m: Vec::new(),
        mac: None,
    }
}

pub(crate) fn hall() -> MapInfo {
    MapInfo {
        name: "hall".into(),
        uid: Some("uid-of-the-hall".into()),
        version: Some(3),
        features_version: Some(5),
        features: vec![charger()],
    }
}

/// A wall on the left, free floor on the right, both unknown above.
pub(crate) fn cells() -> OccupancyGrid {
    OccupancyGrid {
        resolution_m: 0.05,
        width: 2,
        height: 2,
        origin_x_m: -1.5,
        origin_y_m: -2.5,
        cells: vec![100, 0, 255, 255].into(),
        ..OccupancyGrid::UPRIGHT
    }
}
