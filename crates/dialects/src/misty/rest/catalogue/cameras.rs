//! Pictures.

use crate::misty::rest::row::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row!(Get "cameras/rgb" TakePicture in ComputerVision: Action "take picture"
        (flag Base64, text FileName, maybe_int Width, maybe_int Height, flag DisplayOnScreen, flag OverwriteExisting) -> Image),
];
