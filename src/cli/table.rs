//! Tables for people, that fit a terminal.

use super::columns::{cut, shortened, width};

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
}
