//! Pictures.

use super::{ArgType, Category, Command, CommandType, Default, Method, ResultType, arg};

pub(super) const COMMANDS: &[Command] = &[Command {
    method: Method::Get,
    endpoint: "cameras/rgb",
    name: "TakePicture",
    id: "TakePicture",
    group: "ComputerVision",
    category: Category::Current,
    command_type: CommandType::Action,
    verb: "take picture",
    args: &[
        arg("Base64", ArgType::Boolean, Default::Bool(false)),
        arg("FileName", ArgType::String, Default::Null),
        arg("Width", ArgType::NullableInt, Default::Null),
        arg("Height", ArgType::NullableInt, Default::Null),
        arg("DisplayOnScreen", ArgType::Boolean, Default::Bool(false)),
        arg("OverwriteExisting", ArgType::Boolean, Default::Bool(false)),
    ],
    result: ResultType::Image,
}];
