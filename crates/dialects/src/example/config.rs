//! The dialect's table of the config file.

use latimer_core::service::{ConfigError, Rules};

use super::NAME;
use crate::config::{Connect, Serve, Table, check_address, check_connected, check_served, table};

/// Port of such a robot.
pub(super) const EXAMPLE_PORT: u16 = 8765;

table! {
    /// `[example]`: robots to connect to, and ports to serve robots on.
    ExampleConfig {
        /// Robots to connect to.
        pub connect: Vec<Connect>,
        /// Robots to serve on a port of their own.
        pub serve: Vec<Serve>,
    }
}

impl Table for ExampleConfig {
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        check_served(NAME, &self.serve, rules)?;
        check_connected(NAME, &self.connect, |it, key| check_address(key("address"), &it.address, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::problem;

    #[test]
    fn refuses_what_cannot_work() {
        for (text, key) in [
            ("[[serve]]\nrobot='a'\nlisten='0.0.0.0:8765'", "example.serve[0].listen"),
            ("[[connect]]\nrobot='a'\naddress='h/path'", "example.connect[0].address"),
            (
                "[[connect]]\nrobot='a'\naddress='h'\n[[connect]]\nrobot='a'\naddress='g'",
                "example.connect[1].robot",
            ),
        ] {
            assert!(problem::<ExampleConfig>(text).starts_with(key), "{text}");
        }
    }
}
