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

impl Signal {
    /// The frame that its coordinates are in; `None` if it has none or they are in several, and of a scan in the axes of its sensor.
    pub fn frame(&self) -> Option<Frame> {
        match self {
            Self::Pose(pose) => Some(pose.frame),
            Self::Scan(scan) => scan.pose.as_ref().map(|it| it.frame),
            Self::PointCloud(cloud) => Some(cloud.frame),
            Self::Map(grid) => Some(grid.frame),
            Self::Path(path) => Some(path.frame),
            Self::Contact(contact) => contact.position.as_ref().map(|_| contact.frame),
            Self::Navigation(navigation) => navigation.target.as_ref().map(|it| it.frame),
            Self::Relocation(relocation) => relocation.pose.as_ref().map(|it| it.frame),
            Self::Objects(objects) => common(objects.objects.iter().map(|it| it.pose.frame)),
            Self::MapInfo(map) => common(map.features.iter().flat_map(|it| {
                let points = (!it.points_m.is_empty()).then_some(UNNAMED);
                it.pose.as_ref().map(|pose| pose.frame).into_iter().chain(points)
            })),
            Self::Neighbours(neighbours) => common(neighbours.robots.iter().flat_map(|it| {
                let trend = (!it.trend_m.is_empty()).then_some(UNNAMED);
                std::iter::once(it.pose.frame).chain(trend)
            })),
            Self::Doors(doors) => doors.doors.first().map(|_| UNNAMED),
            Self::Battery(_)
            | Self::Velocity(_)
            | Self::DriveLimits(_)
            | Self::Traction(_)
            | Self::Encoders(_)
            | Self::Imu(_)
            | Self::Range(_)
            | Self::Cliff(_)
            | Self::Joint(_)
            | Self::Image(_)
            | Self::CompressedImage(_)
            | Self::Video(_)
            | Self::Audio(_)
            | Self::Color(_)
            | Self::Light(_)
            | Self::Lamp(_)
            | Self::Indicators(_)
            | Self::SoundSource(_)
            | Self::SoundFocus(_)
            | Self::KeyPhrase(_)
            | Self::Face(_)
            | Self::FaceTraining(_)
            | Self::Localization(_)
            | Self::Odometry(_)
            | Self::Odometer(_)
            | Self::Footprint(_)
            | Self::Task(_)
            | Self::Motion(_)
            | Self::Hazard(_)
            | Self::HazardSettings(_)
            | Self::Alerts(_)
            | Self::Control(_)
            | Self::Pins(_)
            | Self::Temperature(_)
            | Self::Text(_)
            | Self::Playback(_)
            | Self::BehaviourState(_)
            | Self::Status(_)
            | Self::Device(_)
            | Self::Library(_)
            | Self::Link(_)
            | Self::Other(_) => None,
        }
    }

    /// The same with its coordinates in another frame; `None` of a kind that has no coordinates.
    pub fn in_frame(&self, to: &Target<'_>) -> Result<Option<Self>, NoTransform> {
        Ok(Some(match self {
            Self::Pose(it) => it.in_frame(to)?.into(),
            Self::Scan(it) => it.in_frame(to)?.into(),
            Self::PointCloud(it) => it.in_frame(to)?.into(),
            Self::Map(it) => it.in_frame(to)?.into(),
            Self::Path(it) => it.in_frame(to)?.into(),
            Self::Contact(it) => it.in_frame(to)?.into(),
            Self::Navigation(it) => it.in_frame(to)?.into(),
            Self::Relocation(it) => it.in_frame(to)?.into(),
            Self::Objects(it) => Objects { objects: it.objects.in_frame(to)? }.into(),
            Self::MapInfo(it) => MapInfo { features: it.features.in_frame(to)?, ..it.clone() }.into(),
            Self::Neighbours(it) => Neighbours { robots: it.robots.in_frame(to)? }.into(),
            Self::Doors(it) => Doors { doors: it.doors.in_frame(to)? }.into(),
            _ => return Ok(None),
        }))
    }
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
