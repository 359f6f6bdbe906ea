//! Measures and shortens texts for the columns of a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Stands for a part that is left out.
const LEFT_OUT: &str = "…";

/// Returns the number of columns that a printable text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Shortens a name to at most `columns`. Leaves out the middle, since both the folder and the ending distinguish names.
pub fn shortened(name: &str, columns: usize) -> String {
    if width(name) <= columns {
        return name.to_owned();
    }
    let left = columns.saturating_sub(width(LEFT_OUT));
    let begin = prefix(name, left / 2);
    format!("{begin}{LEFT_OUT}{}", suffix(name, left - width(begin)))
}

/// Cuts the end of a text that takes more than `columns`.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    format!("{}{LEFT_OUT}", prefix(text, columns.saturating_sub(width(LEFT_OUT))))
}

/// Breaks a text between words into lines of at most `columns`. A longer word has a line of its own.
pub fn folded(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => word.clone_into(line),
            Some(line) if width(line) + 1 + width(word) <= columns => *line = format!("{line} {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Returns the longest prefix that fits in `columns`.
fn prefix(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, char)| {
        used += char.width().unwrap_or(0);
        used > columns
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// Returns the longest suffix that fits in `columns`. It never begins with a combining accent.
fn suffix(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let fits = |char: &char| {
        used += char.width().unwrap_or(0);
        used <= columns
    };
    let bytes: usize = text.chars().rev().take_while(fits).map(char::len_utf8).sum();
    text[text.len() - bytes..].trim_start_matches(|char: char| char.width() == Some(0))
}
