//! Tables for people, as wide as the terminal.

use std::io::{self, IsTerminal};

/// Between two columns.
const GAP: &str = "  ";
/// The least that is left of a column that is cut.
const CUT_MIN: usize = 8;

/// The width of the terminal that standard output is; `None` where it is none, and nothing need be cut.
pub fn terminal_width() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns)).filter(|columns| *columns > 0)
}

/// Rows as lines, each column as wide as its widest cell. Where that is wider than `width`, the widest columns are cut,
/// with `…`. The cells must be printable.
pub fn table(head: &[&str], rows: &[Vec<String>], width: Option<usize>) -> String {
    let length = |text: &str| text.chars().count();
    let mut widths: Vec<_> = head.iter().map(|text| length(text)).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = length(cell).max(*width);
        }
    }
    if let Some(available) = width {
        shrink(&mut widths, available);
    }
    let head: Vec<_> = head.iter().map(|text| (*text).to_owned()).collect();
    std::iter::once(&head).chain(rows).map(|row| line(row, &widths)).collect()
}

/// Takes from the widest column until all fit, or none can give anything.
fn shrink(widths: &mut [usize], available: usize) {
    let gaps = GAP.len() * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > available {
        match widths.iter_mut().max() {
            Some(widest) if *widest > CUT_MIN => *widest -= 1,
            _ => return,
        }
    }
}

fn line(row: &[String], widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).map(|(cell, width)| {
        let count = cell.chars().count();
        if count > *width {
            cell.chars().take(width.saturating_sub(1)).chain(['…']).collect()
        } else {
            cell.to_owned() + &" ".repeat(width - count)
        }
    });
    cells.collect::<Vec<_>>().join(GAP).trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other_and_the_widest_is_cut() {
        let rows = [["1", "ação.txt", "x"], ["22", "a-very-long-name.txt", "yy"]]
            .map(|row| row.map(str::to_owned).to_vec());
        let whole = table(&["n", "file", "z"], &rows, None);
        assert_eq!(
            whole,
            "n   file                  z\n1   ação.txt              x\n22  a-very-long-name.txt  yy\n"
        );
        let cut = table(&["n", "file", "z"], &rows, Some(18));
        assert_eq!(cut, "n   file        z\n1   ação.txt    x\n22  a-very-lo…  yy\n");
        assert!(table(&["n", "file", "z"], &rows, Some(3)).contains("a-very-…"), "never cut to nothing");
    }
}
