//! The page is embedded as it was built; a new build of it is a new program.

fn main() {
    println!("cargo::rerun-if-changed=../../ui/dist");
}
