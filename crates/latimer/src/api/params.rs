//! Parameters behind the `?` of an address: each is taken once, and what nobody took is refused.

use std::time::Duration;

use axum::extract::Query;
use axum::http::Uri;

use super::Rejection;
use crate::limits::PARAMETER_MAX_DURATION;
use latimer_wire::v1::BytesForm;
use latimer_wire::words::advice;

/// The parameters of a request.
#[derive(Debug)]
pub(super) struct Params {
    given: Vec<(String, String)>,
    known: Vec<&'static str>,
}

impl Params {
    pub(super) fn of(uri: &Uri) -> Result<Self, Rejection> {
        let Query(given) = Query::try_from_uri(uri).map_err(|error| {
            Rejection::bad(format!("the parameters cannot be read: {}", error.body_text()))
        })?;
        Ok(Self { given, known: Vec::new() })
    }

    /// Every value of a parameter that may be given several times.
    pub(super) fn all(&mut self, name: &'static str) -> Vec<String> {
        self.known.push(name);
        let (taken, rest) = std::mem::take(&mut self.given).into_iter().partition(|(key, _)| key == name);
        self.given = rest;
        let taken: Vec<(String, String)> = taken;
        taken.into_iter().map(|(_, value)| value).collect()
    }

    /// The value of a parameter; one without a value counts as not given.
    pub(super) fn one(&mut self, name: &'static str) -> Result<Option<String>, Rejection> {
        let mut values = self.all(name);
        values.retain(|value| !value.is_empty());
        if values.len() > 1 {
            return Err(Rejection::bad(format!("{name} is given {} times", values.len())).at(name));
        }
        Ok(values.pop())
    }

    /// A parameter as a duration, e.g. `250ms`.
    pub(super) fn duration(&mut self, name: &'static str) -> Result<Option<Duration>, Rejection> {
        let Some(given) = self.one(name)? else { return Ok(None) };
        let wrong = |why: String| {
            Rejection::bad(format!("{given:?} is no duration: {why}"))
                .at(name)
                .advice("write such as 250ms or 1s")
        };
        let duration = humantime::parse_duration(&given).map_err(|error| wrong(error.to_string()))?;
        if duration > PARAMETER_MAX_DURATION {
            return Err(wrong("it is longer than a day".to_owned()));
        }
        Ok(Some(duration))
    }

    /// A parameter that is on or off.
    pub(super) fn flag(&mut self, name: &'static str) -> Result<bool, Rejection> {
        match self.one(name)?.as_deref() {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(other) => Err(Rejection::bad(format!("{other:?} is neither true nor false"))
                .at(name)
                .advice("write true")),
        }
    }

    /// A parameter as a number of things.
    pub(super) fn count(&mut self, name: &'static str) -> Result<Option<u64>, Rejection> {
        let Some(given) = self.one(name)? else { return Ok(None) };
        match given.parse() {
            Ok(count) if count > 0 => Ok(Some(count)),
            _ => Err(Rejection::bad(format!("{given:?} is no number of updates"))
                .at(name)
                .advice("write a whole number from 1")),
        }
    }

    /// A parameter for how pictures, sound and files are written.
    pub(super) fn bytes_form(&mut self, name: &'static str) -> Result<BytesForm, Rejection> {
        match self.one(name)?.as_deref() {
            None | Some("count") => Ok(BytesForm::Count),
            Some("base64") => Ok(BytesForm::Base64),
            Some(other) => Err(Rejection::bad(format!("bytes cannot be written as {other:?}"))
                .at(name)
                .advice("write base64, or count for how many there are")),
        }
    }

    /// Refuses what nobody took.
    pub(super) fn finish(self) -> Result<(), Rejection> {
        match self.given.first() {
            None => Ok(()),
            Some((name, _)) => Err(Rejection::bad(format!("there is no parameter {name}"))
                .at(name)
                .advice(advice(name, self.known.iter().copied()))),
        }
    }
}
