//! Tables for people, that fit a terminal.

use std::env;
use std::io::{self, IsTerminal};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How much of a text is shown in a cell.
pub const CELL_BYTES_MAX: usize = 300;
/// Between two columns.
const GAP: &str = "  ";
/// A column is not made narrower than that: one is left out instead.
const SHORTENED_MIN: usize = 12;

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// Its head.
    pub head: &'a str,
    /// What may be left out of its cells.
    pub gives: Gives,
}

/// What a column may lose where there is no room for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// Nothing.
    Nothing,
    /// The middle of its cells, which are names.
    Middle,
    /// The end of its cells; where they would be too short to say anything, it is left out, the first one first.
    End,
}

/// A column of times, each in whole seconds with its offset from UTC, or a text without one. The head says the offset once,
/// unless daylight saving began or ended meanwhile.
pub fn times(head: &str, times: Vec<(String, String)>) -> (String, Vec<String>) {
    let mut offsets = times.iter().map(|(_, offset)| offset).filter(|offset| !offset.is_empty());
    if let Some(first) = offsets.next()
        && offsets.all(|offset| offset == first)
    {
        let head = format!("{head} ({first})");
        return (head, times.into_iter().map(|(second, _)| second).collect());
    }
    let cell = |(second, offset)| format!("{second} {offset}").trim_end().to_owned();
    (head.to_owned(), times.into_iter().map(cell).collect())
}

/// Rows as lines of at most `available` columns, each column as wide as its widest cell. Where that is too wide, the widest
/// column that may give something gives it, names less than texts. The cells must be printable.
pub fn table(columns: &[Column<'_>], rows: &[Vec<String>], available: usize) -> String {
    let natural = |index: usize, column: &Column<'_>| {
        let cells = rows.iter().filter_map(|row| row.get(index)).map(|cell| width(cell));
        cells.max().unwrap_or(0).max(width(column.head))
    };
    let mut shown: Vec<_> =
        columns.iter().enumerate().map(|(index, column)| (index, *column, natural(index, column))).collect();
    while !shrink(&mut shown, available) {
        let Some(first) = shown.iter().position(|(_, column, _)| column.gives == Gives::End) else { break };
        shown.remove(first);
        for (index, column, width) in &mut shown {
            *width = natural(*index, column);
        }
    }
    let head = columns.iter().map(|column| column.head.to_owned()).collect();
    std::iter::once(&head).chain(rows).map(|row| line(row, &shown)).collect()
}

/// A column that is shown: its index, the column, its width.
type Shown<'a> = (usize, Column<'a>, usize);

/// Takes from the widest column until all fit. False where none can give so much.
fn shrink(shown: &mut [Shown<'_>], available: usize) -> bool {
    let gaps = GAP.len() * shown.len().saturating_sub(1);
    while shown.iter().map(|(.., width)| width).sum::<usize>() + gaps > available {
        let giving = shown.iter_mut().filter_map(|(_, column, width)| match column.gives {
            Gives::Nothing => None,
            Gives::Middle => Some((*width * 2, width)),
            Gives::End => Some((*width * 3, width)),
        });
        let wide = giving.filter(|(_, width)| **width > SHORTENED_MIN);
        let Some((_, widest)) = wide.max_by_key(|(weight, _)| *weight) else { return false };
        *widest -= 1;
    }
    true
}

fn line(row: &[String], shown: &[Shown<'_>]) -> String {
    let cell = |(index, column, columns): &Shown<'_>| {
        let cell = row.get(*index).map_or("", String::as_str);
        let short = match column.gives {
            Gives::Nothing => cell.to_owned(),
            Gives::Middle => shortened(cell, *columns),
            Gives::End => cut(cell, *columns),
        };
        let blanks = columns.saturating_sub(width(&short));
        short + &" ".repeat(blanks)
    };
    shown.iter().map(cell).collect::<Vec<_>>().join(GAP).trim_end().to_owned() + "\n"
}

/// Columns that every terminal has.
const COLUMNS: usize = 80;
/// The column of labels in a list of facts.
const LABEL_COLUMNS: usize = 12;
/// What stands for what is left out.
const LEFT_OUT: &str = "…";

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
    let left = columns.saturating_sub(width(LEFT_OUT));
    let begin = prefix(name, left / 2);
    format!("{begin}{LEFT_OUT}{}", suffix(name, left - width(begin)))
}

/// A text in at most `columns`, its end left out.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    format!("{}{LEFT_OUT}", prefix(text, columns.saturating_sub(width(LEFT_OUT))))
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

    fn shown(rows: &[[&str; 4]], available: usize) -> String {
        let columns = [
            Column { head: "n", gives: Gives::Nothing },
            Column { head: "route", gives: Gives::End },
            Column { head: "file", gives: Gives::Middle },
            Column { head: "answers", gives: Gives::End },
        ];
        let rows: Vec<_> = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        table(&columns, &rows, available)
    }

    #[test]
    fn columns_stand_below_each_other_and_the_widest_is_shortened() {
        let rows = [["1", "a", "ação.txt", "7"], ["22", "a", "a-very-long-name.txt", "no solution"]];
        let whole = "n   route  file                  answers\n\
                     1   a      ação.txt              7\n\
                     22  a      a-very-long-name.txt  no solution\n";
        assert_eq!(shown(&rows, 80), whole);
        assert_eq!(
            shown(&rows, 43),
            "n   route  file                 answers\n\
             1   a      ação.txt             7\n\
             22  a      a-very-lo…-name.txt  no solution\n"
        );
    }

    #[test]
    fn an_offset_is_told_once_where_all_times_have_it() {
        let shown = |parts: &[(&str, &str)]| {
            let parts = parts.iter().map(|(second, offset)| ((*second).to_owned(), (*offset).to_owned()));
            let (head, cells) = times("when", parts.collect());
            format!("{head}: {}", cells.join("; "))
        };
        assert_eq!(
            shown(&[("10:00", "-03:00"), ("", ""), ("11:00", "-03:00")]),
            "when (-03:00): 10:00; ; 11:00"
        );
        assert_eq!(shown(&[("10:00", "+01:00"), ("11:00", "+02:00")]), "when: 10:00 +01:00; 11:00 +02:00");
        assert_eq!(shown(&[("", "")]), "when: ");
    }

    #[test]
    fn what_may_give_nothing_stays_and_what_only_explains_goes() {
        let outcome = "answered, 3 undecided and 4 invalid of 100";
        let rows = [[outcome, "damas-grandes", "turma2/entrada.txt", "7, 36, no solution"]];
        let row = |available| shown(&rows, available).lines().nth(1).unwrap().to_owned();
        assert_eq!(row(80), format!("{outcome}  turma2/entrada.txt  7, 36, no solut…"));
        assert_eq!(row(64), format!("{outcome}  turma2/entrada.txt"));
        assert_eq!(row(58), format!("{outcome}  turma2…ada.txt"));
        assert!(shown(&rows, 3).contains(outcome));
    }

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
