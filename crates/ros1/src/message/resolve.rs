//! From specifications to a tree: every type that is needed is found, hashed and laid out once.

use std::collections::HashMap;
use std::sync::Arc;

use super::md5::{self, Sums};
use super::specification::{Base, Field, Primitive, Shape, Specification};
use super::structure::{Kind, Member, Structure};
use super::{TypeError, limits};

/// A type, laid out.
pub(super) struct Resolved {
    pub(super) root: Arc<Structure>,
    pub(super) md5: String,
    /// What that is the sum of.
    pub(super) sum_text: String,
    /// The type, then those that it needs in the order in which they are first needed.
    pub(super) types: Vec<Arc<Specification>>,
}

/// Lays out a type; `find` knows the specifications.
pub(super) fn resolve(
    type_name: &str,
    find: impl Fn(&str) -> Option<Arc<Specification>>,
) -> Result<Resolved, TypeError> {
    let mut work = Work {
        find,
        types: Vec::new(),
        open: Vec::new(),
        done: HashMap::new(),
        sums: Sums::new(),
        sum_text: String::new(),
    };
    let root = work.structure(type_name)?;
    let md5 = work.sums.remove(type_name).unwrap_or_default();
    Ok(Resolved { root, md5, sum_text: work.sum_text, types: work.types })
}

struct Work<F> {
    find: F,
    types: Vec<Arc<Specification>>,
    /// Those that are being laid out, outermost first.
    open: Vec<String>,
    done: HashMap<String, Arc<Structure>>,
    sums: Sums,
    /// Of the last type that was done, which is the outermost in the end.
    sum_text: String,
}

impl<F: Fn(&str) -> Option<Arc<Specification>>> Work<F> {
    fn structure(&mut self, type_name: &str) -> Result<Arc<Structure>, TypeError> {
        if let Some(done) = self.done.get(type_name) {
            return Ok(Arc::clone(done));
        }
        let within = |open: &[String]| open.last().map_or_else(|| type_name.to_owned(), Clone::clone);
        if self.open.iter().any(|open| open == type_name) {
            let problem = format!("needs {type_name}, of which it is a part; a message cannot hold itself");
            return Err(TypeError::new(within(&self.open), problem));
        }
        if self.open.len() >= limits::DEPTH {
            let problem = format!("lies more than {} types deep", limits::DEPTH);
            return Err(TypeError::new(type_name, problem));
        }
        let specification = (self.find)(type_name).ok_or_else(|| match self.open.last() {
            Some(outer) => {
                TypeError::new(outer, format!("needs {type_name}, which is not known; add its .msg text"))
            }
            None => TypeError::new(type_name, "is not known; add its .msg text"),
        })?;
        if self.types.len() >= limits::TYPES {
            return Err(TypeError::new(type_name, format!("is one of more than {} types", limits::TYPES)));
        }
        self.types.push(Arc::clone(&specification));
        self.open.push(type_name.to_owned());
        let members =
            specification.fields.iter().map(|field| self.member(field)).collect::<Result<_, _>>()?;
        self.open.pop();
        let structure = Arc::new(Structure::new(type_name, members));
        if structure.weight > limits::WEIGHT {
            let problem = format!("holds more than {} values even if it is empty", limits::WEIGHT);
            return Err(TypeError::new(type_name, problem));
        }
        self.sum_text = md5::text(&specification, &self.sums);
        self.sums.insert(type_name.to_owned(), md5::digits([self.sum_text.as_str()]));
        self.done.insert(type_name.to_owned(), Arc::clone(&structure));
        Ok(structure)
    }

    fn member(&mut self, field: &Field) -> Result<Member, TypeError> {
        let element = match &field.base {
            Base::Primitive(primitive) => Kind::Primitive(*primitive),
            Base::Text => Kind::Text,
            Base::Time => Kind::Message(self.moment("time", Primitive::Uint32)),
            Base::Duration => Kind::Message(self.moment("duration", Primitive::Int32)),
            Base::Message(name) => Kind::Message(self.structure(name)?),
        };
        let kind = match (field.shape, element) {
            (Shape::Single, element) => element,
            (Shape::Variable, Kind::Primitive(Primitive::Uint8)) => Kind::Bytes,
            (Shape::Fixed(count), Kind::Primitive(Primitive::Uint8)) => Kind::FixedBytes(count),
            (Shape::Variable, element) => Kind::Variable(Box::new(element)),
            (Shape::Fixed(count), element) => Kind::Fixed(count, Box::new(element)),
        };
        Ok(Member { name: field.name.clone(), kind })
    }

    fn moment(&mut self, name: &str, secs: Primitive) -> Arc<Structure> {
        let made = || Arc::new(Structure::moment(name, secs));
        Arc::clone(self.done.entry(name.to_owned()).or_insert_with(made))
    }
}
