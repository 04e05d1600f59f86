//! What a world file says stands about, as shapes to be seen.

use latimer_core::model::Realities;
use latimer_simulator_api::{Layer, Outline, SceneryShape};

use crate::config::{Reality, SoundKind, WorldFile};
use crate::geometry::Pose2;
use crate::physics::{PALLET, wall_slabs};

/// Side of a plate that a robot charges on and of a code on the floor, metres.
const PLATE_M: [f64; 2] = [0.34, 0.31];
const CODE_M: f64 = 0.1;

/// Radius of a reflective pole, metres.
const POLE_M: f64 = 0.03;

/// The corners of a rectangle about a pose.
pub(super) fn corners(pose: Pose2, size_m: [f64; 2]) -> Outline {
    let [x, y] = size_m.map(|side| side / 2.0);
    Outline::Polygon([[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| pose.point_out(x, y)).to_vec())
}

pub(super) fn realities(reality: Reality) -> Realities {
    match reality {
        Reality::Real => Realities::Real,
        Reality::Virtual => Realities::Virtual,
    }
}

pub(super) fn triple(Pose2 { x_m, y_m, yaw_rad }: Pose2) -> [f64; 3] {
    [x_m, y_m, yaw_rad]
}

/// A real thing of a layer that is never moved.
pub(super) fn plain(layer: Layer, name: Option<&str>, outline: Outline, pose: Pose2) -> SceneryShape {
    SceneryShape {
        layer,
        name: name.map(str::to_owned),
        label: None,
        outline,
        pose: triple(pose),
        rgb: None,
        height_m: None,
        reality: Realities::Real,
        movable: false,
    }
}

fn at([x_m, y_m]: [f64; 2]) -> Pose2 {
    Pose2::new(x_m, y_m, 0.0)
}

/// The middle of a polygon's corners.
fn middle(polygon_m: &[[f64; 2]]) -> Pose2 {
    let count = polygon_m.len().max(1) as f64;
    let sum = polygon_m.iter().fold([0.0; 2], |[x, y], point| [x + point[0], y + point[1]]);
    at(sum.map(|it| it / count))
}

/// Floors, drops and walls.
pub(super) fn ground(file: &WorldFile) -> impl Iterator<Item = SceneryShape> {
    let floors = file.floors.iter().map(|it| SceneryShape {
        rgb: Some(it.color.0),
        ..plain(Layer::Floor, None, Outline::Polygon(it.polygon_m.clone()), middle(&it.polygon_m))
    });
    let drops = file.drops.iter().map(|it| SceneryShape {
        label: Some(format!("{:.2} m deep", it.depth_m)),
        ..plain(Layer::Drop, None, Outline::Polygon(it.polygon_m.clone()), middle(&it.polygon_m))
    });
    let walls = file.walls.iter().flat_map(|wall| {
        wall_slabs(wall).map(|(pose, size_m)| SceneryShape {
            rgb: Some(wall.color.0),
            height_m: Some(wall.height_m),
            reality: realities(wall.reality),
            ..plain(Layer::Wall, None, corners(pose, size_m), pose)
        })
    });
    floors.chain(drops).chain(walls)
}

/// Things without a name; those that robots push are where they are given, in the order of the file.
pub(super) fn furniture(file: &WorldFile, pushed: impl Iterator<Item = Pose2>) -> Vec<SceneryShape> {
    let mut pushed = pushed.enumerate();
    let mut shapes = Vec::new();
    for it in file.boxes.iter().filter(|it| it.name.is_none()) {
        let now = if it.movable { pushed.next() } else { None };
        let pose = now.map_or(it.pose(), |(_, pose)| pose);
        shapes.push(SceneryShape {
            name: now.map(|(number, _)| nameless(number)),
            label: it.label.clone(),
            rgb: Some(it.color.0),
            height_m: Some(it.height_m),
            reality: realities(it.reality),
            movable: it.movable,
            ..plain(Layer::Furniture, None, corners(pose, it.size_m), pose)
        });
    }
    for it in file.cylinders.iter().filter(|it| it.name.is_none()) {
        shapes.push(SceneryShape {
            label: it.label.clone(),
            rgb: Some(it.color.0),
            height_m: Some(it.height_m),
            reality: realities(it.reality),
            ..plain(Layer::Furniture, None, Outline::Circle(it.radius_m), at(it.center_m))
        });
    }
    shapes
}

/// Tops of tables and windows.
pub(super) fn tops_and_windows(file: &WorldFile) -> impl Iterator<Item = SceneryShape> {
    let tables = file.tables.iter().map(|it| SceneryShape {
        label: it.label.clone(),
        rgb: Some(it.color.0),
        height_m: Some(it.height_m),
        ..plain(Layer::Table, None, corners(it.pose(), it.size_m), it.pose())
    });
    let windows = file.windows.iter().filter_map(|it| {
        let [x, y] = it.inward(file.size_m)?;
        let middle = middle(&it.points_m);
        let pose = Pose2::new(middle.x_m, middle.y_m, y.atan2(x));
        let outline = Outline::Polygon(it.points_m.to_vec());
        Some(SceneryShape { height_m: Some(it.head_m), ..plain(Layer::Window, None, outline, pose) })
    });
    tables.chain(windows)
}

/// What a thing is called that robots push and that has no name of its own.
pub(super) fn nameless(number: usize) -> String {
    format!("box {}", number + 1)
}

/// Chargers, spawns, frames, places, marks, pallets and sounds.
pub(super) fn signs(file: &WorldFile) -> impl Iterator<Item = SceneryShape> {
    let chargers = file.chargers.iter().map(|it| {
        let pose = it.pose();
        plain(Layer::Charger, Some(&it.name), corners(pose, PLATE_M), pose)
    });
    let spawns = file.spawns.iter().map(|it| plain(Layer::Spawn, Some(&it.name), Outline::Point, it.pose()));
    let frames = file.frames.iter().map(|it| {
        let outline = it.size_m.map_or(Outline::Point, |size_m| corners(it.pose(), size_m));
        plain(Layer::Frame, Some(&it.name), outline, it.pose())
    });
    let places = file.places.iter().map(|it| plain(Layer::Place, Some(&it.name), Outline::Point, it.pose()));
    let barcodes = file.barcodes.iter().map(|it| {
        let pose = it.pose();
        plain(Layer::Barcode, Some(&it.id), corners(pose, [CODE_M; 2]), pose)
    });
    let landmarks = file
        .landmarks
        .iter()
        .map(|it| plain(Layer::Landmark, Some(&it.id), Outline::Circle(POLE_M), at(it.position_m)));
    let pallets = file.pallets.iter().map(|it| SceneryShape {
        rgb: Some(PALLET.0),
        height_m: Some(it.height_m),
        ..plain(Layer::Pallet, Some(&it.id), corners(it.pose(), [it.depth_m, it.width_m]), it.pose())
    });
    let sounds = file.sounds.iter().map(|it| SceneryShape {
        label: Some(sound(it.kind).to_owned()),
        ..plain(Layer::Sound, None, Outline::Point, at(it.position_m))
    });
    chargers
        .chain(spawns)
        .chain(frames)
        .chain(places)
        .chain(barcodes)
        .chain(landmarks)
        .chain(pallets)
        .chain(sounds)
}

fn sound(kind: SoundKind) -> &'static str {
    match kind {
        SoundKind::Voice => "voice",
        SoundKind::Noise => "noise",
    }
}
