//! Status codes of time-of-flight sensors (section "Time-of-Flight Status Codes").

/// Declares a table of codes with their names and meanings.
macro_rules! codes {
    ($(#[$meta:meta])* $table:ident { $($code:literal $variant:ident $name:literal $meaning:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $table {
            $(#[doc = $meaning] $variant = $code,)+
        }

        impl $table {
            /// Every code of the table, in its order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The entry with this code; `None` for a code outside of the table.
            pub const fn from_code(code: i64) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The number on the wire.
            pub const fn code(self) -> i64 {
                self as i64
            }

            /// The specification's name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// What the code says about the reading.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)+
                }
            }
        }
    };
}

codes! {
    /// Table "Range Sensor Status Codes".
    RangeStatus {
        -1 Unknown "Unknown" "an error that none of the other codes describes",
        0 RangeValid "RangeValid" "valid: sigma and signal are within their thresholds",
        101 SigmaFail "SigmaFail" "doubtful: readings scatter, as in bright light or on a slanted surface",
        102 SignalFail "SignalFail" "doubtful: weak return, the target is too far, too small or too dark",
        103 RoiOutOfBounds "ROIOutOfBounds" "doubtful: region of interest outside of the detector; distance reads 8191",
        104 OutOfBounds "OutOfBounds" "doubtful: the target is further away than 1.2 m",
        207 WrapTargetFail "WrapTargetFail" "wrong by aliasing: the target is about 1.3 m further away than measured",
    }
}

codes! {
    /// Table "Edge Sensor Status Codes".
    EdgeStatus {
        -1 Unknown "Unknown" "an error that none of the other codes describes",
        0 RangeValid "RangeValid" "valid: sigma and signal are within their thresholds",
        201 HardwareFail "HardwareFail" "the sensor did not initialize",
        202 HardwareFail2 "HardwareFail2" "the sensor did not initialize",
        203 HardwareFail3 "HardwareFail3" "the sensor did not initialize",
        204 HardwareFail4 "HardwareFail4" "the sensor did not initialize",
        205 HardwareFail5 "HardwareFail5" "the sensor did not initialize",
        206 EarlyConvergence "EarlyConvergence" "too few returns within 0.5 ms: nothing is in range",
        207 MaxConvergence "MaxConvergence" "no valid target in the longest time allowed",
        208 RangeIgnore "RangeIgnore" "the lens is the strongest return: over an edge, lifted or tipped over",
        211 SignalToNoiseRatioFail "Signal-To-NoiseRatioFail" "ambient light washes out the returns",
        212 RawRangeUnderflow "RawRangeUnderflow" "negative raw distance: the target is closer than 10 mm",
        213 OutOfBounds "OutOfBounds" "the target is further away than 200 mm",
        214 RangingUnderflow "RangingUnderflow" "negative distance: the target is closer than 10 mm",
    }
}

/// How far a reading with a status can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    /// 0.
    Valid,
    /// The 100s.
    Doubtful,
    /// Everything else.
    Wrong,
}

/// Reads the specification's rule of thumb: 0 is valid, 100s are warnings, the rest errors.
pub const fn confidence(status: i64) -> Confidence {
    match status {
        0 => Confidence::Valid,
        100..=199 => Confidence::Doubtful,
        _ => Confidence::Wrong,
    }
}
