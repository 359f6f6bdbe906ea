//! Tests the progress bar of `solve` on a pseudo-terminal.
//!
//! Also tests its look during a hard puzzle, and with answers on the same terminal.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use nix::pty::{Winsize, openpty};

use super::{BOARD_1, Desk, tabuleiro};

/// Maximum time until the bar appears, and until the job ends.
const PATIENCE: Duration = Duration::from_secs(60);
/// Enough boards for the job to begin. It lasts until the input is closed.
const BOARDS: usize = 2000;

/// Returns what the terminal receives, piece by piece, until no program holds it.
fn screen(mut terminal: File) -> Receiver<String> {
    let (sender, pieces) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        // Reading a terminal ends with an error after all programs have closed it.
        while let Ok(count @ 1..) = terminal.read(&mut buffer) {
            let _ = sender.send(String::from_utf8_lossy(&buffer[..count]).into_owned());
        }
    });
    pieces
}

/// Starts `solve` with standard error on a new terminal, and with an input that stays open.
fn begin(desk: &Desk, term: &str) -> (Child, Receiver<String>) {
    let size = Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = openpty(Some(&size), None).unwrap();
    let mut child = tabuleiro()
        .args(["solve", "--solver", "checkers-capture", "-o", "saida.txt"])
        .current_dir(desk.at(""))
        .env("TERM", term)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::from(pty.slave))
        .spawn()
        .unwrap();
    let boards = BOARD_1.trim_end_matches("0 0\n").repeat(BOARDS);
    child.stdin.as_mut().unwrap().write_all(boards.as_bytes()).unwrap();
    (child, screen(File::from(pty.master)))
}

#[test]
fn a_long_job_shows_its_progress_and_takes_it_back() {
    let desk = Desk::new();
    let (mut child, pieces) = begin(&desk, "xterm");
    let mut text = String::new();
    while !text.contains(" puzzles, ") {
        text += &pieces.recv_timeout(PATIENCE).expect("a bar");
    }
    drop(child.stdin.take());
    while let Ok(piece) = pieces.recv_timeout(PATIENCE) {
        text += &piece;
    }
    assert!(child.wait().unwrap().success(), "{text:?}");
    assert_eq!(desk.read("saida.txt"), "1\n".repeat(BOARDS));
    // The bar is erased, and the following text begins on its line.
    let (_, behind) = text.rsplit_once("\x1b[2K").unwrap_or_else(|| panic!("no line taken back: {text:?}"));
    let behind = behind.trim_start_matches('\r');
    assert!(behind.starts_with("<stdin>:") && behind.contains("the end marker 0 0 is missing"), "{text:?}");
    assert!(behind.contains(&format!("checkers-capture: {BOARDS} boards, 0 invalid")), "{text:?}");
}

/// A terminal that cannot erase anything gets only the final text. A very short job would show no bar in any case; this
/// job ends after it has begun, and the text is the same however long that took.
#[test]
fn a_dumb_terminal_gets_no_bar() {
    let desk = Desk::new();
    let (mut child, pieces) = begin(&desk, "dumb");
    drop(child.stdin.take());
    let mut text = String::new();
    while let Ok(piece) = pieces.recv_timeout(PATIENCE) {
        text += &piece;
    }
    assert!(child.wait().unwrap().success(), "{text:?}");
    assert!(text.starts_with("<stdin>:") && !text.contains('\x1b'), "{text:?}");
}

/// A board with one long row of jumps, on which backtracking does not end in a lifetime.
fn hard_board() -> String {
    let row = |row: usize| if row.is_multiple_of(2) { "2 ".repeat(10) } else { "0 ".repeat(10) };
    let rows: Vec<_> = (0..20).map(row).collect();
    format!("20 20\n{}\n", rows.join("\n").replacen("0 ", "1 ", 1))
}

#[test]
fn a_hard_puzzle_is_told_and_the_answers_stay_whole_on_the_same_terminal() {
    let desk = Desk::new();
    let easy = BOARD_1.trim_end_matches("0 0\n");
    // More than is buffered, so that some answers are written while the bar is shown.
    let boards = format!("{}{}{}0 0\n", easy.repeat(6000), hard_board(), easy.repeat(10));
    fs::write(desk.at("hard.txt"), boards).unwrap();
    let size = Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = openpty(Some(&size), None).unwrap();
    let set = ["--set", "algorithm=backtracking", "--set", "limits=none", "--set", "time_limit=4s"];
    let mut child = tabuleiro()
        .args(["solve", "--solver", "checkers-capture", "-i", "hard.txt"])
        .args(set)
        .current_dir(desk.at(""))
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::from(pty.slave.try_clone().unwrap()))
        .stderr(Stdio::from(pty.slave))
        .spawn()
        .unwrap();
    let pieces = screen(File::from(pty.master));
    let mut terminal = vt100::Parser::new(24.try_into().unwrap(), 100.try_into().unwrap(), 10_000);
    let (mut text, mut seen) = (String::new(), String::new());
    while let Ok(piece) = pieces.recv_timeout(PATIENCE) {
        terminal.process(piece.as_bytes());
        text += &piece;
        let contents = terminal.screen().contents();
        if contents.contains("puzzle 6001 of 6011, for ") {
            seen = contents;
        }
    }
    assert_eq!(child.wait().unwrap().code(), Some(75), "{text:?}");
    assert!(seen.contains(" s of at most 4 s"), "{text:?}");
    assert_eq!(seen.matches("puzzle").count(), 2, "the bar stands there once: {seen}");
    let lines = terminal.screen().contents();
    let lines: Vec<_> = lines.lines().collect();
    let at =
        lines.iter().position(|line| line.starts_with("undecided")).unwrap_or_else(|| panic!("{lines:?}"));
    assert!(lines[..at].iter().all(|line| *line == "1"), "{lines:?}");
    assert_eq!(&lines[at + 1..at + 11], ["1"; 10], "{lines:?}");
    assert!(lines[at + 11].starts_with("hard.txt:") && !lines.concat().contains("6001 of 6011"), "{lines:?}");
}
