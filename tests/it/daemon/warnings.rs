//! Warnings about a whole file appear in its result, in every format, and in the log.

use crate::harness::{BOARD_1, Place};

const PUBLISHED: &str = include_str!("../../cases/jump-game/published-walk.entrada.txt");

#[test]
fn other_rules_are_said_in_every_form_of_a_result() {
    let config = "[results]\nformats = [\"txt\", \"json\"]\n";
    let service = Place::new().config(config).start();
    let told = "1 of 3 games has another answer by the course's rules: if those apply, name the file \
                pulo-reto….txt or write `#: movement = straight` and `#: tie = first-round`";
    service.drop_file("turma/pulo.txt", format!("#: picture = true\n{PUBLISHED}"));
    service.expect("turma/pulo.saida.txt", &format!("C\n3\nSEM VENCEDORES\nB\n2\nwarning: {told}\n"));
    let json: serde_json::Value =
        serde_json::from_str(&service.expect_some("turma/pulo.saida.json")).unwrap();
    let warning = serde_json::json!({"line": 1, "column": 1, "rule": "other-answers", "text": told});
    assert_eq!(json["job"]["warnings"], serde_json::json!([warning]));
    let page = service.expect_some("turma/pulo.saida.html");
    assert!(page.contains("1 of 3 games has another answer by the course's rules"), "{page}");
    service.wait_for_log("1 of 3 games has another answer");

    service.drop_file("pulo-reto.txt", format!("#: language = pt\n{PUBLISHED}"));
    let told = "1 de 3 jogos tem outra resposta pelas regras padrão: se forem essas as que valem, dê ao arquivo o nome \
                pulo….txt ou escreva `#: movement = walk` e `#: tie = previous-round`";
    service.expect("pulo-reto.saida.txt", &format!("C\n3\nSEM VENCEDORES\nB\n4\nwarning: {told}\n"));
    service.drop_file("pulo-walk.txt", format!("#: movement = walk\n{PUBLISHED}"));
    service.expect("pulo-walk.saida.txt", "C\n3\nSEM VENCEDORES\nB\n2\n");
}

#[test]
fn comments_that_look_like_directives_are_said_in_results_and_reports() {
    let service = Place::new().start();
    service.drop_file("entrada.txt", format!("# : witness = true\n{BOARD_1}"));
    let told = "line 1 looks like a directive; write `#: witness = true`";
    service.expect("saida.txt", &format!("1\nwarning: {told}\n"));
    service.wait_for_log(told);
    service.drop_file("what.dat", format!("# solver = jump-game\n{PUBLISHED}"));
    let report = service.expect_some("what.dat.erro.txt");
    let told = "rejected: what.dat: line 1 looks like a directive; write `#: solver = jump-game`; no route";
    assert!(report.replace("\n  ", " ").starts_with(told), "{report}");
}
