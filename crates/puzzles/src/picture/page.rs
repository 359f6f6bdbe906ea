//! A page: its head, its style, its end. It is written piece by piece, and whatever it says goes through here.

use std::io::{self, Write};

use crate::words::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Nothing is loaded and nothing runs, whatever the page says.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
/// For light and dark, phones and paper. It is our own, so it needs no escaping.
const STYLE: &str = include_str!("style.css");

/// What the head of a page says.
#[derive(Debug, Clone, Copy)]
pub struct PageWords<'a> {
    /// Its language.
    pub language: Language,
    /// What it is called, in a tab of the browser and above everything.
    pub title: &'a str,
    /// Seconds after which the browser shall read it again.
    pub refresh: Option<u64>,
}

/// A page that is being written.
pub struct Page<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Page<W> {
    /// Begins a page.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn begin(out: W, words: PageWords<'_>) -> io::Result<Self> {
        let language = match words.language {
            Language::English => "en",
            Language::Portuguese => "pt-BR",
        };
        let head = html! {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "tabuleiro " (env!("CARGO_PKG_VERSION")) };
                @if let Some(seconds) = words.refresh {
                    meta http-equiv="refresh" content=(seconds);
                }
                title { (words.title) }
                style { (PreEscaped(STYLE)) }
            }
        };
        let mut page = Self { out, bytes: 0 };
        let title = html! { h1 { (words.title) } };
        // The elements stay open for what follows.
        let root = format!("{}<html lang=\"{language}\">", DOCTYPE.into_string());
        for piece in
            [root, head.into_string(), "<body><main>".to_owned(), title.into_string(), "\n".to_owned()]
        {
            page.write_str(&piece)?;
        }
        Ok(page)
    }

    /// Writes a piece.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&mut self, piece: &Markup) -> io::Result<()> {
        self.write_str(&piece.0)?;
        self.write_str("\n")
    }

    /// Bytes written until now.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Ends the page.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_str("</main></body></html>\n")?;
        Ok(self.out)
    }

    fn write_str(&mut self, text: &str) -> io::Result<()> {
        let mut rest = text;
        // XML has no way to write these, and they stand in no page.
        while let Some(at) = rest.find(is_no_character) {
            self.write_bytes(&rest.as_bytes()[..at])?;
            self.write_bytes("\u{fffd}".as_bytes())?;
            rest = rest[at..].trim_start_matches(is_no_character);
        }
        self.write_bytes(rest.as_bytes())
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// Returns whether neither XML nor HTML allows the character in a text.
fn is_no_character(character: char) -> bool {
    let is_control = character.is_control() && !matches!(character, '\n' | '\t');
    // In Unicode, the last two code points of every plane are no characters.
    is_control || matches!(character, '\u{fdd0}'..='\u{fdef}') || u32::from(character) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_said_stays_text() {
        let words = PageWords { language: Language::English, title: "</title><script>&'\"", refresh: None };
        let mut page = Page::begin(Vec::new(), words).unwrap();
        page.write(&html! { p title="a\"b" { "\u{0}<b>\u{fffe}\u{1b}[2J\n" } }).unwrap();
        let page = String::from_utf8(page.finish().unwrap()).unwrap();
        assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;&amp;'&quot;</title>"), "{page}");
        assert!(page.contains("<p title=\"a&quot;b\">\u{fffd}&lt;b&gt;\u{fffd}[2J\n</p>"), "{page}");
        assert!(
            page.starts_with("<!DOCTYPE html><html lang=\"en\"><head>")
                && page.ends_with("</main></body></html>\n")
        );
    }
}
