//! What cameras see: things are where the geometry says, nearest first, in their colours.

use std::sync::Arc;

use latimer_world::camera::{Distortion, Lens, Lighting, Patch, Picture, Renderer, Room, Scene, Solid};
use latimer_world::config::{Color, Person};
use latimer_world::{Pose2, WorldFile};

pub(crate) const RED: Color = Color([0xff, 0, 0]);

const GREEN: Color = Color([0, 0xff, 0]);

const BLUE: Color = Color([0, 0, 0xff]);

pub(crate) fn lens() -> Lens {
    Lens {
        at_m: [1.0, 3.0, 1.0],
        yaw_rad: 0.0,
        pitch_rad: 0.0,
        roll_rad: 0.0,
        width_px: 160,
        height_px: 120,
        field_rad: 1.2,
        distortion: None,
    }
}

/// A bare room of 10 by 6 metres in even light.
pub(crate) fn scene(moving: Vec<Solid>) -> Scene {
    Scene { room: Arc::new(Room::bare([10.0, 6.0])), lighting: Lighting::even(1.0), moving }
}

pub(crate) fn take(scene: &Scene, lens: &Lens) -> Picture {
    Renderer::default().take(scene, lens).unwrap()
}

/// Which of the three pure colours a pixel shows.
fn pure(pixel: [u8; 3]) -> Option<Color> {
    let main = (0..3).find(|i| pixel[*i] > 150 && pixel[(i + 1) % 3] < 30 && pixel[(i + 2) % 3] < 30)?;
    Some([RED, GREEN, BLUE][main])
}

pub(crate) fn slab(x: f64, y: [f64; 2], height_m: [f64; 2], color: Color) -> Solid {
    let middle = Pose2::new(x + 0.05, f64::midpoint(y[0], y[1]), 0.0);
    Solid::cuboid(middle, [0.1, y[1] - y[0]], height_m, color)
}

/// The pinhole equation once more, by turning a ray step by step: roll, then pitch, then yaw.
fn ray(lens: &Lens, column: u32, row: u32) -> [f64; 3] {
    let focal = f64::from(lens.width_px) / 2.0 / (lens.field_rad / 2.0).tan();
    let y = (f64::from(lens.width_px) / 2.0 - f64::from(column) - 0.5) / focal;
    let z = (f64::from(lens.height_px) / 2.0 - f64::from(row) - 0.5) / focal;
    let turn =
        |angle: f64, a: f64, b: f64| (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos());
    let (y, z) = turn(lens.roll_rad, y, z);
    let (z, x) = turn(lens.pitch_rad, z, 1.0);
    let (x, y) = turn(lens.yaw_rad, x, y);
    [x, y, z]
}

#[test]
fn a_wall_covers_the_pixels_that_the_pinhole_equation_says() {
    let scene = scene(vec![slab(5.0, [2.0, 4.5], [0.0, 1.4], RED)]);
    for (yaw_rad, pitch_rad, roll_rad) in
        [(0.0, 0.0, 0.0), (0.0, 0.3, 0.0), (0.0, -0.3, 0.0), (0.2, 0.1, 0.4), (-0.1, 0.2, -1.5)]
    {
        let lens = Lens { yaw_rad, pitch_rad, roll_rad, ..lens() };
        let picture = take(&scene, &lens);
        let expected = |column: u32, row: u32| {
            let [x, y, z] = ray(&lens, column, row);
            let way = 4.0 / x;
            x > 0.0 && (2.0..4.5).contains(&(3.0 + way * y)) && (0.0..1.4).contains(&(1.0 + way * z))
        };
        let mut covered = 0;
        for (row, column) in (1..119).flat_map(|row| (1..159).map(move |column| (row, column))) {
            let found = pure(picture.at(column, row)) == Some(RED);
            covered += u32::from(found);
            let around = [(0, 0), (1, 0), (0, 1), (2, 1), (1, 2)];
            let wanted = around.map(|(i, j)| expected(column + i - 1, row + j - 1));
            let rim = wanted.contains(&true) && wanted.contains(&false);
            // The upper face and the sides of the slab are red, too.
            let lid = !wanted[0] && found && seen_thickness(&lens, column, row);
            assert!(rim || lid || found == expected(column, row), "{column}, {row} with {lens:?}");
        }
        assert!(covered > 500, "{covered}");
    }
}

/// Whether a ray meets the slab's upper face or a side rather than its front.
fn seen_thickness(lens: &Lens, column: u32, row: u32) -> bool {
    let [x, y, z] = ray(lens, column, row);
    (4.0..4.12).any_step(|ahead| {
        let way = ahead / x;
        (1.98..4.52).contains(&(3.0 + way * y)) && (-0.02..1.42).contains(&(1.0 + way * z))
    })
}

trait AnyStep {
    fn any_step(self, test: impl Fn(f64) -> bool) -> bool;
}

impl AnyStep for std::ops::Range<f64> {
    fn any_step(self, test: impl Fn(f64) -> bool) -> bool {
        (0..=20).any(|i| test(self.start + (self.end - self.start) * f64::from(i) / 20.0))
    }
}

#[test]
fn nearer_things_hide_farther_ones_in_any_order() {
    let near = slab(3.0, [2.5, 3.5], [0.0, 2.0], RED);
    let far = slab(6.0, [1.0, 5.0], [0.0, 2.0], GREEN);
    let ball = Solid::sphere([2.0, 3.0, 1.0], 0.1, BLUE);
    let one = take(&scene(vec![near.clone(), far.clone(), ball.clone()]), &lens());
    let other = take(&scene(vec![ball, far, near]), &lens());
    assert_eq!(one, other);
    assert_eq!(pure(one.at(80, 60)), Some(BLUE));
    assert_eq!(pure(one.at(80, 45)), Some(RED));
    assert_eq!(pure(one.at(40, 50)), Some(GREEN), "beside the near one");
}

#[test]
fn left_is_left_and_colours_are_those_of_the_file() {
    let text = "name = \"x\"\nsize_m = [10.0, 6.0]\n\
        [[boxes]]\ncenter_m = [4.0, 4.0]\nsize_m = [0.5, 1.0]\ncolor = \"#40a0e0\"\n\
        [[cylinders]]\ncenter_m = [4.0, 2.0]\nradius_m = 0.3\ncolor = \"#e0a040\"\n\
        [[floors]]\npolygon_m = [[2.0, 2.0], [3.0, 2.0], [3.0, 4.0], [2.0, 4.0]]\ncolor = \"#d02080\"\n\
        [[drops]]\npolygon_m = [[1.6, 2.0], [1.9, 2.0], [1.9, 4.0], [1.6, 4.0]]\n";
    let file = WorldFile::parse(text).unwrap();
    let scene = Scene { lighting: Lighting::even(1.0), ..Scene::beginning(&file) };
    let lens = Lens { at_m: [1.0, 3.0, 0.7], pitch_rad: 0.4, ..lens() };
    let picture = take(&scene, &lens);
    let seen = |point: [f64; 3]| {
        let [x, y] = lens.project(point).unwrap();
        picture.at(x as u32, y as u32)
    };
    let near = |found: [u8; 3], wanted: [u8; 3]| {
        found.iter().zip(wanted).all(|(a, b)| f64::from(*a) > 0.85 * f64::from(b) - 1.0 && *a <= b)
    };
    let cube = [3.75, 3.9, 0.4];
    assert!(near(seen(cube), [0x40, 0xa0, 0xe0]) && lens.project(cube).unwrap()[0] < 80.0);
    let column = [3.7, 2.0, 0.4];
    assert!(near(seen(column), [0xe0, 0xa0, 0x40]) && lens.project(column).unwrap()[0] > 80.0);
    assert!(near(seen([2.5, 3.0, 0.0]), [0xd0, 0x20, 0x80]), "patch");
    let drop = seen([1.75, 3.0, 0.0]);
    assert!(drop.iter().all(|it| *it < 70), "a drop is dark: {drop:?}");
    assert!(seen([3.4, 3.0, 0.0]).iter().all(|it| *it > 100), "bare floor");
}

#[test]
fn a_person_stands_where_the_geometry_says() {
    let anna = Person {
        name: None,
        start_m: [4.0, 3.5],
        walk_m: Vec::new(),
        speed_mps: 0.5,
        pause_s: 0.0,
        height_m: 1.6,
        radius_m: 0.2,
        color: BLUE,
    };
    let picture = take(&scene(Solid::person(&anna, [4.0, 3.5]).to_vec()), &lens());
    let seen = |z: f64, aside: f64| {
        let [x, y] = lens().project([4.0, 3.5 + aside, z]).unwrap();
        picture.at(x as u32, y as u32)
    };
    assert_eq!(pure(seen(1.1, 0.0)), Some(BLUE), "clothes");
    let [red, _, blue] = seen(1.45, 0.0);
    assert!(red > 180 && red > blue, "a face");
    assert!(seen(0.3, 0.0)[0] < 80, "legs");
    assert_ne!(pure(seen(1.1, 0.3)), Some(BLUE), "beside");
}

#[test]
fn lamps_tell_faces_apart() {
    let scene = Scene { lighting: Lighting::usual([10.0, 6.0]), ..scene(Vec::new()) };
    let picture = take(&scene, &Lens { yaw_rad: 0.6, ..lens() });
    let bright = |x, y| picture.at(x, y).iter().map(|it| u32::from(*it)).sum::<u32>();
    assert_ne!(bright(5, 60), bright(150, 60));
    let dark = Scene { lighting: Lighting::even(0.0), ..scene };
    assert!(take(&dark, &lens()).rgb.iter().all(|it| *it == 0), "no sky shows between faces");
    let tilted = Lens { at_m: [5.0, 3.0, 1.0], pitch_rad: 0.2, roll_rad: 0.3, ..lens() };
    assert!(take(&dark, &tilted).rgb.iter().all(|it| *it == 0));
}

#[test]
fn hostile_cameras_are_refused_or_see_something() {
    let mut scene = scene(vec![slab(3.0, [0.0, 6.0], [0.0, 2.0], RED)]);
    scene.moving.push(Solid::sphere([1.0, 3.0, 1.0], 0.3, BLUE));
    scene.moving.push(Solid::cylinder([1.0, 3.0], 0.0, [0.0, 1.0], RED));
    scene.moving.push(Solid::cuboid(Pose2::new(f64::NAN, 0.0, 0.0), [1.0, 1.0], [0.0, f64::INFINITY], RED));
    for at_m in [[3.05, 3.0, 0.5], [1.0, 3.0, 0.0], [-50.0, 900.0, -3.0], [0.0, 0.0, 2.5], [1.0, 3.0, 1.3]] {
        for (pitch_rad, roll_rad) in
            [(0.0, 0.0), (std::f64::consts::FRAC_PI_2, 3.0), (-1.6, 0.0), (90.0, 7.0)]
        {
            let small = Lens { at_m, pitch_rad, roll_rad, width_px: 24, height_px: 16, ..lens() };
            assert_eq!(take(&scene, &small).rgb.len(), 24 * 16 * 3);
            take(&scene, &Lens { field_rad: 3.0, ..small });
            take(&scene, &Lens { width_px: 1, height_px: 1, ..small });
        }
    }
    let refused = |lens: Lens| Renderer::default().take(&scene, &lens).is_err();
    assert!(refused(Lens { at_m: [f64::NAN, 0.0, 0.0], ..lens() }));
    assert!(refused(Lens { pitch_rad: f64::INFINITY, ..lens() }));
    assert!(refused(Lens { width_px: 4_097, ..lens() }) && refused(Lens { height_px: 0, ..lens() }));
}

#[test]
fn a_hole_shows_its_bottom() {
    let mut room = Room::bare([10.0, 6.0]);
    let polygon_m = vec![[2.0, 2.0], [4.0, 2.0], [4.0, 4.0], [2.0, 4.0]];
    room.lay(&Patch { polygon_m, color: GREEN, depth_m: 0.5 });
    let scene = Scene { room: Arc::new(room), ..scene(Vec::new()) };
    let lens = Lens { at_m: [3.0, 3.0, 1.0], pitch_rad: std::f64::consts::FRAC_PI_2, ..lens() };
    let picture = take(&scene, &lens);
    assert!(picture.at(80, 60)[1] > 180, "the bottom straight below");
    assert!((picture.at(80, 60)[1] as i32 - 217).abs() < 3);
}

pub(crate) fn average_difference(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / a.len() as f64
}

#[test]
fn the_demo_is_the_same_each_time_and_its_jpeg_is_nearly_it() {
    let scene = Scene::beginning(&WorldFile::builtin("demo").unwrap());
    let lens = Lens { at_m: [1.2, 0.8, 0.3], yaw_rad: 1.0, ..lens() };
    let picture = take(&scene, &lens);
    assert_eq!(picture, take(&scene, &lens));
    let file = picture.jpeg(90).unwrap();
    let mut decoder = zune_jpeg::JpegDecoder::new(std::io::Cursor::new(&file));
    let decoded = decoder.decode().unwrap();
    assert!(average_difference(&decoded, &picture.rgb) < 3.0);
    assert!(picture.jpeg(20).unwrap().len() < file.len());
    assert!(Picture { width: 3, ..picture }.jpeg(50).is_err(), "bytes that do not fit");
}

#[test]
fn a_bent_lens_shows_things_at_the_columns_of_its_model_and_the_axis_where_it_was() {
    let eye = Distortion { k1: -0.75, k2: 0.25 };
    let bent = Lens {
        width_px: 320,
        height_px: 240,
        field_rad: std::f64::consts::FRAC_PI_2,
        distortion: Some(eye),
        ..lens()
    };
    let straight = Lens { distortion: None, ..bent };
    // Columns of the red pixels of the middle row.
    let middle = |lens: &Lens, azimuth_rad: f64| {
        let (sin, cos) = azimuth_rad.sin_cos();
        let post = Solid::cylinder([1.0 + 2.0 * cos, 3.0 + 2.0 * sin], 0.03, [0.0, 2.0], RED);
        let picture = take(&scene(vec![post]), lens);
        let red: Vec<u32> = (0..320).filter(|x| pure(picture.at(*x, 120)) == Some(RED)).collect();
        assert!(!red.is_empty(), "nothing at {azimuth_rad}");
        red.iter().map(|x| f64::from(*x) + 0.5).sum::<f64>() / red.len() as f64
    };
    for azimuth_deg in [-40.0_f64, -30.0, -15.0, 0.0, 10.0, 25.0, 42.0] {
        let azimuth_rad = azimuth_deg.to_radians();
        // Half a row is 45 degrees; the radius is in rows.
        let u = -azimuth_rad.tan() / 2.0;
        let stretch = |u: f64| 1.0 - 0.75 * u * u + 0.25 * u.powi(4);
        let expected = 160.0 + 320.0 * u * stretch(u) / stretch(0.5);
        let found = middle(&bent, azimuth_rad);
        assert!((found - expected).abs() < 1.5, "{azimuth_deg}: {found}, not {expected}");
        let point = [1.0 + 2.0 * azimuth_rad.cos(), 3.0 + 2.0 * azimuth_rad.sin(), 1.0];
        let projected = bent.project(point).unwrap();
        assert!((projected[0] - expected).abs() < 1e-6, "{projected:?}");
    }
    assert!((middle(&bent, 0.0) - middle(&straight, 0.0)).abs() < 0.6, "the optical axis");
    let aside = 25_f64.to_radians();
    assert!((middle(&bent, aside) - middle(&straight, aside)).abs() > 8.0, "bent outward");
    // The corners are beyond the image circle.
    let picture = take(&scene(vec![]), &bent);
    assert_eq!((picture.at(0, 0), picture.at(319, 239)), ([0; 3], [0; 3]));
    assert_ne!(picture.at(0, 120), [0; 3]);
    assert_eq!(take(&scene(vec![]), &bent), take(&scene(vec![]), &bent), "the same bytes");
}
