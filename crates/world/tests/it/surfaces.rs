//! What a ray can tell of what it meets.

use latimer_core::Timestamp;
use latimer_world::WorldFile;
use latimer_world::bodies::Demand;
use latimer_world::config::{Color, Reality};
use latimer_world::geometry::Pose2;
use latimer_world::physics::{
    Doors, FloorPlan, Footprint, Lights, People, Physics, Racks, Surroundings, Thing, Walls,
};
use latimer_world::sensors::Cone;

const ROOM: &str = "name = \"x\"\nsize_m = [6.0, 6.0]\n\
    [[walls]]\npoints_m = [[5.0, 2.0], [5.0, 4.0]]\ncolor = \"#ff0000\"\n\
    [[boxes]]\ncenter_m = [3.0, 5.0]\nsize_m = [1.0, 0.2]\ncolor = \"#00ff00\"\nreality = \"virtual\"\n\
    [[cylinders]]\ncenter_m = [1.0, 3.0]\nradius_m = 0.2\ncolor = \"#0000ff\"\nreality = \"real\"\n";

#[test]
fn a_ray_tells_colour_reality_and_thing() {
    let file = WorldFile::parse(ROOM).unwrap();
    let mut physics = Physics::new(&file);
    let pose = Pose2::new(3.0, 3.0, 0.0);
    let outline = Footprint { length_m: 0.06, width_m: 0.06, corner_m: 0.02, mass_kg: 0.1 };
    let chassis = physics.add_chassis(outline, pose);
    let people = People::new(&file, &mut physics);
    let (doors, racks) = (Doors::new(&file, &mut physics), Racks::new(&file, &mut physics));
    physics.step();
    let around = Surroundings {
        file: &file,
        physics: &physics,
        floor: &FloorPlan::new(&file),
        walls: &Walls::new(&file),
        people: &people,
        doors: &doors,
        racks: &racks,
        lights: &Lights::new(&file),
        household: &latimer_world::Household::new(&file),
        sounds: &[],
        chassis: &chassis,
        pose,
        motion: physics.motion(&chassis),
        touching: &[],
        crowd: &[],
        frame: Pose2::default(),
        demand: Demand::EVERY_KIND,
        now: Timestamp::from_nanos(0),
        time_s: 0.0,
    };
    let cases = [
        (0.0, Thing::Wall, [0xff, 0, 0], Reality::Real, 1.95),
        (90.0, Thing::Box, [0, 0xff, 0], Reality::Virtual, 1.9),
        (180.0, Thing::Cylinder, [0, 0, 0xff], Reality::Real, 1.8),
        (270.0, Thing::Wall, [0xc8, 0xc8, 0xc8], Reality::Real, 3.0),
    ];
    for (yaw_deg, thing, color, reality, distance_m) in cases {
        let yaw_rad = f64::to_radians(yaw_deg);
        let hit = around.cast(0.0, 0.0, yaw_rad, 10.0).unwrap();
        assert_eq!((hit.thing, hit.color, hit.reality), (thing, Color(color), reality));
        assert!((hit.distance_m - distance_m).abs() < 1e-3, "{hit:?}");
        let cone = Cone { x_m: 0.0, y_m: 0.0, yaw_rad, field_of_view_rad: 0.1, rays: 3, reach_m: 10.0 };
        let echo = cone.look(&around).unwrap();
        assert_eq!((echo.color, echo.reality), (Color(color), reality));
    }
}
