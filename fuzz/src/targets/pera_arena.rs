//! Arenas of swarm simulators: no panic, errors that are not long, and what was read can be a world that tells the same arena.

use latimer_world::{World, WorldFile};

pub(super) fn run(text: &str) {
    // Any other text would be a world file in TOML.
    if !text.starts_with('{') {
        return;
    }
    match WorldFile::parse(text) {
        Ok(file) => {
            let told = file.arena.as_ref().map(|file| file.arena.obstacles.clone());
            let Ok(world) = World::new(file, 1) else { return };
            assert_eq!(Some(world.arena("arena").obstacles), told);
        }
        Err(error) => assert!(error.to_string().len() < 1024, "{error}"),
    }
}
