//! Numbers on their way between a struct and a layout.

use serde::de::Visitor;

use super::fault::Fault;
use super::structure::Primitive;

/// A number of any type, or a truth value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float32(f32),
    Float64(f64),
}

impl Number {
    /// Of the little-endian bytes of a primitive, which are as many as it takes.
    pub(super) fn read(primitive: Primitive, bytes: &[u8]) -> Self {
        let mut eight = [0; 8];
        eight.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        let [a, b, c, d, ..] = eight;
        let bits = u64::from_le_bytes(eight);
        match primitive {
            Primitive::Bool => Self::Bool(a != 0),
            Primitive::Int8 => Self::Signed(i8::from_le_bytes([a]).into()),
            Primitive::Int16 => Self::Signed(i16::from_le_bytes([a, b]).into()),
            Primitive::Int32 => Self::Signed(i32::from_le_bytes([a, b, c, d]).into()),
            Primitive::Int64 => Self::Signed(i64::from_le_bytes(eight)),
            Primitive::Uint8 | Primitive::Uint16 | Primitive::Uint32 | Primitive::Uint64 => {
                Self::Unsigned(bits)
            }
            Primitive::Float32 => Self::Float32(f32::from_le_bytes([a, b, c, d])),
            Primitive::Float64 => Self::Float64(f64::from_le_bytes(eight)),
        }
    }

    /// Appends it as a primitive, if it fits.
    pub(super) fn write(self, primitive: Primitive, out: &mut Vec<u8>) -> Result<(), Fault> {
        let whole = || self.whole().ok_or_else(|| self.misfit(primitive));
        let misfit = |_| self.misfit(primitive);
        match primitive {
            Primitive::Bool => out.push(self.truth().ok_or_else(|| self.misfit(primitive))?.into()),
            Primitive::Int8 => out.extend(i8::try_from(whole()?).map_err(misfit)?.to_le_bytes()),
            Primitive::Uint8 => out.push(u8::try_from(whole()?).map_err(misfit)?),
            Primitive::Int16 => out.extend(i16::try_from(whole()?).map_err(misfit)?.to_le_bytes()),
            Primitive::Uint16 => out.extend(u16::try_from(whole()?).map_err(misfit)?.to_le_bytes()),
            Primitive::Int32 => out.extend(i32::try_from(whole()?).map_err(misfit)?.to_le_bytes()),
            Primitive::Uint32 => out.extend(u32::try_from(whole()?).map_err(misfit)?.to_le_bytes()),
            Primitive::Int64 => out.extend(i64::try_from(whole()?).map_err(misfit)?.to_le_bytes()),
            Primitive::Uint64 => out.extend(u64::try_from(whole()?).map_err(misfit)?.to_le_bytes()),
            Primitive::Float32 => {
                out.extend(self.single().ok_or_else(|| self.misfit(primitive))?.to_le_bytes())
            }
            Primitive::Float64 => out.extend(self.double().to_le_bytes()),
        }
        Ok(())
    }

    /// Without a fraction, if it has none.
    pub(super) fn whole(self) -> Option<i128> {
        match self {
            Self::Bool(value) => Some(value.into()),
            Self::Signed(value) => Some(value.into()),
            Self::Unsigned(value) => Some(value.into()),
            Self::Float32(value) => whole(value.into()),
            Self::Float64(value) => whole(value),
        }
    }

    /// Whether it is something else than zero; a number with a fraction is no truth value.
    pub(super) fn truth(self) -> Option<bool> {
        self.whole().map(|value| value != 0)
    }

    /// As a float of 32 bits; rounded, but never from finite to infinite.
    fn single(self) -> Option<f32> {
        match self {
            Self::Float32(value) => Some(value),
            _ => {
                let (double, single) = (self.double(), self.double() as f32);
                (single.is_finite() || !double.is_finite()).then_some(single)
            }
        }
    }

    fn double(self) -> f64 {
        match self {
            Self::Bool(value) => f64::from(u8::from(value)),
            Self::Signed(value) => value as f64,
            Self::Unsigned(value) => value as f64,
            Self::Float32(value) => value.into(),
            Self::Float64(value) => value,
        }
    }

    fn misfit(self, primitive: Primitive) -> Fault {
        let shown = match self {
            Self::Bool(value) => value.to_string(),
            Self::Signed(value) => value.to_string(),
            Self::Unsigned(value) => value.to_string(),
            Self::Float32(value) => format!("{value:?}"),
            Self::Float64(value) => format!("{value:?}"),
        };
        Fault::new(format!("{shown} does not fit {primitive}"))
    }

    /// Shows it to a visitor as what it is.
    pub(super) fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Signed(value) => visitor.visit_i64(value),
            Self::Unsigned(value) => visitor.visit_u64(value),
            Self::Float32(value) => visitor.visit_f32(value),
            Self::Float64(value) => visitor.visit_f64(value),
        }
    }

    /// Shows it to a visitor that wants an integer.
    pub(super) fn visit_whole<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.whole().map(|value| (u64::try_from(value), i64::try_from(value))) {
            Some((Ok(value), _)) => visitor.visit_u64(value),
            Some((_, Ok(value))) => visitor.visit_i64(value),
            _ => self.visit(visitor),
        }
    }

    /// Shows it to a visitor that wants a float.
    pub(super) fn visit_float<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Self::Float32(value) => visitor.visit_f32(value),
            _ => visitor.visit_f64(self.double()),
        }
    }
}

fn whole(value: f64) -> Option<i128> {
    // Larger ones fit no integer of a message.
    (value.fract() == 0.0 && value.abs() < 1e20).then_some(value as i128)
}
