//! The rows of the class list: a student and an exercise each.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use clap::ValueEnum;

use super::nota::Nota;

/// Which of several submissions counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Take {
    /// The one with the most points; of several, the last
    Best,
    /// The last one
    Last,
}

/// A student and an exercise.
#[derive(Debug)]
pub struct Row {
    /// The grade that counts.
    pub taken: Nota,
    /// How many there are.
    pub submissions: u64,
    /// The student has no name, and files of several names were taken for one student's.
    pub is_mixed: bool,
}

/// The rows, by exercise and student.
pub fn class_list(notas: impl Iterator<Item = Nota>, take: Take) -> Vec<Row> {
    let mut rows = BTreeMap::new();
    for nota in notas {
        // Who has an ID is known by it: two students may have one name.
        let name = nota.id.is_none().then(|| nota.student.clone());
        match rows.entry((nota.exercise.clone(), nota.id.clone(), name)) {
            Entry::Vacant(place) => {
                place.insert(Row { taken: nota, submissions: 1, is_mixed: false });
            }
            Entry::Occupied(mut row) => row.get_mut().add(nota, take),
        }
    }
    let mut rows: Vec<_> = rows.into_values().collect();
    rows.sort_by_cached_key(|row| (row.taken.exercise.clone(), row.taken.student.clone()));
    rows
}

impl Row {
    fn add(&mut self, nota: Nota, take: Take) {
        self.submissions += 1;
        self.is_mixed |= !nota.is_named && nota.id.is_none() && nota.submission != self.taken.submission;
        if take.order(&self.taken, &nota).is_le() {
            self.taken = nota;
        }
    }
}

impl Take {
    /// Which of two counts: the greater one.
    fn order(self, one: &Nota, other: &Nota) -> Ordering {
        let (points, job) = (one.points.cmp(&other.points), one.job.cmp(&other.job));
        match self {
            Self::Best => points.then(job),
            Self::Last => job,
        }
    }
}
