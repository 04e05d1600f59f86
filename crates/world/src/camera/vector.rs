//! Three numbers at a time.

/// A point or a direction: x, y, z.
pub(super) type Vector = [f64; 3];

pub(super) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scale(a: Vector, by: f64) -> Vector {
    a.map(|part| part * by)
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The same numbers, half as exact: enough for a pixel.
pub(super) fn short(a: Vector) -> [f32; 3] {
    a.map(|part| part as f32)
}
