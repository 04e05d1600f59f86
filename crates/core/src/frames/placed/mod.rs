//! Signals in another frame: which frame the coordinates of each kind are in, and how they are moved to another.
//!
//! Transforms are those of the floor: x, y and yaw change, heights, roll and pitch stay. Directions and distances from a sensor, outlines in a
//! robot's own axes, speeds and attitudes are no coordinates, and stay as they are.

#[cfg(test)]
mod tests;

use crate::frames::{NoTransform, Pose2, wrap_angle};
use crate::model::Signal;
use crate::model::signal::{
    Contact, DetectedObject, Door, Doors, Frame, MapFeature, MapInfo, Navigation, Neighbour, Neighbours,
    Objects, OccupancyGrid, Path, PointCloud, Pose, Relocation, Scan,
};

/// The frame of coordinates whose record has no field for it.
const UNNAMED: Frame = Frame::Map;

/// The frame that coordinates shall be in.
pub struct Target<'a> {
    /// By which name results are in it.
    pub name: Frame,
    /// Where the origin of a frame is in it.
    pub origin: &'a dyn Fn(Frame) -> Result<Pose2, NoTransform>,
    /// Where on its robot's base a scanner is whose scans do not say where it was.
    pub scanner: &'a dyn Fn() -> Result<Pose2, NoTransform>,
}

/// Something whose coordinates can be given in another frame.
trait InFrame: Sized {
    /// The same with its coordinates in the frame; an error if any of them cannot be.
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform>;
}

/// A record with coordinates, of a kind that says so in the list of signals.
pub(crate) trait Placed {
    /// The frame that they are in; `None` if there are none in this one or they are in several, and of a scan in the axes of its sensor.
    fn frame(&self) -> Option<Frame>;

    /// The same with its coordinates in another frame.
    fn moved(&self, to: &Target<'_>) -> Result<Signal, NoTransform>;
}

impl Signal {
    /// The frame that its coordinates are in; `None` if it has none or they are in several, and of a scan in the axes of its sensor.
    pub fn frame(&self) -> Option<Frame> {
        self.placed()?.frame()
    }

    /// The same with its coordinates in another frame; `None` of a kind that has no coordinates.
    pub fn in_frame(&self, to: &Target<'_>) -> Result<Option<Self>, NoTransform> {
        self.placed().map(|record| record.moved(to)).transpose()
    }
}

macro_rules! placed {
    ($($record:ident => |$it:ident| $frame:expr;)*) => {
        $(impl Placed for $record {
            fn frame(&self) -> Option<Frame> {
                let $it = self;
                $frame
            }

            fn moved(&self, to: &Target<'_>) -> Result<Signal, NoTransform> {
                Ok(self.in_frame(to)?.into())
            }
        })*
    };
}

placed! {
    Pose => |it| Some(it.frame);
    Scan => |it| it.pose.as_ref().map(|pose| pose.frame);
    PointCloud => |it| Some(it.frame);
    OccupancyGrid => |it| Some(it.frame);
    Path => |it| Some(it.frame);
    Contact => |it| it.position.as_ref().map(|_| it.frame);
    Navigation => |it| it.target.as_ref().map(|pose| pose.frame);
    Relocation => |it| it.pose.as_ref().map(|pose| pose.frame);
    Objects => |it| common(it.objects.iter().map(|object| object.pose.frame));
    MapInfo => |it| common(it.features.iter().flat_map(|feature| {
        let points = (!feature.points_m.is_empty()).then_some(UNNAMED);
        feature.pose.as_ref().map(|pose| pose.frame).into_iter().chain(points)
    }));
    Neighbours => |it| common(it.robots.iter().flat_map(|robot| {
        let trend = (!robot.trend_m.is_empty()).then_some(UNNAMED);
        std::iter::once(robot.pose.frame).chain(trend)
    }));
    Doors => |it| it.doors.first().map(|_| UNNAMED);
}

/// The one frame of all.
fn common(mut frames: impl Iterator<Item = Frame>) -> Option<Frame> {
    let first = frames.next()?;
    frames.all(|it| it == first).then_some(first)
}

fn points(points_m: &[[f64; 2]], from: Frame, to: &Target<'_>) -> Result<Vec<[f64; 2]>, NoTransform> {
    if points_m.is_empty() {
        return Ok(Vec::new());
    }
    let origin = (to.origin)(from)?;
    Ok(points_m.iter().map(|[x_m, y_m]| origin.point_out(*x_m, *y_m)).collect())
}

impl<T: InFrame> InFrame for Option<T> {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        self.as_ref().map(|it| it.in_frame(to)).transpose()
    }
}

impl<T: InFrame> InFrame for Vec<T> {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        self.iter().map(|it| it.in_frame(to)).collect()
    }
}

impl InFrame for Pose {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        Ok((to.origin)(self.frame)?.place(self, to.name))
    }
}

impl InFrame for Scan {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        let pose = match &self.pose {
            Some(pose) => pose.in_frame(to)?,
            None => {
                let Pose2 { x_m, y_m, yaw_rad } = (to.scanner)()?;
                Pose::planar(Frame::BaseLink, x_m, y_m, yaw_rad).in_frame(to)?
            }
        };
        Ok(Self { pose: Some(pose), ..self.clone() })
    }
}

impl InFrame for PointCloud {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        let origin = (to.origin)(self.frame)?;
        let place = |&[x_m, y_m, z_m]: &[f64; 3]| {
            let [x_m, y_m] = origin.point_out(x_m, y_m);
            [x_m, y_m, z_m]
        };
        Ok(Self { frame: to.name, points_m: self.points_m.iter().map(place).collect() })
    }
}

impl InFrame for OccupancyGrid {
    // Cells are as they were made: turned ones would have to be made anew, and would be others.
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        let Pose2 { x_m: origin_x_m, y_m: origin_y_m, yaw_rad: origin_yaw_rad } =
            self.corner().out_of((to.origin)(self.frame)?);
        Ok(Self { frame: to.name, origin_x_m, origin_y_m, origin_yaw_rad, ..self.clone() })
    }
}

impl InFrame for Path {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        let origin = (to.origin)(self.frame)?;
        let points_m = points(&self.points_m, self.frame, to)?;
        let turned = |yaw_rad: &f64| wrap_angle(yaw_rad + origin.yaw_rad);
        let yaws_rad = self.yaws_rad.iter().map(turned).collect();
        Ok(Self { frame: to.name, points_m, yaws_rad, width_m: self.width_m })
    }
}

impl InFrame for Contact {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        let Some(position) = &self.position else { return Ok(self.clone()) };
        let [x_m, y_m] = (to.origin)(self.frame)?.point_out(position.x_m, position.y_m);
        let position = Some(crate::model::signal::Point { x_m, y_m, z_m: position.z_m });
        Ok(Self { position, frame: to.name, ..self.clone() })
    }
}

impl InFrame for Navigation {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        Ok(Self { target: self.target.in_frame(to)?, ..self.clone() })
    }
}

impl InFrame for Relocation {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        Ok(Self { pose: self.pose.in_frame(to)?, ..self.clone() })
    }
}

impl InFrame for DetectedObject {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        Ok(Self { pose: self.pose.in_frame(to)?, ..self.clone() })
    }
}

impl InFrame for MapFeature {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        let points_m = points(&self.points_m, UNNAMED, to)?;
        Ok(Self { pose: self.pose.in_frame(to)?, points_m, ..self.clone() })
    }
}

impl InFrame for Neighbour {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        let trend_m = points(&self.trend_m, UNNAMED, to)?;
        Ok(Self { pose: self.pose.in_frame(to)?, trend_m, ..self.clone() })
    }
}

impl InFrame for Door {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        Ok(Self { polygon_m: points(&self.polygon_m, UNNAMED, to)?, ..self.clone() })
    }
}

impl InFrame for Objects {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        Ok(Self { objects: self.objects.in_frame(to)? })
    }
}

impl InFrame for MapInfo {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        Ok(Self { features: self.features.in_frame(to)?, ..self.clone() })
    }
}

impl InFrame for Neighbours {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        Ok(Self { robots: self.robots.in_frame(to)? })
    }
}

impl InFrame for Doors {
    fn in_frame(&self, to: &Target<'_>) -> Result<Self, NoTransform> {
        Ok(Self { doors: self.doors.in_frame(to)? })
    }
}
