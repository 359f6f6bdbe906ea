//! Checks pages: for any file name, content and witness, the page is well-formed, and no text gets out of its place.

use std::sync::{Arc, LazyLock};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Value, json};
use tabuleiro_jobs::page::{PageLinks, PageSink};
use tabuleiro_jobs::{Job, JobError, JobInfo, Pool, Progress};
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    Authority, Bounds, Budget, Cancel, LANGUAGE, Options, RenderInput, SOLVERS, Solver, default_options,
};

use super::reading;

/// The elements that can follow the head of a page.
const ELEMENTS: &[&str] = &[
    "a",
    "b",
    "circle",
    "desc",
    "div",
    "em",
    "figcaption",
    "figure",
    "footer",
    "g",
    "h1",
    "h2",
    "h3",
    "i",
    "input",
    "label",
    "main",
    "mark",
    "nav",
    "p",
    "path",
    "polyline",
    "pre",
    "rect",
    "section",
    "span",
    "strong",
    "svg",
    "text",
    "title",
];
/// Attributes of a page. Only `href` can load something, so the check reads its value.
const ATTRIBUTES: &[&str] = &[
    "aria-hidden",
    "aria-label",
    "checked",
    "class",
    "cx",
    "cy",
    "d",
    "fill",
    "font-size",
    "height",
    "href",
    "id",
    "name",
    "points",
    "r",
    "role",
    "rx",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-width",
    "type",
    "viewBox",
    "width",
    "x",
    "y",
];
/// Maximum bytes of a page: the size from which on it is full, and what may still follow.
const PAGE_BYTES_MAX: usize = 5 << 20;

static POOL: LazyLock<Pool> = LazyLock::new(|| Pool::new(1).expect("a thread can be started"));

/// The first byte chooses the solver and the language. The first line is the file's name, the second a witness, and the
/// rest is the file.
pub fn check(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else { return };
    let mut lines = rest.splitn(3, |&byte| byte == b'\n');
    let mut next = || lines.next().unwrap_or_default();
    let (name, witness, text) = (String::from_utf8_lossy(next()), next(), next());
    let solver = SOLVERS[usize::from(choice) % SOLVERS.len()];
    let mut options = default_options(solver);
    let language = if choice < 128 { "en" } else { "pt" };
    for (key, value) in [
        ("picture", "true"),
        ("language", language),
        ("time_limit", "10ms"),
        ("memory_limit", "4MiB"),
        ("job_time_limit", "100ms"),
    ] {
        options.set(key, value, Authority::Owner).expect("every solver has it");
    }
    sound(&page((solver, &options), &name, text));
    draw((solver, &options), witness, text);
}

/// Returns the page of a file.
fn page((solver, options): (&'static dyn Solver, &Options), name: &str, text: &[u8]) -> String {
    let mut scanner = Scanner::new(text, name).expect("memory can be read");
    let info = JobInfo { file: name, solver, options };
    let (cancel, progress) = (Cancel::default(), Arc::<Progress>::default());
    let mut sink = PageSink::new(Vec::new(), &info, PageLinks::default());
    let job = Job { solver, options, pool: &POOL, cancel: &cancel, progress: &progress };
    let page = match tabuleiro_jobs::answer(&mut scanner, &job, &mut sink) {
        Ok(summary) => sink.finish(&summary, &job.limits()).expect("memory can be written"),
        Err(JobError::Rejected(rejection)) => rejection.page(name, Some(name), options.get(LANGUAGE)),
        Err(error) => panic!("{error}"),
    };
    String::from_utf8(page).expect("pages are UTF-8")
}

/// Draws the first puzzles of a file with a witness that does not belong to them.
fn draw((solver, options): (&'static dyn Solver, &Options), witness: &[u8], text: &[u8]) {
    let said = String::from_utf8_lossy(witness).into_owned();
    let json = serde_json::from_slice::<Value>(witness).unwrap_or(Value::Null);
    let squares: Vec<Value> = witness.chunks(2).map(|pair| json!(pair)).collect();
    let letters: Vec<Value> = said.chars().map(|letter| Value::from(letter.to_string())).collect();
    let words: Vec<Value> = said.split(';').map(Value::from).collect();
    let witnesses =
        [json, Value::from(said.as_str()), Value::from(squares), Value::from(letters), Value::from(words)];
    let puzzles = reading::entries(solver, options, text).into_iter().filter_map(|entry| entry.puzzle);
    for puzzle in puzzles.take(3) {
        puzzle.trace(&Budget::new(None, None, 1 << 20, Cancel::default()));
        for witness in &witnesses {
            for is_answered in [true, false] {
                let language = options.get(LANGUAGE);
                let input = RenderInput {
                    language,
                    headline: said.clone(),
                    is_answered,
                    answer: witness.clone(),
                    witness: witness.clone(),
                    bounds: Bounds { at_least: Some(2), at_most: None },
                };
                if let Some(picture) = puzzle.draw(&input) {
                    sound_piece(&picture.draw("p1", language).0);
                    sound_piece(&picture.thumbnail().0);
                }
            }
        }
    }
}

/// Panics if a page is not well-formed or has anything that the program never writes.
pub fn sound(page: &str) {
    assert!(page.len() < PAGE_BYTES_MAX, "{} bytes", page.len());
    let is_no_character = |character: char| {
        character.is_control() && !matches!(character, '\n' | '\t')
            || matches!(character, '\u{fffe}' | '\u{ffff}')
    };
    assert!(!page.contains(is_no_character), "a control character: {page}");
    let (head, main) = page.split_once("<main>").expect("a page has a main part");
    // Everything before the main part is fixed, except for the title.
    let (before, rest) = head.split_once("<title>").expect("a page has a title");
    let (title, behind) = rest.split_once("</title>").expect("it ends");
    assert!(!title.contains('<'), "{title}");
    assert!(before.matches('<').count() <= 9 && behind.matches('<').count() == 4, "{head}");
    let main = main.strip_suffix("</main></body></html>\n").expect("a page ends");
    sound_piece(main);
}

/// Checks a piece of a page in the same way.
pub fn sound_piece(piece: &str) {
    // HTML has no end tag for `input`, and XML requires a value for every attribute.
    let mut inputs = piece.split("<input ");
    let mut whole = format!("<main>{}", inputs.next().unwrap_or_default());
    for input in inputs {
        let (attributes, rest) = input.split_once('>').expect("a button ends");
        whole += &format!("<input {}/>{rest}", attributes.replace(" checked", " checked=\"\""));
    }
    whole += "</main>";
    let mut reader = Reader::from_str(&whole);
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {piece}")) {
            Event::Start(element) | Event::Empty(element) => sound_element(&element),
            Event::End(_) | Event::Text(_) | Event::GeneralRef(_) => {}
            Event::Eof => break,
            other => panic!("{other:?} in {piece}"),
        }
    }
}

fn sound_element(element: &BytesStart<'_>) {
    let name = element.name();
    let name = name.as_ref();
    assert!(ELEMENTS.contains(&name), "<{name}>");
    for attribute in element.attributes() {
        let attribute = attribute.unwrap_or_else(|error| panic!("{error} in {element:?}"));
        let key = attribute.key.as_ref().to_owned();
        assert!(ATTRIBUTES.contains(&key.as_str()), "{key} of <{name}>");
        // Links are relative, so that they run nothing and lead to no other host.
        let is_relative =
            |link: &str| link.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"#-._~/%".contains(&byte));
        assert!(key != "href" || is_relative(&attribute.value), "{attribute:?}");
    }
}
