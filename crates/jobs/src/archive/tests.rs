//! Tests of valid and hostile archives, made byte by byte.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::*;
use tabuleiro_puzzles::words::{Language, Phrase};

const UTF8: u16 = 1 << 11;
const DESCRIPTOR: u16 = 1 << 3;
const ENCRYPTED: u16 = 1;

/// An entry to be written; every field can lie.
#[derive(Clone)]
struct Entry {
    name: Vec<u8>,
    flags: u16,
    method: u16,
    /// The data as they are stored.
    data: Vec<u8>,
    checksum: u32,
    bytes: u32,
    mode: u32,
    extra: Vec<u8>,
    /// The offset that the directory gives for the local header, if that is not the true one.
    header: Option<u32>,
}

fn stored(name: impl Into<Vec<u8>>, text: &[u8]) -> Entry {
    Entry {
        name: name.into(),
        flags: 0,
        method: 0,
        data: text.to_vec(),
        checksum: rawzip::crc32(text),
        bytes: text.len() as u32,
        mode: 0,
        extra: Vec::new(),
        header: None,
    }
}

fn deflated(name: &str, text: &[u8]) -> Entry {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    packer.write_all(text).unwrap();
    Entry { method: 8, data: packer.finish().unwrap(), ..stored(name, text) }
}

fn put(bytes: &mut Vec<u8>, fields: &[(u64, usize)]) {
    for (value, width) in fields {
        bytes.extend_from_slice(&value.to_le_bytes()[..*width]);
    }
}

/// Returns an archive of these entries whose directory declares `count` of them.
fn zip_of(entries: &[Entry], count: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut headers = Vec::new();
    for entry in entries {
        headers.push(bytes.len() as u32);
        let is_late = entry.flags & DESCRIPTOR != 0;
        let told = |value: u32| if is_late { 0 } else { u64::from(value) };
        put(
            &mut bytes,
            &[(0x0403_4b50, 4), (20, 2), (u64::from(entry.flags), 2), (u64::from(entry.method), 2)],
        );
        put(&mut bytes, &[(0, 2), (33, 2), (told(entry.checksum), 4), (told(entry.data.len() as u32), 4)]);
        put(&mut bytes, &[(told(entry.bytes), 4), (entry.name.len() as u64, 2), (0, 2)]);
        bytes.extend_from_slice(&entry.name);
        bytes.extend_from_slice(&entry.data);
        if is_late {
            put(
                &mut bytes,
                &[(0x0807_4b50, 4), (u64::from(entry.checksum), 4), (entry.data.len() as u64, 4)],
            );
            put(&mut bytes, &[(u64::from(entry.bytes), 4)]);
        }
    }
    let start = bytes.len();
    for (entry, header) in entries.iter().zip(headers) {
        put(&mut bytes, &[(0x0201_4b50, 4), (0x0314, 2), (20, 2), (u64::from(entry.flags), 2)]);
        put(&mut bytes, &[(u64::from(entry.method), 2), (0, 2), (33, 2), (u64::from(entry.checksum), 4)]);
        put(&mut bytes, &[(entry.data.len() as u64, 4), (u64::from(entry.bytes), 4)]);
        put(
            &mut bytes,
            &[(entry.name.len() as u64, 2), (entry.extra.len() as u64, 2), (0, 2), (0, 2), (0, 2)],
        );
        put(&mut bytes, &[(u64::from(entry.mode) << 16, 4), (u64::from(entry.header.unwrap_or(header)), 4)]);
        bytes.extend_from_slice(&entry.name);
        bytes.extend_from_slice(&entry.extra);
    }
    let size = bytes.len() - start;
    put(&mut bytes, &[(0x0605_4b50, 4), (0, 4), (count as u64, 2), (count as u64, 2)]);
    put(&mut bytes, &[(size as u64, 4), (start as u64, 4), (0, 2)]);
    bytes
}

fn zip(entries: &[Entry]) -> Vec<u8> {
    zip_of(entries, entries.len())
}

fn open(bytes: Vec<u8>) -> Archive<Cursor<Vec<u8>>> {
    Archive::open(Cursor::new(bytes)).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns why an archive is rejected.
fn fault(bytes: Vec<u8>) -> Phrase {
    match Archive::open(Cursor::new(bytes)) {
        Err(ArchiveError::Refused(fault)) => fault,
        Err(error) => panic!("{error}"),
        Ok(archive) => panic!("{:?}", archive.members()),
    }
}

/// Returns the paths of the members, each with its text or the name of what is wrong with it.
fn read(bytes: Vec<u8>) -> Vec<(String, Result<String, &'static str>)> {
    let archive = open(bytes);
    let read = |member: &Member| {
        let refused = |error| match error {
            ArchiveError::Refused(refusal) => refusal.name,
            ArchiveError::Read(error) => panic!("{error}"),
        };
        archive.check(member).map_err(refused)?;
        let mut text = String::new();
        archive.read(member).map_err(refused)?.read_to_string(&mut text).unwrap();
        Ok(text)
    };
    archive.members().iter().map(|member| (member.path().to_owned(), read(member))).collect()
}

/// Returns what reading an archive with this entry alone gives.
fn one(entry: Entry) -> Result<String, &'static str> {
    let [(_, result)] = read(zip(&[entry])).try_into().expect("one member");
    result
}

fn ok(path: &str, text: &str) -> (String, Result<String, &'static str>) {
    (path.to_owned(), Ok(text.to_owned()))
}

#[test]
fn members_come_in_order_of_name_folder_by_folder() {
    let late = Entry { flags: DESCRIPTOR, ..deflated("a/z.txt", b"late") };
    let bytes = zip(&[stored("a-b/c.txt", b"c"), late, stored("a/", b""), deflated("B.txt", b"b\nb\n")]);
    assert_eq!(read(bytes), [ok("B.txt", "b\nb\n"), ok("a/z.txt", "late"), ok("a-b/c.txt", "c")]);
    assert_eq!(read(zip(&[])), []);
}

#[test]
fn names_are_what_their_flag_says() {
    let cp437 = stored(*b"Ana \x84\xa0/sa\xa1da.txt", b"");
    let utf8 = Entry { flags: UTF8, ..stored("João/saída.txt", b"") };
    // As macOS writes names.
    let unmarked = stored("Zoë/saída.txt", b"");
    let mut extra = Vec::new();
    put(&mut extra, &[(0x7075, 2), (5 + "Êrica.txt".len() as u64, 2), (1, 1)]);
    put(&mut extra, &[(u64::from(rawzip::crc32(b"?rica.txt")), 4)]);
    extra.extend_from_slice("Êrica.txt".as_bytes());
    let with_field = Entry { extra: extra.clone(), ..stored("?rica.txt", b"") };
    let of_another = Entry { extra, ..stored("other.txt", b"") };
    let bytes = zip(&[cp437, utf8, unmarked, with_field, of_another]);
    let names: Vec<_> = read(bytes).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Ana äá/saída.txt", "João/saída.txt", "Zoë/saída.txt", "other.txt", "Êrica.txt"]);
    assert_eq!(one(Entry { flags: UTF8, ..stored(*b"a\xff.txt", b"") }), Err("encoding"));
}

/// Windows in Brazil writes names in code page 850, without marking them.
#[test]
fn names_that_code_page_437_would_give_boxes_or_greek_are_of_code_page_850() {
    for (name, expected) in [
        (&b"Jo\xc6o/sa\xa1da.txt"[..], "João/saída.txt"),
        (b"Concei\x87\xc6o", "Conceição"),
        (b"Sim\xe4es", "Simões"),
        (b"\xb5lvaro", "Álvaro"),
        (b"\xd6ris", "Íris"),
        (b"\xe0scar", "Óscar"),
        (b"\xe9rsula", "Úrsula"),
        // Characters that are the same in both code pages.
        (b"Andr\x82 L\xa2", "André Ló"),
        (b"caf\x82 \xf1", "café ±"),
    ] {
        assert_eq!(read(zip(&[stored(name, b"")]))[0].0, expected);
    }
}

/// However an archive is damaged, it or one of its members is refused; reading it from memory never fails.
#[test]
fn no_damage_is_an_error_of_reading() {
    let entries =
        [deflated("a/saida.txt", &b"1\n2\n".repeat(40)), Entry { flags: DESCRIPTOR, ..stored("b", b"2") }];
    // Fields of 64 bits.
    let mut extra = Vec::new();
    put(&mut extra, &[(1, 2), (16, 2), (3, 8), (1 << 63, 8)]);
    let wide = Entry { extra, header: Some(u32::MAX), bytes: u32::MAX, ..stored("w", b"123") };
    let check = |bytes: Vec<u8>, what: &dyn Fn() -> String| {
        let is_refused = |error: ArchiveError| match error {
            ArchiveError::Refused(_) => {}
            ArchiveError::Read(error) => panic!("{}: {error}", what()),
        };
        match Archive::open(OnDisk(Cursor::new(bytes))) {
            Err(error) => is_refused(error),
            Ok(archive) => {
                archive
                    .members()
                    .iter()
                    .filter_map(|member| archive.check(member).err())
                    .for_each(is_refused);
            }
        }
    };
    for bytes in [zip(&entries), zip(&[wide])] {
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] = value;
                check(changed, &|| format!("byte {at} is {value}"));
            }
            check(bytes[..at].to_vec(), &|| format!("cut to {at} bytes"));
            check(bytes[at..].to_vec(), &|| format!("without the first {at} bytes"));
        }
        for at in 0..bytes.len().saturating_sub(8) {
            let mut changed = bytes.clone();
            changed[at..at + 8].fill(0xff);
            check(changed, &|| format!("bytes from {at} on are ones"));
        }
    }
}

/// Refuses to seek beyond the largest file offset, as the system does.
struct OnDisk(Cursor<Vec<u8>>);

impl Read for OnDisk {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for OnDisk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if matches!(to, SeekFrom::Start(at) if i64::try_from(at).is_err()) {
            return Err(io::Error::from_raw_os_error(libc::EINVAL));
        }
        self.0.seek(to)
    }
}

#[test]
fn paths_that_may_lead_out_are_refused() {
    let paths = [
        "../x",
        "a/../../x",
        "/x",
        "\\x",
        "a\\..\\x",
        "C:/x",
        "c:x",
        "a//x",
        "./x",
        "a/./x",
        "a\0x",
        "",
        "..",
    ];
    for path in paths {
        assert_eq!(one(stored(path, b"x")), Err("outside"), "{path:?}");
    }
    assert_eq!(one(stored("a..b/...x", b"x")), Ok("x".to_owned()));
    assert_eq!(one(stored("a/".repeat(31) + "x", b"x")), Ok("x".to_owned()));
    assert_eq!(one(stored("a/".repeat(32) + "x", b"x")), Err("deep"));
    assert_eq!(one(stored("x".repeat(255), b"x")), Ok("x".to_owned()));
    assert_eq!(one(stored("x".repeat(256), b"x")), Err("long-name"));
    assert_eq!(one(stored(("x".repeat(250) + "/").repeat(5), b"").clone_as("y")), Err("long-name"));
}

impl Entry {
    /// Returns the same entry with `end` appended to its name.
    fn clone_as(&self, end: &str) -> Self {
        Self { name: [&self.name, end.as_bytes()].concat(), ..self.clone() }
    }
}

#[test]
fn what_is_no_plain_file_is_refused_alone() {
    let with_mode = |mode: u32| Entry { mode, ..stored("x", b"/etc/passwd") };
    assert_eq!(one(with_mode(0o120_777)), Err("link"));
    assert_eq!(one(with_mode(0o020_666)), Err("special"));
    assert_eq!(one(with_mode(0o010_644)), Err("special"));
    assert_eq!(one(with_mode(0o140_644)), Err("special"));
    assert_eq!(one(with_mode(0o100_644)), Ok("/etc/passwd".to_owned()));
    assert_eq!(read(zip(&[with_mode(0o040_755)])), []);
    assert_eq!(one(Entry { flags: ENCRYPTED, ..stored("x", b"x") }), Err("encrypted"));
    assert_eq!(one(Entry { method: 12, ..stored("x", b"x") }), Err("method"));
    assert_eq!(one(stored("ana/lista.ZIP", &zip(&[]))), Err("nested"));
    let bytes = zip(&[with_mode(0o120_777), stored("y.txt", b"y")]);
    assert_eq!(read(bytes), [("x".to_owned(), Err("link")), ok("y.txt", "y")]);
}

#[test]
fn what_macos_adds_is_passed_over() {
    let bytes =
        zip(&[stored("__MACOSX/a/._x.txt", b"?"), stored("a/.DS_Store", b"?"), stored("a/x.txt", b"x")]);
    assert_eq!(read(bytes), [ok("a/x.txt", "x")]);
}

#[test]
fn a_bomb_is_refused_by_what_it_says_and_by_what_it_does() {
    let zeros = vec![0; 4 << 20];
    let bomb = deflated("x", &zeros);
    // The endless output of a program packs this well. Its unpacked size is bounded, and no more than that is read.
    assert!(zeros.len() > 1000 * bomb.data.len());
    assert_eq!(one(bomb.clone()).map(|text| text.len()), Ok(zeros.len()));
    // The entry declares a small size, but is large.
    assert_eq!(
        one(Entry { bytes: 100, checksum: rawzip::crc32(&zeros[..100]), ..bomb.clone() }),
        Err("damaged")
    );
    let text = deflated("x", b"a text that is read as it is");
    assert_eq!(one(Entry { bytes: text.bytes - 1, ..text.clone() }), Err("damaged"));
    assert_eq!(one(Entry { bytes: text.bytes + 1, ..text.clone() }), Err("damaged"));
    assert_eq!(one(Entry { bytes: 0, ..text }), Err("damaged"));
}

const GIB: u32 = 1 << 30;

#[test]
fn the_largest_members_are_refused_until_the_others_are_within_the_limit() {
    let sized = |name: &str, bytes: u32| Entry { bytes, ..stored(name, b"x") };
    let refused = |entries: &[Entry]| -> Vec<_> {
        let archive = open(zip(entries));
        let members = archive.members().iter();
        let names: Vec<_> = members
            .filter(|member| matches!(member.refusal(), Some(Refusal::TooLarge { .. })))
            .map(|member| member.path().to_owned())
            .collect();
        let sum: u64 = archive.members().iter().map(Member::bytes).sum();
        assert!(sum <= UNPACKED_BYTES_MAX, "{sum}");
        names
    };
    assert!(refused(&[sized("a", GIB), sized("b", GIB)]).is_empty());
    assert_eq!(refused(&[sized("a", GIB), sized("b", GIB + 1), sized("c", 1)]), ["b"]);
    assert_eq!(refused(&[sized("a", 3 * GIB), sized("b", 2 * GIB), sized("c", 1)]), ["a", "b"]);
    assert_eq!(refused(&[sized("a", 1), sized("b", u32::MAX - 1), sized("c", 1)]), ["b"]);
    // 64-bit sizes, whose sum needs more than 64 bits.
    let huge = |name: &str| {
        let mut extra = Vec::new();
        put(&mut extra, &[(1, 2), (8, 2), (u64::MAX, 8)]);
        Entry { extra, ..sized(name, u32::MAX) }
    };
    assert_eq!(refused(&[huge("a"), huge("b"), huge("c"), sized("d", 1)]), ["a", "b", "c"]);
}

#[test]
fn a_damaged_member_costs_itself_alone() {
    let mut wrong = deflated("b", b"some text, and some more text");
    let mut cut = wrong.clone();
    cut.name = b"c".to_vec();
    cut.data.truncate(5);
    wrong.checksum ^= 1;
    let noise = Entry { data: vec![0xff; 9], ..deflated("d", b"abc") };
    let bytes = zip(&[stored("a", b"a"), wrong, cut, noise, stored("e", b"e")]);
    let results: Vec<_> = read(bytes).into_iter().map(|(_, result)| result).collect();
    let damaged = Err("damaged");
    assert_eq!(results, [Ok("a".to_owned()), damaged.clone(), damaged.clone(), damaged, Ok("e".to_owned())]);
}

#[test]
fn doubled_names_and_shared_data_refuse_the_archive() {
    let doubled = fault(zip(&[stored("a/x\u{202e}.txt", b"1"), stored("a/x\u{202e}.txt", b"2")]));
    assert_eq!(
        doubled.say(Language::English),
        "two members of the archive have the name a/x\\u{202e}.txt; make it again"
    );
    // The same name, once in its code page and once in UTF-8.
    let marked = Entry { flags: UTF8, ..stored("é", b"1") };
    assert_eq!(fault(zip(&[marked, stored(*b"\x82", b"2")])).name, "doubled");
    // The same data under two names.
    let again = Entry { header: Some(0), ..stored("b", b"1") };
    assert_eq!(fault(zip(&[stored("a", b"1"), again])).name, "overlap");
    // One entry inside the other.
    let inner = zip(&[stored("b", b"inner")]);
    let inner = &inner[..36];
    let outer = stored("a", inner);
    let hidden = Entry { header: Some(31), ..stored("b", b"inner") };
    assert_eq!(fault(zip(&[outer, hidden])).name, "overlap");
}

#[test]
fn a_directory_that_does_not_fit_refuses_the_archive() {
    assert_eq!(fault(b"Paulo, 7\n".to_vec()).name, "no-archive");
    assert_eq!(fault(Vec::new()).name, "no-archive");
    let entries = [stored("a", b"1"), stored("b", b"2")];
    let good = zip(&entries);
    for length in 0..good.len() {
        assert!(Archive::open(Cursor::new(good[..length].to_vec())).is_err(), "cut to {length} bytes");
    }
    assert_eq!(fault(zip_of(&entries, 1)).name, "directory");
    assert_eq!(fault(zip_of(&entries, 3)).name, "directory");
    assert_eq!(fault(zip_of(&[], 3)).name, "directory");
    // The directory points to no header, and beyond the end.
    assert_eq!(fault(zip(&[Entry { header: Some(1), ..stored("a", b"1") }])).name, "directory");
    assert_eq!(fault(zip(&[Entry { header: Some(1 << 30), ..stored("a", b"1") }])).name, "directory");
    // Data that reach into the directory.
    let mut long = zip(&[stored("a", b"1")]);
    let at = long.len() - 22 - 47 + 20;
    long[at] = 60;
    assert_eq!(fault(long).name, "directory");
    // A 64-bit size without its field.
    let huge = Entry { bytes: u32::MAX, ..stored("a", b"1") };
    assert_eq!(one(huge), Err("too-large"));
    let huge = Entry { header: Some(u32::MAX), ..stored("a", b"1") };
    assert_eq!(fault(zip(&[huge])).name, "directory");
}

#[test]
fn more_members_than_the_limit_refuse_the_archive() {
    let entries =
        |count: usize| (0..count).map(|number| stored(format!("{number}"), b"")).collect::<Vec<_>>();
    assert_eq!(open(zip(&entries(10_000))).members().len(), 10_000);
    assert_eq!(fault(zip(&entries(10_001))).name, "too-many");
    // The directory declares fewer.
    assert_eq!(fault(zip_of(&entries(10_001), 2)).name, "too-many");
}

fn written(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ArchiveWriter::in_memory();
    for (path, text) in members {
        archive.add_text(path, text).unwrap();
        // A member that is abandoned.
        archive.scratch_files()[0].begin().unwrap().write_all(&vec![7; 100_000]).unwrap();
    }
    archive.finish(Vec::new()).unwrap()
}

#[test]
fn what_is_written_is_read_and_is_always_the_same() {
    let text: Vec<u8> = (0..50_000_u32).flat_map(|number| format!("{number}\n").into_bytes()).collect();
    let members: [(&str, &[u8]); 4] = [("b/saída.txt", &text), ("a-b/c", b"c"), ("a/z", b""), ("D", b"d")];
    let bytes = written(&members);
    let text = String::from_utf8(text.clone()).unwrap();
    let expected = [ok("D", "d"), ok("a/z", ""), ok("a-b/c", "c"), ok("b/saída.txt", &text)];
    assert_eq!(read(bytes.clone()), expected);
    let mut turned = members;
    turned.reverse();
    assert_eq!(written(&turned), bytes);
    assert_eq!(read(written(&[])), []);
}

#[test]
fn two_members_are_written_at_a_time() {
    let mut archive = ArchiveWriter::in_memory();
    for name in ["a", "b"] {
        let [first, second, _] = archive.scratch_files();
        let (mut text, mut json) = (first.begin().unwrap(), second.begin().unwrap());
        for part in 0..1_000 {
            writeln!(text, "{name}{part}").unwrap();
            writeln!(json, "{part}{name}").unwrap();
        }
        let (text, json) = (text.end().unwrap(), json.end().unwrap());
        archive.add(&format!("{name}.txt"), text);
        archive.add(&format!("{name}.json"), json);
    }
    let found = read(archive.finish(Vec::new()).unwrap());
    let lines = |line: &dyn Fn(u32) -> String| (0..1_000).map(line).collect::<String>();
    let expected = [
        ok("a.json", &lines(&|part| format!("{part}a\n"))),
        ok("a.txt", &lines(&|part| format!("a{part}\n"))),
        ok("b.json", &lines(&|part| format!("{part}b\n"))),
        ok("b.txt", &lines(&|part| format!("b{part}\n"))),
    ];
    assert_eq!(found, expected);
}

#[test]
fn no_name_is_given_twice_and_no_file_is_a_folder() {
    let members: [(&str, &[u8]); 7] = [
        ("a.txt", b"1"),
        ("a.txt", b"2"),
        ("a.txt", b"3"),
        ("d/e", b"4"),
        ("d", b"5"),
        ("a.txt/b/c", b"6"),
        ("a.txt/b/d", b"7"),
    ];
    let expected = [
        ok("a.2.txt", "2"),
        ok("a.3.txt", "3"),
        ok("a.4.txt/b/c", "6"),
        ok("a.4.txt/b/d", "7"),
        ok("a.txt", "1"),
        ok("d/e", "4"),
        ok("d.2", "5"),
    ];
    assert_eq!(read(written(&members)), expected);
    let members: [(&str, &[u8]); 4] =
        [("12:30/x", b"1"), ("C:/a\\b", b"2"), ("12_30/x", b"3"), ("../y/", b"4")];
    let expected = [ok("12_30/x", "1"), ok("12_30/x.2", "3"), ok("C_/a_b", "2"), ok("_/y/_", "4")];
    assert_eq!(read(written(&members)), expected);
    // Names that are the same on some systems.
    let members: [(&str, &[u8]); 5] = [
        ("Ana/nota.txt", b"1"),
        ("ana/nota.txt", b"2"),
        ("ana/Nota.txt", b"3"),
        ("NUL", b"4"),
        ("a*?", b"5"),
    ];
    let expected = [
        ok("Ana/nota.txt", "1"),
        ok("NU_", "4"),
        ok("a__", "5"),
        ok("ana.2/Nota.2.txt", "3"),
        ok("ana.2/nota.txt", "2"),
    ];
    assert_eq!(read(written(&members)), expected);
}

#[test]
fn an_extended_time_comes_before_that_of_the_directory_and_the_earliest_is_none() {
    let modified = |extra: &[u8]| {
        let entry = Entry { extra: extra.to_vec(), ..stored("a.txt", b"1\n") };
        open(zip(&[entry])).members()[0].modified().map(|time| time.to_string())
    };
    assert_eq!(modified(b""), None);
    assert_eq!(modified(b"UT\x05\0\x01\0\x94\x35\x77"), Some("2033-05-18T03:33:20Z".to_owned()));
    let mut bytes = zip(&[stored("a.txt", b"1\n")]);
    let directory = bytes.windows(4).rposition(|part| part == b"PK\x01\x02").unwrap();
    // 31 December 2026, 23:59:58.
    bytes[directory + 12..directory + 16].copy_from_slice(&[0x7d, 0xbf, 0x9f, 0x5d]);
    assert_eq!(open(bytes).members()[0].modified().unwrap().to_string(), "2026-12-31T23:59:58");
}
