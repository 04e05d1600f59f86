//! Which map it drives by, and what is marked on it: chargers, codes, poles, places, racks, doors, and where it
//! may not go.
//!
//! Marks are kept as they were given, in the frame of the robot's published poses.

use latimer_core::Outcome;
use latimer_core::model::signal::{FeatureKind, Frame, MapFeature, MapInfo, OccupancyGrid, Pose};
use latimer_core::model::{Kind, MapUse};

use crate::bodies::check;
use crate::bodies::moment::Moment;
use crate::config::WorldFile;
use crate::geometry::Pose2;
use crate::nav::Grid;
use crate::physics::Surroundings;

/// Steps between two reports of a map that stays: 10 s.
const PERIOD: u64 = 1_000;

/// Most marks on a map, corners of all of them together, and letters of a name; more are a mistake.
const MOST_MARKS: usize = 10_000;
const MOST_CORNERS: usize = 10_000;
const MOST_LETTERS: usize = 500;

/// Most areas that are not to be entered: each may cover the whole map.
const MOST_AREAS: usize = 500;

/// Most cells of a map: a square of 100 metres at the usual 5 centimetres.
const MOST_CELLS: usize = 4_000_000;

/// Most cells that a map takes up here, which are of the usual size whatever those of the given one are.
const MOST_OWN_CELLS: f64 = 4e6;

/// The sides that a cell of a map may have, metres.
const CELLS_M: [f64; 2] = [0.005, 1.0];

/// The organ.
#[derive(Debug, Default)]
pub(super) struct Atlas {
    /// What it drives by; nothing before the first step.
    info: Option<MapInfo>,
    own_uid: String,
    published: bool,
}

impl Atlas {
    /// Draws the world's own map at the first step.
    pub(super) fn open(&mut self, around: &Surroundings<'_>) {
        if self.own_uid.is_empty() {
            self.own_uid = uid(around.file);
            self.info.get_or_insert_with(|| own_map(around, &self.own_uid));
        }
    }

    /// Whether a map is the one that the world itself is.
    pub(super) fn is_own(&self, info: &MapInfo) -> bool {
        info.uid.as_deref() == Some(self.own_uid.as_str())
    }

    /// Takes another map, or none.
    pub(super) fn take(&mut self, info: Option<MapInfo>) {
        let none = MapInfo {
            name: String::new(),
            uid: None,
            version: None,
            features_version: None,
            features: Vec::new(),
        };
        (self.info, self.published) = (Some(info.unwrap_or(none)), false);
    }

    /// What is marked.
    pub(super) fn marks(&self, kind: FeatureKind) -> impl Iterator<Item = &MapFeature> {
        let features = self.info.iter().flat_map(|info| &info.features);
        features.filter(move |it| it.kind == kind)
    }

    /// Points that are marked, with their names, on the map.
    pub(super) fn points(&self, kind: FeatureKind, frame: Pose2) -> impl Iterator<Item = (&str, Pose2)> {
        self.marks(kind).filter_map(move |it| {
            let at = it.pose.as_ref()?;
            let at = Pose2::new(at.x_m, at.y_m, at.yaw_rad).out_of(frame);
            Some((it.name.as_deref().unwrap_or_default(), at))
        })
    }

    /// Lines and areas that are marked, on the map.
    pub(super) fn shapes(&self, kind: FeatureKind, frame: Pose2) -> impl Iterator<Item = Vec<[f64; 2]>> {
        let point = move |[x_m, y_m]: &[f64; 2]| frame.point_out(*x_m, *y_m);
        self.marks(kind).map(move |it| it.points_m.iter().map(point).collect())
    }

    /// Reports a new map at once.
    pub(super) fn update(&mut self, now: &mut Moment<'_>) {
        let Some(info) = &self.info else { return };
        if !std::mem::replace(&mut self.published, true) || now.due(Kind::MapInfo, PERIOD) {
            now.reports.publish(info.clone());
        }
    }
}

/// A name of the world that another world has not, and that it has every time: hexadecimal digits.
fn uid(file: &WorldFile) -> String {
    // What the file holds, whatever its text looks like; FNV-1a, twice from different starts.
    let text = format!("{file:?}");
    let hash = |start: u64| {
        text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    format!("{:016x}{:08x}", hash(0xcbf2_9ce4_8422_2325), hash(0x8422_2325_cbf2_9ce4) >> 32)
}

fn own_map(around: &Surroundings<'_>, uid: &str) -> MapInfo {
    let file = around.file;
    let pose = |at: Pose2| {
        let at = around.in_frame(at);
        Some(Pose::planar(Frame::Map, at.x_m, at.y_m, at.yaw_rad))
    };
    let point = |kind, name: &str, at| MapFeature {
        kind,
        id: None,
        name: Some(name.to_owned()),
        pose: pose(at),
        points_m: Vec::new(),
        mac: None,
    };
    let corners = |points: &[[f64; 2]]| {
        let published = |[x_m, y_m]: &[f64; 2]| {
            let at = around.in_frame(Pose2::new(*x_m, *y_m, 0.0));
            [at.x_m, at.y_m]
        };
        points.iter().map(published).collect()
    };
    let chargers = file.chargers.iter().map(|it| point(FeatureKind::Charger, &it.name, it.pose()));
    let codes = file.barcodes.iter().map(|it| point(FeatureKind::Barcode, &it.id, it.pose()));
    let poles = file
        .landmarks
        .iter()
        .map(|it| point(FeatureKind::Landmark, &it.id, Pose2::new(it.position_m[0], it.position_m[1], 0.0)));
    let places = file.places.iter().map(|it| point(FeatureKind::Place, &it.name, it.pose()));
    let lifts = file.lifts.iter().map(|it| point(FeatureKind::Lift, &it.name, it.pose()));
    let racks = file.racks.iter().map(|it| point(FeatureKind::RackPoint, &it.name, it.pose()));
    let doors = around.doors.iter().map(|it| MapFeature {
        kind: FeatureKind::Door,
        id: None,
        name: Some(it.file.name.clone()),
        pose: None,
        points_m: corners(&it.polygon()),
        mac: it.file.mac.clone(),
    });
    let drops = file.drops.iter().map(|it| MapFeature {
        kind: FeatureKind::KeepOut,
        id: None,
        name: None,
        pose: None,
        points_m: corners(&it.polygon_m),
        mac: None,
    });
    let rack_areas = file.rack_areas.iter().map(|it| MapFeature {
        kind: FeatureKind::RackArea,
        id: Some(it.name.clone()),
        name: Some(it.name.clone()),
        pose: None,
        points_m: corners(&it.polygon_m),
        mac: None,
    });
    let points = chargers.chain(codes).chain(poles).chain(places).chain(lifts).chain(racks);
    MapInfo {
        name: file.name.clone(),
        uid: Some(uid.to_owned()),
        version: Some(1),
        features_version: Some(1),
        features: points.chain(doors).chain(drops).chain(rack_areas).collect(),
    }
}

/// Whether a map makes sense; the refusal if it does not.
pub(super) fn check(map: &MapUse) -> Result<(), Outcome> {
    let MapInfo { name, uid, version: _, features_version: _, features } = &map.info;
    let marks = features.iter().flat_map(|it| [&it.id, &it.name, &it.mac].map(Option::as_deref));
    let names = [Some(name.as_str()), uid.as_deref()].into_iter().chain(marks).flatten();
    if let Some(long) = names.map(str::len).find(|length| *length > MOST_LETTERS) {
        return Err(refused(format!("a name of it has {long} bytes, but {MOST_LETTERS} are the most")));
    }
    if features.len() > MOST_MARKS {
        let count = features.len();
        return Err(refused(format!("it has {count} marks, but {MOST_MARKS} are the most")));
    }
    let corners: usize = features.iter().map(|it| it.points_m.len()).sum();
    if corners > MOST_CORNERS {
        return Err(refused(format!("its marks have {corners} corners, but {MOST_CORNERS} are the most")));
    }
    let areas = features.iter().filter(|it| it.kind == FeatureKind::KeepOut).count();
    if areas > MOST_AREAS {
        return Err(refused(format!("it has {areas} areas to keep out of, but {MOST_AREAS} are the most")));
    }
    for mark in features {
        let pose = mark.pose.iter().flat_map(|it| [it.x_m, it.y_m, it.yaw_rad]);
        for number in pose.chain(mark.points_m.iter().flatten().copied()) {
            check::within("a number of a mark on the map", number, -1e4, 1e4)?;
        }
        let needs = match mark.kind {
            FeatureKind::VirtualWall => 2,
            FeatureKind::KeepOut | FeatureKind::RackArea => 3,
            _ => 0,
        };
        if mark.points_m.len() < needs {
            let (kind, has) = (mark.kind, mark.points_m.len());
            return Err(refused(format!("a {kind} on it has {has} corners, but needs {needs}")));
        }
    }
    Ok(())
}

/// The cells of a map as a grid, still in the frame that they were given in, whose pose on the map is given;
/// the refusal if they make no sense.
pub(super) fn cells(grid: &OccupancyGrid, frame: Pose2) -> Result<Grid<i8>, Outcome> {
    let OccupancyGrid {
        frame: _,
        resolution_m,
        width,
        height,
        origin_x_m,
        origin_y_m,
        origin_yaw_rad: _,
        cells,
    } = grid;
    let resolution_m =
        check::within("the side of a cell of the map in metres", *resolution_m, CELLS_M[0], CELLS_M[1])?;
    let origin_m = [
        check::within("the map's left edge in metres", *origin_x_m, -1e4, 1e4)?,
        check::within("the map's lower edge in metres", *origin_y_m, -1e4, 1e4)?,
    ];
    let (width, height) = (*width as usize, *height as usize);
    let count = width.checked_mul(height).filter(|count| (1..=MOST_CELLS).contains(count));
    let Some(count) = count else {
        let why = format!("{width} × {height} cells are none or too many; {MOST_CELLS} are the most");
        return Err(refused(why));
    };
    if count != cells.len() {
        let why = format!(
            "{width} × {height} cells are {count}, but {} are given; give one byte each",
            cells.len()
        );
        return Err(refused(why));
    }
    // What is turned takes up more room along the map's own axes.
    let [wide_m, high_m] = [width, height].map(|side| side as f64 * resolution_m);
    let (sin, cos) = frame.yaw_rad.sin_cos();
    let (sin, cos) = (sin.abs(), cos.abs());
    let own_m2 = (wide_m * cos + high_m * sin) * (wide_m * sin + high_m * cos);
    if own_m2 / super::CELL_M.powi(2) > MOST_OWN_CELLS {
        return Err(refused(format!("{wide_m:.0} × {high_m:.0} metres are too large for it")));
    }
    let cells = cells.iter().map(|cell| cell.cast_signed()).collect();
    Ok(Grid { resolution_m, origin_m, width, height, cells })
}

fn refused(why: String) -> Outcome {
    Outcome::bad_argument(format!("the map cannot be used: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_has_one_uid_and_another_world_another() {
        let uid = |name: &str| uid(&WorldFile::builtin(name).unwrap());
        assert_eq!(uid("demo"), uid("demo"));
        assert_ne!(uid("demo"), uid("warehouse"));
        assert!(uid("demo").len() == 24 && uid("demo").bytes().all(|it| it.is_ascii_hexdigit()));
    }

    #[test]
    fn cells_that_make_no_sense_are_refused() {
        let fine = OccupancyGrid {
            resolution_m: 0.05,
            width: 4,
            height: 3,
            cells: vec![0; 12].into(),
            ..OccupancyGrid::UPRIGHT
        };
        let cells = |grid: &OccupancyGrid| cells(grid, Pose2::new(1.0, 0.0, 0.7));
        assert!(cells(&fine).is_ok());
        let bad = [
            OccupancyGrid { width: 0, cells: Vec::new().into(), ..fine.clone() },
            OccupancyGrid { width: u32::MAX, height: u32::MAX, ..fine.clone() },
            OccupancyGrid { width: 5, ..fine.clone() },
            OccupancyGrid { resolution_m: f64::NAN, ..fine.clone() },
            OccupancyGrid { resolution_m: 0.0, ..fine.clone() },
            OccupancyGrid { origin_x_m: f64::INFINITY, ..fine.clone() },
            // A line that would fill a square of the whole map once it is turned.
            OccupancyGrid { width: 1, height: 1_000_000, cells: vec![0; 1_000_000].into(), ..fine.clone() },
            OccupancyGrid {
                resolution_m: 1.0,
                width: 2_000,
                height: 2_000,
                cells: vec![0; 4_000_000].into(),
                ..fine
            },
        ];
        for grid in bad {
            assert!(matches!(cells(&grid), Err(Outcome::Refused(_))), "{}×{}", grid.width, grid.height);
        }
    }
}
