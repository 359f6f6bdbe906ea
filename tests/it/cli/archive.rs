//! Tests archives on the command line: graded like folders, and answered member by member.

use std::fs;
use std::io::{Cursor, Read};
use std::process::Stdio;

use tabuleiro_jobs::archive::{Archive, ArchiveWriter};

use super::Desk;

const REFERENCE: &str = "3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n";
const GAME: &str = "1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n";

fn desk() -> Desk {
    Desk::new().file("entrada.txt", REFERENCE)
}

/// Packs files into an archive.
fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ArchiveWriter::in_memory();
    for (path, text) in files {
        archive.add_text(path, text.as_bytes()).unwrap();
    }
    archive.finish(Vec::new()).unwrap()
}

/// Returns the paths and texts of an archive.
fn unzip(bytes: Vec<u8>) -> Vec<(String, String)> {
    let archive = Archive::open(Cursor::new(bytes)).unwrap();
    let text = |member| {
        let mut text = String::new();
        archive.read(member).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    archive.members().iter().map(|member| (member.path().to_owned(), text(member))).collect()
}

#[test]
fn an_archive_is_graded_like_a_folder() {
    let files = [
        ("b/saida.txt", "1\n2\n"),
        ("a/Saida2.TXT", "1\n3\n"),
        ("a-b/saida.txt", "1\n"),
        ("a/notes.txt", "x"),
        ("a/saida.c", "x"),
    ];
    let in_folder = files.iter().fold(desk(), |desk, (path, text)| desk.file(&format!("t/{path}"), *text));
    let desk = in_folder.file("t.zip", zip(&files)).file("u.ZIP", zip(&[("z.txt", "1\n2")]));
    let folder = desk.run("grade entrada.txt t").exit(1).out;
    let archive = desk.run("grade entrada.txt t.zip").exit(1).out;
    assert_eq!(archive, folder.replace("t/", "t.zip/"));
    assert_eq!(archive.lines().count(), 3, "{archive}");
    let ran = desk.run("grade entrada.txt u.ZIP").exit(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("u.ZIP/z.txt: 2 of 2: accepted\n", ""));
    let desk = desk.file("v.zip", zip(&[("x.c", "")]));
    desk.run("grade entrada.txt v.zip")
        .exit(66)
        .err_says(&["v.zip: nothing to grade: found x.c; a submission is called saida.txt"]);
    desk.run("grade entrada.txt none.zip").exit(66).err_says(&["none.zip: cannot open"]);
}

#[test]
fn what_is_wrong_in_an_archive_costs_itself_alone() {
    let mut damaged = zip(&[("a/saida.txt", "1\n2\n"), ("b/saida.txt", "1\n2\n")]);
    // The first packed byte of the first member, after its name.
    damaged[30 + "a/saida.txt".len()] ^= 0xff;
    let desk = desk()
        .file("damaged.zip", damaged)
        .file("nested.zip", zip(&[("a.zip", ""), ("b/saida.txt", "1\n2\n")]))
        .file("none.zip", "Paulo");
    let ran = desk.run("grade entrada.txt damaged.zip nested.zip none.zip").exit(65);
    assert_eq!(
        ran.out,
        "damaged.zip/b/saida.txt: 2 of 2: accepted\nnested.zip/b/saida.txt: 2 of 2: accepted\n"
    );
    assert_eq!(
        ran.err.replace("\n  ", " "),
        "rejected: nested.zip/a.zip: not read: an archive in an archive; unpack it, and pack its files\n\
         rejected: none.zip: no .zip archive, or only a part of one; make it again as a plain .zip\n\
         tabuleiro: damaged.zip/a/saida.txt: not read: damaged, it does not unpack to what the archive says; \
         pack it again\n"
    );
    let ran = desk.run("grade --format json entrada.txt none.zip").exit(65);
    assert_eq!(ran.out, "");
    // If a submission is refused, no other file is graded in its place.
    let path = format!("{}saida.txt", "a/".repeat(32));
    let desk = desk.file("deep.zip", zip(&[(&path, "1\n2\n"), ("notes.txt", "1\n2\n")]));
    let ran = desk.run("grade entrada.txt deep.zip nested.zip").exit(66);
    assert_eq!(ran.out, "nested.zip/b/saida.txt: 2 of 2: accepted\n");
    ran.err_says(&[
        "saida.txt: not read: it lies more than 32 folders deep",
        "deep.zip: nothing to grade: found notes.txt; a submission is called saida.txt",
    ]);
}

#[test]
fn every_member_is_routed_by_its_own_path() {
    let files = [
        ("entrada.txt", REFERENCE),
        ("bia/pulo.txt", GAME),
        ("caio/jump-game/a.txt", GAME),
        ("caio/jump-game/a.entrada.txt", GAME),
    ];
    let desk = desk().file("turma.zip", zip(&files)).file("pulo.txt", GAME);
    let (board, game) = (desk.run("solve entrada.txt").exit(0).out, desk.run("solve pulo.txt").exit(0).out);
    let ran = desk.run("solve -i turma.zip -o turma.saida.zip").exit(0);
    assert_eq!(ran.out, "");
    assert!(ran.err.starts_with("turma.zip: 5 puzzles, 0 invalid, 0 undecided\n  user "), "{}", ran.err);
    let results = fs::read(desk.at("turma.saida.zip")).unwrap();
    let expected = [
        ("bia/pulo.saida.txt", &game),
        // Two members would get the same name: the second one gets a number.
        ("caio/jump-game/a.saida.2.txt", &game),
        ("caio/jump-game/a.saida.txt", &game),
        ("saida.txt", &board),
    ];
    assert_eq!(unzip(results.clone()), expected.map(|(path, text)| (path.to_owned(), text.clone())));
    // Again, with the same bytes, and through standard output.
    desk.run("solve -i turma.zip -o again.zip").exit(0);
    assert_eq!(fs::read(desk.at("again.zip")).unwrap(), results);
    let to = fs::File::create(desk.at("out.zip")).unwrap();
    desk.run_on("solve turma.zip", Stdio::null(), to.into()).exit(0);
    assert_eq!(fs::read(desk.at("out.zip")).unwrap(), results);
    // The archive's name counts as a folder.
    let desk = desk.file("jump-game.zip", zip(&[("x", GAME)]));
    desk.run("solve jump-game.zip -o x.zip").exit(0);
    assert_eq!(unzip(fs::read(desk.at("x.zip")).unwrap()), [("x.saida.txt".to_owned(), game)]);
}

#[test]
fn a_member_without_a_result_has_a_report() {
    let files = [
        ("ana/entrada.txt", REFERENCE),
        ("ana/notas.md", "?"),
        ("bia/entrada.txt", ""),
        ("bia/lista.zip", ""),
        ("ca/entrada.txt", "3 3\n2 1 2 0 7\n5 3\n1 0 2 1 0 2 0 0\n0 0\n"),
        ("dd/entrada.txt", REFERENCE),
        ("ee/entrada.txt", "#: language = pt\n#: nothing = 1\n"),
    ];
    let mut bytes = zip(&files);
    for at in 0..bytes.len() - 3 {
        if bytes[at..].starts_with(b"dd/") {
            bytes[at..at + 3].copy_from_slice(b"../");
        }
    }
    let desk = desk().file("turma.zip", bytes);
    let ran = desk.run("solve -i turma.zip -o turma.saida.zip").exit(65);
    ran.err_says(&[
        "rejected: turma.zip/../entrada.txt: not read: its path leads out of the archive",
        "rejected: turma.zip/ana/notas.md: no route takes the file; no solver",
        "rejected: turma.zip/bia/lista.zip: not read: an archive in an archive",
        "turma.zip/ca/entrada.txt:2:9: invalid puzzle 1: ",
        "turma.zip: 4 puzzles, 1 invalid, 0 undecided\n",
    ]);
    let results = unzip(fs::read(desk.at("turma.saida.zip")).unwrap());
    let names: Vec<_> = results.iter().map(|(path, _)| path.as_str()).collect();
    let expected = [
        "ana/notas.md.erro.txt",
        "ana/saida.txt",
        "bia/erro.txt",
        "bia/lista.zip.erro.txt",
        "ca/saida.txt",
        "ee/erro.txt",
        "turma.zip.erro.txt",
    ];
    assert_eq!(names, expected);
    let begins = |path: &str, beginning: &str| {
        let (_, text) = results.iter().find(|(found, _)| found == path).unwrap();
        assert!(text.starts_with(beginning), "{path}: {text}");
    };
    begins("ana/notas.md.erro.txt", "rejected: turma/ana/notas.md: no route");
    begins("bia/erro.txt", "rejected: turma/bia/entrada.txt: ");
    begins(
        "turma.zip.erro.txt",
        "rejected: turma/../entrada.txt: not read: its path leads out of the archive",
    );
}

#[test]
fn an_archive_that_cannot_be_read_has_no_results() {
    let desk =
        desk().file("turma.zip", &zip(&[("ana/entrada.txt", REFERENCE)])[1..]).file("saida.zip", "before");
    desk.run("solve -i turma.zip -o saida.zip").exit(65).err_says(&["turma.zip: the archive is damaged"]);
    assert_eq!(fs::read(desk.at("saida.zip")).unwrap(), b"before");
    desk.run("solve -i none.zip -o saida.zip").exit(66);
    desk.run("solve --solver jump-game -i turma.zip -o saida.zip").exit(64);
    desk.run("solve -i turma.zip -o turma.zip").exit(64);
}

#[test]
fn check_reads_every_member_by_its_own_path_and_solves_nothing() {
    let hard = super::HOPELESS;
    let right = [("astar.txt", hard), ("ana/entrada.txt", REFERENCE), ("bia/pulo.txt", GAME)];
    let desk = desk().file("turma.zip", zip(&right));
    desk.run("check turma.zip").exit(0).out(
        "turma.zip/ana/entrada.txt: checkers-capture: 2 valid, 0 invalid\n\
         turma.zip/astar.txt: 2048-astar: 1 valid, 0 invalid\n\
         turma.zip/bia/pulo.txt: jump-game: 1 valid, 0 invalid\n",
    );
    // The archive's name counts as a folder.
    let desk = desk.file("jump-game.zip", zip(&[("x", GAME)]));
    desk.run("check jump-game.zip").exit(0).out("jump-game.zip/x: jump-game: 1 valid, 0 invalid\n");
    let wrong = [
        ("ana/entrada.txt", REFERENCE),
        ("ana/notas.md", "?"),
        ("bia/entrada.txt", ""),
        ("bia/lista.zip", ""),
        ("ca/entrada.txt", "3 3\n2 1 2 0 7\n5 3\n1 0 2 1 0 2 0 0\n0 0\n"),
        ("dd/x.dat", "#: solver = jump\n"),
        ("ee/entrada.txt", GAME),
    ];
    let mut damaged = zip(&[("a/entrada.txt", REFERENCE), ("b/entrada.txt", REFERENCE)]);
    damaged[30 + "a/entrada.txt".len()] ^= 0xff;
    let desk = desk
        .file("wrong.zip", zip(&wrong))
        .file("damaged.zip", damaged)
        .file("none.zip", "Paulo")
        .file("empty.zip", zip(&[]));
    let ran = desk.run("check wrong.zip turma.zip").exit(65);
    let ran = ran.out_says(&[
        "wrong.zip/ana/entrada.txt: checkers-capture: 2 valid, 0 invalid\nrejected: wrong.zip/ana/notas.md: no route takes the file; ",
        "\nrejected: wrong.zip/bia/entrada.txt: the file is empty\nCheck that the file was saved with its puzzles, and try again.\nrejected: wrong.zip/bia/lista.zip: not read: an archive in an archive; ",
        "\nwrong.zip/ca/entrada.txt:2:9: invalid board 1: found 7, expected 0, 1 or 2 (row 3, number 2) [square-value]\n1 | 3 3\n2 | 2 1 2 0 7",
        "\nwrong.zip/ca/entrada.txt: checkers-capture: 1 valid, 1 invalid\n1 mistake in 1 board\n\
         wrong.zip/dd/x.dat:1:13: mistake: unknown solver 'jump' (did you mean 'jump-game'?); known: ",
        "\n1 | #: solver = jump\n  |             ^^^^\nwrong.zip/ee/entrada.txt: this looks like jump-game ",
        "\nturma.zip/ana/entrada.txt: checkers-capture: 2 valid, 0 invalid\n",
    ]);
    assert_eq!(ran.err, "");
    let ran = desk.run("check damaged.zip none.zip empty.zip entrada.txt").exit(65);
    assert_eq!(ran.err, "tabuleiro: empty.zip: no file in this archive\n");
    ran.out_says(&[
        "rejected: damaged.zip/a/entrada.txt: not read: damaged, ",
        "\ndamaged.zip/b/entrada.txt: checkers-capture: 2 valid, 0 invalid\nrejected: none.zip: no .zip archive",
        "\nentrada.txt: checkers-capture: 2 valid",
    ]);
    desk.run("check missing.zip turma.zip").exit(66).out_says(&["turma.zip/bia/pulo.txt: "]);
    desk.run("check --solver jump-game turma.zip").exit(64);
    // Submissions are not puzzles.
    let route = "[[route]]\nname = \"lista\"\nfiles = [\"**/saida*\"]\nsolver = \"checkers-capture\"\n\
                 grade = \"entrada.txt\"\n";
    let desk = desk.file("course.toml", route).file("saidas.zip", zip(&[("ana/saida.txt", "1\n2\n")]));
    desk.run("check --config course.toml saidas.zip").exit(0).out(
        "saidas.zip/ana/saida.txt: a submission that the route 'lista' grades; its\n  answers are not checked\n",
    );
}

/// The directory of the archive says that a member's header lies beyond the largest possible file.
#[test]
fn a_damaged_archive_is_wrong_input_and_no_error_of_the_system() {
    let packed = |fields: &[(u64, usize)]| -> Vec<u8> {
        fields.iter().flat_map(|(value, width)| value.to_le_bytes()[..*width].to_vec()).collect()
    };
    let all = u64::from(u32::MAX);
    let directory = [
        packed(&[(0x0201_4b50, 4), (30, 2), (20, 2), (0, 2), (0, 2), (0, 4), (0, 4), (all, 4), (all, 4)]),
        packed(&[(9, 2), (28, 2), (0, 2), (0, 2), (0, 2), (0, 4), (all, 4)]),
        b"saida.txt".to_vec(),
        packed(&[(1, 2), (24, 2), (0, 8), (0, 8), (1 << 63, 8)]),
    ]
    .concat();
    let size = directory.len() as u64;
    let end = packed(&[(0x0605_4b50, 4), (0, 4), (1, 2), (1, 2), (size, 4), (0, 4), (0, 2)]);
    let bytes = [directory, end].concat();
    let desk = desk().file("t.zip", bytes);
    for command in ["grade entrada.txt t.zip", "solve -i t.zip -o saida.zip"] {
        let ran = desk.run(command).exit(65).out("");
        ran.err_says(&["t.zip: the archive is damaged: its list of members does not fit it; make it again"]);
    }
}
