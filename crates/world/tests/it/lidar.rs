//! What the laser scanner reports is where things are, to the millimetre.

use latimer_world::nav::shapes;
use latimer_world::physics::Footprint;
use latimer_world::sensors::Lidar;
use latimer_world::{Pose2, Rng, WorldFile};

use crate::rig::{LIDAR, Rig};

/// How far a ray from within a box room goes.
fn to_wall(size_m: [f64; 2], from: [f64; 2], angle_rad: f64) -> f64 {
    let (sin, cos) = angle_rad.sin_cos();
    let along = |at: f64, size: f64, way: f64| {
        if way.abs() < 1e-12 { f64::INFINITY } else { ((if way > 0.0 { size } else { 0.0 }) - at) / way }
    };
    along(from[0], size_m[0], cos).min(along(from[1], size_m[1], sin))
}

#[test]
fn ranges_in_a_box_room_are_those_of_geometry() {
    let mut rig = Rig::room([5.0, 4.0], "", Pose2::new(2.0, 2.0, 0.0));
    let mut rng = Rng::new(1);
    let lidar = Lidar { x_m: 0.1, y_m: -0.05, yaw_rad: 0.4, min_m: 0.0, ..LIDAR };
    for _ in 0..200 {
        let at = Pose2::new(rng.between(0.3, 4.7), rng.between(0.3, 3.7), rng.between(-3.1, 3.1));
        rig.place(at);
        let (scan, frame) = (rig.scan(&lidar), lidar.frame_at(at));
        for (angle_rad, range_m) in scan.rays() {
            let expected = to_wall([5.0, 4.0], [frame.x_m, frame.y_m], frame.yaw_rad + angle_rad);
            let off = (f64::from(range_m) - expected).abs();
            assert!(off < 0.001, "{at:?} {angle_rad}: {range_m} m, but {expected} m is true");
        }
    }
}

#[test]
fn every_end_of_a_scan_of_the_maze_lies_on_an_outline() {
    let file = WorldFile::builtin("maze").unwrap();
    let shapes = shapes(&file);
    let on_outline = |[x, y]: [f64; 2]| {
        let to_line = |a: [f64; 2], b: [f64; 2]| {
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let along = ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy);
            let along = along.clamp(0.0, 1.0);
            (a[0] + along * dx - x).hypot(a[1] + along * dy - y)
        };
        let outer = [x, y, file.size_m[0] - x, file.size_m[1] - y].map(f64::abs);
        let inner = shapes.solid.iter().flat_map(|polygon| {
            (0..polygon.len()).map(|i| to_line(polygon[i], polygon[(i + 1) % polygon.len()]))
        });
        inner.chain(outer).fold(f64::INFINITY, f64::min)
    };
    let mut rig = Rig::builtin("maze", Pose2::new(0.4, 0.4, 0.0));
    for (column, row) in (0..6).flat_map(|column| (0..5).map(move |row| (column, row))) {
        let middle = |cell: i32| 0.4 + 0.8 * f64::from(cell);
        let at = Pose2::new(middle(column), middle(row), f64::from(column + 7 * row));
        rig.place(at);
        let scan = rig.scan(&LIDAR);
        assert!(scan.ranges_m.iter().all(|m| m.is_finite()), "a maze is closed");
        for end in scan.points(LIDAR.frame_at(at)) {
            assert!(on_outline(end) < 0.001 + 2e-6, "{at:?} {end:?}");
        }
    }
}

#[test]
fn noise_is_as_wide_as_configured_and_none_without() {
    let mut rig = Rig::room([5.0, 4.0], "", Pose2::new(2.0, 2.0, 0.0));
    let exact = rig.scan(&LIDAR);
    assert_eq!(exact, rig.scan(&LIDAR));
    let noisy = Lidar { sigma_m: 0.02, ..LIDAR };
    let scans: Vec<_> = (0..50).map(|_| rig.scan(&noisy)).collect();
    let off = scans.iter().flat_map(|it| it.ranges_m.iter().zip(&exact.ranges_m).map(|(a, b)| a - b));
    let off: Vec<f64> = off.map(f64::from).collect();
    let mean = off.iter().sum::<f64>() / off.len() as f64;
    let sigma = (off.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / off.len() as f64).sqrt();
    assert!(mean.abs() < 6e-4 && (sigma - 0.02).abs() < 6e-4, "{mean} {sigma}");
}

#[test]
fn the_own_shell_is_not_seen_but_another_robot_is() {
    let mut rig = Rig::room([5.0, 4.0], "", Pose2::new(2.0, 2.0, 0.0));
    let other = Footprint { length_m: 0.4, width_m: 0.4, corner_m: 0.01, mass_kg: 5.0 };
    rig.physics.add_chassis(other, Pose2::new(3.0, 2.0, 0.0));
    rig.physics.step();
    let scan = rig.scan(&LIDAR);
    let ahead = f64::from(scan.ranges_m[180]);
    assert!((ahead - (0.8 - 0.08)).abs() < 0.001, "{ahead}");
    let nearest = scan.ranges_m.iter().copied().fold(f32::INFINITY, f32::min);
    assert!(nearest > 0.7, "{nearest}");
}
