//! Frames of an example robot and of its programs, all the way to the model and back: no panic, and a command or an answer stays what it was.

use latimer_core::{RobotId, Timestamp, Update};
use latimer_dialects::example::messages::{MESSAGES, decode, encode};
use latimer_dialects::example::protocol::{Answer, Request};

pub(super) fn run(text: &str) {
    let (robot, now) = (RobotId::new("fuzzed").expect("this is a name"), Timestamp::default());
    for message in MESSAGES {
        let Ok(received) = decode(message.topic, text, now) else { continue };
        let update = Update { part: received.part, ..Update::now(&robot, now, received.signal) };
        // What came out is read again; a number that became too large for its unit is left out.
        if let Some((topic, written)) = encode(&update) {
            let _ = decode(topic, &written, now);
        }
    }
    if let Ok(request) = serde_json::from_str::<Request>(text)
        && let Some(command) = request.command()
    {
        Request::of(1, &command).expect("what can be asked can be asked again");
    }
    if let Ok(answer) = serde_json::from_str::<Answer>(text) {
        let (id, is_done) = (answer.id, answer.done);
        assert_eq!(Answer::of(id, &answer.outcome()).done, is_done);
    }
}
