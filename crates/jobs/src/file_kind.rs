//! Recognises, by its first bytes, the kind of a file that is not plain text.

use infer::MatcherType;

use crate::rejection::{NotText, Reason, Rejection};
use tabuleiro_puzzles::input::Scanner;

/// Rejects a file whose first bytes show that it is not plain text.
///
/// # Errors
/// Returns the rejection.
pub fn refuse_by_head(scanner: &Scanner<'_>) -> Result<(), Rejection> {
    let head = scanner.head();
    if head.is_empty() {
        return Err(Rejection::Because(Reason::Empty));
    }
    let wide = wide_encoding(head).map(|encoding| NotText::Wide { encoding });
    wide.or_else(|| kind(head)).map_or(Ok(()), |kind| Err(Rejection::NotText(kind)))
}

/// Returns the encoding of a text whose code units have two or four bytes. A byte-order mark shows it, or the zero
/// bytes beside the first two characters if these are ASCII. No other text begins like that.
fn wide_encoding(head: &[u8]) -> Option<&'static str> {
    let is_ascii = |byte: u8| (1..=0x7f).contains(&byte);
    // UTF-32 is checked first, because one of its byte-order marks begins with one of UTF-16.
    match *head {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some("UTF-32"),
        [a, 0, 0, 0, b, 0, 0, 0, ..] | [0, 0, 0, a, 0, 0, 0, b, ..] if is_ascii(a) && is_ascii(b) => {
            Some("UTF-32")
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16"),
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] if is_ascii(a) && is_ascii(b) => Some("UTF-16"),
        _ => None,
    }
}

/// Returns the kind of a file by its first bytes; `None` if it is text, or of no known kind. If the bytes are text,
/// only formats that are written as text count: the two letters that begin some images can also begin a word.
fn kind(head: &[u8]) -> Option<NotText> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let found = infer::get(head)?;
    let (extension, of) = (found.extension(), found.matcher_type());
    let is_written_as_text = matches!(extension, "pdf" | "rtf" | "ps" | "pem") || of == MatcherType::Text;
    // A character that is cut at the end of `head` still counts as text.
    let is_text = !head.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
        && head.utf8_chunks().all(|chunk| chunk.invalid().is_empty() || head.ends_with(chunk.invalid()));
    if is_text && !is_written_as_text {
        return None;
    }
    let format = extension.to_uppercase();
    Some(match (of, extension) {
        (_, "html") => NotText::WebPage,
        // A script's first line looks like a comment in a board file.
        (_, "sh") => return None,
        (_, "zip") => office(head).map_or(NotText::Compressed { format: "zip".to_owned() }, document),
        (_, "doc" | "xls" | "ppt") => document("Word, Excel, PowerPoint"),
        (_, "docx") => document("Word"),
        (_, "xlsx") => document("Excel"),
        (_, "pptx") => document("PowerPoint"),
        (_, "odt" | "ods" | "odp") => document("OpenDocument"),
        (MatcherType::Doc | MatcherType::Book, _) | (_, "pdf" | "rtf" | "ps" | "epub" | "xml") => {
            NotText::Document { format }
        }
        (MatcherType::Image, _) => NotText::Image { format },
        (_, "class") => NotText::Program { format: "Java".to_owned() },
        (_, "mach") => NotText::Program { format: "Mach-O".to_owned() },
        (MatcherType::App, _) => NotText::Program { format },
        (_, "swf" | "eot" | "sqlite" | "nes" | "dcm") => NotText::Other { format },
        (MatcherType::Archive, extension) => {
            NotText::Compressed { format: compression(extension).to_owned() }
        }
        _ => NotText::Other { format },
    })
}

fn document(format: &str) -> NotText {
    NotText::Document { format: format.to_owned() }
}

/// Returns the format of a document that is stored as a zip archive, by the names of its entries.
fn office(head: &[u8]) -> Option<&'static str> {
    const NAMES: [(&[u8], &str); 5] = [
        (b"word/", "Word"),
        (b"xl/", "Excel"),
        (b"ppt/", "PowerPoint"),
        (b"mimetypeapplication/vnd.oasis.opendocument", "OpenDocument"),
        (b"[Content_Types].xml", "Office"),
    ];
    // An entry begins with a signature of 4 bytes and 26 bytes of other fields. Its name follows them.
    let entries = (0..head.len()).filter(|&at| head[at..].starts_with(b"PK\x03\x04"));
    let names = entries.filter_map(|at| head.get(at + 30..));
    let format = |name: &[u8]| NAMES.iter().position(|(begin, _)| name.starts_with(begin));
    // Documents of all Office programs begin with `[Content_Types].xml`, so that name counts only if no other is found.
    names.filter_map(format).min().map(|at| NAMES[at].1)
}

/// Returns the common name of a compression format.
fn compression(extension: &str) -> &str {
    match extension {
        "gz" => "gzip",
        "bz2" => "bzip2",
        "zst" => "zstd",
        "7z" => "7-zip",
        "Z" => "compress",
        "lz" => "lzip",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_text_is_known_by_its_mark_or_its_zeros() {
        for (head, encoding) in [
            (&b"\xff\xfe"[..], Some("UTF-16")),
            (b"\xfe\xff\x003", Some("UTF-16")),
            (b"3\0 \x003\0", Some("UTF-16")),
            (b"\x003\x00 ", Some("UTF-16")),
            (b"\xff\xfe\0\0", Some("UTF-32")),
            (b"\0\0\xfe\xff", Some("UTF-32")),
            (b"3\0\0\0 \0\0\0", Some("UTF-32")),
            (b"\0\0\x003\0\0\0 ", Some("UTF-32")),
            (b"3 3\n", None),
            (b"3\0", None),
            (b"\0\0\0\0\0\0\0\0", None),
            (b"\0\x01\x02\x03", None),
            (b"", None),
        ] {
            assert_eq!(wide_encoding(head), encoding, "{head:?}");
        }
    }

    /// Returns an archive entry with this name and filler for its content.
    fn entry(name: &str) -> Vec<u8> {
        [b"PK\x03\x04".as_slice(), &[0; 26], name.as_bytes(), &[7; 300]].concat()
    }

    #[test]
    fn files_are_told_apart_by_their_first_bytes() {
        let docx =
            [entry("[Content_Types].xml"), entry("docProps/app.xml"), entry("word/document.xml")].concat();
        let xlsx = [entry("_rels/.rels"), entry("xl/workbook.xml")].concat();
        let odt = entry("mimetypeapplication/vnd.oasis.opendocument.text");
        let elf = [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 60]].concat();
        let format = |text: &str| text.to_owned();
        for (head, expected) in [
            (docx.as_slice(), document("Word")),
            (&xlsx, document("Excel")),
            (&odt, document("OpenDocument")),
            (&entry("trabalho/entrada.txt"), NotText::Compressed { format: format("zip") }),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0", document("Word, Excel, PowerPoint")),
            (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", document("PDF")),
            (b"%PDF-1.4\n1 0 obj\n", document("PDF")),
            (b"{\\rtf1\\ansi 3 3}", document("RTF")),
            (b"<?xml version=\"1.0\"?>", document("XML")),
            (b"\n <!DOCTYPE html>\n<p>3 3", NotText::WebPage),
            (b"\xef\xbb\xbf<html><body>", NotText::WebPage),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", NotText::Image { format: format("PNG") }),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", NotText::Image { format: format("JPG") }),
            (b"GIF89a\x01\0\x01\0", NotText::Image { format: format("GIF") }),
            (b"BM\x36\0\x0c\0\0\0", NotText::Image { format: format("BMP") }),
            (b"RIFF\x24\0\0\0WEBPVP8 ", NotText::Image { format: format("WEBP") }),
            (&elf, NotText::Program { format: format("ELF") }),
            (b"MZ\x90\0\x03\0\0\0", NotText::Program { format: format("EXE") }),
            (b"\xcf\xfa\xed\xfe\x07\0\0\x01", NotText::Program { format: format("Mach-O") }),
            (b"\xca\xfe\xba\xbe\0\0\0\x41", NotText::Program { format: format("Java") }),
            (b"\x1f\x8b\x08\0\0\0\0\0", NotText::Compressed { format: format("gzip") }),
            (b"\xfd7zXZ\0\0\x04", NotText::Compressed { format: format("xz") }),
            (b"BZh91AY&SY\x01\x02", NotText::Compressed { format: format("bzip2") }),
            (b"\x28\xb5\x2f\xfd\0\0\0\0", NotText::Compressed { format: format("zstd") }),
            (b"7z\xbc\xaf\x27\x1c\0\x04", NotText::Compressed { format: format("7-zip") }),
            (b"Rar!\x1a\x07\x01\0", NotText::Compressed { format: format("rar") }),
            (b"\x1f\x9d\x90\0\0", NotText::Compressed { format: format("compress") }),
            (b"\x04\x22\x4d\x18\0\0\0\0", NotText::Compressed { format: format("lz4") }),
            (b"LZIP\x01\0\0\0", NotText::Compressed { format: format("lzip") }),
            (b"ID3\x04\0\0\0\0", NotText::Other { format: format("MP3") }),
        ] {
            assert_eq!(kind(head), Some(expected), "{}", head.escape_ascii());
        }
    }

    #[test]
    fn text_is_nothing_else() {
        for head in [
            &b"3 3\n2 1 2 0 1\n0 0\n"[..],
            b"#!/bin/sh\n",
            b"BMW 3 3",
            b"MZ 3 3",
            b"BZh91",
            b"0707070000",
            b"<3 3",
            b"ID3 caf\xc3",
            b"\0\0\0\0",
            b"",
        ] {
            assert_eq!(kind(head), None, "{}", head.escape_ascii());
        }
    }
}
