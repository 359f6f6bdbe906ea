//! Text in so many columns of a terminal: measured, shortened, wrapped.

use std::env;
use std::io::{self, IsTerminal};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns that every terminal has.
const COLUMNS: usize = 80;
/// The column of labels in a list of facts.
const LABEL_COLUMNS: usize = 12;
/// What stands for what is left out.
const GAP: &str = "…";

/// The columns there are for a line: `COLUMNS` where that is set, else those of the terminal that standard output is, else
/// 80.
pub fn columns() -> usize {
    let told = || env::var("COLUMNS").ok()?.parse().ok();
    let terminal = || Some(usize::from(crossterm::terminal::size().ok()?.0));
    let terminal = || io::stdout().is_terminal().then(terminal).flatten();
    let has_some = |columns: &usize| *columns > 0;
    told().filter(has_some).or_else(|| terminal().filter(has_some)).unwrap_or(COLUMNS)
}

/// The columns that a printable text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// A name in at most `columns`, its middle left out: both the folder and the ending tell one from another.
pub fn shortened(name: &str, columns: usize) -> String {
    if width(name) <= columns {
        return name.to_owned();
    }
    let left = columns.saturating_sub(width(GAP));
    let begin = prefix(name, left / 2);
    format!("{begin}{GAP}{}", suffix(name, left - width(begin)))
}

/// A text in at most `columns`, its end left out.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    format!("{}{GAP}", prefix(text, columns.saturating_sub(width(GAP))))
}

/// A text as lines of at most `columns`, each ended between two words; a word that is longer is shortened.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ').map(|word| shortened(word, columns)) {
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line = word,
            Some(line) if width(line) + 1 + width(&word) <= columns => *line = format!("{line} {word}"),
            _ => lines.push(word),
        }
    }
    lines
}

/// A text behind its label, wrapped, the further lines below its first.
pub fn labelled(label: &str, text: &str, columns: usize) -> String {
    let lines = wrapped(text, columns.saturating_sub(LABEL_COLUMNS + 1).max(1));
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    let line = |(label, line): (&str, &String)| {
        format!("{label:<LABEL_COLUMNS$} {line}").trim_end().to_owned() + "\n"
    };
    labels.zip(&lines).map(line).collect()
}

/// The longest beginning in at most `columns`.
fn prefix(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, char)| {
        used += char.width().unwrap_or(0);
        used > columns
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// The longest end in at most `columns`. It does not begin with an accent of the character before it.
fn suffix(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let fits = |char: &char| {
        used += char.width().unwrap_or(0);
        used <= columns
    };
    let bytes: usize = text.chars().rev().take_while(fits).map(char::len_utf8).sum();
    text[text.len() - bytes..].trim_start_matches(|char: char| char.width() == Some(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_name_is_left_out_and_no_character_is_cut() {
        assert_eq!(shortened("turma2/trabalho-final/entrada.txt", 24), "turma2/trab…/entrada.txt");
        assert_eq!(shortened("entrada.txt", 11), "entrada.txt");
        assert_eq!(shortened("ação-ação-ação.txt", 11), "ação-…o.txt");
        // Two columns each.
        assert_eq!(shortened("課題課題課題.txt", 10), "課題….txt");
        // An accent of its own stays with its letter or goes with it.
        assert_eq!(shortened("xxxxxxxxxxe\u{301}.txt", 10), "xxxx…e\u{301}.txt");
        assert_eq!(shortened("xxxxxxxxxxe\u{301}.txt", 9), "xxxx….txt");
        for columns in 0..20 {
            let short = shortened("課題/ação-e\u{301}-muito-longa.txt", columns);
            assert!(width(&short) <= columns.max(1), "{short}");
        }
    }

    #[test]
    fn a_text_is_cut_at_its_end_or_wrapped_between_words() {
        assert_eq!((cut("não há solução", 8).as_str(), cut("7, 36", 8).as_str()), ("não há …", "7, 36"));
        assert_eq!(
            wrapped("nothing is taken for now: /a/very/long/folder/inbox is full", 16),
            ["nothing is taken", "for now:", "/a/very…er/inbox", "is full"]
        );
        assert_eq!(wrapped("", 16), [""]);
        assert_eq!(
            labelled("in hand", "2 of at most 64", 24),
            "in hand      2 of at\n             most 64\n"
        );
    }
}
