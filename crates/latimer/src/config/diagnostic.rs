//! An error in a config file: file, line, column and the line itself.

use std::fmt;
use std::ops::Range;

/// One thing that is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Diagnostic {
    /// The file's name as it was given.
    pub file: String,
    /// What is wrong and what to do.
    pub message: String,
    /// Where; `None` if it is missing rather than wrong.
    pub place: Option<SourceSpan>,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceSpan {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// Characters to underline, at least 1.
    pub width: usize,
    /// The line.
    pub text: String,
}

impl SourceSpan {
    /// The place of a span of bytes.
    pub fn of(text: &str, span: &Range<usize>) -> Self {
        let start = floor_boundary(text, span.start);
        let end = floor_boundary(text, span.end.max(span.start));
        let before = &text[..start];
        let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line_text = text[begin..].lines().next().unwrap_or_default();
        let line_end = begin + line_text.len();
        let marked = &text[start.min(line_end)..end.clamp(start.min(line_end), line_end)];
        Self {
            line: before.matches('\n').count() + 1,
            column: text[begin..start].chars().count() + 1,
            width: marked.chars().count().max(1),
            text: line_text.to_owned(),
        }
    }
}

fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

impl Diagnostic {
    /// An error at a span of a file's text.
    pub fn at(file: &str, text: &str, span: Option<Range<usize>>, message: impl Into<String>) -> Self {
        let place = span.map(|span| SourceSpan::of(text, &span));
        Self { file: file.to_owned(), message: message.into(), place }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, message, place } = self;
        let Some(SourceSpan { line, column, width, text }) = place else {
            return write!(f, "{message}\n  --> {file}");
        };
        let gutter = " ".repeat(line.to_string().len());
        // Tabs are kept before the caret, so that it stands where the reader's terminal puts the word.
        let indent: String =
            text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let carets = "^".repeat(*width);
        writeln!(f, "{message}\n {gutter}--> {file}:{line}:{column}\n {gutter} |")?;
        write!(f, " {line} | {text}\n {gutter} | {indent}{carets}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_line_and_a_caret() {
        let text = "[http]\nlisen = \"127.0.0.1:8080\"\n";
        let diagnostic = Diagnostic::at("robots.toml", text, Some(7..12), "unknown key `lisen`");
        insta::assert_snapshot!(diagnostic, @r#"
        unknown key `lisen`
          --> robots.toml:2:1
           |
         2 | lisen = "127.0.0.1:8080"
           | ^^^^^
        "#);
    }

    #[test]
    fn any_span_has_a_place() {
        let text = "é = 1\nb";
        for start in 0..12 {
            for end in 0..12 {
                let place = SourceSpan::of(text, &(start..end));
                assert!(place.line <= 2 && place.width >= 1, "{start}..{end}: {place:?}");
            }
        }
        assert_eq!(SourceSpan::of("", &(0..0)).line, 1);
        assert_eq!(SourceSpan::of(text, &(2..3)).column, 2);
    }
}
