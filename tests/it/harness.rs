//! Runs a whole service in a folder of its own, as users do: with the binary, files and signals.

use std::fs;
use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Maximum time that a test waits for an event. Only a failing test waits that long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A 3 × 3 board whose answer is 1.
pub const BOARD_1: &str = "3 3\n2 1 2 0 1\n0 0\n";
/// A 5 × 3 board whose answer is 2.
pub const BOARD_2: &str = "5 3\n1 0 2 1 0 2 0 0\n0 0\n";

/// Returns the binary under test, without the configuration, terminal and time zone of the person who runs the tests.
pub fn tabuleiro() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabuleiro"));
    command.env_remove("HOME").env_remove("XDG_CONFIG_HOME").env_remove("COLUMNS").env("TZ", "UTC");
    command
}

/// Returns the ID of a job in a name: `20261121T121744.123456Z`.
pub fn job_in(name: &str) -> Option<&str> {
    const FORM: &[u8] = b"00000000T000000.000000Z";
    let fits = |(byte, form): (u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == *form };
    let mut parts = (0..name.len()).filter_map(|at| name.get(at..at + FORM.len()));
    parts.find(|part| part.bytes().zip(FORM).all(fits))
}

/// Returns whether a line of the text log begins with a time of day, or is a date.
pub fn begins_with_a_time(line: &str) -> bool {
    let form = if line.get(4..5) == Some("-") { "0000-00-00 +" } else { "00:00:00  " };
    let fits = |(c, form): (char, char)| if form == '0' { c.is_ascii_digit() } else { c == form };
    line.len() >= form.len() && line.chars().zip(form.chars()).all(fits)
}

/// Waits until `state` returns a value. Panics with `what` if it never does.
pub fn wait_for<T>(what: &str, mut state: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(value) = state() {
            return value;
        }
        assert!(started.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::park_timeout(Duration::from_millis(3));
    }
}

/// Folders and configuration of a service that is not running yet.
#[must_use]
pub struct Place {
    root: TempDir,
    config: String,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    /// Receives standard error, instead of a file.
    stderr: Option<PipeWriter>,
    /// Commands that run before the service, in namespaces of its own.
    setup: Option<String>,
}

/// A running service, which is killed when dropped.
#[must_use]
pub struct Service {
    place: Place,
    child: Child,
}

impl Place {
    /// Makes a place with the shipped routes, a short quiet period, and an empty inbox.
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("inbox")).unwrap();
        let config = "[intake]\nquiet_period = \"50ms\"\nrescan_interval = \"1h\"\n".to_owned();
        Self { root, config, arguments: Vec::new(), environment: Vec::new(), stderr: None, setup: None }
    }

    /// Replaces the configuration.
    pub fn config(mut self, text: &str) -> Self {
        text.clone_into(&mut self.config);
        self
    }

    /// Makes the log show all fields of every event.
    pub fn detailed(mut self) -> Self {
        self.config += "\n[log]\nlevel = \"debug\"\n";
        self
    }

    /// Adds an argument of `serve`.
    pub fn argument(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Sets an environment variable of the service.
    pub fn environment(mut self, key: &str, value: &str) -> Self {
        self.environment.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Sends standard error into a pipe. Also returns its other end.
    pub fn pipe_stderr(mut self) -> (Self, PipeReader) {
        let (reader, writer) = pipe().unwrap();
        self.stderr = Some(writer);
        (self, reader)
    }

    /// Fills the pipe of standard error, so that it accepts nothing more.
    pub fn fill_stderr(mut self) -> Self {
        let pipe = self.stderr.as_mut().unwrap();
        rustix::fs::fcntl_setfl(&*pipe, OFlags::NONBLOCK).unwrap();
        while pipe.write(&[0; 1024]).is_ok() {}
        rustix::fs::fcntl_setfl(&*pipe, OFlags::empty()).unwrap();
        self
    }

    /// Starts the service in user and mount namespaces of its own. These shell commands run there first and can mount
    /// anything. See [`namespaces_work`].
    pub fn namespaces(mut self, setup: &str) -> Self {
        self.setup = Some(setup.to_owned());
        self
    }

    /// Writes a file below the place and makes its folders.
    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// Returns a path below the place.
    pub fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    /// Starts the service without waiting.
    pub fn spawn(mut self) -> Service {
        fs::create_dir_all(self.at("config")).unwrap();
        fs::write(self.at("config/tabuleiro.toml"), &self.config).unwrap();
        let mut command = match &self.setup {
            None => tabuleiro(),
            Some(setup) => {
                let mut command = Command::new("unshare");
                let script = format!("set -e; {setup}; exec \"$0\" \"$@\"");
                command.args(["-Urm", "sh", "-c", &script, env!("CARGO_BIN_EXE_tabuleiro")]);
                command
            }
        };
        let stderr = match self.stderr.take() {
            Some(pipe) => pipe.into(),
            None => Stdio::from(fs::File::create(self.at("stderr.log")).unwrap()),
        };
        let child = command
            .arg("serve")
            .args(&self.arguments)
            .envs(self.environment.iter().cloned())
            .current_dir(self.root.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .unwrap();
        Service { place: self, child }
    }

    /// Starts the service and waits until it is ready.
    pub fn start(self) -> Service {
        let service = self.spawn();
        service.wait_for_log("ready");
        service
    }

    /// Runs the service until it ends on its own.
    pub fn run(self) -> (Place, Output) {
        let mut service = self.spawn();
        let status = wait_for("the service to end", || service.child.try_wait().unwrap());
        let place = service.into_place();
        let stderr = fs::read(place.at("stderr.log")).unwrap();
        (place, Output { status, stdout: Vec::new(), stderr })
    }

    /// Returns the files below a folder, as sorted paths relative to it, without temporaries of the service.
    pub fn files(&self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        collect(&self.at(folder), &self.at(folder), &mut found);
        found.sort();
        found
    }
}

impl Service {
    /// Returns a path below the service's place.
    pub fn at(&self, path: &str) -> PathBuf {
        self.place.at(path)
    }

    /// Returns a path below the service's place as the service sees it, including mounts.
    pub fn seen(&self, path: &str) -> PathBuf {
        let path = self.at(path);
        Path::new(&format!("/proc/{}/root", self.child.id())).join(path.strip_prefix("/").unwrap())
    }

    /// Runs shell commands in the service's namespaces and place.
    pub fn in_namespaces(&self, script: &str) {
        let status = Command::new("nsenter")
            .args(["--preserve-credentials", "-U", "-m", "-t", &self.child.id().to_string()])
            .args(["sh", "-c", &format!("set -e; cd \"$0\"; {script}")])
            .arg(self.at(""))
            .status()
            .unwrap();
        assert!(status.success(), "{script}: {status}");
    }

    /// Replaces the configuration and reloads the service.
    pub fn reload(&self, config: &str) {
        let before = self.log().matches("configuration reloaded").count();
        fs::write(self.at("config/tabuleiro.toml"), config).unwrap();
        self.signal(Signal::HUP);
        wait_for("the reload", || {
            (self.log().matches("configuration reloaded").count() > before).then_some(())
        });
    }

    /// Drops a file into the inbox as a careful program does: complete, by a rename.
    pub fn drop_file(&self, name: &str, content: impl AsRef<[u8]>) {
        let target = self.at("inbox").join(name);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        let made = tempfile::NamedTempFile::new_in(self.place.root.path()).unwrap();
        fs::write(made.path(), content).unwrap();
        made.persist(target).unwrap();
    }

    /// Waits until a file below the outbox has this content.
    pub fn expect(&self, path: &str, content: &str) {
        let path = self.at("outbox").join(path);
        let mut last = None;
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            last = fs::read_to_string(&path).ok();
            if last.as_deref() == Some(content) {
                return;
            }
            std::thread::park_timeout(Duration::from_millis(3));
        }
        panic!("{}: expected {content:?}, found {last:?}\n{}", path.display(), self.log());
    }

    /// Waits until a file below the outbox exists, and reads it.
    pub fn expect_some(&self, path: &str) -> String {
        let path = self.at("outbox").join(path);
        wait_for(&format!("{}\n{}", path.display(), self.log()), || fs::read_to_string(&path).ok())
    }

    /// Waits until the files below the outbox whose names match `pattern`, with `ID` for the ID of a job, have these
    /// contents, in the order of their jobs.
    pub fn expect_own(&self, pattern: &str, contents: &[&str]) {
        let mut last = Vec::new();
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            let is_named = |name: &String| job_in(name).is_some_and(|id| name.replace(id, "ID") == pattern);
            let paths = self.files("outbox").into_iter().filter(is_named);
            let read = |name: String| fs::read_to_string(self.at("outbox").join(name)).unwrap_or_default();
            last = paths.map(read).collect();
            if last == contents {
                return;
            }
            std::thread::park_timeout(Duration::from_millis(3));
        }
        panic!("{pattern}: expected {contents:?}, found {last:?}\n{}", self.log());
    }

    /// Returns the log so far, one line per event.
    pub fn log(&self) -> String {
        fs::read_to_string(self.at("stderr.log")).unwrap_or_default().replace("\n          ", " ")
    }

    /// Waits for a line of the log that contains all of `parts`, separated by `|`, and returns it.
    pub fn wait_for_log(&self, parts: &str) -> String {
        let has = |line: &&str| parts.split('|').all(|part| line.contains(part));
        let started = Instant::now();
        loop {
            if let Some(line) = self.log().lines().find(has) {
                return line.to_owned();
            }
            assert!(started.elapsed() < PATIENCE, "no line with {parts} in:\n{}", self.log());
            std::thread::park_timeout(Duration::from_millis(3));
        }
    }

    /// Waits until the log contains `text` so many times, and checks that it does not contain it more often.
    pub fn expect_told(&self, text: &str, times: usize) {
        let told = || self.log().matches(text).count();
        wait_for(&format!("{text:?} in the log"), || (told() >= times).then_some(()));
        assert_eq!(told(), times, "{text:?} in:\n{}", self.log());
    }

    /// Waits until nothing is in progress: the inbox holds only `left` files, and no claim is open.
    pub fn wait_until_idle(&self, left: usize) {
        wait_for("an empty inbox and working folder", || {
            // Files move from one to the other, and perhaps back.
            let waiting = || self.files("inbox").len() == left;
            let open = || fs::read_dir(self.at("var/work")).map_or(0, |entries| entries.count() - 1); // the lock
            (waiting() && open() == 0 && waiting()).then_some(())
        });
    }

    /// Waits until that many claims are open.
    pub fn wait_for_claims(&self, count: usize) {
        wait_for("claims", || (fs::read_dir(self.at("var/work")).ok()?.count() - 1 == count).then_some(()));
    }

    /// See [`Place::files`].
    pub fn files(&self, folder: &str) -> Vec<String> {
        self.place.files(folder)
    }

    /// Returns the peak memory of the process in bytes, if the system reports it.
    pub fn peak_bytes(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
    }

    /// Returns the processor time of the process, if the system reports it.
    pub fn processor_time(&self) -> Option<Duration> {
        processor_time(&fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?)
    }

    /// Returns the processor time of the thread with this name.
    #[cfg(feature = "workers")]
    pub fn processor_time_of(&self, thread: &str) -> Option<Duration> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let mut stats = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("stat")).ok());
        processor_time(&stats.find(|stat| stat.contains(&format!("({thread}) ")))?)
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the process to end on its own.
    pub fn wait(&mut self) -> ExitStatus {
        wait_for("the service to end", || self.child.try_wait().unwrap())
    }

    /// Stops the service and returns its place.
    pub fn stop(mut self) -> Place {
        self.signal(Signal::TERM);
        let status = self.wait();
        assert!(status.success(), "{status}\n{}", self.log());
        self.into_place()
    }

    /// Kills the service like a crash.
    pub fn kill(mut self) -> Place {
        self.signal(Signal::KILL);
        self.wait();
        self.into_place()
    }

    fn into_place(mut self) -> Place {
        let empty = Place {
            root: tempfile::tempdir().unwrap(),
            config: String::new(),
            arguments: Vec::new(),
            environment: Vec::new(),
            stderr: None,
            setup: None,
        };
        std::mem::replace(&mut self.place, empty)
    }
}

/// Parses the processor time from the system's line about a process or thread.
fn processor_time(stat: &str) -> Option<Duration> {
    // Fields after the name, which can hold anything: the state is field 3, user and system time are fields 14 and 15.
    let fields: Vec<_> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let hundredths = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * hundredths))
}

impl Drop for Service {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().unwrap().is_dir() {
            if !name.starts_with(".tabuleiro-") {
                collect(root, &entry.path(), found);
            }
        } else {
            found.push(entry.path().strip_prefix(root).unwrap().to_string_lossy().into_owned());
        }
    }
}

/// Returns whether namespaces can be made here without further rights. If not, a test that needs them reports that it
/// is skipped.
pub fn namespaces_work() -> bool {
    let made = Command::new("unshare").args(["-Urm", "true"]).stderr(Stdio::null()).status();
    let work = made.is_ok_and(|status| status.success());
    if !work {
        eprintln!("SKIPPED: user namespaces cannot be made here");
    }
    work
}

/// Returns whether the file system of temporary files shows who has a file open. If not, a test that needs this reports
/// that it is skipped. Quiet periods, which replace it, have tests of their own.
pub fn leases_work() -> bool {
    use tabuleiro::daemon::{Writers, writers};
    let made = tempfile::NamedTempFile::new().unwrap();
    let reader = fs::File::open(made.path()).unwrap();
    let work = writers(&reader) == Writers::Some;
    if !work {
        eprintln!("SKIPPED: there are no leases on {}", made.path().display());
    }
    work
}

/// Runs `tabuleiro` in a folder with at most `memory_bytes` of address space. `feed` writes its standard input. A
/// program that takes too long is killed, and the test fails.
pub fn run_bounded(
    folder: &Path,
    memory_bytes: u64,
    arguments: &[&str],
    feed: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()> + Send + 'static,
) -> Output {
    let script = format!("ulimit -v {} && exec \"$@\"", memory_bytes / 1024);
    let mut child = Command::new("sh")
        .args(["-c", &script, "sh", env!("CARGO_BIN_EXE_tabuleiro")])
        .env_remove("HOME")
        .env_remove("XDG_CONFIG_HOME")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(fs::File::create(folder.join("bounded.out")).unwrap())
        .stderr(fs::File::create(folder.join("bounded.err")).unwrap())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that refuses its input does not read all of it.
    let writer = std::thread::spawn(move || feed(&mut stdin).ok());
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{arguments:?} is not done after {PATIENCE:?}");
        }
        std::thread::park_timeout(Duration::from_millis(3));
    };
    writer.join().unwrap();
    let read = |name| fs::read(folder.join(name)).unwrap();
    Output { status, stdout: read("bounded.out"), stderr: read("bounded.err") }
}

/// Runs `tabuleiro` with arguments in a folder and standard input.
pub fn run_in(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = tabuleiro()
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A program that refuses its arguments does not read its input.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).ok());
    let mut stdout = Vec::new();
    let mut stderr = Vec::new();
    let mut errors = child.stderr.take().unwrap();
    let reader = std::thread::spawn(move || {
        errors.read_to_end(&mut stderr).unwrap();
        stderr
    });
    child.stdout.take().unwrap().read_to_end(&mut stdout).unwrap();
    let stderr = reader.join().unwrap();
    writer.join().unwrap();
    Output { status: child.wait().unwrap(), stdout, stderr }
}
