//! Writes a page from beginning to end.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use super::gallery::{Attempt, Exhibit};
use super::report_page::excerpt;
use crate::JobInfo;
use tabuleiro_puzzles::picture::{GridPicture, Markup, Page, html, image};
use tabuleiro_puzzles::solver::{Budget, Charge, LANGUAGE, Options, PICTURE, RenderInput, is_of_grading};
use tabuleiro_puzzles::words::{Language, Phrase, messages};

/// The most bytes of a page, not counting its end.
pub const PAGE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Bytes that the pictures of one puzzle take while they are drawn.
const PICTURE_BYTES: u64 = 4 * 1024 * 1024;
/// After this time the page no longer searches for witnesses that the solver left out.
const TRACING_TIME_MAX: Duration = Duration::from_secs(10);

/// Addresses of the files beside a page, relative to it; `None` if a file does not exist or its name is not known yet.
#[derive(Debug, Clone, Default)]
pub struct PageLinks {
    /// The same content as text.
    pub text: Option<String>,
    /// The page of the service.
    pub index: Option<String>,
}

/// Returns the relative address of a path: everything is percent-encoded except letters, digits, `-._~` and `/`.
pub fn address(path: &Path) -> String {
    let mut link = String::new();
    for &byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            link.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(link, "%{byte:02X}");
        }
    }
    link
}

/// The part of a page above the pictures.
pub struct Heading<'a> {
    /// The job that the page is about.
    pub info: JobInfo<'a>,
    /// The title of a result or of a grade.
    pub title: Words,
    /// The counts of puzzles, or the points.
    pub counts: String,
    /// Lines about the whole file: warnings and ignored lines.
    pub remarks: Vec<String>,
    /// Number of puzzles in the file.
    pub puzzles: u64,
    /// Files beside the page.
    pub links: PageLinks,
}

impl Words {
    pub(super) fn say(self, language: Language) -> String {
        Phrase::from(self).say(language)
    }
}

/// Returns the options that differ from their defaults, as people write them.
fn chosen_options(options: &Options) -> Vec<String> {
    let is_own = |name: &str| !is_of_grading(name) && name != PICTURE.spec.name;
    let own = options.chosen().into_iter().filter(|(name, _)| is_own(name));
    own.map(|(name, value)| format!("{name} = {value}")).collect()
}

/// The drawing of a puzzle: the picture, and a small one for the link to it.
struct Drawn {
    picture: Markup,
    thumbnail: Option<Markup>,
}

/// Writes a page of these puzzles. If there is a `budget`, missing witnesses are searched for within it.
///
/// # Errors
/// Fails if writing fails.
pub fn write_page<W: Write>(
    out: W,
    heading: &Heading<'_>,
    exhibits: Vec<Exhibit>,
    budget: Option<&Budget>,
) -> io::Result<W> {
    let language = heading.info.options.get(LANGUAGE);
    let mut page = Page::begin(out, language, &heading.title.clone().say(language))?;
    page.write(&facts(heading, exhibits.len() as u64, language))?;
    // A refused charge is ignored: this much memory is always available.
    let _picture = budget.map(|budget| Charge::new(PAGE_BYTES_MAX + PICTURE_BYTES, budget));
    let started = Instant::now();
    let numbers: Vec<u64> = exhibits.iter().map(|exhibit| exhibit.number).collect();
    let (mut tiles, mut sections) = (Vec::new(), Vec::new());
    let (mut bytes, mut is_full) = (page.bytes, false);
    // Each exhibit and its traced witness are dropped before the next one is drawn.
    for (index, mut exhibit) in exhibits.into_iter().enumerate() {
        let exhibit = &mut exhibit;
        let mut drawn = if is_full {
            note(Words::Full, language)
        } else if !trace(exhibit, budget, started) {
            note(Words::NoTime, language)
        } else {
            picture(exhibit, language)
        };
        let others = [index.checked_sub(1), Some(index + 1)].map(|other| numbers.get(other?).copied());
        let mut section = section(exhibit, &drawn.picture, others, language);
        let mut tile = tile(exhibit, drawn.thumbnail.as_ref());
        if !is_full && bytes + (section.0.len() + tile.0.len()) as u64 > PAGE_BYTES_MAX {
            let alone = section.0.len() as u64 > PAGE_BYTES_MAX / 4;
            is_full = !alone;
            drawn = note(if alone { Words::TooLarge } else { Words::Full }, language);
            section = self::section(exhibit, &drawn.picture, others, language);
            tile = self::tile(exhibit, None);
        }
        bytes += (section.0.len() + tile.0.len()) as u64;
        tiles.push(tile);
        sections.push(section);
    }
    if tiles.len() > 1 {
        page.write(&html! { nav class="thumbs" { @for tile in &tiles { (tile) } } })?;
    }
    for section in &sections {
        page.write(section)?;
    }
    let version = env!("CARGO_PKG_VERSION").to_owned();
    page.write(&html! { footer { p class="soft" { (Words::Made { version }.say(language)) } } })?;
    page.finish()
}

/// Returns the section of one puzzle as an SVG picture.
pub fn image_of(mut exhibit: Exhibit, budget: &Budget, language: Language) -> String {
    trace(&mut exhibit, Some(budget), Instant::now());
    image(&section(&exhibit, &picture(&exhibit, language).picture, [None; 2], language))
}

/// Searches for the witness that an outcome lacks. Returns false if the time for that is used up.
fn trace(exhibit: &mut Exhibit, budget: Option<&Budget>, started: Instant) -> bool {
    let Exhibit { puzzle, input, .. } = exhibit;
    let puzzle = puzzle.as_ref().filter(|_| input.is_answered && input.witness.is_null());
    let (Some(puzzle), Some(budget)) = (puzzle, budget) else { return true };
    if started.elapsed() > TRACING_TIME_MAX {
        return false;
    }
    // If the search panics, the outcome stays without a witness.
    input.witness = catch_unwind(AssertUnwindSafe(|| puzzle.trace(budget))).unwrap_or_default();
    true
}

fn note(why: Words, language: Language) -> Drawn {
    Drawn { picture: html! { p class="soft" { (why.say(language)) } }, thumbnail: None }
}

fn facts(heading: &Heading<'_>, drawn: u64, language: Language) -> Markup {
    let JobInfo { solver, options, .. } = heading.info;
    let facts = [vec![solver.id().to_owned()], chosen_options(options), vec![heading.counts.clone()]];
    let PageLinks { text, index } = &heading.links;
    let links = [(text, Words::Text), (index, Words::Index)];
    html! {
        p class="soft" {
            (facts.concat().join(" · "))
            @for (link, words) in links {
                @if let Some(link) = link { " · " a href=(link) { (words.say(language)) } }
            }
        }
        @for remark in &heading.remarks {
            p class="doubt" { (remark) }
        }
        @if drawn < heading.puzzles {
            p { (Words::LeftOut { drawn, puzzles: heading.puzzles }.say(language)) }
        }
    }
}

/// Returns the link to a puzzle: a small picture and the answer in a few words.
fn tile(exhibit: &Exhibit, thumbnail: Option<&Markup>) -> Markup {
    html! {
        a href={ "#p" (exhibit.number) } {
            @if let Some(thumbnail) = thumbnail { (thumbnail) }
            span { (exhibit.number) ": " (told(exhibit)) }
        }
    }
}

/// Returns the verdict on a puzzle, in one line.
fn told(exhibit: &Exhibit) -> Markup {
    let answer = &exhibit.input.headline;
    match &exhibit.attempt {
        Some(Attempt { is_right: true, told, .. }) => html! { span class="good" { "✓ " (told) } },
        Some(Attempt { told, .. }) => html! { span class="bad" { "✗ " (told) } },
        None if exhibit.problem.is_some() => html! { span class="bad" { (answer) } },
        None if exhibit.input.is_answered => html! { (answer) },
        None => html! { span class="doubt" { (answer) } },
    }
}

fn section(
    exhibit: &Exhibit,
    picture: &Markup,
    [before, behind]: [Option<u64>; 2],
    language: Language,
) -> Markup {
    let title = Words::Puzzle { number: exhibit.number, line: exhibit.place.line };
    let link = |to: Option<u64>, words: Words| {
        html! { @if let Some(to) = to { a href={ "#p" (to) } { (words.say(language)) } " " } }
    };
    let puzzle = exhibit.puzzle.as_ref();
    let say = |phrase: Option<Phrase>| phrase.map(|phrase| phrase.say(language));
    let sentence = puzzle.filter(|_| exhibit.attempt.is_none());
    let sentence = sentence.and_then(|puzzle| say(puzzle.sentence(&exhibit.input)));
    // The picture of an invalid puzzle shows the message below the excerpt.
    let has_message = exhibit.problem.as_ref().is_some_and(|problem| problem.excerpt.is_some());
    html! {
        section id={ "p" (exhibit.number) } {
            h2 { (title.say(language)) }
            @if let Some(sentence) = &sentence { p class="sentence" { (sentence) } }
            @if !has_message && (sentence.is_none() || exhibit.is_undecided()) {
                p class="sentence" { (told(exhibit)) }
            }
            @if let Some(asks) = say(puzzle.and_then(|puzzle| puzzle.asks())) { p class="soft" { (asks) } }
            (picture)
            p class="around" {
                (link(before, Words::Previous)) (link(behind, Words::Next))
                a href="#top" { (Words::Top.say(language)) }
            }
        }
    }
}

fn picture(exhibit: &Exhibit, language: Language) -> Drawn {
    let name = format!("p{}", exhibit.number);
    match (&exhibit.problem, &exhibit.attempt) {
        (Some(problem), _) => Drawn { picture: excerpt(problem, language, false), thumbnail: None },
        (None, Some(attempt)) if !(attempt.is_right && attempt.shows_right) => {
            beside(exhibit, attempt, &name, language)
        }
        _ => markup(draw(exhibit, &exhibit.input), &name, language),
    }
}

/// Draws a submitted answer, beside the right answer if the page may show it.
fn beside(exhibit: &Exhibit, attempt: &Attempt, name: &str, language: Language) -> Drawn {
    let mut theirs = draw(exhibit, &attempt.input);
    let mut ours = if attempt.shows_right { draw(exhibit, &exhibit.input) } else { Ok(None) };
    if let (Ok(Some(theirs)), Ok(Some(ours))) = (&mut theirs, &mut ours)
        && !theirs.moves.is_empty()
        && !ours.moves.is_empty()
    {
        theirs.compare(ours);
    }
    let theirs = if attempt.is_too_long {
        note(Words::TooLong, language)
    } else {
        markup(theirs, &format!("{name}t"), language)
    };
    let ours = markup(ours, name, language);
    let picture = html! {
        div class="pair" {
            @if !attempt.input.headline.is_empty() {
                div {
                    h3 { (Words::Theirs.say(language)) ": " (attempt.input.headline) }
                    (theirs.picture)
                }
            }
            @if attempt.shows_right {
                div {
                    h3 { (Words::Ours.say(language)) ": " (exhibit.input.headline) }
                    (ours.picture)
                }
            }
        }
    };
    Drawn { picture, thumbnail: theirs.thumbnail.or(ours.thumbnail) }
}

/// A solver's drawing of an answer; `Err` if the drawing code panicked.
type Picture = Result<Option<GridPicture>, ()>;

/// Draws an answer. A panic while drawing must not lose the answer.
fn draw(exhibit: &Exhibit, input: &RenderInput) -> Picture {
    let draw = || exhibit.puzzle.as_ref().and_then(|puzzle| puzzle.draw(input));
    catch_unwind(AssertUnwindSafe(draw)).map_err(|_| ())
}

fn markup(picture: Picture, name: &str, language: Language) -> Drawn {
    let Ok(picture) = picture else { return note(Words::NotDrawn, language) };
    let Some(picture) = picture else { return Drawn { picture: html! {}, thumbnail: None } };
    let draw = || Drawn { picture: picture.draw(name, language), thumbnail: Some(picture.thumbnail()) };
    catch_unwind(AssertUnwindSafe(draw)).unwrap_or_else(|_| note(Words::NotDrawn, language))
}

messages! {
    "page"
    /// Headings, and the words around the pictures.
    pub enum Words {
        Answers = "answers" { file: String },
        Grade = "grade" { file: String },
        Report = "report" { file: String },
        Counts = "counts" { puzzles: u64, invalid: u64, undecided: u64 },
        Puzzle = "puzzle" { number: u64, line: u64 },
        LeftOut = "left-out" { drawn: u64, puzzles: u64 },
        TooLarge = "too-large",
        TooLong = "too-long",
        NoTime = "no-time",
        NotDrawn = "not-drawn",
        Full = "full",
        Theirs = "theirs",
        Ours = "ours",
        Previous = "previous",
        Next = "next",
        Top = "top",
        Text = "text",
        Index = "index",
        Rejected = "rejected",
        NoWitness = "no-witness",
        Made = "made" { version: String },
    }
}
