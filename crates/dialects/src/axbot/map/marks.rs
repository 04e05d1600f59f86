//! `/collected_barcode`, `/detected_rack`: the one of several that the wire has room for.

use latimer_core::model::signal::{DetectedObject, Frame, Objects, Pose, Size};
use latimer_core::{Stamp, Timestamp};

use super::objects::thing;
use super::units::{finite, flat_pose, pose_from_map, pose_in, pose_in_map, tidy};
use super::{Known, Received};
use crate::axbot::messages::objects::{Barcode, CollectedBarcode, DetectedRack, FRAMES};
use crate::axbot::wire::{Extra, FloorBox, Pose as WirePose};
use crate::describe::{Incomplete, need};

/// `state` of a code that was read.
const OK: &str = "ok";

/// `state` where there is none.
const NO_RESULT: &str = "no_result";

/// The code that was read; nothing in any state but `ok`.
pub(super) fn received_from_barcode(message: &CollectedBarcode, received: Timestamp) -> Received {
    let CollectedBarcode { state, barcode, extra: _ } = message;
    let read = || {
        let Barcode { id, pose, relative_pose: _, extra: _ } =
            barcode.as_ref().filter(|_| state.as_deref() == Some(OK))?;
        Some(thing(0, "barcode", Some(id.clone()?), pose_in_map(pose.as_ref()?)?))
    };
    let objects = Objects { objects: read().into_iter().collect() };
    Received::of("barcodes", Stamp::gateway(received), objects)
}

/// The nearest code that is sensed.
pub(super) fn barcode(objects: &Objects, known: &Known<'_>) -> CollectedBarcode {
    let read = |object: &DetectedObject| {
        let pose = pose_from_map(&object.pose)?;
        let from = known.pose.filter(|pose| pose.frame == Frame::Map);
        Some(Barcode {
            id: Some(object.label.clone()?),
            pose: Some(pose),
            relative_pose: from.and_then(|from| relative(&object.pose, from)),
            extra: Extra::new(),
        })
    };
    let barcode = nearest(objects, known.pose).find_map(read);
    let state = if barcode.is_some() { OK } else { NO_RESULT };
    CollectedBarcode { state: Some(state.to_owned()), barcode, extra: Extra::new() }
}

/// Where something on the map is from a robot on it: x ahead, y to the left.
fn relative(pose: &Pose, from: &Pose) -> Option<WirePose> {
    let (east, north) = (pose.x_m - from.x_m, pose.y_m - from.y_m);
    let (sin, cos) = from.yaw_rad.sin_cos();
    let turn = pose.yaw_rad - from.yaw_rad;
    let turn = turn.sin().atan2(turn.cos());
    let (ahead, left) = (east * cos + north * sin, north * cos - east * sin);
    flat_pose(&Pose::planar(Frame::BaseLink, ahead, left, turn))
}

/// What is sensed, the nearest first.
fn nearest<'a>(objects: &'a Objects, from: Option<&Pose>) -> impl Iterator<Item = &'a DetectedObject> {
    let distance_m = |object: &DetectedObject| match (object.pose.frame, from) {
        (Frame::BaseLink, _) => object.pose.x_m.hypot(object.pose.y_m),
        (frame, Some(from)) if frame == from.frame => {
            (object.pose.x_m - from.x_m).hypot(object.pose.y_m - from.y_m)
        }
        _ => f64::INFINITY,
    };
    let mut sensed: Vec<_> = objects.objects.iter().filter(|object| object.sensed).collect();
    sensed.sort_by(|a, b| distance_m(a).total_cmp(&distance_m(b)));
    sensed.into_iter()
}

/// The rack before the robot; none if there is none.
pub(super) fn received_from_rack(
    message: &DetectedRack,
    received: Timestamp,
) -> Result<Received, Incomplete> {
    let DetectedRack { rack_detected, frame, rack_box, rack_box_aligned: _, extra: _ } = message;
    let frame = frame.as_deref().map_or(Some(Frame::Map), |word| FRAMES.meaning(word));
    let seen = || {
        let FloorBox { pose, width, height, extra: _ } = rack_box.as_ref()?;
        let size = || Some(Size::flat((*height)?, (*width)?));
        Some(DetectedObject { size: size(), ..thing(0, "rack", None, pose_in(frame?, pose.as_ref()?)?) })
    };
    let objects = match need(*rack_detected, "rack_detected")? {
        true => vec![need(seen(), "rack_box")?],
        false => Vec::new(),
    };
    Ok(Received::of("racks", Stamp::gateway(received), Objects { objects }))
}

/// The nearest rack.
pub(super) fn rack(objects: &Objects, known: &Known<'_>) -> DetectedRack {
    let wire = |object: &DetectedObject| {
        let frame = FRAMES.word(&object.pose.frame)?;
        let size = object.size.as_ref();
        let rack_box = FloorBox {
            pose: Some(flat_pose(&object.pose)?),
            width: size.and_then(|size| finite(size.width_m)).map(tidy),
            height: size.and_then(|size| finite(size.length_m)).map(tidy),
            extra: Extra::new(),
        };
        Some((frame.to_owned(), rack_box))
    };
    let (frame, rack_box) = nearest(objects, known.pose).find_map(wire).unzip();
    DetectedRack {
        rack_detected: Some(rack_box.is_some()),
        frame,
        rack_box,
        rack_box_aligned: None,
        extra: Extra::new(),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::axbot::style::Style;

    fn known<'a>(pose: Option<&'a Pose>, keep: &'a dyn Fn(&str, &Bytes) -> String) -> Known<'a> {
        Known { style: Style::default(), pose, mapless: false, sonar: None, map: None, bumpers: &[], keep }
    }

    #[test]
    fn a_code_carries_the_robot_if_the_robot_knows_where_it_is() {
        let pose = Pose::planar(Frame::Map, 2.0, 3.0, 1.0);
        let objects = Objects { objects: vec![thing(0, "barcode", Some("D2_125".into()), pose)] };
        let keep = |_: &str, _: &Bytes| String::new();
        let from = Pose::planar(Frame::Map, 2.0, 1.0, std::f64::consts::FRAC_PI_2);
        let there = barcode(&objects, &known(Some(&from), &keep)).barcode.unwrap();
        let relative = there.relative_pose.unwrap();
        assert_eq!(relative.pos.map(|pos| pos.xy()), Some([2.0, 0.0]));
        assert!((relative.ori.unwrap() - (1.0 - std::f64::consts::FRAC_PI_2)).abs() < 1e-4);
        let adrift = Pose { frame: Frame::Odom, ..from };
        for pose in [None, Some(&adrift)] {
            assert_eq!(barcode(&objects, &known(pose, &keep)).barcode.unwrap().relative_pose, None);
        }
    }

    #[test]
    fn the_nearest_rack_is_told() {
        let at = |x: f64| thing(0, "rack", None, Pose::planar(Frame::Map, x, 0.0, 0.0));
        let remembered = DetectedObject { sensed: false, ..at(4.9) };
        let objects = Objects { objects: vec![at(1.0), at(4.0), remembered, at(9.0)] };
        let keep = |_: &str, _: &Bytes| String::new();
        let from = Pose::planar(Frame::Map, 5.0, 0.0, 0.0);
        let told = rack(&objects, &known(Some(&from), &keep));
        assert_eq!(told.rack_box.unwrap().pose.unwrap().pos.map(|pos| pos.x), Some(4.0));
        let none = rack(&Objects { objects: vec![] }, &known(None, &keep));
        assert_eq!(none, DetectedRack { rack_detected: Some(false), ..DetectedRack::default() });
    }
}
