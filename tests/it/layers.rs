//! The layers of `src`: ARCHITECTURE.md names them, the imports keep to them, and no files import each other in a circle.
//!
//! An import is a path that begins with `crate`, `super`, `self` or the name of a module beside it, in a `use` or anywhere else.
//! It counts for the file that defines what is named: a re-export is followed. `mod` lines and what only tests
//! see count for nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::Visit;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Lines of a file, its tests included unless they stand in a file of their own.
const LINES_MAX: usize = 400;
/// Files and folders of a folder, tests not counted.
const ENTRIES_MAX: usize = 12;
/// Has a file for every subcommand.
const MANY_ENTRIES: &str = "src/cli";

/// A module: `daemon`, `fs`, `tree`; the crate itself is the empty path.
type Module = Vec<String>;

/// What a file says: which names it gives on, and which paths it uses.
#[derive(Default)]
struct Said {
    file: String,
    module: Module,
    /// By the name under which they are given on.
    given_on: BTreeMap<String, Vec<String>>,
    /// Absolute paths, not yet resolved.
    used: BTreeSet<Vec<String>>,
    /// How many modules inside the file the visitor is in.
    depth: usize,
}

impl Said {
    fn note(&mut self, path: &[String]) {
        if let Some(path) = self.absolute(path) {
            self.used.insert(path);
        }
    }

    /// From the crate on; `None` for another crate's.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([&self.module, &path[1..]].concat()),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                // `super` inside a module of the file leads to the file.
                let up = self.module.len().checked_sub(ups.checked_sub(self.depth)?)?;
                Some([&self.module[..up], &path[ups..]].concat())
            }
            // A module beside this file's items; another crate is found not to be one later.
            _ => Some([&self.module, path].concat()),
        }
    }

    fn note_tree(&mut self, before: &[String], tree: &syn::UseTree, is_public: bool) {
        let with = |name: String| [before, &[name]].concat();
        match tree {
            syn::UseTree::Path(path) => self.note_tree(&with(path.ident.to_string()), &path.tree, is_public),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.note_tree(before, tree, is_public));
            }
            syn::UseTree::Glob(_) => self.note(before),
            syn::UseTree::Name(name) if name.ident == "self" => self.note(before),
            syn::UseTree::Name(name) => {
                self.note_name(&with(name.ident.to_string()), name.ident.to_string(), is_public);
            }
            syn::UseTree::Rename(name) => {
                self.note_name(&with(name.ident.to_string()), name.rename.to_string(), is_public);
            }
        }
    }

    fn note_name(&mut self, path: &[String], name: String, is_public: bool) {
        if is_public && let Some(path) = self.absolute(path) {
            self.given_on.insert(name, path);
        } else {
            self.note(path);
        }
    }
}

impl<'ast> Visit<'ast> for Said {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !attributes(item).iter().any(is_for_tests) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.depth += 1;
        syn::visit::visit_item_mod(self, module);
        self.depth -= 1;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.note_tree(&[], &item.tree, !matches!(item.vis, syn::Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<_> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if parts.len() > 1 {
            self.note(&parts);
        }
        syn::visit::visit_path(self, path);
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
}

/// The files below `folder`, without those that only tests see.
fn sources(folder: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            sources(&path, found);
        } else if entry.path().extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn is_test_file(path: &str) -> bool {
    path.ends_with("_tests.rs") || path.ends_with("/tests.rs")
}

fn module_of(path: &str) -> Module {
    let below = path.strip_prefix("src/").unwrap().strip_suffix(".rs").unwrap();
    let mut module: Module = below.split('/').map(str::to_owned).collect();
    if matches!(module.last().unwrap().as_str(), "mod" | "lib") {
        module.pop();
    }
    module
}

/// The modules that `mod` lines with `#[cfg(test)]` name.
fn test_modules(module: &Module, file: &syn::File) -> Vec<Module> {
    let named = file.items.iter().filter_map(|item| match item {
        syn::Item::Mod(inner) if inner.content.is_none() && inner.attrs.iter().any(is_for_tests) => {
            Some([&module[..], &[inner.ident.to_string()]].concat())
        }
        _ => None,
    });
    named.collect()
}

/// What every file that is not for tests says.
fn read() -> BTreeMap<Module, Said> {
    let mut paths = Vec::new();
    sources("src", &mut paths);
    paths.retain(|path| !is_test_file(path) && path != "src/main.rs");
    let parsed: Vec<_> = paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(Path::new(ROOT).join(&path)).unwrap();
            (module_of(&path), syn::parse_file(&text).unwrap_or_else(|error| panic!("{path}: {error}")), path)
        })
        .collect();
    let for_tests: Vec<_> = parsed.iter().flat_map(|(module, file, _)| test_modules(module, file)).collect();
    let mut said = BTreeMap::new();
    for (module, file, path) in parsed {
        if for_tests.iter().any(|tests| module.starts_with(tests)) {
            continue;
        }
        let mut says = Said { file: path, module: module.clone(), ..Said::default() };
        says.visit_file(&file);
        said.insert(module, says);
    }
    said
}

/// The module whose file defines what an absolute path names; `None` for another crate's.
fn defined_in(path: &[String], said: &BTreeMap<Module, Said>) -> Option<Module> {
    let mut path = path.to_vec();
    // Re-exports of re-exports end.
    for _ in 0..8 {
        let depth = (0..=path.len()).rev().find(|depth| said.contains_key(&path[..*depth]))?;
        let (module, rest) = path.split_at(depth);
        match rest.first().and_then(|name| said[module].given_on.get(name)) {
            Some(target) => path = [target, &rest[1..]].concat(),
            // Nothing is defined in the crate's own file, so this is another crate's name.
            None if module.is_empty() => return None,
            None => return Some(module.to_vec()),
        }
    }
    None
}

/// The files that each file imports from.
fn imports(said: &BTreeMap<Module, Said>) -> BTreeMap<&Module, BTreeSet<Module>> {
    let of = |says: &Said| {
        let found = says.used.iter().filter_map(|path| {
            let module = defined_in(path, said)?;
            // `tree::Tree` where there is no module `tree` beside: a path that leads back to this file.
            (module != says.module).then_some(module)
        });
        found.collect()
    };
    said.iter().map(|(module, says)| (module, of(says))).collect()
}

/// The rooms of the table in ARCHITECTURE.md, from the lowest layer up.
fn layers() -> Vec<String> {
    let text = fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).unwrap();
    let (_, table) = text.split_once("## Layers").expect("ARCHITECTURE.md has a part on the layers");
    let rows =
        table.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let room = |row: &str| row.split('`').nth(1).map(str::to_owned);
    rows.skip(2).map(|row| room(row).unwrap_or_else(|| panic!("no room in {row}"))).collect()
}

/// The layer of a file: the row with the longest path that it begins with.
fn layer(file: &str, layers: &[String]) -> Option<usize> {
    let matching = layers.iter().enumerate().filter(|(_, room)| {
        if room.ends_with('/') { file.starts_with(room.as_str()) } else { file == room.as_str() }
    });
    matching.max_by_key(|(_, room)| room.len()).map(|(index, _)| index)
}

#[test]
fn imports_lead_down_the_layers() {
    let said = read();
    let layers = layers();
    let mut wrong = Vec::new();
    for (module, imported) in imports(&said) {
        let file = &said[module].file;
        let Some(here) = layer(file, &layers) else {
            wrong.push(format!("{file} belongs to no row of the table in ARCHITECTURE.md"));
            continue;
        };
        for target in imported {
            let from = &said[&target].file;
            if layer(from, &layers).is_none_or(|there| there > here) {
                wrong.push(format!("{file} imports from {from}, which stands above it"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(said.len() > 100, "only {} files were read", said.len());
}

#[test]
fn solvers_know_nothing_of_each_other() {
    let said = read();
    let solver = |module: &Module| {
        (module.len() > 1
            && module[0] == "solver"
            && Path::new(ROOT).join("src/solver").join(&module[1]).join("info").is_dir())
        .then(|| module[1].clone())
    };
    for (module, imported) in imports(&said) {
        for target in imported {
            if let (Some(here), Some(there)) = (solver(module), solver(&target)) {
                assert_eq!(here, there, "{} imports from {}", said[module].file, said[&target].file);
            }
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let said = read();
    let imports = imports(&said);
    let mut circles = Vec::new();
    for module in said.keys() {
        let mut reached = BTreeSet::new();
        let mut next = vec![module];
        while let Some(at) = next.pop() {
            next.extend(imports[at].iter().filter(|target| reached.insert(*target)));
        }
        if reached.contains(module) {
            // The next steps of its circles: those from which it is reached again.
            let back = |target: &&Module| {
                let (mut seen, mut next) = (BTreeSet::new(), vec![*target]);
                while let Some(at) = next.pop() {
                    next.extend(imports[at].iter().filter(|target| seen.insert(*target)));
                }
                seen.contains(module)
            };
            let steps: Vec<_> =
                imports[module].iter().filter(back).map(|target| said[target].file.as_str()).collect();
            circles.push(format!("{} imports {}", said[module].file, steps.join(", ")));
        }
    }
    assert!(circles.is_empty(), "\n{}", circles.join("\n"));
}

#[test]
fn files_and_folders_are_small_enough_to_know() {
    let mut paths = Vec::new();
    sources("src", &mut paths);
    let mut entries: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
        let lines = text.lines().count();
        if lines > LINES_MAX && !is_test_file(path) {
            wrong.push(format!("{path} has {lines} lines, at most {LINES_MAX} are wanted"));
        }
        if !text.starts_with("//!") && path != "src/main.rs" {
            wrong.push(format!("{path} does not begin by saying what it is for"));
        }
        if is_test_file(path) {
            continue;
        }
        let mut rest = path.as_str();
        while let Some((folder, name)) = rest.rsplit_once('/') {
            // A solver is one folder more, whatever else there is.
            if folder == "src/solver" && Path::new(ROOT).join(rest).join("info").is_dir() {
                rest = folder;
                continue;
            }
            // The crate's own two files have to stand where Cargo looks for them; its rooms are counted.
            if folder != "src" || !["lib.rs", "main.rs"].contains(&name) {
                entries.entry(folder).or_default().insert(name);
            }
            rest = folder;
        }
    }
    for (folder, names) in entries {
        if names.len() > ENTRIES_MAX && folder != MANY_ENTRIES {
            wrong.push(format!("{folder} has {} entries, at most {ENTRIES_MAX} are wanted", names.len()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Every `mod.rs` says a line about each of its modules, so that a reader finds the way without opening them. A plain
/// comment: documentation there would change what the links of the module's own documentation mean.
#[test]
fn every_module_is_introduced_where_it_is_declared() {
    let mut paths = Vec::new();
    sources("src", &mut paths);
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in paths.iter().filter(|path| path.ends_with("/mod.rs") || *path == "src/lib.rs") {
        let text = fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
        let lines: Vec<_> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let declares = line.ends_with(';') && line.split(' ').any(|word| word == "mod");
            if !declares || line.starts_with("//") {
                continue;
            }
            seen += 1;
            let above: Vec<_> = lines[..index].iter().rev().collect();
            let attributes = above.iter().take_while(|line| line.starts_with("#[")).count();
            let is_for_tests = above[..attributes].contains(&&"#[cfg(test)]");
            if !is_for_tests && !above.get(attributes).is_some_and(|line| line.starts_with("// ")) {
                wrong.push(format!("{path} says nothing about: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(seen > 150, "{seen}");
}
