//! Tests messages about mistakes: in the user's language, once, with help and with the right line.

use std::collections::BTreeSet;

use serde_json::Value;
use tabuleiro_jobs::RuleExample;
use tabuleiro_puzzles::words::Language;

use super::{BOARD_1, Desk};
use crate::harness::tabuleiro;

const WRONG: &str = "3 3\n2 1 7 0 1\n3 3\n2,1,2,0,1\n0 0\n";

#[test]
fn a_message_has_its_lines_help_and_a_count() {
    let desk = Desk::new().file("entrada.txt", WRONG);
    let expected = "\
entrada.txt:2:5: invalid board 1: found 7, expected 0, 1 or 2 (row 2, number 1)
  [square-value]
1 | 3 3
2 | 2 1 7 0 1
  |     ^
entrada.txt:4:2: invalid board 2: found a comma in '2,1,2,0,1', expected numbers
  with spaces between them [character]
3 | 3 3
4 | 2,1,2,0,1
  |  ^^^^^^^^
help: write spaces instead in line 4
4 | 2 1 2 0 1
entrada.txt: checkers-capture: 0 valid, 2 invalid
2 mistakes in 2 boards; 1 can be fixed automatically (check --fix)
";
    let ran = desk.run("check entrada.txt").exit(65);
    assert_eq!(ran.out, expected);
}

#[test]
fn mistakes_of_a_rule_are_shown_three_times_and_then_counted() {
    let desk = Desk::new().file("entrada.txt", "3 3\n2 1 7 0 1\n".repeat(10) + "0 0\n");
    let ran = desk.run("check entrada.txt").exit(65);
    assert_eq!(ran.out.matches("invalid board").count(), 3, "{}", ran.out);
    ran.out_says(&[
        "entrada.txt: and 7 boards more, in lines 8, 10, 12, … [square-value]",
        "10 mistakes in 10 boards\n",
    ]);
    // For a file without any puzzle, the message also appears only once.
    let ran = Desk::new().file("entrada.txt", "Dear teacher\n").run("check entrada.txt").exit(65);
    assert_eq!(ran.out.matches("the file has only words").count(), 1, "{}", ran.out);
}

#[test]
fn the_language_is_that_of_the_option_or_the_locale() {
    let desk = Desk::new().file("entrada.txt", WRONG);
    let portuguese = "tabuleiro 1 inválido";
    desk.run("--language pt check entrada.txt").exit(65).out_says(&[
        portuguese,
        "\najuda: ",
        "2 erros em 2 tabuleiros; 1 pode",
    ]);
    // The results as well, unless an option says otherwise.
    let result = desk.run("solve entrada.txt --language=pt").exit(65).err_says(&[portuguese]).out;
    assert!(result.starts_with("invalid board: aparece "), "{result}");
    let result = desk.run("solve --set language=en entrada.txt --language=pt").exit(65).out;
    assert!(result.starts_with("invalid board: found "), "{result}");
    desk.run("--language pt check nada.txt")
        .exit(66)
        .err_says(&["nada.txt: não foi possível abrir: esse arquivo"]);
    desk.run("--language pt solve --nada").exit(64).err_says(&["erro: argumento inesperado '--nada'"]);
    for (variables, expected) in [
        (&[("LANG", "pt_BR.UTF-8")][..], portuguese),
        (&[("LANG", "pt_BR.UTF-8"), ("LC_ALL", "C")], "invalid board 1"),
    ] {
        let mut command = tabuleiro();
        command.args(["check", "entrada.txt"]).current_dir(desk.at(""));
        let command = command.env_remove("LC_ALL").env_remove("LC_MESSAGES").envs(variables.iter().copied());
        let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert!(out.contains(expected), "{variables:?}: {out}");
    }
}

#[test]
fn fix_writes_a_copy_with_certain_changes_alone() {
    let desk = Desk::new().file("entrada.txt", WRONG);
    let ran = desk.run("check --fix entrada.txt").exit(65);
    ran.out_says(&[
        "entrada.fixed.txt: written, with the changes below; 1 mistake is left\n  4 - 2,1,2,0,1\n  4 + 2 1 2 0 1\n",
    ]);
    assert_eq!(desk.read("entrada.txt"), WRONG);
    assert_eq!(desk.read("entrada.fixed.txt"), WRONG.replace("2,1,2,0,1", "2 1 2 0 1"));
    let desk = Desk::new().file("entrada.txt", "3 3\n2 1 7 0 1\n0 0\n");
    desk.run("check --fix entrada.txt")
        .exit(65)
        .out_says(&["entrada.txt: nothing can be fixed automatically\n"]);
    assert_eq!(desk.names(), ["entrada.txt"]);
    desk.run("check --fix -").exit(64);
    // A byte order mark is not a column.
    let desk =
        Desk::new().file("a.dat", "\u{feff}1\n1 4 # doze\n2 2 0\n0 0 4\n0 0 0\n".replace("1 4", "3 4"));
    desk.run("check --fix --solver 2048-merge a.dat")
        .exit(65)
        .out_says(&["a.dat.fixed.txt: written, with the changes below"]);
    assert_eq!(desk.read("a.dat.fixed.txt"), "\u{feff}1\n3 4\n2 2 0\n0 0 4\n0 0 0\n");
    desk.run("check --solver 2048-merge a.dat.fixed.txt").exit(0);
}

#[test]
fn fix_reads_the_fixed_text_again() {
    let case = "3 5\n2 0 2\n4 0 8\n0 0 0\n";
    let desk = Desk::new().file("merge.txt", format!("2\nCaso 1:\n{case}Caso 2:\n{case}"));
    let ran = desk
        .run("check --fix merge.txt")
        .exit(65)
        .out_says(&["merge.txt: 2048-merge: 2 valid, 0 invalid\n1 mistake\n\
         merge.fixed.txt: written, with the changes below; no mistake is left\n  2 - Caso 1:\n  7 - Caso 2:\n"]);
    assert!(!ran.out.contains("invalid case"), "{}", ran.out);
    assert_eq!(desk.read("merge.fixed.txt"), format!("2\n{case}{case}"));
    // An inserted line is listed as such, and what is not read is counted.
    let desk = Desk::new().file("entrada.txt", "3 3\n2,1,2,0,1\n3 3\n2 1 2 0 1\n0 0\n5 5\n");
    desk.run("check --fix entrada.txt")
        .out_says(&["written, with the changes below; no mistake is left, 1 line\n  ignored\n"]);
    let desk = Desk::new().file("astar.txt", "2\n2 4\n8 0\n4 4\n8 0\n");
    desk.run("check --fix astar.txt").out_says(&["no mistake is left\n  4 + 2\n"]);
    Desk::new()
        .file("entrada.txt", BOARD_1)
        .run("check --fix entrada.txt")
        .exit(0)
        .out_says(&["there is no mistake to fix\n"]);
}

#[test]
fn a_result_names_a_bounded_number_of_titles_players_and_games() {
    let boards: String = (1..15).map(|number| format!("Tabuleiro {number}\n3 3\n2 1 2 0 1\n")).collect();
    let desk = Desk::new().file("entrada.txt", boards + "0 0\n");
    let result = desk.run("solve entrada.txt").exit(65).out;
    assert_eq!(result.matches("ignored: ").count(), 2, "{result}");
    let lines = "lines 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, … are not part of a puzzle either";
    assert!(result.ends_with(&format!("1\nignored: {lines}\n")), "{result}");
    // Twenty players in a game whose squares are counted from 1, and ten games that may be.
    let wrong = format!("2 3\n20\n1 0 2\n0 1 1\n{}", "2 3\n".repeat(20));
    let games = "2 3\n1\n1 0 2\n0 1 1\n1 1\n".repeat(10);
    let desk = Desk::new().file("pulo.txt", wrong + &games);
    let result = desk.run("solve pulo.txt --set compare_rules=false").exit(65).out;
    assert_eq!(result.matches("'1 2', ").count(), 16, "{result}");
    assert!(result.contains("'1 2', … [pulo.txt:"), "{result}");
    assert_eq!(result.matches("warning: the players from line").count(), 8, "{result}");
}

#[test]
fn fix_lists_a_bounded_number_of_lines() {
    let desk = Desk::new().file("astar.txt", "2\n2;4\n4;8\n".repeat(40));
    let ran = desk.run("check --fix astar.txt").exit(65);
    assert_eq!(ran.out.matches(" + ").count(), 30, "{}", ran.out);
    ran.out_says(&["no mistake is left\n  2 - 2;4\n  2 + 2 4\n", "\n  … and 100 more changed lines\n"]);
}

#[test]
fn fix_keeps_line_ends_directives_and_comments() {
    let desk = Desk::new().file("entrada.txt", "> 3 3\r\n> 2 1\r\n> 2\r\n> 0 1\r\n> 0 0\r\n");
    desk.run("check --fix entrada.txt").exit(65);
    assert_eq!(desk.read("entrada.fixed.txt"), "3 3\r\n2 1\r\n2\r\n0 1\r\n0 0\r\n");
    let desk = Desk::new().file("entrada.txt", "3 3\r2 1\r2\r0 1\r0 0\r");
    desk.run("check --fix entrada.txt").exit(65);
    assert_eq!(desk.read("entrada.fixed.txt"), "3 3\n2 1\n2\n0 1\n0 0\n");
    let desk = Desk::new()
        .file("entrada.txt", "#: witness = true\n# board of Monday\n```\n3 3\n2 1\n2\n0 1\n0 0\n```\n");
    desk.run("check --fix entrada.txt").exit(65);
    assert_eq!(
        desk.read("entrada.fixed.txt"),
        "#: witness = true\n# board of Monday\n3 3\n2 1\n2\n0 1\n0 0\n"
    );
}

#[test]
fn fix_corrects_two_mistakes_of_one_puzzle_together() {
    let desk = Desk::new().file("pulo.txt", "2 3\n2\n1 O 2\n0 1 1\n0 0\n0,1\n");
    desk.run("check --fix pulo.txt").exit(65).out_says(&[
        "help: write 0 instead\n3 | 1 0 2\n",
        "help: write spaces instead in line 6\n6 | 0 1\n",
        "2 mistakes in 1 game\n",
        "pulo.fixed.txt: written, with the changes below; no mistake is left\n",
    ]);
    assert_eq!(desk.read("pulo.fixed.txt"), "2 3\n2\n1 0 2\n0 1 1\n0 0\n0 1\n");
    // If only one of them can be corrected for certain, its message says how, and nothing is written.
    let desk = Desk::new().file("pulo.txt", "2 3\n2\n1 O 2\n0 1\n0 0\n0 1\n");
    desk.run("check --fix pulo.txt").exit(65).out_says(&[
        "help: write 0 instead\n3 | 1 0 2\n",
        "2 mistakes in 1 game\n",
        "pulo.txt: nothing can be fixed automatically\n",
    ]);
    assert_eq!(desk.names(), ["pulo.txt"]);
    // A line that moves is listed where it goes and where it comes.
    let desk = Desk::new().file("pulo.txt", "2 3\n1 0 2\n0 1 1\n2\n0 0\n0 1\n");
    desk.run("check --fix pulo.txt").out_says(&["no mistake is left\n  2 + 2\n  4 - 2\n"]);
}

#[test]
fn solve_reports_the_mistakes_beside_a_wrong_directive() {
    let board = "3 3\n2 1 7 0 1\n0 0\n";
    let desk = Desk::new().file("entrada.txt", format!("#: witnes = true\n{board}"));
    let ran = desk.run("solve entrada.txt").exit(65).out("");
    ran.err_says(&[
        "rejected: entrada.txt:1:4",
        "write\n  `#: witness = true`",
        "entrada.txt:3:5: invalid board 1: found 7",
    ]);
}

#[test]
fn solve_prints_no_answer_from_a_file_of_another_solver() {
    let checkers = "6 6\n1 0 0\n0 2 2\n2 0 0\n1 0 2\n2 0 0\n0 2 0\n5 5\n2 2 2\n2 0\n0 0 0\n1 0\n0 2 0\n\
        8 8\n0 0 1 2\n0 0 1 0\n2 0 2 0\n0 0 0 0\n2 2 0 0\n0 2 2 2\n0 0 2 2\n0 0 0 2\n0 0\n";
    let desk = Desk::new().file("jogo.txt", checkers);
    let ran = desk.run("solve --solver jump-game jogo.txt").exit(65).out("");
    ran.err_says(&["this looks like checkers-capture (3 boards can be read)"]);
}

#[test]
fn a_wrong_directive_hides_no_other_mistake_and_is_fixed() {
    let text = "#: witnes = sim;\n3 3\n2 1 2 O 1\n0 0\n";
    let desk = Desk::new().file("entrada.txt", text);
    desk.run("check --fix entrada.txt").exit(65).out_says(&[
        "entrada.txt:1:4: mistake: `#: witnes = sim;` is not understood; write\n  `#: witness = true`; \
            nothing in the file is answered until this is corrected\n  [directive]\n",
        "entrada.txt:3:7: invalid board 1: found the letter O, expected the digit 0",
        "entrada.fixed.txt: written, with the changes below; no mistake is left\n",
        "  1 - #: witnes = sim;\n  1 + #: witness = true\n",
    ]);
    assert_eq!(desk.read("entrada.fixed.txt"), "#: witness = true\n3 3\n2 1 2 0 1\n0 0\n");
    // Of directives that cannot be read, each hides those below it.
    let desk = Desk::new().file("entrada.txt", "#: witness\n#: idioma pt\n3 3\n2 1 2 0 1\n0 0\n");
    desk.run("check --fix entrada.txt").exit(65).out_says(&[
        "entrada.txt:1:11: mistake: `#: witness` is not understood",
        "entrada.txt:2:11: mistake: `#: idioma pt` is not understood",
        "2 mistakes\n",
        "entrada.fixed.txt: written, with the changes below; no mistake is left\n",
    ]);
    // A directive that nothing resembles is left, and so is the mistake of a file that nobody can fix.
    let desk = Desk::new().file("entrada.txt", "#: foo = 1\n3 3\n2 1 2 O 1\n0 0\n");
    desk.run("check --fix entrada.txt").exit(65).out_says(&[
        "unknown directive 'foo'",
        "entrada.fixed.txt: written, with the changes below; 1 mistake is left\n  3 - 2 1 2 O 1\n",
    ]);
    let desk = Desk::new().file("entrada.txt", "#: foo = 1\n3 3\n2 1 2 0 1\n0 0\n");
    desk.run("check --fix entrada.txt").exit(65).out_says(&[
        "entrada.txt: checkers-capture: 1 valid, 0 invalid\n",
        "entrada.txt: nothing can be fixed automatically\n",
    ]);
    assert_eq!(desk.names(), ["entrada.txt"]);
}

#[test]
fn an_exact_message_stands_without_an_example_of_the_format() {
    let desk = Desk::new().file("merge.txt", "1\n3 -5\n2 0 2\n4 0 8\n0 0 0\n");
    let says = "found a minus sign (-) in '-5', expected a number without a sign";
    let ran = desk.run("check merge.txt").exit(65).out_says(&[says, "\n1 mistake in 1 case\n"]);
    assert!(!ran.out.contains("no puzzle"), "{}", ran.out);
    let ran = desk.run("solve merge.txt").exit(65).err_says(&[&format!("rejected: merge.txt:2:3: {says}\n")]);
    assert!(!ran.err.contains("no puzzle") && !ran.err.contains("looks like this"), "{}", ran.err);
}

#[test]
fn without_an_input_the_command_says_so() {
    let desk = Desk::new().file("merge.txt", BOARD_1).file("other.txt", BOARD_1).file("saida.txt", "");
    desk.run_with("solve", "").exit(65).out("").err_says(&["tabuleiro: no input was given: name a file\n"]);
    desk.run_with("solve -o merge.txt", "").exit(65).err_says(&["\ntry: tabuleiro solve merge.txt\n"]);
    let ran = desk.run_with("solve -o saida.txt", "").exit(65);
    assert!(!ran.err.contains("try: "), "{}", ran.err);
    let ran = desk.run("solve merge.txt other.txt").exit(64).err_says(&["one input is read at a time"]);
    assert!(!ran.err.contains("-o"), "{}", ran.err);
    desk.run("check 2048-merge").exit(66).err_says(&["write --solver 2048-merge"]);
    desk.run("solve --solver 2048 merge.txt")
        .exit(64)
        .err_says(&["did you mean '2048-merge', '2048-astar', '2048-game'?"]);
    let ran = desk.run("solve --pulo merge.txt").exit(64);
    assert!(!ran.err.contains("as a value"), "{}", ran.err);
}

/// Returns the rules of the findings of `check --format json`.
fn rules(desk: &Desk, arguments: &str) -> BTreeSet<String> {
    let ran = desk.run(&format!("check --format json {arguments}"));
    let findings: Vec<Value> =
        serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    findings.iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn json_has_all_that_is_found() {
    let desk =
        Desk::new().file("entrada.txt", WRONG).file("vazio-entrada.txt", "").file("ok-entrada.txt", BOARD_1);
    let ran = desk.run("check --format json entrada.txt vazio-entrada.txt").exit(65);
    let findings: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let [value, comma, empty] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!((&value["line"], &value["column"], &value["puzzle"]), (&2.into(), &5.into(), &1.into()));
    assert_eq!(
        (&value["rule"], &value["kind"], &value["help"]),
        (&"square-value".into(), &"invalid".into(), &Value::Null)
    );
    assert_eq!(
        (&comma["rule"], comma["proposal"]["replace_all"]["with"].as_str()),
        (&"character".into(), Some(" "))
    );
    assert_eq!(
        (&empty["rule"], &empty["kind"], &empty["line"]),
        (&"empty-file".into(), &"rejected".into(), &Value::Null)
    );
    desk.run("check --format json ok-entrada.txt").exit(0).out("[]\n");
}

#[test]
fn every_rule_is_explained_by_examples_that_show_it() {
    let mut explained = BTreeSet::new();
    for RuleExample { rule, solver, wrong, right } in RuleExample::all() {
        explained.insert(rule.to_owned());
        let desk = Desk::new().file("wrong.txt", wrong).file("right.txt", right);
        let found = rules(&desk, &format!("--solver {solver} wrong.txt"));
        assert!(found.contains(rule), "{rule} of {solver}: {found:?}\n{wrong}");
        let found = rules(&desk, &format!("--solver {solver} right.txt"));
        assert!(found.is_empty(), "{rule} of {solver}: {found:?}\n{right}");
    }
    for language in [Language::English, Language::Portuguese] {
        let texts = language.source().lines().filter_map(|line| line.strip_prefix("explain-"));
        let texts: BTreeSet<_> = texts.map(|line| line.split(' ').next().unwrap().to_owned()).collect();
        assert_eq!(texts, explained, "{language:?}");
    }
    let desk = Desk::new();
    desk.run("explain row-length").exit(0).out_says(&[
        "row-length: One row ",
        "wrong (2048-astar):\n  4\n",
        "right:\n  4\n",
    ]);
    let list = desk.run("--language pt explain").exit(0).out;
    assert_eq!(list.lines().count(), explained.len(), "{list}");
    assert!(list.contains("row-length           Uma linha tem"), "{list}");
    desk.run("explain old-line-ends").exit(0).out_says(&["  3 3␍2 1 2 0 1␍0 0\n"]);
    desk.run("explain row-lenght").exit(64).err_says(&["did you mean 'row-length'?"]);
}

/// Checks that every rule broken by the files with mistakes has an explanation.
#[test]
fn every_rule_that_a_file_breaks_is_explained() {
    let explained: BTreeSet<_> = RuleExample::all().map(|example| example.rule.to_owned()).collect();
    // These rules need none: their messages explain themselves.
    let plain = [
        "compressed-file",
        "document-file",
        "image-file",
        "program-file",
        "wide-text",
        "no-puzzle",
        "ctrl-z",
        "late-directive",
    ];
    let mut unexplained = BTreeSet::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    for solver in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let id = solver.file_name().unwrap().to_str().unwrap().to_owned();
        for file in std::fs::read_dir(&solver).unwrap().map(|entry| entry.unwrap().path()) {
            if file.to_str().unwrap().ends_with(".entrada.txt") {
                let found = rules(&Desk::new(), &format!("--solver {id} {}", file.display()));
                let unknown = |rule: &String| !explained.contains(rule) && !plain.contains(&rule.as_str());
                unexplained.extend(found.into_iter().filter(unknown));
            }
        }
    }
    assert!(unexplained.is_empty(), "{unexplained:?}");
}

#[test]
fn a_wrong_command_line_gets_the_one_that_was_meant() {
    let desk = Desk::new().file("entrada.txt", BOARD_1).file("saida.txt", "1\n");
    for (line, meant) in [
        ("entrada.txt", "tabuleiro solve entrada.txt"),
        ("solve entrada.txt saida.txt", "tabuleiro solve entrada.txt -o saida.txt"),
        ("solve --witness entrada.txt", "tabuleiro solve --set witness=true entrada.txt"),
        ("solve --time-limit 5s entrada.txt", "tabuleiro solve --set time_limit=5s entrada.txt"),
        ("generate 10 jump-game", "tabuleiro generate jump-game 10"),
        ("grade saida.txt entrada.txt", "tabuleiro grade entrada.txt saida.txt"),
        (
            "--language en solve saida.txt entrada.txt",
            "tabuleiro --language en solve entrada.txt -o saida.txt",
        ),
        ("solve 2048-merge entrada.txt", "tabuleiro solve --solver 2048-merge entrada.txt"),
        ("check --corrigir entrada.txt", "tabuleiro check --fix entrada.txt"),
        ("check --pt entrada.txt", "tabuleiro check --language pt entrada.txt"),
    ] {
        desk.run(line).exit(64).err_says(&[&format!("try: {meant}\n")]);
    }
    for (name, solver) in
        [("damas", "checkers-capture"), ("pulo", "jump-game"), ("juntar", "2048-merge"), ("A*", "2048-astar")]
    {
        let hint = format!("did you mean '{solver}'?");
        desk.run(&format!("solve --solver {name} entrada.txt")).exit(64).err_says(&[&hint]);
    }
}

#[test]
fn directives_that_are_nearly_right_are_told_with_what_to_write() {
    for (directive, written) in [
        ("#: idioma = pt", "`#: language = pt`"),
        ("#: language = pt-br", "`#: language = pt`"),
        ("#: witness = true;", "`#: witness = true`"),
        ("#: time_limit = 60", "`#: time_limit = 60s`"),
        (
            "#: witness = true, language = pt",
            "`#: witness = true` and, on a line of its own, `#: language = pt`",
        ),
        ("#: solver = damas", "did you mean 'checkers-capture'?"),
        ("#: witness", "`#: witness = true`"),
    ] {
        let desk = Desk::new().file("entrada.txt", format!("{directive}\n{BOARD_1}"));
        desk.run("check entrada.txt").exit(65).out_says(&[written]);
    }
    for (comment, written) in
        [("# : witness", "`#: witness = true`"), ("# idioma = pt", "`#: language = pt`")]
    {
        let desk = Desk::new().file("entrada.txt", format!("{comment}\n{BOARD_1}"));
        desk.run("check entrada.txt").exit(0).out_says(&["looks like a directive", written]);
    }
}
