//! The terminal of a game: sets and restores its modes, reads keys, and draws screens.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::style::{Attribute, Color, Print, PrintStyledContent, ResetColor, SetAttribute, Stylize};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::low_level::pipe;

use super::play_session::{Session, Wish};
use super::view::{Lines, Span, lines};
use tabuleiro_puzzles::board::sliding::Direction;

/// How long to wait for the remaining bytes of a key. Bytes that arrive later begin another key.
const KEY_REST_WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// The terminal while a game is played on it. Dropping it restores the previous modes.
///
/// This module reads keys itself: crossterm's reader loops forever once the terminal is closed, and a signal does not
/// interrupt it.
pub struct Terminal {
    /// Set when a signal asks the program to end.
    end: Arc<AtomicBool>,
    /// Receives one byte for every signal.
    signals: UnixStream,
    keys: KeyReader,
    /// Inputs that arrived together and are not yet returned.
    pending: VecDeque<Input>,
}

impl Terminal {
    /// Returns why a game cannot be played on this terminal; `None` if it can.
    pub fn refusal() -> Option<&'static str> {
        if !io::stdin().is_terminal() {
            return Some("standard input is no terminal");
        }
        if !io::stdout().is_terminal() {
            return Some("standard output is no terminal");
        }
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        dumb.then_some("the terminal cannot place text (TERM=dumb)")
    }

    /// Takes the terminal: raw mode, the alternate screen, no cursor. A panic restores it, then prints its message.
    ///
    /// # Errors
    /// Returns the error of the system call.
    pub fn take() -> io::Result<Self> {
        let end = Arc::default();
        let (signals, wake) = UnixStream::pair()?;
        signals.set_nonblocking(true)?;
        for signal in [SIGTERM, SIGHUP, SIGINT] {
            // A second signal kills the process, since writing to a terminal that accepts nothing may block forever.
            signal_hook::flag::register_conditional_default(signal, Arc::clone(&end))?;
            signal_hook::flag::register(signal, Arc::clone(&end))?;
            pipe::register(signal, wake.try_clone()?)?;
        }
        pipe::register(SIGWINCH, wake)?;
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            hook(panic);
        }));
        // From here on, dropping `terminal` restores the terminal after any error.
        let terminal = Self { end, signals, keys: KeyReader::default(), pending: VecDeque::new() };
        terminal::enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide, Clear(ClearType::All))?;
        Ok(terminal)
    }

    /// Shows a session. Uses no colours if the environment variable `NO_COLOR` is set and not empty.
    ///
    /// # Errors
    /// Returns the error of the system call.
    pub fn show(session: &Session) -> io::Result<()> {
        let (columns, rows) = terminal::size()?;
        let mut screen = Vec::new();
        draw(&mut screen, &lines(session, columns, rows))?;
        let mut out = io::stdout().lock();
        out.write_all(&screen)?;
        out.flush()
    }

    /// Waits for the next input.
    ///
    /// # Errors
    /// Returns the error of the system call.
    pub fn input(&mut self) -> io::Result<Input> {
        loop {
            if self.end.load(Ordering::Relaxed) {
                return Ok(Input::Quit);
            }
            if let Some(input) = self.pending.pop_front() {
                return Ok(input);
            }
            let stdin = rustix::stdio::stdin();
            let mut ready = [PollFd::new(&self.signals, PollFlags::IN), PollFd::new(&stdin, PollFlags::IN)];
            match poll(&mut ready, self.keys.is_inside_key().then_some(&KEY_REST_WAIT)) {
                Ok(0) => self.keys.end_key(),
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            let [has_signal, has_keys] = ready.map(|ready| !ready.revents().is_empty());
            if has_signal {
                while self.signals.read(&mut [0; 64]).is_ok_and(|count| count > 0) {}
                self.pending.push_back(Input::Resized);
            } else if has_keys && !self.read_keys()? {
                return Ok(Input::Quit);
            }
        }
    }

    /// Reads the available keys. Returns false if the terminal is closed or hung up.
    fn read_keys(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 1024];
        match rustix::io::read(rustix::stdio::stdin(), &mut bytes) {
            Ok(0) | Err(Errno::IO) => return Ok(false),
            Ok(count) => {
                self.pending.extend(bytes[..count].iter().filter_map(|byte| self.keys.take(*byte)));
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(true)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back();
    }
}

/// Restores the terminal. A second call does no harm. Errors are ignored: the terminal may be closed.
fn give_back() {
    let _ = execute!(
        io::stdout(),
        ResetColor,
        SetAttribute(Attribute::Reset),
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = terminal::disable_raw_mode();
}

/// Writes a whole screen, and clears what was there before.
fn draw(out: &mut Vec<u8>, lines: &Lines) -> io::Result<()> {
    for (row, line) in lines.iter().enumerate() {
        queue!(out, cursor::MoveTo(0, row as u16))?;
        for Span { text, rank } in line {
            match rank.map(colours) {
                Some((foreground, background)) => {
                    queue!(out, PrintStyledContent(text.as_str().with(foreground).on(background)))?;
                }
                None => queue!(out, Print(text))?,
            }
        }
        queue!(out, Clear(ClearType::UntilNewLine))?;
    }
    queue!(out, Clear(ClearType::FromCursorDown))
}

/// Returns the colours of a piece's text and background, of the terminal's 256 colours: the larger, the warmer.
fn colours(rank: u8) -> (Color, Color) {
    const GROUNDS: [u8; 11] = [255, 230, 222, 215, 209, 203, 196, 228, 227, 226, 220];
    let ground = GROUNDS.get(usize::from(rank).saturating_sub(1)).copied();
    match ground {
        Some(ground) => (Color::AnsiValue(16), Color::AnsiValue(ground)),
        // Pieces from 4096 on.
        None => (Color::AnsiValue(231), Color::AnsiValue(54)),
    }
}

/// What the terminal reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// A key that asks for something.
    Wish(Wish),
    /// The screen has another size.
    Resized,
    /// A key or a signal asks the program to end, or the terminal is gone.
    Quit,
}

/// Reads keys byte by byte. A key whose bytes arrive in two parts is still one key.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum KeyReader {
    /// Between two keys.
    #[default]
    Start,
    /// After the byte Esc, which begins a sequence and is also a key.
    Escape,
    /// Inside a sequence, right after `ESC [` or `ESC O`.
    Begun,
    /// Inside the sequence of a key without a meaning here: one with Ctrl or Alt, or a function key.
    Other,
}

impl KeyReader {
    /// Returns whether the last byte may be part of a longer sequence.
    pub fn is_inside_key(self) -> bool {
        self != Self::Start
    }

    /// Ends a sequence whose remaining bytes did not arrive.
    pub fn end_key(&mut self) {
        *self = Self::Start;
    }

    /// Processes the next byte. Returns what the key that it completes asks for; `None` if that key has no meaning.
    pub fn take(&mut self, byte: u8) -> Option<Input> {
        let (state, input) = match (*self, byte) {
            (_, 0x1b) => (Self::Escape, None),
            (Self::Escape, b'[' | b'O') => (Self::Begun, None),
            (Self::Start, _) => (Self::Start, meaning(byte)),
            // The Linux console sends `ESC [ [ A` for F1.
            (Self::Begun, b'[') => (Self::Other, None),
            (Self::Begun, b'A'..=b'D') => (Self::Start, Some(Input::Wish(Wish::Move(arrow(byte))))),
            (Self::Escape, _) | (Self::Begun | Self::Other, 0x40..=0x7e) => (Self::Start, None),
            (Self::Begun | Self::Other, _) => (Self::Other, None),
        };
        *self = state;
        input
    }
}

/// Returns the direction of an arrow by the last byte of its sequence.
fn arrow(byte: u8) -> Direction {
    match byte {
        b'A' => Direction::Up,
        b'B' => Direction::Down,
        b'C' => Direction::Right,
        _ => Direction::Left,
    }
}

/// Returns what a key of one byte asks for; `None` if it has no meaning.
fn meaning(byte: u8) -> Option<Input> {
    let wish = match byte.to_ascii_lowercase() {
        b'h' | b'a' => Wish::Move(Direction::Left),
        b'l' | b'd' => Wish::Move(Direction::Right),
        b'k' | b'w' => Wish::Move(Direction::Up),
        b'j' | b's' => Wish::Move(Direction::Down),
        b'p' => Wish::Advice,
        b't' => Wish::Hint,
        b'?' => Wish::Help,
        b'u' => Wish::Undo,
        b'n' => Wish::Restart,
        // A raw terminal passes Ctrl-C and Ctrl-D on as bytes.
        b'q' | 0x03 | 0x04 => return Some(Input::Quit),
        _ => return None,
    };
    Some(Input::Wish(wish))
}

#[cfg(test)]
mod tests {
    use crossterm::style::Colored;

    use super::*;

    #[test]
    fn colours_are_left_out_where_they_are_not_wanted() {
        let lines = vec![vec![Span { text: " 2 ".to_owned(), rank: Some(1) }]];
        let drawn = |colour: bool| {
            Colored::set_ansi_color_disabled(!colour);
            let mut out = Vec::new();
            draw(&mut out, &lines).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(drawn(true).contains("\u{1b}[48;5;255m\u{1b}[38;5;16m 2 "));
        assert!(!drawn(false).contains(";5;"), "{:?}", drawn(false));
    }

    fn inputs(bytes: &[u8]) -> Vec<Input> {
        let mut keys = KeyReader::default();
        bytes.iter().filter_map(|byte| keys.take(*byte)).collect()
    }

    #[test]
    fn keys_ask_for_what_the_help_says() {
        for (bytes, direction) in [
            ("\x1b[D", Direction::Left),
            ("\x1bOD", Direction::Left),
            ("h", Direction::Left),
            ("\x1b[B", Direction::Down),
            ("j", Direction::Down),
            ("\x1b[A", Direction::Up),
            ("K", Direction::Up),
            ("\x1b[C", Direction::Right),
            ("l", Direction::Right),
            ("a", Direction::Left),
            ("S", Direction::Down),
            ("w", Direction::Up),
            ("D", Direction::Right),
        ] {
            assert_eq!(inputs(bytes.as_bytes()), [Input::Wish(Wish::Move(direction))], "{bytes:?}");
        }
        let wishes = [Wish::Advice, Wish::Hint, Wish::Restart, Wish::Undo, Wish::Help].map(Input::Wish);
        assert_eq!(inputs(b"pTNu?"), wishes);
        assert_eq!(inputs(b"qQ\x03\x04"), [Input::Quit; 4]);
    }

    #[test]
    fn other_keys_ask_for_nothing_and_hide_none_that_follows() {
        // Ctrl-U, a letter, Alt-a, Ctrl-Left, F1 of the Linux console, F5, Delete, a letter of two bytes.
        for other in ["\x15", "x", "\x1ba", "\x1b[1;5D", "\x1b[[A", "\x1b[15~", "\x1b[3~", "\u{e9}"] {
            assert_eq!(inputs(other.as_bytes()), [], "{other:?}");
            let followed = format!("{other}u");
            assert_eq!(inputs(followed.as_bytes()), [Input::Wish(Wish::Undo)], "{followed:?}");
        }
    }

    #[test]
    fn a_key_may_arrive_in_parts_and_esc_alone_is_a_key() {
        let mut keys = KeyReader::default();
        assert_eq!((keys.take(0x1b), keys.is_inside_key()), (None, true));
        assert_eq!((keys.take(b'['), keys.is_inside_key()), (None, true));
        assert_eq!(keys.take(b'A'), Some(Input::Wish(Wish::Move(Direction::Up))));
        assert!(!keys.is_inside_key());
        keys.take(0x1b);
        keys.end_key();
        assert_eq!(keys.take(b'q'), Some(Input::Quit));
    }
}
