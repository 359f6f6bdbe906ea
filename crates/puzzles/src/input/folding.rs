//! Folds names, so that names compare equal if people or file systems confuse them.

/// Accented lower-case letters. Each row holds a combining accent, the letters with it, and the bare letters.
const ACCENTED: [(char, &str, &str); 8] = [
    ('\u{300}', "àèìòùǹ", "aeioun"),
    ('\u{301}', "áéíóúýćńśźĺŕ", "aeiouycnszlr"),
    ('\u{302}', "âêîôûĉĝĥĵŝŵŷ", "aeioucghjswy"),
    ('\u{303}', "ãñõĩũẽ", "anoiue"),
    ('\u{308}', "äëïöüÿ", "aeiouy"),
    ('\u{30a}', "åů", "au"),
    ('\u{30c}', "čďěňřšťž", "cdenrstz"),
    ('\u{327}', "çşţ", "cst"),
];

/// Returns a name in lower case, with each accent as a character after its letter. Two names that some file system
/// confuses become equal.
pub fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    // Upper case first, because some letters have two lower-case forms.
    let lower = name.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let mut folded = String::with_capacity(name.len());
    for character in lower {
        let letter_and_accent = ACCENTED.iter().find_map(|(accent, with, without)| {
            let at = with.chars().position(|letter| letter == character)?;
            Some([without.chars().nth(at)?, *accent])
        });
        match letter_and_accent {
            Some(both) => folded.extend(both),
            None => folded.push(character),
        }
    }
    folded
}

/// Returns a name in lower case and without accents.
pub fn unaccented(name: &str) -> String {
    folded(name).chars().filter(|character| !matches!(character, '\u{300}'..='\u{36f}')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_composed_or_not_and_in_any_case() {
        for (one, other) in
            [("SAÍDA.txt", "sai\u{301}da.TXT"), ("Conceição", "CONCEIC\u{327}A\u{303}O"), ("ß", "SS")]
        {
            assert_eq!(folded(one), folded(other));
            assert_eq!(unaccented(one), unaccented(other));
        }
        assert_ne!(folded("saída"), folded("saida"));
        assert_eq!(unaccented("Saída Ñandú.TXT"), "saida nandu.txt");
        for (_, with, without) in ACCENTED {
            assert_eq!(with.chars().count(), without.chars().count());
        }
    }
}
