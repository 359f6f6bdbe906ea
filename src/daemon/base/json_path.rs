//! Paths in JSON, without loss: names can hold any bytes, but JSON holds only text.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabuleiro_jobs::hex;
pub use tabuleiro_jobs::naming::printable_path as show;

/// A path. In JSON it is a string if it is UTF-8, otherwise an object: `lossy` for people, and `hex` with its bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct JsonPath(pub PathBuf);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Bytes { lossy: String, hex: String },
}

impl From<&Path> for JsonPath {
    fn from(path: &Path) -> Self {
        Self(path.to_owned())
    }
}

impl JsonPath {
    /// Returns the path as printable text on one line.
    pub fn printable(&self) -> String {
        show(&self.0)
    }
}

impl Serialize for JsonPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(text) = self.0.to_str() {
            return serializer.serialize_str(text);
        }
        let bytes = self.0.as_os_str().as_encoded_bytes();
        Form::Bytes { lossy: self.0.to_string_lossy().into_owned(), hex: hex(bytes) }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Form::deserialize(deserializer)? {
            Form::Text(text) => Ok(Self(text.into())),
            Form::Bytes { hex, .. } => {
                let bytes = bytes(&hex).ok_or_else(|| serde::de::Error::custom("no hexadecimal digits"))?;
                Ok(Self(OsString::from_vec(bytes).into()))
            }
        }
    }
}

/// Decodes hexadecimal digits; `None` if the text is malformed.
fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some((digit(high)? * 16 + digit(low)?) as u8),
        _ => None,
    };
    hex.as_bytes().chunks(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_comes_back_as_it_was() {
        let odd = OsString::from_vec(b"a\xff\n/\"b".to_vec());
        for path in [PathBuf::from("turma 2/\u{e9}\u{1}\".txt"), PathBuf::new(), odd.into()] {
            let text = serde_json::to_string(&JsonPath(path.clone())).unwrap();
            assert!(!text.contains('\n'), "{text}");
            assert_eq!(serde_json::from_str::<JsonPath>(&text).unwrap().0, path);
        }
        assert_eq!(serde_json::to_string(&JsonPath("a/b.txt".into())).unwrap(), "\"a/b.txt\"");
        for wrong in [r#"{"lossy":"a","hex":"6"}"#, r#"{"lossy":"a","hex":"zz"}"#, "1"] {
            assert!(serde_json::from_str::<JsonPath>(wrong).is_err(), "{wrong}");
        }
    }
}
