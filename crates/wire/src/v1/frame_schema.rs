//! The schemas of a stream's frames; `type` is the discriminator.

use std::borrow::Cow;

use utoipa::openapi::schema::{AllOfBuilder, ArrayBuilder, Discriminator, ObjectBuilder, OneOfBuilder};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::{End, Frame, Gap, Update};

/// Each frame's `type`, the name of its schema, and what it is.
pub const FRAMES: [(&str, &str, &str); 4] = [
    ("update", "Update", "One thing that one robot published"),
    ("gap", "GapFrame", "A hole in what comes: so many updates are missing here"),
    ("end", "EndFrame", "The last frame: nothing more comes, and why"),
    ("batch", "BatchFrame", "What came within the time that `batch` gives, in order"),
];

impl PartialSchema for Frame {
    fn schema() -> RefOr<Schema> {
        let mut frames = OneOfBuilder::new().description(Some("One frame of a stream"));
        let mut by_type = Discriminator::new("type");
        for (tag, name, _) in FRAMES {
            let schema = Ref::from_schema_name(name);
            by_type.mapping.insert(tag.to_owned(), schema.ref_location.clone());
            frames = frames.item(schema);
        }
        frames.discriminator(Some(by_type)).into()
    }
}

impl ToSchema for Frame {
    fn name() -> Cow<'static, str> {
        "Frame".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        for (name, schema) in
            [(Update::name(), Update::schema()), (Gap::name(), Gap::schema()), (End::name(), End::schema())]
        {
            schemas.push((name.into_owned(), schema));
        }
        Update::schemas(schemas);
        Gap::schemas(schemas);
        End::schemas(schemas);
        // Neither batches nor ends are batched.
        let batched = OneOfBuilder::new().item(Ref::from_schema_name("Update"));
        let frames = ArrayBuilder::new().items(batched.item(Ref::from_schema_name("GapFrame")));
        let batch = ObjectBuilder::new().property("frames", frames).required("frames");
        schemas.extend([
            ("GapFrame".to_owned(), tagged("gap", Ref::from_schema_name(Gap::name()).into())),
            ("EndFrame".to_owned(), tagged("end", Ref::from_schema_name(End::name()).into())),
            ("BatchFrame".to_owned(), tagged("batch", batch.into())),
        ]);
    }
}

/// A schema with its `type`.
fn tagged(tag: &str, schema: RefOr<Schema>) -> RefOr<Schema> {
    let word = ObjectBuilder::new().schema_type(utoipa::openapi::Type::String).enum_values(Some([tag]));
    let tag_only = ObjectBuilder::new().property("type", word).required("type");
    let summary = FRAMES.iter().find(|(known, ..)| *known == tag).map(|(.., summary)| *summary);
    AllOfBuilder::new().description(summary).item(tag_only).item(schema).into()
}
