//! A world file as a picture from above, for people: is the room what I meant to write?

mod canvas;
mod goods;
mod letters;
mod marks;
mod shapes;
mod zones;

use canvas::Canvas;

use crate::config::WorldFile;
use crate::physics::Doors;

/// Widths that are drawn, pixels.
pub const WIDTHS: std::ops::RangeInclusive<u32> = 100..=8_000;

/// Greatest height that is drawn, pixels.
const MAX_HEIGHT: u32 = 16_000;

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// Too small to see anything or too large to keep.
    #[error("a picture of {width} × {height} pixels cannot be drawn; choose another width, from {} to {}", WIDTHS.start(), WIDTHS.end())]
    Size {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
    },
    /// The encoder failed.
    #[error("the picture cannot be written as PNG: {0}")]
    Png(String),
}

/// A world from above as PNG, north up, so many pixels wide. Its doors are shut.
pub fn png(file: &WorldFile, width: u32) -> Result<Vec<u8>, RenderError> {
    encode(draw(file, None, width)?)
}

/// The same with the doors as they are now.
pub fn png_with_doors(file: &WorldFile, doors: &Doors, width: u32) -> Result<Vec<u8>, RenderError> {
    encode(draw(file, Some(doors), width)?)
}

fn encode(canvas: Canvas) -> Result<Vec<u8>, RenderError> {
    canvas.into_pixmap().encode_png().map_err(|error| RenderError::Png(error.to_string()))
}

fn draw(file: &WorldFile, doors: Option<&Doors>, width: u32) -> Result<Canvas, RenderError> {
    let mut canvas = Canvas::new(file.size_m, width)?;
    shapes::ground(&mut canvas, file);
    zones::frames(&mut canvas, file);
    marks::chargers(&mut canvas, file);
    marks::spawns(&mut canvas, file);
    zones::axes(&mut canvas, file);
    goods::signs(&mut canvas, file);
    zones::places(&mut canvas, file);
    goods::pallets(&mut canvas, file);
    // A leaf slides into its wall, so the walls are drawn over it.
    match doors {
        Some(doors) => goods::doors_now(&mut canvas, doors.iter()),
        None => goods::shut_doors(&mut canvas, file),
    }
    shapes::things(&mut canvas, file);
    goods::racks(&mut canvas, file);
    goods::objects(&mut canvas, file);
    zones::lights(&mut canvas, file);
    marks::sounds(&mut canvas, file);
    marks::people(&mut canvas, file);
    zones::names(&mut canvas, file);
    marks::names(&mut canvas, file);
    marks::scale(&mut canvas);
    Ok(canvas)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::BUILTIN;

    const ROOM: &str = "name = \"x\"\nsize_m = [4.0, 2.0]\n\
        [[walls]]\npoints_m = [[1.0, 0.0], [1.0, 2.0]]\nthickness_m = 0.2\ncolor = \"#ff0000\"\n\
        [[boxes]]\ncenter_m = [2.0, 0.5]\nsize_m = [0.6, 0.4]\ncolor = \"#00ff00\"\n\
        [[cylinders]]\ncenter_m = [2.0, 1.5]\nradius_m = 0.2\ncolor = \"#0000ff\"\n\
        [[floors]]\npolygon_m = [[3.0, 0.0], [4.0, 0.0], [4.0, 1.0], [3.0, 1.0]]\ncolor = \"#ffff00\"\n\
        [[people]]\nstart_m = [3.5, 1.5]\ncolor = \"#ff00ff\"\n";

    #[test]
    fn things_are_where_they_belong_in_their_colours() {
        let canvas = draw(&WorldFile::parse(ROOM).unwrap(), None, 800).unwrap();
        let seen = |x, y| canvas.color_at([x, y]);
        assert_eq!(seen(1.0, 1.0), [0xff, 0, 0], "wall");
        assert_eq!(seen(2.0, 0.5), [0, 0xff, 0], "box");
        assert_eq!(seen(2.0, 1.5), [0, 0, 0xff], "cylinder");
        assert_eq!(seen(3.3, 0.3), [0xff, 0xff, 0], "floor patch");
        assert_eq!(seen(3.5, 1.34), [0xff, 0, 0xff], "clothes");
        assert_eq!(seen(0.33, 1.27), canvas::FLOOR, "bare floor");
    }

    const STORE: &str = "name = \"x\"\nsize_m = [8.0, 4.0]\n\
        [[doors]]\nname = \"d\"\npoints_m = [[1.0, 1.0], [1.0, 3.0]]\nthickness_m = 0.2\ncolor = \"#0000ff\"\n\
        [[racks]]\nname = \"r\"\nposition_m = [3.0, 2.0]\nleg_m = 0.2\ncolor = \"#ff0000\"\n\
        [[pallets]]\nid = \"p\"\nposition_m = [5.0, 2.0]\n\
        [[lights]]\nname = \"l\"\nposition_m = [7.0, 3.0]\n\
        [[landmarks]]\nid = \"m\"\nposition_m = [7.0, 1.0]\n\
        [[places]]\nname = \"p\"\nposition_m = [6.5, 3.4]\nsurface_m = [7.0, 2.0]\n\
        [[objects]]\nname = \"o\"\ncategory = \"c\"\nplace = \"p\"\ncolor = \"#00ff00\"\nsize_m = [0.3, 0.3]\n";

    #[test]
    fn goods_are_where_they_belong() {
        let file = WorldFile::parse(STORE).unwrap();
        let canvas = draw(&file, None, 1_600).unwrap();
        let seen = |x, y| canvas.color_at([x, y]);
        assert_eq!(seen(1.0, 2.0), [0, 0, 0xff], "a shut door");
        assert_eq!(seen(3.0 - 0.23, 2.0 - 0.25), [0x8c, 0, 0], "a leg");
        assert!(seen(3.0 + 0.1, 2.1)[0] > 0xe0, "the floor beneath the shelf");
        assert_eq!(seen(5.5, 2.05), [0xc9, 0xa2, 0x6b], "the middle of a pallet");
        assert!(seen(5.5, 2.25)[0] < 0xb8, "a pocket");
        assert_eq!(seen(7.0, 3.0), [0xf2, 0xb7, 0x05], "a lamp");
        assert_eq!(seen(7.0, 1.0), [0xd9, 0x8a, 0x1f], "a landmark");
        assert_eq!(seen(7.0, 2.0), [0, 0xff, 0], "an object");
    }

    #[test]
    fn doors_can_be_drawn_as_they_are_now() {
        let file = WorldFile::parse(STORE).unwrap();
        let mut world = crate::World::new(file.clone(), 1).unwrap();
        world.open_door("d", true).unwrap();
        let mut received = Vec::new();
        (0..300).for_each(|_| world.step(latimer_core::Timestamp::from_nanos(0), &mut received));
        let canvas = draw(&file, Some(world.doors()), 1_600).unwrap();
        assert_eq!(canvas.color_at([1.06, 2.5]), canvas::FLOOR, "open");
        assert!(png_with_doors(&file, world.doors(), 400).unwrap() != png(&file, 400).unwrap());
    }

    #[test]
    fn every_builtin_makes_a_png_of_the_asked_width() {
        for (name, _) in BUILTIN {
            let file = WorldFile::builtin(name).unwrap();
            let bytes = png(&file, 640).unwrap();
            let picture = tiny_skia::Pixmap::decode_png(&bytes).unwrap();
            assert_eq!(picture.width(), 640);
            let shape = f64::from(picture.height()) / 640.0;
            let [x, y] = file.size_m;
            assert!((shape - y / x).abs() < 0.2, "{name}: {shape}");
            assert_eq!(bytes, png(&file, 640).unwrap(), "the same again");
        }
    }

    #[test]
    fn senseless_sizes_are_refused() {
        let long = WorldFile::parse("name = \"x\"\nsize_m = [0.5, 1000.0]").unwrap();
        assert!(matches!(png(&long, 800), Err(RenderError::Size { .. })));
        let empty = WorldFile::builtin("empty").unwrap();
        assert!(png(&empty, 1).unwrap_err().to_string().contains("from 100 to 8000"));
    }
}
