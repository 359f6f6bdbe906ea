//! Tests `tabuleiro play` as a person uses it: keys go into a pseudo-terminal, a screen comes out.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};

use nix::fcntl::OFlag;
use nix::pty::{grantpt, posix_openpt, ptsname_r, unlockpt};
use nix::sys::termios::{LocalFlags, tcgetattr};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{Winsize, tcsetwinsize};

use super::harness::{tabuleiro, wait_for};

/// A game in a terminal.
struct Desk {
    child: Killed,
    /// The person's end of the terminal, and the program's end.
    keys: File,
    program_end: OwnedFd,
    screen: Arc<Mutex<vt100::Parser>>,
}

/// Opens a pseudo-terminal. Returns the person's end, which no program inherits, and the program's end.
fn pseudo_terminal((columns, rows): (u16, u16)) -> (File, OwnedFd) {
    let person = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_CLOEXEC).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let mut program = File::options();
    program.read(true).write(true).custom_flags(OFlag::O_NOCTTY.bits());
    let program = program.open(ptsname_r(&person).unwrap()).unwrap();
    let person = File::from(OwnedFd::from(person));
    tcsetwinsize(&person, size(columns, rows)).unwrap();
    (person, program.into())
}

fn size(columns: u16, rows: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

impl Desk {
    /// Starts a game on a terminal of `columns` × `rows`.
    fn new(arguments: &[&str], (columns, rows): (u16, u16), change: impl FnOnce(&mut Command)) -> Self {
        let (keys, program_end) = pseudo_terminal((columns, rows));
        let mut command = tabuleiro();
        let stream = || Stdio::from(program_end.try_clone().unwrap());
        command.arg("play").args(arguments).stdin(stream()).stdout(stream()).stderr(stream());
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
        change(&mut command);
        let child = Killed(command.spawn().unwrap());
        let screen = Arc::new(Mutex::new(vt100::Parser::new(cells(rows), cells(columns), 0)));
        let (mut output, seen) = (keys.try_clone().unwrap(), Arc::clone(&screen));
        // Ends when the last program at the other end is gone.
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                seen.lock().unwrap().process(&buffer[..count]);
            }
        });
        Self { child, keys, program_end, screen }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the screen contains all these parts.
    fn wait_for(&self, parts: &[&str]) -> String {
        wait_for(&format!("{parts:?}"), || {
            let text = self.text();
            parts.iter().all(|part| text.contains(part)).then_some(text)
        })
    }

    /// Returns whether the program receives keys as they are pressed.
    fn is_raw(&self) -> bool {
        let modes = tcgetattr(self.program_end.as_fd()).unwrap();
        !modes.local_flags.intersects(LocalFlags::ICANON | LocalFlags::ECHO)
    }

    /// Waits for the end and checks that the terminal is restored.
    fn end(&mut self) -> ExitStatus {
        let status = wait_for("the end of the game", || self.child.0.try_wait().unwrap());
        assert!(!self.is_raw());
        wait_for("the screen as it was", || {
            let screen = self.screen.lock().unwrap();
            let screen = screen.screen();
            (!screen.alternate_screen() && !screen.hide_cursor()).then_some(())
        });
        status
    }
}

/// A process that is killed when dropped.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

fn game(arguments: &[&str]) -> Desk {
    Desk::new(arguments, (80, 24), |_| {})
}

/// Returns the numbers on the board, as the screen shows them.
fn pieces(text: &str) -> Vec<u64> {
    let rows = text.lines().filter(|line| line.starts_with('|'));
    rows.flat_map(|row| row.split('|'))
        .filter_map(|square| square.trim_matches(|mark: char| " []()".contains(mark)).parse().ok())
        .collect()
}

#[test]
fn keys_move_take_back_and_ask_the_program() {
    let mut desk = game(&["--seed", "7"]);
    let opening = desk.wait_for(&["score 0  best 0  moves 0  seed 7", "? help"]);
    assert_eq!(pieces(&opening).len(), 2);
    assert!(desk.is_raw());
    desk.press("p");
    let first = desk.wait_for(&["moves 1 ", "the program moved "]);
    desk.press("u");
    let back = desk.wait_for(&["moves 0 ", "taken back"]);
    assert_eq!(pieces(&back), pieces(&opening));
    desk.press("p");
    assert_eq!(pieces(&desk.wait_for(&["moves 1 "])), pieces(&first));
    // An arrow as a terminal sends it, or a letter, until each way of moving has had an effect.
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
fn a_game_speaks_portuguese_hints_and_marks_new_pieces() {
    let mut desk = Desk::new(&["--seed", "7"], (80, 24), |command| {
        command.env_remove("LC_ALL").env_remove("LC_MESSAGES").env("LANG", "pt_BR.UTF-8");
    });
    desk.wait_for(&["pontos 0  recorde 0  jogadas 0  semente 7", "? ajuda"]);
    desk.press("?");
    desk.wait_for(&["pedir uma dica", "(2) é nova"]);
    desk.press("t");
    desk.wait_for(&["tente mover para ", "jogadas 0 "]);
    desk.press("p");
    desk.wait_for(&["o programa moveu para ", "jogadas 1 ", "(2)"]);
    desk.press("q");
    assert_eq!(desk.end().code(), Some(0));
    desk.wait_for(&["1 jogada, semente 7"]);
}

#[test]
fn the_program_plays_a_small_game_to_its_end() {
    let mut desk = game(&["--size", "2", "--seed", "3"]);
    desk.wait_for(&["seed 3"]);
    for _ in 0..200 {
        desk.press("p");
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
        kill_process(Pid::from_child(&desk.child.0), signal).unwrap();
        assert_eq!(desk.end().code(), Some(0), "{signal:?}");
    }
}

#[test]
fn a_signal_ends_the_game_in_the_middle_of_a_key_too() {
    let mut desk = game(&["--seed", "1"]);
    desk.wait_for(&["seed 1"]);
    desk.press("\x1b[1;");
    kill_process(Pid::from_child(&desk.child.0), Signal::TERM).unwrap();
    assert_eq!(desk.end().code(), Some(0));
}

#[test]
fn the_end_of_the_input_ends_the_game_and_gives_the_screen_back() {
    let (keyboard, stdin) = pseudo_terminal((80, 24));
    let mut desk = Desk::new(&["--seed", "1"], (80, 24), |command| {
        command.stdin(stdin);
    });
    desk.wait_for(&["seed 1"]);
    drop(keyboard);
    assert_eq!(desk.end().code(), Some(0));
    desk.wait_for(&["0 moves, seed 1"]);
}

/// The score can no longer be printed, and the exit code says so.
#[test]
fn a_terminal_that_is_closed_ends_the_game() {
    for keys in ["", "a", "\x1b["] {
        let (mut person, program_end) = pseudo_terminal((80, 24));
        let stream = || Stdio::from(program_end.try_clone().unwrap());
        let mut command = tabuleiro();
        command.args(["play", "--seed", "1"]).env("TERM", "xterm-256color");
        let child = command.stdin(stream()).stdout(stream()).stderr(stream()).spawn();
        let mut child = Killed(child.unwrap());
        drop((command, program_end));
        let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
        while !String::from_utf8_lossy(&seen).contains("seed 1") {
            let count = person.read(&mut buffer).unwrap();
            seen.extend_from_slice(&buffer[..count]);
        }
        person.write_all(keys.as_bytes()).unwrap();
        drop(person);
        let status = wait_for("the end of the game", || child.0.try_wait().unwrap());
        assert_eq!(status.code(), Some(74), "{keys:?}");
    }
}

#[test]
fn another_size_of_the_terminal_is_drawn_anew() {
    let mut desk = Desk::new(&["--seed", "1"], (20, 5), |_| {});
    desk.wait_for(&["the terminal is too", "29 x 11 are needed"]);
    desk.screen.lock().unwrap().screen_mut().set_size(cells(24), cells(80));
    tcsetwinsize(&desk.keys, size(80, 24)).unwrap();
    // The system notifies a terminal's foreground processes, but this test's own terminal is another one.
    kill_process(Pid::from_child(&desk.child.0), Signal::WINCH).unwrap();
    desk.wait_for(&["score 0  best 0  moves 0  seed 1", "+------+------+------+------+"]);
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
