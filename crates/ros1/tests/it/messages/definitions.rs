//! What is a type and what is none.

use latimer_ros1::message::{Base, Catalog, Layout, Primitive, Shape, TypeError};

const RULE: &str = "================================================================================";

fn catalog(types: &[(&str, &str)]) -> Catalog {
    let mut catalog = Catalog::common();
    for (name, text) in types {
        catalog.add(name, text).unwrap();
    }
    catalog
}

fn refused(text: &str) -> String {
    Catalog::default().add("test_msgs/Test", text).unwrap_err().to_string()
}

#[test]
fn a_text_is_read_field_by_field() {
    let text = "# first\r\nHeader header\r\nuint8[4]\tlight   # by corner\r\nstring NOTE= a # b \r\nPose[] poses\r\n";
    let catalog = catalog(&[("test_msgs/Test", text)]);
    let found = catalog.specification("test_msgs/Test").unwrap();
    let shown: Vec<_> =
        found.fields.iter().map(|field| (field.name.as_str(), &field.base, field.shape)).collect();
    assert_eq!(
        shown,
        [
            ("header", &Base::Message("std_msgs/Header".to_owned()), Shape::Single),
            ("light", &Base::Primitive(Primitive::Uint8), Shape::Fixed(4)),
            ("poses", &Base::Message("test_msgs/Pose".to_owned()), Shape::Variable),
        ]
    );
    let constant = found.constants.first().unwrap();
    assert_eq!((constant.name.as_str(), constant.value.as_str()), ("NOTE", "a # b"));
}

#[test]
fn what_is_wrong_in_a_text_is_reported_with_its_line() {
    insta::assert_snapshot!(
        [
            "int8 a\nint8 a",
            "int8 a b",
            "int8",
            "int8 2a",
            "int8[99999999999999999999] a",
            "int8[1048577] a",
            "int8[-1] a",
            "int8[2][2] a",
            "int8[ a",
            "a/b/c d",
            "uint8 A=256",
            "uint8 A=",
            "bool A=maybe",
            "float32 A=x",
            "time A=1",
            "=",
            "string =a",
            "größe a",
        ]
        .map(refused)
        .join("\n")
    );
}

#[test]
fn names_of_types_are_checked() {
    for name in ["", "Test", "a/", "/a", "a/b/c", "a b/c", "1/a", "../a", "a/b\0"] {
        let wrong = Catalog::default().add(name, "int8 a").unwrap_err();
        assert!(wrong.problem.contains("package/Name"), "{name:?}: {wrong}");
        assert!(Layout::from_definition(name, "int8 a").is_err(), "{name:?}");
    }
}

#[test]
fn what_is_needed_and_missing_is_reported() {
    let catalog = catalog(&[("test_msgs/Outer", "Inner inner"), ("test_msgs/Other", "int8 a")]);
    let wrong = catalog.layout("test_msgs/Outer").unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "test_msgs/Outer: needs test_msgs/Inner, which is not known; add its .msg text"
    );
    let wrong = catalog.layout("test_msgs/Outest").unwrap_err();
    assert_eq!(wrong.to_string(), "test_msgs/Outest: is not known; add its .msg text");
}

#[test]
fn a_type_within_itself_is_refused() {
    let catalog = catalog(&[("a/A", "B b"), ("a/B", "C[] c"), ("a/C", "A[] a")]);
    let wrong = catalog.layout("a/A").unwrap_err();
    assert_eq!(wrong.to_string(), "a/C: needs a/A, of which it is a part; a message cannot hold itself");
}

#[test]
fn types_deep_in_others_and_huge_ones_are_refused() {
    let mut types: Vec<(String, String)> =
        (0..40).map(|index| (format!("a/T{index}"), format!("T{} inner", index + 1))).collect();
    types.push(("a/T40".to_owned(), "int8 a".to_owned()));
    // Each a thousand of the next: the tree is small and the message is not.
    types.extend((0..4).map(|index| (format!("b/T{index}"), format!("T{}[1000] inner", index + 1))));
    types.push(("b/T4".to_owned(), String::new()));
    let types: Vec<(&str, &str)> = types.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let catalog = catalog(&types);
    assert!(catalog.layout("a/T0").unwrap_err().problem.contains("32 types deep"));
    assert!(catalog.layout("a/T20").is_ok());
    assert!(catalog.layout("b/T0").unwrap_err().problem.contains("1048576 values"));
    assert!(catalog.layout("b/T3").is_ok());
}

#[test]
fn a_type_used_by_two_is_laid_out_once() {
    // Thirty levels of two each would be a thousand million if every use had its own.
    let mut types: Vec<(String, String)> =
        (0..30).map(|index| (format!("a/T{index}"), format!("T{0}[] a\nT{0}[] b", index + 1))).collect();
    types.push(("a/T30".to_owned(), "int8 a".to_owned()));
    let types: Vec<(&str, &str)> = types.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let layout = catalog(&types).layout("a/T0").unwrap();
    assert_eq!(layout.definition().matches("MSG: ").count(), 30);
    assert_eq!(layout.encode(&layout.zero()).unwrap(), vec![0; 8]);
}

#[test]
fn definitions_may_repeat_a_type_and_name_the_headers_old_package() {
    let header = "uint32 seq\ntime stamp\nstring frame_id";
    let once = format!(
        "Header header\na/B b\n{RULE}\nMSG: std_msgs/Header\n{header}\n{RULE}\nMSG: a/B\nHeader header"
    );
    let first = Layout::from_definition("a/A", &once).unwrap();
    assert_eq!(first.definition(), once);
    for other in [
        format!("{once}\n{RULE}\nMSG: std_msgs/Header\n# again\n{header}\n"),
        once.replace("std_msgs/Header", "roslib/Header"),
        once.replace("Header header", "roslib/Header header").replace("std_msgs/Header", "roslib/Header"),
    ] {
        assert_eq!(Layout::from_definition("a/A", &other).unwrap(), first, "{other}");
    }
}

#[test]
fn definitions_that_say_two_things_are_refused() {
    let of = |definition: &str| -> TypeError { Layout::from_definition("a/A", definition).unwrap_err() };
    let twice = of(&format!("B b\n{RULE}\nMSG: a/B\nint8 a\n{RULE}\nMSG: a/B\nint16 a"));
    assert_eq!(twice.to_string(), "a/A: its definition has a/B twice, with different fields");
    let unnamed = of(&format!("B b\n{RULE}\nint8 a"));
    assert_eq!(unnamed.to_string(), "a/A: its definition has a rule of = without MSG: package/Name below");
    let broken = of(&format!("B b\n{RULE}\nMSG: a/B\n\nint8"));
    assert_eq!(broken.to_string(), "a/B, line 2: \"int8\" is no field; write a type and a name");
    assert!(of(&"#".repeat((1 << 20) + 1)).problem.contains("1048576 bytes"));
    let many: String = (0..5000).map(|index| format!("int8 a{index}\n")).collect();
    assert_eq!(of(&many).to_string(), "a/A, line 4097: more than 4096 fields and constants");
}

#[test]
fn folders_are_read_and_errors_name_the_file() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages-folder");
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("odd.msg", "int8 a\r\nHeader header\r\n");
    write("README.md", "no type");
    write("even.msg", "odd[] odds");
    let mut catalog = Catalog::common();
    assert_eq!(catalog.add_folder("test_msgs", &folder).unwrap(), ["test_msgs/even", "test_msgs/odd"]);
    assert!(
        catalog.layout("test_msgs/even").unwrap().definition().contains("MSG: test_msgs/odd\nint8 a\nHeader")
    );
    write("odd.msg", "int8 a\nint8 8");
    let wrong = catalog.add_folder("test_msgs", &folder).unwrap_err().to_string();
    assert!(
        wrong.ends_with("odd.msg, line 2: \"8\" is no name of a field; write letters, digits and _"),
        "{wrong}"
    );
    let wrong = catalog.add_folder("test_msgs", &folder.join("none")).unwrap_err().to_string();
    assert!(wrong.contains("none: "), "{wrong}");
}

#[test]
fn all_common_texts_are_types() {
    let catalog = Catalog::common();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("msg");
    let mut again = Catalog::default();
    for package in folder.read_dir().unwrap() {
        let path = package.unwrap().path();
        again.add_folder(path.file_name().unwrap().to_str().unwrap(), &path).unwrap();
    }
    assert_eq!(catalog.names(), again.names());
    for name in catalog.names() {
        catalog.layout(name).unwrap();
    }
}
