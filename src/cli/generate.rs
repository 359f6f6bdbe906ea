//! `tabuleiro generate`: random valid input, like the `geracasos` of the original programs.

use std::io::{self, BufWriter, Write};

use clap::Args;

use crate::cli::arguments::{SolverId, key_value};
use crate::cli::failure::{Exit, Failure};
use tabuleiro_puzzles::solver::{Authority, Options, Random, Solver};

/// Arguments of `generate`.
#[derive(Args)]
pub struct GenerateArgs {
    /// Solver whose puzzles to write
    #[arg(value_name = "ID", value_parser = SolverId)]
    solver: &'static dyn Solver,
    /// How many puzzles
    #[arg(value_name = "COUNT")]
    count: u64,
    /// The same seed gives the same file on every machine
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Set an option of the generator; `tabuleiro solvers ID` lists them
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    sets: Vec<(String, String)>,
}

/// Writes puzzles to standard output.
pub fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    let mut options = Options::defaults(&[args.solver.generator_options()]);
    for (key, value) in &args.sets {
        options.set(key, value, Authority::Owner).map_err(Failure::set)?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let written = args
        .solver
        .generate(&options, args.count, &mut Random::new(args.seed), &mut out)
        .and_then(|()| out.flush());
    written.or_else(|error| Failure::unless_closed(&error))?;
    Ok(Exit::Ok)
}
