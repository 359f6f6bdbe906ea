//! What the pages say.

use tabuleiro_puzzles::words::messages;

messages! {
    "page"
    /// Headings, and what stands around the pictures.
    pub enum Words {
        /// Above a page of answers.
        Answers = "answers" { file: String },
        /// Above the page of a grade.
        Grade = "grade" { file: String },
        /// Above the page of a rejected file.
        Report = "report" { file: String },
        /// Before the solver.
        Solver = "solver",
        /// Before the options.
        Options = "options",
        /// Before the counts.
        Puzzles = "puzzles",
        /// How many there are, of which kinds.
        Counts = "counts" { puzzles: u64, invalid: u64, undecided: u64 },
        /// Before the points.
        Points = "points",
        /// Above the numbers of puzzles in a table.
        Number = "number",
        /// Above the lines in a table.
        Line = "line",
        /// Above the answers in a table.
        Answer = "answer",
        /// Above the verdicts on a submission in a table.
        Verdict = "verdict",
        /// Above a picture.
        Puzzle = "puzzle" { number: u64, line: u64 },
        /// That not all are drawn.
        LeftOut = "left-out" { drawn: u64, puzzles: u64 },
        /// That a picture would be too large for the page.
        TooLarge = "too-large",
        /// That an answer of a submission gives too much to be drawn.
        TooLong = "too-long",
        /// That there was no time left for a picture.
        NoTime = "no-time",
        /// That drawing it failed.
        NotDrawn = "not-drawn",
        /// That the page is full.
        Full = "full",
        /// Above what a submission answers.
        Theirs = "theirs",
        /// Above the right answer.
        Ours = "ours",
        /// That the file is rejected.
        Rejected = "rejected",
        /// What lines of a file are shown.
        Excerpt = "excerpt",
        /// What was read of a wrong puzzle.
        Read = "read",
        /// That an answer has no witness in a JSON result.
        NoWitness = "no-witness",
        /// Who made the page.
        Made = "made" { version: String },
    }
}
