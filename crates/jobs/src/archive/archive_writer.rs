//! Writes archives.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Cursor, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, Crc32, DataDescriptorOutput, ZipArchiveWriter};

use super::portable::Paths;

/// The compression level. A different level would give different bytes.
const LEVEL: Compression = Compression::new(6);
/// The time of every member: 1 January 1980, the first day that archives can express, in Unix seconds.
const TIME: i64 = 315_532_800;
/// Number of members that can be written at the same time: a text, JSON and a page.
pub const SCRATCH_FILES: usize = 3;
/// The mode of every member: a regular file that all users may read.
const MODE: u32 = 0o100_644;

/// Writes an archive. Compresses members into scratch files as they come. Finally writes them into the archive in order
/// of name, all with the same fixed time, so that the same members give the same bytes.
pub struct ArchiveWriter<S> {
    scratch: [ScratchFile<S>; SCRATCH_FILES],
    /// The members, sorted folder by folder because the key is the list of names in the path.
    members: BTreeMap<Vec<String>, Packed>,
    paths: Paths,
}

/// A file in which one member at a time is written.
pub struct ScratchFile<S> {
    file: S,
    /// Where the next member begins.
    end: u64,
    index: usize,
}

/// A packed member.
#[derive(Debug, Clone, Copy)]
pub struct Packed {
    /// The index of the scratch file.
    scratch: usize,
    start: u64,
    length: u64,
    bytes: u64,
    checksum: u32,
}

/// A member that is being written. If it is dropped before its end, it is discarded.
pub struct NewMember<'a, S: Write> {
    packer: DeflateEncoder<BufWriter<&'a mut S>>,
    end: &'a mut u64,
    scratch: usize,
    bytes: u64,
    checksum: Crc32,
}

impl<S: Read + Write + Seek> ScratchFile<S> {
    /// Begins a member.
    ///
    /// # Errors
    /// Fails if the scratch file cannot be written.
    pub fn begin(&mut self) -> io::Result<NewMember<'_, S>> {
        self.file.seek(SeekFrom::Start(self.end))?;
        let packer = DeflateEncoder::new(BufWriter::new(&mut self.file), LEVEL);
        Ok(NewMember { packer, end: &mut self.end, scratch: self.index, bytes: 0, checksum: Crc32::new() })
    }
}

impl ArchiveWriter<Cursor<Vec<u8>>> {
    /// Returns an archive without members that is kept in memory; only for small archives.
    pub fn in_memory() -> Self {
        Self::new(std::array::from_fn(|_| Cursor::new(Vec::new())))
    }
}

impl<S: Read + Write + Seek> ArchiveWriter<S> {
    /// Returns an archive without members. `files` are empty, and nothing else uses them.
    pub fn new(files: [S; SCRATCH_FILES]) -> Self {
        let mut index = 0..;
        let scratch = files.map(|file| ScratchFile { file, end: 0, index: index.next().unwrap_or_default() });
        Self { scratch, members: BTreeMap::new(), paths: Paths::default() }
    }

    /// Returns the scratch files. Each can take one member at a time.
    pub fn scratch_files(&mut self) -> &mut [ScratchFile<S>; SCRATCH_FILES] {
        &mut self.scratch
    }

    /// Adds a finished member and returns its path, which differs from `path` if some system could not unpack a member
    /// called `path`, alone or beside the other members (see `Paths`).
    pub fn add(&mut self, path: &str, packed: Packed) -> String {
        let names = self.paths.place(path);
        let path = names.join("/");
        self.members.insert(names, packed);
        path
    }

    /// Adds a text as a member, and returns its path.
    ///
    /// # Errors
    /// Fails if the scratch file cannot be written.
    pub fn add_text(&mut self, path: &str, text: &[u8]) -> io::Result<String> {
        let mut member = self.scratch[0].begin()?;
        member.write_all(text)?;
        let packed = member.end()?;
        Ok(self.add(path, packed))
    }

    /// Writes the archive.
    ///
    /// # Errors
    /// Fails if `out` cannot be written or a scratch file cannot be read.
    pub fn finish<W: Write>(mut self, out: W) -> io::Result<W> {
        let mut zip = ZipArchiveWriter::new(out);
        for (path, packed) in &self.members {
            let path = path.join("/");
            let file = zip.new_file(path.as_str()).compression_method(CompressionMethod::DEFLATE);
            let file = file.unix_permissions(MODE).last_modified(UtcDateTime::from_unix(TIME));
            let (mut entry, _) = file.start().map_err(io::Error::other)?;
            let scratch = &mut self.scratch[packed.scratch].file;
            scratch.seek(SeekFrom::Start(packed.start))?;
            io::copy(&mut scratch.take(packed.length), &mut entry)?;
            entry
                .finish(DataDescriptorOutput::new(packed.checksum, packed.bytes))
                .map_err(io::Error::other)?;
        }
        zip.finish().map_err(io::Error::other)
    }
}

impl<S: Write> NewMember<'_, S> {
    /// Ends the member.
    ///
    /// # Errors
    /// Fails if the scratch file cannot be written.
    pub fn end(self) -> io::Result<Packed> {
        let Self { mut packer, end, scratch, bytes, checksum } = self;
        packer.try_finish()?;
        let length = packer.total_out();
        packer.get_mut().flush()?;
        let packed = Packed { scratch, start: *end, length, bytes, checksum: checksum.checksum() };
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
