//! What stands or lies about in a warehouse and a household: doors, racks, pallets, marks, small objects.

use super::canvas::{Canvas, Line};
use super::shapes::edge_of;
use crate::config::{Color, WorldFile};
use crate::geometry::Pose2;
use crate::physics::{Door, DoorState};

const INK: [u8; 3] = [0x26, 0x26, 0x2b];
const WHITE: [u8; 3] = [0xff, 0xff, 0xff];
const WOOD: [u8; 3] = [0xc9, 0xa2, 0x6b];
const SHUT: [u8; 3] = [0xb0, 0x3a, 0x2e];
const FREE: [u8; 3] = [0x2e, 0x9e, 0x5b];
const POLE: [u8; 3] = [0xd9, 0x8a, 0x1f];

/// Least radius at which a small thing can be seen, pixels of a thin line.
const LEAST: f32 = 2.5;

fn rectangle(pose: Pose2, [length_m, width_m]: [f64; 2]) -> [[f64; 2]; 4] {
    let (x, y) = (length_m / 2.0, width_m / 2.0);
    [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| pose.point_out(x, y))
}

/// A leaf in the opening with a red edge.
pub(super) fn shut_doors(canvas: &mut Canvas, file: &WorldFile) {
    for door in &file.doors {
        let [[x1, y1], [x2, y2]] = door.points_m;
        let pose = Pose2::new((x1 + x2) / 2.0, (y1 + y2) / 2.0, (y2 - y1).atan2(x2 - x1));
        leaf(canvas, &rectangle(pose, [door.length_m(), door.thickness_m]), door.color, SHUT);
    }
}

/// A leaf where it is now: with a green edge if it is not shut.
pub(super) fn doors_now<'a>(canvas: &mut Canvas, doors: impl Iterator<Item = &'a Door>) {
    for door in doors {
        let edge = if door.state == DoorState::Closed { SHUT } else { FREE };
        leaf(canvas, &door.polygon_now(), door.file.color, edge);
    }
}

fn leaf(canvas: &mut Canvas, corners: &[[f64; 2]], Color(color): Color, edge: [u8; 3]) {
    canvas.outline(corners, Line::plain(edge, 4.0 * canvas.thin));
    canvas.polygon(corners, color, 255);
}

/// Four legs, the shelf above them dashed, and an arrow in at the front.
pub(super) fn racks(canvas: &mut Canvas, file: &WorldFile) {
    for rack in &file.racks {
        let (pose, edge) = (rack.pose(), edge_of(rack.color));
        let shelf = rectangle(pose, rack.size_m);
        canvas.polygon(&shelf, rack.color.0, 60);
        canvas.outline(&shelf, Line { dashed: true, ..Line::plain(edge, 1.2 * canvas.thin) });
        let side = rack.leg_m.max(canvas.metres(3.5 * canvas.thin));
        for [x, y] in rack.legs() {
            let [x, y] = pose.point_out(x, y);
            canvas.polygon(&rectangle(Pose2::new(x, y, pose.yaw_rad), [side; 2]), edge, 255);
        }
        let tip = 0.2 * rack.size_m[0];
        let way = [[-tip, tip], [0.0, 0.0], [-tip, -tip]].map(|[x, y]| pose.point_out(x, y));
        canvas.line(&way, Line { alpha: 160, ..Line::plain(edge, 1.2 * canvas.thin) });
    }
}

/// Boards, with the two pockets in the ends.
pub(super) fn pallets(canvas: &mut Canvas, file: &WorldFile) {
    for pallet in &file.pallets {
        let pose = pallet.pose();
        let edge = edge_of(Color(WOOD));
        let corners = rectangle(pose, [pallet.depth_m, pallet.width_m]);
        canvas.polygon(&corners, WOOD, 255);
        let beside = (pallet.pocket_spacing_m + pallet.pocket_width_m) / 2.0;
        for left in [beside, -beside] {
            let [x, y] = pose.point_out(0.0, left);
            let pocket = rectangle(Pose2::new(x, y, pose.yaw_rad), [pallet.depth_m, pallet.pocket_width_m]);
            canvas.polygon(&pocket, edge, 90);
        }
        canvas.outline(&corners, Line::plain(edge, 1.5 * canvas.thin));
    }
}

/// Barcodes as small chequered squares, landmarks as dots with a ring.
pub(super) fn signs(canvas: &mut Canvas, file: &WorldFile) {
    for barcode in &file.barcodes {
        let side = canvas.metres(9.0 * canvas.thin).clamp(0.08, 0.25);
        let pose = barcode.pose();
        canvas.polygon(&rectangle(pose, [side; 2]), WHITE, 255);
        for [x, y] in [[0.25, 0.25], [-0.25, -0.25]] {
            let [x, y] = pose.point_out(x * side, y * side);
            canvas.polygon(&rectangle(Pose2::new(x, y, pose.yaw_rad), [side / 2.0; 2]), INK, 255);
        }
        canvas.outline(&rectangle(pose, [side; 2]), Line::plain(INK, canvas.thin));
    }
    for landmark in &file.landmarks {
        let radius = LEAST * canvas.thin;
        canvas.disc(landmark.position_m, radius, POLE, 255);
        canvas.ring(landmark.position_m, 2.0 * radius, Line::plain(POLE, canvas.thin));
    }
}

/// Small objects as dots of their colour.
pub(super) fn objects(canvas: &mut Canvas, file: &WorldFile) {
    for (object, at) in file.objects_at() {
        let radius = canvas.px(object.size_m[0] / 2.0).max(LEAST * canvas.thin);
        canvas.disc(at, radius, object.color.0, 255);
        canvas.ring(at, radius, Line::plain(INK, canvas.thin));
    }
}
