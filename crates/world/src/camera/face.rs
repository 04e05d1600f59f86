//! Flat faces: what bodies and floors are made of before they are drawn.

use std::f64::consts::TAU;

use super::scene::{Shape, Solid};
use super::vector::Vector;
use crate::config::Color;

/// What kind of surface it is, which decides about the pattern on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Look {
    /// Tiles.
    Floor,
    /// Woven.
    Rug,
    /// An opening in the floor through which one sees down.
    Pit { depth_m: f64 },
    /// Wallpaper above a skirting board.
    Wall,
    /// Daylight behind glass, as bright in the dark.
    Glass,
    /// One colour.
    Plain,
    /// One colour that is darker along the rim.
    Edged,
    /// Part of something round about an upright axis.
    Round { center_m: [f64; 2] },
    /// A ball.
    Ball { center_m: Vector },
}

/// A polygon in space that is seen from one side.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) outline: Vec<Vector>,
    /// Towards the side it is seen from; length one.
    pub(super) normal: Vector,
    pub(super) color: Color,
    pub(super) look: Look,
}

/// A face that lies level, seen from above or from below.
pub(super) fn level_face(corners: &[[f64; 2]], z: f64, up: bool, color: Color, look: Look) -> Face {
    let outline = corners.iter().map(|[x, y]| [*x, *y, z]).collect();
    Face { outline, normal: [0.0, 0.0, if up { 1.0 } else { -1.0 }], color, look }
}

/// The upright faces around a footprint; seen from outside if it goes counter-clockwise.
pub(super) fn upright_faces(
    corners: &[[f64; 2]],
    [low, high]: [f64; 2],
    color: Color,
    look: Look,
) -> impl Iterator<Item = Face> {
    (0..corners.len()).filter_map(move |i| {
        let ([ax, ay], [bx, by]) = (corners[i], corners[(i + 1) % corners.len()]);
        let length = (bx - ax).hypot(by - ay);
        let normal = [(by - ay) / length, (ax - bx) / length, 0.0];
        let outline = vec![[ax, ay, low], [bx, by, low], [bx, by, high], [ax, ay, high]];
        (length > 0.0).then_some(Face { outline, normal, color, look })
    })
}

/// The faces of a body; a ball has none, it is drawn as what it is.
pub(super) fn faces_of(solid: &Solid, look: Look) -> Vec<Face> {
    match &solid.shape {
        Shape::Prism { corners_m, height_m } => prism(corners_m, *height_m, solid.color, look, look),
        Shape::Cylinder { center_m, radius_m, height_m } => {
            let sides = if *radius_m < 0.08 { 12 } else { 32 };
            let corner = |i: i32| {
                let (sin, cos) = (f64::from(i) / f64::from(sides) * TAU).sin_cos();
                [center_m[0] + radius_m * cos, center_m[1] + radius_m * sin]
            };
            let corners: Vec<[f64; 2]> = (0..sides).map(corner).collect();
            let round = Look::Round { center_m: *center_m };
            prism(&corners, *height_m, solid.color, round, Look::Plain)
        }
        Shape::Sphere { .. } => Vec::new(),
    }
}

fn prism(corners: &[[f64; 2]], height_m: [f64; 2], color: Color, side: Look, lid: Look) -> Vec<Face> {
    let mut faces: Vec<Face> = upright_faces(corners, height_m, color, side).collect();
    // The pattern of a wall is made for upright faces.
    let lid = if lid == Look::Wall { Look::Plain } else { lid };
    faces.push(level_face(corners, height_m[1], true, color, lid));
    if height_m[0] > 0.0 {
        faces.push(level_face(corners, height_m[0], false, color, lid));
    }
    faces
}
