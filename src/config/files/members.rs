//! Answers the members of an archive: each is routed by its own path, and is answered or graded.

use std::cell::Cell;
use std::collections::HashMap;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use time::UtcOffset;

use super::archive_class::{Class, UngradedStudent};
use super::resolve::Routed;
use crate::config::document::Config;
use crate::config::route::Route;
use tabuleiro_jobs::archive::{Archive, ArchiveError, ArchiveWriter, Member};
use tabuleiro_jobs::grading::formats::{ClassList, SubmissionOrigin, no_grade_json};
use tabuleiro_jobs::grading::{AnswerKey, Grade, GradeOutputs, Wording};
use tabuleiro_jobs::naming::{self, Output, printable_path};
use tabuleiro_jobs::page::{PageLinks, PageSink, address};
use tabuleiro_jobs::{
    Digesting, Job, JobError, JobInfo, JsonOrigin, JsonSink, Limits, MessageStyle, Pool, Progress, Reason,
    Rejection, Sinks, Summary, TextSink,
};
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    Cancel, JOB_TIME_LIMIT, LANGUAGE, OptionValue, Options, PICTURE, REVEAL, Reveal,
};
use tabuleiro_puzzles::words::{Language, Phrase};

/// The name of the class list, at the root of an archive.
const CLASS_LIST: &str = "notas.csv";
/// The file name that stands for a missing submission; the note on it is named accordingly.
const SUBMISSION: &str = "saida.txt";

/// Answers the members of archives.
pub struct Members<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// The solver threads.
    pub pool: &'a Pool,
    /// Cancels the job.
    pub cancel: &'a Cancel,
    /// When the whole archive must be answered; puzzles left after that are undecided.
    pub deadline: Option<Instant>,
    /// Returns the reference at a path that a route names.
    pub reference: &'a FindReference<'a>,
    /// Counts the progress of the job.
    pub progress: &'a Arc<Progress>,
}

/// Returns the reference at a path that a route names.
pub type FindReference<'a> = dyn Fn(&Route, &Path) -> Result<Arc<AnswerKey>, JobError> + 'a;

/// How a member was completed.
pub enum Done {
    /// The member has a result.
    Answered(Box<Summary>),
    /// The member has a grade.
    Graded {
        /// Whether students must not see the grade.
        is_for_staff: bool,
    },
}

/// A member with its route and the settings of its outputs.
struct Routing<'m> {
    member: &'m Member,
    /// The path that routes match: the archive's name is its first folder.
    path: PathBuf,
    route: Option<Arc<Route>>,
    /// Which of its student's attempts in the archive it is, from 1.
    attempt: u64,
    /// The language of the outputs.
    language: Cell<Language>,
    /// Whether a page is written.
    has_page: Cell<bool>,
}

impl Members<'_> {
    /// Answers all members of the archive at a path below the inbox, in order, into `results`, and calls `tell` with
    /// the outcome of each. A member without a result gets a report beside it; if its path is unusable, the report for
    /// the archive, at the root, includes it. `notas.csv` at the root lists the grades, and the students without one.
    /// Returns the students without a grade: the printable path of the folder in the archive, and the reason.
    ///
    /// # Errors
    /// Fails without results if reading or writing fails, a reference is unusable, or the job is cancelled.
    pub fn answer<R: Read + Seek, S: Read + Write + Seek>(
        &self,
        archive: &Archive<R>,
        path: &Path,
        results: &mut ArchiveWriter<S>,
        mut tell: impl FnMut(&Member, Result<Done, Rejection>),
    ) -> Result<Vec<(String, Phrase)>, JobError> {
        let folder = path.with_extension("");
        let (mut list, mut of_archive) = (ClassList::new(Vec::new(), true), String::new());
        let mut class = Class::default();
        for path in archive.folders() {
            class.tree.add_folder(path);
        }
        let members = archive.members().len() as u64;
        let attempts = self.attempts(archive, &folder);
        for ((over, member), attempt) in (0..).zip(archive.members()).zip(attempts) {
            self.progress.files_over(over, members);
            let path = folder.join(member.path());
            let route = self.config.route(&path).cloned();
            let language = route.as_ref().map(|route| route.options.get(LANGUAGE));
            let language = language.unwrap_or(self.config.results.language);
            let has_page = route.as_ref().is_some_and(|route| route.options.get(PICTURE));
            let (language, has_page) = (Cell::new(language), Cell::new(has_page));
            let routing = Routing { member, path, route, attempt, language, has_page };
            let done = match self.check(archive, member) {
                Ok(()) => match self.member(archive, &routing, results, &mut list) {
                    Err(JobError::Rejected(rejection)) => Err(rejection),
                    Err(error) => return Err(error),
                    Ok(done) => Ok(done),
                },
                Err(ArchiveError::Refused(why)) => Err(Rejection::NotRead(why)),
                Err(ArchiveError::Read(error)) => return Err(JobError::Read(error)),
            };
            if let Err(rejection) = &done {
                let file = printable_path(&routing.path);
                let report = rejection.report(&file, &MessageStyle::of_file(routing.language.get()));
                if member.is_placed() {
                    let mut outputs = vec![(Output::Report, report.into_bytes())];
                    if routing.has_page.get() {
                        let page = rejection.page(&file, None, routing.language.get());
                        outputs.push((Output::ReportPage, page));
                    }
                    for (kind, bytes) in outputs {
                        results.add_text(&output(member, kind), &bytes).map_err(JobError::Write)?;
                    }
                } else {
                    of_archive.push_str(&report);
                }
            }
            if member.is_placed() {
                class.add(member.path(), routing.route.as_ref(), &done);
            }
            tell(member, done);
        }
        if !of_archive.is_empty() {
            let report = naming::output(path.file_name().unwrap_or_default(), Output::Report, None);
            let report = report.to_string_lossy();
            results.add_text(&report, of_archive.as_bytes()).map_err(JobError::Write)?;
        }
        let lacking = class.lacking(self.config, &folder).into_iter();
        let lacking = lacking.map(|lacking| Self::note_nothing(&folder, lacking, results, &mut list));
        let lacking = lacking.collect::<io::Result<Vec<_>>>().map_err(JobError::Write)?;
        if let Some(list) = list.text() {
            results.add_text(CLASS_LIST, &list).map_err(JobError::Write)?;
        }
        Ok(lacking)
    }

    /// Rejects a member that is damaged, or larger than a file in the inbox may be.
    fn check<R: Read + Seek>(&self, archive: &Archive<R>, member: &Member) -> Result<(), ArchiveError> {
        let (bytes, bytes_max) = (member.bytes(), self.config.intake.size_limit_bytes);
        if bytes > bytes_max {
            return Err(ArchiveError::Refused(Reason::TooLarge { bytes, bytes_max }.into()));
        }
        archive.check(member)
    }

    /// Writes a text, a JSON object and a row of the class list for a student without a grade.
    fn note_nothing<S: Read + Write + Seek>(
        below: &Path,
        lacking: UngradedStudent,
        results: &mut ArchiveWriter<S>,
        list: &mut ClassList<Vec<u8>>,
    ) -> io::Result<(String, Phrase)> {
        let UngradedStudent { folder, who, route, why } = lacking;
        let why = why.sentence();
        let text = why.say(route.options.get(LANGUAGE));
        let submission = printable_path(&below.join(&folder));
        let origin = route.submission_origin(&submission, who.as_ref());
        let wanted = Path::new(&folder).join(SUBMISSION);
        let output = |kind| naming::result_path(&wanted, kind, None).to_string_lossy().into_owned();
        results.add_text(&output(Output::Grade), format!("{submission}: {text}\n").as_bytes())?;
        results.add_text(&output(Output::GradeJson), &no_grade_json(&origin, route.solver.id(), &text))?;
        list.nothing(origin.student, &submission, &text)?;
        Ok((printable_path(Path::new(&folder)), why))
    }

    /// Numbers the attempts of each student by the times of the members. Members without a time come last, by path.
    fn attempts<R: Read + Seek>(&self, archive: &Archive<R>, folder: &Path) -> Vec<u64> {
        let members = archive.members();
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by_cached_key(|&index| {
            let time = members[index].modified().map(|time| time.by(UtcOffset::UTC));
            (time.is_none(), time, index)
        });
        let (mut handed_in, mut attempts) = (HashMap::new(), vec![1; members.len()]);
        for index in order.into_iter().filter(|&index| members[index].refusal().is_none()) {
            let path = folder.join(members[index].path());
            let route = self.config.route(&path).filter(|route| route.grade.is_some());
            let Some((route, who)) = route.and_then(|route| Some((route, route.whose(&path)?))) else {
                continue;
            };
            let name = who.id.is_none().then_some(who.student);
            let count = handed_in.entry((&route.name, who.id, name)).or_insert(0);
            *count += 1;
            attempts[index] = *count;
        }
        attempts
    }

    /// Writes the results of a readable member.
    fn member<R: Read + Seek, S: Read + Write + Seek>(
        &self,
        archive: &Archive<R>,
        routing: &Routing<'_>,
        results: &mut ArchiveWriter<S>,
        list: &mut ClassList<Vec<u8>>,
    ) -> Result<Done, JobError> {
        let member = routing.member;
        let open = || archive.read(member).map_err(io::Error::other);
        let [first, second, third] = results.scratch_files();
        let mut text = first.begin().map_err(JobError::Write)?;
        let mut json = second.begin().map_err(JobError::Write)?;
        let mut page = third.begin().map_err(JobError::Write)?;
        let out: [&mut dyn Write; 3] = [&mut text, &mut json, &mut page];
        let done = match routing.route.clone().and_then(|route| Some((route.grade.clone()?, route))) {
            Some((reference, route)) => {
                let (key, grade) = self.grade(open, routing, &route, &reference, out)?;
                let who = route.whose(&routing.path);
                let student = who.as_ref().map(|who| who.student.as_str());
                let (told, submission) = (Wording::to_students(&key.options), printable_path(&routing.path));
                list.add(told.with_points(), student, &submission, &grade).map_err(JobError::Write)?;
                Done::Graded { is_for_staff: key.options.get(REVEAL) == Reveal::None }
            }
            None => Done::Answered(Box::new(self.puzzles(open, routing, out)?)),
        };
        let [text, json, page] =
            [text.end(), json.end(), page.end()].map(|packed| packed.map_err(JobError::Write));
        let (text, json, page) = (text?, json?, page?);
        for kind in routing.outputs(self.config) {
            let packed = match kind {
                Output::ResultJson | Output::GradeJson => json,
                Output::ResultPage | Output::GradePage => page,
                _ => text,
            };
            results.add(&output(member, kind), packed);
        }
        Ok(done)
    }

    fn grade<I: Read>(
        &self,
        open: impl Fn() -> io::Result<I>,
        routing: &Routing<'_>,
        route: &Route,
        reference: &Path,
        [text, json, page]: [&mut dyn Write; 3],
    ) -> Result<(Arc<AnswerKey>, Grade), JobError> {
        let key = (self.reference)(route, reference).map_err(|error| error.of_reference(reference))?;
        routing.begin(&key.options);
        let (submission, who) = (printable_path(&routing.path), route.whose(&routing.path));
        let submitted = routing.member.modified();
        // Without a job ID, the same archive gives the same bytes, whichever job answers it.
        let origin = SubmissionOrigin {
            standing: Some(route.standing(routing.attempt, submitted)),
            submitted,
            ..route.submission_origin(&submission, who.as_ref())
        };
        let links = || routing.links(self.config, Output::Grade);
        let page = routing.has_page.get().then(|| (page, links()));
        let out = GradeOutputs { text, json, page };
        let limits = Limits::of(&key.options, self.pool.memory(), self.cancel);
        let grade = key.write_grade(open().map_err(JobError::Read)?, &origin, out, &limits)?;
        Ok((key, grade))
    }

    fn puzzles<I: Read>(
        &self,
        open: impl Fn() -> io::Result<I>,
        routing: &Routing<'_>,
        [text, json, page]: [&mut dyn Write; 3],
    ) -> Result<Summary, JobError> {
        let file = printable_path(&routing.path);
        let has_json = routing.outputs(self.config).contains(&Output::ResultJson);
        let source = open().map_err(JobError::Read)?;
        let mut source = Digesting::new(source, has_json);
        let routed =
            Routed { config: self.config, path: &routing.path, route: routing.route.as_deref(), open };
        let mut scanner = Scanner::new(BufReader::new(&mut source), file.as_str()).map_err(JobError::Read)?;
        let (mut job, directives) = routed.resolve(&mut scanner)?;
        routing.begin(&job.options);
        // The result shows the options without the deadline, so that it is the same whenever the archive is answered.
        let told = job.options.clone();
        let info = JobInfo { file: &file, solver: job.solver, options: &told };
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            let limit = job.options.get(JOB_TIME_LIMIT).map_or(left, |limit| limit.min(left));
            job.options.put(JOB_TIME_LIMIT.spec.name, OptionValue::Duration(limit));
        }
        let links = || routing.links(self.config, Output::Result);
        let json = has_json.then(|| JsonSink::new(json, &info, &JsonOrigin::default())).transpose();
        let page = routing.has_page.get().then(|| PageSink::new(page, &info, links()));
        let text = TextSink::new(text, &info);
        let mut sinks = Sinks { text, json: json.map_err(JobError::Write)?, page };
        let Self { pool, cancel, progress, .. } = *self;
        let job = Job { solver: job.solver, options: &job.options, pool, cancel, progress };
        let limits = job.limits();
        let answered = routed.answer(&mut scanner, &job, &directives, &mut sinks)?;
        drop(scanner);
        sinks.finish(&answered, source.finish(), &limits).map_err(JobError::Write)?;
        Ok(answered)
    }
}

impl Routing<'_> {
    /// Returns the links of a page to the text output in the same folder of the archive.
    fn links(&self, config: &Config, text: Output) -> PageLinks {
        let name = naming::result_path(Path::new(self.member.path()), text, None);
        let text = self
            .outputs(config)
            .contains(&text)
            .then(|| name.file_name().map(|name| address(Path::new(name))));
        PageLinks { text: text.flatten(), index: None }
    }

    /// Records the language and the page setting with which the member is answered.
    fn begin(&self, options: &Options) {
        self.language.set(options.get(LANGUAGE));
        self.has_page.set(options.get(PICTURE));
    }

    /// Returns the outputs of the member.
    fn outputs(&self, config: &Config) -> Vec<Output> {
        config.outputs(Path::new(self.member.path()), self.route.as_deref(), self.has_page.get())
    }
}

/// Returns the path of an output of a member.
fn output(member: &Member, kind: Output) -> String {
    naming::result_path(Path::new(member.path()), kind, None).to_string_lossy().into_owned()
}
