//! Decodes and checks the names of members.

use std::path::Path;

use rawzip::extra_fields::{ExtraFieldId, ExtraFields};

use super::Refusal;
use crate::naming::NAME_BYTES_MAX;

/// The most names in a member's path: its folders and itself.
const DEPTH_MAX: usize = 32;
/// The longest path of a member, in bytes.
const PATH_BYTES_MAX: usize = 1024;
/// The version byte and the checksum before a path in an Info-ZIP field.
const UNICODE_HEAD_BYTES: usize = 5;
/// The characters of DOS for the bytes from 128 on.
const CODE_PAGE_437: &str = "\
ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
/// The same for code page 850, in which Windows writes names in archives in Western Europe and Brazil.
const CODE_PAGE_850: &str = "\
ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// Decodes the name of a member. An Info-ZIP field for this very name comes first. Without one, valid UTF-8 is read as
/// UTF-8, even without the flag, because macOS does not set it. A name that has the flag but is not UTF-8 is refused.
/// Any other name is read in code page 437, or in 850 if 437 gives a character that names do not contain.
pub(super) fn decoded(name: &[u8], is_utf8: bool, extra: ExtraFields<'_>) -> Result<String, Refusal> {
    if let Some(name) = unicode(name, extra) {
        return Ok(name);
    }
    match std::str::from_utf8(name) {
        Ok(name) => Ok(name.to_owned()),
        Err(_) if is_utf8 => Err(Refusal::Encoding),
        Err(_) => {
            let read = |page| name.iter().map(|&byte| character(byte, page)).collect::<String>();
            let name = read(CODE_PAGE_437);
            Ok(if name.contains(is_in_no_name) { read(CODE_PAGE_850) } else { name })
        }
    }
}

fn unicode(name: &[u8], mut extra: ExtraFields<'_>) -> Option<String> {
    let (_, field) = extra.find(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH)?;
    let (head, path) = field.split_at_checked(UNICODE_HEAD_BYTES)?;
    let is_of_this_name = head[1..] == rawzip::crc32(name).to_le_bytes();
    is_of_this_name.then(|| String::from_utf8(path.to_vec()).ok())?
}

fn character(byte: u8, page: &str) -> char {
    let upper = byte.checked_sub(0x80).and_then(|index| page.chars().nth(usize::from(index)));
    upper.unwrap_or(char::from(byte))
}

/// Returns whether a character does not occur in names: lines and blocks of boxes, where code page 850 has `ã`, `Á` and
/// `Í`, and Greek letters, where it has `õ`, `Ó` and `Ú`.
fn is_in_no_name(character: char) -> bool {
    matches!(character, '\u{2500}'..='\u{259f}' | 'Γ'..='φ')
}

/// Refuses a path that is too long or deep, or that leads out of its folder on any system.
pub(super) fn judge(path: &str) -> Result<(), Refusal> {
    let is_drive = path.as_bytes().get(1) == Some(&b':');
    let leads_out = |part: &str| matches!(part, "" | "." | "..");
    if is_drive || path.contains(['\\', '\0']) || path.split('/').any(leads_out) {
        return Err(Refusal::Outside);
    }
    if path.len() > PATH_BYTES_MAX {
        return Err(Refusal::LongName { bytes_max: PATH_BYTES_MAX as u64 });
    }
    if path.split('/').any(|part| part.len() > NAME_BYTES_MAX) {
        return Err(Refusal::LongName { bytes_max: NAME_BYTES_MAX as u64 });
    }
    if path.split('/').count() > DEPTH_MAX {
        return Err(Refusal::Deep { depth_max: DEPTH_MAX as u64 });
    }
    Ok(())
}

/// Returns whether macOS added the file for its own use.
pub(super) fn is_of_the_system(path: &str) -> bool {
    path.starts_with("__MACOSX/") || path.rsplit('/').next() == Some(".DS_Store")
}

/// Returns whether the name is that of an archive that the service reads.
pub fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"))
}

/// Returns whether the name is that of an archive of any kind.
pub fn is_archive(path: &str) -> bool {
    const ENDINGS: [&str; 8] = ["zip", "rar", "7z", "tar", "gz", "tgz", "bz2", "xz"];
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}
