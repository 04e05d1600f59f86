//! The units of the wire that are not the model's: the one place that knows what they are called and how many make the model's.

/// Declares units: symbol, how many of them the model's unit is, and the end of the names of the model's fields that they measure.
macro_rules! units {
    ($($(#[$about:meta])* $name:ident: $symbol:literal, $factor:expr, $ends:literal;)*) => {
        /// A unit of the wire.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Unit {
            $($(#[$about])* $name,)*
        }

        impl Unit {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// What it is called.
            pub const fn symbol(self) -> &'static str {
                match self {
                    $(Self::$name => $symbol,)*
                }
            }

            /// How many of it the model's unit is.
            pub const fn factor(self) -> f64 {
                match self {
                    $(Self::$name => $factor,)*
                }
            }

            /// The end of the names of the model's fields that it measures, `_rad` of an angle.
            pub const fn ends(self) -> &'static str {
                match self {
                    $(Self::$name => $ends,)*
                }
            }
        }
    };
}

/// Degrees of a radian.
const DEGREES: f64 = 180.0 / std::f64::consts::PI;

units! {
    /// Hundredths.
    Percent: "%", 100.0, "_ratio";
    /// Tenths.
    Tenths: "tenths", 10.0, "_ratio";
    /// What a byte counts of a whole.
    Bytes: "1/255", 255.0, "_ratio";
    /// A 360th of a turn.
    Degrees: "°", DEGREES, "_rad";
    /// The same in a second.
    DegreesPerSecond: "°/s", DEGREES, "_radps";
    /// Hundredths of a metre.
    Centimetres: "cm", 100.0, "_m";
    /// Thousandths of a metre in a second.
    MillimetresPerSecond: "mm/s", 1e3, "_mps";
    /// Thousandths of a second.
    Milliseconds: "ms", 1e3, "_s";
    /// A number of which the model's unit says nothing.
    Plain: "", 1.0, "";
}

impl Unit {
    /// Holds it against the name of a field of the model, while that is compiled.
    #[track_caller]
    pub const fn measures(self, model: &str) {
        let (name, ends) = (model.as_bytes(), self.ends().as_bytes());
        assert!(
            name.len() >= ends.len() && is_same(name.split_at(name.len() - ends.len()).1, ends),
            "the unit measures something else than the field of the model, by the end of its name"
        );
    }
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
