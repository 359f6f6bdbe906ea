//! What a terminal reports, and the bytes that it sends for keys.

use super::session::Wish;
use tabuleiro_puzzles::board::sliding::Direction;

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

/// Reads keys byte by byte, so that a key whose bytes arrive in two parts is still one key.
#[derive(Debug, Default)]
pub struct KeyReader {
    state: State,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    /// Between two keys.
    #[default]
    Start,
    /// After the byte that begins a sequence, which is also the key Esc.
    Escape,
    /// Inside a sequence, right after `ESC [` or `ESC O`.
    Begun,
    /// Inside a sequence of a key that has no meaning here: with Ctrl or Alt, a function key.
    Other,
}

impl KeyReader {
    /// Whether the last byte may be part of a longer sequence.
    pub fn is_inside_key(&self) -> bool {
        !matches!(self.state, State::Start)
    }

    /// Ends a sequence of which nothing more came.
    pub fn end_key(&mut self) {
        self.state = State::Start;
    }

    /// Takes the next byte. Returns what the key asks for that ends with it; `None` when it has no meaning.
    pub fn take(&mut self, byte: u8) -> Option<Input> {
        let (state, input) = match (self.state, byte) {
            (_, 0x1b) => (State::Escape, None),
            (State::Escape, b'[' | b'O') => (State::Begun, None),
            (State::Start, _) => (State::Start, meaning(byte)),
            // The Linux console sends `ESC [ [ A` for F1.
            (State::Begun, b'[') => (State::Other, None),
            (State::Begun, b'A'..=b'D') => (State::Start, Some(Input::Wish(Wish::Move(arrow(byte))))),
            (State::Escape, _) | (State::Begun | State::Other, 0x40..=0x7e) => (State::Start, None),
            (State::Begun | State::Other, _) => (State::Other, None),
        };
        self.state = state;
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

/// Returns what a key of one byte asks for; `None` when it has no meaning.
fn meaning(byte: u8) -> Option<Input> {
    let wish = match byte.to_ascii_lowercase() {
        b'h' => Wish::Move(Direction::Left),
        b'l' => Wish::Move(Direction::Right),
        b'k' => Wish::Move(Direction::Up),
        b'j' => Wish::Move(Direction::Down),
        b'a' => Wish::Advice,
        b'u' => Wish::Undo,
        b'n' => Wish::Restart,
        // Ctrl-C and Ctrl-D, which a raw terminal hands over as bytes.
        b'q' | 0x03 | 0x04 => return Some(Input::Quit),
        _ => return None,
    };
    Some(Input::Wish(wish))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            assert_eq!(inputs(bytes.as_bytes()), [Input::Wish(Wish::Move(direction))], "{bytes:?}");
        }
        let wishes = [Wish::Advice, Wish::Restart, Wish::Undo].map(Input::Wish);
        assert_eq!(inputs(b"aNu"), wishes);
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
