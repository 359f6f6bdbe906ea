//! A shell that runs the commands of a page in a folder of its own.
//!
//! On its path, `tabuleiro` is the program under test; so is `cargo run --release --`. A command's output is that of
//! both streams, as a terminal shows it. After a command that fails, `echo $?` tells the reader so.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command as Process, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use tabuleiro::config::SHIPPED;
use tempfile::TempDir;

use super::matching::matches;
use super::page::{Block, BlockKind, Command, Page};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Maximum time of a command. Only a failing test waits that long.
const PATIENCE: Duration = Duration::from_secs(30);
/// Ends a command's output, before its exit status.
const MARK: char = '\u{1e}';
/// Commands that examine what a service does. They are repeated until the service has done it.
const LOOKS: [&str; 7] = ["cat", "find", "grep", "head", "ls", "tail", "wc"];

/// The shell of a page. Everything that it started ends with it.
pub struct Session {
    root: TempDir,
    shell: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// Whether a program runs in the background.
    busy: bool,
}

/// Runs the blocks of a page and returns what differs from the page.
pub fn run(page: &Page) -> Vec<String> {
    let mut session = Session::new(&page.path);
    let mut faults = Vec::new();
    for block in &page.blocks {
        match &block.kind {
            BlockKind::File(name) => {
                let path = session.at(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, &block.text).unwrap();
                if name.ends_with("tabuleiro.toml") {
                    faults.extend(session.check_config(page, block, &path));
                }
            }
            BlockKind::Configuration => {
                // Next to the page's files, which the configuration can name.
                let path = session.at("part.toml");
                fs::write(&path, &block.text).unwrap();
                faults.extend(session.check_config(page, block, &path));
                fs::remove_file(&path).unwrap();
            }
            BlockKind::Columns => session.columns(page, block, &mut faults),
            BlockKind::Session => session.block(page, block, &mut faults),
            BlockKind::Serves => session.serve(page, block),
            BlockKind::NotRun(_) | BlockKind::Picture => {}
        }
    }
    faults
}

impl Session {
    /// Starts a shell in a new folder. For README.md, the folder holds what a checkout has.
    pub fn new(path: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        for folder in ["bin", "home/.config/tabuleiro", "page"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        // Takes precedence over a configuration below /etc, and serves the folder of the page.
        let own = SHIPPED.replace("base = \"..\"", "base = \"\"");
        fs::write(at("home/.config/tabuleiro/tabuleiro.toml"), own).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tabuleiro"), at("bin/tabuleiro")).unwrap();
        fs::write(at("bin/cargo"), CARGO).unwrap();
        fs::set_permissions(at("bin/cargo"), fs::Permissions::from_mode(0o755)).unwrap();
        if path == "README.md" {
            copy(&Path::new(ROOT).join("config"), &at("page/config"));
            fs::create_dir(at("page/inbox")).unwrap();
            fs::create_dir(at("page/outbox")).unwrap();
        }
        let search = format!("{}:{}", at("bin").display(), std::env::var("PATH").unwrap());
        let mut shell = Process::new("bash")
            .args(["--noprofile", "--norc"])
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("COLUMNS")
            .envs([("LC_ALL", "C"), ("TZ", "UTC"), ("PATH", &search), ("HOME", at("home").to_str().unwrap())])
            .current_dir(at("page"))
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = shell.stdin.take().unwrap();
        input.write_all(b"exec 2>&1\n").unwrap();
        let lines = lines(BufReader::new(shell.stdout.take().unwrap()));
        Self { root, shell, input, lines, busy: false }
    }

    /// Returns the path of a file of the page.
    fn at(&self, name: &str) -> PathBuf {
        self.root.path().join("page").join(name)
    }

    /// Runs the commands of a block and describes how their output differs.
    fn block(&mut self, page: &Page, block: &Block, faults: &mut Vec<String>) {
        let commands = block.commands(&page.path);
        for (index, command) in commands.iter().enumerate() {
            let told = commands.get(index + 1).is_some_and(|next| next.text == "echo $?");
            if let Err(fault) = self.command(command, told) {
                faults.push(format!("{}:{}: $ {}\n{fault}", page.path, command.line, command.text));
            }
        }
    }

    /// Runs a command. Repeats it if it examines what a service in the background does.
    fn command(&mut self, command: &Command, told: bool) -> Result<(), String> {
        let started = Instant::now();
        let looks = LOOKS.iter().any(|look| command.text.split(' ').next() == Some(look));
        self.busy |= command.text.trim_end().ends_with('&');
        loop {
            let (found, status) = self.output(&command.text)?;
            let as_shown = matches(&command.shown, &found);
            if as_shown && (status == 0) != told {
                return Ok(());
            }
            if !(self.busy && looks && started.elapsed() < PATIENCE) {
                let end = match (as_shown, told) {
                    (true, true) => "exit status 0, told by `echo $?`".to_owned(),
                    (true, false) => format!("exit status {status}, not told by `echo $?`"),
                    (false, _) => format!("exit status {status}"),
                };
                return Err(format!("{}\n({end})", found.join("\n")));
            }
            std::thread::park_timeout(Duration::from_millis(3));
        }
    }

    /// Returns the output and the exit status of a command.
    fn output(&mut self, command: &str) -> Result<(Vec<String>, i32), String> {
        let quoted = command.replace('\'', r"'\''");
        // Runs in the shell itself, which keeps its folder, variables and jobs. The next command finds the status.
        let script = format!("eval '{quoted}' < /dev/null; s=$?; printf '\\036%d\\n' $s; (exit $s)\n");
        self.input.write_all(script.as_bytes()).map_err(|error| error.to_string())?;
        let (mut found, deadline) = (Vec::new(), Instant::now() + PATIENCE);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left);
            let line = line.map_err(|_| format!("{}\n(it does not end)", found.join("\n")))?;
            let Some((last, status)) = line.split_once(MARK) else {
                found.push(line);
                continue;
            };
            if !last.is_empty() {
                found.push(last.to_owned());
            }
            return Ok((found, status.parse().map_err(|error| format!("{status}: {error}"))?));
        }
    }

    /// Solves each file of a block of columns that has its result next to it.
    fn columns(&mut self, page: &Page, block: &Block, faults: &mut Vec<String>) {
        let columns = block.columns();
        assert!(columns.len().is_multiple_of(2), "{}:{}: pairs of columns", page.path, block.line);
        for pair in columns.chunks(2) {
            let [(name, input), (_, result)] = pair else { continue };
            fs::write(self.at(name), input).unwrap();
            let (found, _) = self.output(&format!("tabuleiro solve -i {name} 2> /dev/null")).unwrap();
            if found != result.lines().collect::<Vec<_>>() {
                faults.push(format!("{}:{}: {name}\n{}", page.path, block.line, found.join("\n")));
            }
        }
    }

    /// Starts commands that keep running, as in a terminal of their own.
    fn serve(&mut self, page: &Page, block: &Block) {
        self.busy = true;
        for command in block.commands(&page.path) {
            let text = command.text.split(" #").next().unwrap();
            let (found, _) = self.output(&format!("{text} > /dev/null 2>&1 &")).unwrap();
            assert!(found.is_empty(), "{}:{}: {found:?}", page.path, command.line);
        }
    }

    /// Returns what is wrong with a configuration that a page shows.
    fn check_config(&mut self, page: &Page, block: &Block, path: &Path) -> Option<String> {
        // A program without the feature rejects `[remote]`.
        if !cfg!(feature = "workers") && block.text.contains("[remote]") {
            return None;
        }
        let command = format!("tabuleiro check-config --config '{}'", path.display());
        let (found, status) = self.output(&command).unwrap();
        (status != 0).then(|| format!("{}:{}: {}", page.path, block.line, found.join("\n")))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Ends all of its processes, which may have ended already.
        let _ = kill_process_group(Pid::from_child(&self.shell), Signal::KILL);
        let _ = self.shell.wait();
    }
}

/// Replaces cargo: in a checkout it runs the program that was built.
const CARGO: &str =
    "#!/bin/sh\n[ \"$1 $2 $3\" = 'run --release --' ] && shift 3 && exec tabuleiro \"$@\"\nexit 101\n";

/// Returns the lines of a stream. A thread of its own reads them.
fn lines(mut stream: impl BufRead + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut line = Vec::new();
        while stream.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line);
            if sender.send(text.strip_suffix('\n').unwrap_or(&text).to_owned()).is_err() {
                return;
            }
            line.clear();
        }
    });
    receiver
}

/// Copies the files of a folder, if it exists, without subfolders.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).into_iter().flatten() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}
