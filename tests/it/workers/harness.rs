//! A NATS server, workers, and services that share puzzles with them, each with its files in a folder of its own.

use std::collections::BTreeMap;
use std::fs;
use std::future::Future;
use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::thread::JoinHandle;
use std::time::Duration;

use regex::Regex;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::oneshot;

use crate::daemon::recovery::slow_board;
use crate::harness::{Place, Service, run_in, tabuleiro, wait_for};

/// Results in all formats. The beginning of a file's name chooses the solver's route. `hard` puzzles are not solved in
/// a lifetime, `home` puzzles never travel, and `busy` puzzles are both.
const ROUTES: &str = r#"
[results]
formats = ["txt", "json"]
durability = "none"
[[route]]
name = "merge"
files = ["**/merge*"]
solver = "2048-merge"
options = { witness = true, picture = true }
[[route]]
name = "checkers"
files = ["**/checkers*"]
solver = "checkers-capture"
options = { witness = true, picture = true }
[[route]]
name = "astar"
files = ["**/astar*"]
solver = "2048-astar"
options = { goal = 64, witness = true, picture = true }
[[route]]
name = "game"
files = ["**/game*"]
solver = "2048-game"
options = { transcript = true, picture = true }
[[route]]
name = "jump"
files = ["**/jump*"]
solver = "jump-game"
options = { witness = true, picture = true }
[[route]]
name = "home"
files = ["**/home*"]
solver = "2048-merge"
remote = false
[[route]]
name = "hard"
files = ["**/hard*"]
solver = "checkers-capture"
options = { algorithm = "backtracking", limits = "none" }
time_limit = "none"
job_time_limit = "none"
[[route]]
name = "busy"
files = ["**/busy*"]
solver = "checkers-capture"
options = { algorithm = "backtracking", limits = "none" }
time_limit = "none"
job_time_limit = "none"
remote = false
"#;

/// A NATS server with its store, killed when dropped.
pub struct Broker {
    program: PathBuf,
    folder: TempDir,
    port: u16,
    child: Option<Child>,
}

/// A worker, with the folder of its state and its log, killed when dropped.
pub struct Worker {
    folder: TempDir,
    url: String,
    program: PathBuf,
    arguments: Vec<String>,
    child: Child,
}

/// A client of the broker that runs until it is dropped.
pub struct Client {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Starts the server that `NATS_SERVER` names. Without it, prints a line and returns `None`.
pub fn broker() -> Option<Broker> {
    broker_with("")
}

/// Starts the server with further lines in its configuration.
pub fn broker_with(settings: &str) -> Option<Broker> {
    let mut broker = Broker::stopped()?;
    broker.start(settings);
    Some(broker)
}

impl Broker {
    /// Returns a server that does not run yet.
    pub fn stopped() -> Option<Self> {
        let Some(program) = std::env::var_os("NATS_SERVER") else {
            eprintln!("SKIPPED: needs NATS_SERVER, the path of a nats-server");
            return None;
        };
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        Some(Self { program: program.into(), folder, port, child: None })
    }

    /// Starts the server with these lines, in addition to those that it needs.
    pub fn start(&mut self, settings: &str) {
        assert!(self.child.is_none(), "it runs");
        self.configure(settings);
        let log = fs::File::options().create(true).append(true).open(self.folder.path().join("log")).unwrap();
        let mut child = Command::new(&self.program)
            .arg("-c")
            .arg(self.folder.path().join("nats.conf"))
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        wait_for("the broker", || {
            assert_eq!(child.try_wait().unwrap(), None, "{}", self.log());
            let mut greeting = [0; 5];
            let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
            stream.read_exact(&mut greeting).ok().filter(|()| greeting == *b"INFO ")
        });
        self.child = Some(child);
    }

    fn configure(&self, settings: &str) {
        let folder = self.folder.path().display();
        let text = format!(
            "listen: \"127.0.0.1:{}\"\njetstream {{ store_dir: \"{folder}/store\", max_memory_store: 1GB }}\n{settings}\n",
            self.port
        );
        fs::write(self.folder.path().join("nats.conf"), text).unwrap();
    }

    /// Reloads the server with other settings.
    pub fn reload(&self, settings: &str) {
        self.configure(settings);
        let before = self.log().matches("Reloaded").count();
        kill_process(Pid::from_child(self.child.as_ref().unwrap()), Signal::HUP).unwrap();
        wait_for("the reload", || (self.log().matches("Reloaded").count() > before).then_some(()));
    }

    /// Kills the server like a crash; what it had in memory is lost.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Removes what the server has stored.
    pub fn wipe(&mut self) {
        assert!(self.child.is_none(), "it runs");
        let _ = fs::remove_dir_all(self.folder.path().join("store"));
    }

    /// Returns the address of the server.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Returns the configuration of a service that shares as much as it can with workers, has one local thread, and has
    /// more `settings` below `[remote]`.
    pub fn config(&self, settings: &str) -> String {
        format!("{}[remote]\nurl = \"{}\"\npatience = \"0s\"\n{settings}\n{ROUTES}", local(), self.url())
    }

    /// Returns a place for such a service.
    pub fn place(&self) -> Place {
        Place::new().config(&self.config(""))
    }

    /// Starts a worker with so many threads and waits until it is ready.
    pub fn worker(&self, threads: usize) -> Worker {
        let worker = Worker::start(env!("CARGO_BIN_EXE_tabuleiro"), &self.url(), threads, &[]);
        worker.wait_for_log("  ready\n");
        worker
    }

    /// Runs `what` with a client of its own and waits until everything is sent.
    pub fn say<T, F: Future<Output = T>>(&self, what: impl FnOnce(async_nats::Client) -> F) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let client = async_nats::connect(self.url()).await.unwrap();
            let said = what(client.clone()).await;
            client.flush().await.unwrap();
            said
        })
    }

    /// Runs `what` with a client of its own until the result is dropped.
    pub fn client<F: Future<Output = ()>>(
        &self,
        what: impl FnOnce(async_nats::Client) -> F + Send + 'static,
    ) -> Client {
        let (stop, stopped) = oneshot::channel();
        let (ready, is_ready) = std::sync::mpsc::channel();
        let url = self.url();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let client = async_nats::connect(url).await.unwrap();
                ready.send(()).unwrap();
                tokio::select! {
                    _ = stopped => {}
                    () = what(client) => {}
                }
            });
        });
        is_ready.recv().unwrap();
        Client { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
        let panicked = self.thread.take().map(JoinHandle::join);
        assert!(std::thread::panicking() || matches!(panicked, Some(Ok(()))), "the client failed");
    }
}

impl Worker {
    /// Starts a worker without waiting.
    pub fn start(program: impl AsRef<Path>, url: &str, threads: usize, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut own = vec!["--threads".to_owned(), threads.to_string()];
        own.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        let (program, url) = (program.as_ref().to_owned(), url.to_owned());
        let child = Self::spawn(folder.path(), &program, &url, &own);
        Self { folder, url, program, arguments: own, child }
    }

    fn spawn(folder: &Path, program: &Path, url: &str, arguments: &[String]) -> Child {
        let mut command = Command::new(program);
        for (key, value) in tabuleiro().get_envs() {
            match value {
                Some(value) => command.env(key, value),
                None => command.env_remove(key),
            };
        }
        let log = fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
        let command = command.args(["work", "--url", url]).args(arguments);
        let command = command.current_dir(folder).env("STATE_DIRECTORY", folder.join("state"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap()
    }

    /// Returns a path below the worker's folder.
    pub fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Starts the worker again, with the same folder.
    pub fn start_again(&mut self) {
        self.child = Self::spawn(self.folder.path(), &self.program, &self.url, &self.arguments);
    }

    /// Kills the worker like a crash.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the worker to end on its own.
    pub fn wait(&mut self) -> ExitStatus {
        wait_for("the worker to end", || self.child.try_wait().unwrap())
    }

    /// Stops the worker and checks that it ends cleanly. Returns its log.
    pub fn stop(mut self) -> String {
        self.signal(Signal::TERM);
        let status = self.wait();
        assert!(status.success(), "{status}\n{}", self.log());
        assert_eq!(self.state(), [""; 0], "nothing is left");
        self.log()
    }

    /// Returns the log of the worker, over all its starts.
    pub fn log(&self) -> String {
        fs::read_to_string(self.at("log")).unwrap_or_default().replace("\n          ", " ")
    }

    /// Waits until the log contains a text.
    pub fn wait_for_log(&self, text: &str) {
        wait_for(&format!("{text} in {}", self.at("log").display()), || {
            self.log().contains(text).then_some(())
        });
    }

    /// Returns the names of the files of the worker's state.
    pub fn state(&self) -> Vec<String> {
        let entries = fs::read_dir(self.at("state")).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    /// Returns the batches that the worker, or a process before it that died, has in progress.
    pub fn in_hand(&self) -> Vec<String> {
        let entries = fs::read_dir(self.at("state")).into_iter().flatten().flatten();
        let texts = entries.filter_map(|entry| fs::read_to_string(entry.path()).ok());
        let lines = |text: String| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        let is_batch = |line: &String| line.split(' ').count() == 2;
        texts.flat_map(lines).filter(is_batch).collect()
    }

    /// Waits until the worker has a batch in progress, and nothing is left of an earlier process that died.
    pub fn wait_until_it_solves(&self) {
        let solves = || self.state().len() == 1 && !self.in_hand().is_empty();
        wait_for("a batch in hand", || solves().then_some(()));
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the configuration of a service with one thread and no broker, without routes.
fn local() -> &'static str {
    "[intake]\nquiet_period = \"10ms\"\nrescan_interval = \"1h\"\n[workers]\nthreads = 1\nstop_timeout = \"100ms\"\n"
}

/// Returns a number from the environment that makes a test longer.
pub fn number(key: &str, default: usize) -> usize {
    std::env::var(key).map_or(default, |value| value.parse().unwrap())
}

/// Returns what `status --json` says about the broker and the workers.
pub fn status(service: &Service) -> Value {
    whole_status(service)["remote"].take()
}

/// Returns the output of `status --json`.
pub fn whole_status(service: &Service) -> Value {
    let output = run_in(&service.at(""), &["status", "--json"], "");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {output:?}\n{}", service.log()))
}

/// Waits until a field of the broker's status is at least `least`, and returns it.
pub fn wait_for_count(service: &Service, field: &str, least: u64) -> u64 {
    wait_for(&format!("{field} of {least}\n{}", service.log()), || {
        status(service)[field].as_u64().filter(|&count| count >= least)
    })
}

/// Waits until the service has workers of the same build with at least so many threads.
pub fn wait_for_workers(service: &Service, threads: u64) {
    wait_for("workers", || {
        let status = status(service);
        let workers = status["workers"].as_array()?;
        let ours = workers.iter().filter(|worker| worker["is_same_build"] == true);
        (ours.map(|worker| worker["threads"].as_u64().unwrap()).sum::<u64>() >= threads).then_some(())
    });
}

/// Drops these files.
pub fn drop_all(service: &Service, files: &[(String, String)]) {
    for (name, content) in files {
        service.drop_file(name, content);
    }
}

/// Waits until all these files have results, and compares them with those of a service without a broker.
pub fn expect_as_local(service: &Service, files: &[(String, String)]) {
    let expected = local_results(files);
    wait_for(&format!("all answers\n{}", service.log()), || {
        expected.keys().all(|name| service.at("outbox").join(name).exists()).then_some(())
    });
    // A result exists before its job has ended.
    for (name, _) in files {
        service.wait_for_log(&format!("  {name}  |   "));
    }
    for (name, expected) in expected {
        let found = comparable(&fs::read_to_string(service.at("outbox").join(&name)).unwrap());
        assert!(found == expected, "{name}: expected\n{expected}\nfound\n{found}\n{}", service.log());
    }
}

/// Returns the results of a service without a broker, by name: text, JSON without times and IDs, pictures.
pub fn local_results(files: &[(String, String)]) -> BTreeMap<String, String> {
    let place = Place::new().config(&format!("{}{ROUTES}", local())).argument("--once");
    let add =
        |place: Place, (name, content): &(String, String)| place.file(&format!("inbox/{name}"), content);
    let (place, output) = files.iter().fold(place, add).run();
    assert!(output.status.success(), "{output:?}");
    let results = place.files("outbox").into_iter();
    let read = |name: String| (fs::read_to_string(place.at("outbox").join(&name)).unwrap(), name);
    results.map(read).map(|(text, name)| (name, comparable(&text))).collect()
}

/// Returns a result without the parts that differ from run to run.
pub fn comparable(result: &str) -> String {
    static TIMES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#""id":"[^"]*"|"[a-z_]*seconds":[0-9.e-]+|\b\d{8}T\d{6}\.\d{6}Z"#).unwrap()
    });
    TIMES.replace_all(result, "…").into_owned()
}

/// Returns a file with so many generated puzzles.
pub fn generated(solver: &str, puzzles: usize, seed: usize, sets: &[&str]) -> String {
    let (puzzles, seed) = (puzzles.to_string(), seed.to_string());
    let mut arguments = vec!["generate", solver, &puzzles, "--seed", &seed];
    arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
    let output = run_in(Path::new("/"), &arguments, "");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns a file of 2048 boards that take a few milliseconds each, or a few tens without optimisation.
pub fn merges(puzzles: usize, seed: usize) -> String {
    generated("2048-merge", puzzles, seed, &["size=9", "tiles=36"])
}

/// Returns a file of 2048 boards that take a few tens of milliseconds each, or a second without optimisation.
pub fn slow_merges(puzzles: usize) -> String {
    const SLOW: [usize; 3] = [3, 4, 2];
    let board = |at: usize| {
        let one = generated("2048-merge", 1, SLOW[at % SLOW.len()], &["size=12", "tiles=50"]);
        one.split_once('\n').unwrap().1.to_owned()
    };
    let boards: Vec<_> = (0..SLOW.len()).map(board).collect();
    (0..puzzles).fold(format!("{puzzles}\n"), |text, at| text + &boards[at % boards.len()])
}

/// Returns one file for every solver.
pub fn one_a_solver() -> Vec<(String, String)> {
    let games = generated("2048-game", 4, 2, &[]).replace("AUTO", "AUTO 20");
    [
        ("merge.txt", merges(10, 5)),
        ("checkers.txt", generated("checkers-capture", 60, 2, &["rows=20", "columns=10"])),
        ("astar.txt", generated("2048-astar", 12, 2, &[])),
        ("game.txt", games),
        ("jump.txt", generated("jump-game", 20, 2, &["rows=60", "columns=60", "players=10"])),
    ]
    .map(|(name, content)| (name.to_owned(), content))
    .into()
}

/// Returns a board on which the published program does not end.
pub fn endless() -> String {
    slow_board().replace("0 0\n", "")
}

/// Keeps every solver thread of the service busy for ever with files of its own, so that only workers can solve later
/// files or give them back.
pub fn keep_busy(service: &Service) {
    service.drop_file("busy-1.txt", slow_board());
    wait_for("one who is busy", || (running(service).len() == 1).then_some(()));
    service.drop_file("busy-2.txt", endless() + &slow_board());
    wait_for("two who are busy", || (running(service).len() == 2).then_some(()));
}

/// Returns the files in progress of which a puzzle is being solved.
fn running(service: &Service) -> Vec<Value> {
    let output = run_in(&service.at(""), &["status", "--json"], "");
    let status: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let jobs = status["jobs"].as_array().cloned().unwrap_or_default();
    jobs.into_iter().filter(|job| !job["solving"].is_null()).collect()
}

/// Maximum time for events that the page says take seconds.
pub const HEAL_MAX: Duration = Duration::from_secs(5);
