//! What a camera would see, as a JPEG or PNG file, and what it costs:
//! `cargo run --release -p latimer-world --example snapshot -- demo 1.2 0.8 0.3 45 0 640 480 view.jpg`
//! (world, x, y and height in metres, yaw and pitch in degrees, pixels, file).

use latimer_core::Clock;
use latimer_world::WorldFile;
use latimer_world::camera::{Lens, Picture, Renderer, Scene};

/// Pictures that are timed.
const TIMES: u32 = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let text = |i: usize, other: &str| given.get(i).cloned().unwrap_or_else(|| other.to_owned());
    let number = |i: usize, other: &str| text(i, other).parse::<f64>();
    let scene = Scene::beginning(&WorldFile::builtin(&text(0, "demo"))?);
    let lens = Lens {
        at_m: [number(1, "1.2")?, number(2, "0.8")?, number(3, "0.3")?],
        yaw_rad: number(4, "45")?.to_radians(),
        pitch_rad: number(5, "0")?.to_radians(),
        roll_rad: 0.0,
        width_px: text(6, "640").parse()?,
        height_px: text(7, "480").parse()?,
        field_rad: 1.2,
        distortion: None,
    };
    let mut renderer = Renderer::default();
    let mut picture = renderer.take(&scene, &lens)?;
    picture.expose(1);
    let file = text(8, "view.jpg");
    std::fs::write(&file, if file.ends_with(".png") { png(&picture)? } else { picture.jpeg(90)? })?;

    let clock = Clock::system();
    let timed = |what: &str, work: &mut dyn FnMut() -> Result<(), Box<dyn std::error::Error>>| {
        let began = clock.now();
        for _ in 0..TIMES {
            work()?;
        }
        let took_ms = clock.now().since(began).as_secs_f64() * 1e3 / f64::from(TIMES);
        println!("{what}: {took_ms:.2} ms");
        Ok::<(), Box<dyn std::error::Error>>(())
    };
    timed("picture", &mut || Ok(renderer.take(&scene, &lens).map(drop)?))?;
    timed("JPEG", &mut || Ok(picture.jpeg(80).map(drop)?))?;
    #[cfg(feature = "video")]
    {
        use latimer_world::camera::Encoder;
        let mut encoder = Encoder::new(picture.width, picture.height, 15.0, 1_000_000)?;
        timed("H.264", &mut || Ok(encoder.encode(&picture, false).map(drop)?))?;
    }
    Ok(())
}

fn png(picture: &Picture) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let rgba = picture.rgb.chunks_exact(3).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect();
    let size = tiny_skia::IntSize::from_wh(picture.width, picture.height).ok_or("no pixels")?;
    Ok(tiny_skia::Pixmap::from_vec(rgba, size).ok_or("too few pixels")?.encode_png()?)
}
