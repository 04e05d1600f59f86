//! What a request has to bring along: bounds for all, parameters for each kind.

use latimer_core::model::{TaskRequest, is_same_name};

use super::SubmitError;
use super::jobs::{OPERATIONS, lesson};
use super::memory::Memory;

/// Longest name of a task or kind, bytes.
pub(super) const MAX_NAME: usize = 200;

/// Longest parameter, bytes.
pub(super) const MAX_VALUE: usize = 1_000;

/// Most parameters.
pub(super) const MAX_PARAMETERS: usize = 32;

/// The tasks that the robot understands.
pub(super) const KINDS: [&str; 6] = ["bring", "clean", "memorize", "greet", "goto", LEARN];

/// Learning from demonstration.
pub(super) const LEARN: &str = "lfd";

/// Words for the asker.
const ASKERS: [&str; 3] = ["user", "me", "here"];

/// What a request lacks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lack {
    /// Which parameters.
    pub(super) parameters: Vec<String>,
    /// Why, for a person to read.
    pub(super) reason: String,
}

/// Checks the bounds of a request.
pub(super) fn check(request: &TaskRequest) -> Result<(), SubmitError> {
    let TaskRequest { id, kind, parameters, asker, priority: _ } = request;
    if id.is_empty() || id.len() > MAX_NAME {
        return Err(SubmitError::IdLength { bytes: id.len() });
    }
    if kind.len() > MAX_NAME || asker.as_ref().is_some_and(|it| it.len() > MAX_NAME) {
        return Err(SubmitError::NameLength);
    }
    if parameters.len() > MAX_PARAMETERS {
        return Err(SubmitError::ParameterCount { count: parameters.len() });
    }
    let long = |(name, value): &(String, String)| name.len() > MAX_NAME || value.len() > MAX_VALUE;
    if parameters.iter().any(long) { Err(SubmitError::ParameterLength) } else { Ok(()) }
}

/// What is urgent comes first: 1 to 5, whatever was written.
pub(super) fn urgency(request: &TaskRequest) -> u8 {
    request.priority.clamp(1, 5)
}

/// Whether a name means the asker.
pub(super) fn means_asker(to: Option<&str>) -> bool {
    to.is_none_or(|to| ASKERS.iter().any(|word| is_same_name(word, to)))
}

/// What has to be known first, if anything. `people` are those who live here.
pub(super) fn lacks(request: &TaskRequest, memory: &Memory, people: &[String]) -> Option<Lack> {
    let lack =
        |parameter: &str, reason: String| Some(Lack { parameters: vec![parameter.to_owned()], reason });
    let needed: &[&str] = match request.kind.as_str() {
        "bring" => &["object"],
        "goto" => &["to"],
        _ => &[],
    };
    let missing: Vec<String> =
        needed.iter().filter(|it| request.parameter(it).is_none()).map(|it| (*it).to_owned()).collect();
    if !missing.is_empty() {
        let reason = format!("to {} it has to know: {}", request.kind, missing.join(", "));
        return Some(Lack { parameters: missing, reason });
    }
    if request.kind == LEARN {
        return lacks_lesson(request).and_then(|(parameter, reason)| lack(parameter, reason));
    }
    let known: Vec<&str> = memory.places().iter().map(|place| place.name.as_str()).collect();
    let no_place = |name: &str| {
        let shown: String = name.chars().take(80).collect();
        format!("there is no place {shown:?}; there are: {}", known.join(", "))
    };
    for parameter in ["from", "to"] {
        let Some(name) = request.parameter(parameter).filter(|name| memory.place(name).is_none()) else {
            continue;
        };
        let is_person = people.iter().any(|person| is_same_name(person, name));
        let to_somebody =
            parameter == "to" && request.kind != "clean" && (means_asker(Some(name)) || is_person);
        if !to_somebody && request.kind != "memorize" && request.kind != "greet" {
            return lack(parameter, no_place(name));
        }
    }
    None
}

/// What learning from demonstration has to know first: an operation that there is, and what to reproduce or to learn.
fn lacks_lesson(request: &TaskRequest) -> Option<(&'static str, String)> {
    let operation = request.parameter("operation");
    if let Some(asked) = operation.filter(|asked| !OPERATIONS.contains(asked)) {
        let asked: String = asked.chars().take(80).collect();
        return Some((
            "operation",
            format!("there is no operation {asked:?}; there are: {}", OPERATIONS.join(", ")),
        ));
    }
    let named = operation.is_none() || operation == Some("reproduce");
    (named && lesson(request).is_none()).then(|| {
        let operations = OPERATIONS.join(", ");
        ("task", format!("it has to know which task, or an operation of: {operations}"))
    })
}

/// The same task with what a later message adds or changes.
pub(super) fn merged(before: &TaskRequest, later: &TaskRequest) -> TaskRequest {
    let mut request = TaskRequest { asker: later.asker.clone(), priority: later.priority, ..before.clone() };
    let says = |(_, value): &&(String, String)| !value.is_empty();
    for (name, value) in later.parameters.iter().filter(says) {
        match request.parameters.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => known.clone_from(value),
            None => request.parameters.push((name.clone(), value.clone())),
        }
    }
    // Where the thing was that is not to be had says nothing of where the other one is.
    let other = |thing: &str| before.parameter("object").is_some_and(|before| before != thing);
    if later.parameter("from").is_none() && later.parameter("object").is_some_and(other) {
        request.parameters.retain(|(name, _)| name != "from");
    }
    request
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::memory::tests::flat;
    use super::*;

    pub(in crate::bodies::robotkoop::tasks) fn request(
        kind: &str,
        parameters: &[(&str, &str)],
    ) -> TaskRequest {
        TaskRequest {
            id: "T".to_owned(),
            kind: kind.to_owned(),
            parameters: parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
            asker: None,
            priority: 3,
        }
    }

    fn lack(kind: &str, parameters: &[(&str, &str)]) -> Vec<String> {
        let lack = lacks(&request(kind, parameters), &flat(), &["Ben".to_owned()]);
        lack.map_or(Vec::new(), |it| it.parameters)
    }

    #[test]
    fn each_kind_needs_its_own_parameters() {
        assert_eq!(lack("bring", &[]), ["object"]);
        assert_eq!(lack("bring", &[("object", ""), ("to", "user")]), ["object"], "nothing said");
        assert_eq!(lack("goto", &[]), ["to"]);
        for whole in [&[("object", "coke"), ("to", "Ben")], &[("object", "coke"), ("to", "USER")]] {
            assert!(lack("bring", whole).is_empty());
        }
        assert!(lack("clean", &[]).is_empty() && lack("memorize", &[]).is_empty());
    }

    #[test]
    fn learning_needs_an_operation_or_a_task() {
        assert_eq!(lack("lfd", &[]), ["task"]);
        assert_eq!(lack("lfd", &[("operation", "reproduce")]), ["task"]);
        assert_eq!(lack("lfd", &[("operation", "begin")]), ["operation"]);
        assert!(lack("lfd", &[("keyword", "lerne"), ("operation", "")]).is_empty());
        assert!(OPERATIONS.iter().all(|it| lack("lfd", &[("operation", it), ("task", "pour")]).is_empty()));
    }

    #[test]
    fn an_unknown_place_has_to_be_given_again() {
        assert_eq!(lack("bring", &[("object", "coke"), ("to", "moon")]), ["to"]);
        assert_eq!(lack("bring", &[("object", "coke"), ("from", "user")]), ["from"]);
        assert_eq!(lack("clean", &[("to", "user")]), ["to"]);
        assert!(lack("goto", &[("to", "kitchen")]).is_empty());
    }

    #[test]
    fn a_later_message_adds_and_changes() {
        let before = request("bring", &[("object", "coke"), ("from", "Kitchen"), ("to", "user")]);
        let other = merged(&before, &request("bring", &[("object", "fanta")]));
        assert_eq!((other.parameter("object"), other.parameter("from")), (Some("fanta"), None));
        assert_eq!(other.parameter("to"), Some("user"));
    }

    #[test]
    fn what_is_too_long_is_refused() {
        let long = "x".repeat(1_001);
        assert!(check(&request("bring", &[("object", &long)])).is_err());
        assert!(check(&request(&long, &[])).is_err());
        assert!(check(&request("bring", &[("a", "b"); 33])).is_err());
        assert!(check(&TaskRequest { id: String::new(), ..request("bring", &[]) }).is_err());
        assert!(check(&request("bring", &[("object", "coke")])).is_ok());
    }
}
