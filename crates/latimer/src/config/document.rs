//! A TOML document whose every part remembers its place in the file.

use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::Diagnostic;
use latimer_wire::words::{advice, explained};

/// A document that is taken apart table by table.
#[derive(Debug)]
pub struct Document<'a> {
    file: &'a str,
    text: &'a str,
    /// What has not been taken.
    rest: DeTable<'a>,
    /// All of it, to find places.
    whole: DeTable<'a>,
}

impl<'a> Document<'a> {
    /// Parses a file's text.
    pub fn parse(file: &'a str, text: &'a str) -> Result<Self, Diagnostic> {
        match DeTable::parse(text) {
            Ok(table) => {
                let whole = table.into_inner();
                Ok(Self { file, text, rest: whole.clone(), whole })
            }
            Err(error) => Err(diagnostic(file, text, &error)),
        }
    }

    /// The table below the root, to change it before it is read.
    pub fn root_mut(&mut self) -> &mut DeTable<'a> {
        &mut self.rest
    }

    /// Takes a value of the root as it is.
    pub fn take(&mut self, key: &str) -> Option<ValueDeserializer<'a>> {
        Some(self.rest.remove(key)?.into())
    }

    /// Takes a value of the root and reads it.
    pub fn read<T: DeserializeOwned>(&mut self, key: &str) -> Result<Option<T>, Diagnostic> {
        let Some(value) = self.take(key) else { return Ok(None) };
        T::deserialize(value).map(Some).map_err(|error| self.diagnostic(&error))
    }

    /// Refuses what nobody took.
    pub fn finish<'k>(&self, known: impl IntoIterator<Item = &'k str> + Clone) -> Result<(), Diagnostic> {
        let Some(key) = self.rest.keys().min_by_key(|key| key.span().start) else { return Ok(()) };
        let what = if self.rest[key].get_ref().is_str() { "key" } else { "table" };
        let message = format!("unknown {what} `{}`; {}", key.get_ref(), advice(key.get_ref(), known));
        Err(Diagnostic::at(self.file, self.text, Some(key.span()), message))
    }

    /// An error of the reader, with its place.
    pub fn diagnostic(&self, error: &toml::de::Error) -> Diagnostic {
        diagnostic(self.file, self.text, error)
    }

    /// An error at a key, given as a dotted path such as `misty.serve[0].listen`.
    pub fn diagnostic_at(&self, key: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::at(self.file, self.text, self.place_of(key), message)
    }

    /// An error at a span.
    pub fn diagnostic_in(&self, span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::at(self.file, self.text, Some(span), message)
    }

    /// Where the value of a dotted path stands, or the nearest table above it.
    fn place_of(&self, path: &str) -> Option<Range<usize>> {
        let names = path.split(['.', '[', ']']).filter(|name| !name.is_empty());
        let mut table: &dyn Lookup<'a> = &self.whole;
        let mut place = None;
        for name in names {
            let Some((found, span)) = table.below(name) else { break };
            place = Some(span);
            table = found.get_ref();
        }
        place
    }
}

fn diagnostic(file: &str, text: &str, error: &toml::de::Error) -> Diagnostic {
    Diagnostic::at(file, text, error.span(), explained(error.message()))
}

/// One step down a path.
trait Lookup<'a> {
    fn below(&self, name: &str) -> Option<(&Spanned<DeValue<'a>>, Range<usize>)>;
}

impl<'a> Lookup<'a> for DeTable<'a> {
    fn below(&self, name: &str) -> Option<(&Spanned<DeValue<'a>>, Range<usize>)> {
        let (key, value) = self.get_key_value(name)?;
        let at_key = matches!(value.get_ref(), DeValue::Table(_) | DeValue::Array(_));
        Some((value, if at_key { key.span() } else { value.span() }))
    }
}

impl<'a> Lookup<'a> for DeValue<'a> {
    fn below(&self, name: &str) -> Option<(&Spanned<DeValue<'a>>, Range<usize>)> {
        match self {
            DeValue::Table(table) => table.below(name),
            DeValue::Array(items) => {
                let item = items.get(name.parse::<usize>().ok()?)?;
                Some((item, item.span()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[http]\nlisten = \"x\"\n[[misty.serve]]\nrobot = \"a\"\n[[misty.serve]]\nrobot = 7\n";

    #[test]
    fn finds_places_by_path() {
        let document = Document::parse("f", TEXT).unwrap();
        let line = |key| document.diagnostic_at(key, "").place.map(|place| (place.line, place.text));
        assert_eq!(line("http.listen"), Some((2, "listen = \"x\"".into())));
        assert_eq!(line("misty.serve[1].robot"), Some((6, "robot = 7".into())));
        assert_eq!(line("misty.serve.0.nothing").map(|(line, _)| line), Some(3));
        assert_eq!(line("nothing"), None);
    }

    #[test]
    fn what_nobody_took_is_refused() {
        let mut document = Document::parse("f", "[htpp]\nlisten = \"x\"\n").unwrap();
        assert!(document.take("http").is_none());
        let error = document.finish(["http", "world"]).unwrap_err();
        assert_eq!(error.message, "unknown table `htpp`; did you mean `http`?");
        assert_eq!(error.place.unwrap().line, 1);
    }

    #[test]
    fn broken_toml_has_a_place() {
        let error = Document::parse("f", "[http\nlisten = 1\n").unwrap_err();
        assert!(error.to_string().contains("f:1:6"), "{error}");
    }
}
