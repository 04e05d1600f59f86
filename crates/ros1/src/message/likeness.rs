//! Whether messages of one type can be converted to another without a loss.

use super::layout::Layout;
use super::structure::{Kind, Primitive, Structure};

/// Whether a publisher's type can stand for the one that is asked for: it is the same by its name or, as roscpp compares, by its MD5 sum; it
/// is another package's copy, as `my_robot/Control` is of `rover_msgs/Control`; or every field has its like in the other.
pub(super) fn stands_for(offered: &Layout, asked: &Layout) -> bool {
    let copy = |layout: &Layout| layout.type_name().rsplit('/').next().map(str::to_owned);
    offered.type_name() == asked.type_name()
        || offered.md5() == asked.md5()
        || copy(offered) == copy(asked)
        || fits(offered.structure(), asked.structure())
}

/// Whether both have the same fields by name, and each of `from` fits into that of `to`.
fn fits(from: &Structure, to: &Structure) -> bool {
    from.members.len() == to.members.len()
        && from.members.iter().all(|member| {
            let like = to.position(&member.name).and_then(|at| to.members.get(at));
            like.is_some_and(|like| holds(&member.kind, &like.kind))
        })
}

fn holds(from: &Kind, to: &Kind) -> bool {
    match (from, to) {
        (Kind::Primitive(from), Kind::Primitive(to)) => widens(*from, *to),
        (Kind::Text, Kind::Text) => true,
        (Kind::Message(from), Kind::Message(to)) => fits(from, to),
        _ => match (list(from), list(to)) {
            (Some((from, count)), Some((to, places))) => {
                (places.is_none() || places == count) && holds(from, to)
            }
            _ => false,
        },
    }
}

/// The elements of a list, and how many there always are.
fn list(kind: &Kind) -> Option<(&Kind, Option<usize>)> {
    const BYTE: &Kind = &Kind::Primitive(Primitive::Uint8);
    match kind {
        Kind::Bytes => Some((BYTE, None)),
        Kind::FixedBytes(count) => Some((BYTE, Some(*count))),
        Kind::Variable(element) => Some((element, None)),
        Kind::Fixed(count, element) => Some((element, Some(*count))),
        Kind::Primitive(_) | Kind::Text | Kind::Message(_) => None,
    }
}

/// Whether every value of `from` is one of `to`.
fn widens(from: Primitive, to: Primitive) -> bool {
    match (bits(from), bits(to)) {
        (Number::Whole { signed, bits }, Number::Whole { signed: to_signed, bits: places }) => {
            match (signed, to_signed) {
                (false, true) => bits < places,
                (true, false) => false,
                _ => bits <= places,
            }
        }
        (Number::Whole { bits, .. }, Number::Float { exact, .. }) => bits <= exact,
        (Number::Float { bits, .. }, Number::Float { bits: places, .. }) => bits <= places,
        (Number::Float { .. }, Number::Whole { .. }) => false,
    }
}

enum Number {
    Whole {
        signed: bool,
        bits: u32,
    },
    /// Whole numbers of so many bits are exact in it.
    Float {
        bits: u32,
        exact: u32,
    },
}

fn bits(primitive: Primitive) -> Number {
    let bits = 8 * u32::try_from(primitive.size()).unwrap_or(u32::MAX);
    match primitive {
        Primitive::Bool => Number::Whole { signed: false, bits: 1 },
        Primitive::Uint8 | Primitive::Uint16 | Primitive::Uint32 | Primitive::Uint64 => {
            Number::Whole { signed: false, bits }
        }
        Primitive::Int8 | Primitive::Int16 | Primitive::Int32 | Primitive::Int64 => {
            Number::Whole { signed: true, bits }
        }
        Primitive::Float32 => Number::Float { bits, exact: f32::MANTISSA_DIGITS },
        Primitive::Float64 => Number::Float { bits, exact: f64::MANTISSA_DIGITS },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(type_name: &str, definition: &str) -> Layout {
        Layout::from_definition(type_name, definition).unwrap()
    }

    #[test]
    fn copies_and_equal_sums_stand_for_each_other() {
        let control = layout("rover_msgs/Control", "float32 tail\n");
        assert!(stands_for(&layout("mine/Control", "float32 ears\n"), &control), "a copy of another build");
        assert!(stands_for(&layout("mine/tail", "float32 tail # wags\n"), &control), "the same sum");
        assert!(!stands_for(&layout("mine/ears", "float32 ears\n"), &control));
        assert!(
            !stands_for(&layout("mine/tail", "float32 tail\nfloat32 ears\n"), &control),
            "a field would be lost"
        );
    }

    #[test]
    fn what_a_wider_type_holds_is_not_lost() {
        let to = layout("a/To", "float32 share\nint32 number\nuint16[] list\nstring text\n");
        for (definition, fits) in [
            ("string text\nint16 share\nuint16 number\nuint8[3] list\n", true),
            ("string text\nint32 share\nuint16 number\nuint8[3] list\n", false),
            ("string text\nint16 share\nuint32 number\nuint8[3] list\n", false),
            ("string text\nfloat64 share\nuint16 number\nuint8[3] list\n", false),
            ("uint8 text\nint16 share\nuint16 number\nuint8[3] list\n", false),
            ("string text\nint16 share\nuint16 number\nint8[] list\n", false),
            ("string text\nbool share\nbool number\nuint16[] list\n", true),
        ] {
            assert_eq!(stands_for(&layout("b/From", definition), &to), fits, "{definition}");
        }
        let fixed = layout("a/Fixed", "uint8[3] list\n");
        assert!(
            !stands_for(&layout("b/From", "uint8[] list\n"), &fixed),
            "there may be another number of them"
        );
        assert!(!stands_for(&layout("b/From", "uint8[2] list\n"), &fixed));
    }
}
