//! `/collected_barcode`, `/detected_rack`: the one of several that the wire has room for.

use latimer_core::model::signal::{DetectedObject, Frame, Objects, Pose, Size};

use crate::axbot::messages::Context;
use crate::axbot::messages::codecs::COMPUTED;
use crate::axbot::messages::objects::{Barcode, CollectedBarcode, DetectedRack, FRAMES, thing};
use crate::axbot::wire::{Extra, FloorBox, Pose as WirePose};
use crate::describe::codec::Codec;
use crate::describe::{Incomplete, Translate, need};

/// `state` of a code that was read.
const OK: &str = "ok";

/// `state` where there is none.
const NO_RESULT: &str = "no_result";

impl Translate for CollectedBarcode {
    type Record = Objects;
    type Context = Context;

    /// The code that was read; nothing in any state but `ok`.
    fn decode(&self, context: &Context) -> Result<Objects, Incomplete> {
        let read = || {
            let Barcode { id, pose, relative_pose: _, extra: _ } =
                self.barcode.as_ref().filter(|_| self.state.as_deref() == Some(OK))?;
            Some(thing("barcode", Some(id.clone()?), pose.as_ref()?.decode(context).ok()?))
        };
        Ok(Objects { objects: read().into_iter().collect() })
    }

    /// The nearest code that is sensed.
    fn encode(objects: &Objects, context: &Context) -> Option<Self> {
        let from = context.pose.as_ref();
        let read = |object: &DetectedObject| {
            let on_map = from.filter(|pose| pose.frame == Frame::Map);
            Some(Barcode {
                pose: Some(WirePose::encode(&object.pose, context)?),
                id: Some(object.label.clone()?),
                relative_pose: on_map.and_then(|from| relative(&object.pose, from, context)),
                extra: Extra::new(),
            })
        };
        let barcode = nearest(objects, from).find_map(read);
        let state = if barcode.is_some() { OK } else { NO_RESULT };
        Some(Self { state: Some(state.to_owned()), barcode, extra: Extra::new() })
    }
}

/// Where something on the map is from a robot on it: x ahead, y to the left.
fn relative(pose: &Pose, from: &Pose, context: &Context) -> Option<WirePose> {
    let (east, north) = (pose.x_m - from.x_m, pose.y_m - from.y_m);
    let (sin, cos) = from.yaw_rad.sin_cos();
    let turn = pose.yaw_rad - from.yaw_rad;
    let turn = turn.sin().atan2(turn.cos());
    let (ahead, left) = (east * cos + north * sin, north * cos - east * sin);
    WirePose::in_its_frame(&Pose::planar(Frame::BaseLink, ahead, left, turn), context)
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

impl Translate for DetectedRack {
    type Record = Objects;
    type Context = Context;

    /// The rack before the robot; none if there is none.
    fn decode(&self, context: &Context) -> Result<Objects, Incomplete> {
        let Self { rack_detected, frame, rack_box, rack_box_aligned: _, extra: _ } = self;
        let frame = frame.as_deref().map_or(Some(Frame::Map), |word| FRAMES.meaning(word));
        let seen = || {
            let FloorBox { pose, width, height, extra: _ } = rack_box.as_ref()?;
            let size = || Some(Size::flat((*height)?, (*width)?));
            let pose = Pose { frame: frame?, ..pose.as_ref()?.decode(context).ok()? };
            Some(DetectedObject { size: size(), ..thing("rack", None, pose) })
        };
        let objects = match need(*rack_detected, "rack_detected")? {
            true => vec![need(seen(), "rack_box")?],
            false => Vec::new(),
        };
        Ok(Objects { objects })
    }

    /// The nearest rack.
    fn encode(objects: &Objects, context: &Context) -> Option<Self> {
        let wire = |object: &DetectedObject| {
            let frame = FRAMES.word(&object.pose.frame)?;
            let size = object.size.as_ref();
            let rack_box = FloorBox {
                pose: Some(WirePose::in_its_frame(&object.pose, context)?),
                width: size.and_then(|size| COMPUTED.encode(&size.width_m, context)),
                height: size.and_then(|size| COMPUTED.encode(&size.length_m, context)),
                extra: Extra::new(),
            };
            Some((frame.to_owned(), rack_box))
        };
        let (frame, rack_box) = nearest(objects, context.pose.as_ref()).find_map(wire).unzip();
        Some(Self {
            rack_detected: Some(rack_box.is_some()),
            frame,
            rack_box,
            rack_box_aligned: None,
            extra: Extra::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen_from<M: Translate<Record = Objects, Context = Context>>(
        pose: Option<&Pose>,
        objects: Vec<DetectedObject>,
    ) -> M {
        M::encode(&Objects { objects }, &Context { pose: pose.cloned(), ..Context::default() }).unwrap()
    }

    #[test]
    fn a_code_carries_the_robot_if_the_robot_knows_where_it_is() {
        let pose = Pose::planar(Frame::Map, 2.0, 3.0, 1.0);
        let objects = vec![thing("barcode", Some("D2_125".into()), pose)];
        let barcode = |from| seen_from::<CollectedBarcode>(from, objects.clone()).barcode.unwrap();
        let from = Pose::planar(Frame::Map, 2.0, 1.0, std::f64::consts::FRAC_PI_2);
        let relative = barcode(Some(&from)).relative_pose.unwrap();
        assert_eq!(relative.pos.map(|pos| pos.xy()), Some([2.0, 0.0]));
        assert!((relative.ori.unwrap() - (1.0 - std::f64::consts::FRAC_PI_2)).abs() < 1e-4);
        let adrift = Pose { frame: Frame::Odom, ..from };
        for pose in [None, Some(&adrift)] {
            assert_eq!(barcode(pose).relative_pose, None);
        }
    }

    #[test]
    fn the_nearest_rack_is_published() {
        let at = |x: f64| thing("rack", None, Pose::planar(Frame::Map, x, 0.0, 0.0));
        let remembered = DetectedObject { sensed: false, ..at(4.9) };
        let from = Pose::planar(Frame::Map, 5.0, 0.0, 0.0);
        let reported: DetectedRack = seen_from(Some(&from), vec![at(1.0), at(4.0), remembered, at(9.0)]);
        assert_eq!(reported.rack_box.unwrap().pose.unwrap().pos.map(|pos| pos.x), Some(4.0));
        assert_eq!(
            seen_from::<DetectedRack>(None, vec![]),
            DetectedRack { rack_detected: Some(false), ..DetectedRack::default() }
        );
    }
}
