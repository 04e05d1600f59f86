//! Paper with a scale: everything is given in metres on the map and drawn in pixels, north up.

use tiny_skia::{
    Color as Ink, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash,
    Transform,
};

use super::{MAX_HEIGHT, RenderError, WIDTHS, letters};

/// The bare floor.
pub(super) const FLOOR: [u8; 3] = [0xf7, 0xf5, 0xf0];

/// Behind everything.
const PAPER: [u8; 3] = [0xff, 0xff, 0xff];

/// A drawing.
pub(super) struct Canvas {
    pixmap: Pixmap,
    /// Pixels a metre.
    scale: f32,
    /// Pixels around the room.
    margin: f32,
    /// The room, metres.
    pub(super) size_m: [f64; 2],
    /// The thinnest line that can be seen well, pixels.
    pub(super) thin: f32,
}

/// How an outline is drawn.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) color: [u8; 3],
    pub(super) alpha: u8,
    pub(super) px: f32,
    pub(super) dashed: bool,
}

impl Line {
    pub(super) fn plain(color: [u8; 3], px: f32) -> Self {
        Self { color, alpha: 255, px, dashed: false }
    }
}

fn paint([red, green, blue]: [u8; 3], alpha: u8) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(Ink::from_rgba8(red, green, blue, alpha));
    paint
}

impl Canvas {
    pub(super) fn new(size_m: [f64; 2], width: u32) -> Result<Self, RenderError> {
        let margin = (width as f32 * 0.03).round().max(8.0);
        let scale = (width as f32 - 2.0 * margin) / size_m[0] as f32;
        // Below the room there is place for the scale.
        let height = (size_m[1] as f32 * scale + 3.5 * margin).round() as u32;
        let wrong = RenderError::Size { width, height };
        if !WIDTHS.contains(&width) || height > MAX_HEIGHT {
            return Err(wrong);
        }
        let mut pixmap = Pixmap::new(width, height).ok_or(wrong)?;
        let [red, green, blue] = PAPER;
        pixmap.fill(Ink::from_rgba8(red, green, blue, 255));
        Ok(Self { pixmap, scale, margin, size_m, thin: (width as f32 / 800.0).max(0.75) })
    }

    pub(super) fn into_pixmap(self) -> Pixmap {
        self.pixmap
    }

    /// Pixels of a length.
    pub(super) fn px(&self, length_m: f64) -> f32 {
        length_m as f32 * self.scale
    }

    /// Metres of a length in pixels.
    pub(super) fn metres(&self, px: f32) -> f64 {
        f64::from(px / self.scale)
    }

    fn at(&self, [x, y]: [f64; 2]) -> (f32, f32) {
        (self.margin + self.px(x), self.margin + self.px(self.size_m[1] - y))
    }

    /// The colour at a point, for tests.
    #[cfg(test)]
    pub(super) fn color_at(&self, point_m: [f64; 2]) -> [u8; 3] {
        let (x, y) = self.at(point_m);
        let pixel = self.pixmap.pixel(x as u32, y as u32).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    fn path(&self, points_m: &[[f64; 2]], close: bool) -> Option<Path> {
        let mut path = PathBuilder::new();
        for (i, point) in points_m.iter().enumerate() {
            let (x, y) = self.at(*point);
            if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        if close {
            path.close();
        }
        path.finish()
    }

    fn circle_path(&self, center_m: [f64; 2], radius_px: f32) -> Option<Path> {
        let (x, y) = self.at(center_m);
        PathBuilder::from_circle(x, y, radius_px)
    }

    fn fill(&mut self, path: Option<Path>, color: [u8; 3], alpha: u8) {
        if let Some(path) = path {
            let paint = paint(color, alpha);
            self.pixmap.fill_path(&path, &paint, FillRule::EvenOdd, Transform::identity(), None);
        }
    }

    fn stroke(&mut self, path: Option<Path>, line: Line) {
        let Some(path) = path else { return };
        let dash = [4.0 * line.px, 3.0 * line.px];
        let stroke = Stroke {
            width: line.px,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Miter,
            dash: line.dashed.then(|| StrokeDash::new(dash.to_vec(), 0.0)).flatten(),
            ..Stroke::default()
        };
        let paint = paint(line.color, line.alpha);
        self.pixmap.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
    }

    pub(super) fn polygon(&mut self, points_m: &[[f64; 2]], color: [u8; 3], alpha: u8) {
        self.fill(self.path(points_m, true), color, alpha);
    }

    pub(super) fn outline(&mut self, points_m: &[[f64; 2]], line: Line) {
        self.stroke(self.path(points_m, true), line);
    }

    pub(super) fn line(&mut self, points_m: &[[f64; 2]], line: Line) {
        self.stroke(self.path(points_m, false), line);
    }

    pub(super) fn disc(&mut self, center_m: [f64; 2], radius_px: f32, color: [u8; 3], alpha: u8) {
        self.fill(self.circle_path(center_m, radius_px), color, alpha);
    }

    pub(super) fn ring(&mut self, center_m: [f64; 2], radius_px: f32, line: Line) {
        self.stroke(self.circle_path(center_m, radius_px), line);
    }

    /// Words on a light ground, their middle so many pixels below a point.
    pub(super) fn words(&mut self, text: &str, at_m: [f64; 2], below_px: f32, color: [u8; 3]) {
        let dot = (1.6 * self.thin).round().max(1.0);
        let (middle, top) = self.at(at_m);
        let size = letters::size(text);
        let (width, height) = (size[0] as f32 * dot, size[1] as f32 * dot);
        let (room, paper) = (self.pixmap.width() as f32, self.pixmap.height() as f32);
        let left = (middle - width / 2.0).min(room - width - 2.0 * dot).max(2.0 * dot).round();
        let top = (top + below_px - height / 2.0).min(paper - height - dot).max(dot).round();
        let around =
            Rect::from_xywh(left - 2.0 * dot, top - 2.0 * dot, width + 4.0 * dot, height + 4.0 * dot);
        self.fill(around.map(PathBuilder::from_rect), PAPER, 190);
        for [column, row] in letters::dots(text) {
            let spot = Rect::from_xywh(left + column as f32 * dot, top + row as f32 * dot, dot, dot);
            self.fill(spot.map(PathBuilder::from_rect), color, 255);
        }
    }
}
