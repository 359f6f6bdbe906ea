//! The students of a class in one archive who have no graded submission.

use std::path::Path;
use std::sync::Arc;

use super::members::Done;
use crate::config::document::Config;
use crate::config::globs::Who;
use crate::config::route::Route;
use tabuleiro_jobs::Rejection;
use tabuleiro_jobs::grading::class::{Folder, Left, Nothing, place};

/// The maximum number of a route's globs shown to a student.
const WANTED_MAX: usize = 3;

/// The students of an archive and their submissions, recorded while the members are answered.
#[derive(Default)]
pub(super) struct Class {
    pub(super) tree: Folder,
    /// The route of the first graded submission.
    grades: Option<Arc<Route>>,
    /// Whether a member was answered that no route grades.
    has_answers: bool,
}

/// A student without a graded submission.
pub(super) struct UngradedStudent {
    /// The path of the folder in the archive.
    pub folder: String,
    /// The student, if a route names the folder.
    pub who: Option<Who>,
    /// The route that grades the others.
    pub route: Arc<Route>,
    pub why: Nothing,
}

impl Class {
    /// Records the outcome of a member by its path in the archive. `route` is the route that takes the member.
    pub(super) fn add(&mut self, path: &str, route: Option<&Arc<Route>>, done: &Result<Done, Rejection>) {
        let (folder, name) = place(path);
        let grades = route.filter(|route| route.grade.is_some());
        let why = match (done, grades) {
            (Ok(Done::Graded { .. }), Some(route)) => {
                self.grades.get_or_insert_with(|| Arc::clone(route));
                return self.tree.add_graded(&folder);
            }
            (Ok(_), _) => {
                self.has_answers = true;
                None
            }
            (Err(rejection @ Rejection::NotRead(_)), _) | (Err(rejection), Some(_)) => {
                Some(rejection.reason())
            }
            (Err(_), None) => None,
        };
        self.tree.add_left(&folder, Left { name, why });
    }

    /// Returns the students without a graded submission; `below` is the archive's path below the inbox. An archive
    /// without any grade is a class only if nothing else was answered and a grading route names the folders.
    pub(super) fn lacking(&self, config: &Config, below: &Path) -> Vec<UngradedStudent> {
        if self.grades.is_none() && self.has_answers {
            return Vec::new();
        }
        let grading = || config.routes().iter().filter(|route| route.grade.is_some());
        let lacking = self.tree.lacking().into_iter().filter_map(|(folder, left)| {
            let path = below.join(&folder).join("x");
            let naming = || grading().find(|route| route.whose(&path).is_some());
            let route = Arc::clone(self.grades.as_ref().or_else(naming)?);
            let (who, why) = (route.whose(&path), left.nothing(&wanted(&route)));
            Some(UngradedStudent { folder, who, route, why })
        });
        lacking.collect()
    }
}

/// Returns the possible names of a submission for a route.
fn wanted(route: &Route) -> String {
    let name = |glob: &'_ str| {
        let name = glob.rsplit('/').next().unwrap_or(glob);
        if matches!(name, "*" | "**") { glob.to_owned() } else { name.to_owned() }
    };
    let mut names: Vec<_> = route.files.patterns().iter().map(|glob| name(glob)).collect();
    names.dedup();
    names.truncate(WANTED_MAX);
    names.join(", ")
}
