//! `latimer info`: what a robot is, or what comes under a key: from whom, to whom, and in which words.

use std::io::Write;

use clap::Args;
use latimer_core::key_expression::Key;
use latimer_core::model::Kind;
use latimer_core::model::shape::{Field, Type};
use latimer_dialects::DIALECTS;
use serde::Deserialize;
use serde_json::Value;

use super::measure::{Measured, measure};
use super::post::check_robot;
use super::table::table;
use super::{complete, info_robot};
use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Failure};
use latimer_wire::v1::{Provenance, Robot, Sink};
use latimer_wire::words::advice;

/// Longest value in the table.
const LONGEST: usize = 40;

/// `latimer info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// A robot, or what it publishes: robot/kind[/part], as `latimer topics` lists them
    #[arg(add = complete::keys())]
    key: String,
    #[command(flatten)]
    gateway: GatewayArgs,
}

#[derive(Deserialize)]
struct Sinks {
    sinks: Vec<Sink>,
}

pub(super) async fn info(args: &InfoArgs) -> Ended {
    let gateway = Gateway::new(&args.gateway)?;
    if !args.key.contains(['/', '*']) {
        check_robot(&args.key)?;
        return info_robot::info(&gateway, &args.key).await;
    }
    let (robot, kind) = parts(&args.key)?;
    let Robot { robot, family, origin, .. } = gateway.get(&format!("/api/v1/robots/{robot}")).await?;
    let Sinks { sinks } = gateway.get("/api/v1/sinks").await?;
    let measured = measure(&gateway, &args.key).await?;
    let measured = measured.get(&args.key);

    let mut out = std::io::stdout().lock();
    let shape = kind.shape();
    writeln!(out, "{}  {}: {}", args.key, kind.class(), shape.summary)?;
    let rate = measured.map_or("nothing came of it yet".to_owned(), |it| match it.rate().as_str() {
        "-" => "not within the last second".to_owned(),
        rate => rate.to_owned(),
    });
    writeln!(out, "published by  {robot} ({family}, {origin}), {rate}")?;
    if let Some(Provenance { from, how }) = measured.and_then(|it| it.last.provenance.as_ref()) {
        writeln!(out, "derived from  {from}: {how}")?;
    }
    let followers: Vec<String> = sinks
        .iter()
        .filter(|sink| follows(sink, &args.key))
        .map(|sink| format!("{} {}", sink.dialect, sink.peer))
        .collect();
    writeln!(
        out,
        "followed by   {}",
        if followers.is_empty() { "nobody".to_owned() } else { followers.join(", ") }
    )?;
    for entry in DIALECTS {
        let messages = entry.messages.iter().filter(|message| message.kinds.contains(&kind));
        let topics: Vec<&str> = messages.map(|message| message.topic).collect();
        if !topics.is_empty() {
            writeln!(out, "in {:<10} {}", entry.name, topics.join(", "))?;
        }
    }
    let data = measured.and_then(|Measured { last, .. }| last.data.as_ref());
    let rows = shape.fields.iter().map(|field| row(field, data.map(|data| &data[field.name])));
    Ok(writeln!(out, "\n{}", table(&["field", "type", "unit", "now", "what it is"], rows))?)
}

/// The robot and the kind of a key.
fn parts(key: &str) -> Result<(&str, Kind), Failure> {
    let wrong = |what: String| Failure::usage(format!("{what}; `latimer topics` lists the keys"));
    let mut chunks = key.split('/');
    let (Some(robot), Some(word)) = (chunks.next().filter(|it| !it.is_empty()), chunks.next()) else {
        return Err(wrong(format!("{key} is no key; write such as misty-1/battery")));
    };
    if key.contains('*') {
        return Err(wrong(format!("{key} stands for several keys")));
    }
    match Kind::from_word(word) {
        Some(kind) => Ok((robot, kind)),
        None => {
            let hint = advice(word, Kind::ALL.iter().map(|kind| kind.as_str()));
            Err(Failure::usage(format!("no robot publishes the kind {word}; {hint}")))
        }
    }
}

/// Whether one of somebody's subscriptions selects a key.
fn follows(sink: &Sink, key: &str) -> bool {
    let Ok(key) = Key::new(key) else { return false };
    sink.selects.iter().any(|select| {
        let expressions = select.split(' ').next().unwrap_or_default();
        expressions.split(',').any(|it| Key::new(it).is_ok_and(|it| it.includes(key)))
    })
}

fn row(field: &Field, value: Option<&Value>) -> Vec<String> {
    let type_ = match field.form.type_ {
        Type::Number => "number",
        Type::Integer => "integer",
        Type::Boolean => "boolean",
        Type::Text => "text",
        Type::Word(_) | Type::Name(_) => "word",
        Type::Time => "time",
        Type::Duration => "duration",
        Type::Bytes => "bytes",
        Type::Record(_) => "record",
        Type::List(_) => "list",
        Type::Any => "any",
    };
    let mut value =
        value.map_or("-".to_owned(), |value| value.as_str().map_or(value.to_string(), str::to_owned));
    if value.chars().count() > LONGEST {
        value = value.chars().take(LONGEST).chain("…".chars()).collect();
    }
    let value = value.escape_debug().to_string().replace("\\\"", "\"");
    let summary = match field.form.type_ {
        Type::Word(words) | Type::Name(words) => {
            let words: Vec<&str> = words.iter().map(|word| word.word).collect();
            format!("{} One of: {}.", field.summary, words.join(", "))
        }
        _ => field.summary.to_owned(),
    };
    vec![field.name.to_owned(), type_.to_owned(), field.unit().unwrap_or("-").to_owned(), value, summary]
}
