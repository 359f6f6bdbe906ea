//! Marks and codes around the lines of a file: those of mails, patches, lists, web pages, terminals and pieces of code.

use super::{
    BARS, EMPTY_MARKS, File, Finding, HTML_BLANK, Mistake, is_plain, puzzles_in_lines, shown, spaced,
};
use tabuleiro_puzzles::input::is_comment;

/// The mark with which mails quote.
const MAIL_MARK: char = '>';
/// A blank at the end of a line in the source of a mail, and what stands at the end of a line that goes on.
const MAIL_BLANK: &str = "=20";
const MAIL_BREAK: char = '=';
/// The line ends of DOS as `cat -A` and editors show them.
const SHOWN_ENDS: [&str; 2] = ["^M$", "^M"];
/// The mark of the lines that a patch adds.
const DIFF_MARK: char = '+';
/// The character with which codes for a terminal begin.
const ESCAPE: char = '\u{1b}';
/// What a program prints if it escapes the end of a line.
const ESCAPED_BREAK: &str = "\\n";

/// Returns a line without what a program added to it.
type Without = fn(&str) -> String;

/// What a program, not a person, adds to the text of a line.
const CODES: [(&str, Without); 4] = [
    ("colours", without_colours),
    ("web", without_tags),
    ("breaks", |line| line.replace(ESCAPED_BREAK, "\n").trim_end().to_owned()),
    ("index", |line| without_index(line).unwrap_or(line).to_owned()),
];

impl File<'_> {
    /// Recognises what programs add to lines: colours of a terminal, tags of a web page, indices of rows.
    pub(super) fn codes(&self) -> Option<Finding> {
        if self
            .content()
            .any(|line| line.ends_with(MAIL_BLANK) || line.len() > 1 && line.ends_with(MAIL_BREAK))
        {
            return Some(self.finding("mail", self.without_mail_codes(), |_, lines| Mistake::Codes {
                kind: "mail",
                lines,
            }));
        }
        let is_changed = |(_, bare): &(_, Without)| self.content().any(|line| bare(line) != line);
        let (kind, bare) = CODES.into_iter().find(is_changed)?;
        Some(self.finding(kind, self.each(bare), |_, lines| Mistake::Codes { kind, lines }))
    }

    /// Returns the lines as a mail program shows them.
    fn without_mail_codes(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut first = None;
        for line in &self.lines {
            let goes_on = line.strip_suffix(MAIL_BREAK);
            let text = goes_on.unwrap_or(line).replace(MAIL_BLANK, " ");
            let at = first.unwrap_or(lines.len());
            lines.push(String::new());
            lines[at] += &text;
            first = goes_on.map(|_| at);
        }
        lines.iter().map(|line| line.trim_end().to_owned()).collect()
    }

    /// Recognises lines that all begin with one mark: `>` of a mail, or a bullet.
    pub(super) fn marks(&self) -> Option<Finding> {
        let first =
            self.content().find_map(|line| line.chars().next().filter(|first| !first.is_alphanumeric()));
        // In a patch, unchanged lines begin with a blank.
        let is_changed = |line: &str| line.starts_with([DIFF_MARK, '-']);
        let is_patch = || {
            let mut lines = self.lines.iter().zip(&self.indents).filter(|(line, _)| !line.is_empty());
            lines.all(|(line, indent)| *indent > 0 || is_changed(line))
        };
        let is_diff = self.content().any(|line| line.starts_with("@@ "))
            || self.content().all(|line| line.starts_with(DIFF_MARK))
            || self.content().any(|line| line.starts_with(DIFF_MARK)) && is_patch();
        let mark = if is_diff { DIFF_MARK } else { first.unwrap_or(MAIL_MARK) };
        let bare = |line: &str| {
            if is_diff {
                let added = line.strip_prefix(mark).filter(|rest| !rest.starts_with("++"));
                let kept = line.starts_with(|first: char| first.is_ascii_digit()).then_some(line);
                return added.or(kept).map(str::to_owned);
            }
            let rest = line.strip_prefix(mark)?;
            let is_mark = mark == MAIL_MARK || rest.is_empty() || rest.starts_with([' ', '\t']);
            is_mark.then(|| rest.trim().to_owned())
        };
        // A mail has words before and after what it quotes.
        let is_text = |line: &str| is_diff || mark == MAIL_MARK && line.contains(char::is_alphabetic);
        let marked = self.content().filter(|line| bare(line).is_some()).count();
        // A header or a line of moves need not have the mark of the rows.
        let is_short = |line: &str| is_plain(line) && !EMPTY_MARKS.contains(&&*mark.to_string());
        if BARS.contains(&mark)
            || marked < 2
            || !self.content().all(|line| bare(line).is_some() || is_text(line) || is_short(line))
        {
            return None;
        }
        let lines = self.each(|line| match bare(line) {
            Some(bare) => bare,
            None if is_text(line) => String::new(),
            None => line.to_owned(),
        });
        let are_quoted = mark == MAIL_MARK && marked == self.content().count();
        let is_sure = are_quoted || puzzles_in_lines(self.solver, lines.join("\n").as_bytes()) > 0;
        let what = if is_diff {
            |_, _| Mistake::Mail { mark: "patch".to_owned() }
        } else if self.content().any(|line| bare(line).is_none() && is_text(line)) {
            |mark, _| Mistake::Mail { mark }
        } else {
            |mark, lines| Mistake::Quoted { side: "begin", mark, lines }
        };
        Some(Finding { is_sure, ..self.finding(&shown(&mark.to_string()), lines, what) })
    }

    /// Recognises lines that all end with the same marks, such as a full stop, the `\\` of LaTeX, or a line end that a
    /// program showed.
    pub(super) fn marks_at_ends(&self) -> Option<Finding> {
        let is_mark = |last: char| !last.is_alphanumeric();
        let is_marked =
            |line: &&str| line.ends_with(is_mark) || SHOWN_ENDS.iter().any(|end| line.ends_with(end));
        let first = self.content().find(is_marked)?;
        let end = SHOWN_ENDS.iter().find_map(|end| first.strip_suffix(end));
        let bare = end.unwrap_or(first.trim_end_matches(is_mark));
        let mark = &first[bare.len()..];
        let is_marked = |line: &str| line.ends_with(mark) || is_plain(line);
        let are_marked =
            self.content().filter(|line| line.ends_with(mark)).count() > 2 && self.content().all(is_marked);
        let lines = self.each(|line| line.strip_suffix(mark).unwrap_or(line).trim_end().to_owned());
        let what = |mark, lines| Mistake::Quoted { side: "end", mark, lines };
        let mark = shown(mark.trim());
        (are_marked && !mark.is_empty()).then(|| self.finding(&mark, lines, what))
    }

    /// Recognises a piece of code between two fences, with text around them.
    pub(super) fn fence(&self) -> Option<Finding> {
        let is_one = |line: &&str| is_fence(line);
        let [first, last] = [self.lines.iter().position(is_one)?, self.lines.iter().rposition(is_one)?];
        // Numbers outside of the fences are puzzles, too.
        let is_numbers = |line: &&str| line.split_ascii_whitespace().all(|word| word.parse::<u64>().is_ok());
        let mut outside = self.lines[..first].iter().chain(&self.lines[last + 1..]);
        if outside.any(|line| !line.is_empty() && is_numbers(line)) {
            return None;
        }
        let lines = self.lines.iter().enumerate().map(|(at, line)| {
            // Directives stand above all puzzles.
            let is_kept = (first + 1..last).contains(&at) || is_comment(line.as_bytes());
            if is_kept { (*line).to_owned() } else { String::new() }
        });
        let mark = shown(self.lines[first].trim_end_matches(char::is_alphabetic));
        let what = |mark, lines| Mistake::Fence { mark, lines };
        (first < last).then(|| self.finding(&mark, lines.collect(), what))
    }

    /// Recognises several lines that consist of one mark, such as those around a piece of code.
    pub(super) fn mark_lines(&self) -> Option<Finding> {
        let is_mark_line = |line: &&str| {
            let mut marks = line.chars();
            let first = marks.next().filter(|first| !first.is_alphanumeric());
            let are_same = line.len() > 2 && marks.all(|mark| Some(mark) == first);
            are_same || is_fence(line) && !line.contains(|character: char| character.is_ascii_digit())
        };
        let first = self.content().find(is_mark_line)?;
        let mark = shown(first.trim_end_matches(char::is_alphabetic));
        let are_several = self.content().filter(is_mark_line).count() > 1;
        let lines = self.each(|line| if is_mark_line(&line) { String::new() } else { line.to_owned() });
        are_several.then(|| self.finding(&mark, lines, |mark, lines| Mistake::MarkLines { mark, lines }))
    }
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

/// Returns a line without the codes that colour it in a terminal. The codes of the arrow keys remain.
fn without_colours(line: &str) -> String {
    let mut pieces = line.split(ESCAPE);
    let mut bare = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|character: char| character.is_ascii_alphabetic()).map_or(0, |end| end + 1);
        let is_key = matches!(&piece[..end], "[A" | "[B" | "[C" | "[D");
        bare.extend(is_key.then_some(ESCAPE));
        bare.push_str(&piece[if is_key { 0 } else { end }..]);
    }
    bare
}

/// Returns a line without the tags of a web page, if it has any.
fn without_tags(line: &str) -> String {
    let (mut bare, mut rest) = (String::new(), line);
    while let Some(((before, tag), behind)) =
        rest.split_once('>').and_then(|(text, behind)| Some((text.rsplit_once('<')?, behind)))
    {
        let is_tag = tag.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/');
        if !is_tag {
            return line.to_owned();
        }
        bare = bare + before + " ";
        rest = behind;
    }
    if rest.len() == line.len() {
        line.to_owned()
    } else {
        spaced(&(bare + rest).replace(HTML_BLANK, " "), &[])
    }
}

/// Returns a row without the index in brackets that R prints before it. Returns an empty text for R's line of column
/// indices.
fn without_index(line: &str) -> Option<&str> {
    if line.split_ascii_whitespace().all(|column| column.starts_with("[,") && column.ends_with(']')) {
        return Some("");
    }
    let (index, row) = line.strip_prefix('[')?.split_once(']')?;
    let index = index.strip_suffix(',').unwrap_or(index);
    let is_index = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    (is_index && row.starts_with(' ')).then(|| row.trim_start())
}
