//! The class list of `grade` and `grades`, with which they report students who handed in nothing.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::cli::arguments::printable_path;
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Exit, Failure};
use tabuleiro_jobs::naming::MoodleName;
use tabuleiro_puzzles::input::{printable, unaccented};

/// The maximum size of a list, in bytes.
const LIST_BYTES_MAX: u64 = 16 << 20;
/// The maximum number of bytes of a name that are shown.
const SHOWN_BYTES_MAX: usize = 1024;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Name,
    /// Follows the name.
    Surname,
    /// Moodle's number of the participant in an assignment: `Participant 101`.
    Participant,
    /// A number or a word that identifies the student.
    Id,
    Email,
    /// The name of the student's folder.
    Folder,
}

/// The headings of each kind of column: lower-case letters and digits alone, with blanks between the headings.
const HEADINGS: [(Column, &str); 8] = [
    (Column::Name, "name student studentname fullname firstname"),
    (Column::Name, "nome nomecompleto nomedoaluno aluno aluna estudante"),
    (Column::Surname, "surname lastname sobrenome ultimonome"),
    (Column::Participant, "identifier identificador"),
    (Column::Id, "id idnumber studentid sid username login"),
    (Column::Id, "matricula numerodematricula numerodeidentificacao ra usuario nomedeusuario"),
    (Column::Email, "email emailaddress enderecodeemail"),
    (Column::Folder, "folder pasta"),
];

/// A class list that records which of its students were found.
#[derive(Debug)]
pub struct Students {
    path: String,
    listed: Vec<Listed>,
}

/// A student of the list.
#[derive(Debug)]
pub struct Listed {
    /// The printable name or, if the row has none, another cell that identifies the student.
    pub name: String,
    /// The participant number in Moodle.
    participant: Option<String>,
    /// Possible names of the student's folder, as [`key`] returns them.
    keys: Vec<String>,
    /// Whether a submission or grade of the student was found.
    is_found: bool,
}

impl Students {
    /// Reads a list: CSV with commas, semicolons or tabs, in UTF-8 or Latin-1, and a first line that names the columns.
    ///
    /// # Errors
    /// Exit code 66 if the file does not exist, 65 if it is too large or has no column of names, 74 if reading fails.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let path_shown = printable_path(path);
        let bytes = read(path).map_err(|error| Failure::open(&path_shown, &error))?;
        let wrong = |why: String| Failure::new(Exit::Data, format_args!("{path_shown}: {why}"));
        if bytes.len() as u64 > LIST_BYTES_MAX {
            let message = CliMessage::ListTooLarge { name: path_shown, bytes_max: LIST_BYTES_MAX };
            return Err(Failure::of(Exit::Data, message));
        }
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect());
        let text = text.trim_start_matches('\u{feff}');
        let mut rows = csv::ReaderBuilder::new()
            .delimiter(delimiter(text.lines().next().unwrap_or_default()))
            .flexible(true)
            .from_reader(text.as_bytes());
        let head = rows.headers().map_err(|error| wrong(error.to_string()))?;
        let columns: Vec<_> = head.iter().map(column).collect();
        if columns.iter().all(Option::is_none) {
            return Err(Failure::of(Exit::Data, CliMessage::NoColumns { name: path_shown }));
        }
        let rows = rows.records().map(|row| row.map_err(|error| wrong(error.to_string())));
        let listed = rows.filter_map(|row| row.map(|row| listed(&columns, &row)).transpose());
        let listed = listed.collect::<Result<Vec<_>, _>>()?;
        Ok(Self { path: path_shown, listed })
    }

    /// Records that a submission or grade exists at a printable path. `names` are further names of its student besides
    /// those in the path. Returns a warning if no student in the list has one of these names.
    pub fn note(&mut self, path: &str, names: &[&str]) -> Option<CliMessage> {
        let Some(at) = self.index(path, names) else {
            return Some(CliMessage::Unlisted { list: self.path.clone() });
        };
        self.listed[at].is_found = true;
        None
    }

    /// Returns the students who were not found.
    pub fn absent(&self) -> impl Iterator<Item = &Listed> {
        self.listed.iter().filter(|listed| !listed.is_found)
    }

    fn index(&self, path: &str, names: &[&str]) -> Option<usize> {
        let of_moodle = MoodleName::of_path(path);
        let number = of_moodle.map(|found| found.id);
        let by_number = |listed: &Listed| number.is_some() && listed.participant.as_deref() == number;
        let keys = match of_moodle {
            Some(found) => vec![key(found.student)],
            None => names.iter().map(|name| key(name)).chain(keys(path)).collect(),
        };
        // Two students can have the same name, so a name counts only if the list or the path gives no number.
        let by_name = |listed: &Listed| {
            let is_other = number.is_some() && listed.participant.is_some();
            !is_other && listed.keys.iter().any(|key| keys.contains(key))
        };
        self.listed.iter().position(by_number).or_else(|| self.listed.iter().position(by_name))
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LIST_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the most likely delimiter of a line.
fn delimiter(head: &str) -> u8 {
    let count = |delimiter: &u8| head.bytes().filter(|byte| byte == delimiter).count();
    // If several are equally frequent, `max_by_key` takes the last.
    [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

/// Returns the kind of the column with the heading `head`, ignoring case, blanks and accents.
fn column(head: &str) -> Option<Column> {
    let letters: String = unaccented(head).chars().filter(|letter| letter.is_alphanumeric()).collect();
    let mut headings = HEADINGS.iter().filter(|(_, words)| words.split(' ').any(|word| word == letters));
    headings.next().map(|(column, _)| *column)
}

/// Returns the student of a row, or `None` for an empty row.
fn listed(columns: &[Option<Column>], row: &csv::StringRecord) -> Option<Listed> {
    let cells = |wanted: Column| {
        let cells = columns.iter().zip(row).filter(move |(column, _)| **column == Some(wanted));
        cells.map(|(_, cell)| cell.trim()).filter(|cell| !cell.is_empty())
    };
    let names: Vec<_> = cells(Column::Name).chain(cells(Column::Surname)).collect();
    let name = names.join(" ");
    let participant = cells(Column::Participant).next();
    let ids = cells(Column::Id).chain(cells(Column::Folder));
    // The name of a folder can also be the part of an address before the @.
    let addresses = cells(Column::Email).flat_map(|email| [Some(email), email.split('@').next()]).flatten();
    let others: Vec<_> = ids.chain(addresses).collect();
    let shown = [name.as_str()].into_iter().chain(others.iter().copied()).chain(participant);
    let shown = shown.into_iter().find(|text| !text.is_empty())?;
    let keys =
        [name.as_str()].into_iter().chain(others.iter().copied()).map(key).filter(|key| !key.is_empty());
    let number =
        participant.map(|cell| &cell[cell.trim_end_matches(|letter: char| letter.is_ascii_digit()).len()..]);
    Some(Listed {
        name: printable(shown.as_bytes(), SHOWN_BYTES_MAX),
        participant: number.filter(|number| !number.is_empty()).map(str::to_owned),
        keys: keys.collect(),
        is_found: false,
    })
}

/// Returns the names that may identify the student of a submission: those of its folders, and its own.
fn keys(path: &str) -> Vec<String> {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let words = key(file.rsplit_once('.').map_or(file, |(stem, _)| stem));
    let own = words.split(' ').filter(|word| !word.starts_with("saida")).collect::<Vec<_>>().join(" ");
    let names = folders.split('/').chain([file]).map(key).chain([words, own]);
    names.filter(|key| !key.is_empty()).collect()
}

/// Returns a name in a form for comparison: its words in lower case, without accents, in alphabetical order.
fn key(name: &str) -> String {
    let name = unaccented(name);
    let mut words: Vec<_> =
        name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn students(text: impl AsRef<[u8]>) -> Result<Students, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Students::read(file.path()).map_err(|failure| failure.to_string())
    }

    fn absent(text: impl AsRef<[u8]>, paths: &[&str]) -> Vec<String> {
        let mut students = students(text).unwrap();
        for path in paths {
            assert!(students.note(path, &[]).is_none());
        }
        students.absent().map(|listed| listed.name.clone()).collect()
    }

    #[test]
    fn the_lists_of_moodle_google_and_spreadsheets_are_read() {
        // Moodle's worksheet, its participants, and its grades in Portuguese.
        let worksheet = "Identifier,Full name,Grade\nParticipant 101,Ana Silva,\nParticipant 102,Ana Silva,\nParticipant 103,Caio,\n";
        assert_eq!(
            absent(worksheet, &["t/Ana Silva_102_assignsubmission_file_/saida.txt"]),
            ["Ana Silva", "Caio"]
        );
        let portuguese =
            "\u{feff}Identificador;Nome completo\nParticipante101;Ana Conceição\nParticipante103;Caio\n";
        assert_eq!(absent(portuguese, &["t.zip/Ana_101_assignsubmission_file_saida.txt"]), ["Caio"]);
        assert_eq!(absent(portuguese, &["t/conceicao_ana/x/saida.txt"]), ["Caio"]);
        let people = "First name\tLast name\tID number\tEmail address\nAna\tSilva\t7\tana.s@x.br\nBia\tSá\t8\tbia@x.br\nCaio\tLá\t9\t\n";
        assert_eq!(absent(people, &["t/Silva, Ana/saida.txt", "t/8/saida.txt"]), ["Caio Lá"]);
        assert_eq!(absent(people, &["t/ana.s/saida.txt", "t/bia_saida.txt", "9.txt"]), Vec::<String>::new());
        let google = "Sobrenome,Nome,Endereço de e-mail\nSilva,Ana,a@x.br\nSá,Bia,b@x.br\n";
        assert_eq!(absent(google, &["saida_ana_silva.txt"]), ["Bia Sá"]);
        // As Excel saves it if UTF-8 is not chosen.
        assert_eq!(absent(b"Aluno;Matr\xedcula\nJo\xe3o;1\n;\nZ\xe9;2\n", &["joao/x"]), ["Zé"]);
        assert_eq!(absent("id\n1\n\"2\u{1b}\"\n", &[]), ["1", "2\\u{1b}"]);
    }

    #[test]
    fn who_has_another_number_is_another_person() {
        let mut students = students("Identifier,Full name\nParticipant 101,Ana\n").unwrap();
        assert!(students.note("Ana_102_assignsubmission_file_/saida.txt", &[]).is_some());
        assert!(students.note("bia/saida.txt", &["Bia"]).is_some());
        assert_eq!(students.absent().count(), 1);
        assert!(students.note("x/saida.txt", &["Ána"]).is_none());
        assert_eq!(students.absent().count(), 0);
    }

    #[test]
    fn a_list_without_names_is_refused() {
        assert!(
            students("Grade,Date\n1,2\n").unwrap_err().contains("let the first line name one: name, nome, ")
        );
        assert!(students("").is_err());
        assert!(
            Students::read(Path::new("/nowhere/list.csv"))
                .is_err_and(|failure| failure.exit == Exit::NoInput)
        );
    }
}
