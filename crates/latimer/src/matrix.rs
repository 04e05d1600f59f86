//! What a program of each dialect gets of a robot of each family, made from what the dialects, the bodies and the rules of deriving
//! declare.

use latimer_core::derive::{Rule, Vocabulary};
use latimer_core::hub::PLANNED;
use latimer_core::model::profile::{Ability, CameraRole, Place};
use latimer_core::model::signal::ContactSensor;
use latimer_core::model::{Kind, RobotProfile};
use latimer_dialects::table::MessageInfo;
use latimer_dialects::{DIALECTS, Entry, vocabulary};
use latimer_navigation::service;
use latimer_world::bodies::{BODIES, BodyKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How something of a robot reaches a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// It is of the dialect's own family.
    Native,
    /// The robot has it, and the dialect has words for it.
    Exact,
    /// The gateway derives it from what the robot has.
    Derived,
    /// The client gets what `absent` says.
    Absent,
}

/// One message or command of a dialect, for a robot of a family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Cell {
    /// An event type or topic, or the word of a command.
    pub name: String,
    /// Whether it is a command.
    pub is_command: bool,
    /// How it reaches the client, or the robot.
    pub support: Support,
    /// From what it is derived and how; not there otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
}

/// A dialect's programs and the robots of a family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pair {
    /// The robots' family.
    pub family: String,
    /// The programs' dialect.
    pub dialect: String,
    /// What a client gets of what is absent; `{robot}` stands for the robot's name.
    pub absent: String,
    /// Each message, then each command.
    pub cells: Vec<Cell>,
}

/// The whole matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Matrix {
    /// Each family with each dialect.
    pub pairs: Vec<Pair>,
}

impl Support {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Exact => "exact",
            Self::Derived => "derived",
            Self::Absent => "absent",
        }
    }
}

impl Pair {
    /// How many of its cells are of a support.
    pub fn count(&self, support: Support) -> usize {
        self.cells.iter().filter(|cell| cell.support == support).count()
    }

    fn new(body: &'static BodyKind, entry: &Entry, vocabulary: &Vocabulary) -> Self {
        let rules = vocabulary.rules(&body.profile);
        let messages = entry.messages.iter().map(|message| {
            let (support, how) = match body.family == entry.name {
                true => (Support::Native, None),
                false => sense(&body.profile, entry.profile(), message, &rules),
            };
            Cell { name: message.topic.to_owned(), is_command: false, support, how }
        });
        let commands = entry.command_names().map(|word| {
            let (support, how) = command(body, entry, word);
            Cell { name: word.to_owned(), is_command: true, support, how }
        });
        Self {
            family: body.family.to_owned(),
            dialect: entry.name.to_owned(),
            absent: entry.absent.to_owned(),
            cells: messages.chain(commands).collect(),
        }
    }
}

/// The matrix of the families that have a body, as simulated robots of theirs publish.
pub fn matrix() -> Matrix {
    let vocabulary = vocabulary();
    let pairs =
        BODIES.iter().flat_map(|body| DIALECTS.iter().map(|entry| Pair::new(body, entry, &vocabulary)));
    Matrix { pairs: pairs.collect() }
}

/// The matrix as a page of the documentation.
pub fn page() -> String {
    let mut text = String::from(
        "# Which robot in which dialect\n\n\
         What a program of a dialect gets of a simulated robot of a family, made from what the dialects, the bodies and the rules of\n\
         deriving declare: `latimer matrix` prints it, `GET /api/v1/matrix` answers it. *exact*: the robot has that, and the dialect has\n\
         words for it. *derived*: the gateway makes it from what the robot has, and each such update names its `provenance`. What is not\n\
         listed is *absent*. In its own dialect a robot is *native*: all of it.\n",
    );
    for pair in matrix().pairs.iter().filter(|pair| pair.family != pair.dialect) {
        let of = |support: Support, is_command: bool| {
            let cells = pair.cells.iter().filter(|it| it.support == support && it.is_command == is_command);
            let names: Vec<String> = cells
                .map(|cell| match &cell.how {
                    Some(how) => format!("`{}` ({how})", cell.name),
                    None => format!("`{}`", cell.name),
                })
                .collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        text += &format!(
            "\n## {} as {}\n\n- exact: {}\n- derived: {}\n- commands: {}\n- commands, derived: {}\n- absent: {}\n",
            pair.family,
            pair.dialect,
            of(Support::Exact, false),
            of(Support::Derived, false),
            of(Support::Exact, true),
            of(Support::Derived, true),
            pair.absent,
        );
    }
    text
}

/// How a message comes about on which the gateway answers.
const ANSWERS: &str = "why the gateway or the robot refused a command";

/// Whether the gateway's navigator takes a robot's goals.
fn is_navigated(own: &RobotProfile) -> bool {
    own.can(Ability::Drive) && !own.can(Ability::Navigate)
}

/// How a message of some kinds comes about: parts have the names that the dialect's own profile declares.
fn sense(
    own: &RobotProfile,
    wanted: &RobotProfile,
    message: &MessageInfo,
    rules: &[Rule],
) -> (Support, Option<String>) {
    if message.ability.is_some_and(|ability| !own.can(ability)) {
        return (Support::Absent, None);
    }
    let mut derived: Vec<String> = Vec::new();
    if message.answers {
        derived.push(ANSWERS.to_owned());
    }
    let by_navigator = |kind: &Kind| match kind {
        Kind::Navigation => true,
        Kind::Path => message.parts.is_empty() || message.parts.contains(&PLANNED),
        _ => false,
    };
    if is_navigated(own) && message.kinds.iter().any(by_navigator) {
        derived.push(service::HOW.to_owned());
    }
    for kind in message.kinds {
        let parts = match message.parts {
            [] => parts(wanted, *kind, message.contact),
            parts => parts.to_vec(),
        };
        let has = |part: &&str| match kind {
            // Cameras are found by where they look.
            Kind::Image | Kind::CompressedImage | Kind::Video if !message.parts.is_empty() => {
                let camera = wanted.cameras.iter().find(|it| it.part.as_str() == *part);
                camera.is_some_and(|it| match it.role {
                    CameraRole::Front => own.camera_ahead().is_some(),
                    role => own.camera(role).is_some(),
                })
            }
            // A speed is measured or commanded.
            Kind::Velocity => true,
            // Others are of the dialect's own.
            Kind::Path => *part == PLANNED,
            kind => own.has_part(*kind, part) == Some(true),
        };
        // A joint that tells no angle has no place in a message of angles alone.
        let is_sayable = *kind != Kind::Joint
            || own.joints.iter().any(|joint| joint.role.is_hinge())
            || message.rows().iter().any(|row| row.model.as_deref() == Some("position_ratio"));
        // Simulated robots declare which ways they speak.
        let is_said = *kind != Kind::Text
            || message.texts.is_empty()
            || message.texts.iter().any(|channel| own.texts.contains(channel));
        let is_felt = message.contact.is_none_or(|contact| feels(own, contact));
        let has_any = parts.is_empty() && is_sayable && is_felt && is_said || parts.iter().any(has);
        if own.kinds.contains(*kind) && has_any {
            return (Support::Exact, None);
        }
        let is_wanted = |rule: &&Rule| {
            let part = rule.to.1.as_ref().map(|it| it.as_str());
            let is_felt =
                message.contact.is_none_or(|contact| rule.method.contact().is_none_or(|it| it == contact));
            rule.to.0 == *kind
                && is_felt
                && (parts.is_empty() || part.is_some_and(|part| parts.contains(&part)))
        };
        for rule in rules.iter().filter(is_wanted) {
            let from = rule.from.first().map_or_else(String::new, |(kind, _)| format!("{kind}: "));
            let how = format!("{from}{}", rule.method.words());
            if !derived.contains(&how) {
                derived.push(how);
            }
        }
    }
    match derived.is_empty() {
        true => (Support::Absent, None),
        false => (Support::Derived, Some(derived.join("; "))),
    }
}

/// Whether a robot has a sensor for contacts of that kind.
fn feels(profile: &RobotProfile, contact: ContactSensor) -> bool {
    profile.placed.iter().any(|it| it.kind == Kind::Contact && it.place.contact() == contact)
}

/// The names of the parts of a kind that a profile declares.
fn parts(profile: &RobotProfile, kind: Kind, contact: Option<ContactSensor>) -> Vec<&str> {
    let names: Vec<_> = match kind {
        Kind::Range => {
            profile.ranges.iter().filter(|it| it.kind == kind).filter_map(|it| it.part.as_ref()).collect()
        }
        Kind::Joint => profile.joints.iter().map(|it| &it.part).collect(),
        Kind::Contact | Kind::Cliff => {
            let is_felt =
                |place: Place| kind != Kind::Contact || contact.is_none_or(|it| it == place.contact());
            let placed = profile.placed.iter().filter(|it| it.kind == kind && is_felt(it.place));
            placed.map(|it| &it.part).collect()
        }
        _ => Vec::new(),
    };
    names.into_iter().map(|it| it.as_str()).collect()
}

fn command(body: &BodyKind, entry: &Entry, word: &str) -> (Support, Option<String>) {
    let figure = (body.figure)();
    let shares_joint = || entry.profile().joints.iter().any(|joint| body.profile.joint(joint.role).is_some());
    // Its programs call joints as the robot does.
    let has_no_names = entry.profile().joints.is_empty();
    let derived = |how: &str| (Support::Derived, Some(how.to_owned()));
    match word {
        _ if body.family == entry.name => (Support::Native, None),
        "joints" if figure.commands.contains(&word) && shares_joint() => {
            derived("the joint of the same role")
        }
        "joints" if !has_no_names => (Support::Absent, None),
        _ if service::COMMANDS.contains(&word) && is_navigated(&body.profile) => derived(service::HOW),
        "lamp" if figure.commands.contains(&word) => derived("the robot's own lamp"),
        "play" if figure.commands.contains(&word) => derived("the sound at the same place in its list"),
        "drive" if body.profile.can(Ability::ChangeMode) && !entry.profile().can(Ability::ChangeMode) => {
            derived("the gateway switches the control mode first")
        }
        "control_mode" if !body.profile.kinds.contains(Kind::Control) => {
            derived("done: a robot without modes is driven in any")
        }
        _ if figure.commands.contains(&word) => (Support::Exact, None),
        _ => (Support::Absent, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_there_and_the_own_ones_are_native() {
        let matrix = matrix();
        assert_eq!(matrix.pairs.len(), BODIES.len() * DIALECTS.len());
        for pair in &matrix.pairs {
            assert!(!pair.cells.is_empty() && !pair.absent.is_empty(), "{pair:?}");
            let own = pair.family == pair.dialect;
            assert_eq!(
                pair.count(Support::Native) == pair.cells.len(),
                own,
                "{} in {}",
                pair.family,
                pair.dialect
            );
            assert!(pair.cells.iter().all(|it| (it.support == Support::Derived) == it.how.is_some()));
        }
    }

    #[test]
    fn a_body_plays_the_sounds_of_its_make() {
        for body in BODIES {
            let plays = (body.figure)().sounds;
            let silent: Vec<_> = body.profile.sounds.iter().filter(|it| !plays.contains(it)).collect();
            assert!(silent.is_empty(), "{}: {silent:?}", body.family);
        }
    }

    #[test]
    fn a_body_takes_every_command_of_its_dialect() {
        for entry in DIALECTS {
            let Some(body) = latimer_world::bodies::find(entry.name) else { continue };
            let takes = (body.figure)().commands;
            for word in entry.command_names() {
                let by_navigator = service::COMMANDS.contains(&word) && is_navigated(&body.profile);
                assert!(takes.contains(&word) || by_navigator, "{}: {word} of {takes:?}", entry.name);
            }
        }
    }
}
