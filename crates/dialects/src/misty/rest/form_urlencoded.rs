//! Query strings and form bodies: `name=value&name=value`, percent-encoded.

/// Splits a form into decoded pairs; a name without `=` has an empty value.
pub(super) fn form_pairs(form: &str) -> impl Iterator<Item = (String, String)> + '_ {
    form.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode(name), decode(value))
    })
}

/// Undoes percent-encoding; what is no valid encoding stays as it is, what is no UTF-8 is replaced.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = (byte == b'%').then(|| bytes.get(at + 1..at + 3).and_then(hex_byte)).flatten();
        decoded.push(match (byte, escaped) {
            (_, Some(byte)) => byte,
            (b'+', None) => b' ',
            (byte, None) => byte,
        });
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let &[high, low] = digits else { return None };
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(form: &str) -> Vec<(String, String)> {
        form_pairs(form).collect()
    }

    #[test]
    fn pairs_are_decoded() {
        let expected = [("fileName", "a b+c.mp3"), ("x", ""), ("ü", "=1")];
        let expected: Vec<_> = expected.map(|(a, b)| (a.to_owned(), b.to_owned())).into();
        assert_eq!(pairs("fileName=a+b%2bc.mp3&&x&%C3%BC==1"), expected);
        assert_eq!(pairs("a=%zz%4&b=%ff")[0].1, "%zz%4");
    }

    proptest! {
        #[test]
        fn garbage_never_panics(form in "\\PC{0,100}") {
            let _ = pairs(&form);
        }
    }
}
