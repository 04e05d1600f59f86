//! How `rosapi` describes types: names, types and examples of their fields, and theirs.

use latimer_ros1::message::{Base, Field, Primitive, Shape, Specification};
use serde_json::{Value as Json, json};

use crate::rosbridge::types::CATALOG;

/// A type, then those of its fields, each once where it is first needed.
pub(super) fn typedefs(type_name: &str) -> Result<Vec<Json>, String> {
    let mut seen = Vec::new();
    let mut all = Vec::new();
    add(type_name, &mut seen, &mut all);
    if all.is_empty() {
        return Err(format!("the type {type_name:?} is not known here"));
    }
    Ok(all)
}

fn add(type_name: &str, seen: &mut Vec<String>, all: &mut Vec<Json>) {
    if seen.iter().any(|it| it == type_name) {
        return;
    }
    seen.push(type_name.to_owned());
    if matches!(type_name, "time" | "duration") {
        all.push(json!({
            "type": type_name, "fieldnames": ["secs", "nsecs"], "fieldtypes": ["int32", "int32"],
            "fieldarraylen": [-1, -1], "examples": ["0", "0"], "constnames": [], "constvalues": [],
        }));
    } else if let Some(specification) = CATALOG.specification(type_name) {
        all.push(typedef(specification));
        let fields = specification.fields.iter();
        fields.for_each(|field| add(field.element_type(), seen, all));
    }
}

fn typedef(specification: &Specification) -> Json {
    let each = |of: fn(&Field) -> Json| specification.fields.iter().map(of).collect::<Vec<_>>();
    let mut constants: Vec<_> = specification.constants.iter().map(|it| (&it.name, &it.value)).collect();
    constants.sort_unstable();
    let (names, values): (Vec<_>, Vec<_>) = constants.into_iter().unzip();
    json!({
        "type": specification.type_name, "fieldnames": each(|it| json!(it.name)),
        "fieldtypes": each(|it| json!(it.element_type())), "fieldarraylen": each(|it| length(it.shape)),
        "examples": each(|it| json!(example(it))), "constnames": names, "constvalues": values,
    })
}

/// -1 of what is no array, 0 of one of any length.
fn length(shape: Shape) -> Json {
    match shape {
        Shape::Single => json!(-1),
        Shape::Variable => json!(0),
        Shape::Fixed(count) => json!(count),
    }
}

/// As Python writes the zero of a field.
fn example(field: &Field) -> &'static str {
    match (&field.base, field.shape) {
        (_, Shape::Variable | Shape::Fixed(_)) => "[]",
        (Base::Text, _) => "",
        (Base::Primitive(Primitive::Bool), _) => "False",
        (Base::Primitive(Primitive::Float32 | Primitive::Float64), _) => "0.0",
        (Base::Primitive(_), _) => "0",
        (Base::Time | Base::Duration | Base::Message(_), _) => "{}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_comes_with_those_of_its_fields() {
        let all = typedefs("geometry_msgs/PoseStamped").unwrap();
        let types: Vec<_> = all.iter().map(|it| it["type"].as_str().unwrap()).collect();
        let expected = [
            "geometry_msgs/PoseStamped",
            "std_msgs/Header",
            "time",
            "geometry_msgs/Pose",
            "geometry_msgs/Point",
            "geometry_msgs/Quaternion",
        ];
        assert_eq!(types, expected);
        assert_eq!(all[1]["fieldtypes"], json!(["uint32", "time", "string"]));
        assert_eq!(all[1]["examples"], json!(["0", "{}", ""]));
    }

    #[test]
    fn constants_and_lengths_are_told() {
        let log = &typedefs("rosgraph_msgs/Log").unwrap()[0];
        assert_eq!(log["constnames"], json!(["DEBUG", "ERROR", "FATAL", "INFO", "WARN"]));
        assert_eq!(log["constvalues"], json!(["1", "8", "16", "2", "4"]));
        assert_eq!(log["fieldtypes"][1], "byte");
        let pose = &typedefs("geometry_msgs/PoseWithCovariance").unwrap()[0];
        assert_eq!((&pose["fieldarraylen"], &pose["examples"][1]), (&json!([-1, 36]), &json!("[]")));
        assert!(typedefs("my_msgs/Thing").unwrap_err().contains("my_msgs/Thing"));
    }

    #[test]
    fn each_service_of_rosapi_has_its_types() {
        for (name, _) in super::super::rosapi::SERVICES {
            let type_name = super::super::rosapi::type_name(name);
            for side in ["Request", "Response"] {
                assert!(typedefs(&format!("{type_name}{side}")).is_ok(), "{type_name}{side}");
            }
        }
    }
}
