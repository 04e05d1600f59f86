use super::*;
use crate::model::{Command, Motion};

const fn number(name: &'static str, quantity: Quantity) -> Argument {
    Argument { name, summary: "", quantity, presence: Presence::Required, spelling: Spelling::Place }
}

const fn described(
    name: &'static str,
    arguments: &'static [Argument],
    motion: CallMotion,
) -> CallDescription {
    CallDescription { dialect: "test", name, summary: "", arguments, motion, word: None, check: None }
}

static ARC: CallDescription = described(
    "arc",
    &[number("radius_m", Quantity::NonNegative), number("duration_s", Quantity::Seconds)],
    CallMotion::Arc,
);
static HEADING: CallDescription = described(
    "heading",
    &[
        number("heading_rad", Quantity::Radians),
        number("distance_m", Quantity::NonNegative),
        number("duration_s", Quantity::Seconds),
    ],
    CallMotion::Heading,
);
static NUDGE: CallDescription =
    described("nudge", &[number("linear_mps", Quantity::Number)], CallMotion::Speed);
static PUSH: CallDescription = described(
    "push",
    &[number("strength_ratio", Quantity::Ratio)],
    CallMotion::By(|call| match call.argument::<f64>("strength_ratio") {
        Ok(0.0) => CallMotion::Still,
        _ => CallMotion::Speed,
    }),
);
static BEGIN: CallDescription = described("begin", &[], CallMotion::Starts);

fn call(about: &'static CallDescription, arguments: &[f64]) -> Command {
    let given = arguments.iter().map(|it| Value::Float(*it)).collect();
    Command::Native(NativeCall::new(about, given).unwrap())
}

/// On a circle of a radius, in a time.
pub(crate) fn arc(radius_m: f64, duration_s: f64) -> Command {
    // As exact as a duration is.
    call(&ARC, &[radius_m, Duration::from_secs_f64(duration_s).as_secs_f64()])
}

/// At a heading, for a distance, in a time.
pub(crate) fn heading(heading_rad: f64, distance_m: f64, duration_s: f64) -> Command {
    call(&HEADING, &[heading_rad, distance_m, duration_s])
}

/// At a speed.
pub(crate) fn nudge(linear_mps: f64) -> Command {
    call(&NUDGE, &[linear_mps])
}

/// Lets it begin to move of its own.
pub(crate) fn begin() -> Command {
    call(&BEGIN, &[])
}

#[test]
fn arguments_tell_the_motion() {
    let second = Duration::from_secs(1);
    assert_eq!(arc(0.5, 1.0).motion(), Motion::Arc { radius_m: 0.5, duration: second });
    assert_eq!(
        heading(1.0, 2.0, 1.0).motion(),
        Motion::Heading { heading_rad: 1.0, distance_m: 2.0, duration: second, reverse: false }
    );
    assert_eq!(nudge(0.1).motion(), Motion::Speed { duration: None, is_zero: false });
    assert_eq!(nudge(0.0).motion(), Motion::Speed { duration: None, is_zero: true });
    assert_eq!(begin().motion(), Motion::Starts);
    assert_eq!(call(&PUSH, &[0.0]).motion(), Motion::Other);
    assert_eq!(
        call(&PUSH, &[0.5]).motion(),
        Motion::Own,
        "a speed that no argument tells is bounded by nothing"
    );
}

#[test]
fn arguments_out_of_bounds_are_refused_by_their_names() {
    let refused = |given| NativeCall::new(&ARC, given).unwrap_err().to_string();
    assert_eq!(
        refused(vec![Value::Float(-1.0), Value::Int(1)]),
        "radius_m is -1; write a finite number that is not negative"
    );
    assert_eq!(refused(vec![Value::Int(1)]), "duration_s is missing; write seconds from 0 to 86400");
    assert_eq!(
        refused(vec![Value::Int(1), Value::Float(f64::NAN)]),
        "duration_s is NaN; write seconds from 0 to 86400"
    );
    assert!(NativeCall::new(&ARC, vec![Value::Int(1), Value::Text("long".into())]).is_err());
}
