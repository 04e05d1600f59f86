//! `std_msgs`.

use std::string::String as Text;

use super::macros::messages;
use super::{Duration as Span, Time as Moment};

messages! { "std_msgs";
    /// When and in which frame; the publisher fills `seq`.
    Header { seq: u32, stamp: Moment, frame_id: Text }

    /// A truth value.
    Bool { data: bool }

    /// A number.
    Byte { data: i8 }

    /// A number.
    Char { data: u8 }

    /// A colour, 0 to 1 each.
    ColorRGBA { r: f32, g: f32, b: f32, a: f32 }

    /// A span of time.
    Duration { data: Span }

    /// Nothing.
    Empty {}

    /// A number.
    Float32 { data: f32 }

    /// A number.
    Float64 { data: f64 }

    /// A number.
    Int8 { data: i8 }

    /// A number.
    Int16 { data: i16 }

    /// A number.
    Int32 { data: i32 }

    /// A number.
    Int64 { data: i64 }

    /// A text.
    String { data: Text }

    /// A moment.
    Time { data: Moment }

    /// A number.
    UInt8 { data: u8 }

    /// A number.
    UInt16 { data: u16 }

    /// A number.
    UInt32 { data: u32 }

    /// A number.
    UInt64 { data: u64 }

    /// How numbers lie in an array of several dimensions, outermost first.
    MultiArrayDimension { label: Text, size: u32, stride: u32 }

    /// The dimensions of an array.
    MultiArrayLayout { dim: Vec<MultiArrayDimension>, data_offset: u32 }

    /// Numbers in dimensions.
    ByteMultiArray { layout: MultiArrayLayout, data: Vec<i8> }

    /// Numbers in dimensions.
    Float32MultiArray { layout: MultiArrayLayout, data: Vec<f32> }

    /// Numbers in dimensions.
    Float64MultiArray { layout: MultiArrayLayout, data: Vec<f64> }

    /// Numbers in dimensions.
    Int8MultiArray { layout: MultiArrayLayout, data: Vec<i8> }

    /// Numbers in dimensions.
    Int16MultiArray { layout: MultiArrayLayout, data: Vec<i16> }

    /// Numbers in dimensions.
    Int32MultiArray { layout: MultiArrayLayout, data: Vec<i32> }

    /// Numbers in dimensions.
    Int64MultiArray { layout: MultiArrayLayout, data: Vec<i64> }

    /// Numbers in dimensions.
    UInt8MultiArray { layout: MultiArrayLayout, #[serde(with = "serde_bytes")] data: Vec<u8> }

    /// Numbers in dimensions.
    UInt16MultiArray { layout: MultiArrayLayout, data: Vec<u16> }

    /// Numbers in dimensions.
    UInt32MultiArray { layout: MultiArrayLayout, data: Vec<u32> }

    /// Numbers in dimensions.
    UInt64MultiArray { layout: MultiArrayLayout, data: Vec<u64> }
}
