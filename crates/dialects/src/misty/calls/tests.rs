use latimer_core::Command;

use super::*;
use crate::misty::rest::catalogue;
use crate::misty::rest::command::command_from_call;
use crate::misty::rest::params::Params;

fn read(endpoint: &str, body: &str) -> Result<Command, String> {
    let row = catalogue::find(super::super::rest::row::Method::Post, endpoint).unwrap();
    let params = Params::read("", body).unwrap();
    command_from_call(row, &params).unwrap().map_err(|error| error.to_string())
}

#[test]
fn each_call_is_in_the_catalogue() {
    for about in CALLS {
        let rows: Vec<_> = catalogue::commands()
            .filter(|row| row.given.is_some_and(|given| given.name == about.name))
            .collect();
        let on: Vec<_> = rows.iter().filter_map(|row| row.on).collect();
        assert!(matches!(rows.len(), 1 | 2) && (rows.len() == 1 || on == [true, false]), "{}", about.name);
        let begins = rows.iter().find(|row| row.on != Some(false)).unwrap();
        let written = begins.args.iter().filter_map(|arg| arg.of);
        let all =
            about.arguments.iter().map(|it| it.name).filter(|name| begins.on.is_none() || *name != "on");
        assert_eq!(written.collect::<Vec<_>>(), all.collect::<Vec<_>>(), "{}", about.name);
    }
}

#[test]
fn clients_learn_what_is_wrong_with_a_described_call() {
    assert_eq!(
        read("drive/arc", r#"{"Heading":"north","Radius":1}"#).unwrap_err(),
        "Cannot drive  - Invalid double parameter 'Heading': \"north\" is not a number. - Missing required double \
         parameter 'TimeMs'."
    );
    assert_eq!(
        read("drive/arc", r#"{"Heading":0,"Radius":-1,"TimeMs":1000}"#).unwrap_err(),
        "Cannot drive  - Invalid parameter 'Radius': it is -1; write a finite number that is not negative."
    );
    assert!(
        read("drive/hdt", r#"{"Heading":0,"Distance":1,"TimeMs":-5}"#)
            .unwrap_err()
            .contains("Invalid time of -5")
    );
    assert_eq!(
        read("audio/record/start", "").unwrap_err(),
        "Cannot start recording audio  - Missing required string parameter 'FileName'."
    );
    assert_eq!(read("audio/record/stop", ""), Ok(Record { on: false, name: None }.command().unwrap()));
}
