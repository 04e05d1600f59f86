//! Every fuzz target under libFuzzer; `LATIMER_FUZZ_TARGET` names the one that runs. One program, since each would take
//! as long to link as all.

#![cfg_attr(feature = "link", no_main)]

use std::sync::LazyLock;

use latimer_fuzz::Target;
use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("LATIMER_FUZZ_TARGET").unwrap_or_default();
    latimer_fuzz::find(&name).expect("LATIMER_FUZZ_TARGET names a target")
});

fuzz_target!(|bytes: &[u8]| TARGET.run(bytes));

#[cfg(not(feature = "link"))]
fn main() {
    eprintln!("libFuzzer is not linked: fuzz/run builds this program with it");
    std::process::exit(2);
}
