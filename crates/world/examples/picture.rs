//! A world that comes with the program as a picture, without building the whole program:
//! `cargo run -p latimer-world --example picture -- demo demo.png 1200`.

use latimer_world::{WorldFile, render};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (name, path) = (words.next().unwrap_or("demo".into()), words.next().unwrap_or("demo.png".into()));
    let width = words.next().map_or(Ok(1_200), |width| width.parse())?;
    std::fs::write(path, render::png(&WorldFile::builtin(&name)?, width)?)?;
    Ok(())
}
