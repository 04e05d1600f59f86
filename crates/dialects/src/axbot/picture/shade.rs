//! Which number of a picture stands for which cost of a cell.

use super::Paint;

/// Cost of a cell that nobody saw.
pub(super) const UNKNOWN: i8 = -1;
/// Cost of an obstacle.
pub(super) const OCCUPIED: i8 = 100;

/// Maps: what is free.
const MAP_FREE: u8 = 254;
/// Maps: what is unknown; no cost has this number.
const MAP_UNKNOWN: u8 = 205;
/// Pictures of less than eight bits can hold the unknown only about here.
const MAP_UNKNOWN_COARSE: u8 = 204;

/// Obstacle maps: an obstacle is written so.
const OBSTACLE: u8 = 254;
/// Obstacle maps: this and more is an obstacle.
const OBSTACLE_FROM: u8 = 200;
/// Obstacle maps: highest number of a cell that is only near an obstacle.
const NEAR_MOST: u8 = 199;
/// Obstacle maps: what is unknown; no cost has this number.
const OBSTACLES_UNKNOWN: u8 = 129;

/// The number of a cell; a cost that there is not counts as unknown.
pub(super) const fn number(paint: Paint, cell: i8) -> u8 {
    match (paint, cell) {
        (Paint::Map, 0..=OCCUPIED) => MAP_FREE - scaled(cell.cast_unsigned(), OCCUPIED as u8, MAP_FREE),
        (Paint::Map, _) => MAP_UNKNOWN,
        (Paint::Red | Paint::Grey, 0) => 0,
        (Paint::Red | Paint::Grey, OCCUPIED) => OBSTACLE,
        (Paint::Red | Paint::Grey, 1..OCCUPIED) => 1 + scaled(cell.cast_unsigned() - 1, 98, NEAR_MOST - 1),
        (Paint::Red | Paint::Grey, _) => OBSTACLES_UNKNOWN,
    }
}

/// The cell of a number; `coarse` for pictures of less than eight bits.
pub(super) const fn cell(paint: Paint, number: u8, coarse: bool) -> i8 {
    match (paint, number) {
        (Paint::Map, MAP_UNKNOWN) => UNKNOWN,
        (Paint::Map, MAP_UNKNOWN_COARSE) if coarse => UNKNOWN,
        (Paint::Map, MAP_FREE..) => 0,
        (Paint::Map, _) => scaled(MAP_FREE - number, MAP_FREE, OCCUPIED as u8).cast_signed(),
        (Paint::Red | Paint::Grey, 0) => 0,
        (Paint::Red | Paint::Grey, OBSTACLES_UNKNOWN) => UNKNOWN,
        (Paint::Red | Paint::Grey, OBSTACLE_FROM..) => OCCUPIED,
        (Paint::Red | Paint::Grey, _) => 1 + scaled(number - 1, NEAR_MOST - 1, 98).cast_signed(),
    }
}

/// A number of `0..=from` on `0..=to`, to the nearest.
const fn scaled(number: u8, from: u8, to: u8) -> u8 {
    let (number, from, to) = (number as u32, from as u32, to as u32);
    ((2 * number * to + from) / (2 * from)) as u8
}

/// What a viewer shows for each number of [`Paint::Red`]: red, green, blue.
pub(super) const PALETTE: [u8; 3 * 256] = {
    let mut palette = [0; 3 * 256];
    let mut number = 0;
    while number < 256 {
        let [red, green, blue] = colour(number as u8);
        palette[3 * number] = red;
        palette[3 * number + 1] = green;
        palette[3 * number + 2] = blue;
        number += 1;
    }
    palette
};

/// How much of it is seen: what is free shows what is below.
pub(super) const ALPHAS: [u8; 256] = {
    let mut alphas = [255; 256];
    alphas[0] = 0;
    alphas
};

const fn colour(number: u8) -> [u8; 3] {
    match number {
        0 => [255, 255, 255],
        OBSTACLES_UNKNOWN => [160, 160, 160],
        OBSTACLE_FROM.. => [150, 0, 0],
        near => {
            let paleness = 230 - scaled(near, NEAR_MOST, 110);
            [255, paleness, paleness]
        }
    }
}
