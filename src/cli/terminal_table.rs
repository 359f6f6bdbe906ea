//! Tables for people, which fit the width of the terminal.

use std::env;
use std::io::{self, IsTerminal};

use crate::logging::columns::{cut, folded, shortened, width};

/// The maximum number of bytes of text shown in a cell.
pub const CELL_BYTES_MAX: usize = 300;
/// The gap between two columns.
const GAP: &str = "  ";
/// The minimum width of a shortened column. If the table is still too wide, a whole column is left out.
const SHORTENED_MIN: usize = 12;

/// What may be left out of a column if the table is too wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shrink {
    /// Nothing.
    Nothing,
    /// The middle of the cells, which are names.
    Middle,
    /// The end of the cells. If the cells would be too short to be useful, the first such column is left out.
    End,
}

/// A column of a table.
pub struct Column {
    /// The heading and the cells, all printable.
    cells: Vec<String>,
    shrink: Shrink,
    width: usize,
}

impl Column {
    /// Returns a column with a cell for each row.
    pub fn new<T>(head: &str, shrink: Shrink, rows: &[T], cell: impl Fn(&T) -> String) -> Self {
        let cells = std::iter::once(head.to_owned()).chain(rows.iter().map(cell)).collect();
        Self { cells, shrink, width: 0 }
    }
}

/// Returns the heading and the cells of a column of times. Each is a pair: a time in whole seconds, or other text, and
/// its offset from UTC, which may be empty. The heading shows the offset once if all times have the same one (daylight
/// saving can change it).
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

/// Returns rows as lines of at most `available` columns, each column as wide as its widest cell. If that is too wide,
/// the widest column that may shrink is narrowed; names shrink less than texts.
pub fn table(mut columns: Vec<Column>, available: usize) -> String {
    loop {
        for column in &mut columns {
            column.width = column.cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
        }
        if shrink(&mut columns, available) {
            break;
        }
        let Some(first) = columns.iter().position(|column| column.shrink == Shrink::End) else { break };
        columns.remove(first);
    }
    let rows = columns.first().map_or(0, |column| column.cells.len());
    (0..rows).map(|row| line(row, &columns)).collect()
}

/// Narrows the widest column until the table fits. Returns false if the columns cannot shrink enough.
fn shrink(columns: &mut [Column], available: usize) -> bool {
    let gaps = GAP.len() * columns.len().saturating_sub(1);
    while columns.iter().map(|column| column.width).sum::<usize>() + gaps > available {
        let giving = columns.iter_mut().filter_map(|Column { shrink, width, .. }| match shrink {
            Shrink::Nothing => None,
            Shrink::Middle => Some((*width * 2, width)),
            Shrink::End => Some((*width * 3, width)),
        });
        let wide = giving.filter(|(_, width)| **width > SHORTENED_MIN);
        let Some((_, widest)) = wide.max_by_key(|(weight, _)| *weight) else { return false };
        *widest -= 1;
    }
    true
}

fn line(row: usize, columns: &[Column]) -> String {
    let cell = |column: &Column| {
        let cell = &column.cells[row];
        let short = match column.shrink {
            Shrink::Nothing => cell.to_owned(),
            Shrink::Middle => shortened(cell, column.width),
            Shrink::End => cut(cell, column.width),
        };
        let blanks = column.width.saturating_sub(width(&short));
        short + &" ".repeat(blanks)
    };
    columns.iter().map(cell).collect::<Vec<_>>().join(GAP).trim_end().to_owned() + "\n"
}

/// The width that is assumed if none is known.
const COLUMNS: usize = 80;
/// The width of the labels in a list of facts.
const LABEL_COLUMNS: usize = 12;
/// Returns the width available for a line: the variable `COLUMNS` if it is set, else the width of the terminal on
/// standard output, else 80.
pub fn columns() -> usize {
    let told = || env::var("COLUMNS").ok()?.parse().ok();
    let terminal = || Some(usize::from(crossterm::terminal::size().ok()?.0));
    let terminal = || io::stdout().is_terminal().then(terminal).flatten();
    let has_some = |columns: &usize| *columns > 0;
    told().filter(has_some).or_else(|| terminal().filter(has_some)).unwrap_or(COLUMNS)
}

/// Returns a text as lines of at most `columns`, broken between words. A longer word is shortened.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    folded(text, columns).into_iter().map(|line| shortened(&line, columns)).collect()
}

/// Returns a label followed by the wrapped text. Further lines are aligned below the first line of the text.
pub fn labelled(label: &str, text: &str, columns: usize) -> String {
    let lines = wrapped(text, columns.saturating_sub(LABEL_COLUMNS + 1).max(1));
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    let line = |(label, line): (&str, &String)| {
        format!("{label:<LABEL_COLUMNS$} {line}").trim_end().to_owned() + "\n"
    };
    labels.zip(&lines).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(rows: &[[&str; 4]], available: usize) -> String {
        let columns = [
            ("n", Shrink::Nothing),
            ("route", Shrink::End),
            ("file", Shrink::Middle),
            ("answers", Shrink::End),
        ];
        let columns = columns
            .iter()
            .enumerate()
            .map(|(index, (head, shrink))| Column::new(head, *shrink, rows, |row| row[index].to_owned()));
        table(columns.collect(), available)
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
        // Each character is two columns wide.
        assert_eq!(shortened("課題課題課題.txt", 10), "課題….txt");
        // A combining accent stays with its letter or is removed with it.
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
