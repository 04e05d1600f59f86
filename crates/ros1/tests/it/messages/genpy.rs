//! Every message of Debian's packages, and definitions of ours, given to genpy.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use latimer_ros1::message::{Catalog, Layout};

use super::answer::Answer;

/// Where Debian keeps the texts of a package.
const SHARE: &str = "/usr/share";

fn ask(questions: &[serde_json::Value]) -> Vec<Answer> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/python/ros_messages.py");
    // Debian's Python, for which its packages are.
    let mut child = Command::new("/usr/bin/python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("/usr/bin/python3 is missing; run `make ros`");
    let mut stdin = child.stdin.take().unwrap();
    let lines: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "genpy is missing or has failed; run `make ros`\n{errors}");
    writer.join().unwrap().unwrap();
    let answers: Vec<Answer> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), questions.len());
    answers
}

/// The types of Debian's own texts.
fn installed() -> Catalog {
    let mut catalog = Catalog::default();
    for package in ["std_msgs", "geometry_msgs", "sensor_msgs", "nav_msgs", "actionlib_msgs"] {
        let folder = Path::new(SHARE).join(package).join("msg");
        let added = catalog.add_folder(package, &folder).expect("its messages are missing; run `make ros`");
        assert!(!added.is_empty(), "{} is empty; run `make ros`", folder.display());
    }
    catalog
}

#[test]
fn every_installed_message_is_as_genpy_makes_it() {
    let catalog = installed();
    let names = catalog.names();
    assert!(names.len() > 100, "{names:?}");
    let questions: Vec<_> = names.iter().map(|name| serde_json::json!({ "type": name })).collect();
    for answer in ask(&questions) {
        let layout = catalog.layout(&answer.type_name).unwrap();
        assert_eq!(layout.definition(), answer.definition, "{}", answer.type_name);
        answer.assert_same(&layout);
        let read = Layout::from_definition(&answer.type_name, &answer.definition).unwrap();
        assert_eq!(read, *layout);
        answer.assert_same(&read);
    }
}

#[test]
fn every_common_message_has_the_sum_of_the_installed_one() {
    let catalog = Catalog::common();
    let names = catalog.names();
    let question = |name: &&str| match name.split_once('/') {
        // None of these need be installed, and not all can be; genpy sums up the definition itself.
        Some(("tf2_msgs" | "move_base_msgs" | "nav2_msgs" | "tf2_web_republisher", _)) => {
            serde_json::json!({ "type": name, "definition": catalog.layout(name).unwrap().definition() })
        }
        _ => serde_json::json!({ "type": name }),
    };
    let questions: Vec<_> = names.iter().map(question).collect();
    for answer in ask(&questions) {
        assert_eq!(catalog.layout(&answer.type_name).unwrap().md5(), answer.md5, "{}", answer.type_name);
    }
}

#[test]
fn genpy_makes_the_same_of_definitions_of_ours() {
    let mut catalog = Catalog::common();
    catalog
        .add("miro_msgs/platform_sensors", include_str!("../../../testdata/platform_sensors.msg"))
        .unwrap();
    let odd = "\n#first\n\tint8 a # one\r\nstring HASH= # kept \nfloat32 HALF =0.5\n  int16 INDENTED=-5\nbool YES=True\n\
               char[3] letters\nbyte[] signed\ntime[] when\nduration[2] spans\nInner[] inner\nodd_msgs/Inner[2] pair\n";
    catalog.add("odd_msgs/Outer", odd).unwrap();
    catalog.add("odd_msgs/Inner", "Header header\ngeometry_msgs/Point[] way\nstring[2] names").unwrap();
    let names = ["miro_msgs/platform_sensors", "odd_msgs/Outer", "sensor_msgs/Image", "nav_msgs/Path"];
    let layouts: Vec<_> = names.iter().map(|name| catalog.layout(name).unwrap()).collect();
    let questions: Vec<_> = layouts
        .iter()
        .map(|layout| serde_json::json!({ "type": layout.type_name(), "definition": layout.definition() }))
        .collect();
    for (answer, layout) in ask(&questions).iter().zip(&layouts) {
        answer.assert_same(layout);
    }
}
