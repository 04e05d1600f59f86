//! Small numbers that another build of the messages may hold in wider types: what is beyond is held to the range, and a fraction
//! is rounded. The robot must not stand still for the shade of a lamp.

use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

/// A number that a type can hold; no number is 0.
pub(super) trait Held {
    fn held(value: f64) -> Self;
}

impl Held for u8 {
    fn held(value: f64) -> Self {
        value.round() as Self
    }
}

impl Held for i16 {
    fn held(value: f64) -> Self {
        value.round() as Self
    }
}

/// A number.
pub(super) fn number<'de, D: Deserializer<'de>, T: Held>(deserializer: D) -> Result<T, D::Error> {
    f64::deserialize(deserializer).map(T::held)
}

/// Several; those that are missing are 0.
pub(super) fn numbers<'de, D: Deserializer<'de>, const N: usize>(
    deserializer: D,
) -> Result<[u8; N], D::Error> {
    deserializer.deserialize_bytes(Numbers)
}

struct Numbers<const N: usize>;

impl<'de, const N: usize> Visitor<'de> for Numbers<N> {
    type Value = [u8; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{N} numbers of 0 to 255")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<[u8; N], E> {
        let mut numbers = [0; N];
        numbers.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        Ok(numbers)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<[u8; N], A::Error> {
        let mut numbers = [0; N];
        let mut places = numbers.iter_mut();
        while let Some(value) = sequence.next_element()? {
            if let Some(place) = places.next() {
                *place = u8::held(value);
            }
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use latimer_ros1::message::Catalog;
    use serde_json::json;

    use crate::miro::messages::PlatformControl;

    fn read(definition: &str, message: &serde_json::Value) -> PlatformControl {
        let mut catalog = Catalog::common();
        catalog.add("miro_msgs/platform_control", definition).unwrap();
        let layout = catalog.layout("miro_msgs/platform_control").unwrap();
        layout.decode(&layout.encode(message).unwrap()).unwrap()
    }

    #[test]
    fn another_build_may_hold_lights_and_sounds_in_wider_types() {
        let wide = "float32 tail\nfloat32 lights_phase\nint16 lights_dphase\nuint16 lights_amp\nuint16[3] lights_rgb\n\
            int32[18] lights_raw\nint16 sound_index_P1\nint32 sound_index_P2\nuint32 extra\n";
        let raw: Vec<i32> = (0..18).map(|i| 100 * i - 100).collect();
        let control = read(
            wide,
            &json!({
                "tail": 0.5, "lights_phase": 12.75, "lights_dphase": 64, "lights_amp": 300, "lights_rgb": [1, 2, 256],
                "lights_raw": raw, "sound_index_P1": -1, "sound_index_P2": 23, "extra": 7,
            }),
        );
        assert_eq!(
            (control.tail, control.lights_phase, control.lights_dphase, control.lights_amp),
            (0.5, 13, 64, 255)
        );
        assert_eq!(
            (control.lights_rgb, control.lights_raw[..4].to_vec()),
            ([1, 2, 255], vec![0, 0, 100, 200])
        );
        assert_eq!((control.sound_index_P1, control.sound_index_P2), (0, 23));
        assert_eq!(control.lights_raw[4..], [255; 14]);
    }

    #[test]
    fn fewer_lamps_than_ours_are_the_first() {
        let control = read(
            "uint8[2] lights_raw\nfloat64[] lights_rgb\n",
            &json!({"lights_raw": [7, 8], "lights_rgb": [9.4]}),
        );
        assert_eq!((control.lights_raw[..3].to_vec(), control.lights_rgb), (vec![7, 8, 0], [9, 0, 0]));
    }
}
