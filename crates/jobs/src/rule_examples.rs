//! The rules that messages name in brackets, each with a file that breaks the rule and a correct one.

use tabuleiro_puzzles::words::Phrase;

/// For each rule: `== RULE SOLVER`, the wrong file, `--`, the correct file.
const EXAMPLES: &str = include_str!("rule_examples.txt");

/// An example of a rule. The catalogues explain what the rule means.
#[derive(Debug, Clone, Copy)]
pub struct RuleExample {
    /// The name of the rule.
    pub rule: &'static str,
    /// The ID of a solver that has the rule.
    pub solver: &'static str,
    /// A file that breaks the rule.
    pub wrong: &'static str,
    /// The corrected file.
    pub right: &'static str,
}

impl RuleExample {
    /// Returns all examples. A rule that means different things to several solvers has an example for each.
    pub fn all() -> impl Iterator<Item = Self> {
        EXAMPLES.split("== ").filter_map(|section| {
            let (head, files) = section.split_once('\n')?;
            let (rule, solver) = head.split_once(' ')?;
            let (wrong, right) = files.split_once("--\n")?;
            Some(Self { rule, solver, wrong, right })
        })
    }

    /// Returns what the rule means.
    pub fn meaning(&self) -> Phrase {
        Phrase { scope: "explain", name: self.rule, arguments: Vec::new() }
    }
}
