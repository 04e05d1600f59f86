//! A room of 8 by 6 metres with a chassis in it, for the tests of what a body makes of its surroundings.

use latimer_core::model::Signal;
use latimer_core::model::signal::DetectedObject;
use latimer_core::{RobotId, Timestamp, Update};

use crate::WorldFile;
use crate::bodies::moment::Moment;
use crate::bodies::reports::Reports;
use crate::bodies::{Demand, Outbox, Wishes};
use crate::geometry::Pose2;
use crate::household::Household;
use crate::physics::{
    Chassis, Doors, FloorPlan, Footprint, Lights, Neighbour, People, Physics, Racks, STEP_S, Surroundings,
    Walls,
};
use crate::rng::Rng;

const FOOTPRINT: Footprint = Footprint { length_m: 0.5, width_m: 0.45, corner_m: 0.1, mass_kg: 50.0 };

/// The room.
pub(in crate::bodies::axbot) struct Rig {
    pub(in crate::bodies::axbot) file: WorldFile,
    pub(in crate::bodies::axbot) physics: Physics,
    pub(in crate::bodies::axbot) people: People,
    pub(in crate::bodies::axbot) doors: Doors,
    pub(in crate::bodies::axbot) racks: Racks,
    pub(in crate::bodies::axbot) frame: Pose2,
    crowd: Vec<Neighbour>,
    floor: FloorPlan,
    walls: Walls,
    lights: Lights,
    household: Household,
    chassis: Chassis,
    pose: Pose2,
    rng: Rng,
}

impl Rig {
    /// The room with more in it.
    pub(in crate::bodies::axbot) fn new(more: &str, at: Pose2) -> Self {
        let text = format!("name = \"rig\"\nsize_m = [8.0, 6.0]\n{more}");
        let file = WorldFile::parse(&text).expect("a world");
        let mut physics = Physics::new(&file);
        Self {
            people: People::new(&file, &mut physics),
            doors: Doors::new(&file, &mut physics),
            racks: Racks::new(&file, &mut physics),
            frame: Pose2::default(),
            crowd: Vec::new(),
            floor: FloorPlan::new(&file),
            walls: Walls::new(&file),
            lights: Lights::new(&file),
            household: Household::new(&file),
            chassis: physics.add_chassis(FOOTPRINT, at),
            pose: at,
            rng: Rng::new(1),
            physics,
            file,
        }
    }

    /// Another robot, or this one if it is where this one is.
    pub(in crate::bodies::axbot) fn meet(&mut self, name: &str, pose: Pose2) {
        let robot = RobotId::new(name).expect("a name");
        self.crowd.push(Neighbour {
            robot,
            family: "axbot",
            pose,
            footprint: FOOTPRINT,
            trend_m: Vec::new(),
        });
    }

    /// What the chassis has around it.
    pub(in crate::bodies::axbot) fn around<T>(&self, use_it: impl FnOnce(&Surroundings<'_>) -> T) -> T {
        use_it(&Surroundings {
            file: &self.file,
            physics: &self.physics,
            floor: &self.floor,
            walls: &self.walls,
            people: &self.people,
            doors: &self.doors,
            racks: &self.racks,
            lights: &self.lights,
            household: &self.household,
            sounds: &[],
            chassis: &self.chassis,
            pose: self.pose,
            motion: self.physics.motion(&self.chassis),
            touching: &[],
            crowd: &self.crowd,
            frame: self.frame,
            demand: Demand::NOTHING,
            now: Timestamp::from_nanos(0),
            time_s: 0.0,
        })
    }

    /// A step that an organ lives through, and what it says.
    pub(in crate::bodies::axbot) fn live(
        &mut self,
        tick: u64,
        demand: Demand,
        organ: impl FnOnce(&mut Moment<'_>, &Surroundings<'_>),
    ) -> Vec<Update> {
        let (mut reports, mut rng) = (Reports::default(), self.rng.clone());
        let time_s = tick as f64 * STEP_S;
        let mut now = Moment { tick, time_s, demand, rng: &mut rng, reports: &mut reports };
        self.around(|around| organ(&mut now, around));
        self.rng = rng;
        let (mut updates, mut wishes) = (Vec::new(), Wishes::default());
        let robot = RobotId::new("self").expect("a name");
        reports.flush(&mut Outbox::new(&robot, Timestamp::from_nanos(0), &mut updates, &mut wishes, 0));
        updates
    }
}

/// The things that were published of a part, if any.
pub(in crate::bodies::axbot) fn objects(published: &[Update], part: &str) -> Option<Vec<DetectedObject>> {
    published.iter().find_map(|it| match &it.signal {
        Signal::Objects(list) if it.part.as_ref().is_some_and(|it| it.as_str() == part) => {
            Some(list.objects.clone())
        }
        _ => None,
    })
}

/// Whether two poses are the same but for rounding.
pub(in crate::bodies::axbot) fn near(a: Pose2, b: Pose2) -> bool {
    let turned = crate::geometry::wrap_angle(a.yaw_rad - b.yaw_rad);
    a.distance_to(b.x_m, b.y_m) < 1e-6 && turned.abs() < 1e-6
}
