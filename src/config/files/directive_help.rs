//! Suggestions for a faulty directive: an option in Portuguese, a value without its unit, two directives on one line.

use super::resolve::SOLVER_KEY;
use tabuleiro_puzzles::input::{QUOTE_BYTES_MAX, printable, unaccented};
use tabuleiro_puzzles::solver::{COMMON, OptionSpec, SOLVERS, Solver, everyday_name, find};
use tabuleiro_puzzles::words::{Argument, Phrase, messages};

/// Options, each with the names that people give it, mostly in Portuguese. Without accents.
const PORTUGUESE_KEYS: &[(&str, &[&str])] = &[
    ("language", &["idioma", "lang", "lingua", "linguagem"]),
    ("witness", &["testemunha", "prova"]),
    ("picture", &["imagem", "desenho", "figura"]),
    ("time_limit", &["tempo", "limite_de_tempo", "tempo_limite"]),
    ("memory_limit", &["memoria", "limite_de_memoria"]),
    ("solver", &["resolvedor", "jogo"]),
    ("goal", &["objetivo", "meta", "gol"]),
    ("player", &["jogador"]),
    ("movement", &["movimento"]),
    ("tie", &["empate"]),
];
/// Values, each with what people write instead. Without accents.
const SPOKEN_VALUES: &[(&str, &[&str])] = &[
    ("true", &["sim", "verdadeiro", "yes", "on"]),
    ("false", &["nao", "falso", "no", "off"]),
    ("pt", &["portugues", "portuguese", "br", "pt-br", "pt_br", "pt-pt"]),
    ("en", &["ingles", "english", "en-us"]),
    ("random", &["aleatorio"]),
    ("greedy", &["guloso"]),
    ("straight", &["reto", "reta", "linha reta", "em linha reta"]),
    ("walk", &["andar", "andando", "passos"]),
    ("first-round", &["primeira rodada"]),
    ("previous-round", &["rodada anterior"]),
    ("skip", &["pular", "pula", "ignorar"]),
    ("reject", &["rejeitar", "recusar"]),
];
/// Units to try after a value that has none.
const UNITS: [&str; 2] = ["s", "MiB"];
/// The option whose value is the time for one move.
const TIME_PER_MOVE: &str = "time_per_move";

/// How units of time begin as people write them, and their lengths in seconds. Without accents.
const SPOKEN_UNITS: &[(&str, u64)] = &[("seg", 1), ("min", 60), ("hora", 3600)];

messages! {
    "directive"
    /// Messages with the directives that were probably meant.
    pub(super) enum Instead {
        /// The directive is not understood.
        Meant = "meant" { found: String, directives: Argument },
        /// The value of the directive has no unit.
        Unit = "unit" { found: String, directives: Argument },
        /// Joins two directives, each on a line of its own.
        NextLine = "next-line" { first: Argument, second: Argument },
    }
}

/// Returns the lines of directives that `key = value` probably meant; `None` if the meaning is unclear or an option is
/// unknown.
pub(super) fn meant_directives(
    key: &str,
    value: &str,
    is_known: impl Fn(&str) -> bool,
) -> Option<Vec<String>> {
    let value = value.trim_start_matches([':', '=', '>', ' ', '\t']);
    let text = format!("{key} = {value}");
    let mut directives = Vec::new();
    for piece in pieces(&text) {
        let (key, value) = piece.split_once('=')?;
        let (name, value) = meant_directive(key.trim(), value)?;
        is_known(&name).then_some(())?;
        directives.push(format!("#: {name} = {value}"));
    }
    Some(directives)
}

/// Joins directives into the text that a message shows.
pub(super) fn in_words(lines: &[String]) -> Argument {
    let quoted = lines.iter().map(|line| Argument::from(format!("`{line}`")));
    let joined = quoted.reduce(|first, second| Phrase::from(Instead::NextLine { first, second }).into());
    joined.unwrap_or_else(|| String::new().into())
}

/// Splits a line before each word that is followed by `=`.
fn pieces(text: &str) -> Vec<&str> {
    let mut starts = vec![0];
    for (equals, _) in text.match_indices('=').skip(1) {
        let before = text[..equals].trim_end();
        let at = before.rfind([' ', '\t', ',', ';']).map_or(0, |blank| blank + 1);
        starts.push(at);
    }
    starts.push(text.len());
    starts.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect()
}

/// Returns the option and the value that `key = value` probably meant.
pub(super) fn meant_directive(key: &str, value: &str) -> Option<(String, String)> {
    let known = unaccented(key.trim_end_matches(':')).replace(['-', ' '], "_");
    let known = translated(PORTUGUESE_KEYS, &known).unwrap_or(&known);
    let value = value.trim_matches([' ', '\t', ',', ';', '.', '"', '\'', ':', '#', '=']);
    let plain = unaccented(value);
    let value = if known == SOLVER_KEY {
        find(&plain).map(Solver::id).or_else(|| everyday_name(&plain))?.to_owned()
    } else {
        let specs = || SOLVERS.iter().flat_map(|solver| solver.options()).chain(COMMON);
        let mut specs = specs().filter(|spec| spec.name == known);
        specs.find_map(|spec| meant_value(spec, value, &plain))?
    };
    Some((known.to_owned(), printable(value.as_bytes(), QUOTE_BYTES_MAX)))
}

/// Returns the value in a form that the option accepts.
fn meant_value(spec: &OptionSpec, value: &str, plain: &str) -> Option<String> {
    let spoken = translated(SPOKEN_VALUES, plain).unwrap_or(if plain.is_empty() { "true" } else { plain });
    // People give the time for one move in milliseconds.
    let units = if spec.name == TIME_PER_MOVE { &["ms"][..] } else { &UNITS };
    let with_unit = units.iter().map(|unit| format!("{value}{unit}"));
    let values = [value.to_owned(), spoken.to_owned(), plain.replace(' ', "-")];
    let values = values.into_iter().chain(with_unit).chain(in_seconds(plain));
    values.into_iter().find(|value| spec.parse(value).is_ok())
}

/// Converts a duration such as `1 minuto` into seconds.
fn in_seconds(plain: &str) -> Option<String> {
    let unit = plain.trim_start_matches(|character: char| character.is_ascii_digit());
    let number: u64 = plain[..plain.len() - unit.len()].parse().ok()?;
    let (_, seconds) = SPOKEN_UNITS.iter().find(|(begin, _)| unit.trim_start().starts_with(begin))?;
    Some(format!("{}s", number.checked_mul(*seconds)?))
}

fn translated(words: &[(&'static str, &[&str])], word: &str) -> Option<&'static str> {
    words.iter().find(|(_, everyday)| everyday.contains(&word)).map(|(meant, _)| *meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(key: &str, value: &str) -> Option<String> {
        meant_directives(key, value, |_| true).map(|lines| match in_words(&lines) {
            Argument::Phrase(phrase) => phrase.to_string(),
            Argument::Text(text) => text,
            Argument::Number(_) => unreachable!("directives are text"),
        })
    }

    #[test]
    fn what_was_meant_is_written_as_it_is_understood() {
        for (key, value, written) in [
            ("idioma", "pt-br", "`#: language = pt`"),
            ("language", "português", "`#: language = pt`"),
            ("witness", "true;", "`#: witness = true`"),
            ("witness", "", "`#: witness = true`"),
            ("Prova", "sim", "`#: witness = true`"),
            ("lang", "br", "`#: language = pt`"),
            ("jogador", "aleatório", "`#: player = random`"),
            ("time_limit", "60", "`#: time_limit = 60s`"),
            ("time_per_move", "100", "`#: time_per_move = 100ms`"),
            ("memory-limit", "512", "`#: memory_limit = 512MiB`"),
            ("solver", "damas", "`#: solver = checkers-capture`"),
            (
                "witness",
                "true, language = pt",
                "`#: witness = true` and, on a line of its own, `#: language = pt`",
            ),
        ] {
            assert_eq!(meant(key, value).as_deref(), Some(written), "{key} = {value}");
        }
        for (key, value) in [("n", "3"), ("witness", "maybe"), ("solver", "my best one"), ("rows", "8")] {
            assert_eq!(meant(key, value), None, "{key} = {value}");
        }
    }
}
