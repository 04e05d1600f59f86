//! Messages that clients of a bridge publish for one another, held against the layout of every type: no panic; what fits is whole, means the
//! same once more, and can be laid out as ROS serialises it.

use latimer_core::Timestamp;
use latimer_dialects::rosbridge::types::{layouts, read_published, relayed};
use latimer_ros1::message::Value;

pub(super) fn run(text: &str) {
    let Ok(json) = serde_json::from_str(text) else { return };
    let now = Timestamp::from_nanos(1_700_000_000_000_000_000);
    for (name, layout) in layouts() {
        let structure = layout.structure();
        let Ok(whole) = relayed(structure, &json, now) else { continue };
        let json: serde_json::Value = serde_json::from_str(&whole).expect("it is JSON");
        let fields = json.as_object().map_or(0, |it| it.len());
        assert_eq!(fields, structure.members.len(), "{name} is whole");
        // A number that is not finite is `null` by now, which is none in a message that is published.
        let value = read_published(structure, &json).expect("subscribers read it");
        let bytes = layout.encode(&value).expect("it can be laid out");
        let again: Value = layout.decode(&bytes).expect("and be read again");
        assert_eq!(layout.encode(&again).expect("and laid out"), bytes, "{name}");
    }
}
