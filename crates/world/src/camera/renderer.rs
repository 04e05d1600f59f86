//! Taking a picture: every surface onto the plate, then each pixel its colour, once.

use super::distortion::Warp;
use super::face::{Face, Look, faces_of};
use super::lens::{Lens, LensError, View};
use super::pattern::{Spot, shade};
use super::picture::Picture;
use super::raster::{NOTHING, Plate, ball_normal};
use super::scene::{Scene, Shape, Solid};
use super::vector::{Vector, add, dot, length, scale, short, sub};
use crate::geometry::inside;

/// Most lenses whose tables are kept: one for each size of pictures.
const MOST_WARPS: usize = 4;

/// Where there is nothing at all: a dull sky.
const SKY: [u8; 3] = [0x9a, 0xa6, 0xb2];

/// Pixels between two looks at the lamps; between them brightness is a straight line.
const FLAT_STEP: usize = 32;

/// The same on what is round.
const ROUND_STEP: usize = 3;

/// Takes pictures, one after the other; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub struct Renderer {
    plate: Plate,
    /// Tables of lenses, those used last at the end.
    warps: Vec<Warp>,
}

/// A surface that is seen, with what all of its pixels share.
struct Paint<'a> {
    face: Option<&'a Face>,
    look: Look,
    color: [u32; 3],
    glows: bool,
    normal: Vector,
    /// How far the camera is from its plane, metres.
    off_plane: f32,
    /// Direction along an upright face and where it begins.
    along: [f32; 2],
    begins: [f32; 2],
    length: f32,
    height: [f32; 2],
}

impl Renderer {
    /// Takes a picture; the same scene and the same lens give the same bytes.
    pub fn take(&mut self, scene: &Scene, lens: &Lens) -> Result<Picture, LensError> {
        let Some(distortion) = lens.distortion else { return self.through_pinhole(scene, lens) };
        let warp = match self.warps.iter().position(|warp| warp.is_of(lens, distortion)) {
            Some(known) => self.warps.remove(known),
            None => Warp::new(lens, distortion)?,
        };
        let wide = self.through_pinhole(scene, &warp.pinhole(lens));
        let picture = wide.map(|wide| warp.bend(&wide));
        if self.warps.len() >= MOST_WARPS {
            self.warps.remove(0);
        }
        self.warps.push(warp);
        picture
    }

    fn through_pinhole(&mut self, scene: &Scene, lens: &Lens) -> Result<Picture, LensError> {
        let view = lens.view()?;
        self.plate.clear(lens.width_px, lens.height_px);
        let moving: Vec<Face> = scene.moving.iter().flat_map(|solid| faces_of(solid, Look::Edged)).collect();
        let mut paints = Vec::with_capacity(scene.room.faces.len() + moving.len());
        for face in scene.room.faces.iter().chain(&moving) {
            self.plate.polygon(&view, &face.outline, face.normal, paints.len() as u32);
            paints.push(Paint::of_face(face, &view));
        }
        for solid in &scene.moving {
            if let Shape::Sphere { center_m, radius_m } = solid.shape {
                self.plate.ball(&view, center_m, radius_m, paints.len() as u32);
                paints.push(Paint::of_ball(solid, center_m, &view));
            }
        }
        Ok(self.develop(scene, lens, &view, &paints))
    }

    fn develop(&self, scene: &Scene, lens: &Lens, view: &View, paints: &[Paint<'_>]) -> Picture {
        let (width, height) = (lens.width_px as usize, lens.height_px as usize);
        let mut rgb = vec![0_u8; width * height * 3];
        for (y, line) in rgb.chunks_exact_mut(width * 3).enumerate() {
            let shown = &self.plate.shown[y * width..][..width];
            let depths = &self.plate.inverse_depth[y * width..][..width];
            let row = Row {
                scene,
                view,
                first: view.ray(0.5, y as f64 + 0.5),
                step: scale(view.right, 1.0 / view.focal_px),
                depths,
            };
            let mut from = 0;
            while from < width {
                let number = shown[from];
                let paint = (number != NOTHING).then(|| &paints[number as usize]);
                let run = shown[from..].iter().take_while(|other| **other == number).count();
                let pixels = &mut line[from * 3..(from + run) * 3];
                match paint {
                    Some(paint) => row.paint(paint, from, pixels),
                    None => pixels.chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&SKY)),
                }
                from += run;
            }
        }
        Picture { width: lens.width_px, height: lens.height_px, rgb }
    }
}

impl<'a> Paint<'a> {
    fn of_face(face: &'a Face, view: &View) -> Self {
        let corner = |i: usize| face.outline.get(i).copied().unwrap_or_default();
        let (first, second) = (corner(0), corner(1));
        let way = sub(second, first);
        let long = length(way).max(1e-9);
        let off_plane = dot(face.normal, sub(view.origin, first)) as f32;
        // The pattern of an edge is made for upright faces.
        let level = face.normal[2] != 0.0;
        let look = if level && face.look == Look::Edged { Look::Plain } else { face.look };
        Self {
            face: Some(face),
            look,
            color: face.color.0.map(u32::from),
            glows: face.look == Look::Glass,
            normal: face.normal,
            off_plane,
            along: [(way[0] / long) as f32, (way[1] / long) as f32],
            begins: [first[0] as f32, first[1] as f32],
            length: long as f32,
            height: [first[2] as f32, corner(2)[2] as f32],
        }
    }

    fn of_ball(solid: &Solid, center_m: Vector, view: &View) -> Self {
        Self {
            face: None,
            look: Look::Ball { center_m },
            color: solid.color.0.map(u32::from),
            glows: solid.glows,
            normal: [0.0; 3],
            off_plane: length(sub(center_m, view.origin)) as f32,
            along: [0.0; 2],
            begins: [0.0; 2],
            length: 0.0,
            height: [0.0; 2],
        }
    }

    fn step(&self) -> usize {
        match self.look {
            Look::Round { .. } | Look::Ball { .. } | Look::Pit { .. } => ROUND_STEP,
            _ => FLAT_STEP,
        }
    }

    fn normal_at(&self, point: Vector) -> Vector {
        match self.look {
            Look::Ball { center_m } => ball_normal(center_m, point),
            Look::Round { center_m: [x, y] } => ball_normal([x, y, point[2]], point),
            _ => self.normal,
        }
    }
}

/// One row of a picture.
struct Row<'a> {
    scene: &'a Scene,
    view: &'a View,
    /// Through the middle of the first pixel, one metre ahead.
    first: Vector,
    /// To the next pixel.
    step: Vector,
    depths: &'a [f32],
}

impl Row<'_> {
    fn point(&self, x: usize) -> Vector {
        let ray = add(self.first, scale(self.step, x as f64));
        add(self.view.origin, scale(ray, 1.0 / f64::from(self.depths[x])))
    }

    /// Colours a run of pixels of one surface.
    fn paint(&self, paint: &Paint<'_>, from: usize, pixels: &mut [u8]) {
        if let (Look::Pit { depth_m }, Some(face)) = (paint.look, paint.face) {
            return self.look_down(paint, face, depth_m, from, pixels);
        }
        let bright = |x: usize| {
            if paint.glows {
                return 1.0;
            }
            let point = self.point(x);
            self.scene.lighting.on(point, paint.normal_at(point)) as f32
        };
        let last = from + pixels.len() / 3 - 1;
        let mut start = bright(from);
        for (from, pixels) in (from..).step_by(paint.step()).zip(pixels.chunks_mut(paint.step() * 3)) {
            let to = (from + paint.step()).min(last);
            let end = if to > from { bright(to) } else { start };
            self.paint_lit(paint, from, pixels, [start, (end - start) / (to - from).max(1) as f32]);
            start = end;
        }
    }

    /// Colours a few pixels whose brightness begins at a value and rises by another with each pixel.
    fn paint_lit(&self, paint: &Paint<'_>, from: usize, pixels: &mut [u8], [start, rise]: [f32; 2]) {
        let (origin, first, step) = (short(self.view.origin), short(self.first), short(self.step));
        let per_m = self.view.focal_px as f32 * paint.off_plane.max(1e-3);
        for (i, pixel) in pixels.chunks_exact_mut(3).enumerate() {
            let column = (from + i) as f32;
            let depth = self.depths[from + i];
            let ahead = 1.0 / depth;
            let at: [f32; 3] = std::array::from_fn(|k| origin[k] + ahead * (first[k] + column * step[k]));
            let along =
                (at[0] - paint.begins[0]) * paint.along[0] + (at[1] - paint.begins[1]) * paint.along[1];
            let spot =
                Spot { at, along, length: paint.length, height: paint.height, per_m: depth * depth * per_m };
            put(pixel, paint.color, (start + rise * i as f32) * shade(&paint.look, &spot));
        }
    }

    /// Follows the view through a hole in the floor, to its bottom or to its side.
    fn look_down(&self, paint: &Paint<'_>, face: &Face, depth_m: f64, from: usize, pixels: &mut [u8]) {
        let hole: Vec<[f64; 2]> = face.outline.iter().map(|[x, y, _]| [*x, *y]).collect();
        for (i, pixel) in pixels.chunks_exact_mut(3).enumerate() {
            let rim = self.point(from + i);
            let ray = sub(rim, self.view.origin);
            let bottom = add(rim, scale(ray, depth_m / -ray[2].min(-1e-9)));
            let seen = inside(&hole, bottom[0], bottom[1]);
            // Less light comes down, and least to the sides, which face away from the lamps.
            let bright = self.scene.lighting.on(rim, paint.normal) as f32 * if seen { 0.85 } else { 0.5 };
            put(pixel, paint.color, bright);
        }
    }
}

fn put(pixel: &mut [u8], color: [u32; 3], bright: f32) {
    // In whole numbers from here: one cast of a pixel's brightness is quicker than one of each colour.
    let bright = (bright.min(255.0) * 4_096.0) as u32;
    for (part, full) in pixel.iter_mut().zip(color) {
        *part = ((full * bright + 2_048) >> 12).min(255) as u8;
    }
}
