//! Checks archives of any bytes: reading stays within the limits, and paths stay inside the archive.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Component, Path};

use tabuleiro_jobs::archive::{Archive, ArchiveError, ArchiveWriter, MEMBERS_MAX, UNPACKED_BYTES_MAX};
use tabuleiro_puzzles::words::{Language, Phrase};

/// Maximum number of names in a path, and bytes of one.
const DEPTH_MAX: usize = 32;
const NAME_BYTES_MAX: usize = 255;
/// Maximum bytes of the reason why a member is not read, including a name.
const TOLD_BYTES_MAX: usize = 400 + 1024;

/// Opens an archive and reads all of it.
pub fn check(data: &[u8]) {
    let archive = match Archive::open(Cursor::new(data)) {
        Ok(archive) => archive,
        Err(error) => return refused(&error),
    };
    let pieces = Archive::open(Trickle(Cursor::new(data))).expect("read in pieces it is no other");
    assert!(archive.members().len() as u64 <= MEMBERS_MAX);
    let (mut unpacked, mut read) = (0, Vec::new());
    for (member, in_pieces) in archive.members().iter().zip(pieces.members()) {
        assert_eq!((member.path(), member.refusal()), (in_pieces.path(), in_pieces.refusal()));
        assert!(!member.printable_path().contains(char::is_control), "{member:?}");
        if let Err(error) = archive.check(member) {
            assert!(pieces.check(in_pieces).is_err(), "{member:?}");
            refused(&error);
            continue;
        }
        stays_inside(member.path());
        let text = text(archive.read(member));
        assert_eq!(text, self::text(pieces.read(in_pieces)), "{member:?}");
        unpacked += text.len() as u64;
        read.push((member.path(), text));
    }
    assert!(unpacked <= UNPACKED_BYTES_MAX, "{unpacked} bytes");
    assert!(read.is_sorted_by(|(a, _), (b, _)| a.split('/').lt(b.split('/'))), "{read:?}");
    written(&read);
}

/// Writes what was read, reads it again and compares.
fn written(read: &[(&str, Vec<u8>)]) {
    let mut writer = ArchiveWriter::in_memory();
    let mut names = Vec::new();
    for (path, text) in read {
        names.push(writer.add_text(path, text).expect("memory can be written"));
    }
    let bytes = writer.finish(Vec::new()).expect("memory can be written");
    let archive = Archive::open(Cursor::new(bytes)).expect("what is written can be read");
    // Making a name safe can turn it into one that macOS writes, which readers skip.
    let is_wanted =
        |name: &str| !name.starts_with("__MACOSX/") && name.rsplit('/').next() != Some(".DS_Store");
    let wanted = || names.iter().zip(read).filter(|(name, _)| is_wanted(name));
    assert_eq!(archive.members().len(), wanted().count());
    for (name, (path, text)) in wanted() {
        let member = archive.members().iter().find(|member| member.path() == name);
        let member = member.unwrap_or_else(|| panic!("{path} is not there as {name}"));
        if member.refusal().is_none() {
            assert_eq!(self::text(archive.read(member)), *text, "{path}");
        }
    }
}

fn text(reader: Result<Box<dyn Read + '_>, ArchiveError>) -> Vec<u8> {
    let mut text = Vec::new();
    let read = reader.expect("it was checked").read_to_end(&mut text);
    read.expect("it was checked");
    text
}

fn stays_inside(path: &str) {
    let mut names = 0;
    for name in Path::new(path).components() {
        let Component::Normal(name) = name else { panic!("{path:?} leads somewhere else") };
        assert!(name.len() <= NAME_BYTES_MAX, "{path:?}");
        names += 1;
    }
    assert!((1..=DEPTH_MAX).contains(&names), "{path:?}");
    assert!(!path.contains(['\\', '\0']) && !path.ends_with('/') && !path.contains("//"), "{path:?}");
}

fn refused(error: &ArchiveError) {
    let told = |phrase: &Phrase, language| phrase.say(language);
    let ArchiveError::Refused(phrase) = error else { panic!("memory can be read: {error}") };
    for language in [Language::English, Language::Portuguese] {
        let told = told(phrase, language);
        assert!(!told.contains(char::is_control) && told.len() < TOLD_BYTES_MAX, "{told:?}");
    }
}

/// Returns one byte per call.
struct Trickle<'a>(Cursor<&'a [u8]>);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(&mut buffer[..length])
    }
}

impl Seek for Trickle<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}
