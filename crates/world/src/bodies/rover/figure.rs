//! The parts that every rover has, for its figure.

use latimer_core::model::Kind;

use super::{BumperMake, RoverMake};
use crate::bodies::figure::FigurePart;

/// The scanner and the bumpers, all at one height above the floor.
pub(in crate::bodies) fn scanner_and_bumpers(
    make: &RoverMake,
    bumpers: &[BumperMake],
    height_m: f64,
) -> impl Iterator<Item = FigurePart> {
    let lidar = make.lidar;
    let scanner = FigurePart::new(Kind::Scan, "lidar", [lidar.x_m, lidar.y_m, height_m])
        .turned(lidar.yaw_rad)
        .wide(lidar.field_of_view_rad)
        .far(lidar.max_m);
    let bumper = move |&(name, x_m, y_m, middle_deg, half_deg): &BumperMake| {
        FigurePart::new(Kind::Contact, name, [x_m, y_m, height_m])
            .turned(middle_deg.to_radians())
            .around(middle_deg.to_radians())
            .wide((2.0 * half_deg).to_radians())
    };
    [scanner].into_iter().chain(bumpers.iter().map(bumper))
}
