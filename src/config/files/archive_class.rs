//! The students of a class in one archive, of whom nothing is graded.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::config::document::Config;
use crate::config::route::Route;
use tabuleiro_jobs::grading::class::{Folder, Left, Nothing, nothing, place};
use tabuleiro_jobs::naming::MoodleName;
use tabuleiro_puzzles::words::Phrase;

/// Globs of a route that a student is told.
const WANTED_MAX: usize = 3;

/// A class while the members of its archive are answered.
pub(super) struct Class<'a> {
    config: &'a Config,
    /// The path below the inbox that members are below.
    below: &'a Path,
    /// By number and name, those whom a route names.
    students: BTreeMap<(Option<String>, String), Student>,
    /// All folders, for the students whom no route names.
    tree: Folder,
    /// The route of the first grade.
    grades: Option<Arc<Route>>,
    /// Something was answered that no route grades.
    has_answers: bool,
}

/// A student whom a route names.
struct Student {
    route: Arc<Route>,
    /// The path of the folder in the archive.
    folder: String,
    is_graded: bool,
    left: Vec<Left>,
}

/// What became of a member.
pub(super) enum Became {
    Graded(Arc<Route>),
    Answered,
    /// It is not graded; if a route wanted it, why.
    Left(Option<Phrase>),
}

/// A student of whom nothing is graded.
pub(super) struct Lacking {
    /// The path of the folder in the archive.
    pub folder: String,
    /// The name and the number of the student, if a route names them.
    pub who: Option<(String, Option<String>)>,
    /// The route that grades the others.
    pub route: Arc<Route>,
    pub why: Nothing,
}

impl<'a> Class<'a> {
    pub(super) fn new(config: &'a Config, below: &'a Path) -> Self {
        let (students, tree) = (BTreeMap::new(), Folder::default());
        Self { config, below, students, tree, grades: None, has_answers: false }
    }

    /// Notes a folder at its path in the archive.
    pub(super) fn add_folder(&mut self, path: &str) {
        self.tree.add_folder(path);
        // What would lie in it tells whose it is.
        self.student(&format!("{path}/x"), path, None);
    }

    /// Notes a member at its path in the archive.
    pub(super) fn add(&mut self, path: &str, became: Became) {
        let (folder, file) = place(path);
        match became {
            Became::Graded(route) => {
                self.tree.add_graded(&folder);
                self.grades.get_or_insert_with(|| Arc::clone(&route));
                if let Some(student) = self.student(path, &folder, Some(&route)) {
                    student.is_graded = true;
                }
            }
            Became::Answered | Became::Left(_) => {
                self.has_answers |= matches!(became, Became::Answered);
                let why = if let Became::Left(why) = became { why } else { None };
                self.tree.add_left(&folder, Left { name: file.clone(), why: why.clone() });
                if let Some(student) = self.student(path, &folder, None) {
                    let below =
                        folder.strip_prefix(&student.folder).unwrap_or_default().trim_start_matches('/');
                    let name = if below.is_empty() { file } else { format!("{below}/{file}") };
                    student.left.push(Left { name, why });
                }
            }
        }
    }

    /// The student whom a route names for what lies at `path`, in a folder; the route that graded it before others.
    fn student(&mut self, path: &str, folder: &str, graded_by: Option<&Arc<Route>>) -> Option<&mut Student> {
        let whose = |route: &Route, path: &str| route.whose(&self.below.join(path));
        let grading = self.config.routes().iter().filter(|route| route.grade.is_some());
        let mut routes = graded_by.into_iter().chain(grading);
        let (route, who) = routes.find_map(|route| Some((route, whose(route, path)?)))?;
        // The highest folder that is the student's.
        let ends = folder.match_indices('/').map(|(at, _)| at).chain([folder.len()]);
        let mut folders = ends.map(|end| &folder[..end]);
        let own = folders.find(|own| whose(route, &format!("{own}/x")).as_ref() == Some(&who));
        let (route, folder) = (Arc::clone(route), own.unwrap_or(folder).to_owned());
        let student = Student { route, folder, is_graded: false, left: Vec::new() };
        Some(self.students.entry((who.id, who.student)).or_insert(student))
    }

    /// The students of whom nothing is graded. An archive without any grade is a class only if nothing else was answered.
    pub(super) fn lacking(self) -> Vec<Lacking> {
        let Self { below, students, tree, grades, has_answers, .. } = self;
        if grades.is_none() && has_answers {
            return Vec::new();
        }
        let is_known = |path: &str| {
            let is_below = |one: &str, other: &str| Path::new(one).starts_with(other);
            let id = MoodleName::of_path(&format!("{path}/")).map(|found| found.id.to_owned());
            students.iter().any(|((known, _), student)| {
                (id.is_some() && *known == id)
                    || is_below(&student.folder, path)
                    || is_below(path, &student.folder)
            })
        };
        let mut lacking = Vec::new();
        if let Some(route) = &grades {
            for (folder, left) in tree.lacking().into_iter().filter(|(path, _)| !is_known(path)) {
                let who = route.whose(&below.join(&folder).join("x")).map(|who| (who.student, who.id));
                let (route, why) = (Arc::clone(route), left.nothing(&wanted(route)));
                lacking.push(Lacking { folder, who, route, why });
            }
        }
        let without = students.into_iter().filter(|(_, student)| !student.is_graded);
        lacking.extend(without.map(|((id, student), Student { route, folder, left, .. })| {
            // Of several routes the one that grades the others.
            let names = |route: &&Arc<Route>| {
                let who = route.whose(&below.join(&folder).join("x"));
                who.is_some_and(|who| who.student == student && who.id == id)
            };
            let route = grades.as_ref().filter(names).map_or(route, Arc::clone);
            let why = nothing(&left, 0, &wanted(&route));
            Lacking { folder, who: Some((student, id)), route, why }
        }));
        lacking.sort_by(|a, b| a.folder.split('/').cmp(b.folder.split('/')));
        lacking
    }
}

/// What a submission may be called that a route takes.
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
