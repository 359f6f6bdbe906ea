//! Checks the configuration: any text gives errors with places, or a configuration that can be printed and read again.

use std::path::Path;

use tabuleiro::config::Config;
use tabuleiro_puzzles::solver::SOLVERS;

/// Reads a configuration, prints it and reads it again.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Config::parse(text, "f.toml", SOLVERS) {
        Ok(config) => {
            let effective = config.effective();
            let again = Config::parse(&effective, "effective", SOLVERS);
            let again = again.unwrap_or_else(|error| panic!("{error}\nin\n{effective}"));
            assert!(again == config, "another configuration:\n{effective}");
            for path in ["entrada.txt", "pulo/x.txt", "a/b/c", "\u{e9}.TXT", ""] {
                assert_eq!(
                    config.route(Path::new(path)).map(|route| route.name.clone()),
                    again.route(Path::new(path)).map(|route| route.name.clone())
                );
            }
        }
        Err(error) => {
            let error = error.to_string();
            assert!(error.contains("f.toml"), "{error}");
            assert!(!error.contains(|c: char| c.is_control() && c != '\n'), "{error:?}");
        }
    }
}
