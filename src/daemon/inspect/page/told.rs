//! The words of the page.

use tabuleiro_puzzles::words::messages;

messages! {
    "site"
    /// What the page says.
    pub enum Told {
        /// What it is called.
        Title = "title",
        /// When it was written, and by what.
        Written = "written" { time: String, version: String },
        /// How often a browser reads it.
        Refreshed = "refreshed" { seconds: u64 },
        /// Nothing is watched yet.
        Starting = "starting",
        /// It was written as the last thing.
        Stopped = "stopped",
        /// No room.
        Paused = "paused",
        /// Above what is so now.
        Now = "now",
        /// Nothing to be told there.
        Idle = "idle",
        /// A file on which nobody works.
        Queued = "queued",
        /// How far a file is.
        Progress = "progress" { percent: u64, puzzles: u64, seconds: u64 },
        /// What is being solved for long.
        Solving = "solving" { number: u64, seconds: u64 },
        /// The same, of so many, and so much longer at most.
        SolvingOf = "solving-of" { number: u64, of: u64, seconds: u64 },
        /// How long it may take, behind that.
        Limit = "limit" { seconds: u64 },
        /// Files in hand without a line.
        MoreInHand = "more-in-hand" { files: u64 },
        /// Files in the inbox that are not complete.
        Incomplete = "incomplete" { files: u64 },
        /// Complete ones.
        Waiting = "waiting" { files: u64 },
        /// There may be more of them.
        MayBeMore = "may-be-more",
        /// Above the last jobs.
        Jobs = "jobs",
        /// Nothing ended yet.
        NoJobs = "no-jobs",
        /// There are no names.
        Private = "private",
        /// Above the times.
        Ended = "ended" { offset: String },
        /// Above the names.
        File = "file",
        /// Above what became of them.
        Outcome = "outcome",
        /// Above the links.
        Outputs = "outputs",
        /// Before the reason.
        Rejected = "rejected",
        /// Puzzles of a file.
        Puzzles = "puzzles" { puzzles: u64 },
        /// Of these.
        Invalid = "invalid" { puzzles: u64 },
        /// Of these.
        Undecided = "undecided" { puzzles: u64 },
        /// Lines behind the end.
        Ignored = "ignored" { lines: u64 },
        /// A link.
        Text = "text",
        /// A link.
        Picture = "picture",
        /// A link.
        Archive = "archive",
        /// A link.
        Report = "report",
        /// In the place of links.
        Replaced = "replaced",
        /// In the place of a link.
        Gone = "gone",
        /// Above what was not taken.
        NotTaken = "not-taken",
        /// Permissions.
        Denied = "denied" { command: String },
        /// Another mount.
        OtherMount = "other-mount",
        /// Above the numbers.
        Service = "service",
        /// Before the counts.
        Since = "since" { time: String },
        /// Files with a result.
        Answered = "answered" { files: u64, puzzles: u64 },
        /// Submissions with a grade.
        Graded = "graded" { files: u64 },
        /// Files with a report.
        FilesRejected = "files-rejected" { files: u64 },
        /// Workers on other machines, and what they did.
        Workers = "workers" { workers: u64, puzzles: u64 },
        /// None is there.
        NoWorkers = "no-workers" { puzzles: u64 },
        /// Nobody knows whether one is.
        NoBroker = "no-broker" { puzzles: u64 },
        /// Room where results appear.
        DiskOfResults = "disk-of-results",
        /// Room in the folder of the service.
        DiskOfService = "disk-of-service",
    }
}
