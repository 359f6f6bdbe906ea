//! The text of an event for people: the file, what happened, and the time taken.
//!
//! The texts are in the catalogues: the text of an event named `paused` is the message `log-paused`, whose arguments
//! are fields of the event. For an event without such a message, the text is the event's own message.

use std::error::Error;
use std::fmt;

use tracing::field::{Field, Visit};
use tracing::{Level, Metadata};

use super::columns::{cut, shortened, width};
use super::kind;
use tabuleiro_jobs::Rejection;
use tabuleiro_puzzles::solver::{Problem, find};
use tabuleiro_puzzles::words::{Argument, Language, Phrase};

/// The maximum width of a name.
const NAME_COLUMNS_MAX: usize = 40;
/// The minimum width of a text, even on a narrower terminal.
const TEXT_COLUMNS_MIN: usize = 30;
/// Events whose text may be cut, because the outputs of the file have the whole text.
const OF_OUTPUTS: [&str; 8] = [
    kind::ANSWERED.name,
    kind::GRADED.name,
    kind::REJECTED.name,
    kind::INVALID_PUZZLE.name,
    "file-warning",
    "ignored",
    "rejected-member",
    "nothing-to-grade",
];

/// Converts an error for a log field. The log words a [`Phrase`], [`Problem`] or [`Rejection`] in its own language.
pub fn told<'e>(error: &'e (dyn Error + 'static)) -> &'e (dyn Error + 'static) {
    error
}

/// The fields of an event.
pub struct Fields {
    language: Language,
    message: String,
    /// The fields except the message.
    pub values: Vec<(&'static str, Value)>,
}

/// The value of a field.
pub enum Value {
    Number(u64),
    Real(f64),
    Text(String),
    /// Anything else, in its `Debug` form.
    Other(String),
}

/// The value as it appears in the fields of a log line.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Real(real) => write!(f, "{real:?}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, Value::Text(value.to_owned()));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, Value::Number(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.record_u64(field, value.try_into().unwrap_or_default());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, Value::Real(value));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        let text = if let Some(rejection) = value.downcast_ref::<Rejection>() {
            rejection.line(self.language)
        } else if let Some(problem) = value.downcast_ref::<Problem>() {
            problem.say(self.language)
        } else if let Some(phrase) = value.downcast_ref::<Phrase>() {
            phrase.say(self.language)
        } else {
            value.to_string()
        };
        self.add(field, Value::Text(text));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, Value::Other(format!("{value:?}")));
    }
}

impl Fields {
    /// Creates an empty list; texts in it will be in `language`.
    pub fn new(language: Language) -> Self {
        Self { language, message: String::new(), values: Vec::new() }
    }

    fn add(&mut self, field: &Field, value: Value) {
        match value {
            Value::Text(text) | Value::Other(text) if field.name() == "message" => self.message = text,
            value => self.values.push((field.name(), value)),
        }
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    fn text(&self, name: &str) -> Option<&str> {
        match self.value(name)? {
            Value::Text(text) | Value::Other(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of a numeric field unless it is 0.
    fn count(&self, name: &str) -> Option<u64> {
        match self.value(name)? {
            Value::Number(number) => Some(*number).filter(|number| *number > 0),
            _ => None,
        }
    }

    fn argument(&self, name: &str) -> Option<Argument> {
        Some(match self.value(name)? {
            Value::Number(number) => (*number).into(),
            Value::Real(real) => real.to_string().into(),
            Value::Text(text) | Value::Other(text) => text.as_str().into(),
        })
    }

    /// Returns a message of the catalogues whose arguments are fields.
    fn say(&self, id: &str) -> Option<String> {
        self.language.text_of(id, |name| self.argument(name))
    }

    /// Returns a message of the catalogues about a number of things.
    fn say_count(&self, id: &str, count: u64) -> Option<String> {
        self.language.text_of(id, |_| Some(count.into()))
    }
}

/// How an event is shown on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Plain,
    /// Undecided puzzles, warnings.
    Attention,
    /// Invalid puzzles, rejected files, errors.
    Bad,
}

/// The parts of a line.
pub struct EventText {
    /// The file that the event is about, with the line and column if they are known.
    pub subject: Option<String>,
    pub text: String,
    pub tone: Tone,
    pub took: Option<String>,
    /// Whether the outputs of the file have the whole text.
    is_of_outputs: bool,
}

impl EventText {
    /// Returns the text of an event.
    pub fn of(metadata: &Metadata<'_>, fields: &Fields) -> Self {
        let (name, level) = (metadata.name(), *metadata.level());
        let subject = subject(fields);
        let mut text = match name {
            _ if name == kind::ANSWERED.name => answered(fields),
            _ if name == kind::GRADED.name => graded(fields),
            _ => fields.say(&format!("log-{name}")).unwrap_or_else(|| fields.message.clone()),
        };
        text.extend(fields.text("solving").map(|solving| format!(", {solving}")));
        if subject.is_none() {
            let word = match level {
                Level::ERROR => fields.say("log-error"),
                Level::WARN => fields.say("log-warning"),
                _ => None,
            };
            text.insert_str(0, &word.map(|word| format!("{word}: ")).unwrap_or_default());
        }
        let is_of_outputs = OF_OUTPUTS.contains(&name);
        Self { subject, text, tone: tone(name, level, fields), took: took(fields), is_of_outputs }
    }

    /// Returns the line without the time of day. With `columns`, cuts a text that the outputs of the file have in full.
    pub fn line(&self, columns: Option<usize>) -> String {
        let subject = self.subject.as_ref().map(|subject| format!("{subject}  ")).unwrap_or_default();
        let took = self.took.as_ref().map(|took| format!("   {took}")).unwrap_or_default();
        match columns.filter(|_| self.is_of_outputs) {
            None => format!("{subject}{}{took}", self.text),
            Some(columns) => {
                let room = columns.saturating_sub(width(&subject) + width(&took));
                format!("{subject}{}{took}", cut(&self.text, room.max(TEXT_COLUMNS_MIN)))
            }
        }
    }
}

/// Returns the file, or the member of an archive, with the line and column.
fn subject(fields: &Fields) -> Option<String> {
    let file = fields.text("file").filter(|file| !file.is_empty())?;
    let member = fields.text("member").map(|member| format!("{file}/{member}"));
    let mut subject = shortened(member.as_deref().unwrap_or(file), NAME_COLUMNS_MAX);
    for place in ["line", "column"] {
        subject.extend(fields.count(place).map(|number| format!(":{number}")));
    }
    Some(subject)
}

fn tone(name: &str, level: Level, fields: &Fields) -> Tone {
    let is_bad = [kind::REJECTED, kind::INVALID_PUZZLE].iter().any(|kind| kind.name == name);
    if is_bad || level == Level::ERROR || fields.count("invalid").is_some() {
        Tone::Bad
    } else if level == Level::WARN || fields.count("undecided").is_some() {
        Tone::Attention
    } else {
        Tone::Plain
    }
}

/// Returns the time taken by parsing and solving, or by grading.
fn took(fields: &Fields) -> Option<String> {
    let millis = ["parse_ms", "solve_ms", "grade_ms"].iter().filter_map(|name| match fields.value(name)? {
        Value::Real(millis) => Some(millis),
        _ => None,
    });
    let text = millis.copied().reduce(|sum, part| sum + part).map(duration)?;
    Some(match fields.language {
        Language::English => text,
        Language::Portuguese => text.replace('.', ","),
    })
}

/// Returns a time for people: `0.04 ms`, `61 s`.
fn duration(millis: f64) -> String {
    match millis {
        ..1.0 => format!("{:.2} ms", millis.max(0.01)),
        ..10.0 => format!("{millis:.1} ms"),
        ..1000.0 => format!("{millis:.0} ms"),
        ..10_000.0 => format!("{:.1} s", millis / 1e3),
        ..600_000.0 => format!("{:.0} s", millis / 1e3),
        _ => format!("{:.0} min", millis / 6e4),
    }
}

/// Returns how many puzzles the file had and, if all have an answer, the answers.
fn answered(fields: &Fields) -> String {
    let mut parts = Vec::new();
    for (field, id) in [
        ("members", "log-members"),
        ("members_graded", "site-graded"),
        ("members_rejected", "site-files-rejected"),
    ] {
        parts.extend(fields.count(field).and_then(|count| fields.say_count(id, count)));
    }
    let puzzles = fields.count("puzzles").or_else(|| parts.is_empty().then_some(0));
    let noun = fields.text("solver").and_then(find).map_or("puzzle", |solver| solver.info().noun);
    parts.extend(puzzles.and_then(|puzzles| fields.say_count(&format!("count-{noun}"), puzzles)));
    let complete = parts.len();
    parts.extend(fields.count("invalid").and_then(|count| fields.say_count("site-invalid", count)));
    let limit = fields.text("limit").map(|limit| format!(" ({limit})")).unwrap_or_default();
    let undecided = fields.count("undecided").and_then(|count| fields.say_count("site-undecided", count));
    parts.extend(undecided.map(|undecided| undecided + &limit));
    let is_complete = parts.len() == complete;
    let mut text = parts.join(", ");
    let collision = fields.say("log-name-taken");
    let again = fields.value("replaced").and_then(|_| fields.say("log-again"));
    let end: String = collision.into_iter().chain(again).map(|part| format!(" ({part})")).collect();
    if let Some(answers) = fields.text("answers").filter(|answers| is_complete && !answers.is_empty()) {
        // The field ends with the number of further answers, which is left out here.
        let answers = match answers.rfind("… (") {
            Some(at) if answers.ends_with(" more)") => &answers[..at + "…".len()],
            _ => answers,
        };
        text.push_str(&format!(": {answers}"));
    }
    text + &end
}

/// Returns the points of a submission, and marks such as late.
fn graded(fields: &Fields) -> String {
    let mut parts: Vec<_> = fields.say("log-graded").into_iter().collect();
    let verdict = || fields.text("verdict").filter(|verdict| *verdict != "accepted").map(str::to_owned);
    parts.extend(fields.say("log-first-wrong").or_else(verdict));
    parts.extend(fields.count("not_graded").and_then(|count| fields.say_count("log-not-graded", count)));
    for (field, id) in
        [("late", "log-late"), ("over_attempts", "log-over-attempts"), ("replaced", "log-again")]
    {
        parts.extend(fields.value(field).and_then(|_| fields.say(id)));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn a_time_has_as_many_digits_as_people_need() {
        let said = [0.0, 0.044, 0.996, 3.24, 12.7, 999.4, 1500.0, 60_990.0, 3_600_000.0].map(duration);
        assert_eq!(
            said,
            ["0.01 ms", "0.04 ms", "1.00 ms", "3.2 ms", "13 ms", "999 ms", "1.5 s", "61 s", "60 min"]
        );
    }
}
