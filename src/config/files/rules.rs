//! Games that other rules in use answer otherwise: what is said of a file of them, and how it gets the other rules.

use super::advice::{Goal, Stray, is_set};
use super::looks_like::count;
use crate::config::document::Config;
use tabuleiro_jobs::Summary;
use tabuleiro_puzzles::solver::{Options, Solver};
use tabuleiro_puzzles::words::{Argument, Phrase, messages};

messages! {
    "rules"
    /// What other rules would answer. Names are rules of warnings.
    enum Rules {
        /// Some puzzles have another answer by them.
        Differ = "other-answers" { differing: u64, puzzles: Phrase, rules: Phrase, action: Phrase },
        /// Those of the course.
        Course = "course",
        /// Those that nobody has to choose.
        Default = "default",
        /// By name, or by directives.
        NameOrWrite = "name-or-write" { name: String, directives: Argument },
        /// By name.
        Name = "name" { name: String },
        /// By directives.
        Write = "write" { directives: Argument },
        /// By the options of a route.
        Set = "set" { options: Argument },
        /// Two things.
        And = "and" { first: Argument, second: Argument },
    }
}

/// Returns the rules of the course, or the default ones under options that mean the course's.
fn others(solver: &'static dyn Solver, options: &Options) -> Vec<(&'static str, &'static str)> {
    let course = solver.course_rules();
    if !(Goal { solver, rules: course }.is_reached(solver, options)) {
        return course.to_vec();
    }
    let specs = solver.options().iter().filter(|spec| course.iter().any(|(name, _)| *name == spec.name));
    specs.map(|spec| (spec.name, spec.default)).collect()
}

impl Config {
    /// Says how many puzzles of an answered file have another answer by other rules in use, and how the file gets these;
    /// nothing if all agree.
    #[must_use]
    pub fn other_rules(&self, file: &Stray<'_>, options: &Options, summary: &Summary) -> Option<Phrase> {
        let solver = file.tried.filter(|_| summary.differing > 0)?;
        let rules = others(solver, options);
        let missing = |write: fn(&str, &str) -> String| {
            let missing = rules.iter().filter(|rule| !is_set(options, rule));
            let written = missing.map(|(name, value)| Argument::from(write(name, value)));
            written.reduce(|first, second| Phrase::from(Rules::And { first, second }).into())
        };
        let name = file.path.and_then(|path| self.name(file, path, Goal { solver, rules: &rules }));
        let route = file.path.and_then(|path| self.route(path));
        let directives = missing(|name, value| format!("`#: {name} = {value}`"))
            .filter(|_| route.is_none_or(|route| route.allow_directives));
        let action = match (name, directives) {
            (Some(name), Some(directives)) => Rules::NameOrWrite { name, directives },
            (Some(name), None) => Rules::Name { name },
            (None, Some(directives)) => Rules::Write { directives },
            (None, None) => Rules::Set { options: missing(|name, value| format!("{name} = {value}"))? },
        };
        let who = if rules == solver.course_rules() { Rules::Course } else { Rules::Default };
        let (differing, puzzles) = (summary.differing, count(solver, summary.puzzles));
        Some(Rules::Differ { differing, puzzles, rules: who.into(), action: action.into() }.into())
    }
}
