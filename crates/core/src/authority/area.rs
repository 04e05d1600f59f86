//! Where a robot may be: a polygon on its map.

use crate::model::{Command, Destination, Motion, NavigationGoal};

/// How far a robot that is brought back may go away from its area once more, metres.
const ASTRAY_M: f64 = 0.05;

/// Of a drive that leads back, how far ahead of the robot is looked, metres.
const AHEAD_M: f64 = 0.1;

/// Where a robot is: x and y in metres, yaw in radians, on its map or, without one, from where it started.
pub(crate) type PlanarPose = [f64; 3];

/// Where a robot may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Corners of a polygon, each `[x, y]` in metres; the last is joined to the first.
    corners: Vec<[f64; 2]>,
    /// How far from the edge, inside, the border begins, metres.
    border_m: f64,
    /// Greatest speed in the border, m/s.
    border_mps: f64,
}

impl Area {
    /// An area with a border, if the corners are a polygon.
    pub fn new(corners: Vec<[f64; 2]>, border_m: f64, border_mps: f64) -> Result<Self, &'static str> {
        if corners.len() < 3 {
            return Err("it has fewer than three corners");
        }
        if !corners.as_flattened().iter().all(|it| it.is_finite()) {
            return Err("a corner is no number");
        }
        let area = Self { corners, border_m, border_mps };
        if area.crosses_itself() {
            return Err("its edges cross each other");
        }
        Ok(area)
    }

    /// Its corners.
    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }

    fn edges(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
        let ends = self.corners.iter().cycle().skip(1);
        self.corners.iter().copied().zip(ends.copied())
    }

    fn crosses_itself(&self) -> bool {
        let edges: Vec<_> = self.edges().collect();
        let neighbours = |i: usize, j: usize| j - i <= 1 || (i == 0 && j == edges.len() - 1);
        (0..edges.len()).any(|i| {
            (i + 1..edges.len()).any(|j| match neighbours(i, j) {
                true => false,
                false => cross(edges[i], edges[j]),
            })
        })
    }

    /// How far a point is from the edge, metres; negative outside.
    pub(crate) fn depth_m(&self, [x, y]: [f64; 2]) -> f64 {
        let mut nearest_m = f64::INFINITY;
        let mut is_inside = false;
        for ([ax, ay], [bx, by]) in self.edges() {
            let (dx, dy) = (bx - ax, by - ay);
            let along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy).max(f64::MIN_POSITIVE);
            let along = along.clamp(0.0, 1.0);
            nearest_m = nearest_m.min((x - ax - along * dx).hypot(y - ay - along * dy));
            // A ray towards +x crosses the edge.
            if (ay > y) != (by > y) && x < ax + (y - ay) / dy * dx {
                is_inside = !is_inside;
            }
        }
        if is_inside { nearest_m } else { -nearest_m }
    }

    /// The greatest speed at a place, if that is in the border or outside.
    pub(super) fn limit_mps(&self, [x, y, _]: PlanarPose) -> Option<f64> {
        (self.depth_m([x, y]) < self.border_m).then_some(self.border_mps)
    }

    /// Why a command that drives a robot, which is there, may not be given.
    pub(super) fn forbids(&self, command: &Command, place: Option<PlanarPose>) -> Option<String> {
        let Some([x, y, yaw]) = place else {
            return Some("it has an area, and has not reported where it is".into());
        };
        if let Command::Navigate(NavigationGoal { destination, .. }) = command {
            let points = points(destination);
            if points.is_empty() {
                return Some(
                    "it has an area, and nothing tells whether this goal is within; name a point".into(),
                );
            }
            let out = points.into_iter().find(|point| self.depth_m(*point) < 0.0);
            if let Some([x, y]) = out {
                return Some(format!("{x:.2}, {y:.2} is outside its area"));
            }
        }
        let depth_m = self.depth_m([x, y]);
        if depth_m >= 0.0 {
            return None;
        }
        let leads_back = match command {
            Command::Drive { linear_mps, .. } if *linear_mps == 0.0 => true,
            Command::Drive { linear_mps, .. } => self.comes_nearer([x, y], yaw, *linear_mps < 0.0),
            Command::DriveTracks(tracks) => {
                let linear_mps = tracks.left_mps + tracks.right_mps;
                linear_mps == 0.0 || self.comes_nearer([x, y], yaw, linear_mps < 0.0)
            }
            // Its points are within.
            Command::Navigate(goal) => !points(&goal.destination).is_empty(),
            Command::Native(call) => match (call.motion(), call.speed()) {
                (Motion::Heading { heading_rad, reverse, .. }, _) => {
                    self.comes_nearer([x, y], heading_rad, reverse)
                }
                (Motion::Speed { .. }, Some([linear_mps, _])) => {
                    linear_mps == 0.0 || self.comes_nearer([x, y], yaw, linear_mps < 0.0)
                }
                _ => false,
            },
            _ => false,
        };
        let away_m = -depth_m;
        (!leads_back).then(|| {
            format!("it is {away_m:.2} m outside its area, so only what leads back is allowed: a drive towards it, or a goal within")
        })
    }

    fn comes_nearer(&self, [x, y]: [f64; 2], yaw_rad: f64, backwards: bool) -> bool {
        let ahead_m = if backwards { -AHEAD_M } else { AHEAD_M };
        let ahead = [x + ahead_m * yaw_rad.cos(), y + ahead_m * yaw_rad.sin()];
        self.depth_m(ahead) > self.depth_m([x, y])
    }
}

/// A robot that has left its area, until it is back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outside {
    /// The nearest that it was since it was set in motion towards the area, as a depth; `None` while nothing may move it.
    returns_from_m: Option<f64>,
    /// It was stopped for it.
    is_stopped: bool,
}

impl Outside {
    /// A command that leads back was given.
    pub(super) fn returns(&mut self, depth_m: f64) {
        *self = Self { returns_from_m: Some(depth_m), is_stopped: false };
    }

    /// Whether the robot, which moves there, has to be stopped; once for each time that it was set in motion.
    pub(super) fn stops(&mut self, depth_m: f64) -> bool {
        let comes_back = self.returns_from_m.is_some_and(|best_m| depth_m > best_m - ASTRAY_M);
        if comes_back {
            self.returns_from_m = self.returns_from_m.map(|best_m| best_m.max(depth_m));
            return false;
        }
        !std::mem::replace(&mut self.is_stopped, true)
    }
}

/// The points of a destination, as far as it has any.
fn points(destination: &Destination) -> Vec<[f64; 2]> {
    match destination {
        Destination::Point { x_m, y_m, .. }
        | Destination::EnterLift { x_m, y_m, .. }
        | Destination::AwaitLift { x_m, y_m, .. } => vec![[*x_m, *y_m]],
        Destination::Charger { pose: Some([x, y, _]), .. }
        | Destination::Rack { pose: [x, y, _] }
        | Destination::Unload { pose: [x, y, _] } => vec![[*x, *y]],
        Destination::Route { points_m, .. } => points_m.clone(),
        Destination::Charger { pose: None, .. }
        | Destination::Place(_)
        | Destination::RackOfArea(_)
        | Destination::UnloadInArea(_)
        | Destination::Target => Vec::new(),
    }
}

/// Whether two edges cross or touch.
fn cross((a, b): ([f64; 2], [f64; 2]), (c, d): ([f64; 2], [f64; 2])) -> bool {
    let side =
        |p: [f64; 2], q: [f64; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    // Of edges on one line the sides do not tell.
    let overlap = |i: usize| a[i].min(b[i]) <= c[i].max(d[i]) && c[i].min(d[i]) <= a[i].max(b[i]);
    let is_split = side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0;
    is_split && overlap(0) && overlap(1)
}
