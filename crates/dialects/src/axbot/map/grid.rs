//! Maps: `/map`, obstacle maps, `/env_*`, `/incremental_map`, and those that are fetched.
//!
//! The cells are a PNG file inside of the message, or beside it: of a cached map the message alone tells no signal, a
//! session puts its picture inside.

use bytes::Bytes;
use latimer_core::Stamp;
use latimer_core::model::signal::{Frame, OccupancyGrid};

use super::{FromRecord, Received, ToSignals};
use crate::axbot::messages::Context;
use crate::axbot::messages::codecs::{Instant, Xy};
use crate::axbot::messages::grids::{Area, CachedGrid, Grid};
use crate::axbot::picture::{Paint, PictureError, address, cells_from_png, png_from_grid};
use crate::axbot::style::ObstacleMaps;
use crate::axbot::topic::Topic;
use crate::axbot::wire::Extra;
use crate::describe::codec::{Base64, Codec, finite};
use crate::describe::{Incomplete, need};

/// Where a PNG file tells how its pixels are written, and the number for a palette.
const COLOR_TYPE_AT: usize = 25;
const PALETTE: u8 = 3;

fn has_obstacles(topic: Topic) -> bool {
    matches!(topic, Topic::Costmap5cm | Topic::Costmap1cm | Topic::Costmap | Topic::CostmapV2)
}

/// How a topic's picture is painted for clients.
fn paint(topic: Topic, style: ObstacleMaps) -> Paint {
    match (has_obstacles(topic), style) {
        (false, _) => Paint::Map,
        (true, ObstacleMaps::Red) => Paint::Red,
        (true, ObstacleMaps::Grey) => Paint::Grey,
    }
}

/// How a robot painted a topic's picture.
fn paint_of(topic: Topic, png: &[u8]) -> Paint {
    match (has_obstacles(topic), png.get(COLOR_TYPE_AT)) {
        (false, _) => Paint::Map,
        (true, Some(&PALETTE)) => Paint::Red,
        (true, _) => Paint::Grey,
    }
}

/// The grid whose cells are a picture; `resolution_m` is the side of a pixel, `origin_m` its lower left corner.
pub(super) fn grid_from_png(
    topic: Topic,
    resolution_m: f64,
    origin_m: [f64; 2],
    png: &[u8],
) -> Result<OccupancyGrid, PictureError> {
    if !(resolution_m.is_finite() && resolution_m > 0.0) {
        return Err(PictureError(format!("has pixels of {resolution_m} m, which no map has")));
    }
    let (width, height, cells) = cells_from_png(png, paint_of(topic, png))?;
    let [origin_x_m, origin_y_m] = origin_m;
    Ok(OccupancyGrid { resolution_m, width, height, origin_x_m, origin_y_m, cells, ..OccupancyGrid::UPRIGHT })
}

impl ToSignals for Grid {
    fn signals(&self, topic: Topic, context: &Context) -> Result<Vec<Received>, Incomplete> {
        let Self { area: Area { stamp, resolution, size: _, origin }, data, extra: _ } = self;
        let png = data.as_ref().and_then(|it| Base64.decode(it, context));
        let png = need(png, "data")?;
        let resolution_m = need(*resolution, "resolution")?;
        let origin_m = need(*origin, "origin")?.xy();
        let grid = need(grid_from_png(topic, resolution_m, origin_m, &png).ok(), "data")?;
        let at = stamp.as_ref().and_then(|it| Instant.decode(it, context));
        let stamp = at.map_or(Stamp::gateway(context.at), Stamp::robot);
        Ok(vec![Received::new(topic.part(), stamp, grid)])
    }
}

/// A picture beside the message alone tells nothing.
impl ToSignals for CachedGrid {}

impl FromRecord<OccupancyGrid> for CachedGrid {
    /// A map with its picture beside; `None` if it is not one of the map's frame.
    fn from_record(grid: &OccupancyGrid, topic: Topic, context: &Context) -> Option<Self> {
        let grid = &*grid.upright();
        let word = match topic {
            Topic::CostmapV2 => "costmap",
            Topic::IncrementalMapV2 => "incremental-map",
            _ => "map",
        };
        let png = drawn(grid, topic, context)?;
        let data_url = Some(address(word, &png));
        context.pictures.borrow_mut().push((word, png));
        Some(Self { area: area(grid, context), data_url, extra: Extra::new() })
    }
}

impl FromRecord<OccupancyGrid> for Grid {
    /// A map with its picture inside; `None` if it is not one of the map's frame.
    fn from_record(grid: &OccupancyGrid, topic: Topic, context: &Context) -> Option<Self> {
        let grid = &*grid.upright();
        let area = area(grid, context);
        let has_stamp = matches!(topic, Topic::EnvMatchMap | Topic::EnvSymmetryMap | Topic::IncrementalMap);
        Some(Self {
            area: Area { stamp: area.stamp.filter(|_| has_stamp), ..area },
            data: Base64.encode(&drawn(grid, topic, context)?, context),
            extra: Extra::new(),
        })
    }
}

fn area(grid: &OccupancyGrid, context: &Context) -> Area {
    Area {
        stamp: Instant.encode(&context.at, context),
        resolution: finite(grid.resolution_m),
        size: Some(vec![grid.width.into(), grid.height.into()]),
        origin: Xy.encode(&[grid.origin_x_m, grid.origin_y_m], context),
    }
}

fn drawn(grid: &OccupancyGrid, topic: Topic, context: &Context) -> Option<Bytes> {
    (grid.frame == Frame::Map).then(|| png_from_grid(grid, paint(topic, context.style.obstacle_maps)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn obstacles_are_painted_by_style_and_read_by_what_the_picture_says() {
        assert_eq!(paint(Topic::Costmap1cm, ObstacleMaps::Grey), Paint::Grey);
        assert_eq!(paint(Topic::CostmapV2, ObstacleMaps::Red), Paint::Red);
        assert_eq!(paint(Topic::IncrementalMap, ObstacleMaps::Red), Paint::Map);
        let mut png = vec![0; 40];
        assert_eq!(paint_of(Topic::Costmap5cm, &png), Paint::Grey);
        png[COLOR_TYPE_AT] = PALETTE;
        assert_eq!(paint_of(Topic::Costmap5cm, &png), Paint::Red);
        assert_eq!(paint_of(Topic::MapV2, &png), Paint::Map);
        assert_eq!(paint_of(Topic::Costmap5cm, &[]), Paint::Grey);
    }

    #[test]
    fn a_map_has_pixels_of_some_size() {
        for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(grid_from_png(Topic::Map, nonsense, [0.0, 0.0], b"").is_err());
        }
    }
}
