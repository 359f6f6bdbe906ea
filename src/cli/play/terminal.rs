//! The terminal of a game: its modes taken and given back, keys read, screens drawn.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::style::{Attribute, Color, Print, PrintStyledContent, ResetColor, SetAttribute, Stylize};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue};
use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM};

use super::session::{Session, Wish};
use super::view::{Lines, Span, lines};
use crate::board::sliding::Direction;

/// How long to wait for a key before asking whether a signal came.
const SIGNALS_EVERY: Duration = Duration::from_millis(50);

/// What the terminal reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// A key that asks for something.
    Wish(Wish),
    /// The screen has another size.
    Resized,
    /// A key or a signal asks the program to end.
    Quit,
}

/// The terminal while a game is played on it. It is given back as it was when this is dropped.
pub struct Terminal {
    end: Arc<AtomicBool>,
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
        for signal in [SIGTERM, SIGHUP, SIGINT] {
            signal_hook::flag::register(signal, Arc::clone(&end))?;
        }
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            hook(panic);
        }));
        // From here on whatever happens gives the terminal back.
        let terminal = Self { end };
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
    pub fn input(&self) -> io::Result<Input> {
        loop {
            if self.end.load(Ordering::Relaxed) {
                return Ok(Input::Quit);
            }
            if !event::poll(SIGNALS_EVERY)? {
                continue;
            }
            match event::read()? {
                Event::Resize(..) => return Ok(Input::Resized),
                Event::Key(key) => {
                    if let Some(input) = meaning(key) {
                        return Ok(input);
                    }
                }
                _ => {}
            }
        }
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

/// What a key asks for; `None` when it has no meaning.
fn meaning(key: KeyEvent) -> Option<Input> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let wish = match key.code {
        KeyCode::Char('c' | 'd') if control => return Some(Input::Quit),
        _ if control || key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Left | KeyCode::Char('h' | 'H') => Wish::Move(Direction::Left),
        KeyCode::Right | KeyCode::Char('l' | 'L') => Wish::Move(Direction::Right),
        KeyCode::Up | KeyCode::Char('k' | 'K') => Wish::Move(Direction::Up),
        KeyCode::Down | KeyCode::Char('j' | 'J') => Wish::Move(Direction::Down),
        KeyCode::Char('a' | 'A') => Wish::Advice,
        KeyCode::Char('u' | 'U') => Wish::Undo,
        KeyCode::Char('n' | 'N') => Wish::Restart,
        KeyCode::Char('q' | 'Q') => return Some(Input::Quit),
        _ => return None,
    };
    Some(Input::Wish(wish))
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

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<Input> {
        meaning(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn keys_ask_for_what_the_help_says() {
        let none = KeyModifiers::NONE;
        for (code, direction) in [
            (KeyCode::Left, Direction::Left),
            (KeyCode::Char('h'), Direction::Left),
            (KeyCode::Down, Direction::Down),
            (KeyCode::Char('j'), Direction::Down),
            (KeyCode::Up, Direction::Up),
            (KeyCode::Char('K'), Direction::Up),
            (KeyCode::Right, Direction::Right),
            (KeyCode::Char('l'), Direction::Right),
        ] {
            assert_eq!(key(code, none), Some(Input::Wish(Wish::Move(direction))));
        }
        assert_eq!(key(KeyCode::Char('a'), none), Some(Input::Wish(Wish::Advice)));
        assert_eq!(key(KeyCode::Char('N'), KeyModifiers::SHIFT), Some(Input::Wish(Wish::Restart)));
        assert_eq!(key(KeyCode::Char('u'), none), Some(Input::Wish(Wish::Undo)));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Input::Quit));
        assert_eq!(key(KeyCode::Char('u'), KeyModifiers::CONTROL), None);
        assert_eq!(key(KeyCode::Char('x'), none), None);
        let released = KeyEvent::new_with_kind(KeyCode::Char('q'), none, KeyEventKind::Release);
        assert_eq!(meaning(released), None);
    }

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
