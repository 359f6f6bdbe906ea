//! Messages about what is wrong with a file, with the lines of the file that they are about, and a proposal.
//!
//! Reports, `check` and `solve` write the same text. Results have one line per mistake instead, in the place of the
//! puzzle's answer.

use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use unicode_width::UnicodeWidthStr;

use crate::diagnosis;
use crate::summary::{LOOKS_LIKE, Mistakes, Rules, Summary, is_of_lines, rules_of};
use tabuleiro_puzzles::input::{Ignored, Warning};
use tabuleiro_puzzles::solver::{Excerpt, Problem, named_lines};
use tabuleiro_puzzles::words::{Language, Phrase, messages};

/// The width of a line in a file, in columns.
pub const FILE_COLUMNS: usize = 80;
/// The rule of a wrong value, and how many mistakes of a puzzle are shown before the lines of further such values.
const VALUE_RULE: &str = "square-value";
const SHOWN_MAX: usize = 3;
/// The most mistakes that are shown if each has a value of its own.
const VALUES_MAX: usize = 6;
/// The indentation of every line of a message except the first.
const INDENT: &str = "  ";

/// How messages are written.
#[derive(Debug, Clone, Copy)]
pub struct MessageStyle {
    /// The language of the messages.
    pub language: Language,
    /// The width of a line, in columns.
    pub columns: usize,
    /// Whether the terminal shows colours.
    pub has_colours: bool,
}

messages! {
    "told"
    /// The labels and counts around the messages themselves.
    pub enum FileMessage {
        /// The beginning of a message about a puzzle.
        Invalid = "invalid" { noun: &'static str, puzzle: u64 },
        /// The label before a mistake that is in no puzzle.
        Mistake = "mistake",
        /// A limit ended the search for the answer of a puzzle.
        Undecided = "undecided" { noun: &'static str, puzzle: u64, limit: &'static str },
        /// The label before a warning.
        Warning = "warning",
        /// The label before text that was not read.
        Ignored = "ignored",
        /// How to have lines after the end marker read.
        MarkerEarly = "marker-early",
        /// How to have the puzzles after the end markers read.
        MarkersEarly = "markers-early" { puzzles: Phrase, count: u64, lines: String, markers: u64 },
        /// The label before the reason why a file is rejected.
        Rejected = "rejected",
        /// The label before what to write instead.
        Help = "help",
        /// Further puzzles have the same mistake as those that were shown.
        Further = "further" { puzzles: Phrase, count: u64, lines: String, more: u64 },
        /// Further lines are of the same kind as the one that was shown.
        Alike = "alike" { count: u64, lines: String, named: Phrase, more: u64 },
        /// Further lines of words belong to no puzzle. `more` of them are not named.
        StrayLines = "stray-lines" { count: u64, lines: String, more: u64 },
        /// A puzzle has so many mistakes that its rest was not examined.
        NotExamined = "not-examined" { line: u64 },
        /// There are more undecided puzzles than were shown.
        FurtherUndecided = "further-undecided" { puzzles: Phrase },
        /// There are more warnings than were shown.
        FurtherWarnings = "further-warnings" { warnings: u64 },
        /// How many mistakes a file has.
        Mistakes = "mistakes" { mistakes: u64, bad: u64, puzzles: Phrase, others: u64, fixable: u64 },
    }
}

messages! {
    "count"
    /// A count of puzzles, with each solver's word for them.
    enum PuzzleCount {
        Boards = "board" { puzzles: u64 },
        Cases = "case" { puzzles: u64 },
        Games = "game" { puzzles: u64 },
        Puzzles = "puzzle" { puzzles: u64 },
    }
}

/// Returns a count such as `3 boards`; `noun` is the solver's word for a puzzle.
pub fn puzzle_count(noun: &str, puzzles: u64) -> Phrase {
    match noun {
        "board" => PuzzleCount::Boards { puzzles },
        "case" => PuzzleCount::Cases { puzzles },
        "game" => PuzzleCount::Games { puzzles },
        _ => PuzzleCount::Puzzles { puzzles },
    }
    .into()
}

impl MessageStyle {
    /// Returns the style of a text file in a language.
    pub fn of_file(language: Language) -> Self {
        Self { language, columns: FILE_COLUMNS, has_colours: false }
    }

    /// Returns a message in the language.
    pub fn say(&self, message: impl Into<Phrase>) -> String {
        message.into().say(self.language)
    }

    /// Returns `place: label: text` as whole lines, wrapped, with the label in a colour if colours are shown.
    pub fn message(&self, place: &str, label: FileMessage, text: &str) -> String {
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        let colour = match label {
            FileMessage::Help => AnsiColor::Cyan,
            FileMessage::Warning | FileMessage::Ignored => AnsiColor::Yellow,
            _ => AnsiColor::Red,
        };
        let label = format!("{}: ", self.say(label));
        let wrapped = wrapped(&format!("{place}{label}{text}"), self.columns);
        if self.has_colours {
            let style = Style::new().fg_color(Some(colour.into())).effects(Effects::BOLD);
            return wrapped.replacen(&label, &format!("{style}{label}{style:#}"), 1);
        }
        wrapped
    }

    /// Returns the lines of the file that a problem is about, with carets below the token, and what to write instead.
    /// They are printable and bounded. Returns nothing if the lines were not in the window.
    pub fn details(&self, problem: &Problem) -> String {
        let mut text = self.excerpt(problem);
        if let Some(help) = problem.help(self.language) {
            text.push_str(&self.message("", FileMessage::Help, &help));
            let width = problem.corrected.last().map_or(0, |(line, _)| line.to_string().len());
            let corrected = problem.corrected.iter();
            text.extend(corrected.map(|(line, corrected)| format!("{line:>width$} | {corrected}\n")));
        }
        text
    }

    fn excerpt(&self, problem: &Problem) -> String {
        let Some(excerpt) = &problem.excerpt else { return String::new() };
        let wrong = (problem.place.line, &**excerpt, Some(AnnotationKind::Primary));
        let mut lines: Vec<_> = problem
            .context
            .iter()
            .map(|(line, excerpt)| {
                let is_related = problem.related.iter().any(|place| place.line == *line);
                (*line, excerpt, is_related.then_some(AnnotationKind::Context))
            })
            .chain([wrong])
            .collect();
        lines.sort_by_key(|(line, ..)| *line);
        let runs = lines.chunk_by(|(line, ..), (next, ..)| line + 1 == *next);
        let group = Group::with_level(Level::ERROR).elements(runs.map(snippet));
        let report = [group];
        let plain = Renderer::plain().render(&report);
        let drawn = if self.has_colours { Renderer::styled().render(&report) } else { plain.clone() };
        // Omit lines that only separate.
        let is_shown = |line: &str| line.chars().any(|c| !matches!(c, ' ' | '|' | ':'));
        let lines = plain.lines().zip(drawn.lines()).filter(|(plain, _)| is_shown(plain));
        lines.map(|(_, line)| format!("{}\n", line.trim_end())).collect()
    }
}

/// Returns a snippet of consecutive lines of a file.
fn snippet<'a>(lines: &[(u64, &'a Excerpt, Option<AnnotationKind>)]) -> Snippet<'a, Annotation<'a>> {
    let (mut text, mut marks) = (String::new(), Vec::new());
    for (_, excerpt, kind) in lines {
        let begin = text.len();
        marks.extend(kind.map(|kind| kind.span(begin + excerpt.marked.start..begin + excerpt.marked.end)));
        text.push_str(&excerpt.text);
        text.push('\n');
    }
    text.pop();
    let first = lines.first().map_or(1, |(line, ..)| usize::try_from(*line).unwrap_or(usize::MAX));
    Snippet::source(text).line_start(first).fold(false).annotations(marks)
}

/// Returns a text as lines of at most `columns` columns, unless a word is longer. Lines after the first one are
/// indented. Text between backquotes counts as one word, because people copy it. A label such as `rejected:` stays on
/// the line of the next word, because programs look for both.
pub fn wrapped(text: &str, columns: usize) -> String {
    let mut lines = String::new();
    let mut used = 0;
    let (mut is_quoted, mut before) = (false, ' ');
    let words = text.split(|character: char| {
        // A backquote within a word is a character of a file, not the beginning or end of a quotation.
        is_quoted ^= character == '`' && (is_quoted || before == ' ');
        before = character;
        character == ' ' && !is_quoted
    });
    for word in words {
        let width = word.width();
        let is_label =
            |text: &str| text.strip_suffix(':').is_some_and(|name| name.chars().all(char::is_alphabetic));
        if used > 0 && used + 1 + width > columns && !is_label(&lines) {
            lines.push('\n');
            lines.push_str(INDENT);
            used = INDENT.len();
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += width;
    }
    lines + "\n"
}

/// Returns the numbers of lines with commas between them.
fn joined(lines: &[u64]) -> String {
    lines.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns the message that `count` further lines of words belong to no puzzle. `lines` are the first of them.
pub fn stray_lines(count: u64, lines: &[u64]) -> FileMessage {
    FileMessage::StrayLines { count, lines: joined(lines), more: count - lines.len() as u64 }
}

/// Messages about one file.
#[derive(Debug, Clone, Copy)]
pub struct FileMessages<'a> {
    /// The printable name of the file.
    pub name: &'a str,
    /// The solver's word for a puzzle, such as `board`.
    pub noun: &'static str,
    /// How the messages are written.
    pub style: MessageStyle,
}

impl FileMessages<'_> {
    /// Returns what is wrong with a puzzle.
    pub fn problem(&self, puzzle: Option<u64>, problem: &Problem) -> String {
        let style = &self.style;
        let label =
            || puzzle.map_or(FileMessage::Mistake, |puzzle| FileMessage::Invalid { noun: self.noun, puzzle });
        let (mut text, mut lines) = (String::new(), Vec::new());
        let mut found = Vec::new();
        // A further mistake can stand before the first one that was found.
        let mut chain: Vec<_> = problem.chain().collect();
        chain.sort_by_key(|mistake| mistake.place.line);
        for (index, mistake) in chain.into_iter().enumerate() {
            let (rule, line) = (mistake.rule(), mistake.place.line);
            let is_shown = index < SHOWN_MAX
                || found.len() < VALUES_MAX && !found.contains(&mistake.what.arguments.first());
            if !is_shown && rule == VALUE_RULE {
                lines.push(line);
                continue;
            }
            found.push(mistake.what.arguments.first());
            let place = format!("{}:{}", self.name, mistake.place);
            let what = format!("{} [{rule}]", mistake.what.say(style.language));
            text = text + &style.message(&place, label(), &what) + &style.details(mistake);
        }
        lines.dedup();
        text.extend((!lines.is_empty()).then(|| self.alike(VALUE_RULE, lines.len() as u64, &lines)));
        let last = problem.chain().skip(diagnosis::VALUES_MAX).last();
        text.extend(last.map(|last| self.line(FileMessage::NotExamined { line: last.place.line })));
        text
    }

    /// Returns one message per warning, and how many more were dropped.
    pub fn warnings(&self, warnings: &[Warning], dropped: u64) -> String {
        let style = &self.style;
        let warning = |warning: &Warning| {
            let place = format!("{}:{}", self.name, warning.place);
            style.message(&place, FileMessage::Warning, &warning.what.say(style.language))
        };
        let mut text: String = warnings.iter().map(warning).collect();
        if dropped > 0 {
            text.push_str(&self.line(FileMessage::FurtherWarnings { warnings: dropped }));
        }
        text
    }

    /// Returns the message about text at the end of the file that was not read.
    pub fn ignored(&self, ignored: &Ignored) -> String {
        let style = &self.style;
        let place = format!("{}:{}", self.name, ignored.place);
        let marker_early = match ignored.puzzles {
            0 => FileMessage::MarkerEarly,
            count => FileMessage::MarkersEarly {
                puzzles: puzzle_count(self.noun, count),
                count,
                lines: joined(&ignored.markers),
                markers: ignored.markers.len() as u64,
            },
        };
        style.message(&place, FileMessage::Ignored, &ignored.what.say(style.language))
            + &style.message("", FileMessage::Help, &style.say(marker_early))
    }

    /// Returns `name: message`.
    pub fn line(&self, message: impl Into<Phrase>) -> String {
        wrapped(&format!("{}: {}", self.name, self.style.say(message)), self.style.columns)
    }

    /// Returns the mistakes that are shown. How many further puzzles have a mistake stands behind the last one shown.
    pub fn mistakes(&self, mistakes: &Mistakes) -> String {
        // A mistake can be noticed after those of later lines.
        let mut shown: Vec<_> = mistakes.shown.iter().collect();
        shown.sort_by_key(|(_, problem)| (problem.rule() == "missing-case", problem.place.line));
        let shows = |at: usize, rules: Rules| shown[at..].iter().any(|(_, shown)| rules_of(shown) == rules);
        let mut text = String::new();
        for (at, (puzzle, problem)) in shown.iter().enumerate() {
            text.push_str(&self.problem(*puzzle, problem));
            let own = rules_of(problem);
            let mut further = mistakes.further().filter(|_| !shows(at + 1, own));
            text.extend(further.find(|(rules, ..)| *rules == own).map(|further| self.further(further)));
        }
        text.extend(
            mistakes.further().filter(|(rules, ..)| !shows(0, *rules)).map(|further| self.further(further)),
        );
        text
    }

    /// Returns how many puzzles, or lines, that are not shown have a mistake, and on which lines.
    fn further(&self, ([rule, last], puzzles, lines): (Rules, u64, &[u64])) -> String {
        if is_of_lines(rule) {
            return self.alike(rule, puzzles, lines);
        }
        let (count, more) = (lines.len() as u64, puzzles - lines.len() as u64);
        let (puzzles, lines) = (puzzle_count(self.noun, puzzles), joined(lines));
        let further = self.style.say(FileMessage::Further { puzzles, count, lines, more });
        let rules = if last == rule { rule.to_owned() } else { format!("{rule}, {last}") };
        wrapped(&format!("{}: {further} [{rules}]", self.name), self.style.columns)
    }

    /// Returns the message that `count` further lines have the mistake that was shown last. `lines` are the first of
    /// them.
    fn alike(&self, rule: &str, count: u64, lines: &[u64]) -> String {
        let (named, more) = (named_lines(lines.iter().copied()), count - lines.len() as u64);
        let alike = self.style.say(FileMessage::Alike { count, lines: joined(lines), named, more });
        wrapped(&format!("{}: {alike} [{rule}]", self.name), self.style.columns)
    }

    /// Returns how many mistakes there are, and how many of them have a proposal, as whole lines; `None` if there are none.
    pub fn count(&self, mistakes: &Mistakes) -> Option<String> {
        let Mistakes { count, puzzles: bad, fixable, .. } = *mistakes;
        let told = FileMessage::Mistakes {
            mistakes: count,
            bad,
            puzzles: puzzle_count(self.noun, bad),
            others: mistakes.lines(),
            fixable,
        };
        (count > 0).then(|| wrapped(&self.style.say(told), self.style.columns))
    }

    /// Returns all messages about the puzzles of a file that was answered. If the whole file is for another solver, its
    /// mistakes do not count, and only the warning that says so is returned.
    pub fn summary(&self, summary: &Summary) -> String {
        let (other, warnings): (Vec<_>, Vec<_>) =
            summary.warnings.iter().cloned().partition(|warning| warning.what.name == LOOKS_LIKE);
        let mut text = self.warnings(&other, 0);
        if summary.is_for_another_solver() {
            return text;
        }
        text.push_str(&self.mistakes(&summary.mistakes));
        for (puzzle, place, stop) in &summary.stops {
            let undecided = FileMessage::Undecided { noun: self.noun, puzzle: *puzzle, limit: stop.name() };
            text.push_str(&wrapped(
                &format!("{}:{place}: {}", self.name, self.style.say(undecided)),
                self.style.columns,
            ));
        }
        let more = summary.undecided - summary.stops.len() as u64;
        if more > 0 {
            text.push_str(
                &self.line(FileMessage::FurtherUndecided { puzzles: puzzle_count(self.noun, more) }),
            );
        }
        text.push_str(&self.warnings(&warnings, summary.warnings_dropped));
        text.extend(summary.ignored.as_ref().map(|ignored| self.ignored(ignored)));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabuleiro_puzzles::input::Place;

    const ENGLISH: MessageStyle =
        MessageStyle { language: Language::English, columns: FILE_COLUMNS, has_colours: false };

    fn problem(line: u64, excerpt: Excerpt) -> Problem {
        let what = Phrase { scope: "found", name: "end-of-line", arguments: Vec::new() };
        Problem { excerpt: Some(Box::new(excerpt)), ..Problem::new(Place { line, column: 1 }, what) }
    }

    #[test]
    fn a_caret_stands_below_what_is_meant() {
        let at =
            |line, text: &[u8], at, length| ENGLISH.details(&problem(line, Excerpt::cut(text, at, length)));
        assert_eq!(at(7, b"1 2\t3,4 5", 4, 3), "7 | 1 2 3,4 5\n  |     ^^^\n");
        assert_eq!(at(12, b"1 2", 3, 0), "12 | 1 2\n   |    ^\n");
        assert_eq!(
            at(1, "1 \u{a0}\u{1b}[2J é".as_bytes(), 2, 6),
            "1 | 1 \\u{a0}\\u{1b}[2J é\n  |   ^^^^^^^^^^^^^^^\n"
        );
    }

    #[test]
    fn related_lines_are_marked_and_the_line_before_is_shown() {
        let mut problem = problem(12, Excerpt::cut(b"1 2 3", 4, 1)).related_to(Place { line: 1, column: 1 });
        problem.context = vec![(1, Excerpt::cut(b"8 2", 0, 3)), (11, Excerpt::cut(b"7 7", 0, 1))];
        assert_eq!(ENGLISH.details(&problem), " 1 | 8 2\n   | ---\n11 | 7 7\n12 | 1 2 3\n   |     ^\n");
    }

    #[test]
    fn colours_change_no_text() {
        let style = MessageStyle { has_colours: true, ..ENGLISH };
        let coloured = style.message("a:1:1", FileMessage::Warning, "text");
        assert!(coloured.contains("\x1b[") && coloured.starts_with("a:1:1: "), "{coloured:?}");
        let problem = problem(7, Excerpt::cut(b"1 2\t3,4 5", 4, 3));
        let drawn = style.details(&problem);
        assert!(drawn.contains("\x1b[") && drawn.lines().count() == 2, "{drawn:?}");
    }

    #[test]
    fn text_is_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 8), "one two\n  three\n");
        assert_eq!(wrapped("seventeen é é é", 5), "seventeen\n  é é\n  é\n");
        assert_eq!(wrapped("a", 0), "a\n");
        assert_eq!(wrapped("write `a = b` here", 8), "write\n  `a = b`\n  here\n");
    }
}
