//! Worlds that come with the program, so that it runs without any file.

use super::{WorldFile, WorldFileError};

/// Name and text of each built-in world.
pub const BUILTIN: &[(&str, &str)] = &[
    ("demo", include_str!("../../../../config/worlds/demo.toml")),
    ("warehouse", include_str!("../../../../config/worlds/warehouse.toml")),
    ("arena", include_str!("../../../../config/worlds/arena.toml")),
    ("maze", include_str!("../../../../config/worlds/maze.toml")),
    ("empty", include_str!("../../../../config/worlds/empty.toml")),
    ("pera", include_str!("../../../../config/worlds/pera.json")),
];

impl WorldFile {
    /// A world that comes with the program.
    pub fn builtin(name: &str) -> Result<Self, WorldFileError> {
        match BUILTIN.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Self::parse(text),
            None => {
                let known: Vec<&str> = BUILTIN.iter().map(|(name, _)| *name).collect();
                Err(WorldFileError::UnknownBuiltin { name: name.to_owned(), known: known.join(", ") })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builtin_is_sound_and_called_what_it_is() {
        for (name, _) in BUILTIN {
            assert_eq!(WorldFile::builtin(name).unwrap().name, *name);
        }
        let error = WorldFile::builtin("moon").unwrap_err().to_string();
        assert!(error.contains("demo, warehouse, arena, maze, empty, pera"), "{error}");
    }
}
