//! World files: what is wrong is named with its line.

use latimer_world::config::DoorMode;
use latimer_world::{Behaviour, Start, World, WorldError, WorldFile};

use crate::lab::id;

fn error(more: &str) -> String {
    WorldFile::parse(&format!("name = \"x\"\nsize_m = [4.0, 4.0]\n{more}")).unwrap_err().to_string()
}

#[test]
fn errors_name_the_line() {
    let cases = [
        ("[[boxes]]\ncenter_m = [1.0, 1.0]\nsize_m = [0.0, 1.0]", "line 5", "length in metres"),
        ("[[boxes]]\ncenter_m = [1.0, nan]\nsize_m = [1.0, 1.0]", "line 4", "coordinate"),
        ("[[boxes]]\ncentre_m = [1.0, 1.0]", "line 4", "centre_m"),
        ("[[walls]]\npoints_m = [[0.0, 0.0]]", "line 4", "2 points"),
        ("[[cylinders]]\ncenter_m = [1.0, 1.0]\nradius_m = 0.1\ncolor = \"red\"", "line 6", "#rrggbb"),
        ("[[drops]]\npolygon_m = [[0.0, 0.0], [1.0, 0.0]]", "line 4", "3 points"),
        ("gravity = 1.0", "line 3", "gravity"),
        ("[[walls]]\npoints_m = [[0.0, 0.0], [1.0, 1.0]]\nreality = \"dream\"", "line 5", "virtual"),
        ("[[people]]\nname = \"Anna\"", "line 3", "start_m"),
        ("[[people]]\nstart_m = [1.0, 1.0]\nspeed_mps = 90.0", "line 5", "speed in m/s"),
        ("[[people]]\nstart_m = [1.0, 1.0]\nheight_m = 17.0", "line 5", "height in metres"),
        ("[[people]]\nstart_m = [1.0, 1.0]\nwalk_m = [[1.0, inf]]", "line 5", "coordinate"),
        (
            "[[people]]\nstart_m = [1.0, 1.0]\nwalk_m = [[9.0, 1.0]]",
            "line 3",
            "this person is outside the room",
        ),
        ("[[sounds]]\nkind = \"music\"\nposition_m = [1.0, 1.0]", "line 4", "voice"),
        ("[[sounds]]\nkind = \"voice\"\nposition_m = [1.0, 1.0]\npattern_s = [0.0]", "line 6", "seconds"),
        (
            "[[doors]]\nname = \"d\"\npoints_m = [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]",
            "line 5",
            "two points, not 3",
        ),
        ("[[doors]]\nname = \"d\"\npoints_m = [[1.0, 1.0], [1.0, 1.0]]", "line 5", "opening of 0.1 m"),
        (
            "[[doors]]\nname = \"d\"\npoints_m = [[1.0, 1.0], [2.0, 1.0]]\nmode = \"magic\"",
            "line 6",
            "manual",
        ),
        ("[[doors]]\nname = \"d\"\npoints_m = [[1.0, 1.0], [9.0, 1.0]]", "line 3", "door \"d\" is outside"),
        ("[[racks]]\nname = \"r\"\nposition_m = [1.0, 1.0]\nleg_m = 0.0", "line 6", "length in metres"),
        ("[[racks]]\nname = \"r\"\nposition_m = [7.0, 1.0]", "line 3", "rack \"r\" is outside"),
        ("[[pallets]]\nposition_m = [1.0, 1.0]", "line 3", "id"),
        ("[[barcodes]]\nid = 7", "line 4", "string"),
        ("[[landmarks]]\nid = \"l\"\nposition_m = [1.0, -1.0]", "line 3", "landmark \"l\" is outside"),
        ("[[lights]]\nname = \"l\"\nposition_m = [1.0, 1.0]\nlevel = 2.0", "line 6", "level"),
        ("ambient = -0.5", "line 3", "level"),
        ("[[places]]\nname = \"p\"\nposition_m = [1.0, 1.0]\nsurface_m = [9.0, 1.0]", "line 3", "outside"),
        ("[[objects]]\nname = \"o\"\ncategory = \"c\"\nplace = \"p\"", "line 3", "no places here"),
        (
            "[[frames]]\nname = \"f\"\nposition_m = [1.0, 1.0]\n\
             [[spawns]]\nname = \"s\"\nframe = \"g\"\nposition_m = [90.0, 0.0]",
            "line 6",
            "in the frame \"g\", but the frames here are: f",
        ),
        ("[[boxes]]\nname = \"\"\ncenter_m = [1.0, 1.0]\nsize_m = [1.0, 1.0]", "line 4", "empty"),
        (
            "[[spawns]]\nname = \"a\"\nposition_m = [1.0, 1.0]\n\n[[spawns]]\nname = \"b\"\nposition_m = [5.0, 1.0]",
            "line 7",
            "spawn \"b\" is outside",
        ),
    ];
    for (more, line, what) in cases {
        let error = error(more);
        assert!(error.contains(line) && error.contains(what), "{error}");
    }
}

#[test]
fn parts_must_fit_together() {
    let drop = "[[drops]]\npolygon_m = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]\n";
    let spawn = |x: f64| format!("[[spawns]]\nname = \"a\"\nposition_m = [{x}, 1.0]\n");
    assert!(error(&format!("{drop}{}", spawn(1.0))).contains("over a drop"));
    assert!(error(&spawn(9.0)).contains("outside the room"));
    assert!(error(&format!("{}{}", spawn(1.0), spawn(2.0))).contains("called \"a\""));
}

#[test]
fn endless_files_are_refused() {
    let walk = "[1.0, 1.0], ".repeat(5_000);
    let error = error(&format!("[[people]]\nstart_m = [1.0, 1.0]\nwalk_m = [{walk}]"));
    assert!(error.contains("5001 things") && error.contains("5000 is the most"), "{error}");
}

#[test]
fn boxes_and_cylinders_share_their_names() {
    let both = "[[boxes]]\nname = \"a\"\ncenter_m = [1.0, 1.0]\nsize_m = [0.2, 0.2]\n\
                [[cylinders]]\nname = \"a\"\ncenter_m = [2.0, 1.0]\nradius_m = 0.1";
    assert!(error(both).contains("line 7: two boxes or cylinders are called \"a\""), "{}", error(both));
}

#[test]
fn every_item_has_what_the_manual_says_if_nothing_is_given() {
    let more = "[[doors]]\nname = \"d\"\npoints_m = [[1.0, 1.0], [2.0, 1.0]]\n\
                [[racks]]\nname = \"r\"\nposition_m = [1.0, 2.0]\n\
                [[pallets]]\nid = \"p\"\nposition_m = [3.0, 3.0]\n\
                [[lights]]\nname = \"l\"\nposition_m = [1.0, 1.0]\n\
                [[walls]]\npoints_m = [[0.0, 0.0], [1.0, 0.0]]\n\
                [[cylinders]]\ncenter_m = [2.0, 1.5]\nradius_m = 0.1\n";
    let file = WorldFile::parse(&format!("name = \"x\"\nsize_m = [4.0, 4.0]\n{more}")).unwrap();
    let door = &file.doors[0];
    assert_eq!((door.mode, door.locked, door.mac.is_none()), (DoorMode::Auto, false, true));
    assert_eq!([door.thickness_m, door.sense_m, door.hold_s, door.open_s], [0.05, 1.2, 3.0, 1.5]);
    let rack = &file.racks[0];
    assert_eq!((rack.size_m, rack.leg_m, rack.height_m), ([0.66, 0.7], 0.04, 1.2));
    let it = &file.pallets[0];
    assert_eq!([it.width_m, it.depth_m, it.height_m], [1.0, 1.3, 0.3]);
    assert_eq!([it.pocket_width_m, it.pocket_height_m, it.pocket_spacing_m], [0.3, 0.2, 0.2]);
    let light = &file.lights[0];
    assert_eq!((light.height_m, light.level, light.on, file.ambient), (2.4, 0.5, true, 0.5));
    assert_eq!((file.walls[0].height_m, file.cylinders[0].height_m), (2.5, 0.75));
}

#[test]
fn a_walk_that_leads_through_something_is_refused() {
    let walk = "[[people]]\nname = \"Bo\"\nstart_m = [0.5, 2.0]\nwalk_m = [[1.0, 3.5], [3.5, 2.0]]\n";
    let cases = [
        ("[[walls]]\npoints_m = [[2.0, 1.0], [2.0, 4.0]]", "the wall from [2, 1] to [2, 4]"),
        ("[[boxes]]\ncenter_m = [2.0, 2.9]\nsize_m = [0.2, 0.2]", "the box at [2, 2.9]"),
        ("[[cylinders]]\ncenter_m = [2.2, 2.5]\nradius_m = 0.1", "the cylinder"),
        ("[[pallets]]\nid = \"p\"\nposition_m = [2.2, 2.5]", "the pallet \"p\""),
        ("[[racks]]\nname = \"r\"\nposition_m = [2.2, 2.5]", "the rack \"r\""),
        ("[[drops]]\npolygon_m = [[2.0, 2.0], [2.5, 2.0], [2.5, 3.0]]", "the drop"),
    ];
    for (thing, what) in cases {
        let error = error(&format!("{walk}{thing}"));
        let between = "between point 1 of walk_m, [1, 3.5], and point 2 of walk_m, [3.5, 2]";
        assert!(error.contains("line 3") && error.contains("\"Bo\" meets"), "{error}");
        assert!(error.contains(what) && error.contains(between), "{error}");
        assert!(error.contains("leads around"), "{error}");
    }
    let free = [
        "[[doors]]\nname = \"d\"\npoints_m = [[2.0, 1.0], [2.0, 4.0]]",
        "[[boxes]]\ncenter_m = [2.0, 2.9]\nsize_m = [0.2, 0.2]\nmovable = true",
        "[[boxes]]\ncenter_m = [2.0, 2.9]\nsize_m = [0.2, 0.2]\nreality = \"virtual\"",
        "[[walls]]\npoints_m = [[2.0, 0.0], [2.0, 2.0]]",
    ];
    for thing in free {
        WorldFile::parse(&format!("name = \"x\"\nsize_m = [4.0, 4.0]\n{walk}{thing}")).unwrap();
    }
}

#[test]
fn a_spawn_in_a_frame_is_on_the_map() {
    let more = "[[frames]]\nname = \"f\"\nposition_m = [2.0, 1.0]\nyaw_deg = 90.0\n\
                [[spawns]]\nname = \"s\"\nframe = \"f\"\nposition_m = [0.5, 0.0]\nyaw_deg = 45.0\n\
                [[spawns]]\nname = \"t\"\nposition_m = [0.5, 0.5]\n";
    let file = WorldFile::parse(&format!("name = \"x\"\nsize_m = [4.0, 4.0]\n{more}")).unwrap();
    let [inner, outer] = file.spawns.as_slice() else { panic!() };
    assert!(inner.pose().distance_to(2.0, 1.5) < 1e-9);
    assert!((inner.pose().yaw_rad.to_degrees() - 135.0).abs() < 1e-9);
    assert_eq!(file.frame_of(inner).unwrap().y_m, 1.0);
    assert!(file.frame_of(outer).is_none() && outer.pose().x_m == 0.5);
}

#[test]
fn objects_lie_beside_each_other_where_their_place_says() {
    let object = |name: &str| format!("[[objects]]\nname = \"{name}\"\ncategory = \"c\"\nplace = \"p\"\n");
    let place = "[[places]]\nname = \"p\"\nposition_m = [1.0, 1.0]\nsurface_m = [2.0, 1.0]\n";
    let text = format!("name = \"x\"\nsize_m = [4.0, 4.0]\n{place}{}{}", object("a"), object("b"));
    let file = WorldFile::parse(&text).unwrap();
    let at: Vec<[f64; 2]> = file.objects_at().map(|(_, at)| at).collect();
    assert!((at[0][0] - 2.0).abs() < 1e-9 && (at[0][1] - 1.07).abs() < 1e-9, "left: {at:?}");
    assert!((at[1][1] - 0.93).abs() < 1e-9, "right: {at:?}");
}

#[test]
fn robots_that_cannot_be_put_in_are_refused() {
    let mut world = World::builtin("demo", 1).unwrap();
    let mut add = |name: &str, kind: &str, start: Start| {
        world.add_robot(id(name), kind, start, Behaviour::Stand).map_err(|error| error.to_string())
    };
    assert!(add("a", "misty", Start::Spawn("kitchen".into())).is_ok());
    assert!(add("a", "misty", Start::Anywhere).unwrap_err().contains("already"));
    assert!(add("b", "unicorn", Start::Anywhere).unwrap_err().contains("misty"));
    assert!(add("b", "misty", Start::Spawn("roof".into())).unwrap_err().contains("living"));
    assert!(add("b", "misty", Start::Spawn("kitchen".into())).unwrap_err().contains("another robot"));
    assert!(
        add("b", "misty", Start::At(latimer_world::Pose2::new(0.5, 2.2, 0.0)))
            .unwrap_err()
            .contains("a box stands there, with its middle at x 0.50 m, y 2.20 m; start it elsewhere")
    );
    let full = (0..1_000).find_map(|i| {
        let name = format!("r{i}");
        world.add_robot(id(&name), "misty", Start::Anywhere, Behaviour::Stand).err()
    });
    assert!(matches!(full, Some(WorldError::Full { .. })), "{full:?}");
    assert!(world.population().count() > 40);
}

#[test]
fn a_robot_over_a_drop_or_in_an_occupied_place_is_an_error_with_advice() {
    let more = "[[drops]]\npolygon_m = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]\n\
                [[people]]\nstart_m = [3.0, 3.0]";
    let file = WorldFile::parse(&format!("name = \"x\"\nsize_m = [4.0, 4.0]\n{more}")).unwrap();
    let mut world = World::new(file, 1).unwrap();
    for (x, what) in
        [(1.0, "no floor, but a drop"), (3.0, "a person stands there"), (7.0, "outside the room")]
    {
        let start = Start::At(latimer_world::Pose2::new(x, x, 0.0));
        let error = world.add_robot(id("m"), "misty", start, Behaviour::Stand).unwrap_err().to_string();
        assert!(
            error.contains("robot m at") && error.contains(what) && error.contains("elsewhere"),
            "{error}"
        );
    }
}

#[test]
fn the_examples_in_the_manual_are_sound() {
    let manual = include_str!("../../../../docs/world-files.md");
    let example = manual.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let file = WorldFile::parse(example).unwrap();
    assert_eq!((file.people.len(), file.sounds.len()), (1, 1));
    let part = manual.split("```toml\n").nth(2).and_then(|rest| rest.split("```").next()).unwrap();
    let file = WorldFile::parse(&format!("name = \"x\"\nsize_m = [4.0, 4.0]\n{part}")).unwrap();
    assert!(file.spawns[0].pose().distance_to(1.4, 2.0) < 1e-9, "as its comment says");
}
