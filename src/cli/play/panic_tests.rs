//! A panic restores the terminal: a child process takes a pseudo-terminal, and one of its threads panics.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::process::{Command, Stdio};

use nix::pty::openpty;
use nix::sys::termios::tcgetattr;

use super::terminal::Terminal;

/// Set only in the environment of the child process.
const ON_TERMINAL: &str = "TABULEIRO_TEST_ON_TERMINAL";
/// Written to the terminal after the output of the child process.
const END: &str = "the end of the test";
/// The exit code of the child process, which does not restore the terminal when it ends.
const KEPT: i32 = 17;

/// Runs in the child process that the other test starts.
#[test]
#[ignore = "needs a terminal of its own, which the other test gives to it"]
fn a_thread_panics_on_a_terminal() {
    if std::env::var_os(ON_TERMINAL).is_none() {
        return;
    }
    let _terminal = Terminal::take().unwrap();
    assert!(crossterm::terminal::is_raw_mode_enabled().unwrap());
    let helper = std::thread::spawn(|| panic!("a helper's panic"));
    assert!(helper.join().is_err());
    // The terminal is not dropped, so only the panic can have restored it.
    std::process::exit(KEPT);
}

#[test]
fn a_panic_gives_the_terminal_back_before_its_message() {
    let pair = openpty(None, None).unwrap();
    let before = tcgetattr(pair.slave.as_fd()).unwrap();
    let name = format!("{}::a_thread_panics_on_a_terminal", module_path!());
    // The name of a test does not include the crate.
    let (_, name) = name.split_once("::").unwrap();
    let stream = || Stdio::from(pair.slave.try_clone().unwrap());
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--ignored", "--nocapture"])
        .env(ON_TERMINAL, "1")
        .stdin(stream())
        .stdout(stream())
        .stderr(stream())
        .spawn()
        .unwrap();
    let mut output = File::from(pair.master);
    let reader = std::thread::spawn(move || {
        let mut seen = Vec::new();
        let mut buffer = [0; 4096];
        while !seen.ends_with(END.as_bytes()) {
            let count = output.read(&mut buffer).unwrap();
            seen.extend_from_slice(&buffer[..count]);
        }
        String::from_utf8(seen).unwrap()
    });
    let status = child.wait().unwrap();
    let after = tcgetattr(pair.slave.as_fd()).unwrap();
    File::from(pair.slave).write_all(END.as_bytes()).unwrap();
    let seen = reader.join().unwrap();
    assert_eq!(status.code(), Some(KEPT), "{seen}");
    assert_eq!(after, before);
    // The child enters and leaves the alternate screen, and shows the cursor, before it prints the message. Otherwise
    // the message would be lost with that screen.
    let mut rest = seen.as_str();
    for part in ["\u{1b}[?1049h", "\u{1b}[?25l", "\u{1b}[?1049l", "\u{1b}[?25h", "a helper's panic"] {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("no {part:?} in {seen:?}")).1;
    }
    assert!(!rest.contains("\u{1b}[?1049"), "{seen:?}");
}
