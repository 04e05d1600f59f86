//! The lenient JSON reader: no panic, and whatever it accepts, it reads the same again.

#![no_main]

use latimer_dialects::misty::lenient;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(Some(value)) = lenient::read(text) else { return };
    let written = value.to_string();
    // Written out, a number or an escaped letter may take more room than it did.
    if written.len() <= lenient::MAX_BYTES {
        let again = lenient::read(&written).expect("what was written is read").expect("is not empty");
        assert_eq!(again, value);
    }
});
