//! Filters: conditions joined by `and`, `or` and parentheses.

use std::fmt;
use std::str::FromStr;

use super::{Condition, ConditionError};
use crate::limits::FILTER_MAX_DEPTH;
use crate::model::Value;

/// Conditions, and how they are joined. One without conditions lets everything through.
///
/// As text: `range.distance_m < 0.3 and (part == front or part == back)`; `and` binds closer than `or`, `&&` and `||` mean the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    conditions: Vec<Condition>,
    rule: Rule,
}

/// How conditions, by their index, are joined.
#[derive(Clone, Debug, PartialEq)]
enum Rule {
    Condition(usize),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl Default for Rule {
    fn default() -> Self {
        Self::All(Vec::new())
    }
}

const SIDE_BY_SIDE: &str = "two conditions stand side by side without and or or";

impl Filter {
    /// Conditions that must all hold.
    pub fn all(conditions: Vec<Condition>) -> Self {
        let rule = Rule::All((0..conditions.len()).map(Rule::Condition).collect());
        Self { conditions, rule }
    }

    /// This and another must hold.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        let offset = self.conditions.len();
        self.conditions.extend(other.conditions);
        let rules = [self.rule, other.rule.shifted(offset)];
        // Rules that only join their parts in the same way need no level of their own.
        let flat = rules.into_iter().flat_map(|rule| match rule {
            Rule::All(rules) => rules,
            rule => vec![rule],
        });
        Self { conditions: self.conditions, rule: Rule::All(flat.collect()) }
    }

    /// The conditions, in the order in which they were written.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// The conditions, to complete what they compare with.
    pub fn conditions_mut(&mut self) -> &mut [Condition] {
        &mut self.conditions
    }

    /// Whether the filter holds for a value for each condition; `last` are those last delivered.
    pub fn holds(&self, values: &[Option<Value>], last: Option<&[Option<Value>]>) -> bool {
        self.rule.holds(&|i| {
            let last = last.and_then(|last| last.get(i)).and_then(Option::as_ref);
            let value = values.get(i).and_then(Option::as_ref);
            self.conditions.get(i).is_some_and(|condition| condition.holds(value, last))
        })
    }
}

impl Rule {
    fn holds(&self, condition: &impl Fn(usize) -> bool) -> bool {
        match self {
            Self::Condition(i) => condition(*i),
            Self::All(rules) => rules.iter().all(|rule| rule.holds(condition)),
            Self::Any(rules) => rules.iter().any(|rule| rule.holds(condition)),
        }
    }

    fn shifted(self, by: usize) -> Self {
        let each = |rules: Vec<Self>| rules.into_iter().map(|rule| rule.shifted(by)).collect();
        match self {
            Self::Condition(i) => Self::Condition(i + by),
            Self::All(rules) => Self::All(each(rules)),
            Self::Any(rules) => Self::Any(each(rules)),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, conditions: &[Condition], is_inner: bool) -> fmt::Result {
        let (rules, joint) = match self {
            Self::Condition(i) => return conditions.get(*i).map_or(Ok(()), |it| write!(f, "{it}")),
            Self::All(rules) => (rules, " and "),
            Self::Any(rules) => (rules, " or "),
        };
        let brackets = if is_inner { ["(", ")"] } else { [""; 2] };
        f.write_str(brackets[0])?;
        for (i, rule) in rules.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { joint })?;
            rule.write(f, conditions, true)?;
        }
        f.write_str(brackets[1])
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.write(f, &self.conditions, false)
    }
}

impl FromStr for Filter {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let tokens = tokens(text);
        if tokens.is_empty() {
            return Ok(Self::default());
        }
        let mut parser =
            Parser { text, tokens: tokens.into_iter().peekable(), conditions: Vec::new(), depth: 0 };
        let rule = parser.any()?;
        match parser.tokens.next() {
            None => Ok(Self { conditions: parser.conditions, rule }),
            Some(Token::Close) => Err(parser.error("it has a ) without a (")),
            Some(_) => Err(parser.error(SIDE_BY_SIDE)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Open,
    Close,
    And,
    Or,
    Condition(&'a str),
}

/// Takes a text apart; what stands in quotes is never a joint.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut begin, mut at) = (Vec::new(), 0, 0);
    while at < text.len() {
        let Some(rest) = text.get(at..) else { break };
        let first = rest.chars().next().unwrap_or_default();
        let found = match first {
            '(' => Some((Token::Open, 1)),
            ')' => Some((Token::Close, 1)),
            _ if rest.starts_with("&&") => Some((Token::And, 2)),
            _ if rest.starts_with("||") => Some((Token::Or, 2)),
            _ if begins_word(text, at) => word(rest),
            _ => None,
        };
        match (found, first) {
            (Some((token, length)), _) => {
                condition(&text[begin..at], &mut tokens);
                tokens.push(token);
                at += length;
                begin = at;
            }
            (None, quote @ ('"' | '\'')) => {
                let end = rest[1..].find(quote).map_or(rest.len(), |end| end + 2);
                at += end;
            }
            (None, other) => at += other.len_utf8(),
        }
    }
    condition(&text[begin..], &mut tokens);
    tokens
}

fn condition<'a>(text: &'a str, to: &mut Vec<Token<'a>>) {
    let text = text.trim();
    if !text.is_empty() {
        to.push(Token::Condition(text));
    }
}

fn begins_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || before == ')')
}

fn word(rest: &str) -> Option<(Token<'static>, usize)> {
    [("and", Token::And), ("or", Token::Or)].into_iter().find_map(|(word, token)| {
        let after =
            rest.get(..word.len()).filter(|it| it.eq_ignore_ascii_case(word)).map(|_| &rest[word.len()..])?;
        let ends = after.chars().next().is_none_or(|next| next.is_whitespace() || next == '(');
        ends.then_some((token, word.len()))
    })
}

struct Parser<'a> {
    text: &'a str,
    tokens: std::iter::Peekable<std::vec::IntoIter<Token<'a>>>,
    conditions: Vec<Condition>,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn any(&mut self) -> Result<Rule, ConditionError> {
        self.joined(Token::Or, Self::all, Rule::Any)
    }

    fn all(&mut self) -> Result<Rule, ConditionError> {
        self.joined(Token::And, Self::term, Rule::All)
    }

    fn joined(
        &mut self,
        joint: Token<'a>,
        part: fn(&mut Self) -> Result<Rule, ConditionError>,
        join: fn(Vec<Rule>) -> Rule,
    ) -> Result<Rule, ConditionError> {
        let first = part(self)?;
        let mut rules = vec![first];
        while self.tokens.next_if_eq(&joint).is_some() {
            rules.push(part(self)?);
        }
        Ok(if rules.len() == 1 { rules.remove(0) } else { join(rules) })
    }

    fn term(&mut self) -> Result<Rule, ConditionError> {
        match self.tokens.next() {
            Some(Token::Condition(text)) => {
                self.conditions.push(text.parse()?);
                Ok(Rule::Condition(self.conditions.len() - 1))
            }
            Some(Token::Open) if self.depth < FILTER_MAX_DEPTH => {
                self.depth += 1;
                let inner = self.any()?;
                self.depth -= 1;
                match self.tokens.next() {
                    Some(Token::Close) => Ok(inner),
                    Some(_) => Err(self.error(SIDE_BY_SIDE)),
                    None => Err(self.error("it has a ( without a )")),
                }
            }
            Some(Token::Open) => Err(self.error("its parentheses are too deep")),
            Some(Token::And | Token::Or | Token::Close) | None => {
                Err(self.error("a condition is missing beside and, or or a parenthesis"))
            }
        }
    }

    fn error(&self, reason: &str) -> ConditionError {
        ConditionError::new(self.text, reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(text: &str) -> Filter {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn holds(text: &str, values: [i64; 3]) -> bool {
        let filter = filter(text);
        let value = |condition: &Condition| {
            let index = ["a", "b", "c"].iter().position(|name| condition.path.to_string() == *name)?;
            Some(Value::Int(values[index]))
        };
        let values: Vec<Option<Value>> = filter.conditions().iter().map(value).collect();
        filter.holds(&values, None)
    }

    #[test]
    fn and_binds_closer_than_or_and_parentheses_closer_still() {
        for (text, expected) in [
            ("", [true; 4]),
            ("a == 1", [true, true, false, false]),
            ("a == 1 and b == 1", [true, false, false, false]),
            ("a == 1 && b == 1 || c == 1", [true, true, true, false]),
            ("a == 1 and (b == 1 or c == 1)", [true, true, false, false]),
            ("(a==1)and(b==1)OR((c==1))", [true, true, true, false]),
            ("c == 1 or a == 1 and b == 1", [true, true, true, false]),
        ] {
            let cases = [[1, 1, 0], [1, 0, 1], [0, 0, 1], [0, 1, 0]];
            assert_eq!(cases.map(|values| holds(text, values)), expected, "{text}");
        }
    }

    #[test]
    fn it_is_written_as_it_is_read() {
        for text in [
            "a < 1 and b exists and c == x",
            "a < 1 or (b > 2 and c == x)",
            "(a < 1 or b > 2) and c == \"salt and pepper (white) or black\"",
            "order == \"or\"",
        ] {
            let read = filter(text);
            assert_eq!(read.to_string(), text);
        }
        assert_eq!(filter("band > 1 and oracle < 2").to_string(), "band > 1 and oracle < 2");
    }

    #[test]
    fn filters_are_joined() {
        let both = filter("a == 1 or b == 1").and(filter("c == 1 and a < 5"));
        assert_eq!(both.to_string(), "(a == 1 or b == 1) and c == 1 and a < 5");
        assert_eq!(Filter::default().and(filter("a == 1")).to_string(), "a == 1");
        assert_eq!(Filter::all(vec!["a == 1".parse().unwrap()]), Filter::default().and(filter("a == 1")));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, reason) in [
            ("a == 1 and", "a condition is missing"),
            ("or a == 1", "a condition is missing"),
            ("(a == 1", "without a )"),
            ("a == 1)", "without a ("),
            ("()", "a condition is missing"),
            ("a == 1 and b", "no operator"),
            ("(a == 1) b == 2", "side by side"),
            ("a == 1 (b == 2)", "side by side"),
            ("a exists 5", "takes no value"),
        ] {
            let error = text.parse::<Filter>().map(|it| it.to_string()).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        let deep = "(".repeat(10_000) + "a == 1";
        assert!(deep.parse::<Filter>().unwrap_err().to_string().contains("too deep"));
    }
}
