//! `/vision_detected_objects`, `/detected_pallets`, `/landmarks`.
//!
//! The wire has no numbers for things: here they have their place in the list.

use latimer_core::model::signal::{DetectedObject, Frame, Objects, Pockets, Pose, Size};
use latimer_core::{Stamp, Timestamp};

use super::Received;
use super::units::{finite, point_from_xy, pose_from_map, pose_in, pose_in_map};
use crate::axbot::messages::objects::{
    DetectedPallets, FRAMES, Landmark, Landmarks, Pallet, PalletSize, VisionBox, VisionDetectedObjects,
};
use crate::axbot::wire::Extra;

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
pub(super) fn thing(id: usize, class: &str, label: Option<String>, pose: Pose) -> DetectedObject {
    DetectedObject {
        id: i64::try_from(id).unwrap_or(i64::MAX),
        class: Some(class.to_owned()),
        label,
        pose,
        size: None,
        pockets: None,
        confidence_ratio: None,
        sensed: true,
        first_seen: None,
        last_seen: None,
    }
}

/// What the camera makes out.
pub(super) fn received_from_vision(message: &VisionDetectedObjects, received: Timestamp) -> Received {
    let VisionDetectedObjects { boxes, extra: _ } = message;
    let seen = |(i, seen): (usize, &VisionBox)| {
        let VisionBox { pose, dimensions, value, label, extra: _ } = seen;
        let class = LABELS.iter().find(|(known, _)| Some(*known) == *label).map(|(_, class)| *class);
        let other = label.filter(|label| class.is_none() && *label != NO_LABEL);
        Some(DetectedObject {
            class: class.map(str::to_owned),
            size: dimensions.as_deref().and_then(size_from_dimensions),
            confidence_ratio: *value,
            ..thing(i, "", other.map(|label| label.to_string()), pose_in_map(pose.as_ref()?)?)
        })
    };
    let objects = boxes.iter().flatten().enumerate().filter_map(seen).collect();
    Received::of("vision", Stamp::gateway(received), Objects { objects })
}

/// Width, length, height; zeros say that nobody measured.
fn size_from_dimensions(dimensions: &[f64]) -> Option<Size> {
    let [width_m, length_m, height_m] = *dimensions else { return None };
    (dimensions != [0.0; 3]).then_some(Size { length_m, width_m, height_m: Some(height_m) })
}

/// The reverse.
fn dimensions(size: Option<&Size>) -> Vec<f64> {
    let known = size.and_then(|Size { length_m, width_m, height_m }| {
        Some(vec![finite(*width_m)?, finite(*length_m)?, finite(height_m.unwrap_or(0.0))?])
    });
    known.unwrap_or_else(|| vec![0.0; 3])
}

/// What the camera makes out, on the map.
pub(super) fn vision(objects: &Objects) -> VisionDetectedObjects {
    let wire = |object: &DetectedObject| {
        let class = object.class.as_deref();
        let known = LABELS.iter().find(|(_, known)| Some(*known) == class).map(|(label, _)| *label);
        let other = || object.label.as_deref().filter(|_| class.is_none())?.parse().ok();
        Some(VisionBox {
            pose: Some(pose_from_map(&object.pose)?),
            dimensions: Some(dimensions(object.size.as_ref())),
            value: object.confidence_ratio.and_then(finite),
            label: Some(known.or_else(other).unwrap_or(NO_LABEL)),
            extra: Extra::new(),
        })
    };
    let boxes = objects.objects.iter().filter_map(wire).collect();
    VisionDetectedObjects { boxes: Some(boxes), extra: Extra::new() }
}

/// Pallets.
pub(super) fn received_from_pallets(message: &DetectedPallets, received: Timestamp) -> Received {
    let DetectedPallets { pallets, extra: _ } = message;
    let seen = |(i, pallet): (usize, &Pallet)| {
        let Pallet { frame, pallet_id, pose, size, extra: _ } = pallet;
        let frame = frame.as_deref().map_or(Some(Frame::Map), |word| FRAMES.meaning(word))?;
        let (size, pockets) = size.as_ref().map_or((None, None), sizes_of_pallet);
        Some(DetectedObject {
            size,
            pockets,
            ..thing(i, "pallet", pallet_id.clone(), pose_in(frame, pose.as_ref()?)?)
        })
    };
    let objects = pallets.iter().flatten().enumerate().filter_map(seen).collect();
    Received::of("pallets", Stamp::gateway(received), Objects { objects })
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

/// Pallets on the map.
pub(super) fn pallets(objects: &Objects) -> DetectedPallets {
    let wire = |object: &DetectedObject| {
        let (size, pockets) = (object.size.as_ref(), object.pockets.as_ref());
        let known = size.is_some() || pockets.is_some();
        let size = PalletSize {
            width: size.and_then(|it| finite(it.width_m)),
            depth: size.and_then(|it| finite(it.length_m)),
            height: size.and_then(|it| finite(it.height_m?)),
            pocket_width: pockets.and_then(|it| finite(it.width_m)),
            pocket_height: pockets.and_then(|it| finite(it.height_m)),
            pocket_spacing: pockets.and_then(|it| finite(it.spacing_m)),
            extra: Extra::new(),
        };
        Some(Pallet {
            frame: FRAMES.word(&object.pose.frame).map(str::to_owned),
            pallet_id: object.label.clone(),
            pose: Some(pose_from_map(&object.pose)?),
            size: known.then_some(size),
            extra: Extra::new(),
        })
    };
    let pallets = objects.objects.iter().filter_map(wire).collect();
    DetectedPallets { pallets: Some(pallets), extra: Extra::new() }
}

/// Poles, which have no heading.
pub(super) fn received_from_landmarks(message: &Landmarks, received: Timestamp) -> Received {
    let Landmarks { landmarks, extra: _ } = message;
    let seen = |(i, landmark): (usize, &Landmark)| {
        let Landmark { id, pos, in_use, extra: _ } = landmark;
        let [x, y] = (*pos)?.xy();
        let pose = Pose::planar(Frame::Map, x, y, 0.0);
        Some(DetectedObject { sensed: in_use.unwrap_or(true), ..thing(i, "landmark", id.clone(), pose) })
    };
    let objects = landmarks.iter().flatten().enumerate().filter_map(seen).collect();
    Received::of("landmarks", Stamp::gateway(received), Objects { objects })
}

/// Poles on the map.
pub(super) fn landmarks(objects: &Objects) -> Landmarks {
    let wire = |object: &DetectedObject| {
        let pose = Some(&object.pose).filter(|pose| pose.frame == Frame::Map)?;
        Some(Landmark {
            id: object.label.clone(),
            pos: Some(point_from_xy([pose.x_m, pose.y_m])?),
            in_use: Some(object.sensed),
            extra: Extra::new(),
        })
    };
    Landmarks { landmarks: Some(objects.objects.iter().filter_map(wire).collect()), extra: Extra::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_classes_and_sizes_may_be_unknown() {
        let pose = Pose::planar(Frame::Map, 1.0, 2.0, 0.0);
        let size = Size { length_m: 1.2, width_m: 0.6, height_m: Some(0.9) };
        let objects = vec![
            DetectedObject { size: Some(size), ..thing(0, "queue_stand", None, pose.clone()) },
            DetectedObject { class: None, ..thing(1, "", Some("17".into()), pose.clone()) },
            thing(2, "dragon", Some("17".into()), pose),
        ];
        let wire = vision(&Objects { objects: objects.clone() });
        let boxes = wire.boxes.clone().unwrap();
        let labels: Vec<_> = boxes.iter().map(|it| it.label).collect();
        assert_eq!(labels, [Some(4), Some(17), Some(0)]);
        assert_eq!(boxes[0].dimensions, Some(vec![0.6, 1.2, 0.9]));
        let heard = received_from_vision(&wire, Timestamp::default());
        let latimer_core::Signal::Objects(read) = heard.signal else { panic!() };
        assert_eq!(read.objects[..2], objects[..2]);
    }
}
