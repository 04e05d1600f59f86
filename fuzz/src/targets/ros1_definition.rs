//! Definitions of publishers: no panic and no layout that grows beyond its text's worth; what is a type stays the same type
//! when its definition is made anew, and its empty message is one.

use latimer_ros1::message::{Catalog, Layout, Value};

pub(super) fn run(text: &str) {
    let _ = Catalog::common().add("test_msgs/Test", text);
    let Ok(layout) = Layout::from_definition("test_msgs/Test", text) else { return };
    let empty = layout.encode(&()).expect("an empty message of any type can be written");
    if empty.len() < 1 << 16 {
        assert_eq!(layout.encode(&layout.zero()).expect("so can its values"), empty);
        let read: Value = layout.decode(&empty).expect("and read");
        assert_eq!(read, layout.zero());
    }
    let again = Layout::from_definition(layout.type_name(), layout.definition()).expect("it was read before");
    assert_eq!(again, layout);
}
