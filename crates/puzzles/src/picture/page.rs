//! Writes a page piece by piece: head, style, content and end. All content of a page goes through this module.

use std::io::{self, Write};

use super::stepping::RULES;
use crate::words::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The page loads nothing and runs nothing, whatever its content says.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
/// The style for light and dark, phones and paper. It is part of the program, so it needs no escaping.
const STYLE: &str = include_str!("style.css");

/// Width in pixels of an image that holds a piece of a page.
const IMAGE_WIDTH: f64 = 960.0;
/// The style that the body of a page has.
const IMAGE_STYLE: &str =
    "height:100%;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif";
/// An image has nothing to click, and all its pictures are visible.
const IMAGE_RULES: &str =
    "nav,label:not(.frame),input{display:none!important}.pic{max-width:28rem;margin:0!important}";
/// Maximum width in pixels of a picture in an image: the 28rem above.
const PICTURE_WIDTH: f64 = 448.0;
/// Height in pixels that a board of a strip adds, given that several stand in a row.
const FRAME_HEIGHT: f64 = 120.0;
/// Maximum height in pixels of a line of text in an image.
const LINE_HEIGHT: f64 = 40.0;

/// A page that is being written.
pub struct Page<W> {
    out: W,
    /// Bytes written so far.
    pub bytes: u64,
}

impl<W: Write> Page<W> {
    /// Begins a page; its `title` stands in the tab of the browser and above the content.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn begin(out: W, language: Language, title: &str) -> io::Result<Self> {
        let code = match language {
            Language::English => "en",
            Language::Portuguese => "pt-BR",
        };
        let head = html! {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "tabuleiro " (env!("CARGO_PKG_VERSION")) };
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(&*RULES)) }
            }
        };
        let mut page = Self { out, bytes: 0 };
        let heading = html! { h1 id="top" { (title) } };
        // The elements stay open for what follows.
        let root = format!("{}<html lang=\"{code}\">", DOCTYPE.into_string());
        for piece in
            [root, head.into_string(), "<body><main>".to_owned(), heading.into_string(), "\n".to_owned()]
        {
            page.write_str(&piece)?;
        }
        Ok(page)
    }

    /// Writes a piece of content.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    pub fn write(&mut self, piece: &Markup) -> io::Result<()> {
        self.write_str(&piece.0)?;
        self.write_str("\n")
    }

    /// Ends the page.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_str("</main></body></html>\n")?;
        Ok(self.out)
    }

    fn write_str(&mut self, text: &str) -> io::Result<()> {
        let mut rest = text;
        // XML cannot represent these characters, so no page contains them.
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

/// Returns a piece of a page as an SVG image. Its height is the most that the pictures and lines in it can need.
pub fn image(content: &Markup) -> String {
    let html = &content.0;
    let count = |tags: &[&str]| tags.iter().map(|tag| html.matches(tag).count()).sum::<usize>() as f64;
    let height = |svg: &str| {
        let (width, height) = svg.split_once("viewBox=\"0 0 ")?.1.split_once('"')?.0.split_once(' ')?;
        Some(height.parse::<f64>().ok()? / width.parse::<f64>().ok()? * PICTURE_WIDTH)
    };
    let heights: Vec<f64> = html.split("role=\"img\"").skip(1).filter_map(height).collect();
    // Boards of a strip are small, several in a row. The two pictures of a pair stand side by side.
    let frames = count(&["class=\"frame"]);
    let all = if frames > 0.0 { frames * FRAME_HEIGHT } else { heights.iter().sum() };
    let all = if html.contains("class=\"pair\"") { all / 2.0 } else { all };
    let lines = count(&["<p>", "<p ", "<h2", "<h3", "<br", "<tr"]) + 2.0;
    let height = (heights.into_iter().fold(all, f64::max) + lines * LINE_HEIGHT).ceil();
    let content: String =
        content.0.chars().map(|c| if is_no_character(c) { '\u{fffd}' } else { c }).collect();
    let image = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(IMAGE_WIDTH) height=(height) viewBox={ "0 0 " (IMAGE_WIDTH) " " (height) } {
            style { (STYLE) (*RULES) (IMAGE_RULES) }
            foreignObject width="100%" height="100%" {
                main xmlns="http://www.w3.org/1999/xhtml" style=(IMAGE_STYLE) { (PreEscaped(as_xml(&content))) }
            }
        }
    };
    image.0
}

/// Adds what XML requires and HTML omits: ends of empty elements, values of attributes, the namespace of pictures.
fn as_xml(html: &str) -> String {
    let html = html.replace("<br>", "<br/>").replace("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ");
    let mut parts = html.split("<input");
    let mut xml = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (attributes, rest) = part.split_once('>').unwrap_or((part, ""));
        xml.push_str(&format!("<input{}/>{rest}", attributes.replace(" checked", " checked=\"\"")));
    }
    xml
}

/// Returns whether both XML and HTML forbid a character in text.
fn is_no_character(character: char) -> bool {
    let is_control = character.is_control() && !matches!(character, '\n' | '\t');
    // In Unicode, the last two code points of every plane are not characters.
    is_control || matches!(character, '\u{fdd0}'..='\u{fdef}') || u32::from(character) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_said_stays_text() {
        let title = "</title><script>&'\"";
        let mut page = Page::begin(Vec::new(), Language::English, title).unwrap();
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
