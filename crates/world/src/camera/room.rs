//! The part of a scene that stays: floor, ceiling, walls and furniture of a world file, as faces.

use super::face::{Face, Look, faces_of, level_face};
use super::scene::Solid;
use crate::config::{Color, Wall, Window, WorldFile};
use crate::geometry::Pose2;

/// How high walls are, metres.
pub const WALL_M: f64 = 2.5;

/// How high the plate of a charger is, metres.
const PLATE_M: f64 = 0.03;

/// Side of a barcode, metres.
const MARK_M: f64 = 0.12;

/// How far a pane is before its wall, so that it is in front of it, metres.
const BEFORE_M: f64 = 0.005;

/// Radius of a landmark's pole, metres.
const POLE_M: f64 = 0.03;

const POLE: Color = Color([0xf2, 0xd0, 0x3a]);
const PALLET: Color = Color([0xc2, 0x9a, 0x62]);
const CEILING: Color = Color([0xee, 0xee, 0xea]);
const BARE_FLOOR: Color = Color([0xb9, 0xa4, 0x86]);
const CHARGER: Color = Color([0x2e, 0x9e, 0x5b]);
const DAYLIGHT: Color = Color([0xe6, 0xf1, 0xfb]);
const PIT: Color = Color([0x30, 0x32, 0x38]);

/// A piece of floor that looks different.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Its corners, metres on the map; it may have dents.
    pub polygon_m: Vec<[f64; 2]>,
    /// Its colour.
    pub color: Color,
    /// How far it lies below the floor: zero for a rug, more for stairs and pits, metres.
    pub depth_m: f64,
}

/// What of a world never moves, made ready to be seen from anywhere.
#[derive(Clone, Debug)]
pub struct Room {
    size_m: [f64; 2],
    pub(super) faces: Vec<Face>,
}

impl Room {
    /// The room of a world file with all that stands fast in it.
    ///
    /// Movable boxes and people are left out: they belong into [`super::Scene::moving`].
    pub fn new(file: &WorldFile) -> Self {
        let mut room = Self::bare(file.size_m);
        for floor in &file.floors {
            room.lay(&Patch { polygon_m: floor.polygon_m.clone(), color: floor.color, depth_m: 0.0 });
        }
        for drop in &file.drops {
            room.lay(&Patch { polygon_m: drop.polygon_m.clone(), color: PIT, depth_m: drop.depth_m });
        }
        for wall in &file.walls {
            room.raise(wall);
        }
        // What has a name may be moved.
        for it in file.boxes.iter().filter(|it| !it.movable && it.name.is_none()) {
            let pose = Pose2::new(it.center_m[0], it.center_m[1], it.yaw_deg.to_radians());
            room.put(&Solid::furniture(it, pose));
        }
        for it in file.cylinders.iter().filter(|it| it.name.is_none()) {
            room.put(&Solid::cylinder(it.center_m, it.radius_m, [0.0, it.height_m], it.color));
        }
        for it in &file.tables {
            room.put(&Solid::cuboid(it.pose(), it.size_m, it.top_m(), it.color));
        }
        room.faces.extend(file.windows.iter().filter_map(|it| pane(it, file.size_m)));
        for it in &file.pallets {
            room.put(&Solid::cuboid(it.pose(), [it.depth_m, it.width_m], [0.0, it.height_m], PALLET));
        }
        for it in &file.barcodes {
            room.put(&Solid::cuboid(it.pose(), [MARK_M; 2], [0.0, PLATE_M / 10.0], PIT));
        }
        for it in &file.landmarks {
            room.put(&Solid::cylinder(it.position_m, POLE_M, [0.0, 1.0], POLE));
        }
        for charger in &file.chargers {
            room.put(&Solid::cuboid(charger.pose(), [0.34, 0.3], [0.0, PLATE_M], CHARGER));
        }
        room
    }

    /// Four walls, a floor and a ceiling of a length east and north.
    pub fn bare(size_m: [f64; 2]) -> Self {
        let [x, y] = size_m;
        let corners = [[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]];
        let mut faces = vec![
            level_face(&corners, 0.0, true, BARE_FLOOR, Look::Floor),
            level_face(&corners, WALL_M, false, CEILING, Look::Plain),
        ];
        // Clockwise, so that the faces look inward.
        let inward = [corners[0], corners[3], corners[2], corners[1]];
        faces.extend(super::face::upright_faces(&inward, [0.0, WALL_M], Color::PLAIN, Look::Wall));
        Self { size_m, faces }
    }

    /// Its length east and north, metres.
    pub fn size_m(&self) -> [f64; 2] {
        self.size_m
    }

    /// Adds a piece of floor, over those that are there already.
    pub fn lay(&mut self, patch: &Patch) {
        let look = if patch.depth_m > 0.0 { Look::Pit { depth_m: patch.depth_m } } else { Look::Rug };
        self.faces.push(level_face(&patch.polygon_m, 0.0, true, patch.color, look));
    }

    /// Adds something that stands fast.
    pub fn put(&mut self, solid: &Solid) {
        self.faces.extend(faces_of(solid, Look::Edged));
    }

    fn raise(&mut self, wall: &Wall) {
        let last = wall.points_m.len().saturating_sub(2);
        for (i, pair) in wall.points_m.windows(2).enumerate() {
            let &[[x1, y1], [x2, y2]] = pair else { continue };
            // Inner corners are filled by letting both walls reach half a thickness further.
            let (before, after) = (f64::from(u8::from(i > 0)), f64::from(u8::from(i < last)));
            let half = wall.thickness_m / 2.0;
            let length = (x2 - x1).hypot(y2 - y1);
            let along = Pose2::new(x1, y1, (y2 - y1).atan2(x2 - x1));
            let [x, y] = along.point_out((length + half * (after - before)) / 2.0, 0.0);
            let size_m = [length + half * (before + after), wall.thickness_m];
            let solid = Solid::cuboid(
                Pose2::new(x, y, along.yaw_rad),
                size_m,
                [0.0, wall.height_m.min(WALL_M)],
                wall.color,
            );
            self.faces.extend(faces_of(&solid, Look::Wall));
        }
    }
}

/// A window as the bright face that one sees from within.
fn pane(window: &Window, size_m: [f64; 2]) -> Option<Face> {
    let [x, y] = window.inward(size_m)?;
    let [[ax, ay], [bx, by]] = window.points_m.map(|[ex, ey]| [ex + BEFORE_M * x, ey + BEFORE_M * y]);
    let (low, high) = (window.sill_m, window.head_m);
    let outline = vec![[ax, ay, low], [bx, by, low], [bx, by, high], [ax, ay, high]];
    Some(Face { outline, normal: [x, y, 0.0], color: DAYLIGHT, look: Look::Glass })
}
