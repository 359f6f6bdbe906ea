//! `tabuleiro play` as a person has it: keys go into a pseudo-terminal, a screen comes out.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};

use nix::pty::{Winsize, openpty};
use nix::sys::termios::{LocalFlags, tcgetattr};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{Winsize as WindowSize, tcsetwinsize};

use super::harness::{tabuleiro, wait_for};

/// A game in a terminal; killed when it is dropped.
struct Desk {
    child: Child,
    /// The person's end of the terminal, and the program's.
    keys: File,
    program_end: OwnedFd,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl Desk {
    /// Starts a game on a terminal of `columns` × `rows`.
    fn new(arguments: &[&str], (columns, rows): (u16, u16), change: impl FnOnce(&mut Command)) -> Self {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = openpty(&size, None).unwrap();
        let mut command = tabuleiro();
        let stream = || Stdio::from(terminal.slave.try_clone().unwrap());
        command.arg("play").args(arguments).stdin(stream()).stdout(stream()).stderr(stream());
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
        change(&mut command);
        let child = command.spawn().unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(cells(rows), cells(columns), 0)));
        let keys = File::from(terminal.master);
        let (mut output, seen) = (keys.try_clone().unwrap(), Arc::clone(&screen));
        // Ends when the last program on the other end is gone.
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                seen.lock().unwrap().process(&buffer[..count]);
            }
        });
        Self { child, keys, program_end: terminal.slave, screen }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the screen has all these parts.
    fn wait_for(&self, parts: &[&str]) -> String {
        wait_for(&format!("{parts:?}"), || {
            let text = self.text();
            parts.iter().all(|part| text.contains(part)).then_some(text)
        })
    }

    /// Whether keys go to the program as they are pressed.
    fn is_raw(&self) -> bool {
        let modes = tcgetattr(self.program_end.as_fd()).unwrap();
        !modes.local_flags.intersects(LocalFlags::ICANON | LocalFlags::ECHO)
    }

    /// Waits for the end, and checks that the terminal is as it was.
    fn end(&mut self) -> ExitStatus {
        let status = wait_for("the end of the game", || self.child.try_wait().unwrap());
        assert!(!self.is_raw());
        wait_for("the screen as it was", || {
            let screen = self.screen.lock().unwrap();
            let screen = screen.screen();
            (!screen.alternate_screen() && !screen.hide_cursor()).then_some(())
        });
        status
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

fn game(arguments: &[&str]) -> Desk {
    Desk::new(arguments, (80, 24), |_| {})
}

/// The numbers on the board, as they stand on the screen.
fn pieces(text: &str) -> Vec<u64> {
    let rows = text.lines().filter(|line| line.starts_with('|'));
    rows.flat_map(|row| row.split('|')).filter_map(|square| square.trim().parse().ok()).collect()
}

#[test]
fn keys_move_take_back_and_ask_the_program() {
    let mut desk = game(&["--seed", "7"]);
    let opening = desk.wait_for(&["score 0  moves 0  seed 7", "N new game"]);
    assert_eq!(pieces(&opening).len(), 2);
    assert!(desk.is_raw());
    desk.press("a");
    let first = desk.wait_for(&["moves 1 ", "the program moved "]);
    desk.press("u");
    let back = desk.wait_for(&["moves 0 ", "taken back"]);
    assert_eq!(pieces(&back), pieces(&opening));
    desk.press("a");
    assert_eq!(pieces(&desk.wait_for(&["moves 1 "])), pieces(&first));
    // An arrow as a terminal sends it, or a letter, until each way of moving has had its effect.
    for (left, right, moves) in
        [("\x1b[D", "\x1b[C", "moves 2 "), ("h", "l", "moves 3 "), ("\x1b[A", "\x1b[B", "moves 4 ")]
    {
        desk.press(left);
        let text = wait_for("a move or none", || {
            let text = desk.text();
            (text.contains(moves) || text.contains("changes nothing")).then_some(text)
        });
        if !text.contains(moves) {
            desk.press(right);
            desk.wait_for(&[moves]);
        }
    }
    desk.press("n");
    desk.wait_for(&["moves 0  seed 8", "a new game"]);
    desk.press("u");
    desk.wait_for(&["moves 4  seed 7"]);
    desk.press("q");
    assert_eq!(desk.end().code(), Some(0));
    desk.wait_for(&["4 moves, seed 7"]);
}

#[test]
fn the_program_plays_a_small_game_to_its_end() {
    let mut desk = game(&["--size", "2", "--seed", "3"]);
    desk.wait_for(&["seed 3"]);
    for _ in 0..200 {
        desk.press("a");
    }
    desk.wait_for(&["game over: the largest piece is "]);
    desk.press("\x03");
    assert_eq!(desk.end().code(), Some(0));
}

#[test]
fn a_signal_ends_the_game_and_gives_the_terminal_back() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let mut desk = game(&["--seed", "1"]);
        desk.wait_for(&["seed 1"]);
        assert!(desk.is_raw());
        kill_process(Pid::from_child(&desk.child), signal).unwrap();
        assert_eq!(desk.end().code(), Some(0), "{signal:?}");
    }
}

#[test]
fn another_size_of_the_terminal_is_drawn_anew() {
    let mut desk = Desk::new(&["--seed", "1"], (20, 5), |_| {});
    desk.wait_for(&["the terminal is too", "29 x 11 are needed"]);
    desk.screen.lock().unwrap().screen_mut().set_size(cells(24), cells(80));
    let size = WindowSize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&desk.keys, size).unwrap();
    // The system tells a terminal's foreground processes; this test's own terminal is another one.
    kill_process(Pid::from_child(&desk.child), Signal::WINCH).unwrap();
    desk.wait_for(&["score 0  moves 0  seed 1", "+------+------+------+------+"]);
    desk.press("q");
    desk.end();
}

#[test]
fn pieces_are_coloured_unless_nobody_wants_it() {
    for (no_color, coloured) in [("", true), ("1", false)] {
        let mut desk = Desk::new(&["--seed", "1"], (80, 24), |command| {
            command.env("NO_COLOR", no_color);
        });
        desk.wait_for(&["seed 1", "Q quit"]);
        let any = {
            let parser = desk.screen.lock().unwrap();
            let screen = parser.screen();
            let cells = (0..24).flat_map(|row| (0..80).filter_map(move |column| screen.cell(row, column)));
            cells.into_iter().any(|cell| cell.bgcolor() != vt100::Color::Default)
        };
        assert_eq!(any, coloured, "NO_COLOR={no_color}");
        desk.press("q");
        desk.end();
    }
}

#[test]
fn without_a_terminal_it_refuses() {
    let refused = |command: &mut Command| {
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(64));
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    let said = refused(tabuleiro().arg("play").stdin(Stdio::null()));
    assert_eq!(said, "tabuleiro: a game needs a terminal: standard input is no terminal\n");
    for wrong in [["--size", "1"], ["--size", "65"], ["--seed", "x"], ["--set", "depth=99"]] {
        let said = refused(tabuleiro().arg("play").args(wrong).stdin(Stdio::null()));
        assert!(said.contains(wrong[0]), "{said}");
    }
    let mut desk = Desk::new(&[], (80, 24), |command| {
        command.env("TERM", "dumb");
    });
    desk.wait_for(&["TERM=dumb"]);
    assert_eq!(desk.end().code(), Some(64));
}
