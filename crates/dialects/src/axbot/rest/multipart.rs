//! Maps as browsers upload them: a form of several parts, the files among them as they are.

use std::convert::Infallible;

use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use multer::Multipart;
use serde_json::{Map, Value};

use super::fields::Fields;
use super::problem::Problem;

/// Most parts of a form.
const MOST: usize = 64;

/// Longest name of a part, bytes.
const MAX_NAME: usize = 100;

/// What lies between the parts, if a request holds a form.
pub fn boundary(headers: &HeaderMap) -> Option<String> {
    multer::parse_boundary(headers.get(header::CONTENT_TYPE)?.to_str().ok()?).ok()
}

/// A form as the object that it would be in JSON; files are base64 there.
pub async fn read(body: Bytes, boundary: String) -> Result<Fields, Problem> {
    let body = futures_util::stream::once(async move { Ok::<_, Infallible>(body) });
    let mut form = Multipart::new(body, boundary);
    let wrong = |error: multer::Error| {
        Problem::Bad(format!("the form cannot be read: {error}; send multipart/form-data, or JSON"))
    };
    let mut fields = Map::new();
    while let Some(part) = form.next_field().await.map_err(wrong)? {
        let name = part.name().unwrap_or_default().to_owned();
        if fields.len() >= MOST || name.len() > MAX_NAME {
            let text = format!("the form has more than {MOST} parts, or one with a very long name");
            return Err(Problem::Bad(text));
        }
        let is_file = part.file_name().is_some();
        let bytes = part.bytes().await.map_err(wrong)?;
        let text = match std::str::from_utf8(&bytes) {
            // Marks are a text, even if they are uploaded as a file.
            Ok(text) if !is_file || name == "overlays" => text.to_owned(),
            _ => STANDARD.encode(&bytes),
        };
        fields.insert(name, Value::String(text));
    }
    Ok(Fields::from(fields))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn form(body: &str) -> Result<Fields, Problem> {
        read(Bytes::from(body.replace('\n', "\r\n")), "X".into()).await
    }

    #[tokio::test]
    async fn texts_stay_and_files_become_base64() {
        let fields = form(
            "--X\nContent-Disposition: form-data; name=\"map_name\"\n\nhall\n\
             --X\nContent-Disposition: form-data; name=\"carto_map\"; filename=\"a\"\n\nab\n\
             --X\nContent-Disposition: form-data; name=\"overlays\"; filename=\"o.json\"\n\n{}\n--X--\n",
        );
        let fields = fields.await.unwrap();
        let text = |name| fields.text(name).unwrap();
        assert_eq!(text("map_name").as_deref(), Some("hall"));
        assert_eq!(text("carto_map").as_deref(), Some("YWI="));
        assert_eq!(text("overlays").as_deref(), Some("{}"));
    }

    #[tokio::test]
    async fn what_is_no_form_is_reported() {
        for body in ["", "nonsense", "--X\n", "--X\nContent-Disposition: form-data; name=\"a\"\n\nb"] {
            let reported = form(body).await.unwrap_err();
            assert!(
                reported.status() == 400 && reported.to_string().contains("form"),
                "{body:?}: {reported}"
            );
        }
        let many = "--X\nContent-Disposition: form-data; name=\"#\"\n\n\n";
        let many: String = (0..100).map(|n| many.replace('#', &n.to_string())).collect();
        assert!(form(&format!("{many}--X--")).await.unwrap_err().to_string().contains("64 parts"));
    }

    #[test]
    fn only_forms_have_a_boundary() {
        let of =
            |kind: &str| boundary(&HeaderMap::from_iter([(header::CONTENT_TYPE, kind.parse().unwrap())]));
        assert_eq!(of("multipart/form-data; boundary=X").as_deref(), Some("X"));
        assert_eq!(of("application/json"), None);
        assert_eq!(boundary(&HeaderMap::new()), None);
    }
}
