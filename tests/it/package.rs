//! Tests the Debian package: its parts exist, and its scripts remove nobody's files.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tabuleiro::config::SHIPPED;
use tempfile::TempDir;

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/debian");

#[test]
fn everything_that_is_packaged_is_there_or_made() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest: toml::Table = fs::read_to_string(root.join("Cargo.toml")).unwrap().parse().unwrap();
    let package = &manifest["package"]["metadata"]["deb"];
    let maker = fs::read_to_string(root.join("packaging/deb")).unwrap();
    let assets = package["assets"].as_array().unwrap();
    let field = |asset: &toml::Value, index: usize| asset[index].as_str().unwrap().to_owned();
    for source in assets.iter().map(|asset| field(asset, 0)) {
        let made = source.strip_prefix("target/package/").map(|name| name.split(['/', '.']).next().unwrap());
        match made {
            Some(name) => {
                assert!(maker.contains(&format!("$made/{name}")), "packaging/deb makes no {source}");
            }
            None if source == "target/release/tabuleiro" => {}
            None => assert!(exists(&root.join(&source)), "{source}"),
        }
    }
    let targets: Vec<_> = assets.iter().map(|asset| format!("/{}", field(asset, 1))).collect();
    for file in package["conf-files"].as_array().unwrap() {
        assert!(targets.contains(&file.as_str().unwrap().to_owned()), "{file}");
    }
    // cargo-deb finds them by name.
    assert!(root.join("systemd/tabuleiro.sysusers").exists());
    for unit in package["systemd-units"].as_array().unwrap() {
        let name = unit["unit-name"].as_str().unwrap();
        assert!(root.join(format!("systemd/{name}.service")).exists(), "{name}");
        // Only an administrator makes a machine a worker.
        let is_service = name == "tabuleiro";
        for key in ["enable", "start"] {
            assert_eq!(unit[key].as_bool(), Some(is_service), "{name}: {key}");
        }
    }
}

/// The package has a separate package of debug symbols, and its program is stripped. lintian checks the outcome.
#[test]
fn the_packaged_program_is_stripped() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest: toml::Table = fs::read_to_string(root.join("Cargo.toml")).unwrap().parse().unwrap();
    assert_eq!(manifest["package"]["metadata"]["deb"]["dbgsym"].as_bool(), Some(true));
    assert_eq!(manifest["profile"]["release"]["debug"].as_str(), Some("line-tables-only"));
    let maker = fs::read_to_string(root.join("packaging/deb")).unwrap();
    assert!(!maker.contains("--no-strip") && !maker.contains("--no-dbgsym"));
}

/// Below /etc, `..` does not lead to the service's folders.
#[test]
fn the_packaged_configuration_has_its_base_in_the_service_s_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let maker = fs::read_to_string(root.join("packaging/deb")).unwrap();
    assert!(maker.contains(r#"s|^base = .*|base = "/srv/tabuleiro"|"#));
    assert_eq!(SHIPPED.lines().filter(|line| line.starts_with("base = ")).count(), 1);
}

/// Returns whether a file exists; after a `*`, whether a file with this ending exists.
fn exists(source: &Path) -> bool {
    let name = source.file_name().unwrap().to_str().unwrap();
    let Some(end) = name.strip_prefix('*') else { return source.exists() };
    let mut entries = fs::read_dir(source.parent().unwrap()).unwrap();
    entries.any(|entry| entry.unwrap().file_name().to_str().unwrap().ends_with(end))
}

/// The files that the units and the page tell people to write are the files that the units look for.
#[test]
fn the_units_find_the_keys_that_the_page_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/scaling.md")).unwrap();
    for (file, key) in [("tabuleiro-worker.service", "worker.nk"), ("remote.conf", "intake.nk")] {
        let unit = fs::read_to_string(root.join("systemd").join(file)).unwrap();
        for name in [key, "ca.crt"] {
            assert!(
                unit.contains(&format!(
                    "\nLoadCredential={name}:/etc/tabuleiro/{name}\nSetCredential={name}:"
                ))
            );
            assert!(page.contains(&format!("= \"{name}\"")), "{name}");
        }
    }
}

/// Runs the script that dpkg runs after the package's own files are gone.
fn removed(root: &TempDir, how: &str) -> Output {
    let script = format!("{SCRIPTS}/postrm");
    let output = Command::new("sh").args([&script, how]).env("DPKG_ROOT", root.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

#[test]
fn purging_keeps_results_and_says_where_they_are() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("srv/tabuleiro");
    for sub in ["inbox", "outbox", "var/done"] {
        fs::create_dir_all(folder.join(sub)).unwrap();
    }
    fs::write(folder.join("outbox/saida.txt"), "1\n").unwrap();
    fs::write(folder.join("var/done/entrada.txt"), "x").unwrap();
    for how in ["remove", "upgrade"] {
        let output = removed(&root, how);
        assert!(output.stderr.is_empty(), "{output:?}");
        assert!(folder.join("inbox").is_dir(), "{how}");
    }
    let told = String::from_utf8(removed(&root, "purge").stderr).unwrap();
    let expected = format!("{} is kept; files in it: 2 ", folder.display());
    assert!(told.contains(&expected), "no {expected:?} in {told}");
    assert_eq!(fs::read_to_string(folder.join("outbox/saida.txt")).unwrap(), "1\n");
    assert!(folder.join("var/done/entrada.txt").exists());
}

#[test]
fn purging_removes_folders_that_hold_nothing() {
    let root = tempfile::tempdir().unwrap();
    for sub in ["inbox", "outbox", "var"] {
        fs::create_dir_all(root.path().join("srv/tabuleiro").join(sub)).unwrap();
    }
    assert!(removed(&root, "purge").stderr.is_empty());
    assert!(root.path().join("srv").is_dir() && !root.path().join("srv/tabuleiro").exists());
}
