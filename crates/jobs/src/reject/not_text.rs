//! What a file is that is no plain text.

use tabuleiro_puzzles::words::messages;

messages! {
    "reject"
    /// What a file is that is no plain text. The names are rules of rejections.
    pub enum NotText {
        /// Compressed, or an archive.
        Compressed = "compressed-file" { format: String },
        /// Text in units of two or four bytes.
        Wide = "wide-text" { encoding: &'static str },
        /// What a word processor or the like writes.
        Document = "document-file" { format: String },
        /// HTML.
        WebPage = "web-page",
        /// A picture.
        Image = "image-file" { format: String },
        /// A program, or a part of one.
        Program = "program-file" { format: String },
        /// Sound, film, a font, a database.
        Other = "foreign-file" { format: String },
    }
}
