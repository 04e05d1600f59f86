//! XML-RPC calls and answers: no panic, and whatever is read reads the same when it is written again.

use latimer_ros1::xmlrpc::{read_answer, read_call, write_answer, write_call, write_fault};

pub(super) fn run(bytes: &[u8]) {
    if let Ok((method, params)) = read_call(bytes) {
        let written = write_call(&method, params.clone()).expect("what was read can be written");
        let again = read_call(written.as_bytes()).expect("what was written is read");
        // As text, since one thing that is no number is not equal to another.
        assert_eq!(format!("{again:?}"), format!("{:?}", (method, params)));
    }
    match read_answer(bytes) {
        Ok(Ok(value)) => {
            let written = write_answer(value.clone()).expect("what was read can be written");
            let again = read_answer(written.as_bytes());
            assert_eq!(format!("{again:?}"), format!("{:?}", Ok::<_, ()>(Ok::<_, ()>(value))));
        }
        Ok(Err(fault)) => assert_eq!(read_answer(write_fault(fault.clone()).as_bytes()), Ok(Err(fault))),
        Err(_) => {}
    }
}
