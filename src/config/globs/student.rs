//! Finds the student of a submission by a pattern for its path.

use std::ops::Range;
use std::path::Path;

use regex::bytes::{Captures, Regex, RegexBuilder};

use super::{Subject, compile};
use crate::config::toml_reader::quoted;
use tabuleiro_jobs::naming::MoodleName;

/// Words that stand for the folder layouts of programs that export submissions.
const PRESETS: [(&str, &str); 2] =
    [("nbgrader", "**/submitted/{student}/*/**"), (MOODLE, "**/{student}_{id}_assignsubmission_file*/**")];
/// The preset of Moodle, which can also export a class without folders.
const MOODLE: &str = "moodle";
const EXPECTED: &str = "expected \"nbgrader\", \"moodle\" or a pattern such as \"turma1/{student}/**\"";
/// For each placeholder, the regular expression that the matcher generates for it, and the one that replaces that. To
/// the matcher a placeholder is a choice of one word. A student's name consists of whole characters.
const GROUPS: [(&str, &str); 2] =
    [("(?:student)", "(?P<student>(?u-i:[^/])+)"), ("(?:id)", "(?P<id>[0-9]+)")];

/// A glob of paths below the inbox, or a preset word for one. `{student}` stands for the student's name; the optional
/// `{id}` stands for the student's number.
#[derive(Debug, Clone)]
pub struct Student {
    /// The pattern as it was written in the configuration.
    pub text: String,
    regex: Regex,
}

/// The student who submitted a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Who {
    /// The name, as it is written in the path.
    pub student: String,
    /// The number, if the pattern has one.
    pub id: Option<String>,
    /// The number of path components up to and including the one with the student's name.
    pub depth: usize,
}

impl Student {
    /// Parses a pattern.
    ///
    /// # Errors
    /// Says what is wrong with the pattern, and what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let preset = PRESETS.iter().find(|(word, _)| *word == text);
        let glob = preset.map_or(text, |(_, glob)| glob);
        if let Some(other) = other_placeholder(glob) {
            let other = quoted(other);
            return Err(format!(
                "'{other}' stands for nothing, expected {{student}}, {{id}} or, for any name, *"
            ));
        }
        let mut regex = compile(glob, Subject::Path)?.regex().to_owned();
        let [students, ids] = GROUPS.map(|(choice, _)| regex.matches(choice).count());
        if students != 1 {
            return Err(format!("it has {{student}} {students} times, expected once; {EXPECTED}"));
        }
        if ids > 1 {
            return Err(format!("it has {{id}} {ids} times, expected at most once"));
        }
        if regex.contains(&GROUPS.map(|(choice, _)| choice).concat()) {
            return Err(
                "expected something between {student} and {id}, which tells where the name ends".into()
            );
        }
        for (choice, group) in GROUPS {
            regex = regex.replace(choice, group);
        }
        // The outermost folder that matches counts, since students choose the names below it.
        regex = regex.replace(".*", ".*?");
        let regex = RegexBuilder::new(&regex).dot_matches_new_line(true).build();
        let regex = regex.map_err(|_| format!("it is too long; {EXPECTED}"))?;
        Ok(Self { text: text.to_owned(), regex })
    }

    /// Returns the student who submitted the file at `path` below the inbox, or `None` if the pattern does not match.
    pub fn of(&self, path: &Path) -> Option<Who> {
        let path = path.to_string_lossy();
        let folded = path.to_lowercase();
        if let Some(captures) = self.regex.captures(folded.as_bytes()) {
            let part = |group| part(&path, &captures, group);
            let end = unfolded(&path, captures.name("student")?.end());
            let depth = path[..end].matches('/').count() + 1;
            return Some(Who { student: part("student")?, id: part("id"), depth });
        }
        let file = path.rsplit('/').next().filter(|_| self.text == MOODLE)?;
        let found = MoodleName::of_file(file).filter(|found| !found.prefix.contains("_onlinetext"))?;
        let depth = path.matches('/').count() + 1;
        Some(Who { student: found.student.to_owned(), id: Some(found.id.to_owned()), depth })
    }
}

impl PartialEq for Student {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// Returns a word in braces that is not a placeholder, including its braces.
fn other_placeholder(glob: &str) -> Option<&str> {
    let begins = glob.match_indices('{').filter(|(at, _)| !glob[..*at].ends_with('\\'));
    let words = begins.filter_map(|(at, _)| {
        let rest = &glob[at..];
        let word = &rest[..=rest[1..].find(['{', '}', ','])? + 1];
        word.ends_with('}').then_some(word)
    });
    words.into_iter().find(|word| !["{student}", "{id}"].contains(&word.to_lowercase().as_str()))
}

/// Returns what a group matched, in the upper and lower case of the path, or `None` if it matched nothing.
fn part(path: &str, captures: &Captures<'_>, group: &str) -> Option<String> {
    let Range { start, end } = captures.name(group)?.range();
    let part = &path[unfolded(path, start)..unfolded(path, end)];
    (!part.is_empty()).then(|| part.to_owned())
}

/// Converts an offset in the lower-case text into the offset of the same character in `text`. The two can differ, since
/// some characters have another length in lower case.
fn unfolded(text: &str, offset: usize) -> usize {
    let mut folded = 0;
    let found = text.char_indices().find(|(_, char)| {
        let is_there = folded >= offset;
        folded += char.to_lowercase().map(char::len_utf8).sum::<usize>();
        is_there
    });
    found.map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[track_caller]
    fn who(pattern: &str, path: &str) -> Option<(String, Option<String>)> {
        let who =
            Student::parse(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}")).of(Path::new(path));
        who.map(|who| (who.student, who.id))
    }

    #[track_caller]
    fn check(pattern: &str, path: &str, student: &str, id: Option<&str>) {
        assert_eq!(
            who(pattern, path),
            Some((student.to_owned(), id.map(str::to_owned))),
            "{pattern} {path:?}"
        );
    }

    #[test]
    fn a_name_is_one_folder_or_a_part_of_it() {
        check("turma1/lista3/{student}/**", "turma1/lista3/ana/saida.txt", "ana", None);
        check("turma1/lista3/{student}/**", "turma1/lista3/ana/src/saida.txt", "ana", None);
        check("turma?/{student}-{lista,prova}*/**", "turma1/ana-maria-lista3/saida.txt", "ana-maria", None);
        check("**/{student}.txt", "a/b/ana.txt", "ana", None);
        check("{id}-{student}/*", "007-ana/saida.txt", "ana", Some("007"));
        check("{student}/[a-c]/**", "ana/b/saida.txt", "ana", None);
        assert_eq!(who("turma1/{student}/**", "turma1/saida.txt"), None);
        assert_eq!(who("turma1/{student}/**", "turma2/ana/saida.txt"), None);
        assert_eq!(who("turma1/x{student}/**", "turma1/x/saida.txt"), None, "at least one character");
        assert_eq!(who("{student}-{id}/*", "ana-x7/saida.txt"), None, "digits alone");
        assert_eq!(who("turma1/{student}.txt", "turma1/a/b.txt"), None);
        // The choice without a name was matched.
        assert_eq!(who("{x,{student}}/*", "x/saida.txt"), None);
    }

    #[test]
    fn presets_know_the_folders_of_moodle_and_nbgrader() {
        check("nbgrader", "submitted/ana/lista3/saida.txt", "ana", None);
        check("nbgrader", "curso/Submitted/Ana/lista3/x/saida.txt", "Ana", None);
        assert_eq!(who("nbgrader", "submitted/ana/saida.txt"), None);
        let folder = "turma/Ana Maria_da Silva_123_assignsubmission_file_";
        check("moodle", &format!("{folder}/saida.txt"), "Ana Maria_da Silva", Some("123"));
        check("moodle", "Ana_7_assignsubmission_file/x/saida.txt", "Ana", Some("7"));
        check("moodle", "Participant_7_7_assignsubmission_file_/saida.txt", "Participant_7", Some("7"));
        assert_eq!(who("moodle", "Ana_x_assignsubmission_file_/saida.txt"), None);
        assert_eq!(who("moodle", "_7_assignsubmission_file_/saida.txt"), None);
        assert_eq!(who("moodle", "Ana_7_assignsubmission_onlinetext_/saida.txt"), None);
        assert_eq!(who("moodle", "Ana_7_assignsubmission_file"), None, "a file of the inbox, no folder");
    }

    #[test]
    fn moodle_s_files_without_folders_name_the_student() {
        check("moodle", "t/Ana Silva_101_assignsubmission_file_saida.txt", "Ana Silva", Some("101"));
        check("moodle", "Ana_de_Sá_7_assignsubmission_file_.txt", "Ana_de_Sá", Some("7"));
        // Students can name their files like Moodle's.
        let below = "Bia_999_assignsubmission_file_saida.txt";
        check("moodle", &format!("t/Ana_1_assignsubmission_file_{below}"), "Ana", Some("1"));
        check("moodle", &format!("t/Ana_1_assignsubmission_file_/{below}"), "Ana", Some("1"));
        assert_eq!(who("moodle", "Ana_7_assignsubmission_onlinetext_saida.txt"), None);
        assert_eq!(who("moodle", "Ana_x_assignsubmission_file_saida.txt"), None);
        assert_eq!(who("moodle", "_7_assignsubmission_file_saida.txt"), None);
        assert_eq!(who("**/{student}.txt", "Ana_7_assignsubmission_file_x.txt").unwrap().1, None);
    }

    #[test]
    fn nobody_hands_in_for_others_by_folders_of_their_own() {
        let below = "Bia_999_assignsubmission_file_/saida.txt";
        check("moodle", &format!("t/Ana_1_assignsubmission_file_/{below}"), "Ana", Some("1"));
        check("nbgrader", "x/submitted/ana/l3/submitted/bia/l3/saida.txt", "ana", None);
        check("**/t/**/{student}/x/**", "t/ana/x/t/bia/x/saida.txt", "ana", None);
        // A line feed in a folder's name does not hide the folders before it.
        check("moodle", &format!("t\n/Ana_1_assignsubmission_file_/\n/{below}"), "Ana", Some("1"));
    }

    #[test]
    fn a_name_keeps_its_case_and_every_byte_that_is_text() {
        check("TURMA/{Student}/**", "turma/Ação É/saida.txt", "Ação É", None);
        check("AÇÃO/{student}/**", "ação/Ana/saida.txt", "Ana", None);
        // These characters have another length in lower case.
        check("İ*/{student}/**", "İİİ/Aİ/saida.txt", "Aİ", None);
        check("*/{student}/**", "ẞȺẞ/ȺbẞK\u{212a}/saida.txt", "ȺbẞK\u{212a}", None);
        check("**/{student}/x", "ΟΔΟΣ/Σ/x", "Σ", None);
        check("?{student}/**", "xéa/saida.txt", "éa", None);
        assert_eq!(who("i{student}/**", "İ/saida.txt"), None, "nothing but the dot is left of it");
        let student = Student::parse("{student}/*").unwrap();
        let path = Path::new(OsStr::from_bytes(b"a\xffb/saida.txt"));
        assert_eq!(student.of(path), Some(Who { student: "a\u{fffd}b".to_owned(), id: None, depth: 1 }));
        let depth =
            |path: &str| Student::parse("**/{student}/x/**").unwrap().of(Path::new(path)).unwrap().depth;
        assert_eq!([depth("ana/x/saida.txt"), depth("t/ana/x/y/saida.txt")], [1, 2]);
    }

    #[test]
    fn what_is_wrong_with_a_pattern_is_told() {
        for (pattern, says) in [
            ("", "at least one character"),
            ("turma1/**", "{student} 0 times, expected once; expected \"nbgrader\", \"moodle\" or"),
            ("Moodle", "{student} 0 times"),
            ("{student}/{student}/*", "{student} 2 times"),
            ("{student}/{id}/{id}", "{id} 2 times, expected at most once"),
            ("{student}{id}/*", "between {student} and {id}"),
            ("submitted/{student}/{assignment}/**", "'{assignment}' stands for nothing, expected {student}"),
            ("/turma1/{student}/**", "no '/' at the start"),
            ("turma1/{student}/", "'/**' at the end"),
            ("turma1/{student}/[", "unclosed"),
            (&format!("{}{{student}}", "x".repeat(2000)), "expected at most 1024"),
        ] {
            let error = Student::parse(pattern).unwrap_err();
            assert!(error.contains(says), "{pattern}: {error}");
        }
        assert_eq!(who(r"\{x\}/{student}/*", "{x}/ana/saida.txt").unwrap().0, "ana");
    }

    #[test]
    fn a_pattern_is_its_text() {
        let student = Student::parse("moodle").unwrap();
        assert_eq!(student, student.clone());
        assert_ne!(student, Student::parse(PRESETS[1].1).unwrap());
        assert_eq!(student.text, "moodle");
    }

    /// The time for matching is roughly linear in the length of the path, even if much of it could be a name.
    #[test]
    fn long_paths_and_patterns_are_matched_soon() {
        let pattern = format!("{}{{student}}_{{id}}_x/**", "**/a*b*/".repeat(60));
        let path = format!("{}_7_y/saida.txt", "ab/".repeat(1300) + &"7_".repeat(100));
        assert_eq!(who(&pattern, &path), None);
    }
}
