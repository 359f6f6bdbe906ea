//! For which solver a file looks as if it was written, in words.

use tabuleiro_jobs::{Recognised, recognise};
use tabuleiro_puzzles::solver::{SOLVERS, Solver};
use tabuleiro_puzzles::words::{Phrase, messages};

messages! {
    "advice"
    /// For which solver a file is. Names are rules of warnings.
    pub(super) enum Advice {
        /// It alone reads all of the file.
        LooksLike = "looks-like" { solver: &'static str, puzzles: Phrase, action: Phrase },
        /// None does.
        Nobody = "nobody",
        /// By folder or by name.
        FolderOrName = "folder-or-name" { folder: Phrase, name: String },
        /// By folder.
        Folder = "folder" { folder: Phrase },
        /// By name.
        Name = "name" { name: String },
        /// By another directive than the one it has.
        Directive = "directive" { solver: &'static str },
        /// In the route of a reference.
        Route = "route" { solver: &'static str },
        /// On the command line.
        Option = "option" { solver: &'static str },
        /// A folder anywhere.
        AnyFolder = "any-folder" { folder: String },
        /// A folder of the inbox itself.
        TopFolder = "top-folder" { folder: String },
        /// So many puzzles, by the words of the solvers' pages.
        Boards = "board" { puzzles: u64 },
        /// Likewise.
        Cases = "case" { puzzles: u64 },
        /// Likewise.
        Games = "game" { puzzles: u64 },
        /// Of any other word.
        Puzzles = "puzzle" { puzzles: u64 },
    }
}

/// For which other solver the reference of a route was written, which `tried` cannot read, and how it gets there.
pub(super) fn of_reference(tried: &'static dyn Solver, names_solver: bool, text: &[u8]) -> Option<Phrase> {
    let others = SOLVERS.iter().copied().filter(|solver| *solver != tried);
    let [Recognised { solver, puzzles }] = recognise(others, || Ok(text))[..] else { return None };
    let (id, puzzles) = (solver.id(), count(solver, puzzles));
    let action = if names_solver { Advice::Directive { solver: id } } else { Advice::Route { solver: id } };
    Some(Advice::LooksLike { solver: id, puzzles, action: action.into() }.into())
}

/// So many puzzles, by the word of the solver's page.
pub(super) fn count(solver: &'static dyn Solver, puzzles: u64) -> Phrase {
    match solver.info().noun {
        "board" => Advice::Boards { puzzles },
        "case" => Advice::Cases { puzzles },
        "game" => Advice::Games { puzzles },
        _ => Advice::Puzzles { puzzles },
    }
    .into()
}
