//! Records that a tag is added to, such as `{"command": "navigate", …}`.
//!
//! On their own they allow no unknown fields, but in a schema of all parts together each part sees the
//! fields of the others, the tag included, so that nothing would fit.

use utoipa::openapi::{Components, RefOr, Schema};

/// Lets schemas that others extend allow what these add.
pub(super) fn open(components: &mut Components) {
    let mut extended = Vec::new();
    for schema in components.schemas.values() {
        let RefOr::T(Schema::OneOf(variants)) = schema else { continue };
        for variant in &variants.items {
            if let RefOr::T(Schema::AllOf(parts)) = variant {
                extended.extend(parts.items.iter().filter_map(name));
            }
        }
    }
    for name in extended {
        if let Some(RefOr::T(Schema::Object(record))) = components.schemas.get_mut(&name) {
            record.additional_properties = None;
        }
    }
}

fn name(schema: &RefOr<Schema>) -> Option<String> {
    let RefOr::Ref(schema) = schema else { return None };
    schema.ref_location.rsplit('/').next().map(str::to_owned)
}
