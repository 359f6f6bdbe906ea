//! What is wrong with a puzzle.

use serde::{Deserialize, Serialize};

use super::error::WireError;
use super::form::{decode, encode};
use super::phrase::{phrase_of_wire, phrase_to_wire};
use super::text::check_line;
use crate::input::Place;
use crate::solver::{Excerpt, Problem, Proposal, Seen};

/// No file has more lines, or columns.
const NUMBER_MAX: u64 = i64::MAX as u64;

/// Line and column.
type PlaceForm = (u64, u64);

#[derive(Serialize, Deserialize)]
struct Form {
    place: PlaceForm,
    what: Vec<u8>,
    proposal: Option<ProposalForm>,
    excerpt: Option<Box<Excerpt>>,
    seen: Option<Box<Seen>>,
    recognised: bool,
}

/// [`Proposal`], whose own form is that of JSON.
#[derive(Serialize, Deserialize)]
enum ProposalForm {
    Replace { place: PlaceForm, bytes: u64, with: String },
    ReplaceAll { from_line: u64, to_line: u64, characters: String, with: String },
    RemoveComments { from_line: u64, to_line: u64 },
    RemoveLine { line: u64 },
    RemoveToken { place: PlaceForm, bytes: u64, token: String },
}

/// A problem as bytes.
pub(super) fn problem_to_wire(problem: &Problem) -> Vec<u8> {
    encode(&Form {
        place: (problem.place.line, problem.place.column),
        what: phrase_to_wire(&problem.what),
        proposal: problem.proposal.as_deref().map(proposal_form),
        excerpt: problem.excerpt.clone(),
        seen: problem.seen.clone(),
        recognised: problem.recognised,
    })
}

/// The problem that these bytes are.
///
/// # Errors
/// What is wrong with them.
pub(super) fn problem_of_wire(wire: &[u8]) -> Result<Problem, WireError> {
    let form: Form = decode(wire)?;
    form.excerpt.as_deref().map_or(Ok(()), check_excerpt)?;
    form.seen.as_deref().map_or(Ok(()), check_seen)?;
    Ok(Problem {
        place: place(form.place)?,
        what: phrase_of_wire(&form.what)?,
        proposal: form.proposal.map(proposal).transpose()?.map(Box::new),
        excerpt: form.excerpt,
        seen: form.seen,
        recognised: form.recognised,
    })
}

fn proposal_form(proposal: &Proposal) -> ProposalForm {
    match proposal.clone() {
        Proposal::Replace { place: Place { line, column }, bytes, with } => {
            ProposalForm::Replace { place: (line, column), bytes, with }
        }
        Proposal::ReplaceAll { from_line, to_line, characters, with } => {
            ProposalForm::ReplaceAll { from_line, to_line, characters, with }
        }
        Proposal::RemoveComments { from_line, to_line } => {
            ProposalForm::RemoveComments { from_line, to_line }
        }
        Proposal::RemoveLine { line } => ProposalForm::RemoveLine { line },
        Proposal::RemoveToken { place: Place { line, column }, bytes, token } => {
            ProposalForm::RemoveToken { place: (line, column), bytes, token }
        }
    }
}

fn proposal(form: ProposalForm) -> Result<Proposal, WireError> {
    Ok(match form {
        ProposalForm::Replace { place: at, bytes, with } => {
            check_line(&with)?;
            check_number(bytes.max(1))?;
            Proposal::Replace { place: place(at)?, bytes, with }
        }
        ProposalForm::ReplaceAll { from_line, to_line, characters, with } => {
            check_lines((from_line, to_line))?;
            check_line(&with)?;
            Proposal::ReplaceAll { from_line, to_line, characters, with }
        }
        ProposalForm::RemoveComments { from_line, to_line } => {
            check_lines((from_line, to_line))?;
            Proposal::RemoveComments { from_line, to_line }
        }
        ProposalForm::RemoveLine { line } => {
            check_number(line)?;
            Proposal::RemoveLine { line }
        }
        ProposalForm::RemoveToken { place: at, bytes, token } => {
            check_line(&token)?;
            check_number(bytes.max(1))?;
            Proposal::RemoveToken { place: place(at)?, bytes, token }
        }
    })
}

fn place((line, column): PlaceForm) -> Result<Place, WireError> {
    check_number(line)?;
    check_number(column)?;
    Ok(Place { line, column })
}

fn check_number(number: u64) -> Result<(), WireError> {
    WireError::unless((1..=NUMBER_MAX).contains(&number), "a place that no file has")
}

fn check_lines((from, to): (u64, u64)) -> Result<(), WireError> {
    check_number(from)?;
    check_number(to)?;
    WireError::unless(from <= to, "lines that end before they begin")
}

fn check_excerpt(Excerpt { text, marked }: &Excerpt) -> Result<(), WireError> {
    check_line(text)?;
    WireError::unless(text.get(marked.clone()).is_some(), "a mark outside of its text")
}

fn check_seen(Seen { lines, left_out, rows }: &Seen) -> Result<(), WireError> {
    for (number, text) in lines {
        check_number(*number)?;
        check_line(text)?;
    }
    let is_rising = lines.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let is_counted = left_out.0.max(left_out.1) <= NUMBER_MAX;
    let is_row = rows.is_none_or(|(first, _)| (1..=NUMBER_MAX).contains(&first));
    WireError::unless(is_rising && is_counted && is_row, "lines that no file has")
}
