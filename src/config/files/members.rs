//! The members of an archive answered: each goes where its own path leads, and is answered or graded there.

use std::cell::Cell;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use super::routed::Routed;
use crate::config::document::Config;
use crate::config::route::Route;
use crate::input::{Scanner, printable};
use crate::job::archive::{Archive, ArchiveError, ArchiveWriter, Member};
use crate::job::grading::formats::{ClassList, NoteOrigin};
use crate::job::grading::{AnswerKey, Grade, NoteOut, Told};
use crate::job::naming::{self, Output};
use crate::job::page::write_report;
use crate::job::{JobError, JobInfo, JsonOrigin, Limits, Pool, Progress, Rejection, Sinks, Summary};
use crate::solver::{Cancel, JOB_TIME_LIMIT, LANGUAGE, OptionValue, Options, PICTURE, REVEAL, Reveal};
use crate::words::Language;

/// How much of a path is shown.
const SHOWN_BYTES_MAX: usize = 1024;
/// The name of the class list, at the root of an archive.
const CLASS_LIST: &str = "notas.csv";

/// Whoever answers the members of archives.
pub struct Members<'a> {
    /// What is configured.
    pub config: &'a Config,
    /// Who solves.
    pub pool: &'a Pool,
    /// Ends it.
    pub cancel: &'a Cancel,
    /// When the archive as a whole must be answered: what is left then is undecided.
    pub deadline: Option<Instant>,
    /// Gives the reference of a route that grades, at that path.
    pub reference: &'a FindReference<'a>,
    /// Is told how far it is.
    pub progress: &'a Arc<Progress>,
}

/// Gives the reference of a route that grades, at that path.
pub type FindReference<'a> = dyn Fn(&Route, &Path) -> Result<Arc<AnswerKey>, JobError> + 'a;

/// What became of a member.
pub enum Done {
    /// It has a result.
    Answered(Box<Summary>),
    /// It has a grade.
    Graded {
        /// Students are not to see it.
        is_for_staff: bool,
    },
}

/// A member on its way.
struct Routing<'m> {
    member: &'m Member,
    /// The path that routes decide by: the archive's name is a folder before it.
    path: PathBuf,
    route: Option<Arc<Route>>,
    /// What people are told in.
    language: Cell<Language>,
    /// A page is wanted.
    has_page: Cell<bool>,
}

impl Members<'_> {
    /// Answers all members of the archive at a path below the inbox, in order, into `results`, and tells `tell` of each what became
    /// of it. A member without a result gets a report; where that cannot stand beside its member, because of the member's path, it
    /// stands in one for the archive, at the root. What was graded is listed in `notas.csv` there.
    ///
    /// # Errors
    /// Those of reading and writing, a reference that cannot be used, and a stop: there are no results then.
    pub fn answer<R: Read + Seek, S: Read + Write + Seek>(
        &self,
        (archive, path): (&Archive<R>, &Path),
        results: &mut ArchiveWriter<S>,
        mut tell: impl FnMut(&Member, Result<Done, Rejection>),
    ) -> Result<(), JobError> {
        let folder = path.with_extension("");
        let (mut class, mut of_archive) = (ClassList::default(), String::new());
        let members = archive.members().len() as u64;
        for (over, member) in (0..).zip(archive.members()) {
            self.progress.files_over(over, members);
            let path = folder.join(member.path());
            let route = self.config.route(&path).cloned();
            let language = route.as_ref().map(|route| route.options.get(LANGUAGE));
            let language = language.unwrap_or(self.config.results.language);
            let has_page = route.as_ref().is_some_and(|route| route.options.get(PICTURE));
            let routing =
                Routing { member, path, route, language: Cell::new(language), has_page: Cell::new(has_page) };
            let done = match archive.check(member) {
                Ok(()) => match self.member(archive, &routing, results, &mut class) {
                    Err(JobError::Rejected(rejection)) => Err(rejection),
                    Err(error) => return Err(error),
                    Ok(done) => Ok(done),
                },
                Err(ArchiveError::Refused(why)) => Err(Rejection::NotRead(why)),
                Err(ArchiveError::Read(error)) => return Err(JobError::Read(error)),
            };
            if let Err(rejection) = &done {
                let file = shown(&routing.path);
                let report = rejection.report(&file, routing.language.get());
                if member.is_placed() {
                    let mut outputs = vec![(Output::Report, report.into_bytes())];
                    if routing.has_page.get() {
                        let page = write_report(Vec::new(), rejection, &file, None, routing.language.get());
                        outputs.push((Output::ReportPage, page.map_err(JobError::Write)?));
                    }
                    for (kind, bytes) in outputs {
                        results.add_text(&output(member, kind), &bytes).map_err(JobError::Write)?;
                    }
                } else {
                    of_archive.push_str(&report);
                }
            }
            tell(member, done);
        }
        if !of_archive.is_empty() {
            let report = naming::output(path.file_name().unwrap_or_default(), Output::Report, None);
            let report = report.to_string_lossy();
            results.add_text(&report, of_archive.as_bytes()).map_err(JobError::Write)?;
        }
        if let Some(list) = class.text() {
            results.add_text(CLASS_LIST, &list).map_err(JobError::Write)?;
        }
        Ok(())
    }

    /// Makes the results of a member that can be read.
    fn member<R: Read + Seek, S: Read + Write + Seek>(
        &self,
        archive: &Archive<R>,
        routing: &Routing<'_>,
        results: &mut ArchiveWriter<S>,
        class: &mut ClassList,
    ) -> Result<Done, JobError> {
        let member = routing.member;
        let open = || archive.read(member).map_err(io::Error::other);
        let [first, second, third] = results.apart();
        let mut text = first.begin().map_err(JobError::Write)?;
        let mut json = second.begin().map_err(JobError::Write)?;
        let mut page = third.begin().map_err(JobError::Write)?;
        let out: [&mut dyn Write; 3] = [&mut text, &mut json, &mut page];
        let done = match routing.route.clone().and_then(|route| Some((route.grade.clone()?, route))) {
            Some((reference, route)) => {
                let (key, grade) = self.grade(open, routing, (&route, &reference), out)?;
                let who = route.whose(&routing.path);
                let student = who.as_ref().map(|who| who.student.as_str());
                let (told, submission) = (Told::new(&key.options), shown(&routing.path));
                class.add(told, student, &submission, &grade).map_err(JobError::Write)?;
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
            results.add(&output(member, *kind), packed);
        }
        Ok(done)
    }

    fn grade<I: Read>(
        &self,
        open: impl Fn() -> io::Result<I>,
        routing: &Routing<'_>,
        (route, reference): (&Route, &Path),
        [text, json, page]: [&mut dyn Write; 3],
    ) -> Result<(Arc<AnswerKey>, Grade), JobError> {
        let key = (self.reference)(route, reference).map_err(|error| error.of_reference(reference))?;
        routing.begin(&key.options);
        let (submission, who) = (shown(&routing.path), route.whose(&routing.path));
        let origin = NoteOrigin {
            submission: &submission,
            student: who.as_ref().map(|who| who.student.as_str()),
            student_id: who.as_ref().and_then(|who| who.id.as_deref()),
            route: Some(&route.name),
            // The same archive gives the same bytes, whichever job answers it.
            job: None,
        };
        let out = NoteOut { text, json, page: routing.has_page.get().then_some(page) };
        let grade = key.note(open().map_err(JobError::Read)?, &origin, out, (self.pool, self.cancel))?;
        Ok((key, grade))
    }

    fn puzzles<I: Read>(
        &self,
        open: impl Fn() -> io::Result<I>,
        routing: &Routing<'_>,
        [text, json, page]: [&mut dyn Write; 3],
    ) -> Result<Summary, JobError> {
        let file = shown(&routing.path);
        let has_json = routing.outputs(self.config).contains(&Output::ResultJson);
        let source = open().map_err(JobError::Read)?;
        let mut source = Digesting { source, digest: has_json.then(Sha256::new) };
        let routed =
            Routed { config: self.config, path: &routing.path, route: routing.route.as_deref(), open };
        let mut scanner = Scanner::new(BufReader::new(&mut source), file.as_str()).map_err(JobError::Read)?;
        let (mut job, directives) = routed.resolve(&mut scanner)?;
        routing.begin(&job.options);
        // What is told of the options is the same whenever it is answered.
        let told = job.options.clone();
        let info = JobInfo { file: &file, solver: job.solver, options: &told };
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            let limit = job.options.get(JOB_TIME_LIMIT).map_or(left, |limit| limit.min(left));
            job.options.put(JOB_TIME_LIMIT.spec.name, OptionValue::Duration(limit));
        }
        let origin = JsonOrigin { id: None, name_taken: None, taken_by: None };
        let mut sinks = Sinks::new(text, &info);
        if has_json {
            sinks = sinks.with_json(json, &origin, &info).map_err(JobError::Write)?;
        }
        if routing.has_page.get() {
            sinks = sinks.with_page(page, &info);
        }
        let limits = Limits::of(&job.options, self.pool.memory(), self.cancel);
        let job = (&job, &directives[..]);
        let answered = routed.answer(&mut scanner, job, self.pool, self.cancel, self.progress, &mut sinks)?;
        drop(scanner);
        sinks.finish(&answered, source.digest, &limits).map_err(JobError::Write)?;
        Ok(answered)
    }
}

impl Routing<'_> {
    /// The options are known, by which the member is answered.
    fn begin(&self, options: &Options) {
        self.language.set(options.get(LANGUAGE));
        self.has_page.set(options.get(PICTURE));
    }

    /// What it leads to.
    fn outputs(&self, config: &Config) -> &'static [Output] {
        config.outputs(Path::new(self.member.path()), self.route.as_deref(), self.has_page.get())
    }
}

/// A source whose bytes are digested.
struct Digesting<R> {
    source: R,
    digest: Option<Sha256>,
}

impl<R: Read> Read for Digesting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        if let Some(digest) = &mut self.digest {
            digest.update(&buffer[..count]);
        }
        Ok(count)
    }
}

/// The path of what is made of a member.
fn output(member: &Member, kind: Output) -> String {
    naming::result_path(Path::new(member.path()), kind, None).to_string_lossy().into_owned()
}

fn shown(path: &Path) -> String {
    printable(path.as_os_str().as_encoded_bytes(), SHOWN_BYTES_MAX)
}
