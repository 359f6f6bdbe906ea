//! Links from the page to outputs: relative, so that they lead there from a file as from any web server.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What stands before the path of an output below `outbox` in a link from a page in `folder`; `None` where no server that
/// serves the page could be sure to serve the output: neither folder lies in the other.
pub fn way(folder: &Path, outbox: &Path) -> Option<String> {
    if let Ok(down) = outbox.strip_prefix(folder) {
        return Some(down.iter().map(|name| encoded(Path::new(name)) + "/").collect());
    }
    Some("../".repeat(folder.strip_prefix(outbox).ok()?.iter().count()))
}

/// A path as a link has it: all but letters, digits, `-._~` and `/` by their bytes in hexadecimal.
pub fn encoded(path: &Path) -> String {
    let mut link = String::new();
    for &byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            link.push(char::from(byte));
        } else {
            link.push_str(&format!("%{byte:02X}"));
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn a_link_leads_down_or_up_and_never_beside() {
        let way = |folder: &str, outbox: &str| way(Path::new(folder), Path::new(outbox));
        assert_eq!(way("/srv/out", "/srv/out").as_deref(), Some(""));
        assert_eq!(way("/srv", "/srv/o t/a").as_deref(), Some("o%20t/a/"));
        assert_eq!(way("/srv/out/site/x", "/srv/out").as_deref(), Some("../../"));
        assert_eq!(way("/var/www", "/srv/out"), None);
        assert_eq!(way("/srv/outer", "/srv/out"), None);
    }

    #[test]
    fn no_byte_of_a_name_means_anything_in_a_link() {
        let name = Path::new(OsStr::from_bytes(b"javascript:a/%41?#\"'<>& \n\xff\xc3\xa9~-_.txt"));
        assert_eq!(encoded(name), "javascript%3Aa/%2541%3F%23%22%27%3C%3E%26%20%0A%FF%C3%A9~-_.txt");
    }
}
