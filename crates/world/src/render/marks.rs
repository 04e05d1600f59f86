//! Signs for what has no shape of its own: chargers, spawns, people, sounds, names, the scale.

use super::canvas::{Canvas, Line};
use crate::config::{SoundKind, WorldFile};
use crate::geometry::Pose2;

const CHARGER: [u8; 3] = [0x2e, 0x9e, 0x5b];
const SPAWN: [u8; 3] = [0x2f, 0x6f, 0xd6];
const VOICE: [u8; 3] = [0xc0, 0x3a, 0x8a];
const NOISE: [u8; 3] = [0xc9, 0x6a, 0x12];
const WALK: [u8; 3] = [0x7a, 0x4a, 0x9a];
const INK: [u8; 3] = [0x26, 0x26, 0x2b];
const SKIN: [u8; 3] = [0xf0, 0xc8, 0xa4];
const WHITE: [u8; 3] = [0xff, 0xff, 0xff];

/// Radius of the sign of a charger or a spawn, metres: about that of a robot.
const SIGN_M: f64 = 0.13;

/// 1, 2 or 5 times a power of ten, not below a length.
pub(super) fn round_length(least_m: f64) -> f64 {
    let decade = 10.0_f64.powf(least_m.max(0.01).log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|it| it * decade).into_iter().find(|it| *it >= least_m).unwrap_or(decade)
}

fn arrow(canvas: &mut Canvas, pose: Pose2, size_m: f64, color: [u8; 3]) {
    let corners = [[1.0, 0.0], [-0.7, 0.65], [-0.35, 0.0], [-0.7, -0.65]];
    let points = corners.map(|[x, y]| pose.point_out(x * size_m, y * size_m));
    canvas.polygon(&points, color, 255);
}

/// A green plate with a flash, and a notch where the robot looks.
pub(super) fn chargers(canvas: &mut Canvas, file: &WorldFile) {
    for charger in &file.chargers {
        let pose = charger.pose();
        let plate = [[1.4, 1.2], [-1.2, 1.2], [-1.2, -1.2], [1.4, -1.2]];
        let plate = plate.map(|[x, y]| pose.point_out(x * SIGN_M, y * SIGN_M));
        canvas.polygon(&plate, CHARGER, 255);
        let front = [[1.4, 1.2], [1.4, -1.2]].map(|[x, y]| pose.point_out(x * SIGN_M, y * SIGN_M));
        canvas.line(&front, Line::plain(INK, 3.0 * canvas.thin));
        let flash = [[0.25, 0.9], [-0.5, -0.1], [-0.05, -0.1], [-0.25, -0.9], [0.5, 0.1], [0.05, 0.1]];
        let flash = flash.map(|[x, y]| [pose.x_m + x * SIGN_M, pose.y_m + y * SIGN_M]);
        canvas.polygon(&flash, WHITE, 255);
    }
}

/// A blue ring with an arrow that shows the heading.
pub(super) fn spawns(canvas: &mut Canvas, file: &WorldFile) {
    for spawn in &file.spawns {
        let pose = spawn.pose();
        let radius = canvas.px(SIGN_M);
        canvas.disc(spawn.position_m, radius, WHITE, 200);
        canvas.ring(spawn.position_m, radius, Line::plain(SPAWN, 1.8 * canvas.thin));
        arrow(canvas, pose, 0.65 * SIGN_M, SPAWN);
    }
}

/// A dot with rings around it; louder ones have more.
pub(super) fn sounds(canvas: &mut Canvas, file: &WorldFile) {
    for sound in &file.sounds {
        let color = match sound.kind {
            SoundKind::Voice => VOICE,
            SoundKind::Noise => NOISE,
        };
        let thin = canvas.thin;
        canvas.disc(sound.position_m, 4.0 * thin, color, 255);
        for ring in 1..=(sound.level * 4.0).ceil() as u8 {
            let line = Line { alpha: 230 - 40 * ring, ..Line::plain(color, 1.6 * thin) };
            canvas.ring(sound.position_m, (4.0 + 5.0 * f32::from(ring)) * thin, line);
        }
    }
}

/// Shoulders and a head from above, and the walk as a dashed line.
pub(super) fn people(canvas: &mut Canvas, file: &WorldFile) {
    for person in &file.people {
        let walk: Vec<[f64; 2]> = std::iter::once(person.start_m).chain(person.walk_m.clone()).collect();
        let line = Line { dashed: true, alpha: 170, ..Line::plain(WALK, 1.8 * canvas.thin) };
        let legs: Vec<&[[f64; 2]]> = walk.windows(2).collect();
        for (i, leg) in legs.iter().enumerate() {
            // Dashes on the way back would fill the gaps of those on the way there.
            let same = |other: &&[[f64; 2]]| other.iter().eq(leg.iter()) || other.iter().rev().eq(leg.iter());
            if !legs[..i].iter().any(same) {
                canvas.line(leg, line);
            }
        }
        for point in &person.walk_m {
            canvas.disc(*point, 2.5 * canvas.thin, WALK, 255);
        }
    }
    for person in &file.people {
        let radius = canvas.px(person.radius_m);
        canvas.disc(person.start_m, radius, person.color.0, 255);
        canvas.ring(person.start_m, radius, Line::plain(INK, 1.2 * canvas.thin));
        canvas.disc(person.start_m, 0.5 * radius, SKIN, 255);
        canvas.ring(person.start_m, 0.5 * radius, Line::plain(INK, 1.2 * canvas.thin));
    }
}

/// What everything is called, below it.
pub(super) fn names(canvas: &mut Canvas, file: &WorldFile) {
    let below = canvas.px(SIGN_M) + 8.0 * canvas.thin;
    for spawn in &file.spawns {
        // Within a frame that has its own name there is no room to say it again at each of its spawns.
        let frame =
            spawn.frame.as_deref().and_then(|frame| spawn.name.strip_prefix(frame)?.strip_prefix('-'));
        canvas.words(frame.unwrap_or(&spawn.name), spawn.position_m, below, SPAWN);
    }
    for charger in &file.chargers {
        canvas.words(&charger.name, charger.position_m, 1.2 * below, CHARGER);
    }
    for person in &file.people {
        if let Some(name) = &person.name {
            canvas.words(name, person.start_m, canvas.px(person.radius_m) + 8.0 * canvas.thin, WALK);
        }
    }
}

/// A bar of a round length below the room.
pub(super) fn scale(canvas: &mut Canvas) {
    let length = round_length(canvas.size_m[0] / 12.0);
    let below = |px: f32| -canvas.metres(px * canvas.thin);
    let (bar, tick) = (below(24.0), below(4.0));
    let line = Line::plain(INK, 2.0 * canvas.thin);
    canvas.line(&[[0.0, bar - tick], [0.0, bar], [length, bar], [length, bar - tick]], line);
    let label = if length < 1.0 { format!("{:.0} cm", length * 100.0) } else { format!("{length:.0} m") };
    canvas.words(&label, [length / 2.0, bar], 10.0 * canvas.thin, INK);
}
