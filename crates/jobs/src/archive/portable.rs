//! Chooses names for the members of an archive that every system can unpack.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::naming::archived;
use tabuleiro_puzzles::input::folded;

/// Characters that Windows allows in no name, besides control characters.
const FORBIDDEN: &[char] = &['<', '>', ':', '"', '|', '?', '*', '\\'];
/// Names of Windows devices, which it reserves with any extension.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// Names that Windows also reserves if a digit follows.
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// Assigns paths that stay different on systems that ignore case, or that treat `é` and `e` with a combining accent as
/// the same.
#[derive(Default)]
pub(super) struct Paths {
    /// The assigned paths, folded.
    taken: HashSet<String>,
    /// The name assigned to a folder, by the path of its parent and the wanted name.
    folders: BTreeMap<(String, String), String>,
    /// The next number for a folded path.
    numbers: HashMap<String, u32>,
}

impl Paths {
    /// Assigns a path to a new file and returns its names. `_` replaces each character that some system does not allow.
    /// If the name of the file or of a folder above it is taken, that name gets a number before its extension.
    pub(super) fn place(&mut self, path: &str) -> Vec<String> {
        let mut placed = Vec::new();
        let mut above = String::new();
        let mut names = path.split('/').map(portable).peekable();
        while let Some(wanted) = names.next() {
            let is_file = names.peek().is_none();
            let known = if is_file { None } else { self.folders.get(&(above.clone(), wanted.clone())) };
            let name = known.cloned().unwrap_or_else(|| self.free(&above, &wanted));
            let path = format!("{above}/{}", folded(&name));
            self.taken.insert(path.clone());
            if !is_file {
                self.folders.insert((above, wanted), name.clone());
            }
            above = path;
            placed.push(name);
        }
        placed
    }

    /// Returns the wanted name, or the first free one with a number.
    fn free(&mut self, above: &str, wanted: &str) -> String {
        let path = |name: &str| format!("{above}/{}", folded(name));
        if !self.taken.contains(&path(wanted)) {
            return wanted.to_owned();
        }
        let number = self.numbers.entry(path(wanted)).or_insert(1);
        loop {
            *number += 1;
            let name = archived(wanted.as_ref(), &number.to_string()).to_string_lossy().into_owned();
            if !self.taken.contains(&path(&name)) {
                return name;
            }
        }
    }
}

/// Returns a name that is valid on every system and is neither empty nor a reference to a folder. It is at most as long
/// as `name`, except that an empty name becomes `_`.
fn portable(name: &str) -> String {
    if matches!(name, "" | "." | "..") {
        return "_".to_owned();
    }
    let replaced = |c: char| if c.is_control() || FORBIDDEN.contains(&c) { '_' } else { c };
    let mut name: String = name.chars().map(replaced).collect();
    // Windows drops dots and blanks at the end of a name.
    let end = name.trim_end_matches(['.', ' ']).len();
    name.replace_range(end.., &"_".repeat(name.len() - end));
    let device = name.split('.').next().unwrap_or_default().trim_end_matches(' ');
    if is_device(device)
        && let Some((last, _)) = device.char_indices().next_back()
    {
        let end = device.len();
        name.replace_range(last..end, "_");
    }
    name
}

fn is_device(name: &str) -> bool {
    let is_numbered = || {
        let mut chars = name.chars();
        let last = chars.next_back();
        let is_digit = last.is_some_and(|last| matches!(last, '0'..='9' | '¹' | '²' | '³'));
        is_digit && NUMBERED_DEVICES.iter().any(|device| device.eq_ignore_ascii_case(chars.as_str()))
    };
    DEVICES.iter().any(|device| device.eq_ignore_ascii_case(name)) || is_numbered()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naming::NAME_BYTES_MAX;
    use tabuleiro_puzzles::solver::Random;

    #[test]
    fn what_no_system_may_take_is_replaced() {
        for (name, expected) in [
            ("saída 1.txt", "saída 1.txt"),
            ("a<>:\"|?*\\b", "a________b"),
            ("a*?", "a__"),
            ("a\u{0}\u{7}\n\u{7f}\u{85}b", "a_____b"),
            ("", "_"),
            (".", "_"),
            ("..", "_"),
            ("...", "___"),
            ("nota.txt. .", "nota.txt___"),
            (".nota", ".nota"),
            ("NUL", "NU_"),
            ("nul.txt", "nu_.txt"),
            ("Con .nota.txt", "Co_ .nota.txt"),
            ("aux.", "aux_"),
            ("COM1.txt", "COM_.txt"),
            ("lpt9", "lpt_"),
            ("COM¹", "COM_"),
            ("CONIN$", "CONIN_"),
            ("COM10.txt", "COM10.txt"),
            ("nula", "nula"),
            ("x.NUL", "x.NUL"),
        ] {
            assert_eq!(portable(name), expected, "{name:?}");
        }
    }

    #[test]
    fn names_that_are_one_somewhere_get_numbers() {
        let mut paths = Paths::default();
        for (path, expected) in [
            ("Ana/nota.txt", "Ana/nota.txt"),
            ("ana/nota.txt", "ana.2/nota.txt"),
            ("ana/NOTA.TXT", "ana.2/NOTA.2.TXT"),
            ("Ana/x", "Ana/x"),
            ("João/x", "João/x"),
            ("Joa\u{303}o/x", "Joa\u{303}o.2/x"),
            ("Joao/x", "Joao/x"),
            ("NU_", "NU_"),
            ("nul", "nu_.2"),
            ("Ana", "Ana.3"),
            ("ana.2", "ana.2.2"),
            ("Ana.2/y", "Ana.3.2/y"),
        ] {
            assert_eq!(paths.place(path).join("/"), expected, "{path:?}");
        }
    }

    /// Many names of few characters, nearly all of them special on some system.
    #[test]
    fn whatever_is_added_has_names_of_its_own_on_every_system() {
        let parts = [
            "a", "A", "é", "e\u{301}", "É", ".", " ", ":", "*", "nul", "CoM1", "/", "\u{1f}", "ß", "SS", "ǅ",
            "K", "\u{212a}",
        ];
        let mut random = Random::new(7);
        for _ in 0..300 {
            let mut paths = Paths::default();
            let (mut seen, mut folders) = ([HashSet::new(), HashSet::new()], HashSet::new());
            for _ in 0..60 {
                let count = 1 + random.below(5);
                let path: String =
                    (0..count).map(|_| parts[random.below(parts.len() as u64) as usize]).collect();
                let placed = paths.place(&path);
                for name in &placed {
                    assert_eq!(
                        (portable(name), name.contains('/')),
                        (name.clone(), false),
                        "{path:?}: {placed:?}"
                    );
                    assert!(name.len() <= NAME_BYTES_MAX);
                }
                let placed = placed.join("/");
                let [lower, upper] = &mut seen;
                assert!(
                    lower.insert(placed.to_lowercase()) && upper.insert(placed.to_uppercase()),
                    "{path:?}: {placed:?}"
                );
                let above: Vec<_> =
                    placed.match_indices('/').map(|(at, _)| placed[..at].to_lowercase()).collect();
                folders.extend(above);
            }
            assert!(seen[0].is_disjoint(&folders), "{folders:?}");
        }
    }
}
