//! Capital letters of 3 × 5 dots: enough for names, and no font file to carry.

/// Dots from the start of a letter to the next.
const STEP: u32 = 4;

/// Dots of a letter's height.
const HEIGHT: u32 = 5;

/// Five rows from the top, an octal digit each.
fn rows(letter: char) -> u32 {
    match letter.to_ascii_uppercase() {
        'A' => 0o25755,
        'B' => 0o65656,
        'C' => 0o34443,
        'D' => 0o65556,
        'E' => 0o74647,
        'F' => 0o74644,
        'G' => 0o34553,
        'H' => 0o55755,
        'I' => 0o72227,
        'J' => 0o11152,
        'K' => 0o55655,
        'L' => 0o44447,
        'M' => 0o57755,
        'N' => 0o65555,
        'O' => 0o25552,
        'P' => 0o65644,
        'Q' => 0o25563,
        'R' => 0o65655,
        'S' => 0o34216,
        'T' => 0o72222,
        'U' => 0o55557,
        'V' => 0o55552,
        'W' => 0o55775,
        'X' => 0o55255,
        'Y' => 0o55222,
        'Z' => 0o71247,
        '0' => 0o75557,
        '1' => 0o26227,
        '2' => 0o61247,
        '3' => 0o61216,
        '4' => 0o55711,
        '5' => 0o74616,
        '6' => 0o34757,
        '7' => 0o71122,
        '8' => 0o75757,
        '9' => 0o75716,
        '-' => 0o00700,
        '_' => 0o00007,
        '.' => 0o00002,
        ' ' => 0,
        _ => 0o77777,
    }
}

/// Width and height of a text, dots.
pub(super) fn size(text: &str) -> [u32; 2] {
    let letters = text.chars().take(40).count() as u32;
    [(letters * STEP).saturating_sub(1), HEIGHT]
}

/// The dots of a text: columns and rows from its upper left corner.
pub(super) fn dots(text: &str) -> impl Iterator<Item = [u32; 2]> {
    text.chars().take(40).enumerate().flat_map(|(i, letter)| {
        let rows = rows(letter);
        let all = (0..HEIGHT).flat_map(|row| (0..3).map(move |column| [column, row]));
        all.filter(move |[column, row]| rows >> (3 * (4 - row) + 2 - column) & 1 == 1)
            .map(move |[column, row]| [i as u32 * STEP + column, row])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_upright() {
        let l: Vec<[u32; 2]> = dots("L").collect();
        assert_eq!(l, [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [1, 4], [2, 4]]);
        assert_eq!(size("1 m"), [11, 5]);
        assert_eq!(size(""), [0, 5]);
    }
}
