//! `tabuleiro explain`: explains a rule that a message names in brackets.

use clap::Args;

use super::cli_messages::{CliMessage, say};
use crate::cli::failure::{Exit, Failure, print};
use tabuleiro_jobs::{RuleExample, wrapped};
use tabuleiro_puzzles::solver::meant;
use tabuleiro_puzzles::words::Phrase;

/// Arguments of `explain`.
#[derive(Args)]
pub struct ExplainArgs {
    /// The rule, such as row-length; without it all rules are listed
    #[arg(value_name = "RULE")]
    rule: Option<String>,
}

/// Lists the rules, or explains one.
pub fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    let mut examples: Vec<_> = RuleExample::all().collect();
    examples.sort_by_key(|example| example.rule);
    let Some(rule) = args.rule.as_deref() else {
        examples.dedup_by_key(|example| example.rule);
        let line = |example: &RuleExample| format!("{:<21}{}\n", example.rule, say(example.meaning()));
        return print(&examples.iter().map(line).collect::<String>()).map(|()| Exit::Ok);
    };
    examples.retain(|example| example.rule == rule);
    let Some(first) = examples.first() else {
        let known: Vec<_> = RuleExample::all().map(|example| example.rule).collect();
        let hint = meant(rule, &known).map(|hint| say(Phrase::from(hint))).unwrap_or_default();
        return Err(Failure::of(Exit::Usage, CliMessage::UnknownRule { rule: rule.to_owned(), hint }));
    };
    let mut text = wrapped(&format!("{rule}: {}", say(first.meaning())), super::terminal_table::columns());
    for RuleExample { solver, wrong, right, .. } in &examples {
        let labels = [CliMessage::WrongExample { solver: (*solver).to_owned() }, CliMessage::RightExample];
        for (label, file) in labels.into_iter().zip([wrong, right]) {
            text.push_str(&format!("\n{}\n", say(label)));
            // A terminal would write what follows a CR over the line.
            file.lines().for_each(|line| text.push_str(&format!("  {}\n", line.replace('\r', "␍"))));
        }
    }
    print(&text).map(|()| Exit::Ok)
}
