//! A page from its first word to its last.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::gallery::{Attempt, Content, Exhibit, Solved};
use super::report_page::excerpt;
use crate::JobInfo;
use tabuleiro_puzzles::picture::{Markup, Page, PageWords, html};
use tabuleiro_puzzles::solver::{
    Bounds, Budget, Charge, LANGUAGE, Options, PICTURE, Shown, Solver, default_options, is_of_grading,
};
use tabuleiro_puzzles::words::{Language, Phrase, messages};

/// Bytes of a page at most, but for its end.
pub const PAGE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Bytes that the pictures of one puzzle take while they are drawn.
const PICTURE_BYTES: u64 = 4 * 1024 * 1024;
/// Time in which what a picture needs is still looked for, where the search left it out.
const TRACING_TIME_MAX: Duration = Duration::from_secs(10);

/// What stands above the pictures.
pub struct Heading<'a> {
    /// Of which job.
    pub info: JobInfo<'a>,
    /// The title: of answers, or of a grade.
    pub title: Words,
    /// Names and values.
    pub facts: Vec<(Words, String)>,
    /// Lines about the whole file: warnings, what was ignored.
    pub remarks: Vec<String>,
    /// Puzzles of the file.
    pub puzzles: u64,
}

impl Heading<'_> {
    fn language(&self) -> Language {
        self.info.options.get(LANGUAGE)
    }

    fn say(&self, words: Words) -> String {
        Phrase::from(words).say(self.language())
    }
}

/// The options that are not what they are by default, as people set them.
fn chosen_options(solver: &dyn Solver, options: &Options) -> String {
    let defaults = default_options(solver);
    let is_own = |name: &str| !is_of_grading(name) && name != PICTURE.spec.name;
    let own = options.iter().filter(|(name, value)| is_own(name) && defaults.value(name) != Some(*value));
    own.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// Writes a page of these puzzles. What a picture lacks is looked for within `budget`, where there is one.
///
/// # Errors
/// Those of writing.
pub fn write_page<W: Write>(
    out: W,
    heading: &Heading<'_>,
    exhibits: Vec<Exhibit>,
    budget: Option<&Budget>,
) -> io::Result<W> {
    let title = heading.say(heading.title.clone());
    let words = PageWords { language: heading.language(), title: &title, refresh: None };
    let mut page = Page::begin(out, words)?;
    page.write(&facts(heading, exhibits.len() as u64))?;
    page.write(&table(heading, &exhibits))?;
    // A refusal changes nothing: so much is always there.
    let _picture = budget.map(|budget| Charge::new(PICTURE_BYTES, budget));
    let started = Instant::now();
    let mut is_full = false;
    // Each is gone before the next one is drawn, with what was traced of it.
    for mut exhibit in exhibits {
        let exhibit = &mut exhibit;
        let picture = if is_full {
            note(heading, Words::Full)
        } else if !trace(exhibit, budget, started) {
            note(heading, Words::NoTime)
        } else {
            picture(heading, exhibit)
        };
        let mut section = section(heading, exhibit, &picture);
        if !is_full && page.bytes() + section.0.len() as u64 > PAGE_BYTES_MAX {
            let alone = section.0.len() as u64 > PAGE_BYTES_MAX / 4;
            is_full = !alone;
            let why = if alone { Words::TooLarge } else { Words::Full };
            section = self::section(heading, exhibit, &note(heading, why));
        }
        page.write(&section)?;
    }
    let version = env!("CARGO_PKG_VERSION").to_owned();
    page.write(&html! { footer { p class="soft" { (heading.say(Words::Made { version })) } } })?;
    page.finish()
}

/// Finds the witness that an outcome lacks; false where there is no time for it.
fn trace(exhibit: &mut Exhibit, budget: Option<&Budget>, started: Instant) -> bool {
    let (Content::Solved(solved), Some(budget)) = (&mut exhibit.content, budget) else { return true };
    let Some(puzzle) = solved.puzzle.as_ref().filter(|_| solved.is_answered && solved.witness.is_null())
    else {
        return true;
    };
    if started.elapsed() > TRACING_TIME_MAX {
        return false;
    }
    // A witness that cannot be found is none.
    solved.witness = catch_unwind(AssertUnwindSafe(|| puzzle.trace(budget))).unwrap_or_default();
    true
}

fn note(heading: &Heading<'_>, why: Words) -> Markup {
    html! { p class="soft" { (heading.say(why)) } }
}

fn facts(heading: &Heading<'_>, drawn: u64) -> Markup {
    let JobInfo { solver, options, .. } = heading.info;
    let options = chosen_options(solver, options);
    html! {
        dl {
            dt { (heading.say(Words::Solver)) }
            dd { (solver.id()) }
            @if !options.is_empty() {
                dt { (heading.say(Words::Options)) }
                dd { (options) }
            }
            @for (name, value) in &heading.facts {
                dt { (heading.say(name.clone())) }
                dd { (value) }
            }
        }
        @for remark in &heading.remarks {
            p class="doubt" { (remark) }
        }
        @if drawn < heading.puzzles {
            p { (heading.say(Words::LeftOut { drawn, puzzles: heading.puzzles })) }
        }
    }
}

/// The answers, each with a link to its picture.
fn table(heading: &Heading<'_>, exhibits: &[Exhibit]) -> Markup {
    let is_graded = exhibits.iter().any(|exhibit| exhibit.attempt.is_some());
    html! {
        div class="scroll" {
            table {
                thead {
                    tr {
                        th class="number" { (heading.say(Words::Number)) }
                        th class="number" { (heading.say(Words::Line)) }
                        @if is_graded {
                            th { (heading.say(Words::Verdict)) }
                        } @else {
                            th { (heading.say(Words::Answer)) }
                        }
                    }
                }
                tbody {
                    @for exhibit in exhibits {
                        tr {
                            td class="number" { a href={ "#p" (exhibit.number) } { (exhibit.number) } }
                            td class="number" { (exhibit.place.line) }
                            td { (told(exhibit)) }
                        }
                    }
                }
            }
        }
    }
}

/// The answer, or what becomes of one, in a line.
fn told(exhibit: &Exhibit) -> Markup {
    match (&exhibit.attempt, &exhibit.content) {
        (Some(Attempt { is_right: true, told, .. }), _) => html! { span class="good" { "✓ " (told) } },
        (Some(Attempt { told, .. }), _) => html! { span class="bad" { "✗ " (told) } },
        (None, Content::Invalid { told, .. }) => html! { span class="bad" { (told) } },
        (None, Content::Solved(solved)) if solved.is_answered => html! { (solved.headline) },
        (None, Content::Solved(solved)) => html! { span class="doubt" { (solved.headline) } },
    }
}

fn section(heading: &Heading<'_>, exhibit: &Exhibit, picture: &Markup) -> Markup {
    let title = Words::Puzzle { number: exhibit.number, line: exhibit.place.line };
    html! {
        section id={ "p" (exhibit.number) } {
            h2 { (heading.say(title)) }
            @if !has_message(exhibit) {
                p { (told(exhibit)) }
            }
            (picture)
        }
    }
}

/// Whether the picture has the message below.
fn has_message(exhibit: &Exhibit) -> bool {
    match &exhibit.content {
        Content::Invalid { problem, .. } => exhibit.attempt.is_none() && problem.excerpt.is_some(),
        Content::Solved(_) => false,
    }
}

fn picture(heading: &Heading<'_>, exhibit: &Exhibit) -> Markup {
    let language = heading.language();
    match &exhibit.content {
        Content::Invalid { problem, .. } => excerpt(problem, language, exhibit.attempt.is_some()),
        Content::Solved(solved) => match &exhibit.attempt {
            Some(attempt) if !(attempt.is_right && attempt.shows_right) => beside(heading, solved, attempt),
            _ => draw(solved, &solved.shown(language)),
        },
    }
}

/// What a submission answers, beside the right answer.
fn beside(heading: &Heading<'_>, solved: &Solved, attempt: &Attempt) -> Markup {
    let right = solved.shown(heading.language());
    // Nothing of ours stands in it.
    let (headline, witness) = (attempt.answer.as_str(), &attempt.witness);
    let theirs = Shown { headline, witness, answer: &Value::Null, bounds: Bounds::default(), ..right };
    html! {
        div class="pair" {
            @if attempt.witness != Value::Null {
                div {
                    h3 { (heading.say(Words::Theirs)) }
                    p { (attempt.answer) }
                    (draw(solved, &theirs))
                }
            } @else if attempt.is_too_long {
                div {
                    h3 { (heading.say(Words::Theirs)) }
                    p { (attempt.answer) }
                    (note(heading, Words::TooLong))
                }
            }
            @if attempt.shows_right {
                div {
                    h3 { (heading.say(Words::Ours)) }
                    p { (solved.headline) }
                    (draw(solved, &right))
                }
            }
        }
    }
}

/// A picture, or that there is none: no answer is to be lost to a mistake in drawing it.
fn draw(solved: &Solved, shown: &Shown<'_>) -> Markup {
    let draw = || solved.puzzle.as_ref().map_or_else(|| html! {}, |puzzle| puzzle.draw(shown));
    catch_unwind(AssertUnwindSafe(draw)).unwrap_or_else(|_| {
        html! { p class="soft" { (Phrase::from(Words::NotDrawn).say(shown.language)) } }
    })
}

messages! {
    "page"
    /// Headings, and what stands around the pictures.
    pub enum Words {
        /// Above a page of answers.
        Answers = "answers" { file: String },
        /// Above the page of a grade.
        Grade = "grade" { file: String },
        /// Above the page of a rejected file.
        Report = "report" { file: String },
        /// Before the solver.
        Solver = "solver",
        /// Before the options.
        Options = "options",
        /// Before the counts.
        Puzzles = "puzzles",
        /// The number of puzzles, and of those that are invalid or undecided.
        Counts = "counts" { puzzles: u64, invalid: u64, undecided: u64 },
        /// Before the points.
        Points = "points",
        /// Above the numbers of puzzles in a table.
        Number = "number",
        /// Above the lines in a table.
        Line = "line",
        /// Above the answers in a table.
        Answer = "answer",
        /// Above the verdicts on a submission in a table.
        Verdict = "verdict",
        /// Above a picture.
        Puzzle = "puzzle" { number: u64, line: u64 },
        /// That not all are drawn.
        LeftOut = "left-out" { drawn: u64, puzzles: u64 },
        /// That a picture would be too large for the page.
        TooLarge = "too-large",
        /// That an answer of a submission gives too much to be drawn.
        TooLong = "too-long",
        /// That there was no time left for a picture.
        NoTime = "no-time",
        /// That drawing it failed.
        NotDrawn = "not-drawn",
        /// That the page is full.
        Full = "full",
        /// Above what a submission answers.
        Theirs = "theirs",
        /// Above the right answer.
        Ours = "ours",
        /// That the file is rejected.
        Rejected = "rejected",
        /// What lines of a file are shown.
        Excerpt = "excerpt",
        /// What was read of a wrong puzzle.
        Read = "read",
        /// That an answer has no witness in a JSON result.
        NoWitness = "no-witness",
        /// Who made the page.
        Made = "made" { version: String },
    }
}
