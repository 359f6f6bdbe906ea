//! The terminal of a game: its modes taken and given back, keys read, screens drawn.

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

use super::keys::{Input, KeyReader};
use super::session::Session;
use super::view::{Lines, Span, lines};

/// How long the rest of a key's bytes may take. What comes later is a key of its own.
const KEY_REST_WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// The terminal while a game is played on it. It is given back as it was when this is dropped.
///
/// Keys are read here and not by crossterm, whose reader spins for ever once the terminal is closed, and returns for no
/// signal meanwhile.
pub struct Terminal {
    /// A signal asks the program to end.
    end: Arc<AtomicBool>,
    /// Gets a byte with every signal.
    signals: UnixStream,
    keys: KeyReader,
    /// Inputs that arrived together and are not returned yet.
    pending: VecDeque<Input>,
}

impl Terminal {
    /// Why a game cannot be played here; `None` where it can.
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

    /// Takes the terminal: raw mode, the alternate screen, no cursor. A panic gives it back before its message is
    /// printed.
    ///
    /// # Errors
    /// What the system said.
    pub fn take() -> io::Result<Self> {
        let end = Arc::default();
        let (signals, wake) = UnixStream::pair()?;
        signals.set_nonblocking(true)?;
        for signal in [SIGTERM, SIGHUP, SIGINT] {
            // The second signal kills: writing to a terminal that takes nothing may last for ever.
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
        // From here on whatever happens gives the terminal back.
        let terminal = Self { end, signals, keys: KeyReader::default(), pending: VecDeque::new() };
        terminal::enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide, Clear(ClearType::All))?;
        Ok(terminal)
    }

    /// Shows a session, without colours when the environment has a `NO_COLOR` that is not empty.
    ///
    /// # Errors
    /// What the system said.
    pub fn show(session: &Session) -> io::Result<()> {
        let (columns, rows) = terminal::size()?;
        let mut screen = Vec::new();
        draw(&mut screen, &lines(session, columns, rows))?;
        let mut out = io::stdout().lock();
        out.write_all(&screen)?;
        out.flush()
    }

    /// Waits for the next thing that matters.
    ///
    /// # Errors
    /// What the system said.
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

    /// Reads the keys that are there. Returns false when the terminal is gone: at its end, or hung up.
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

/// Gives the terminal back; done twice it does no harm. Nothing can be done when it is gone.
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

/// Writes a whole screen: every line, and nothing left of what stood there before.
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

/// Text and ground of a piece, from the terminal's 256 colours: the larger, the warmer.
fn colours(rank: u8) -> (Color, Color) {
    const GROUNDS: [u8; 11] = [255, 230, 222, 215, 209, 203, 196, 228, 227, 226, 220];
    let ground = GROUNDS.get(usize::from(rank).saturating_sub(1)).copied();
    match ground {
        Some(ground) => (Color::AnsiValue(16), Color::AnsiValue(ground)),
        // From 4096 on.
        None => (Color::AnsiValue(231), Color::AnsiValue(54)),
    }
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
}
