//! Tests warnings about a whole file: comments that look like directives, and other rules that give other answers.

use super::{BOARD_1, Desk};

const GAME: &str = "1 2\n1\n1 0\n0 0\n";
/// Five games. By the course's rules, the third and the fourth have the same answer, the others another one.
const GAMES: &str = "3 4\n2\n1 2 2 3\n3 3 1 2\n1 2 2 0\n0 3\n1 2\n\
                     3 4\n2\n1 2 2 3\n3 3 1 2\n1 2 2 0\n0 3\n1 2\n\
                     1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n\
                     1 6\n3\n3 2 1 0 1 0\n0 0\n0 1\n0 2\n\
                     3 4\n2\n1 2 2 3\n3 3 1 2\n1 2 2 0\n0 3\n1 2\n";
const ANSWERS: &str = "B\n2\nB\n2\nC\n3\nSEM VENCEDORES\nB\n2\n";
const COURSE_ANSWERS: &str = "B\n4\nB\n4\nC\n3\nSEM VENCEDORES\nB\n4\n";
const TO_COURSE: &str = "`#: movement = straight` and `#: tie = first-round`";
const TO_DEFAULT: &str = "`#: movement = walk` and `#: tie = previous-round`";

#[test]
fn comments_that_look_like_directives_are_warned_of() {
    for (comment, written) in [
        ("# : witness = true", "witness = true"),
        ("#; witness = true", "witness = true"),
        ("# witness = true", "witness = true"),
        ("  //: Witness = 'true'", "witness = true"),
        ("# solver = checkers-capture", "solver = checkers-capture"),
        ("# :solver = jump", "solver = jump"),
        ("# movement = straight", "movement = straight"),
        ("#time_limit = 5s", "time_limit = 5s"),
    ] {
        let desk = Desk::new().file("entrada.txt", format!("# a title\n{comment}\n{BOARD_1}"));
        let warning = format!("warning: line 2 looks like a directive; write `#: {written}`\n");
        desk.run("solve entrada.txt").exit(0).out(&format!("1\n{warning}")).err_says(&[&warning]);
        desk.run("check entrada.txt").exit(0).out_says(&["entrada.txt:2:", &warning]);
    }
    let desk = Desk::new().file("entrada.txt", format!("#: language = pt\n#; witness = true\n{BOARD_1}"));
    desk.run("solve entrada.txt")
        .exit(0)
        .out("1\nwarning: a linha 2 parece uma diretiva; escreva `#: witness = true`\n");
}

#[test]
fn ordinary_comments_are_left_alone() {
    for comments in [
        "# n = 3 is small",
        "# solver = my best one so far",
        "# witness = the longest path",
        "# the witness = true",
        "# rows = 8",
        "# goal: 2048",
        "## witness = true ##",
        // A correct directive shows that the writer knows how.
        "#: witness = false\n# witness = true",
    ] {
        let desk = Desk::new().file("entrada.txt", format!("{comments}\n{BOARD_1}"));
        desk.run("solve entrada.txt").exit(0).out("1\n");
    }
    // This route would refuse directives.
    let config =
        "[[route]]\nname = \"r\"\nfiles = [\"*\"]\nsolver = \"checkers-capture\"\nallow_directives = false\n";
    let desk = Desk::new().file("c.toml", config).file("a.txt", format!("# witness = true\n{BOARD_1}"));
    desk.run("solve --config c.toml a.txt").exit(0).out("1\n");
}

#[test]
fn a_file_without_a_route_is_told_of_the_directive_that_is_none() {
    let desk = Desk::new().file("what.dat", format!("# solver = jump-game\n{GAME}"));
    let ran = desk.run("solve what.dat").exit(64);
    ran.err_says(&["no route takes it", "line 1 looks like a directive; write `#: solver = jump-game`"]);
}

#[test]
fn other_rules_that_give_other_answers_are_said_once_a_file() {
    let desk = Desk::new().file("pulo.txt", GAMES).file("pulo-reto-1.txt", GAMES).file("x.dat", GAMES);
    let said =
        |by: &str, action: &str| format!("warning: 3 of 5 games have another answer by {by}: {action}\n");

    let warning = said(
        "the course's rules",
        &format!("if those apply, name the file pulo-reto….txt or write {TO_COURSE}"),
    );
    desk.run("solve pulo.txt").exit(0).out(&format!("{ANSWERS}{warning}")).err_says(&[&warning]);
    desk.run("check pulo.txt").exit(0).out("pulo.txt: jump-game: 5 valid, 0 invalid\n");

    let warning =
        said("the default rules", &format!("if those apply, name the file pulo….txt or write {TO_DEFAULT}"));
    desk.run("solve pulo-reto-1.txt").exit(0).out(&format!("{COURSE_ANSWERS}{warning}"));

    // Without a route, the warning has no name to suggest.
    let warning = said("the course's rules", &format!("if those apply, write {TO_COURSE}"));
    desk.run("solve --solver jump-game x.dat").exit(0).out(&format!("{ANSWERS}{warning}"));
}

#[test]
fn following_the_warning_leads_to_the_other_rules() {
    let desk = Desk::new()
        .file("pulo-reto….txt", GAMES)
        .file("pulo….txt", GAMES)
        .file("pulo.txt", format!("#: movement = straight\n#: tie = first-round\n{GAMES}"))
        .file("pulo-reto.txt", format!("#: movement = walk\n#: tie = previous-round\n{GAMES}"));
    let first =
        |file: &str| desk.run(&format!("solve {file}")).exit(0).out.lines().nth(1).unwrap().to_owned();
    assert_eq!(["pulo-reto….txt", "pulo….txt", "pulo.txt", "pulo-reto.txt"].map(first), ["4", "2", "4", "2"]);
}

#[test]
fn who_chose_the_rules_of_a_file_is_not_told_of_others() {
    let files = [("movement", "walk"), ("tie", "previous-round"), ("compare_rules", "false")];
    for (key, value) in files {
        let desk =
            Desk::new().file("pulo.txt", format!("#: {key} = {value}\n{GAMES}")).file("pulo1.txt", GAMES);
        desk.run("solve pulo.txt").exit(0).out(ANSWERS);
        desk.run(&format!("solve pulo1.txt --set {key}={value}")).exit(0).out(ANSWERS);
    }
    // Nor is who tried to.
    let desk = Desk::new().file("pulo.txt", format!("# : movement = straight\n{GAMES}"));
    let warning = "warning: line 1 looks like a directive; write `#: movement = straight`\n";
    desk.run("solve pulo.txt").exit(0).out(&format!("{ANSWERS}{warning}"));
    // No answer differs.
    let desk = Desk::new().file("pulo.txt", GAME).file("respostas.txt", "A\n1\n");
    desk.run("solve pulo.txt").exit(0).out("A\n1\n");
}

#[test]
fn only_what_the_configuration_has_is_said() {
    let route =
        |keys: &str| format!("[[route]]\nname = \"r\"\nfiles = [\"pulo*\"]\nsolver = \"jump-game\"\n{keys}");
    let straight = "[[route]]\nname = \"s\"\nfiles = [\"reta-*\"]\nsolver = \"jump-game\"\n";
    let course = "options = { movement = \"straight\", tie = \"first-round\" }\n";
    for (config, action) in [
        (route(""), format!("if those apply, write {TO_COURSE}")),
        (
            route("allow_directives = false\n"),
            "these are movement = straight and tie = first-round".to_owned(),
        ),
        (
            route("allow_directives = false\n") + straight + course,
            "if those apply, name the file reta-….txt".to_owned(),
        ),
        // No route has all of the course's rules.
        (
            route("") + straight + "options = { movement = \"straight\" }\n",
            format!("if those apply, write {TO_COURSE}"),
        ),
    ] {
        let desk = Desk::new().file("c.toml", config).file("pulo.txt", GAMES);
        let warning = format!("warning: 3 of 5 games have another answer by the course's rules: {action}\n");
        desk.run("solve --config c.toml pulo.txt").exit(0).out(&format!("{ANSWERS}{warning}"));
    }
    // Only the tie rule differs, and in one game.
    let config = route("options = { movement = \"straight\" }\n");
    let game = "6 4\n3\n3 2 4 3\n1 3 2 0\n4 3 2 2\n3 2 0 2\n1 0 2 1\n1 4 4 2\n1 0\n2 1\n4 2\n";
    let desk = Desk::new().file("c.toml", config).file("pulo.txt", game);
    desk.run("solve --config c.toml pulo.txt").exit(0).out(
        "C\n4\nwarning: 1 of 1 game has another answer by the course's rules: if those apply, write `#: tie = first-round`\n",
    );
}
