//! JPEG and PNG files that robots and clients send: no panic, and neither time nor room for pixels that no robot has. The first two
//! bytes tell the size that is asked for.

use bytes::Bytes;
use latimer_core::memory::Budget;
use latimer_core::model::signal::CompressedImage;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::{Author, Clock};
use latimer_dialects::miro::map::{compressed_from_wire, file_from_pixels, pixels_from_file};
use latimer_dialects::misty::facade::picture_size::resized;
use latimer_ros1::msgs::sensor_msgs;

/// More pixels take longer than a run may, but are refused above what the readers take.
const MOST_PIXELS: u64 = 1 << 18;
/// More than any reader takes.
const TOO_MANY_PIXELS: u64 = 32 << 20;

pub(super) fn run(bytes: &[u8]) {
    let Some(([width, height], file)) = bytes.split_first_chunk::<2>() else { return };
    let data = Bytes::copy_from_slice(file);
    let message = sensor_msgs::CompressedImage { data: data.clone(), ..Default::default() };
    let Ok(image) = compressed_from_wire(&message) else { return };
    let pixels = u64::from(image.width) * u64::from(image.height);
    if (MOST_PIXELS..TOO_MANY_PIXELS).contains(&pixels) {
        return;
    }
    if let Ok(decoded) = pixels_from_file(&image) {
        assert!(pixels < TOO_MANY_PIXELS, "{} times {} pixels are decoded", image.width, image.height);
        assert_eq!(decoded.data.len(), 3 * decoded.width as usize * decoded.height as usize);
        if decoded.width > 0 && decoded.height > 0 {
            let again = file_from_pixels(&decoded).expect("pixels of a file are a file");
            assert_eq!((again.width, again.height), (decoded.width, decoded.height));
        }
    }
    let size = [u32::from(width % 64) + 1, u32::from(height % 64) + 1];
    let image = CompressedImage { format: PictureFormat::Jpeg, ..image };
    if let Ok(scaled) = resized(&image, size, &Budget::new(Clock::system()), &Author::new("fuzz", "")) {
        assert_eq!([scaled.width, scaled.height], size);
    }
}
