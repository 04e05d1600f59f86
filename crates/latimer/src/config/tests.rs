//! Whole configs: the demo, the reference, and the errors of wrong ones.

use std::collections::{BTreeMap, BTreeSet};

use latimer_core::service::Insecure;

use super::*;

const REFERENCE: &str = include_str!("../../../../config/reference.toml");

fn parse(text: &str) -> Result<Config, Diagnostic> {
    Config::parse("robots.toml", text, &Overrides::default())
}

fn error(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

/// The reference with every key in use.
fn uncommented() -> String {
    let is_key = |line: &str| {
        let word = line.split_once(" = ").map_or("", |(word, _)| word);
        let is_word =
            !word.is_empty() && word.bytes().all(|it| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'_'));
        is_word || line.starts_with('[')
    };
    let line = |line: &'static str| match line.strip_prefix("# ") {
        Some(key) if is_key(key) => key,
        _ => line,
    };
    REFERENCE.lines().map(|it| format!("{}\n", line(it))).collect()
}

/// The keys under each heading, subtables included.
fn keys_by_heading(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut heading = String::new();
    // A key that cannot stand beside another one is documented after "or".
    let lines = text.lines().map(|line| line.strip_prefix("# or: ").unwrap_or(line));
    for line in lines.filter(|line| !line.starts_with('#')) {
        if line.starts_with('[') {
            heading = line.split(" #").next().unwrap_or(line).trim().to_owned();
            keys.entry(heading.clone()).or_default();
            let path = heading.trim_matches(['[', ']']);
            if let Some((parent, child)) = path.rsplit_once('.') {
                keys.entry(format!("[{parent}]")).or_default().insert(child.to_owned());
            }
        } else if let Some((key, _)) = line.split_once(" = ") {
            keys.entry(heading.clone()).or_default().insert(key.to_owned());
        }
    }
    keys
}

#[test]
fn the_demo_is_sound() {
    let demo = Config::demo(&Overrides::default()).unwrap();
    assert_eq!(demo.http.listen, http::DEFAULT_LISTEN);
    assert!(crate::app::world::make(&demo).unwrap().is_some());
    let moved =
        Overrides { port_base: Some(20_000), seed: Some(7), speed: Some(10.0), ..Overrides::default() };
    let moved = Config::demo(&moved).unwrap();
    assert_eq!((moved.http.listen.port(), moved.world.seed, moved.world.speed), (20_000, 7, 10.0));
}

#[test]
fn the_reference_is_a_config_with_and_without_its_marks() {
    parse(REFERENCE).unwrap();
    // Its examples serve robots that it does not make.
    let served = [("axbot-1", "axbot"), ("pera-1", "pera"), ("robotkoop-1", "robotkoop"), ("miro-1", "miro")];
    let served = served.into_iter().chain([("rover-1", "axbot")]);
    let all = served.fold(uncommented(), |all, (robot, body)| {
        format!("{all}\n[[simulate]]\nrobot = \"{robot}\"\nbody = \"{body}\"\n")
    });
    let mut config = parse(&all).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(config.simulate.len(), 3 + 5);
    // The file that it names is an example.
    assert!(config.world.scenario.take().is_some());
    assert!(crate::app::world::make(&config).unwrap().is_some());
}

#[test]
fn the_reference_has_every_key_there_is() {
    let documented = keys_by_heading(&uncommented());
    for table in OWN_TABLES {
        let heading = |kind: &str| documented.contains_key(&kind.replace('x', table));
        assert!(heading("[x]") || heading("[[x]]"), "{table} is not documented");
    }
    for (heading, keys) in &documented {
        let message = parse(&format!("{heading}\n\"?\" = 1\n")).unwrap_err().message;
        let (_, known) = message.split_once("there are: ").unwrap_or_else(|| panic!("{heading}: {message}"));
        for key in known.split(", ") {
            assert!(keys.contains(key), "{heading} {key} is not documented in config/reference.toml");
        }
    }
}

#[test]
fn the_reference_holds_what_each_dialect_says_of_itself() {
    for entry in DIALECTS {
        assert!(
            REFERENCE.contains(entry.reference.trim()),
            "config/reference.toml does not hold the reference of {} word for word; copy it there",
            entry.name
        );
    }
}

#[test]
fn an_empty_file_is_a_gateway_without_robots() {
    let config = parse("").unwrap();
    assert_eq!(config.dialects.len(), DIALECTS.len());
    assert!(crate::app::world::make(&config).unwrap().is_none());
}

#[test]
fn errors_show_their_place() {
    insta::assert_snapshot!(error("[http]\nlisen = \"127.0.0.1:8080\"\n"), @r#"
    unknown key `lisen`; did you mean `listen`?
      --> robots.toml:2:1
       |
     2 | lisen = "127.0.0.1:8080"
       | ^^^^^
    "#);
    insta::assert_snapshot!(error("[http]\nlisten = \"localhost\"\n"), @r#"
    "localhost" is no address; write IP and port, such as "127.0.0.1:8080"
      --> robots.toml:2:10
       |
     2 | listen = "localhost"
       |          ^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(error("[mysty]\n"), @r"
    unknown table `mysty`; did you mean `misty`?
      --> robots.toml:1:2
       |
     1 | [mysty]
       |  ^^^^^
    ");
    insta::assert_snapshot!(error("\n[[misty.serve]]\nrobott = \"a\"\nlisten = \"127.0.0.1:8081\"\n"), @r#"
    unknown key `robott`; did you mean `robot`?
      --> robots.toml:3:1
       |
     3 | robott = "a"
       | ^^^^^^
    "#);
    insta::assert_snapshot!(error("[[simulate]]\nbody = \"misty\"\n"), @r#"
    the key `robot` is missing
      --> robots.toml:1:1
       |
     1 | [[simulate]]
       | ^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(error("[[simulate]]\nrobot = \"a\"\nbody = \"misty\"\nbehaviour = \"wandr\"\n"), @r#"
    unknown word `wandr`; did you mean `wander`?
      --> robots.toml:4:13
       |
     4 | behaviour = "wandr"
       |             ^^^^^^^
    "#);
}

#[test]
fn checks_after_reading_show_their_place_too() {
    let place = |text: &str| {
        let error = parse(text).unwrap_err();
        (error.place.map(|place| place.line), error.message)
    };
    let (line, message) = place("[http]\nlisten = \"0.0.0.0:8080\"\n");
    assert!(line == Some(2) && message.contains("--insecure"), "{line:?} {message}");
    let (line, message) = place("[[misty.serve]]\nrobot = \"a\"\nlisten = \"0.0.0.0:8081\"\n");
    assert!(line == Some(3) && message.contains("--insecure"), "{line:?} {message}");
    let (line, _) =
        place("[http]\nlisten = \"127.0.0.1:1\"\n[[misty.serve]]\nrobot = \"a\"\nlisten = \"127.0.0.1:1\"\n");
    assert_eq!(line, Some(5));
    let twice =
        "[[simulate]]\nrobot = \"a\"\nbody = \"misty\"\n[[simulate]]\nrobot = \"a\"\nbody = \"misty\"\n";
    assert_eq!(place(twice).0, Some(5));
    let (line, message) = place("[world]\nspeed = -1\n");
    assert!(line == Some(2) && message.contains("from 0 to 100"), "{line:?} {message}");
    let (line, _) = place("[log]\nlevel = \"a=b=c\"\n");
    assert_eq!(line, Some(2));
    let (line, _) = place("[[simulate]]\nrobot = \"a\"\nbody = \"misty\"\nyaw_deg = 3.0\n");
    assert_eq!(line, Some(4));
    let robot = "[[simulate]]\nrobot = \"a\"\nbody = \"axbot\"\n";
    for wrong in ["-0.1", "86400.1", "nan"] {
        let (line, message) = place(&format!("{robot}resume_after_s = {wrong}\n"));
        assert!(line == Some(4) && message.contains("from 0 to 86400"), "{wrong}: {line:?} {message}");
    }
    for right in ["0", "86400"] {
        parse(&format!("{robot}resume_after_s = {right}\n")).unwrap();
    }
}

#[test]
fn insecure_listening_can_be_asked_for() {
    let read = |listed: &[&str]| {
        let insecure = Insecure::new(listed.iter().map(|&it| it.to_owned()).collect());
        let overrides = Overrides { rules: Rules { insecure, ..Rules::default() }, ..Overrides::default() };
        Config::parse("f", "[http]\nlisten = \"0.0.0.0:8080\"\n", &overrides)
    };
    for listed in [["all"], ["http.listen"]] {
        assert_eq!(read(&listed).unwrap().insecure, ["http.listen"]);
    }
    assert!(read(&["broker.listen"]).unwrap_err().to_string().contains("--insecure=http.listen"));
    let unused = read(&["http.listen", "broker.listen"]).unwrap_err().to_string();
    assert!(unused.contains("nothing is open at broker.listen"), "{unused}");
}

#[test]
fn robots_that_cannot_be_simulated_are_reported() {
    let wrong = |rest: &str| {
        let text = format!("[[simulate]]\nrobot = \"a\"\n{rest}\n");
        match crate::app::world::make(&parse(&text).unwrap()) {
            Ok(_) => panic!("{rest} is fine"),
            Err(error) => error.to_string(),
        }
    };
    assert!(wrong("body = \"mysty\"").contains("misty"));
    assert!(wrong("body = \"misty\"\nspawn = \"moon\"").contains("living"));
    assert!(wrong("body = \"misty\"\nposition_m = [99.0, 0.0]").contains("outside"));
    assert!(
        wrong("body = \"misty\"\n[world]\nfile = \"moon\"").contains("demo, warehouse, arena, maze, empty")
    );
    let unknown = wrong("body = \"misty\"\n[[world.names]]\nname = \"Attic\"\ncalled = [\"Speicher\"]");
    assert!(
        unknown.contains("Kitchen") && unknown.contains("world.names[0], in the world demo"),
        "{unknown}"
    );
}

#[test]
fn what_is_called_something_else_is_so_in_the_world() {
    let text = "[world]\n[[world.names]]\nname = \"Kitchen\"\ncalled = [\"Küche\"]\n";
    let world = crate::app::world::make(&parse(text).unwrap()).unwrap().unwrap();
    let places: Vec<_> = world.look().shapes.into_iter().filter_map(|it| it.name).collect();
    assert!(places.contains(&"Küche".to_owned()) && !places.contains(&"Kitchen".to_owned()), "{places:?}");
}
