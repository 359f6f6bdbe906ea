//! Archives written.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Cursor, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, Crc32, DataDescriptorOutput, ZipArchiveWriter};

use super::portable::Paths;

/// How much effort goes into packing. Another one gives other bytes.
const LEVEL: Compression = Compression::new(6);
/// Of every member: 1 January 1980, the first day that archives know, in seconds of Unix.
const TIME: i64 = 315_532_800;
/// Members that are written at a time: a text, JSON and a page.
pub const APART: usize = 3;
/// Of every member: a regular file that everybody may read.
const MODE: u32 = 0o100_644;

/// Writes an archive. Its members are packed as they come and lie in files apart until all are there: the archive has them in order
/// of name, with a time that is always the same, so that the same members give the same bytes.
pub struct ArchiveWriter<S> {
    apart: [Apart<S>; APART],
    contents: Contents,
}

/// A file apart, in which one member is written at a time.
pub struct Apart<S> {
    file: S,
    /// Where the next member begins.
    end: u64,
    /// Its number.
    index: usize,
}

/// What is in an archive so far.
#[derive(Default)]
struct Contents {
    /// By the names in their paths, so that they stand folder by folder.
    members: BTreeMap<Vec<String>, Packed>,
    paths: Paths,
}

/// A packed member.
#[derive(Debug, Clone, Copy)]
pub struct Packed {
    apart: usize,
    start: u64,
    length: u64,
    bytes: u64,
    checksum: u32,
}

/// A member that is being written. Dropped without an end it never was.
pub struct NewMember<'a, S: Write> {
    packer: DeflateEncoder<BufWriter<&'a mut S>>,
    end: &'a mut u64,
    apart: usize,
    bytes: u64,
    checksum: Crc32,
}

impl<S: Read + Write + Seek> Apart<S> {
    /// Begins a member.
    ///
    /// # Errors
    /// Those of the file apart.
    pub fn begin(&mut self) -> io::Result<NewMember<'_, S>> {
        self.file.seek(SeekFrom::Start(self.end))?;
        let packer = DeflateEncoder::new(BufWriter::new(&mut self.file), LEVEL);
        Ok(NewMember { packer, end: &mut self.end, apart: self.index, bytes: 0, checksum: Crc32::new() })
    }
}

impl ArchiveWriter<Cursor<Vec<u8>>> {
    /// An archive without members that is kept in memory: for small ones.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::new(std::array::from_fn(|_| Cursor::new(Vec::new())))
    }
}

impl<S: Read + Write + Seek> ArchiveWriter<S> {
    /// An archive without members; `apart` are empty files of its own.
    #[must_use]
    pub fn new(apart: [S; APART]) -> Self {
        let mut index = 0..;
        let apart = apart.map(|file| Apart { file, end: 0, index: index.next().unwrap_or_default() });
        Self { apart, contents: Contents::default() }
    }

    /// Where so many members can be written at a time.
    pub fn apart(&mut self) -> &mut [Apart<S>; APART] {
        &mut self.apart
    }

    /// Gives a member that was written its path, and returns the path that it got: if some system cannot unpack the wanted one, or
    /// not beside the others, it differs (see `Paths`).
    pub fn add(&mut self, path: &str, packed: Packed) -> String {
        let names = self.contents.paths.place(path);
        let path = names.join("/");
        self.contents.members.insert(names, packed);
        path
    }

    /// Adds a text as a member.
    ///
    /// # Errors
    /// Those of the file apart.
    pub fn add_text(&mut self, path: &str, text: &[u8]) -> io::Result<String> {
        let mut member = self.apart[0].begin()?;
        member.write_all(text)?;
        let packed = member.end()?;
        Ok(self.add(path, packed))
    }

    /// Writes the archive.
    ///
    /// # Errors
    /// Those of `out` and of the file apart.
    pub fn finish<W: Write>(mut self, out: W) -> io::Result<W> {
        let mut zip = ZipArchiveWriter::new(out);
        for (path, packed) in &self.contents.members {
            let path = path.join("/");
            let file = zip.new_file(path.as_str()).compression_method(CompressionMethod::DEFLATE);
            let file = file.unix_permissions(MODE).last_modified(UtcDateTime::from_unix(TIME));
            let (mut entry, _) = file.start().map_err(io::Error::other)?;
            let apart = &mut self.apart[packed.apart].file;
            apart.seek(SeekFrom::Start(packed.start))?;
            io::copy(&mut apart.take(packed.length), &mut entry)?;
            entry
                .finish(DataDescriptorOutput::new(packed.checksum, packed.bytes))
                .map_err(io::Error::other)?;
        }
        zip.finish().map_err(io::Error::other)
    }
}

impl<S: Write> NewMember<'_, S> {
    /// Ends the writing.
    ///
    /// # Errors
    /// Those of the file apart.
    pub fn end(self) -> io::Result<Packed> {
        let Self { mut packer, end, apart, bytes, checksum } = self;
        packer.try_finish()?;
        let length = packer.total_out();
        packer.get_mut().flush()?;
        let packed = Packed { apart, start: *end, length, bytes, checksum: checksum.checksum() };
        *end += length;
        Ok(packed)
    }
}

impl<S: Write> Write for NewMember<'_, S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.packer.write(bytes)?;
        self.checksum.update(&bytes[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
