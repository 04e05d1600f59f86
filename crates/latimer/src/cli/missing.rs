//! Robots that a selector names and that are not there.

use crate::api::Robots;
use crate::client::Gateway;
use crate::exit::{Failure, remark};
use latimer_wire::words::advice;

/// Says at once which robots of a selector are not there; they are waited for all the same. Whether all are there.
pub(super) async fn say_missing(gateway: &Gateway, selector: &str) -> Result<bool, Failure> {
    let Robots { robots } = gateway.get("/api/v1/robots").await?;
    let known: Vec<&str> = robots.iter().map(|it| it.robot.as_str()).collect();
    let missing = missing(selector, &known);
    for robot in &missing {
        let advice = advice(robot, known.iter().copied());
        remark(format_args!("no robot is called {robot}; waiting for it ({advice})"));
    }
    Ok(missing.is_empty())
}

/// The robots that a selector names in full and that are not known.
fn missing<'a>(selector: &'a str, known: &[&str]) -> Vec<&'a str> {
    let named = selector.split(',').map(|part| part.trim().split('/').next().unwrap_or_default());
    named.filter(|robot| !robot.is_empty() && !robot.contains('*') && !known.contains(robot)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_looked_up_and_patterns_are_not() {
        let known = ["misty-1", "axbot-1"];
        assert_eq!(missing("mysty-1/imu, axbot-1/**,*/battery,misty-*", &known), ["mysty-1"]);
        assert_eq!(missing("misty-1", &known), [""; 0]);
    }
}
