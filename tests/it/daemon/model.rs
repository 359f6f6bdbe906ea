//! Runs random sequences of what people and crashes do to an inbox, on the real service and on a model of it.
//!
//! Every input names itself in a comment, so a ledger can find at the end what became of it. An input that was complete
//! in the inbox, and that nobody took away again, must be in `done`, once, byte for byte (or in `failed` with a report,
//! if the process was killed twice while answering it). A deleted or replaced input is there at most once. Every result
//! is that of the last input answered under its name, and no other files exist. `TABULEIRO_MODEL_RUNS=200` runs that
//! many sequences instead of a few.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::process::Signal;
use tabuleiro_puzzles::solver::Random;

use crate::harness::{BOARD_1, BOARD_2, Place, Service, leases_work, wait_for};

const RUNS: u64 = 3;
const STEPS: u64 = 60;
const FOLDERS: [&str; 4] = ["", "a", "a/b", "c"];
const NAMES: [&str; 3] = ["entrada.txt", "x-entrada.txt", "y-entrada.txt"];

/// What the ledger knows about an input.
struct Input {
    content: String,
    answer: &'static str,
    /// Where the input was put.
    origin: PathBuf,
    /// Somebody deleted or replaced it, perhaps before it was claimed.
    may_be_gone: bool,
}

/// A file that is being written.
struct Writing {
    file: File,
    rest: String,
    number: usize,
    path: PathBuf,
}

struct Model {
    random: Random,
    /// `None` only during a restart.
    service: Option<Service>,
    inputs: Vec<Input>,
    /// The last input that was put under a path, unless somebody took it away.
    present: BTreeMap<PathBuf, usize>,
    writing: Vec<Writing>,
    /// Files without read permission, to be repaired.
    locked: Vec<PathBuf>,
    steps: Vec<String>,
}

#[test]
fn whatever_happens_every_input_ends_in_one_place() {
    if !leases_work() {
        return; // Without leases, the service cannot detect a slow writer.
    }
    let runs =
        std::env::var("TABULEIRO_MODEL_RUNS").map_or(RUNS, |runs| runs.parse().expect("a number of runs"));
    let mut inputs = 0;
    for seed in 1..=runs {
        let mut model = Model::new(seed);
        for _ in 0..STEPS {
            model.step();
        }
        inputs += model.inputs.len();
        model.check(seed);
    }
    println!("{runs} sequences, {inputs} inputs");
}

fn config(rescan: &str) -> String {
    format!("[intake]\nquiet_period = \"50ms\"\nrescan_interval = \"{rescan}\"\npoll_interval = \"20ms\"\n")
}

impl Model {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            service: Some(Place::new().config(&config("100ms")).start()),
            inputs: Vec::new(),
            present: BTreeMap::new(),
            writing: Vec::new(),
            locked: Vec::new(),
            steps: Vec::new(),
        }
    }

    fn service(&self) -> &Service {
        self.service.as_ref().expect("a running service")
    }

    fn inbox(&self) -> PathBuf {
        self.service().at("inbox")
    }

    fn below(&mut self, count: usize) -> usize {
        self.random.below(count as u64) as usize
    }

    fn step(&mut self) {
        let step = self.below(20);
        self.steps.push(format!("{step}"));
        match step {
            0..=3 => self.rename_in(),
            4 => self.create(),
            5 | 6 => self.begin_to_write(),
            7 | 8 => self.write_on(),
            9 => self.link_in(),
            10 => self.move_folder_in(),
            11 => self.delete(),
            12 => self.delete_folder(),
            13 => self.make_inbox_again(),
            14 => self.rename_inbox_away_and_back(),
            15 => self.lock_or_unlock(),
            16 => self.touch(),
            17 => self.overflow_or_reload(),
            18 => self.stop_and_start(),
            _ => self.kill_and_start(),
        }
    }

    /// Adds a new input to the ledger.
    fn input(&mut self) -> usize {
        let number = self.inputs.len();
        let (board, answer) = if self.below(2) == 0 { (BOARD_1, "1\n") } else { (BOARD_2, "2\n") };
        // Some inputs are long enough to be read in pieces.
        let filling = "# filling\n".repeat(self.below(2) * 20_000);
        let content = format!("# input {number}.\n{filling}{board}");
        self.inputs.push(Input { content, answer, origin: PathBuf::new(), may_be_gone: false });
        number
    }

    /// Returns a path in the inbox and makes its folder.
    fn path(&mut self) -> PathBuf {
        let folder = FOLDERS[self.below(FOLDERS.len())];
        let name = NAMES[self.below(NAMES.len())];
        fs::create_dir_all(self.inbox().join(folder)).unwrap();
        Path::new(folder).join(name)
    }

    /// Returns a path that no input had before.
    fn new_path(&mut self, number: usize) -> PathBuf {
        let path = self.path();
        path.with_file_name(format!("{number}-entrada.txt"))
    }

    /// Records an input under a path. It replaces the input there, unless that was claimed before.
    fn put(&mut self, path: PathBuf, number: usize) {
        self.inputs[number].origin.clone_from(&path);
        if let Some(before) = self.present.insert(path, number) {
            self.inputs[before].may_be_gone = true;
        }
    }

    /// Records that everything below a path was taken away, unless the service was faster.
    fn take_away(&mut self, path: &Path) {
        let all: Vec<_> = self.present.keys().filter(|other| other.starts_with(path)).cloned().collect();
        for path in all {
            let number = self.present.remove(&path).unwrap();
            self.inputs[number].may_be_gone = true;
        }
        for writing in self.writing.iter().filter(|writing| writing.path.starts_with(path)) {
            self.inputs[writing.number].may_be_gone = true;
        }
        self.locked.retain(|other| !other.starts_with(path));
    }

    fn rename_in(&mut self) {
        let (number, path) = (self.input(), self.path());
        let content = self.inputs[number].content.clone();
        self.put(path.clone(), number);
        self.service().drop_file(path.to_str().unwrap(), content);
    }

    /// Writes a file at once, under its final name.
    fn create(&mut self) {
        let number = self.input();
        let path = self.new_path(number);
        fs::write(self.inbox().join(&path), &self.inputs[number].content).unwrap();
        self.put(path, number);
    }

    fn begin_to_write(&mut self) {
        let number = self.input();
        let path = self.new_path(number);
        let mut file = File::create_new(self.inbox().join(&path)).unwrap();
        let (begin, rest) = self.inputs[number].content.split_at(13);
        file.write_all(begin.as_bytes()).unwrap();
        let rest = rest.to_owned();
        self.writing.push(Writing { file, rest, number, path });
    }

    /// Writes a part of a file, or writes the rest and closes it.
    fn write_on(&mut self) {
        if self.writing.is_empty() {
            return;
        }
        let index = self.below(self.writing.len());
        let ends = self.below(2) == 0;
        let Writing { file, rest, .. } = &mut self.writing[index];
        let now = if ends { rest.len() } else { rest.len() / 2 };
        file.write_all(&rest.as_bytes()[..now]).unwrap();
        rest.drain(..now);
        if ends {
            self.close(index);
        }
    }

    fn close(&mut self, index: usize) {
        let Writing { mut file, rest, number, path } = self.writing.remove(index);
        file.write_all(rest.as_bytes()).unwrap();
        if !self.inputs[number].may_be_gone {
            self.put(path, number);
        }
    }

    fn link_in(&mut self) {
        let number = self.input();
        let path = self.new_path(number);
        let elsewhere = self.service().at(&format!("elsewhere-{number}"));
        fs::write(&elsewhere, &self.inputs[number].content).unwrap();
        fs::hard_link(elsewhere, self.inbox().join(&path)).unwrap();
        self.put(path, number);
    }

    fn move_folder_in(&mut self) {
        let count = self.inputs.len();
        let folder = PathBuf::from(format!("moved-{count}"));
        let made = self.service().at("made");
        for place in ["", "deep/er"] {
            let number = self.input();
            fs::create_dir_all(made.join(place)).unwrap();
            fs::write(made.join(place).join("entrada.txt"), &self.inputs[number].content).unwrap();
            self.put(folder.join(place).join("entrada.txt"), number);
        }
        fs::rename(made, self.inbox().join(folder)).unwrap();
    }

    fn delete(&mut self) {
        let path = self.path();
        self.take_away(&path);
        // The service may have claimed it.
        let _ = fs::remove_file(self.inbox().join(path));
    }

    fn delete_folder(&mut self) {
        let folder = FOLDERS[1 + self.below(FOLDERS.len() - 1)];
        self.take_away(Path::new(folder));
        remove_all(&self.inbox().join(folder));
    }

    fn make_inbox_again(&mut self) {
        self.take_away(Path::new(""));
        remove_all(&self.inbox());
        // The service may be faster if it puts a file back.
        fs::create_dir_all(self.inbox()).unwrap();
    }

    fn rename_inbox_away_and_back(&mut self) {
        let number = self.input();
        let away = self.service().at("away");
        fs::rename(self.inbox(), &away).unwrap();
        let path = PathBuf::from(format!("{number}-entrada.txt"));
        fs::write(away.join(&path), &self.inputs[number].content).unwrap();
        if fs::rename(&away, self.inbox()).is_err() {
            // The service made an inbox to put a file back: merge the two, as people would.
            for entry in fs::read_dir(self.inbox()).unwrap().flatten() {
                merge(&entry.path(), &away.join(entry.file_name()));
            }
            remove_all(&self.inbox());
            fs::rename(&away, self.inbox()).unwrap();
        }
        self.put(path, number);
    }

    fn lock_or_unlock(&mut self) {
        if let Some(path) = self.locked.pop() {
            // As root, the service claimed it long ago.
            let _ = fs::set_permissions(self.inbox().join(path), Permissions::from_mode(0o644));
            return;
        }
        let number = self.input();
        let path = self.new_path(number);
        let made = self.service().at("locked");
        fs::write(&made, &self.inputs[number].content).unwrap();
        fs::set_permissions(&made, Permissions::from_mode(0o000)).unwrap();
        fs::rename(made, self.inbox().join(&path)).unwrap();
        self.put(path.clone(), number);
        self.locked.push(path);
    }

    fn touch(&self) {
        for path in self.present.keys() {
            // Claimed files are not there.
            if let Ok(file) = File::open(self.inbox().join(path)) {
                let _ = file.set_modified(std::time::SystemTime::UNIX_EPOCH);
            }
        }
    }

    fn overflow_or_reload(&mut self) {
        if self.below(2) == 0 {
            let rescan = ["50ms", "200ms"][self.below(2)];
            self.service().reload(&config(rescan));
            return;
        }
        let limit = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap_or_default();
        let limit = limit.trim().parse().unwrap_or(0).min(20_000);
        self.service().signal(Signal::STOP);
        let litter = ["a.tmp", "b.tmp"].map(|name| self.inbox().join(name));
        for index in 0..=limit / 2 {
            File::create(&litter[index % 2]).unwrap();
        }
        self.rename_in();
        self.service().signal(Signal::CONT);
    }

    fn stop_and_start(&mut self) {
        let place = self.service.take().unwrap().stop();
        self.service = Some(place.start());
    }

    fn kill_and_start(&mut self) {
        let place = self.service.take().unwrap().kill();
        self.service = Some(place.start());
    }

    /// Finishes everything in progress, waits, and compares.
    fn check(mut self, seed: u64) {
        while !self.writing.is_empty() {
            self.close(0);
        }
        while !self.locked.is_empty() {
            self.lock_or_unlock();
        }
        let steps = format!("seed {seed}, steps {}", self.steps.join(" "));
        let service = self.service.take().unwrap();
        wait_for(&format!("an empty inbox: {steps}\n{}", service.log()), || {
            let waiting = service.files("inbox").iter().any(|name| name.ends_with("entrada.txt"));
            let open = fs::read_dir(service.at("var/work")).unwrap().count() - 1;
            (!waiting && open == 0).then_some(())
        });
        let (mut kept, mut last, mut aside) = (HashMap::new(), BTreeMap::new(), BTreeMap::new());
        for (folder, last) in [("var/done", &mut last), ("var/failed", &mut aside)] {
            for name in service.files(folder) {
                let content = fs::read_to_string(service.at(folder).join(&name)).unwrap();
                let number =
                    content.lines().next().and_then(|line| line.strip_prefix("# input ")?.strip_suffix('.'));
                let number: usize = number.unwrap_or_else(|| panic!("{name}: {steps}")).parse().unwrap();
                assert_eq!(content, self.inputs[number].content, "{name} is not what was dropped: {steps}");
                // A job is named after its time, so the last job of an origin is the last one answered.
                let (origin, id) = origin_and_id(&name);
                let again = kept.insert(number, name);
                assert!(again.is_none(), "input {number} is in two places: {steps}\n{}", whole_log(&service));
                let entry: &mut (String, usize) = last.entry(origin).or_default();
                *entry = (id, number).max(entry.clone());
            }
        }
        // Only files that were being answered at two kills may be suspected as their cause.
        let kills = self.steps.iter().filter(|step| *step == "19").count();
        let log = whole_log(&service);
        // The log line itself may be lost with the process.
        let [rejected, set_aside] =
            ["  rejected: ", "  rejected: the service ended "].map(|text| log.matches(text).count());
        assert!(rejected == set_aside && (aside.is_empty() || kills >= 2), "{steps}\n{log}");
        for (number, input) in self.inputs.iter().enumerate() {
            assert!(
                input.may_be_gone || kept.contains_key(&number),
                "input {number} is lost: {steps}\n{}",
                whole_log(&service)
            );
        }
        let results: BTreeSet<_> = service.files("outbox").into_iter().collect();
        // A later success removes an older report.
        let reports =
            aside.iter().filter(|(origin, (id, _))| last.get(*origin).is_none_or(|(later, _)| later < id));
        let reports = reports.map(|(origin, _)| output_of(origin, "erro"));
        let mut expected: BTreeSet<_> =
            last.keys().map(|origin| output_of(origin, "saida")).chain(reports).collect();
        // A file that was set aside may have been answered by a process that was killed before it moved the input.
        for (number, input) in
            self.inputs.iter().enumerate().filter(|(_, input)| !last.contains_key(&input.origin))
        {
            let result = output_of(&input.origin, "saida");
            let answered = fs::read_to_string(service.at("outbox").join(&result));
            if aside.values().any(|(_, aside)| *aside == number)
                && answered.is_ok_and(|text| text == input.answer)
            {
                expected.insert(result);
            }
        }
        assert_eq!(results, expected, "{steps}");
        for (origin, (_, number)) in &last {
            let result = fs::read_to_string(service.at("outbox").join(output_of(origin, "saida"))).unwrap();
            assert_eq!(result, self.inputs[*number].answer, "{}: {steps}", origin.display());
        }
        let place = service.stop();
        let staging = fs::read_dir(place.at("outbox")).unwrap().flatten();
        for folder in staging.filter(|entry| entry.file_name().to_str().unwrap().starts_with(".tabuleiro-")) {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "temporaries are left: {steps}");
        }
    }
}

/// Returns the log of all processes of a sequence.
fn whole_log(service: &Service) -> String {
    let files = service.files("var/log");
    files.iter().map(|name| fs::read_to_string(service.at("var/log").join(name)).unwrap()).collect()
}

/// Removes a folder. Repeats, because the service may put something back in the meantime.
fn remove_all(folder: &Path) {
    wait_for("a folder to go", || {
        let _ = fs::remove_dir_all(folder);
        (!folder.exists()).then_some(())
    });
}

/// Moves the content of a folder into another one.
fn merge(from: &Path, to: &Path) {
    if from.is_dir() && to.is_dir() {
        for entry in fs::read_dir(from).unwrap().flatten() {
            merge(&entry.path(), &to.join(entry.file_name()));
        }
    } else if !to.exists() {
        // An existing file is newer. The service may have claimed the other one.
        let _ = fs::rename(from, to);
    }
}

/// Splits `a/entrada.20261121T121744.123456Z.txt` into `a/entrada.txt` and the ID of the job that answered it.
fn origin_and_id(kept: &str) -> (PathBuf, String) {
    let stem = kept.strip_suffix(".txt").unwrap();
    let (stem, id) = stem.split_at(stem.len() - "20261121T121744.123456Z".len());
    (PathBuf::from(format!("{}.txt", stem.strip_suffix('.').unwrap())), id.to_owned())
}

fn output_of(origin: &Path, kind: &str) -> String {
    origin.to_str().unwrap().replace("entrada", kind)
}
