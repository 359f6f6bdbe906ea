//! Tests the page of the service: what anybody with access to the outbox can open, and what never appears on it.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use quick_xml::events::Event;
use rustix::fs::XattrFlags;
use tabuleiro_jobs::archive::ArchiveWriter;

use super::recovery::{slow_board, wait_until_begun};
use crate::harness::{BOARD_1, BOARD_2, Place, Service, run_in, wait_for};

const START: &str =
    "[intake]\nquiet_period = \"10ms\"\nrescan_interval = \"1h\"\n[page]\npath = \"outbox/index.html\"\n";
/// Adds JSON to every result.
const JSON: &str = "[results]\nformats = [\"txt\", \"json\"]\n";
const OWNER: &str = "[results]\nreaders = \"owner\"\n";
/// Grades submissions and answers all other files.
const GRADES: &str = r#"
[[route]]
name = "lista3"
files = ["turma/**/saida*"]
solver = "checkers-capture"
grade = "../lista3/entrada.txt"
[[route]]
name = "damas"
files = ["**/*entrada*"]
solver = "checkers-capture"
"#;

/// Elements without an end tag in HTML.
const VOID: [&str; 1] = ["meta"];

/// A parsed page.
#[derive(Debug, Default)]
struct Read {
    /// All readable text of the page, one line per piece.
    text: String,
    /// The text of each row of the table, and the targets of its links.
    rows: Vec<(String, Vec<String>)>,
}

impl Read {
    /// Parses a page as XML, which any page must allow.
    fn of(page: &str) -> Self {
        let body = page.strip_prefix("<!DOCTYPE html>").unwrap_or_else(|| panic!("no page: {page}"));
        let body = VOID.iter().fold(body.to_owned(), |body, name| closed(&body, name));
        let mut reader = quick_xml::Reader::from_str(&body);
        let mut read = Self::default();
        let (mut open, mut in_row) = (Vec::new(), false);
        loop {
            match reader.read_event().unwrap_or_else(|error| panic!("{error}: {page}")) {
                Event::Start(tag) => {
                    let name = tag.name().as_ref().to_owned();
                    assert!(!["script", "form"].contains(&name.as_str()), "{page}");
                    for attribute in tag.attributes() {
                        let attribute = attribute.unwrap();
                        let key = attribute.key.as_ref();
                        assert!(!key.starts_with("on") && key != "style", "{page}");
                        if key == "href" && in_row {
                            let link = attribute.normalized_value(quick_xml::XmlVersion::default()).unwrap();
                            read.rows.last_mut().unwrap().1.push(link.into_owned());
                        }
                    }
                    if name == "tr" && open.iter().any(|name| name == "tbody") {
                        read.rows.push(Default::default());
                        in_row = true;
                    }
                    open.push(name);
                }
                Event::End(_) => in_row &= open.pop().unwrap() != "tr",
                Event::Empty(_) => {}
                Event::Text(text) => read.add(&text, in_row, &open),
                Event::GeneralRef(name) => {
                    let name: &str = name.as_ref();
                    let named = [("lt", "<"), ("gt", ">"), ("amp", "&"), ("quot", "\"")];
                    let known =
                        named.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}"));
                    read.add(known.1, in_row, &open);
                }
                Event::Eof => break,
                other => panic!("{other:?}"),
            }
        }
        assert!(open.is_empty(), "{open:?}");
        read
    }

    fn add(&mut self, text: &str, in_row: bool, open: &[String]) {
        if open.last().is_some_and(|name| name == "style") {
            return;
        }
        self.text.push_str(text);
        if in_row {
            self.rows.last_mut().unwrap().0.push_str(text);
        }
    }

    /// Returns the rows that contain a text.
    fn with(&self, text: &str) -> Vec<&(String, Vec<String>)> {
        self.rows.iter().filter(|(row, _)| row.contains(text)).collect()
    }
}

/// Closes all elements of a name in a page.
fn closed(page: &str, name: &str) -> String {
    let begin = format!("<{name} ");
    let mut parts = page.split(&begin);
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |page, part| page + &begin + &part.replacen('>', "/>", 1))
}

/// Decodes the bytes of a link.
fn decoded(link: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = link.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        assert!(!b"?#:\\".contains(&byte), "{link}");
        let (byte, after) = match byte {
            b'%' => (u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap(), &after[2..]),
            byte => (byte, after),
        };
        bytes.push(byte);
        rest = after;
    }
    OsString::from_vec(bytes).into()
}

/// Waits until the page at `path` satisfies a condition.
fn wait_for_page_at(service: &Service, path: &str, is_so: impl Fn(&Read) -> bool) -> Read {
    let mut last = String::new();
    wait_for(&format!("the page\n{}", service.log()), || {
        last = fs::read_to_string(service.at(path)).ok()?;
        let read = Read::of(&last);
        is_so(&read).then_some(read)
    })
}

fn wait_for_page(service: &Service, is_so: impl Fn(&Read) -> bool) -> Read {
    wait_for_page_at(service, "outbox/index.html", is_so)
}

/// Returns the page after the service has ended, which shows everything that it knows.
fn last_page(place: &Place) -> Read {
    let read = Read::of(&fs::read_to_string(place.at("outbox/index.html")).unwrap());
    assert!(read.text.contains("The service has ended"), "{}", read.text);
    read
}

#[test]
fn files_appear_with_their_answers_and_links_that_lead_to_their_results() {
    let service = Place::new().config(&format!("{START}{JSON}")).start();
    wait_for_page(&service, |page| page.text.contains("No file was answered yet."));
    service.drop_file("turma/entrada.txt", BOARD_1.replace("0 0\n", "7 7 7\n") + BOARD_2);
    service.drop_file("letter-entrada.txt", "Dear <b>Sir</b>");
    let page = wait_for_page(&service, |page| page.rows.len() == 2);
    let (answered, links) = page.with("turma/entrada.txt")[0];
    assert!(answered.contains("checkers-capture") && answered.contains(" puzzle"), "{answered}");
    let content = |link: &String| fs::read_to_string(service.at("outbox").join(decoded(link))).unwrap();
    let found: Vec<_> = links.iter().map(content).collect();
    assert!(answered.contains("text") && answered.contains("JSON"), "{answered}");
    assert!(found[0].starts_with("1\n") && found[1].starts_with('{') && found.len() == 2, "{found:?}");
    let (rejected, links) = page.with("letter-entrada.txt")[0];
    assert!(
        rejected.contains("rejected: no puzzle for checkers-capture in the file: the file has only words"),
        "{rejected}"
    );
    assert!(rejected.ends_with("report ") && content(&links[0]).starts_with("rejected: "), "{rejected}");
    assert!(page.text.contains(env!("CARGO_PKG_VERSION")) && page.text.contains("free for results"));
    let text = fs::read_to_string(service.at("outbox/index.html")).unwrap();
    assert!(text.contains("<a href=\"\">Reload</a>") && !text.contains("\"refresh\""), "{text}");
    // The readers of results can read the page, and no temporary file stays next to it.
    let path = service.at("outbox/index.html");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o644);
    assert!(!service.at("outbox/.tabuleiro-index.html").exists());
    let status = String::from_utf8(run_in(&service.at(""), &["status"], "").stdout).unwrap();
    assert!(!status.contains("not written"), "{status}");
    let _ = service.stop();
}

/// The page shows waiting files while the service runs, and none after the service has ended on its own.
#[test]
fn after_serve_once_no_file_waits() {
    let config = START.replace("[page]", "claims_max = 1\n[page]");
    let files = (0..60).fold(Place::new().config(&config), |place, number| {
        place.file(&format!("inbox/{number}-entrada.txt"), BOARD_1)
    });
    let (place, output) = files.argument("--once").run();
    assert!(output.status.success(), "{output:?}");
    let page = last_page(&place);
    assert!(page.text.contains("60 files answered"), "{}", page.text);
    assert!(page.text.contains("No file is waiting, and none is being answered."), "{}", page.text);
}

#[test]
fn what_is_in_hand_is_told_with_how_far_it_is() {
    let slow = super::recovery::SLOW.replace("[workers]", "[page]\npath = \"outbox/index.html\"\n[workers]");
    let service = Place::new().config(&slow).start();
    service.drop_file("slow <1>.txt", slow_board());
    wait_until_begun(&service, 1);
    let page =
        wait_for_page(&service, |page| page.text.contains("slow <1>.txt: 0 %, 0 puzzles answered, for "));
    assert!(page.rows.is_empty());
    wait_for_page(&service, |page| page.text.contains("puzzle 1 of 1, for "));
    let _ = service.kill();
}

#[test]
fn a_restart_does_not_empty_the_page_and_a_replaced_answer_is_not_linked() {
    let service = Place::new().config(&format!("{START}{JSON}")).start();
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(0);
    service.drop_file("entrada.txt", BOARD_2);
    service.expect("saida.txt", "2\n");
    // A report that was replaced by an answer.
    service.drop_file("letter-entrada.txt", "Dear Sir");
    service.expect_some("letter-erro.txt");
    service.wait_until_idle(0);
    service.drop_file("letter-entrada.txt", BOARD_1);
    service.expect("letter-saida.txt", "1\n");
    service.wait_until_idle(0);
    let place = service.stop();
    let before = last_page(&place);
    assert_eq!(before.rows.len(), 4, "{before:?}");
    let rows: Vec<_> = before.rows.iter().filter(|(row, _)| !row.contains("letter")).collect();
    assert_eq!(rows[0].1, ["saida.txt", "saida.json"]);
    assert!(rows[1].0.ends_with("no longer there") && rows[1].1.is_empty(), "{rows:?}");
    let letters = before.with("letter");
    assert_eq!(letters[0].1, ["letter-saida.txt", "letter-saida.json"]);
    assert!(letters[1].0.ends_with("no longer there") && letters[1].1.is_empty(), "{letters:?}");
    fs::remove_file(place.at("outbox/index.html")).unwrap();
    let service = place.start();
    let after = wait_for_page(&service, |page| page.rows.len() == 4);
    assert_eq!(after.rows, before.rows);
    let _ = service.stop();
}

#[test]
fn grades_and_who_was_graded_never_appear() {
    let place = Place::new().config(&format!("{START}{GRADES}")).file("lista3/entrada.txt", BOARD_1);
    let service = place.start();
    service.drop_file("turma/ana/saida.txt", "1\n");
    // A file rejected on a route that grades.
    service.drop_file("turma/bia/saida-2.zip", "no archive");
    service.drop_file("turma/entrada.txt", BOARD_2);
    service.drop_file("turma.zip", archive("caio/saida.txt", "1\n"));
    service.drop_file("boards.zip", archive("entrada.txt", BOARD_1));
    for output in ["turma/ana/nota.txt", "turma/saida.txt"] {
        service.expect_some(output);
    }
    service.wait_until_idle(0);
    let place = service.stop();
    let is_silent = |page: &Read| {
        let mut files: Vec<_> = page.rows.iter().map(|(_, links)| links.clone()).collect();
        files.sort();
        assert_eq!(files, [["boards.saida.zip"], ["turma/saida.txt"]], "{page:?}");
        for hidden in ["ana", "bia", "caio", "nota", "turma.zip", "saida-2", "lista3", "accepted"] {
            assert!(!page.text.contains(hidden), "{hidden}: {}", page.text);
        }
    };
    is_silent(&last_page(&place));
    // Nor when the entries come from the history.
    let service = place.start();
    is_silent(&wait_for_page(&service, |page| !page.text.contains("The service has ended")));
    let _ = service.stop();
}

/// Packs one member into an archive.
fn archive(name: &str, content: &str) -> Vec<u8> {
    let mut archive = ArchiveWriter::in_memory();
    archive.add_text(name, content.as_bytes()).unwrap();
    archive.finish(Vec::new()).unwrap()
}

#[test]
fn what_only_owners_read_is_only_counted_then_and_later() {
    let config = |readers: &str| format!("{START}{readers}");
    let service = Place::new().config(&config("")).start();
    service.drop_file("public-entrada.txt", BOARD_1);
    wait_for_page(&service, |page| page.with("public-entrada.txt").len() == 1);
    service.wait_until_idle(0);
    service.reload(&config(OWNER));
    service.drop_file("secret-entrada.txt", BOARD_2);
    service.drop_file("secret-letter-entrada.txt", "Dear Sir");
    service.expect_some("secret-saida.txt");
    service.expect_some("secret-letter-erro.txt");
    service.wait_until_idle(0);
    let page = wait_for_page(&service, |page| page.text.contains("2 files answered (2 puzzles), 1 rejected"));
    assert!(page.rows.is_empty() && !page.text.contains("entrada"), "{page:?}");
    assert!(page.text.contains("Names and answers are not shown"), "{page:?}");
    // Files shown only to owners stay hidden under another configuration and after a restart.
    service.reload(&config(""));
    service.drop_file("other-entrada.txt", BOARD_1);
    let known = |page: &Read| page.with("other-entrada.txt").len() == 1;
    let page = wait_for_page(&service, known);
    assert!(page.rows.len() == 2 && !page.text.contains("secret"), "{page:?}");
    let service = service.stop().start();
    let page = wait_for_page(&service, |page| !page.text.contains("The service has ended"));
    assert!(page.rows.len() == 2 && known(&page) && !page.text.contains("secret"), "{page:?}");
    let _ = service.stop();
}

#[test]
fn what_only_owners_read_is_not_named_while_it_is_in_hand() {
    let slow = super::recovery::SLOW.replace("[workers]", "[page]\npath = \"outbox/index.html\"\n[workers]");
    let service = Place::new().config(&format!("{slow}{OWNER}")).start();
    service.drop_file("slow.txt", slow_board());
    wait_until_begun(&service, 1);
    let page = wait_for_page(&service, |page| page.text.contains("1 file being worked on, not named here"));
    assert!(!page.text.contains("slow"), "{page:?}");
    let _ = service.kill();
}

#[test]
fn a_person_s_file_stays_and_is_told_once() {
    let place = Place::new().config(START).file("outbox/index.html", "a person's");
    if fs::File::open(place.at("outbox/index.html"))
        .and_then(|file| Ok(rustix::fs::fsetxattr(&file, "user.test", b"1", XattrFlags::empty())?))
        .is_err()
    {
        eprintln!("SKIPPED: the file system keeps no attributes");
        return;
    }
    let service = place.start();
    service
        .wait_for_log("warning: the page cannot be written|outbox/index.html is somebody else's, and stays");
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(0);
    let status = || {
        let text = String::from_utf8(run_in(&service.at(""), &["status"], "").stdout).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(
        status().contains("page not written: ") && status().contains("is somebody else's"),
        "{}",
        status()
    );
    let place = service.stop();
    assert_eq!(fs::read_to_string(place.at("outbox/index.html")).unwrap(), "a person's");
    let log = fs::read_to_string(place.at("stderr.log")).unwrap();
    assert_eq!(log.matches("the page cannot be written").count(), 1, "{log}");
    // When the obstacle is gone, the service writes the page.
    fs::remove_file(place.at("outbox/index.html")).unwrap();
    let service = place.start();
    wait_for_page(&service, |page| page.rows.len() == 1);
    let _ = service.stop();
}

#[test]
fn a_symbolic_link_is_not_followed() {
    let place = Place::new().config(START).file("elsewhere.html", "a person's").file("outbox/x", "");
    symlink("../elsewhere.html", place.at("outbox/index.html")).unwrap();
    let service = place.start();
    service.wait_for_log("warning: the page cannot be written");
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    let place = service.stop();
    assert_eq!(fs::read_to_string(place.at("elsewhere.html")).unwrap(), "a person's");
    assert!(place.at("outbox/index.html").is_symlink());
}

#[test]
fn hostile_names_stay_text_and_their_links_lead_to_their_files() {
    let service = Place::new().config(START).start();
    let names: [&[u8]; 8] = [
        b"script><script>alert(1)-entrada.txt",
        b"\"'&amp;-entrada.txt",
        b"new\nline-entrada.txt",
        b"%41#?x=1&y;-entrada.txt",
        b"javascript:x-entrada.txt",
        b"\xff\xfe-entrada.txt",
        "é \u{202e} 日本-entrada.txt".as_bytes(),
        b"a\\b..-entrada.txt",
    ];
    // In a folder whose name can end an element and begin another.
    for (number, name) in names.iter().enumerate() {
        let folder = service.at("inbox/a%2F:b<");
        fs::create_dir_all(&folder).unwrap();
        let mut board = format!("# {number}\n").into_bytes();
        board.extend_from_slice(BOARD_1.as_bytes());
        fs::write(service.at("new"), board).unwrap();
        fs::rename(service.at("new"), folder.join(OsString::from_vec(name.to_vec()))).unwrap();
    }
    let page = wait_for_page(&service, |page| page.rows.len() == names.len());
    for (row, links) in &page.rows {
        let [link] = links.as_slice() else { panic!("{row}: {links:?}") };
        let output = service.at("outbox").join(decoded(link));
        assert_eq!(fs::read_to_string(&output).unwrap(), "1\n", "{link}");
        // The link leads to the output of that row's own file, as the attribute of the output shows.
        let mut input = vec![0; 1000];
        let length = rustix::fs::getxattr(&output, "user.tabuleiro.input", &mut input[..]).unwrap();
        let shown = tabuleiro_puzzles::input::printable(&input[..length], 1000);
        assert!(row.contains(&shown), "{row}: {shown}");
    }
    let text = fs::read_to_string(service.at("outbox/index.html")).unwrap();
    assert!(!text.contains("<script") && !text.contains("</script") && !text.contains("\u{202e}"), "{text}");
    let _ = service.stop();
}

#[test]
fn the_page_may_lie_above_the_outbox_and_elsewhere_it_has_no_links() {
    for (path, link) in [("index.html", Some("outbox/saida.txt")), ("www/index.html", None)] {
        let config = START.replace("outbox/index.html", path);
        let service = Place::new().config(&config).file("www/x", "").start();
        service.drop_file("entrada.txt", BOARD_1);
        let page = wait_for_page_at(&service, path, |page| page.rows.len() == 1);
        assert_eq!(page.rows[0].1, link.into_iter().collect::<Vec<_>>(), "{page:?}");
        assert!(link.is_some() || page.rows[0].0.contains("text: saida.txt"), "{page:?}");
        let _ = service.stop();
    }
}

#[test]
fn what_cannot_be_taken_is_told_in_the_language_of_results() {
    let config = format!("{START}[results]\nlanguage = \"pt\"\n");
    let service = Place::new().config(&config).start();
    service.drop_file("letter-entrada.txt", "Prezados");
    let page = wait_for_page(&service, |page| page.rows.len() == 1);
    let row = &page.rows[0].0;
    assert!(row.contains("rejeitado: não há no arquivo nada que checkers-capture possa resolver"), "{row}");
    assert!(
        page.text.contains("Últimos arquivos") && page.text.contains("livre para resultados"),
        "{page:?}"
    );
    service.wait_until_idle(0);
    let place = service.stop();
    // The history also shows it in that language.
    let service = place.start();
    let page = wait_for_page(&service, |page| !page.text.contains("O serviço terminou"));
    assert_eq!(&page.rows[0].0, row);
    let _ = service.stop();
}
