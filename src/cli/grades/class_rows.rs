//! The rows of the class list: a student and an exercise each.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use clap::ValueEnum;

use super::nota::Nota;

/// Which of several submissions counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Take {
    /// The one with the most points; of several, the last
    Best,
    /// The one that was changed last
    Last,
}

/// A student and an exercise.
#[derive(Debug)]
pub struct Row {
    /// The grade that counts, or the one to show where none does.
    pub taken: Nota,
    /// Whether it counts: it is neither late nor beyond the attempts, or those are taken as well.
    pub counts: bool,
    /// How many grades there are; none where there was nothing to grade.
    pub submissions: u64,
    /// How often the student handed in, as far as the grades tell.
    pub attempts: u64,
    /// The student has no name, and files of several names were taken for one student's.
    pub is_mixed: bool,
}

/// Makes the rows, by exercise and student. With `all`, late submissions and those beyond the attempts count as well. A student whose
/// last submission cannot be told has no row but a message.
pub fn class_list(
    notas: impl Iterator<Item = Nota>,
    (take, all): (Take, bool),
    told: &mut Vec<String>,
) -> Vec<Row> {
    let mut students: BTreeMap<_, Vec<Nota>> = BTreeMap::new();
    for nota in notas {
        // Who has an ID is known by it: two students may have one name.
        let name = nota.id.is_none().then(|| nota.student.clone());
        students.entry((nota.exercise.clone(), nota.id.clone(), name)).or_default().push(nota);
    }
    let rows = students.into_values().filter_map(|notas| {
        let (student, exercise) = (notas[0].student.clone(), notas[0].exercise.clone());
        let row = row(notas, take, all);
        if row.is_none() {
            told.push(format!(
                "{student} ({exercise}): left out, because the last submission cannot be told: a grade does not say when \
                 its submission was made, or two say the same; take the best one, or remove those that do not count"
            ));
        }
        row
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_cached_key(|row| (row.taken.exercise.clone(), row.taken.student.clone()));
    rows
}

/// Makes the row of a student from one grade at least; `None` if it cannot be said which one counts.
fn row(notas: Vec<Nota>, take: Take, all: bool) -> Option<Row> {
    let mut notas = without_earlier(notas);
    // What can be graded counts before what cannot.
    let submissions = notas.iter().filter(|nota| nota.points.is_some()).count() as u64;
    notas.retain(|nota| submissions == 0 || nota.points.is_some());
    let attempts = notas.iter().map(|nota| nota.attempt).max().unwrap_or_default().max(submissions);
    let is_mixed = notas
        .iter()
        .any(|nota| !nota.is_named && nota.id.is_none() && nota.submission != notas[0].submission);
    let counts = all || notas.iter().any(Nota::counts);
    let mut left: Vec<_> = notas.into_iter().filter(|nota| all || !counts || nota.counts()).collect();
    left.sort_by(|one, other| take.order(one, other));
    let taken = left.pop()?;
    let is_unclear = |other: &Nota| {
        let is_later = taken.time().is_some() && other.time().is_some() && take.order(other, &taken).is_lt();
        !is_later && (other.points, &other.verdict) != (taken.points, &taken.verdict)
    };
    if take == Take::Last && left.iter().any(is_unclear) {
        return None;
    }
    Some(Row { taken, counts, submissions, attempts, is_mixed })
}

/// Drops grades of a content that was graded again later.
fn without_earlier(notas: Vec<Nota>) -> Vec<Nota> {
    let mut newest: HashMap<String, Option<String>> = HashMap::new();
    for nota in &notas {
        if let Some(sha256) = &nota.sha256 {
            let job = newest.entry(sha256.clone()).or_default();
            *job = nota.job.clone().max(job.take());
        }
    }
    let is_newest = |nota: &Nota| nota.sha256.as_ref().is_none_or(|sha256| newest[sha256] == nota.job);
    notas.into_iter().filter(is_newest).collect()
}

impl Take {
    /// Which of two counts: the greater one.
    fn order(self, one: &Nota, other: &Nota) -> Ordering {
        let time = (one.time(), &one.job).cmp(&(other.time(), &other.job));
        match self {
            Self::Best => one.points.cmp(&other.points).then(time),
            Self::Last => time,
        }
    }
}
