//! What goes wrong within serde, on its way out to the whole message: each level adds its part of the path.

use std::fmt;

/// A problem in a message.
#[derive(Debug)]
pub(super) struct Fault(Box<Inner>);

#[derive(Debug)]
struct Inner {
    /// Innermost first.
    steps: Vec<Step>,
    at: Option<usize>,
    problem: String,
}

#[derive(Debug)]
enum Step {
    Field(String),
    Element(usize),
}

impl Fault {
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self(Box::new(Inner { steps: Vec::new(), at: None, problem: problem.into() }))
    }

    /// At that byte, unless a level further in knew better.
    pub(super) fn at(mut self, at: usize) -> Self {
        self.0.at.get_or_insert(at);
        self
    }

    pub(super) fn in_field(mut self, name: &str) -> Self {
        self.0.steps.push(Step::Field(name.to_owned()));
        self
    }

    pub(super) fn in_element(mut self, index: usize) -> Self {
        self.0.steps.push(Step::Element(index));
        self
    }

    /// Path, byte and problem; the path of the whole message is its type's name.
    pub(super) fn into_parts(self, type_name: &str) -> (String, usize, String) {
        let Inner { steps, at, problem } = *self.0;
        let mut path = String::new();
        for step in steps.iter().rev() {
            match step {
                Step::Field(name) if path.is_empty() => path.push_str(name),
                Step::Field(name) => path.extend([".", name.as_str()]),
                Step::Element(index) => path.push_str(&format!("[{index}]")),
            }
        }
        if path.is_empty() {
            type_name.clone_into(&mut path);
        }
        (path, at.unwrap_or(0), problem)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.problem)
    }
}

impl std::error::Error for Fault {}

impl serde::ser::Error for Fault {
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Self::new(problem.to_string())
    }
}

impl serde::de::Error for Fault {
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Self::new(problem.to_string())
    }
}
