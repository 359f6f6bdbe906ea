//! Finds the configuration: the named file, else the first of the usual places that has one, else the shipped one.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The configuration that the binary carries: every key with its meaning, default and range.
pub const SHIPPED: &str = include_str!("../../config/tabuleiro.toml");
/// The name of [`SHIPPED`] in errors.
pub const SHIPPED_ORIGIN: &str = "the shipped configuration";
/// The path of a checkout's configuration, below the current directory.
pub const WORKING_PATH: &str = "config/tabuleiro.toml";
/// The path of a user's configuration, below the user's folder of configurations ([`user_path`]).
pub const USER_PATH: &str = "tabuleiro/tabuleiro.toml";
/// The path of a machine's configuration.
pub const SYSTEM_PATH: &str = "/etc/tabuleiro/tabuleiro.toml";
/// The largest configuration that is read, in bytes.
pub const TEXT_BYTES_MAX: u64 = 1 << 20;

/// A configuration's text and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The text, not yet checked.
    pub text: String,
    /// The file; `None` for the shipped configuration.
    pub path: Option<PathBuf>,
}

impl Located {
    /// Returns the name for logs and errors: the path, or that it is the shipped configuration.
    pub fn origin(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => SHIPPED_ORIGIN.to_owned(),
        }
    }
}

/// A configuration file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the configuration {}: {source}", path.display())]
pub struct LocateError {
    /// The file.
    pub path: PathBuf,
    /// The reason, including that the file is too large or not text.
    pub source: io::Error,
}

/// Returns the path of the user's configuration: [`USER_PATH`] below `$XDG_CONFIG_HOME`, which defaults to `~/.config`.
/// A relative path is ignored, as the XDG Base Directory Specification 0.8 demands. `None` if there is no home folder.
pub fn user_path() -> Option<PathBuf> {
    user_path_of(env::var_os("XDG_CONFIG_HOME"), env::var_os("HOME"))
}

fn user_path_of(config_home: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |folder: OsString| Some(PathBuf::from(folder)).filter(|folder| folder.is_absolute());
    let folder = config_home.and_then(absolute).or_else(|| Some(home.and_then(absolute)?.join(".config")))?;
    Some(folder.join(USER_PATH))
}

/// Reads the configuration: the file from the command line, else [`WORKING_PATH`] below `cwd`, else `user` (from
/// [`user_path`]), else `system` ([`SYSTEM_PATH`]), else the shipped one. Relative paths are relative to `cwd`.
///
/// # Errors
/// Fails if the named file does not exist, or if a file exists but cannot be read: such a file is never skipped.
pub fn locate(
    cli_path: Option<&Path>,
    cwd: &Path,
    user: Option<&Path>,
    system: &Path,
) -> Result<Located, LocateError> {
    let read = |path: &Path| match read(&cwd.join(path)) {
        Ok(text) => Ok(Located { text, path: Some(path.to_owned()) }),
        Err(source) => Err(LocateError { path: cwd.join(path), source }),
    };
    if let Some(path) = cli_path {
        return read(path);
    }
    for path in [Some(Path::new(WORKING_PATH)), user, Some(system)].into_iter().flatten() {
        match read(path) {
            Err(error) if is_absent(&error.source) => {}
            found => return found,
        }
    }
    Ok(Located { text: SHIPPED.to_owned(), path: None })
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(TEXT_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > TEXT_BYTES_MAX {
        return Err(io::Error::other(format!("it is larger than {TEXT_BYTES_MAX} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..byte].split(|&byte| byte == b'\n').count();
        io::Error::other(format!("line {line} is not UTF-8, at byte {byte} of the file"))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_first_place_that_has_a_file_wins() {
        let folder = tempfile::tempdir().unwrap();
        let cwd = folder.path();
        let (user, system) = (cwd.join("user.toml"), cwd.join("system.toml"));
        let find = |cli: Option<&str>| locate(cli.map(Path::new), cwd, Some(&user), &system);
        assert_eq!(find(None).unwrap().path, None);
        assert_eq!(find(None).unwrap().text, SHIPPED);
        assert_eq!(find(None).unwrap().origin(), "the shipped configuration");
        fs::write(&system, "# system").unwrap();
        assert_eq!(find(None).unwrap().text, "# system");
        fs::write(&user, "# user").unwrap();
        assert_eq!(find(None).unwrap().text, "# user");
        assert_eq!(locate(None, cwd, None, &system).unwrap().text, "# system");
        fs::create_dir(cwd.join("config")).unwrap();
        fs::write(cwd.join(WORKING_PATH), "# working").unwrap();
        let found = find(None).unwrap();
        assert_eq!((found.text.as_str(), found.origin().as_str()), ("# working", WORKING_PATH));
        fs::write(cwd.join("mine.toml"), "# mine").unwrap();
        assert_eq!(find(Some("mine.toml")).unwrap().text, "# mine");
        let error = find(Some("other.toml")).unwrap_err();
        assert_eq!((error.source.kind(), error.path), (io::ErrorKind::NotFound, cwd.join("other.toml")));
    }

    #[test]
    fn a_file_that_is_there_is_never_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let cwd = folder.path();
        fs::create_dir_all(cwd.join(WORKING_PATH)).unwrap();
        let error = locate(None, cwd, None, Path::new(SYSTEM_PATH)).unwrap_err();
        assert_eq!(error.source.kind(), io::ErrorKind::IsADirectory, "{error}");
        fs::write(cwd.join("large.toml"), vec![b'#'; TEXT_BYTES_MAX as usize + 1]).unwrap();
        fs::write(cwd.join("full.toml"), vec![b'#'; TEXT_BYTES_MAX as usize]).unwrap();
        fs::write(cwd.join("binary.toml"), b"#\n# \xff").unwrap();
        let find = |name: &str| locate(Some(Path::new(name)), cwd, None, Path::new(SYSTEM_PATH));
        let error = find("large.toml").unwrap_err().to_string();
        assert!(error.ends_with("/large.toml: it is larger than 1048576 bytes"), "{error}");
        assert!(find("full.toml").is_ok());
        let error = find("binary.toml").unwrap_err().to_string();
        assert!(error.ends_with("/binary.toml: line 2 is not UTF-8, at byte 4 of the file"), "{error}");
    }

    #[test]
    fn a_person_s_folder_is_that_of_the_xdg_specification() {
        let find = |config_home: Option<&str>, home: Option<&str>| {
            user_path_of(config_home.map(OsString::from), home.map(OsString::from))
        };
        let path = |path: &str| Some(PathBuf::from(path));
        assert_eq!(find(Some("/x"), Some("/home/ana")), path("/x/tabuleiro/tabuleiro.toml"));
        let default = path("/home/ana/.config/tabuleiro/tabuleiro.toml");
        assert_eq!(find(None, Some("/home/ana")), default);
        assert_eq!(find(Some(""), Some("/home/ana")), default);
        assert_eq!(find(Some("relative"), Some("/home/ana")), default);
        assert_eq!(find(Some("/x"), None), path("/x/tabuleiro/tabuleiro.toml"));
        assert_eq!(find(None, None), None);
        assert_eq!(find(None, Some("")), None);
        assert_eq!(find(None, Some("ana")), None);
    }
}
