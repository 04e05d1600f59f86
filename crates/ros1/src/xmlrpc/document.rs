//! Calls, answers and faults as XML.

use std::borrow::Cow;

use dxr::{Fault, FaultResponse, MethodCall, MethodResponse, Value};

use super::guard;

/// Why bytes are no XML-RPC document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// No text.
    #[error("byte {at} is not UTF-8")]
    Text {
        /// Where.
        at: usize,
    },
    /// No XML.
    #[error("not well-formed XML at byte {at}: {reason}")]
    Xml {
        /// Where.
        at: u64,
        /// What the parser said.
        reason: String,
    },
    /// A character that XML has no way to write.
    #[error("a control character at byte {at}, which XML forbids; send such bytes as base64")]
    Character {
        /// Where.
        at: usize,
    },
    /// It could define entities without end.
    #[error("a document type, which XML-RPC has none of")]
    DocType,
    /// Too deep.
    #[error("more than 32 arrays and structs in each other at byte {at}")]
    Deep {
        /// Where.
        at: u64,
    },
    /// Too many values.
    #[error("more than a million elements; send it in parts")]
    Many,
    /// XML of another kind.
    #[error("no XML-RPC {expected}: an element, a type or a number is not as the protocol has it")]
    Kind {
        /// What was expected.
        expected: &'static str,
    },
}

/// The method and the parameters of a call.
pub fn read_call(bytes: &[u8]) -> Result<(String, Vec<Value>), DocumentError> {
    let text = checked(bytes)?;
    let call = MethodCall::from_xml(text).map_err(|_| DocumentError::Kind { expected: "methodCall" })?;
    Ok((call.name.into_owned(), call.params))
}

/// What a call was answered, which may be a fault.
pub fn read_answer(bytes: &[u8]) -> Result<Result<Value, Fault>, DocumentError> {
    let text = checked(bytes)?;
    if let Ok(response) = MethodResponse::from_xml(text) {
        return Ok(Ok(response.value));
    }
    FaultResponse::from_xml(text)
        .map(|response| Err(response.fault))
        .map_err(|_| DocumentError::Kind { expected: "methodResponse" })
}

/// The XML of a call; `None` for a value that has none.
pub fn write_call(method: &str, params: Vec<Value>) -> Option<String> {
    let call = MethodCall { name: Cow::Borrowed(method), params };
    call.to_xml().ok().map(finished)
}

/// The XML of an answer; `None` for a value that has none.
pub fn write_answer(value: Value) -> Option<String> {
    MethodResponse { value }.to_xml().ok().map(finished)
}

/// The XML of a fault.
pub fn write_fault(fault: Fault) -> String {
    FaultResponse { fault }.to_xml().map(finished).unwrap_or_default()
}

fn finished(document: String) -> String {
    // ROS's C++ client looks for the declaration.
    format!("<?xml version=\"1.0\"?>\n{}\n", guard::cleaned(document))
}

fn checked(bytes: &[u8]) -> Result<&str, DocumentError> {
    let text = std::str::from_utf8(bytes).map_err(|error| DocumentError::Text { at: error.valid_up_to() })?;
    guard::check(text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};

    use super::*;

    #[test]
    fn a_call_as_rospy_writes_it() {
        let text = b"<?xml version='1.0'?>\n<methodCall>\n<methodName>setParam</methodName>\n<params>\n<param>\n\
            <value><string>/me</string></value>\n</param>\n<param>\n<value><string>a &lt;b&gt; &amp; c</string></value>\n\
            </param>\n<param>\n<value><array><data>\n<value><int>1</int></value>\n<value><boolean>1</boolean></value>\n\
            <value><double>1.5</double></value>\n<value><struct>\n</struct></value>\n</data></array></value>\n</param>\n\
            </params>\n</methodCall>\n";
        let (method, params) = read_call(text).unwrap();
        assert_eq!(method, "setParam");
        let array = vec![
            Value::Integer(1),
            Value::Boolean(true),
            Value::Double(1.5),
            Value::Struct(std::collections::BTreeMap::new()),
        ];
        assert_eq!(
            params,
            [Value::String("/me".into()), Value::String("a <b> & c".into()), Value::Array(array)]
        );
    }

    #[test]
    fn a_call_as_roscpp_writes_it() {
        let text = b"<?xml version=\"1.0\"?>\r\n<methodCall><methodName>getPid</methodName>\r\n<params>\
            <param><value>/me</value></param><param><value></value></param><param><value><i4>-7</i4></value></param>\
            <param><value><array><data></data></array></value></param></params></methodCall>\r\n";
        let (method, params) = read_call(text).unwrap();
        assert_eq!(method, "getPid");
        let empty = Value::Array(Vec::new());
        assert_eq!(
            params,
            [Value::String("/me".into()), Value::String(String::new()), Value::Integer(-7), empty]
        );
        let (_, none) = read_call(b"<methodCall><methodName>getUri</methodName></methodCall>").unwrap();
        assert_eq!(none, []);
    }

    #[test]
    fn answers_and_faults_come_back_as_they_went() {
        let struct_ =
            [("a b".to_owned(), Value::Double(-0.25)), ("c".to_owned(), Value::Base64(vec![0, 255]))];
        let value = Value::Array(vec![
            Value::Struct(struct_.into()),
            Value::Long(1 << 40),
            Value::String("  x\n".into()),
        ]);
        let text = write_answer(value.clone()).unwrap();
        assert_eq!(read_answer(text.as_bytes()), Ok(Ok(value)));
        let fault = Fault::new(1, "no <such> thing".into());
        assert_eq!(read_answer(write_fault(fault.clone()).as_bytes()), Ok(Err(fault)));
    }

    #[test]
    fn a_control_character_in_an_answer_spoils_nothing_else() {
        let text = write_answer(Value::String("a\u{1}b".into())).unwrap();
        assert_eq!(read_answer(text.as_bytes()), Ok(Ok(Value::String("a\u{FFFD}b".into()))));
    }

    fn values() -> impl Strategy<Value = Value> {
        let scalar = prop_oneof![
            any::<i32>().prop_map(Value::Integer),
            any::<i64>().prop_map(Value::Long),
            any::<bool>().prop_map(Value::Boolean),
            (-1e300..1e300).prop_map(Value::Double),
            texts().prop_map(Value::String),
            prop::collection::vec(any::<u8>(), 0..40).prop_map(Value::Base64),
        ];
        scalar.prop_recursive(4, 40, 5, |value| {
            prop_oneof![
                prop::collection::vec(value.clone(), 0..5).prop_map(Value::Array),
                prop::collection::btree_map(names(), value, 0..5).prop_map(Value::Struct),
            ]
        })
    }

    /// Never empty: such a member is refused when it is read.
    fn names() -> impl Strategy<Value = String> {
        "[a-zé&<][a-z >é_/&]{0,8}"
    }

    /// Of letters, blanks and what XML has a meaning for.
    fn texts() -> impl Strategy<Value = String> {
        "[ a-z<>&;#\"'\t\né🤖\\]-]{0,12}"
    }

    proptest! {
        #[test]
        fn any_value_comes_back_as_it_went(method in "[a-zA-Z.]{1,12}", params in prop::collection::vec(values(), 0..4)) {
            let text = write_call(&method, params.clone()).unwrap();
            prop_assert_eq!(read_call(text.as_bytes()), Ok((method, params)));
        }

        #[test]
        fn any_bytes_are_a_call_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = (read_call(&bytes), read_answer(&bytes));
        }

        #[test]
        fn a_call_with_a_byte_changed_is_a_call_or_an_error(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let params = vec![Value::Array(vec![Value::Integer(5), Value::String("a & b".into())])];
            let mut bytes = write_call("echo", params).unwrap().into_bytes();
            *at.get_mut(&mut bytes) = byte;
            if let Ok((method, params)) = read_call(&bytes) {
                let text = write_call(&method, params.clone()).unwrap();
                prop_assert_eq!(read_call(text.as_bytes()), Ok((method, params)));
            }
        }
    }

    #[test]
    fn garbage_is_refused_with_what_is_wrong_with_it() {
        assert_eq!(read_call(b"\xff"), Err(DocumentError::Text { at: 0 }));
        assert_eq!(read_call(b""), Err(DocumentError::Kind { expected: "methodCall" }));
        assert_eq!(read_call(b"<html></html>"), Err(DocumentError::Kind { expected: "methodCall" }));
        let number = b"<methodCall><methodName>a</methodName><params><param><value><int>x</int></value></param></params></methodCall>";
        assert_eq!(read_call(number), Err(DocumentError::Kind { expected: "methodCall" }));
        assert!(matches!(read_answer(b"<methodResponse>"), Err(DocumentError::Xml { .. })));
    }
}
