//! Layouts of ROS 1 beside each other: what a publisher's messages lack, have besides, or have as another type.

use latimer_ros1::message::{Kind, Layout, Structure};

use super::json::below;
use super::{Deviation, Fault};

/// How a publisher's layout differs from the one that is specified.
pub(crate) fn differences(offered: &Layout, specified: &Layout) -> Vec<Deviation> {
    let mut found = Vec::new();
    if offered.md5() != specified.md5() {
        compare(offered.structure(), specified.structure(), "", &mut found);
    }
    found
}

fn compare(offered: &Structure, specified: &Structure, at: &str, found: &mut Vec<Deviation>) {
    for member in &specified.members {
        let path = below(at, &member.name);
        match offered.members.iter().find(|it| it.name == member.name) {
            Some(it) => compare_kinds(&it.kind, &member.kind, &path, found),
            None => found.push(Deviation {
                path,
                fault: Fault::Missing,
                expected: Some(member.kind.to_string()),
                found: None,
            }),
        }
    }
    for member in &offered.members {
        if specified.members.iter().all(|it| it.name != member.name) {
            found.push(Deviation {
                path: below(at, &member.name),
                fault: Fault::Extra,
                expected: None,
                found: Some(member.kind.to_string()),
            });
        }
    }
}

fn compare_kinds(offered: &Kind, specified: &Kind, path: &str, found: &mut Vec<Deviation>) {
    match (offered, specified) {
        (Kind::Message(offered), Kind::Message(specified)) => compare(offered, specified, path, found),
        (Kind::Variable(offered), Kind::Variable(specified)) => {
            compare_kinds(offered, specified, &format!("{path}[]"), found);
        }
        _ if offered.to_string() == specified.to_string() => {}
        _ => found.push(Deviation {
            path: path.to_owned(),
            fault: Fault::Mistyped,
            expected: Some(specified.to_string()),
            found: Some(offered.to_string()),
        }),
    }
}

/// Whether a type has a member at a path such as `pose.covariance` or `points[].x`.
pub(crate) fn has_member(structure: &Structure, path: &str) -> bool {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let name = first.trim_end_matches("[]");
    let Some(member) = structure.members.iter().find(|it| it.name == name) else { return false };
    let mut kind = &member.kind;
    while let Kind::Variable(element) | Kind::Fixed(_, element) = kind {
        kind = element;
    }
    match (kind, rest) {
        (_, None) => true,
        (Kind::Message(inner), Some(rest)) => has_member(inner, rest),
        _ => false,
    }
}
