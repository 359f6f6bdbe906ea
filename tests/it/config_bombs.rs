//! Configurations made to exhaust the parser are rejected in bounded time and memory, with a clear error.

use std::fs;

use crate::harness::run_bounded;

const MEMORY_BYTES: u64 = 400 << 20;

/// Returns the exit code and output of `check-config` for a configuration.
fn judged(text: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bomb.toml"), text).unwrap();
    judged_at(folder.path(), "bomb.toml")
}

fn judged_at(folder: &std::path::Path, path: &str) -> (Option<i32>, String) {
    let output = run_bounded(folder, MEMORY_BYTES, &["check-config", "--config", path], |_| Ok(()));
    (output.status.code(), String::from_utf8([output.stderr, output.stdout].concat()).unwrap())
}

fn refused(text: &str, words: &str) {
    let (code, message) = judged(text);
    let head: String = text.chars().take(40).collect();
    let shown: String = message.chars().take(2000).collect();
    assert_eq!(code, Some(78), "{head}…: {shown}");
    assert!(message.contains(words), "{head}…: {shown}");
    assert!(message.len() < 100_000, "{head}…: {} bytes", message.len());
}

/// Repeats `part` to about the maximum length of a configuration.
fn full(part: &str) -> String {
    part.repeat(((1 << 20) - 2000) / part.len())
}

#[test]
fn nested_tables_and_arrays_are_refused() {
    refused(&format!("a = {}", full("[")), "bomb.toml:1:");
    refused(&format!("a = {}", full("{a=")), "bomb.toml:1:");
    refused(&format!("a = {}1{}", "[".repeat(400_000), "]".repeat(400_000)), "bomb.toml:1:");
    refused(&format!("{}a = 1", full("a.")), "bomb.toml:1:");
    refused(&format!("[{}a]", full("a.")), "bomb.toml:1:");
    refused(&format!("[[{}a]]", full("a.")), "bomb.toml:1:");
    refused(&format!("[intake]\nignore = {}", full("[[")), "bomb.toml:2:");
}

#[test]
fn huge_keys_strings_and_numbers_are_refused_and_quoted_in_part() {
    refused(&format!("{} = 1", full("k")), "unknown key 'kkk");
    refused(&format!("[log]\nlevel = \"{}\"", full("x")), "[log] level");
    refused(&format!("[intake]\nclaims_max = {}", full("9")), "[intake] claims_max");
    refused(&format!("[intake]\nquiet_period = \"{}s\"", full("9")), "[intake] quiet_period");
    refused(&format!("[intake]\nsize_limit = \"{}GiB\"", full("9")), "[intake] size_limit");
    refused(&format!("[folders]\ninbox = \"{}\"", full("../")), "[folders] inbox");
    refused(&format!("[results]\ngroup = \"{}\"", full("g")), "[results] group");
}

#[test]
fn floods_of_keys_sections_and_faults_are_cut_short() {
    let keys: String = (0..100_000).map(|number| format!("k{number} = 1\n")).collect();
    refused(keys[..(1 << 20) - 2000].rsplit_once('\n').unwrap().0, "bomb.toml: and ");
    refused(&full("[[route]]\n"), "bomb.toml: and ");
    refused(&full("[[route]]\nfiles=[]\n"), "bomb.toml: and ");
}

#[test]
fn floods_of_syntax_errors_are_cut_short() {
    refused(&full("x\n"), "no valid TOML");
    refused(&full("\"\n"), "no valid TOML");
    refused(&full("[a]\n"), "bomb.toml:2:");
}

#[test]
fn globs_made_to_explode_are_matched_in_bounded_time_or_refused() {
    let route = |glob: &str| {
        format!("[[route]]\nname = \"a\"\nfiles = [\"{glob}\"]\nsolver = \"checkers-capture\"\n")
    };
    refused(&route(&"{".repeat(1000)), "glob '{{{");
    refused(&route(&format!("{}a{}", "{".repeat(500), "}".repeat(500))), "glob");
    refused(&route(&"a".repeat(1025)), "1025 bytes, expected at most 1024");
    refused(&route("[z-a]"), "glob '[z-a]'");
    let globs = format!("\"{}\", ", "*a".repeat(10)).repeat(101);
    refused(
        &format!("[[route]]\nname = \"a\"\nfiles = [{globs}]\nsolver = \"checkers-capture\"\n"),
        "at most 100",
    );
    for glob in ["**/".repeat(300) + "x", "*a".repeat(500) + "b", "{a,b}".repeat(200), "{a*,*b}".repeat(140)]
    {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("bomb.toml"), route(&glob)).unwrap();
        fs::create_dir_all(folder.path().join("x")).unwrap();
        // The worst case for a backtracking matcher: almost everything fits, except the end.
        let name = format!("x/{}c", "a".repeat(250));
        fs::write(folder.path().join(&name), "3 3\n2 1 2 0 1\n").unwrap();
        let output =
            run_bounded(folder.path(), MEMORY_BYTES, &["check", "--config", "bomb.toml", &name], |_| Ok(()));
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(64), "{glob}: {text}");
        assert!(text.contains("no route takes it"), "{glob}: {text}");
    }
}

#[test]
fn a_thousand_routes_of_a_hundred_globs_are_read_in_bounded_memory() {
    let globs = vec!["\"**/{a,b}*[!c]?\""; 40].join(",");
    let routes: String = (0..1000)
        .map(|number| format!("[[route]]\nname = \"r{number}\"\nfiles = [{globs}]\nsolver = \"jump-game\"\n"))
        .take(1_040_000 / (globs.len() + 60))
        .collect();
    let (code, message) = judged(&routes);
    assert_eq!(code, Some(0), "{}", &message[..message.len().min(2000)]);
}

#[test]
fn a_configuration_without_end_or_that_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (code, message) = judged_at(folder.path(), "/dev/zero");
    assert_eq!(code, Some(78), "{message}");
    assert!(message.contains("larger than 1048576 bytes"), "{message}");
    let large = fs::File::create(folder.path().join("large.toml")).unwrap();
    large.set_len(100 << 20).unwrap();
    let (code, message) = judged_at(folder.path(), "large.toml");
    assert_eq!(code, Some(78), "{message}");
    assert!(message.contains("larger than 1048576 bytes"), "{message}");
    let (code, message) = judged_at(folder.path(), ".");
    assert_eq!(code, Some(78), "{message}");
    fs::write(
        folder.path().join("wide.toml"),
        "\u{feff}".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
    )
    .unwrap();
    let (code, message) = judged_at(folder.path(), "wide.toml");
    assert_eq!(code, Some(78), "{message}");
    assert!(message.contains("not UTF-8"), "{message}");
}
