//! An archive, whose members are answered and graded into one archive.

use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::Attempt;
use crate::config::{Done, Members, Route};
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::pending_publication::{Made, Unpacked};
use crate::daemon::answering::staging::Room;
use crate::daemon::fs::disk::{OpenFile, Scratch};
use tabuleiro_jobs::archive::{Archive, ArchiveError, ArchiveWriter, Member};
use tabuleiro_jobs::naming::Output;
use tabuleiro_jobs::{JobError, Rejection};
use tabuleiro_puzzles::solver::{COMMON, JOB_TIME_LIMIT, Options};

/// Members of which the log tells what is wrong, those with a report and those with a result each; the others are counted.
const TOLD_MAX: usize = 20;

/// Answers and grades the members.
///
/// # Errors
/// Why there are no results.
pub(super) fn answer(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> Result<Made, JobError> {
    let Attempt { claim, config, route, counts, .. } = attempt;
    let Answerer { pool, cancel, references, disk, folders, .. } = attempt.answerer;
    let started = Instant::now();
    let archive = Archive::open(attempt.source(input, None)).map_err(|error| match error {
        ArchiveError::Refused(why) => Rejection::NotRead(why).into(),
        ArchiveError::Read(error) => JobError::Read(error),
    })?;
    let scratch = |name: &str| -> io::Result<Bounded> {
        let path = folders.staging.join(format!("{}.{name}", claim.id));
        Ok(Bounded { file: disk.scratch(&path)?, room: Room::new(config, cancel) })
    };
    let [first, second, third] =
        ["first", "second", "third"].map(|name| scratch(name).map_err(JobError::Write));
    let mut results = ArchiveWriter::new([first?, second?, third?]);
    let limit = route.map_or_else(
        || Options::defaults(&[COMMON]).get(JOB_TIME_LIMIT),
        |route| route.options.get(JOB_TIME_LIMIT),
    );
    let members = Members {
        config,
        pool,
        cancel,
        deadline: limit.and_then(|limit| started.checked_add(limit)),
        reference: &|route: &Route, path: &Path| references.get(route, path, pool, cancel, &counts.progress),
        progress: &counts.progress,
    };
    let (mut unpacked, mut for_staff) = (Unpacked::default(), false);
    let lacking = members.answer((&archive, &claim.origin), &mut results, |member, done| {
        for_staff |= matches!(done, Ok(Done::Graded { is_for_staff: true }));
        note(&mut unpacked, member, done);
    })?;
    let output = Output::Archive;
    let staged = attempt.staged_for(output, for_staff).map_err(JobError::Write)?;
    let staged = BufWriter::new(staged);
    let staged = results.finish(staged).map_err(JobError::Write)?;
    attempt.finish([staged]).map_err(JobError::Write)?;
    unpacked.lacking = lacking;
    unpacked.bytes = counts.bytes.load(Ordering::Relaxed);
    unpacked.took = started.elapsed();
    Ok(Made::Archive(Box::new(unpacked)))
}

/// Counts a member.
fn note(unpacked: &mut Unpacked, member: &Member, done: Result<Done, Rejection>) {
    unpacked.members += 1;
    match done {
        Ok(Done::Answered(summary)) => {
            unpacked.puzzles += summary.puzzles;
            unpacked.invalid += summary.invalid;
            unpacked.undecided += summary.undecided;
            let is_noteworthy = summary.undecided > 0 || summary.has_warnings();
            if is_noteworthy && unpacked.noteworthy.len() < TOLD_MAX {
                unpacked.noteworthy.push((member.printable_path(), summary));
            }
        }
        Ok(Done::Graded { .. }) => unpacked.graded += 1,
        Err(rejection) => {
            unpacked.rejected += 1;
            if unpacked.reasons.len() < TOLD_MAX {
                unpacked.reasons.push((member.printable_path(), rejection));
            }
        }
    }
}

/// A file that may have so many bytes and no more.
struct Bounded {
    file: Box<dyn Scratch>,
    room: Room,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Seek for Bounded {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.room.write(&mut *self.file, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
