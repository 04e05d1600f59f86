//! Sounds, recording and key phrase.

use super::{ArgType, Category, Command, CommandType, Default, Method, ResultType, arg};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        method: Method::Get,
        endpoint: "audio/list",
        name: "GetAudioList",
        id: "GetListOfAudioFiles",
        group: "Speakers",
        category: Category::Current,
        command_type: CommandType::Information,
        verb: "get audio list",
        args: &[],
        result: ResultType::AudioList,
    },
    Command {
        method: Method::Post,
        endpoint: "audio/volume",
        name: "SetDefaultVolume",
        id: "SetDefaultVolume",
        group: "Speakers",
        category: Category::Current,
        command_type: CommandType::Configuration,
        verb: "set volume",
        args: &[arg("Volume", ArgType::Int, Default::Int(-1))],
        result: ResultType::Boolean,
    },
    Command {
        method: Method::Post,
        endpoint: "audio/play",
        name: "PlayAudioClip",
        id: "PlayAudioClip",
        group: "Speakers",
        category: Category::Current,
        command_type: CommandType::Action,
        verb: "play audio",
        args: &[
            arg("FileName", ArgType::String, Default::Null),
            arg("Volume", ArgType::NullableInt, Default::Null),
        ],
        result: ResultType::AudioAction,
    },
    Command {
        method: Method::Post,
        endpoint: "audio/keyphrase/start",
        name: "StartKeyPhraseRecognition",
        id: "StartKeyPhraseRecognition",
        group: "Microphone",
        category: Category::Current,
        command_type: CommandType::Action,
        verb: "start key phrase recognition",
        args: &[
            arg("OverwriteExisting", ArgType::NullableBoolean, Default::Null), // since 2021
            arg("SilenceTimeout", ArgType::NullableInt, Default::Null),        // since 2021
            arg("MaxSpeechLength", ArgType::NullableInt, Default::Null),       // since 2021
            arg("CaptureSpeech", ArgType::NullableBoolean, Default::Null),     // since 2021
        ],
        result: ResultType::Boolean,
    },
    Command {
        method: Method::Post,
        endpoint: "audio/record/start",
        name: "StartRecordingAudio",
        id: "StartRecordingAudio",
        group: "Microphone",
        category: Category::Current,
        command_type: CommandType::Action,
        verb: "start recording audio",
        args: &[arg("FileName", ArgType::String, Default::Null)],
        result: ResultType::Boolean,
    },
    Command {
        method: Method::Post,
        endpoint: "audio/keyphrase/stop",
        name: "StopKeyPhraseRecognition",
        id: "StopKeyPhraseRecognition",
        group: "Microphone",
        category: Category::Current,
        command_type: CommandType::Action,
        verb: "stop key phrase recognition",
        args: &[],
        result: ResultType::Boolean,
    },
    Command {
        method: Method::Post,
        endpoint: "audio/record/stop",
        name: "StopRecordingAudio",
        id: "StopRecordingAudio",
        group: "Microphone",
        category: Category::Current,
        command_type: CommandType::Action,
        verb: "stop recording audio",
        args: &[],
        result: ResultType::Boolean,
    },
];
