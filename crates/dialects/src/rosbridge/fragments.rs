//! Messages that come in pieces: `{"op":"fragment","id","data","num","total"}`.

use serde::Deserialize;
use serde_json::Value as Json;

use super::limits::{MAX_FRAGMENTED_MESSAGES, MAX_FRAGMENTS};

/// A piece of a message.
#[derive(Debug, Deserialize)]
pub(super) struct Fragment {
    /// Of which message.
    id: Json,
    /// The piece.
    data: String,
    /// Which one, from 0.
    num: usize,
    /// How many there are.
    total: usize,
}

/// Why a piece is of no use.
#[derive(Debug, thiserror::Error)]
pub(super) enum FragmentError {
    #[error("a fragment has an id, data, num and total: {0}")]
    Fields(#[from] serde_json::Error),
    #[error(
        "fragment {num} of {total}: num begins with 0, and {MAX_FRAGMENTS} pieces are the limit of a message"
    )]
    Number { num: usize, total: usize },
    #[error("the pieces have more than {0} bytes, which are the limit of a message")]
    TooLarge(usize),
}

/// Messages of which pieces are missing, the oldest first.
#[derive(Debug)]
pub(super) struct Fragments {
    max_bytes: usize,
    begun: Vec<Begun>,
}

#[derive(Debug)]
struct Begun {
    id: Json,
    pieces: Vec<Option<String>>,
    missing: usize,
    bytes: usize,
}

impl Fragments {
    /// For messages of so many bytes, which is how much is kept of all of them.
    pub(super) const fn new(max_bytes: usize) -> Self {
        Self { max_bytes, begun: Vec::new() }
    }

    /// The message, if a frame is the last of its pieces.
    pub(super) fn join(&mut self, frame: &str) -> Result<Option<String>, FragmentError> {
        let Fragment { id, data, num, total } = serde_json::from_str(frame)?;
        if num >= total || total > MAX_FRAGMENTS {
            return Err(FragmentError::Number { num, total });
        }
        let of_id = self.begun.iter().position(|it| it.id == id && it.pieces.len() == total);
        let mut begun = match of_id {
            Some(at) => self.begun.remove(at),
            None => Begun { id, pieces: vec![None; total], missing: total, bytes: 0 },
        };
        begun.bytes += data.len();
        if begun.bytes > self.max_bytes {
            return Err(FragmentError::TooLarge(self.max_bytes));
        }
        // One that comes once more is the newer one.
        match begun.pieces[num].replace(data) {
            Some(before) => begun.bytes -= before.len(),
            None => begun.missing -= 1,
        }
        if begun.missing == 0 {
            return Ok(Some(begun.pieces.into_iter().flatten().collect()));
        }
        self.begun.push(begun);
        // The rest of what was begun long ago does not come any more.
        let is_full = |begun: &Vec<Begun>| {
            begun.len() > MAX_FRAGMENTED_MESSAGES
                || begun.iter().map(|it| it.bytes).sum::<usize>() > self.max_bytes
        };
        while is_full(&self.begun) {
            self.begun.remove(0);
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn piece(id: u32, data: &str, num: usize, total: usize) -> String {
        json!({"op": "fragment", "id": id, "data": data, "num": num, "total": total}).to_string()
    }

    #[test]
    fn pieces_of_several_messages_are_joined_in_their_order() {
        let mut fragments = Fragments::new(100);
        for (id, data, num, joined) in [
            (1, "c", 2, None),
            (2, "x", 0, None),
            (1, "old", 0, None),
            (1, "a", 0, None),
            (1, "b", 1, Some("abc")),
        ] {
            assert_eq!(fragments.join(&piece(id, data, num, 3)).unwrap().as_deref(), joined);
        }
        assert_eq!(fragments.join(&piece(3, "alone", 0, 1)).unwrap().as_deref(), Some("alone"));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut fragments = Fragments::new(10);
        for (wrong, says) in [
            (piece(1, "", 1, 1), "begins with 0"),
            (piece(1, "", 0, usize::MAX), "limit of a message"),
            (piece(1, "eleven byte", 0, 2), "more than 10 bytes"),
            (r#"{"op":"fragment","data":"x"}"#.to_owned(), "has an id"),
        ] {
            let error = fragments.join(&wrong).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        for id in 0..100 {
            assert_eq!(fragments.join(&piece(id, "abc", 0, 2)).unwrap(), None);
            assert!(fragments.begun.len() <= 3, "{fragments:?}");
        }
        assert_eq!(fragments.join(&piece(99, "d", 1, 2)).unwrap().as_deref(), Some("abcd"));
        assert_eq!(fragments.join(&piece(0, "d", 1, 2)).unwrap(), None, "its first piece is gone");
    }
}
