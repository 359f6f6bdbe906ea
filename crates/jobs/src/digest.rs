//! SHA-256 digests, in hexadecimal.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// A reader that can compute the digest of the bytes that pass through it.
pub struct Digesting<R> {
    source: R,
    digest: Option<Sha256>,
}

impl<R: Read> Digesting<R> {
    /// Computes the digest of what is read from `source`, if it `is_wanted`.
    pub fn new(source: R, is_wanted: bool) -> Self {
        Self { source, digest: is_wanted.then(Sha256::new) }
    }

    /// Returns the digest of the bytes that were read; `None` if it was not wanted.
    pub fn finish(self) -> Option<String> {
        self.digest.map(|digest| hex(&digest.finalize()))
    }
}

impl<R: Read> Read for Digesting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        if let Some(digest) = &mut self.digest {
            digest.update(&buffer[..count]);
        }
        Ok(count)
    }
}

/// Reads `source` to its end, and returns the digest of what it holds.
///
/// # Errors
/// Fails if reading fails.
pub fn sha256_of(source: impl Read) -> io::Result<String> {
    let mut source = Digesting::new(source, true);
    io::copy(&mut source, &mut io::sink())?;
    Ok(source.finish().unwrap_or_default())
}

/// Returns bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
