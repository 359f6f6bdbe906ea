//! A page of the documentation in the form that the test uses: its fenced blocks, in order.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Reasons why a block is not run. The fence of a block states one: `console norun=root`.
///
/// - `root`: it changes the machine
/// - `systemd`: it asks the machine's service manager
/// - `network`: it needs another machine, or a download
/// - `terminal`: it needs a person at a terminal
/// - `toolchain`: it builds the program
/// - `long`: it takes minutes
pub const REASONS: [&str; 6] = ["root", "systemd", "network", "terminal", "toolchain", "long"];

/// A page: README.md, or a file below docs/.
pub struct Page {
    /// The path below the root of the repository.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// The fenced blocks.
    pub blocks: Vec<Block>,
}

/// A fenced block.
pub struct Block {
    /// The line of the fence, from 1.
    pub line: usize,
    /// The kind of the block.
    pub kind: BlockKind,
    /// The lines, each with its line feed.
    pub text: String,
}

/// The kind of a block, from the words after its fence.
#[derive(Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// `console`, `console needs=PROGRAM`: commands, each with what it prints.
    Session,
    /// `console serves`: commands that keep running, in a terminal of their own.
    Serves,
    /// `console norun=REASON`: commands that a test cannot run.
    NotRun(String),
    /// `text file=NAME`, `toml file=NAME`: the content of a file that the following commands find.
    File(String),
    /// `toml` without a name: a configuration, or a part of one.
    Configuration,
    /// `text columns`: files side by side, their names on the first line. The result of NAME.txt is next to it.
    Columns,
    /// `text` without a name: a picture.
    Picture,
}

/// A command in a block.
pub struct Command {
    /// The line on the page, from 1.
    pub line: usize,
    /// The command, without its prompt.
    pub text: String,
    /// The lines shown below the command.
    pub shown: Vec<String>,
}

/// Returns all pages: README.md and everything below docs/, sorted.
pub fn all() -> Vec<Page> {
    let mut paths = vec![PathBuf::from("README.md")];
    collect(Path::new("docs"), &mut paths);
    paths.sort();
    paths.iter().map(|path| Page::read(path.to_str().unwrap())).collect()
}

/// Returns all documents: the pages, and the documents next to README.md.
pub fn all_documents() -> Vec<Page> {
    let beside = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
    all().into_iter().chain(beside.map(Page::read)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = folder.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
}

impl Page {
    /// Reads a page of the repository.
    pub fn read(path: &str) -> Self {
        Self::parse(path, &fs::read_to_string(Path::new(ROOT).join(path)).unwrap())
    }

    /// Parses a page into its blocks.
    ///
    /// # Panics
    /// Panics with file and line if a fence is unknown or not closed, or names a file that the text before it does not
    /// name.
    pub fn parse(path: &str, text: &str) -> Self {
        let mut blocks = Vec::new();
        let mut lines = text.lines().enumerate();
        let mut prose = "";
        while let Some((index, line)) = lines.next() {
            let place = format!("{path}:{}", index + 1);
            let Some(info) = line.strip_prefix("```") else {
                assert!(!line.trim_start().starts_with("```"), "{place}: a fence that is indented");
                prose = if line.trim().is_empty() { prose } else { line };
                continue;
            };
            let kind = kind(info).unwrap_or_else(|| panic!("{place}: no such kind of block: '{info}'"));
            if let BlockKind::File(name) = &kind {
                assert!(
                    prose.contains(&format!("`{name}`")),
                    "{place}: the reader is not told the name '{name}'"
                );
            }
            let mut content = String::new();
            loop {
                let (_, line) = lines.next().unwrap_or_else(|| panic!("{place}: the block has no end"));
                if line == "```" {
                    break;
                }
                content.push_str(line);
                content.push('\n');
            }
            blocks.push(Block { line: index + 1, kind, text: content });
        }
        Self { path: path.to_owned(), text: text.to_owned(), blocks }
    }

    /// Returns the commands of all blocks that are run.
    pub fn commands(&self) -> impl Iterator<Item = Command> {
        let run = |block: &&Block| matches!(block.kind, BlockKind::Session | BlockKind::Serves);
        self.blocks.iter().filter(run).flat_map(|block| block.commands(&self.path))
    }
}

/// Returns the kind of a block, from the words after its fence.
fn kind(info: &str) -> Option<BlockKind> {
    let (language, word) = info.split_once(' ').unwrap_or((info, ""));
    match (language, word.split_once('=').unwrap_or((word, ""))) {
        ("console", ("", "")) => Some(BlockKind::Session),
        ("console", ("serves", "")) => Some(BlockKind::Serves),
        // Many machines lack the program. Only the feature `workers` uses a NATS server.
        ("console", ("needs", program)) if is_there(program) => Some(BlockKind::Session),
        ("console", ("needs", program)) if !program.is_empty() => {
            eprintln!("SKIPPED: a block that needs {program} was not run");
            Some(BlockKind::Picture)
        }
        ("console", ("norun", reason)) if REASONS.contains(&reason) => {
            Some(BlockKind::NotRun(reason.to_owned()))
        }
        ("toml" | "text", ("file", name)) if !name.is_empty() => Some(BlockKind::File(name.to_owned())),
        ("toml", ("", "")) => Some(BlockKind::Configuration),
        ("text", ("columns", "")) => Some(BlockKind::Columns),
        ("text", ("", "")) => Some(BlockKind::Picture),
        _ => None,
    }
}

fn is_there(program: &str) -> bool {
    if program == "nats-server" && !cfg!(feature = "workers") {
        return false;
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

impl Block {
    /// Returns the names and contents of a block of columns.
    pub fn columns(&self) -> Vec<(String, String)> {
        let (names, rows) = self.text.split_once('\n').unwrap();
        let starts: Vec<_> = names
            .char_indices()
            .filter(|(at, c)| *c != ' ' && (*at == 0 || names.as_bytes()[at - 1] == b' '))
            .map(|(at, _)| at)
            .collect();
        let cell = |line: &str, index: usize| {
            let rest = line.get(starts[index]..).unwrap_or_default();
            let width = starts.get(index + 1).map_or(rest.len(), |next| next - starts[index]);
            rest.get(..width).unwrap_or(rest).trim_end().to_owned()
        };
        let content = |index| {
            let lines = rows.lines().map(|line| cell(line, index)).filter(|line| !line.is_empty());
            lines.map(|line| line + "\n").collect()
        };
        (0..starts.len()).map(|index| (cell(names, index), content(index))).collect()
    }

    /// Returns the commands of a block of the page at `path`: lines after `$ ` (or after `# ` in a block that is not
    /// run). A line that ends in `\` continues with the following lines after `> `.
    ///
    /// # Panics
    /// Panics with file and line if the block does not begin with a command, or shows only `…` for one.
    pub fn commands(&self, path: &str) -> Vec<Command> {
        let mut commands: Vec<Command> = Vec::new();
        for (index, line) in self.text.lines().enumerate() {
            let number = self.line + 1 + index;
            let root = matches!(self.kind, BlockKind::NotRun(_));
            let prompt = line.strip_prefix("$ ").or_else(|| line.strip_prefix("# ").filter(|_| root));
            if let Some(text) = prompt {
                commands.push(Command { line: number, text: text.to_owned(), shown: Vec::new() });
                continue;
            }
            let command = commands.last_mut();
            let command =
                command.unwrap_or_else(|| panic!("{path}:{number}: the block begins without a command"));
            match line.strip_prefix("> ") {
                Some(more) if command.shown.is_empty() && command.text.ends_with('\\') => {
                    command.text.push('\n');
                    command.text.push_str(more);
                }
                _ => command.shown.push(line.to_owned()),
            }
        }
        for command in &commands {
            let says_something = command.shown.is_empty() || command.shown.iter().any(|line| line != "…");
            assert!(says_something, "{path}:{}: `…` alone shows nothing", command.line);
        }
        commands
    }
}
