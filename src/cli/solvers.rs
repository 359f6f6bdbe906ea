//! `tabuleiro solvers`: lists the solvers, or explains how to use one.

use clap::Args;

use crate::cli::arguments::SolverId;
use crate::cli::failure::{Exit, Failure, print};
use tabuleiro_puzzles::solver::{COMMON, OptionSpec, SOLVERS, Solver};

/// Arguments of `solvers`.
#[derive(Args)]
pub struct SolversArgs {
    /// Describe this one: format, options, example
    #[arg(value_name = "ID", value_parser = SolverId)]
    solver: Option<&'static dyn Solver>,
}

/// Lists the solvers or describes one.
pub fn run(args: &SolversArgs) -> Result<Exit, Failure> {
    let text = match args.solver {
        Some(solver) => describe(solver),
        None => {
            SOLVERS.iter().map(|solver| format!("{:<18}{}\n", solver.id(), solver.info().about)).collect()
        }
    };
    print(&text).map(|()| Exit::Ok)
}

fn describe(solver: &dyn Solver) -> String {
    let info = solver.info();
    let mut text = format!("{}: {}\n", info.id, info.about);
    for (title, body) in [
        ("Input", info.input_format.to_owned()),
        ("Output", info.output_format.to_owned()),
        ("Options (in a route, in a directive `#: KEY = VALUE`, or with --set)", table(info.options)),
        ("Options of every solver", table(COMMON)),
        ("Options of `tabuleiro generate`", table(info.generator_options)),
        ("Example input", info.example.input.to_owned()),
        ("Its output", info.example.output.to_owned()),
    ] {
        if !body.is_empty() {
            text.push_str(&format!("\n{title}:\n"));
            body.trim_matches('\n')
                .lines()
                .for_each(|line| text.push_str(&format!("  {}\n", line.trim_end())));
        }
    }
    text
}

fn table(options: &[OptionSpec]) -> String {
    options
        .iter()
        .map(|option| format!("{} = {}\n    {}; {}\n", option.name, option.default, option.help, option.kind))
        .collect()
}
