//! `/path`, `/trajectory`, `/local_path`: points on the map, each with a heading where the message has them.

use latimer_core::Timestamp;
use latimer_core::model::signal::{Frame, Path};

use crate::axbot::messages::Context;
use crate::axbot::messages::codecs::{METRES, RADIANS, ScanStamp, Xy};
use crate::axbot::messages::drive::{LocalPath, Path as WirePath, Trajectory};
use crate::axbot::wire::{Extra, Point};
use crate::describe::codec::{Codec, Each};
use crate::describe::{Incomplete, Translate, need};

/// As the specification shows it, both number signs included.
const COLOR: &str = "##FFEACD50";

/// Points, and headings if each point has one.
fn path(points: &[Point]) -> Path {
    let yaws: Vec<f64> = points.iter().filter_map(|point| point.third).collect();
    let yaws = if yaws.len() == points.len() { yaws } else { Vec::new() };
    Path { yaws_rad: yaws, ..Path::of(Frame::Map, points.iter().map(Point::xy).collect()) }
}

/// Points without headings; `None` if they are not on the map.
fn bare_points(path: &Path, context: &Context) -> Option<Vec<Point>> {
    (path.frame == Frame::Map).then(|| Each(Xy).encode(&path.points_m, context))?
}

/// Points with their headings, if each has one.
fn points(path: &Path, context: &Context) -> Option<Vec<Point>> {
    if path.yaws_rad.len() != path.points_m.len() {
        return bare_points(path, context);
    }
    let point = |(xy, yaw): (&[f64; 2], &f64)| {
        Some(Point { third: Some(RADIANS.encode(yaw, context)?), ..Xy.encode(xy, context)? })
    };
    let both = || path.points_m.iter().zip(&path.yaws_rad);
    (path.frame == Frame::Map).then(|| both().filter_map(point).collect())
}

impl Translate for WirePath {
    type Record = Path;
    type Context = Context;

    fn decode(&self, _: &Context) -> Result<Path, Incomplete> {
        Ok(path(need(self.positions.as_ref(), "positions")?))
    }

    fn encode(path: &Path, context: &Context) -> Option<Self> {
        let stamp = ScanStamp.encode(&context.at, context);
        Some(Self { stamp, positions: Some(points(path, context)?), extra: Extra::new() })
    }

    fn at(&self, context: &Context) -> Option<Timestamp> {
        ScanStamp.decode(self.stamp.as_ref()?, context)
    }
}

impl Translate for Trajectory {
    type Record = Path;
    type Context = Context;

    fn decode(&self, _: &Context) -> Result<Path, Incomplete> {
        Ok(path(need(self.points.as_ref(), "points")?))
    }

    /// The specification has no headings here.
    fn encode(path: &Path, context: &Context) -> Option<Self> {
        Some(Self { points: Some(bare_points(path, context)?), extra: Extra::new() })
    }
}

impl Translate for LocalPath {
    type Record = Path;
    type Context = Context;

    fn decode(&self, _: &Context) -> Result<Path, Incomplete> {
        Ok(Path { width_m: self.width, ..path(need(self.poses.as_ref(), "poses")?) })
    }

    fn encode(path: &Path, context: &Context) -> Option<Self> {
        Some(Self {
            width: path.width_m.and_then(|width_m| METRES.encode(&width_m, context)),
            color: Some(COLOR.to_owned()),
            poses: Some(points(path, context)?),
            extra: Extra::new(),
        })
    }
}
