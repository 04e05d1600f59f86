//! Whether the way of each person's walk is free. People are led by the file and look for no way themselves,
//! so a wall in the way is a mistake that would show only as a person who walks through it.
//!
//! Doors may be in the way, since people wait for them, and so may what is virtual or can be pushed.

use super::consistency::Misfit;
use super::{Person, Reality, WorldFile};
use crate::distance::{between_lines, to_line, to_polygon};
use crate::geometry::Pose2;

/// One straight piece of a walk.
struct Leg {
    ends: [[f64; 2]; 2],
    /// What its ends are called.
    between: String,
}

pub(super) fn check(file: &WorldFile) -> Result<(), Misfit> {
    for (number, person) in file.people.iter().enumerate() {
        for leg in legs(person) {
            if let Some(thing) = in_the_way(file, leg.ends, person.radius_m) {
                let who = person.name.as_ref().map_or("this person".to_owned(), |name| format!("{name:?}"));
                let what = format!(
                    "the walk of {who} meets {thing} between {}; somebody {:.2} m wide needs more room there: \
                     move a point or add one that leads around it",
                    leg.between,
                    2.0 * person.radius_m
                );
                return Err(Misfit { part: ("people", number), what });
            }
        }
    }
    Ok(())
}

fn legs(person: &Person) -> impl Iterator<Item = Leg> {
    let points = &person.walk_m;
    let name = |i: usize| format!("point {} of walk_m, {}", i + 1, at(points[i]));
    let first = points.first().map(|first| Leg {
        ends: [person.start_m, *first],
        between: format!("its start, {}, and {}", at(person.start_m), name(0)),
    });
    // After the last point comes the first again.
    let round = if points.len() > 1 { points.len() } else { 0 };
    let rest = (0..round).map(move |i| {
        let next = (i + 1) % points.len();
        Leg { ends: [points[i], points[next]], between: format!("{}, and {}", name(i), name(next)) }
    });
    first.into_iter().chain(rest)
}

fn at([x, y]: [f64; 2]) -> String {
    format!("[{x}, {y}]")
}

/// What stands where a person or a robot is to be.
pub(super) fn stands_at(file: &WorldFile, at: [f64; 2]) -> Option<String> {
    in_the_way(file, [at, at], 0.01)
}

/// What is nearer to a straight way than half a person's width.
fn in_the_way(file: &WorldFile, way: [[f64; 2]; 2], radius_m: f64) -> Option<String> {
    let near = |distance_m: f64| distance_m < radius_m;
    let slab = |pose: Pose2, [x, y]: [f64; 2]| near(to_polygon(way, &corners(pose, [x, y])));
    for wall in file.walls.iter().filter(|it| it.reality == Reality::Real) {
        for pair in wall.points_m.windows(2) {
            let &[start, end] = pair else { continue };
            if near(between_lines(way, [start, end]) - wall.thickness_m / 2.0) {
                return Some(format!("the wall from {} to {}", at(start), at(end)));
            }
        }
    }
    let mut fixed = file.boxes.iter().filter(|it| it.reality == Reality::Real && !it.movable);
    if let Some(it) = fixed.find(|it| slab(it.pose(), it.size_m)) {
        return Some(format!("the box at {}", at(it.center_m)));
    }
    let mut round = file.cylinders.iter().filter(|it| it.reality == Reality::Real);
    if let Some(it) = round.find(|it| near(to_line(it.center_m, way) - it.radius_m)) {
        return Some(format!("the cylinder at {}", at(it.center_m)));
    }
    if let Some(it) = file.pallets.iter().find(|it| slab(it.pose(), [it.depth_m, it.width_m])) {
        return Some(format!("the pallet {:?}", it.id));
    }
    if let Some(it) = file.racks.iter().find(|it| slab(it.pose(), it.size_m)) {
        return Some(format!("the rack {:?}", it.name));
    }
    let hole = file.drops.iter().find(|it| near(to_polygon(way, &it.polygon_m)))?;
    Some(format!("the drop at {}", at(hole.polygon_m.first().copied().unwrap_or_default())))
}

/// The corners of a rectangle about a pose.
fn corners(pose: Pose2, size_m: [f64; 2]) -> [[f64; 2]; 4] {
    let [x, y] = size_m.map(|side| side / 2.0);
    [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| pose.point_out(x, y))
}
