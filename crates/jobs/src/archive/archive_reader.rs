//! Lists the members of an archive and unpacks them.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::io::{self, Read, Seek, SeekFrom};

use flate2::read::DeflateDecoder;
use rawzip::time::{TimeZone, ZipDateTimeKind};
use rawzip::{
    CompressionMethod, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder,
    ZipFileHeaderRecord, ZipLocator,
};
use sha2::{Digest, Sha256};
use time::macros::datetime;
use time::{Date, Month, PrimitiveDateTime};

use super::member_path::{decoded, is_archive, is_of_the_system, judge};
use super::{ArchiveError, Refusal};
use crate::grading::Modified;
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::solver::format_size;

/// The most members of an archive.
pub const MEMBERS_MAX: u64 = 10_000;
/// The most bytes to which an archive may unpack.
pub const UNPACKED_BYTES_MAX: u64 = 2 << 30;
/// Bytes of a name that are shown.
pub(super) const SHOWN_BYTES_MAX: usize = 1024;

/// The bits of a mode that hold the kind of a file, and the kinds that are expected.
const KIND: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;
const LINK: u32 = 0o120_000;
/// The earliest date and time that an entry can have.
const NO_TIME: PrimitiveDateTime = datetime!(1980-01-01 00:00);

/// An archive whose members can be read.
pub struct Archive<R> {
    zip: ZipArchive<At<R>>,
    members: Vec<Member>,
    folders: Vec<String>,
}

/// A member: a file with its path in the archive.
#[derive(Debug)]
pub struct Member {
    path: String,
    modified: Option<Modified>,
    /// The packed data, unless the member is refused.
    data: Result<Packed, Refusal>,
}

/// Where the data of a member are, and how they are packed. The sizes that the archive declares are within the limits,
/// and reading enforces the declared sizes.
#[derive(Debug)]
struct Packed {
    found_by: ZipArchiveEntryWayfinder,
    is_deflated: bool,
    /// Bytes to which the member unpacks.
    bytes: u64,
}

/// A source with random access, and its length in bytes.
struct At<R>(RefCell<R>, u64);

impl<R: Read + Seek> ReaderAt for At<R> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // A damaged archive may name any offset, and no file system can seek to all of them.
        if offset >= self.1 {
            return Ok(0);
        }
        let mut source = self.0.borrow_mut();
        source.seek(SeekFrom::Start(offset))?;
        source.read(buffer)
    }
}

impl Member {
    /// Returns the path in the archive: relative, with `/` between names, and printable if the member is refused.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the path in printable form.
    pub fn printable_path(&self) -> String {
        printable(self.path.as_bytes(), SHOWN_BYTES_MAX)
    }

    /// Returns whether an output can stand beside the member, because nothing is wrong with its path.
    pub fn is_placed(&self) -> bool {
        judge(&self.path).is_ok() && !matches!(self.data, Err(Refusal::Encoding))
    }

    /// Returns the most bytes to which the member unpacks; 0 if it is refused.
    pub fn bytes(&self) -> u64 {
        self.data.as_ref().map_or(0, |packed| packed.bytes)
    }

    /// Returns when the member was last changed, if the archive says so.
    pub fn modified(&self) -> Option<Modified> {
        self.modified
    }

    /// Returns why the member is not read; `None` if it can be read.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.data.as_ref().err()
    }
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the central directory and checks all of it.
    ///
    /// # Errors
    /// Returns an [`ArchiveError`] if none of the members can be trusted.
    pub fn open(mut source: R) -> Result<Self, ArchiveError> {
        let bytes = source.seek(SeekFrom::End(0)).map_err(ArchiveError::Read)?;
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let located = ZipLocator::new().locate_in_reader(At(RefCell::new(source), bytes), &mut buffer, bytes);
        let zip = located.map_err(|(_, error)| error)?;
        if zip.entries_hint() > MEMBERS_MAX {
            return Err(Refusal::TooMany { members_max: MEMBERS_MAX }.into());
        }
        let mut listing = Listing::default();
        let mut entries = zip.entries(&mut buffer);
        while let Some(entry) = entries.next_entry()? {
            listing.add(&entry)?;
        }
        if listing.names.len() as u64 != zip.entries_hint() {
            return Err(Refusal::Directory.into());
        }
        check_places(&zip, &listing.places)?;
        let Listing { mut members, folders, .. } = listing;
        refuse_too_large(&mut members);
        members.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
        Ok(Self { zip, members, folders })
    }

    /// Returns the files, in order of name, folder by folder.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns the paths of folders that have an entry of their own, such as empty ones.
    pub fn folders(&self) -> &[String] {
        &self.folders
    }

    /// Reads a member. Reading fails as soon as the member has more or other bytes than the archive declares, so it
    /// stays within the limits.
    ///
    /// # Errors
    /// Returns an [`ArchiveError`] if the member is refused or reading fails.
    pub fn read(&self, member: &Member) -> Result<Box<dyn Read + '_>, ArchiveError> {
        let Packed { found_by, is_deflated, .. } = member.data.as_ref().map_err(Clone::clone)?;
        let entry = self.zip.get_entry(*found_by)?;
        let data = entry.reader();
        Ok(if *is_deflated {
            Box::new(entry.verifying_reader(DeflateDecoder::new(data)))
        } else {
            Box::new(entry.verifying_reader(data))
        })
    }

    /// Unpacks a member and discards the data, to detect damage before anything is made from the member.
    ///
    /// # Errors
    /// Fails like [`Self::read`], or if the member is damaged.
    pub fn check(&self, member: &Member) -> Result<(), ArchiveError> {
        let unpacked = io::copy(&mut self.read(member)?, &mut io::sink());
        unpacked.map(drop).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
                Refusal::Damaged.into()
            }
            _ => ArchiveError::Read(error),
        })
    }
}

/// The entries that the central directory lists.
#[derive(Default)]
struct Listing {
    members: Vec<Member>,
    /// Where the local headers of all entries begin, including those that are not read.
    places: Vec<(u64, ZipArchiveEntryWayfinder)>,
    /// Digests of the names, because names may be long.
    names: HashSet<[u8; 32]>,
    folders: Vec<String>,
}

impl Listing {
    fn add(&mut self, entry: &ZipFileHeaderRecord<'_>) -> Result<(), ArchiveError> {
        if self.names.len() as u64 == MEMBERS_MAX {
            return Err(Refusal::TooMany { members_max: MEMBERS_MAX }.into());
        }
        let raw = entry.file_path().as_bytes();
        let name = decoded(raw, entry.flags().is_utf8(), entry.extra_fields());
        let path = name.as_ref().map_or_else(|_| printable(raw, SHOWN_BYTES_MAX), Clone::clone);
        if !self.names.insert(Sha256::digest(&path).into()) {
            let name = printable(path.as_bytes(), SHOWN_BYTES_MAX);
            return Err(Refusal::Doubled { name }.into());
        }
        self.places.push((entry.local_header_offset(), entry.wayfinder()));
        let kind = entry.external_attributes() >> 16 & KIND;
        if is_of_the_system(&path) {
            return Ok(());
        }
        if path.ends_with('/') || kind == FOLDER {
            let path = path.trim_end_matches('/');
            if name.is_ok() && judge(path).is_ok() {
                self.folders.push(path.to_owned());
            }
            return Ok(());
        }
        let data = name.and_then(|name| packed(&name, kind, entry));
        // The path of a refused member is only used in messages.
        let path = if data.is_ok() { path } else { printable(path.as_bytes(), SHOWN_BYTES_MAX) };
        self.members.push(Member { path, modified: modified(&entry.last_modified()), data });
        Ok(())
    }
}

/// Returns when an entry was last changed, if that is a valid date and time. The earliest time that an entry can have
/// counts as none, because programs write it if they do not know the time.
fn modified(entry: &ZipDateTimeKind) -> Option<Modified> {
    let month = Month::try_from(entry.month()).ok()?;
    let date = Date::from_calendar_date(entry.year().into(), month, entry.day()).ok()?;
    let clock = date.with_hms(entry.hour(), entry.minute(), entry.second()).ok()?;
    (clock != NO_TIME).then(|| match entry.timezone() {
        TimeZone::Utc => Modified::At(clock.assume_utc()),
        TimeZone::Local => Modified::Clock(clock),
    })
}

/// Returns the data of an entry, unless it is refused.
fn packed(path: &str, kind: u32, entry: &ZipFileHeaderRecord<'_>) -> Result<Packed, Refusal> {
    judge(path)?;
    match kind {
        0 | REGULAR => {}
        LINK => return Err(Refusal::Link),
        _ => return Err(Refusal::Special),
    }
    let flags = entry.flags();
    if flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked() {
        return Err(Refusal::Encrypted);
    }
    if is_archive(path) {
        return Err(Refusal::Nested);
    }
    let is_deflated = match entry.compression_method() {
        CompressionMethod::STORE => false,
        CompressionMethod::DEFLATE => true,
        method => return Err(Refusal::Method { method: u64::from(method.as_u16()) }),
    };
    Ok(Packed { found_by: entry.wayfinder(), is_deflated, bytes: entry.uncompressed_size_hint() })
}

/// Refuses the largest members until the others together unpack to no more than the limit. So the endless output of one
/// student's program costs no other student a grade.
fn refuse_too_large(members: &mut [Member]) {
    let mut total: u128 = members.iter().map(|member| u128::from(member.bytes())).sum();
    let mut largest: Vec<_> = members.iter_mut().collect();
    largest.sort_by_key(|member| Reverse(member.bytes()));
    for member in largest {
        if total <= u128::from(UNPACKED_BYTES_MAX) {
            return;
        }
        total -= u128::from(member.bytes());
        member.data = Err(Refusal::TooLarge { size_max: format_size(UNPACKED_BYTES_MAX) });
    }
}

/// Rejects the archive if an entry is not where the directory says, or if entries share data.
fn check_places<R: Read + Seek>(
    zip: &ZipArchive<At<R>>,
    places: &[(u64, ZipArchiveEntryWayfinder)],
) -> Result<(), ArchiveError> {
    let range = |&(header, found_by): &_| Ok((header, zip.get_entry(found_by)?.compressed_data_range().1));
    let mut ranges = places.iter().map(range).collect::<Result<Vec<_>, rawzip::Error>>()?;
    ranges.sort_unstable();
    if ranges.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        return Err(Refusal::Overlap.into());
    }
    if ranges.last().is_some_and(|last| last.1 > zip.directory_offset()) {
        return Err(Refusal::Directory.into());
    }
    Ok(())
}
