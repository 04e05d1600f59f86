//! A room of any size with something to see everywhere: a wall and two pillars in each square of it.

use std::fmt::Write;

use latimer_world::{WorldError, WorldFile};

/// Side of a square, metres.
const SQUARE_M: f64 = 5.0;

/// A room with so much floor.
pub(crate) fn of(area_m2: f64) -> Result<WorldFile, WorldError> {
    let side_m = area_m2.sqrt();
    let mut text = format!("name = \"bench\"\nsize_m = [{side_m:.3}, {side_m:.3}]\n");
    let squares = (side_m / SQUARE_M) as u32;
    for (column, row) in (0..squares).flat_map(|column| (0..squares).map(move |row| (column, row))) {
        let [x, y] = [column, row].map(|number| f64::from(number) * SQUARE_M);
        let [from, to] = match (column + row) % 2 {
            0 => [[x + 1.0, y + 2.5], [x + 4.0, y + 2.5]],
            _ => [[x + 2.5, y + 1.0], [x + 2.5, y + 4.0]],
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[[walls]]\npoints_m = [{from:?}, {to:?}]");
        for [dx, dy] in [[0.7, 0.7], [4.0, 4.2]] {
            let at = [x + dx, y + dy];
            let _ = writeln!(text, "[[cylinders]]\ncenter_m = {at:?}\nradius_m = 0.2");
        }
    }
    Ok(WorldFile::parse(&text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_grows_and_is_as_full_as_before() {
        let file = of(100.0).unwrap();
        assert_eq!((file.walls.len(), file.cylinders.len()), (4, 8));
        let file = of(400.0).unwrap();
        assert_eq!((file.walls.len(), file.cylinders.len()), (16, 32));
    }
}
