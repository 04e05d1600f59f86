//! Names in Misty's manner and in that of the model.

/// `sonar_left` as `SonarLeft`.
pub(in crate::misty) fn pascal_case(name: &str) -> String {
    let mut at_start = true;
    let mut pascal = String::with_capacity(name.len());
    for c in name.chars() {
        let gap = matches!(c, '_' | '-' | '.' | ' ');
        if !gap {
            pascal.push(if at_start { c.to_ascii_uppercase() } else { c });
        }
        at_start = gap;
    }
    pascal
}

/// `SonarLeft` and `Sonar left` as `sonar_left`.
pub(in crate::misty) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut after_small = false;
    for c in name.chars() {
        let gap = !c.is_alphanumeric();
        if (gap || (c.is_ascii_uppercase() && after_small)) && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        if !gap {
            snake.push(c.to_ascii_lowercase());
        }
        after_small = !gap && !c.is_ascii_uppercase();
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_change_their_manner() {
        assert_eq!(pascal_case("sonar_front-2.left"), "SonarFront2Left");
        assert_eq!(pascal_case("__é_ü"), "éü");
        for (name, snake) in [
            ("SonarLeft", "sonar_left"),
            ("Front right hazard", "front_right_hazard"),
            ("TOF_DownFrontRight", "tof_down_front_right"),
            ("IMU", "imu"),
            ("", ""),
        ] {
            assert_eq!(snake_case(name), snake);
        }
    }
}
