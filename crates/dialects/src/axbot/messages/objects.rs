//! What the robot sees around itself. The wire has no numbers for things: here they have their place in the list.

use latimer_core::model::signal::{DetectedObject, Frame, Objects, Pockets, Pose as ModelPose, Size};

use super::Context;
use super::codecs::Xy;
use super::place::Pose;
use crate::axbot::wire::{FloorBox, Point};
use crate::describe::codec::{Codec, Describe, Words, finite};
use crate::describe::{Extra, Incomplete, Message, Translate, need};

pub(in crate::axbot) const FRAMES: Words<Frame> =
    Words(&[("map", Frame::Map), ("base_link", Frame::BaseLink)]);

/// `VisualObjectLabel` and the classes here; other numbers stand in the label.
const LABELS: [(i64, &str); 5] = [
    (1, "person"),
    (2, "platform_hand_truck"),
    (3, "scaffold"),
    (4, "queue_stand"),
    (5, "portable_grandstand"),
];

/// The number of what has no name.
const NO_LABEL: i64 = 0;

/// A thing of which only the class, the name and the pose are known.
pub(in crate::axbot) fn thing(class: &str, label: Option<String>, pose: ModelPose) -> DetectedObject {
    DetectedObject { class: Some(class.to_owned()), label, pose, ..DetectedObject::UNKNOWN }
}

/// Things, each numbered by its place.
struct Things;

impl Describe for Things {}

impl<W> Codec<Vec<W>, Vec<DetectedObject>, Context> for Things
where
    W: Translate<Record = DetectedObject, Context = Context>,
{
    fn decode(&self, wire: &Vec<W>, context: &Context) -> Option<Vec<DetectedObject>> {
        let numbered = (0..).zip(wire);
        let seen = numbered.filter_map(|(id, it)| Some(DetectedObject { id, ..it.decode(context).ok()? }));
        Some(seen.collect())
    }

    fn encode(&self, model: &Vec<DetectedObject>, context: &Context) -> Option<Vec<W>> {
        Some(model.iter().filter_map(|object| W::encode(object, context)).collect())
    }
}

/// Section "Vision Detected Objects".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Objects, context = Context)]
pub struct VisionDetectedObjects {
    /// Each of them.
    #[field(objects, codec = Things, or = Vec::new())]
    pub boxes: Option<Vec<VisionBox>>,
    pub(crate) extra: Extra,
}

/// Something that the camera makes out.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = DetectedObject, context = Context, base = DetectedObject::UNKNOWN)]
#[message(finish = class_and_size, amend = label_and_dimensions)]
#[message(ignores(id, class, label, size, pockets, sensed, first_seen, last_seen))]
pub struct VisionBox {
    /// Where it is.
    #[field(pose, nested, required)]
    pub pose: Option<Pose>,
    /// Width, length and height, metres; zeros if they are not known.
    #[field(items(size::width_m, size::length_m, size::height_m), note = "three zeros if nobody measured")]
    pub dimensions: Option<Vec<f64>>,
    /// How sure the robot is, 0..1.
    #[field(confidence_ratio)]
    pub value: Option<f64>,
    /// 1 person, 2 platform_hand_truck, 3 scaffold, 4 queue_stand, 5 portable_grandstand, 0 anything else.
    #[field(model = "class")]
    pub label: Option<i64>,
    pub(crate) extra: Extra,
}

fn class_and_size(message: &VisionBox, _: &Context, object: &mut DetectedObject) {
    let known = LABELS.iter().find(|(known, _)| Some(*known) == message.label);
    object.class = known.map(|(_, class)| (*class).to_owned());
    let other = message.label.filter(|label| known.is_none() && *label != NO_LABEL);
    object.label = other.map(|label| label.to_string());
    // Zeros say that nobody measured.
    if let Some([width_m, length_m, height_m]) = message.dimensions.as_deref()
        && [*width_m, *length_m, *height_m] != [0.0; 3]
    {
        object.size = Some(Size { length_m: *length_m, width_m: *width_m, height_m: Some(*height_m) });
    }
}

fn label_and_dimensions(object: &DetectedObject, _: &Context, message: &mut VisionBox) {
    let class = object.class.as_deref();
    let known = LABELS.iter().find(|(_, known)| Some(*known) == class).map(|(label, _)| *label);
    let other = || object.label.as_deref().filter(|_| class.is_none())?.parse().ok();
    message.label = Some(known.or_else(other).unwrap_or(NO_LABEL));
    let size = object.size.as_ref();
    let dimensions = size.map(|it| vec![it.width_m, it.length_m, it.height_m.unwrap_or(0.0)]);
    let known = dimensions.and_then(|it| it.into_iter().map(finite).collect());
    message.dimensions = Some(known.unwrap_or_else(|| vec![0.0; 3]));
}

/// Section "Collected Barcode".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct CollectedBarcode {
    /// `ok` if there is a code, else `no_result`; `unknown`, `not_unique`, `too_far` and `unaligned_with_robot` are read as none.
    #[field(own)]
    pub state: Option<String>,
    /// What was read.
    #[field(model = "objects")]
    pub barcode: Option<Barcode>,
    pub(crate) extra: Extra,
}

/// A code.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Barcode {
    /// What it says.
    #[field(model = "label")]
    pub id: Option<String>,
    /// Where it is on the map.
    #[field(model = "pose")]
    pub pose: Option<Pose>,
    /// Where it is from the robot, since 2.9.1: made from its own pose, not read.
    #[field(own)]
    pub relative_pose: Option<Pose>,
    pub(crate) extra: Extra,
}

/// Section "Detected Rack".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct DetectedRack {
    /// Whether there is one.
    #[field(own)]
    pub rack_detected: Option<bool>,
    /// `map` or `base_link`.
    #[field(model = "objects.pose.frame", codec = FRAMES)]
    pub frame: Option<String>,
    /// As it is seen.
    #[field(model = "objects")]
    pub rack_box: Option<FloorBox>,
    /// The size that is configured; not written.
    #[field(own)]
    pub rack_box_aligned: Option<FloorBox>,
    pub(crate) extra: Extra,
}

/// Section "Detected Pallets".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Objects, context = Context)]
pub struct DetectedPallets {
    /// Each of them.
    #[field(objects, codec = Things, or = Vec::new())]
    pub pallets: Option<Vec<Pallet>>,
    pub(crate) extra: Extra,
}

/// A pallet.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = DetectedObject, context = Context, base = DetectedObject::UNKNOWN)]
#[message(finish = frame_and_openings, amend = pallet_size)]
#[message(ignores(id, class, size, pockets, confidence_ratio, sensed, first_seen, last_seen))]
pub struct Pallet {
    /// `map`.
    #[field(model = "pose.frame", codec = FRAMES)]
    pub frame: Option<String>,
    /// Which one it is.
    #[field(label)]
    pub pallet_id: Option<String>,
    /// Where it is.
    #[field(pose, nested, required)]
    pub pose: Option<Pose>,
    /// How big it is.
    #[field(model = "")]
    pub size: Option<PalletSize>,
    pub(crate) extra: Extra,
}

/// Nothing in a frame that is not known.
fn frame_and_openings(message: &Pallet, _: &Context, object: &mut DetectedObject) -> Result<(), Incomplete> {
    let frame = message.frame.as_deref().map_or(Some(Frame::Map), |word| FRAMES.meaning(word));
    object.pose.frame = need(frame, "frame")?;
    object.class = Some("pallet".to_owned());
    (object.size, object.pockets) = message.size.as_ref().map_or((None, None), sizes_of_pallet);
    Ok(())
}

fn sizes_of_pallet(size: &PalletSize) -> (Option<Size>, Option<Pockets>) {
    let PalletSize { width, depth, height, pocket_width, pocket_height, pocket_spacing, extra: _ } = size;
    let outer = || Some(Size { length_m: (*depth)?, width_m: (*width)?, height_m: *height });
    let pockets = || {
        Some(Pockets {
            width_m: (*pocket_width)?,
            height_m: (*pocket_height)?,
            spacing_m: (*pocket_spacing)?,
        })
    };
    (outer(), pockets())
}

fn pallet_size(object: &DetectedObject, _: &Context, message: &mut Pallet) {
    let (size, pockets) = (object.size.as_ref(), object.pockets.as_ref());
    message.frame = FRAMES.word(&object.pose.frame).map(str::to_owned);
    message.size = (size.is_some() || pockets.is_some()).then(|| PalletSize {
        width: size.and_then(|it| finite(it.width_m)),
        depth: size.and_then(|it| finite(it.length_m)),
        height: size.and_then(|it| finite(it.height_m?)),
        pocket_width: pockets.and_then(|it| finite(it.width_m)),
        pocket_height: pockets.and_then(|it| finite(it.height_m)),
        pocket_spacing: pockets.and_then(|it| finite(it.spacing_m)),
        extra: Extra::new(),
    });
}

/// How big a pallet is, metres.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct PalletSize {
    /// From side to side.
    #[field(model = "size.width_m")]
    pub width: Option<f64>,
    /// From front to back.
    #[field(model = "size.length_m")]
    pub depth: Option<f64>,
    /// From the floor up.
    #[field(model = "size.height_m")]
    pub height: Option<f64>,
    /// How wide each opening is.
    #[field(model = "pockets.width_m")]
    pub pocket_width: Option<f64>,
    /// How high each opening is.
    #[field(model = "pockets.height_m")]
    pub pocket_height: Option<f64>,
    /// How far the openings are apart.
    #[field(model = "pockets.spacing_m")]
    pub pocket_spacing: Option<f64>,
    pub(crate) extra: Extra,
}

/// Section "Landmarks".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Objects, context = Context)]
pub struct Landmarks {
    /// Each of them.
    #[field(objects, codec = Things, or = Vec::new())]
    pub landmarks: Option<Vec<Landmark>>,
    pub(crate) extra: Extra,
}

/// A pole that reflects the scanner's light.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = DetectedObject, context = Context, base = DetectedObject::UNKNOWN, when = is_on_map)]
#[message(finish = pose_of_pole, amend = place_of_pole)]
#[message(ignores(id, class, pose, size, pockets, confidence_ratio, first_seen, last_seen))]
pub struct Landmark {
    /// Its name.
    #[field(label)]
    pub id: Option<String>,
    /// Where it is on the map.
    #[field(items(pose::x_m, pose::y_m))]
    pub pos: Option<Point>,
    /// Whether it is seen now.
    #[field(sensed, or = true)]
    pub in_use: Option<bool>,
    pub(crate) extra: Extra,
}

fn is_on_map(object: &DetectedObject, _: &Context) -> bool {
    let ModelPose { frame, x_m, y_m, .. } = object.pose;
    frame == Frame::Map && x_m.is_finite() && y_m.is_finite()
}

/// Poles have no heading.
fn pose_of_pole(message: &Landmark, _: &Context, object: &mut DetectedObject) -> Result<(), Incomplete> {
    [object.pose.x_m, object.pose.y_m] = need(message.pos, "pos")?.xy();
    object.class = Some("landmark".to_owned());
    Ok(())
}

fn place_of_pole(object: &DetectedObject, context: &Context, message: &mut Landmark) {
    message.pos = Xy.encode(&[object.pose.x_m, object.pose.y_m], context);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_classes_and_sizes_may_be_unknown() {
        let pose = ModelPose::planar(Frame::Map, 1.0, 2.0, 0.0);
        let size = Size { length_m: 1.2, width_m: 0.6, height_m: Some(0.9) };
        let objects = vec![
            DetectedObject { size: Some(size), ..thing("queue_stand", None, pose.clone()) },
            DetectedObject { id: 1, class: None, ..thing("", Some("17".into()), pose.clone()) },
            thing("dragon", Some("17".into()), pose),
        ];
        let objects = Objects { objects };
        let wire = VisionDetectedObjects::encode(&objects, &Context::default()).unwrap();
        let boxes = wire.boxes.clone().unwrap();
        let labels: Vec<_> = boxes.iter().map(|it| it.label).collect();
        assert_eq!(labels, [Some(4), Some(17), Some(0)]);
        assert_eq!(boxes[0].dimensions, Some(vec![0.6, 1.2, 0.9]));
        assert_eq!(wire.decode(&Context::default()).unwrap().objects[..2], objects.objects[..2]);
    }
}
