//! World files: what is wrong is named with its line.

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
fn a_robot_over_a_drop_or_where_somebody_stands_is_an_error_that_says_what_to_do() {
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
fn the_example_in_the_manual_is_sound() {
    let manual = include_str!("../../../../docs/world-files.md");
    let example = manual.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let file = WorldFile::parse(example).unwrap();
    assert_eq!((file.people.len(), file.sounds.len()), (1, 1));
}
