//! The table against its own rules, and help in the robot's shape.

use std::{collections::HashSet, fmt::Write};

use serde_json::{Value, json};

use super::*;

#[test]
fn each_name_and_each_endpoint_of_a_method_is_there_once() {
    let mut names = HashSet::new();
    let mut endpoints = HashSet::new();
    for command in commands() {
        assert!(names.insert(command.name), "{}", command.name);
        assert!(endpoints.insert((command.method, command.endpoint)), "{}", command.endpoint);
        let args: HashSet<_> = command.args.iter().map(|arg| arg.name).collect();
        assert_eq!(args.len(), command.args.len(), "{}", command.name);
    }
}

#[test]
fn the_table_is_this_one() {
    let mut table = String::new();
    for command in commands() {
        let _ = write!(table, "{} {} {}", command.method.as_str(), command.endpoint, command.name);
        let _ = write!(table, " ({}) {}:", command.id, command.category.as_str());
        for arg in command.args {
            let _ = write!(table, " {}:{:?}={}", arg.name, arg.arg_type, Value::from(arg.default));
        }
        table.push('\n');
    }
    insta::assert_snapshot!(table);
}

#[test]
fn commands_are_found_under_every_spelling_of_their_path() {
    for path in
        ["drive/time", "/api/drive/time", "/API/Drive/Time/", "api/beta/drive/time", "alpha/drive/time"]
    {
        assert_eq!(find(Method::Post, path).unwrap().name, "DriveTime", "{path}");
    }
    for (method, path) in [(Method::Get, "drive/time"), (Method::Post, "api"), (Method::Post, "")] {
        assert!(find(method, path).is_none(), "{path}");
    }
    assert_eq!(methods_at("/api/faces"), [Method::Get, Method::Delete]);
}

#[test]
fn help_has_the_robots_shape() {
    let help = help_json(None);
    assert_eq!(help["status"], "Success");
    let result = help["result"].as_object().unwrap();
    assert_eq!(result.keys().collect::<Vec<_>>(), ["get", "post", "delete", "put"]);
    let count: usize = result.values().map(|of_method| of_method.as_array().unwrap().len()).sum();
    assert_eq!(count, commands().count());
    assert_eq!(result["put"], json!([]));

    let only = help_json(Some("led"));
    let byte = "System.Byte, System.Private.CoreLib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a";
    let arg =
        |name, ordinal| json!({"getValueType": byte, "name": name, "ordinalNumber": ordinal, "value": 0});
    let expected = json!({
        "apiCommand": {
            "apiCommandGroup": "General",
            "arguments": {"red": arg("Red", 0), "green": arg("Green", 1), "blue": arg("Blue", 2)},
            "category": "Current",
            "commandTimeout": 20000,
            "commandType": "Action",
            "id": "ChangeLED",
            "name": "ChangeLED",
            "resultType": "Misty.HomeRobot.Kinematics.CommandGroup, Misty.HomeRobot, Version=2.1.1.9469, \
                           Culture=neutral, PublicKeyToken=null",
        },
        "baseApiCommand": "ChangeLED",
        "endpoint": "led",
    });
    assert_eq!(only["result"]["post"].to_string(), json!([expected]).to_string());
}

#[test]
fn help_can_be_asked_for_one_command() {
    for wanted in ["MoveHead", "movehead", "head", "/api/head"] {
        let help = help_json(Some(wanted));
        assert_eq!(help["result"]["post"][0]["apiCommand"]["name"], "MoveHead", "{wanted}");
        assert_eq!(help["result"]["get"], json!([]));
    }
    assert_eq!(help_json(Some("NoSuchCommand"))["result"]["post"], json!([]));
    assert_eq!(help_json(Some(" ")), help_json(None));
}

/// What the official Python SDK 0.1.1 reads from a type name to choose a Python type.
#[test]
fn the_python_sdk_knows_each_type() {
    let known = ["String", "Boolean", "DateTime", "Int32", "Double", "Byte[]", "Byte", "Single", "GridCell"];
    for command in commands() {
        for arg in command.args {
            let first = arg.arg_type.net_name().split(", ").next().unwrap();
            assert!(known.contains(&first.rsplit('.').next().unwrap()), "{} {first}", command.name);
        }
    }
}

#[test]
fn the_types_of_a_robot_are_spelled_in_full() {
    let string = "System.String, System.Private.CoreLib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a";
    let core = "System.Private.CoreLib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a";
    assert_eq!(ArgType::NullableInt.net_name(), format!("System.Nullable`1[[System.Int32, {core}]], {core}"));
    assert_eq!(
        ArgType::Doubles.net_name(),
        format!("System.Collections.Generic.Dictionary`2[[{string}],[System.Double, {core}]], {core}")
    );
    assert_eq!(
        ResultType::Strings.net_name(),
        format!("System.Collections.Generic.List`1[[{string}]], {core}")
    );
}
