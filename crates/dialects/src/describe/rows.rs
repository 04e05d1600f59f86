//! A description as a list of paths, for pages and tables.

use latimer_core::model::Kind;

use super::{Field, Meaning, Target, Unit, WireType};
use crate::table::{Role, Row};

/// The fields of a message whose own kind is `kind`, and what is inside of them.
/// `above` stands before their paths, `[].` where the message is a list.
pub(crate) fn rows(fields: &'static [Field], above: &str, kind: Option<Kind>) -> Vec<Row> {
    let mut rows = Vec::new();
    add(&mut rows, fields, &At { wire: above.to_owned(), model: String::new(), kind, part: None });
    rows
}

/// Where fields stand: the paths above them.
struct At {
    wire: String,
    model: String,
    kind: Option<Kind>,
    part: Option<&'static str>,
}

fn add(rows: &mut Vec<Row>, fields: &'static [Field], at: &At) {
    for field in fields {
        let kind = field.kind.or(at.kind);
        let wire = format!("{}{}", at.wire, field.name);
        // Several parts are those of a list's items; bytes are one text.
        let (part, items) = match (field.parts, field.form) {
            ([], _) | (_, WireType::Bytes(_)) => (at.part, &[][..]),
            ([part], _) => (Some(*part), &[][..]),
            (parts, _) => (None, parts),
        };
        let info = (field.codec)();
        let wire_unit = info.unit.map(Unit::symbol);
        let row = |wire: String, role: Role| Row {
            wire,
            role,
            unit: wire_unit,
            note: note(field),
            words: info.words.clone(),
            kind: None,
            part,
            model: None,
            factor: None,
            offset: None,
            turn: None,
            is_turned: info.is_turned,
        };
        let leaf = |wire: &str| {
            let (mut wire, mut form) = (wire.to_owned(), field.form);
            while let WireType::List(item) = form {
                wire.push_str("[]");
                form = *item;
            }
            match form {
                WireType::Numbers(..) => format!("{wire}[]"),
                WireType::Object(_) | WireType::Any => format!("{wire}.**"),
                _ => wire,
            }
        };
        let Meaning::Value(targets) = field.meaning else {
            let role = match field.meaning {
                Meaning::Time => Role::Time,
                Meaning::Part => Role::Part,
                Meaning::Kind => Role::Kind,
                Meaning::Reserved => Role::Reserved,
                Meaning::Computed | Meaning::Own | Meaning::Value(_) => Role::Own,
            };
            for (i, part) in items.iter().enumerate() {
                let words = if role == Role::Part { vec![(*part, *part)] } else { Vec::new() };
                rows.push(Row { part: Some(part), words, ..row(format!("{wire}[{i}]"), role) });
            }
            if items.is_empty() {
                rows.push(row(leaf(&wire), role));
            }
            continue;
        };
        if info.inside.is_empty()
            && let Some((inside, suffix)) = inside(&field.form)
        {
            let path = targets.first().map_or("", |target| target.path);
            let model = if path.is_empty() { at.model.clone() } else { format!("{}{path}.", at.model) };
            add(rows, inside, &At { wire: format!("{wire}{suffix}."), model, kind, part });
            continue;
        }
        for Target { index, path } in targets {
            let wire = match index {
                Some(index) if !info.inside.is_empty() => match info.inside.get(*index) {
                    Some(inner) => format!("{wire}.{inner}"),
                    None => continue,
                },
                Some(index) => {
                    let leaf = leaf(&wire);
                    format!("{}[{index}]", leaf.strip_suffix("[]").unwrap_or(&leaf))
                }
                None => leaf(&wire).trim_end_matches(".**").to_owned(),
            };
            let model = format!("{}{path}", at.model).trim_end_matches('.').to_owned();
            let known = kind.and_then(|kind| kind.shape().at(&model)).and_then(|field| field.unit());
            let unit = info.measure(known).map(|(unit, _)| unit);
            let factor = (unit.is_some() || info.factor.is_some()).then(|| info.scale());
            for kind in [kind, field.also].into_iter().flatten() {
                let value = |wire: String, part| Row {
                    kind: Some(kind),
                    part,
                    model: Some(model.clone()),
                    unit,
                    factor,
                    offset: info.offset,
                    turn: info.turn,
                    ..row(wire, Role::Value)
                };
                let list = wire.trim_end_matches("[]");
                let items =
                    items.iter().enumerate().map(|(i, part)| value(format!("{list}[{i}]"), Some(*part)));
                rows.extend(items);
                if field.parts.len() < 2 || matches!(field.form, WireType::Bytes(_)) {
                    rows.push(value(wire.clone(), part));
                }
            }
        }
    }
}

/// The fields of an object, or of the items of a list of them.
fn inside(form: &WireType) -> Option<(&'static [Field], String)> {
    let (mut form, mut suffix) = (*form, String::new());
    while let WireType::List(item) = form {
        suffix.push_str("[]");
        form = *item;
    }
    match form {
        WireType::Object(fields) => Some((fields, suffix)),
        _ => None,
    }
}

/// What else to know: the remark, and for what has no counterpart what it is.
fn note(field: &Field) -> Option<&'static str> {
    field.note.or(match field.meaning {
        Meaning::Value(_) | Meaning::Part | Meaning::Kind => None,
        Meaning::Time | Meaning::Computed | Meaning::Own | Meaning::Reserved => Some(field.summary),
    })
}
