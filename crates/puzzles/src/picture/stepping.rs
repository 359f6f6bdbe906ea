//! Radio buttons that step through a picture without scripts: one for the whole, one per state, and one to play all.
//!
//! Arrow keys move through a group of radio buttons. Every button stands in a label that also has the faces of
//! "previous" and "next", at the same place in all labels; the style sheet raises the label that leads one step on.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::grid_picture::{Control, GridPicture, SIDE_MAX, WIDTHS};
use crate::words::{Language, Phrase};
use maud::{Markup, html};

/// Maximum number of boards, after the first, that a strip shows as a whole.
const STRIP_MAX: usize = 24;
/// Numbers of states in the style sheet: 101 states, one for the whole before them, and one to play them.
const STATES_MAX: usize = 103;

/// Style rules for every number: of states, rows, columns and sides, and the widths from which on texts appear.
pub(super) static RULES: LazyLock<String> = LazyLock::new(|| {
    let mut rules = String::new();
    // Writing to a string cannot fail.
    for state in 0..STATES_MAX {
        let _ = write!(rules, ".i{state}{{--i:{state}}}.n{state}{{--n:{state}}}");
    }
    for side in 0..=SIDE_MAX {
        let _ = write!(
            rules,
            ".r{side}{{--y:{side}}}.c{side}{{--x:{side}}}.h{side}{{--h:{side}}}.w{side}{{--w:{side}}}"
        );
    }
    for (index, width) in WIDTHS.iter().enumerate() {
        let _ = write!(rules, "@container (max-width:{width}px){{.q{index}{{display:none}}}}");
    }
    rules.push_str("@media screen{");
    for state in 1..STATES_MAX {
        let _ = write!(rules, ".pic:has(.i{state}>:checked){{--s:{state}}}");
    }
    rules.push('}');
    rules
});

impl GridPicture {
    /// Draws the picture with buttons for every `stride`th step.
    pub(super) fn with_steps(&self, name: &str, stride: usize, language: Language) -> Markup {
        let say = |control: Control| Phrase::from(control).say(language);
        let steps = self.steps();
        let is_strip = self.boards.len() > 1;
        let last = steps.div_ceil(stride);
        let class = format!("pic {} h{} w{}", self.kind.class(), self.sides[0], self.sides[1]);
        if steps == 0 {
            return html! {
                div class=(class) { (self.svg(&self.boards[0], 1)) }
                @if !self.boards[0].caption.is_empty() { p class="soft" { (self.boards[0].caption) } }
            };
        }
        let every = last.div_ceil(STRIP_MAX).max(1);
        let whole = say(Control::Whole);
        html! {
            div class={ (class) " n" (last + 1) @if is_strip { " strip" } } role="radiogroup" aria-label=(self.title) {
                @if !is_strip { (self.svg(&self.boards[0], stride)) }
                label class="whole i0" {
                    input type="radio" name=(name) aria-label=(whole) checked;
                    b {} i {} em { (whole) } span class="button" { "⊞ " (whole) }
                }
                @for state in 0..=last {
                    @let step = (state * stride).min(steps);
                    @if is_strip {
                        (self.frame(name, state, step, state.is_multiple_of(every) || state == last))
                    } @else {
                        @let number = format!("{step} / {steps}");
                        label class={ "i" (state + 1) } {
                            input type="radio" name=(name) aria-label=(number);
                            b {} i {} em { (number) }
                            @let (row, column) =
                                if step == 0 { self.path.squares[0] } else { self.path.numbered[step - 1] };
                            span class={ "at r" (row) " c" (column) } {}
                        }
                    }
                }
                label class="play" {
                    input type="radio" name=(name) aria-label=(say(Control::Play));
                    span class="button" { "▶ " (say(Control::Play)) }
                }
            }
        }
    }

    /// Draws a board of a strip inside the label of its button.
    fn frame(&self, name: &str, state: usize, step: usize, is_shown: bool) -> Markup {
        let board = &self.boards[step];
        let before = if step == 0 { None } else { self.boards.get(step - 1) };
        let differs = self.differs.is_some_and(|at| {
            let is_first = board.moves > at && before.is_none_or(|before| before.moves <= at);
            is_first || step + 1 == self.boards.len() && board.moves <= at
        });
        html! {
            label class={ "frame i" (state + 1) @if !is_shown { " x" } @if differs { " diff" } } {
                input type="radio" name=(name) aria-label=(board.name);
                b {} i {} em { (board.name) }
                span class="view" {
                    span class="cap" { strong { (board.name) } @if !board.caption.is_empty() { " " (board.caption) } }
                    (self.svg(board, 1))
                }
            }
        }
    }
}
