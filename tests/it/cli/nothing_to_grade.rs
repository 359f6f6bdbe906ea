//! Tests students' folders in which nothing can be graded: each gets a line that says why.

use tabuleiro_jobs::archive::ArchiveWriter;

use super::{Desk, Ran};

const REFERENCE: &str = "3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n";
const RIGHT: &str = "1\n2\n";

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

/// A class with one submission of the right name.
const CLASS: [(&str, &str); 16] = [
    ("ana/saida.txt", RIGHT),
    ("ana/src/saida.c", "x"),
    ("bia/saída.txt", RIGHT),
    ("caio/sai\u{301}da.TXT", RIGHT),
    ("davi/saida", RIGHT),
    ("eva/Saida.out", RIGHT),
    ("fabio/resposta.txt", RIGHT),
    ("gil/a.c", "x"),
    ("gil/b.c", "x"),
    ("gil/src/c.c", "x"),
    ("gil/src/d.c", "x"),
    ("hugo/saida", RIGHT),
    ("hugo/saida.out", RIGHT),
    ("iris/trabalho.zip", "PK"),
    ("joana/x/saida.out", RIGHT),
    ("joana/x/y/leia.txt", "x"),
];

const GRADED: &str = "\
t/ana/saida.txt: 2 of 2: accepted
t/bia/saída.txt: 2 of 2: accepted
t/caio/sai\u{301}da.TXT: 2 of 2: accepted
t/davi/saida: 2 of 2: accepted
t/eva/Saida.out: 2 of 2: accepted
t/joana/x/saida.out: 2 of 2: accepted
";

const TOLD: &str = "\
tabuleiro: t/fabio: nothing to grade: found resposta.txt; a submission is called saida.txt
tabuleiro: t/gil: nothing to grade: found a.c, b.c, src/c.c and 1 more; a submission is called saida.txt
tabuleiro: t/hugo: nothing to grade: found saida, saida.out; a submission is called saida.txt
";

#[test]
fn every_folder_of_a_class_has_a_grade_or_a_reason() {
    let desk = CLASS.iter().fold(desk(), |desk, (path, text)| desk.file(&format!("t/{path}"), *text));
    std::fs::create_dir(desk.at("t/karl")).unwrap();
    std::fs::create_dir(desk.at("t/lia")).unwrap();
    std::os::unix::fs::symlink(desk.at("t/ana/saida.txt"), desk.at("t/lia/saida.txt")).unwrap();
    let ran = desk.run("grade entrada.txt t").exit(1).out(GRADED);
    let told = "\
tabuleiro: t/iris: nothing to grade: trabalho.zip: an archive; unpack it
tabuleiro: t/karl: nothing to grade: the folder is empty
tabuleiro: t/lia: nothing to grade: saida.txt: a link; put the file itself there
";
    assert_eq!(ran.err, format!("{TOLD}{told}"));
    // The same as rows, sorted by name, in the language of the grades.
    let ran = desk.run("grade entrada.txt t --format csv --set language=pt").exit(1);
    let rows: Vec<_> = ran.out.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    let graded = |name: &str| {
        GRADED.lines().find_map(|line| line.split(':').next().filter(|path| path.contains(name)))
    };
    let names = ["ana", "bia", "caio", "davi", "eva", "fabio", "gil", "hugo", "iris", "joana", "karl", "lia"];
    let expected = names.map(|name| graded(name).map_or(format!("t/{name}"), str::to_owned));
    assert_eq!(rows, expected);
    assert!(
        ran.out.contains("\nt/karl,,,,nothing-to-grade,,,,nada para corrigir: a pasta está vazia\n"),
        "{}",
        ran.out
    );
    let ran = desk.run("grade entrada.txt t --format json").exit(1);
    let grades: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(grades.as_array().unwrap().len(), 12);
    assert_eq!(
        (&grades[10]["submission"], &grades[10]["grade"]["verdict"]),
        (&"t/karl".into(), &"nothing-to-grade".into())
    );
    assert_eq!(grades[10]["grade"]["text"], "nothing to grade: the folder is empty");
    let ran = desk.run("grade entrada.txt t --format junit").exit(1);
    assert_eq!(ran.out.matches("<testsuite name=").count(), 12, "{}", ran.out);
    assert!(
        ran.out.contains("message=\"nothing to grade: the folder is empty\" type=\"nothing-to-grade\""),
        "{}",
        ran.out
    );
}

#[test]
fn an_archive_of_a_class_is_told_like_its_folder() {
    let desk = desk().file("t", zip(&CLASS));
    std::fs::rename(desk.at("t"), desk.at("t.zip")).unwrap();
    let ran = desk.run("grade entrada.txt t.zip").exit(65).out(&GRADED.replace("t/", "t.zip/"));
    let told = "tabuleiro: t.zip/iris: nothing to grade: trabalho.zip: not read: an archive in an archive; unpack it, and pack its files\n";
    assert_eq!(ran.err, format!("{}{told}", TOLD.replace("t/", "t.zip/")));
}

/// Endless output compresses well, but is graded.
#[test]
fn the_output_of_a_runaway_program_is_graded() {
    let endless = "7\n".repeat(1 << 20);
    let desk = desk().file("t.zip", zip(&[("ana/saida.txt", RIGHT), ("bia/saida.txt", &endless)]));
    assert!(std::fs::metadata(desk.at("t.zip")).unwrap().len() < endless.len() as u64 / 800);
    let ran = desk.run("grade entrada.txt t.zip").exit(1);
    assert_eq!((ran.out.lines().count(), ran.err.as_str()), (2, ""));
    ran.out_says(&["t.zip/bia/saida.txt: 0 of 2: wrong answer at puzzle 1"]);
}

#[test]
fn folders_are_students_where_students_are_expected() {
    let told = |desk: Desk, named: &str| -> Vec<String> {
        let Ran { err, .. } = desk.run(&format!("grade entrada.txt {named}"));
        let name = |line: &str| {
            line.split(": nothing to grade: ").next().unwrap().trim_start_matches("tabuleiro: ").to_owned()
        };
        err.lines().map(name).collect()
    };
    let files = |paths: &[&str]| paths.iter().fold(desk(), |desk, path| desk.file(path, RIGHT));
    // A folder around the class; several classes.
    assert_eq!(
        told(files(&["t/l3/ana/saida.txt", "t/l3/bia/x.c", "t/l3/caio/y/x.c"]), "t"),
        ["t/l3/bia", "t/l3/caio"]
    );
    let classes = [
        "c/t1/ana/saida.txt",
        "c/t1/bia/saida.txt",
        "c/t1/caio/x.c",
        "c/t2/davi/saida.txt",
        "c/t2/eva/x.c",
        "c/t3/x.c",
    ];
    assert_eq!(told(files(&classes), "c"), ["c/t1/caio", "c/t2/eva", "c/t3"]);
    // One submission in each class.
    let few = ["c/t1/ana/saida.txt", "c/t1/bia/x.c", "c/t2/caio/saida.txt", "c/t2/davi/x.c"];
    assert_eq!(told(files(&few), "c"), ["c/t1/bia", "c/t2/davi"]);
    // Other files of a student, next to a submission.
    let alike = ["t/ana/out/saida.txt", "t/ana/src/x.c", "t/bia/out/saida.txt", "t/bia/src/x.c"];
    assert!(told(files(&alike), "t").is_empty());
    assert!(
        told(files(&["t/ana/saida.txt", "t/ana/src/x.c", "t/bia/out/saida.txt", "t/bia/src/x.c"]), "t")
            .is_empty()
    );
    assert!(told(files(&["t/ana/saida.txt", "t/ana/src/x.c", "t/bia/saida.txt"]), "t/ana t/bia").is_empty());
    assert!(told(files(&["t/saida.txt", "t/src/x.c"]), "t").is_empty());
    // Folders named one by one.
    let desk = files(&["t/ana/saida.txt", "t/bia/x.c"]);
    std::fs::create_dir(desk.at("t/caio")).unwrap();
    let ran =
        desk.run("grade entrada.txt t/ana t/bia t/caio").exit(66).out("t/ana/saida.txt: 2 of 2: accepted\n");
    ran.err_says(&[
        "t/bia: nothing to grade: found x.c; ",
        "t/caio: nothing to grade: the folder is empty\n",
    ]);
    // If no name says what a file is, every text counts, as usual.
    for texts in [["t/ana/resposta.txt", "t/bia/x.c", "t/caio.txt"], ["t/ana.txt", "t/bia/x.c", "t/caio.txt"]]
    {
        let ran = files(&texts)
            .run("grade entrada.txt t")
            .exit(1)
            .err_says(&["t/bia: nothing to grade: found x.c; "]);
        assert_eq!((ran.out.lines().count(), ran.err.lines().count()), (2, 1));
    }
}

#[test]
fn a_class_that_moodle_packed_without_folders_is_one_of_students() {
    let files = [
        ("Ana Silva_101_assignsubmission_file_saida.txt", RIGHT),
        ("Bia_102_assignsubmission_file_resposta.txt", RIGHT),
        ("Caio_103_assignsubmission_file_saida", "1\n"),
        ("Caio_103_assignsubmission_onlinetext_onlinetext.html", "x"),
        ("Saida Sá_104_assignsubmission_file_x.c", "x"),
    ];
    let desk = desk().file("t.zip", zip(&files));
    let ran = desk.run("grade entrada.txt t.zip").exit(1).err_says(&[
        "t.zip/Bia_102_assignsubmission_file_: nothing to grade: found resposta.txt; ",
        "t.zip/Saida Sá_104_assignsubmission_file_: nothing to grade: found x.c; ",
    ]);
    assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    let expected = "\
t.zip/Ana Silva_101_assignsubmission_file_saida.txt: 2 of 2: accepted
t.zip/Caio_103_assignsubmission_file_saida: 1 of 2: missing at puzzle 2: the submission ends before it, expected 2
";
    ran.out(expected);
    // The worksheet of this class, with comments in Moodle's form, and without right answers.
    let desk = desk.file(
        "u.zip",
        zip(&[
            ("Ana_1_assignsubmission_file_/saida1.txt", "1\n3\n"),
            ("Ana_1_assignsubmission_file_/saida2.txt", "3\n3\n"),
            ("Bia_2_assignsubmission_file_/x.c", "x"),
            ("Caio_3_assignsubmission_file_/saida.txt", "1\n1\n"),
            ("Davi_4_assignsubmission_onlinetext_/onlinetext.html", "x"),
        ]),
    );
    let worksheet = "\
Identifier,Full name,Grade,Last modified (grade),Feedback comments
Participant 1,Ana,1,-,1 of 2: wrong answer at puzzle 2 (line 2): found 3
Participant 2,Bia,,-,nothing to grade: found x.c; a submission is called saida.txt
Participant 3,Caio,1,-,1 of 2: wrong answer at puzzle 2 (line 2): found 1
Participant 4,Davi,,-,nothing to grade: found onlinetext.html; a submission is called saida.txt
";
    desk.run("grade --format moodle entrada.txt u.zip").exit(1).out(worksheet);
    desk.run("grade --format moodle --reveal full entrada.txt u.zip")
        .exit(1)
        .out_says(&["found 3, expected 2\"\n"]);
    let html = zip(&[("Ana_1_assignsubmission_file_/saida.txt", "x <b>&\n2\n")]);
    let desk = desk.file("v.zip", html);
    desk.run("grade --format moodle entrada.txt v.zip")
        .exit(1)
        .out_says(&["(line 1): 'x &lt;b&gt;&amp;' is not an answer"]);
    let ran = desk.run("grade --format moodle --set language=pt entrada.txt t.zip").exit(1);
    ran.out_says(&[
        "Identificador,Nome completo,Nota,",
        "Participante102,Bia,,-,nada para corrigir: há resposta.txt; ",
    ]);
    // The program does not know who that is.
    let desk = desk.file("ana/saida.txt", RIGHT);
    let ran = desk.run("grade --format moodle entrada.txt ana u.zip").exit(65).out(worksheet);
    ran.err_says(&["ana/saida.txt: no ID of Moodle is known, so this submission is left out"]);
}

#[test]
fn a_list_of_students_adds_those_who_handed_in_nothing() {
    let list = "Nome;Sobrenome;Matrícula\nAna;Silva;1\nBia;;2\nCaio;Sá;3\nDavi;;4\n";
    let desk = desk()
        .file("t/silva_ana/saida.txt", RIGHT)
        .file("t/2/x.c", "x")
        .file("t/zeca/saida.txt", RIGHT)
        .file("turma.csv", list)
        .file("other.csv", "Grade\n1\n");
    let ran = desk.run("grade --students turma.csv entrada.txt t").exit(1);
    assert_eq!(
        ran.err,
        "tabuleiro: t/2: nothing to grade: found x.c; a submission is called saida.txt\n\
         tabuleiro: t/zeca/saida.txt: nobody in turma.csv is called that\n\
         tabuleiro: Caio Sá: nothing to grade: nothing was handed in\n\
         tabuleiro: Davi: nothing to grade: nothing was handed in\n"
    );
    let ran = desk
        .run("grade --students turma.csv --format csv entrada.txt t")
        .exit(1)
        .out_says(&["\nCaio Sá,,,,nothing-to-grade,,,,nothing to grade: nothing was handed in\n"]);
    assert_eq!(ran.out.lines().count(), 6, "{}", ran.out);
    desk.run("grade --students other.csv entrada.txt t")
        .exit(65)
        .out("")
        .err_says(&["other.csv: no column of students is known"]);
    desk.run("grade --students none.csv entrada.txt t").exit(66).out("");
}

/// No name of a file puts control characters or markup into a message.
#[test]
fn no_name_reaches_a_terminal_or_a_table_as_it_is() {
    let name = "=a\u{1b}[2J/\u{202e}b\u{7}.c";
    let desk = desk()
        .file(&format!("t/{name}"), "x")
        .file("t/ana/saida.txt", RIGHT)
        .file("t/z\u{1b}/x/saida.c", "x");
    std::fs::create_dir(desk.at("t/e\u{1b}")).unwrap();
    let mut entries = zip(&[("ana/saida.txt", RIGHT), (&name.replace('/', "_/"), "x")]);
    // The archive writer has escaped the name.
    let escaped = b"=a_[2J_";
    while let Some(at) = entries.windows(escaped.len()).position(|part| part == escaped) {
        entries[at + 2] = 0x1b;
    }
    let desk = desk.file("t.zip", entries);
    for command in
        ["grade entrada.txt t", "grade entrada.txt t.zip", "grade --format csv entrada.txt t t.zip"]
    {
        let ran = desk.run(command).exit(1).err_says(&["=a\\u{1b}[2J"]);
        for text in [&ran.out, &ran.err] {
            let is_harmless = |c: char| (c == '\n' || !c.is_control()) && c != '\u{202e}';
            assert!(text.chars().all(is_harmless), "{command}: {text:?}");
        }
    }
}
