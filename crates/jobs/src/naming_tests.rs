//! Tests the names: each rule, and properties that hold for every name.

use proptest::prelude::*;

use super::*;

const ID: &str = "20261121T121744.123456Z";

fn text(input: &str, output_kind: Output, job_id: Option<&str>) -> String {
    output(OsStr::new(input), output_kind, job_id).into_string().unwrap()
}

#[test]
fn the_rules_of_the_page() {
    for (input, result, json, report) in [
        ("entrada.txt", "saida.txt", "saida.json", "erro.txt"),
        ("turma2-entrada.txt", "turma2-saida.txt", "turma2-saida.json", "turma2-erro.txt"),
        ("ENTRADA.TXT", "SAIDA.TXT", "SAIDA.json", "ERRO.TXT"),
        ("turma2-Entrada.txt", "turma2-Saida.txt", "turma2-Saida.json", "turma2-Erro.txt"),
        ("eNTRADA.txt", "saida.txt", "saida.json", "erro.txt"),
        ("EnTrada.txt", "saida.txt", "saida.json", "erro.txt"),
        ("entrada-Entrada7.txt", "entrada-Saida7.txt", "entrada-Saida7.json", "entrada-Erro7.txt"),
        ("erro-entrada.txt", "erro-entrada.saida.txt", "erro-entrada.saida.json", "erro-entrada.erro.txt"),
        (
            "Saida-entrada.txt",
            "Saida-entrada.saida.txt",
            "Saida-entrada.saida.json",
            "Saida-entrada.erro.txt",
        ),
        (
            "notas-entrada.dat",
            "notas-entrada.dat.saida.txt",
            "notas-entrada.dat.saida.json",
            "notas-entrada.dat.erro.txt",
        ),
        ("saida.txt", "saida.saida.txt", "saida.saida.json", "saida.erro.txt"),
        ("trabalho.pdf", "trabalho.pdf.saida.txt", "trabalho.pdf.saida.json", "trabalho.pdf.erro.txt"),
        ("x.txt", "x.saida.txt", "x.saida.json", "x.erro.txt"),
        ("X.TXT", "X.saida.TXT", "X.saida.json", "X.erro.TXT"),
        ("a.dat", "a.dat.saida.txt", "a.dat.saida.json", "a.dat.erro.txt"),
        ("boards", "boards.saida.txt", "boards.saida.json", "boards.erro.txt"),
        ("entrada", "saida", "saida.json", "erro.txt"),
        ("entrada.dat", "saida.dat", "saida.dat.json", "erro.dat.txt"),
        ("x.entrada", "x.saida", "x.saida.json", "x.erro.txt"),
        (".txt", ".txt.saida.txt", ".txt.saida.json", ".txt.erro.txt"),
        ("a.txt.gz", "a.txt.gz.saida.txt", "a.txt.gz.saida.json", "a.txt.gz.erro.txt"),
        ("-rf $HOME\n.txt", "-rf $HOME\n.saida.txt", "-rf $HOME\n.saida.json", "-rf $HOME\n.erro.txt"),
    ] {
        assert_eq!(text(input, Output::Result, None), result, "{input:?}");
        assert_eq!(text(input, Output::ResultJson, None), json, "{input:?}");
        assert_eq!(text(input, Output::Report, None), report, "{input:?}");
    }
}

#[test]
fn what_moodle_puts_before_a_name_stays() {
    for (input, grade) in [
        ("Ana_101_assignsubmission_file_saida.txt", "Ana_101_assignsubmission_file_nota.txt"),
        ("Saida Guerro_7_assignsubmission_file_saida.txt", "Saida Guerro_7_assignsubmission_file_nota.txt"),
        ("Saida_7_assignsubmission_file_x.txt", "Saida_7_assignsubmission_file_x.nota.txt"),
        ("Saida_7_assignsubmission_file", "Nota_7_assignsubmission_file"),
    ] {
        assert_eq!(text(input, Output::Grade, None), grade);
    }
    let long = format!("Saida_7_assignsubmission_file_{}.txt", "x".repeat(221));
    let cut = text(&long, Output::Grade, None);
    assert!(cut.starts_with("Saida_7_assignsubmission_file_xxx") && cut.len() <= NAME_BYTES_MAX, "{cut}");
}

#[test]
fn a_path_names_moodle_s_participant_by_what_moodle_has_named() {
    let who = |path| MoodleName::of_path(path).map(|name| (name.student, name.id, name.file));
    assert_eq!(who("t/A b_1_assignsubmission_file_/x.txt"), Some(("A b", "1", "")));
    assert_eq!(who("t/A_b_1_assignsubmission_file/x.txt"), Some(("A_b", "1", "")));
    assert_eq!(who("A_1_assignsubmission_onlinetext_/o.html"), Some(("A", "1", "")));
    assert_eq!(who("t/A_1_assignsubmission_file_x.txt"), Some(("A", "1", "x.txt")));
    let below = "B_2_assignsubmission_file_x.txt";
    let [flat, in_folder] = ["", "/"].map(|end| format!("A_1_assignsubmission_file_{end}{below}"));
    assert_eq!(MoodleName::of_path(&flat).map(|name| (name.id, name.file)), Some(("1", below)));
    assert_eq!(MoodleName::of_path(&in_folder).map(|name| (name.id, name.file)), Some(("1", "")));
    // A participant whose name looks like a Moodle prefix.
    assert_eq!(who("B_2_assignsubmission_file_x_1_assignsubmission_file_/x.txt").unwrap().1, "1");
    for path in [
        "x.txt",
        "A_x_assignsubmission_file_/x.txt",
        "_1_assignsubmission_file_x.txt",
        "A_1_assignsubmission_filex/x",
    ] {
        assert_eq!(who(path), None, "{path}");
    }
}

#[test]
fn a_label_is_the_path_or_its_digest() {
    assert_eq!(label(Path::new("a/entrada.txt")), b"a/entrada.txt");
    let [long, longer] = [1000, 1001].map(|length| label(Path::new(&"x".repeat(length))));
    assert_eq!((long.len(), longer.len()), (1000, 64));
    assert_ne!(longer, label(Path::new(&"x".repeat(1002))));
}

#[test]
fn a_job_stands_before_the_extension() {
    for (input, result, json, report) in [
        ("entrada.txt", "saida.ID.txt", "saida.ID.json", "erro.ID.txt"),
        ("x.txt", "x.saida.ID.txt", "x.saida.ID.json", "x.erro.ID.txt"),
        ("a.dat", "a.dat.saida.ID.txt", "a.dat.saida.ID.json", "a.dat.erro.ID.txt"),
        ("entrada", "saida.ID", "saida.ID.json", "erro.ID.txt"),
        ("entrada.dat", "saida.ID.dat", "saida.ID.dat.json", "erro.dat.ID.txt"),
    ] {
        let named = |kind| text(input, kind, Some(ID));
        assert_eq!(named(Output::Result), result.replace("ID", ID));
        assert_eq!(named(Output::ResultJson), json.replace("ID", ID));
        assert_eq!(named(Output::Report), report.replace("ID", ID));
    }
    assert_eq!(
        text("x.txt", Output::Result, Some(&"9".repeat(300))),
        format!("x.saida.{}.txt", "9".repeat(64))
    );
}

#[test]
fn a_mirrored_folder_has_another_name_where_its_own_is_taken() {
    let path = |taken: &'static [&str]| {
        let is_own = |plain: &Path, _: &Path| taken.iter().any(|taken| Path::new(taken) == plain);
        mirrored(Path::new("a/b.txt/x.txt"), ID, is_own).into_os_string().into_string().unwrap()
    };
    assert_eq!(path(&[]), "a/b.txt/x.txt");
    assert_eq!(path(&["a/b.txt", "a/b.txt/x.txt"]), format!("a/b.{ID}.txt/x.txt"));
    assert_eq!(path(&["a", "b.txt"]), format!("a.{ID}/b.txt/x.txt"));
    let own_is_there = |_: &Path, own: &Path| own == Path::new(&format!("a.{ID}"));
    assert_eq!(mirrored(Path::new("a/x.txt"), ID, own_is_there), Path::new(&format!("a.{ID}/x.txt")));
    assert_eq!(mirrored(Path::new("x.txt"), ID, |_, _| true), Path::new("x.txt"));
}

#[test]
fn archived_inputs_have_the_job_in_their_name() {
    for (input, name) in [
        ("entrada.txt", "entrada.20261121T121744.123456Z.txt"),
        ("boards", "boards.20261121T121744.123456Z"),
        (".txt", ".txt.20261121T121744.123456Z"),
        ("a.tar.gz", "a.tar.20261121T121744.123456Z.gz"),
        ("x.", "x..20261121T121744.123456Z"),
    ] {
        assert_eq!(archived(OsStr::new(input), ID), name);
    }
    assert_eq!(archived(OsStr::new("x.txt"), &"9".repeat(300)), *format!("x.{}.txt", "9".repeat(64)));
    assert_eq!(archived(OsStr::new("x.txt"), "../a"), "x..._a.txt");
}

#[test]
fn long_names_are_cut_at_a_character_and_keep_their_ending() {
    let long = format!("{}.txt", "é".repeat(125));
    let name = text(&long, Output::Result, None);
    assert!(name.starts_with("éé") && name.ends_with(".saida.txt") && name.len() <= 255, "{name}");
    assert!(name.len() > 250, "{}", name.len());
    // Names that are equal up to the cut stay different; those of one file have the same digest.
    let [a, b] = ["a", "b"].map(|end| text(&format!("{}{end}", "x".repeat(250)), Output::Result, None));
    assert_ne!(a, b);
    let digest = |name: &str| name.split('~').nth(1).unwrap()[..16].to_owned();
    assert_eq!(digest(&a), digest(&text(&format!("{}a", "x".repeat(250)), Output::Report, None)));
    assert_eq!(digest(&name), "34227530c904c7f8");
}

#[test]
fn names_that_are_no_utf8_keep_their_bytes() {
    let name = output(OsStr::from_bytes(b"\xff\x80entrada\xfe.txt"), Output::Result, None);
    assert_eq!(name.as_bytes(), b"\xff\x80saida\xfe.txt");
    let name = output(OsStr::from_bytes(&[0x80; 255]), Output::Result, None);
    assert!(name.len() == 255 && name.as_bytes().ends_with(b".saida.txt"));
}

/// Generates names that a folder can hold, most of them close to one of the rules.
fn names() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        Just(b"entrada".to_vec()),
        Just(b"ENTRADA".to_vec()),
        Just(b".txt".to_vec()),
        Just(b".TXT".to_vec()),
        Just(b".".to_vec()),
        "[a-zé.~]{0,90}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..90),
    ];
    prop::collection::vec(part, 1..6).prop_map(|parts| {
        let mut name = parts.concat();
        name.retain(|byte| !matches!(byte, 0 | b'/'));
        name.truncate(NAME_BYTES_MAX);
        name
    })
}

#[test]
fn a_grade_is_named_by_its_submission() {
    let names = |input: &str| {
        [Output::Grade, Output::GradeJson]
            .map(|kind| output(OsStr::new(input), kind, None).into_string().unwrap())
    };
    assert_eq!(names("saida.txt"), ["nota.txt", "nota.json"]);
    assert_eq!(names("lista3-SAIDA.TXT"), ["lista3-NOTA.TXT", "lista3-NOTA.json"]);
    assert_eq!(names("Saida.txt"), ["Nota.txt", "Nota.json"]);
    assert_eq!(names("ana.txt"), ["ana.nota.txt", "ana.nota.json"]);
    assert_eq!(names("saida.dat"), ["nota.dat", "nota.dat.json"]);
    assert_eq!(names("nota-saida.txt"), ["nota-saida.nota.txt", "nota-saida.nota.json"]);
    assert_eq!(names("entrada-saida.txt"), ["entrada-saida.nota.txt", "entrada-saida.nota.json"]);
    let version = output(OsStr::new("saida.txt"), Output::GradeJson, Some("ID"));
    assert_eq!(version, "nota.ID.json");
}

#[test]
fn an_archive_gives_an_archive() {
    let name = |input: &str, kind| output(OsStr::new(input), kind, None).into_string().unwrap();
    assert_eq!(name("turma.zip", Output::Archive), "turma.saida.zip");
    assert_eq!(name("TURMA.ZIP", Output::Archive), "TURMA.saida.ZIP");
    assert_eq!(name("lista-entrada.zip", Output::Archive), "lista-saida.zip");
    assert_eq!(name("turma.zip", Output::Report), "turma.zip.erro.txt");
}

#[test]
fn an_input_without_a_name_is_not_archived_as_its_folder() {
    assert_eq!([archived(OsStr::new(""), ""), archived(OsStr::new(""), ".")], ["_.", "_.."]);
}

proptest! {
    #[test]
    fn every_name_is_a_name(input in names(), id in "[0-9TZ.]{0,80}") {
        let input = OsStr::from_bytes(&input);
        // An archive has no other kind of result.
        let outputs = [Output::Result, Output::ResultJson, Output::Report, Output::Grade, Output::GradeJson];
        let mut all: Vec<_> = outputs.iter().map(|kind| output(input, *kind, None)).collect();
        prop_assert_eq!(&all, &outputs.map(|kind| output(input, kind, None)));
        all.push(output(input, Output::Result, Some(&format!("{id}Z"))));
        all.push(archived(input, &format!("{id}Z")));
        for (index, name) in all.iter().enumerate() {
            let bytes = name.as_bytes();
            prop_assert!((1..=NAME_BYTES_MAX).contains(&bytes.len()));
            prop_assert!(!bytes.contains(&b'/') && !bytes.contains(&0));
            prop_assert!(bytes != b"." && bytes != b"..");
            prop_assert!(index > 5 || !all[..index].contains(name), "{name:?} twice");
            if input.to_str().is_some() {
                prop_assert!(name.to_str().is_some(), "{name:?} was cut inside a character");
            }
        }
        if !input.is_empty() {
            prop_assert!(outputs.iter().all(|kind| output(input, *kind, None) != input));
        }
    }

    /// Whatever name or ID a caller passes, the result stays inside its folder.
    #[test]
    fn no_name_leaves_its_folder(input in prop::collection::vec(any::<u8>(), 0..600), id in any::<String>()) {
        let input = OsStr::from_bytes(&input);
        for name in [output(input, Output::Result, None), output(input, Output::Report, Some(&id)), archived(input, &id)] {
            prop_assert!(!name.is_empty() && name.len() <= NAME_BYTES_MAX && name != "." && name != "..");
            prop_assert!(!name.as_bytes().contains(&b'/') && !name.as_bytes().contains(&0));
        }
    }
}

#[test]
fn files_with_grades_are_told_by_their_names() {
    for name in
        ["nota.json", "lista-nota.json", "x.nota.json", "NOTA.JSON", "nota.20261121T121744.123456Z.json"]
    {
        assert!(is_grade_json(OsStr::new(name)), "{name}");
    }
    for name in ["saida.json", "nota.txt", "nota", "nota.json.bak", "json"] {
        assert!(!is_grade_json(OsStr::new(name)), "{name}");
    }
}
