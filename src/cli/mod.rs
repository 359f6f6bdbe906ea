//! The command line: one binary, one subcommand a purpose.

mod arguments;
mod check;
mod check_config;
mod documents;
mod failure;
mod files;
mod generate;
mod grade;
mod grades;
mod history;
mod init;
mod named_input;
mod output;
mod play;
mod progress_bar;
mod retry;
mod serve;
mod service_query;
mod show;
mod solve;
mod solve_archive;
mod solved_reference;
mod solvers;
mod status;
mod students;
mod submissions;
mod summary_text;
mod terminal_table;
mod validate;
mod why;
#[cfg(feature = "workers")]
mod workers;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::CompleteEnv;

use crate::cli::failure::Failure;

pub use failure::Exit;

/// Answers the board puzzles of algorithms courses: entrada.txt in, saida.txt out.
#[derive(Parser)]
#[command(name = "tabuleiro", version, max_term_width = 100, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  tabuleiro serve                                  watch ./inbox, answer into ./outbox
  tabuleiro solve entrada.txt -o saida.txt         answer one file
  tabuleiro generate jump-game 10 | tabuleiro solve --solver jump-game
  tabuleiro solvers                                what puzzles there are
  tabuleiro solvers checkers-capture               its format, options and an example

Exit status: 0 all is well; 1 not every answer of a submission is right; 3 the service does not run;
 64 usage; 65 something in the input is invalid; 66 no such input; 70 internal error; 71 system error; 73 output cannot be created; 74 input/output error;
 75 undecided within the limits; 77 no permission; 78 configuration.";

#[derive(Subcommand)]
enum Command {
    /// Watch the inbox and answer every board file that is dropped into it
    Serve(serve::ServeArgs),
    /// Answer one file
    Solve(solve::SolveArgs),
    /// Draw the puzzles of a file with their answers, as a page for a browser
    Show(show::ShowArgs),
    /// Read files and say what is invalid in them, without solving
    Check(check::CheckArgs),
    /// Compare what programs printed for an input with the proved answers
    Grade(grade::GradeArgs),
    /// Make the class list from the grades in an outbox
    Grades(grades::GradesArgs),
    /// Judge a submission as a problem package of ICPC or Kattis has it
    Validate(validate::ValidateArgs),
    /// Write random valid puzzles, the same for the same seed everywhere
    Generate(generate::GenerateArgs),
    /// Play a game of 2048 in the terminal
    Play(play::PlayArgs),
    /// Write the commented configuration and make the folders of the service; keeps what is there
    Init(init::InitArgs),
    /// Solve puzzles for services on other machines, which a NATS server hands out
    #[cfg(feature = "workers")]
    Work(workers::WorkArgs),
    /// List the workers that are there
    #[cfg(feature = "workers")]
    Workers(workers::WorkersArgs),
    #[cfg(not(feature = "workers"))]
    #[command(hide = true, name = "work", alias = "workers", disable_help_flag = true)]
    LeftOut(LeftOutArgs),
    /// Say how the service is: what it does, what waits, what was done since the start
    Status(status::StatusArgs),
    /// Say what became of the files that were dropped, the newest last
    History(history::HistoryArgs),
    /// Say why a file was not taken, or what became of it
    Why(why::WhyArgs),
    /// Put files that were rejected or answered back into the inbox, to be answered again
    Retry(retry::RetryArgs),
    /// Say what is wrong with the configuration, or print the effective one
    CheckConfig(check_config::CheckConfigArgs),
    /// List the solvers, or describe one: format, options, example
    Solvers(solvers::SolversArgs),
    /// Write the manual pages, one for every command
    Man(documents::ManArgs),
    /// Write the completions of a shell: commands, options, solvers, routes
    Completions(documents::CompletionsArgs),
}

/// What follows a command that this build leaves out.
#[cfg(not(feature = "workers"))]
#[derive(clap::Args)]
struct LeftOutArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<std::ffi::OsString>,
}

/// Runs the program and says how it ends.
#[must_use]
pub fn main() -> Exit {
    // A shell asks what may follow; the program ends there then.
    CompleteEnv::with_factory(Cli::command).var(documents::COMPLETE).complete();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let printed = error.print().and_then(|()| io::stdout().flush());
            // Nothing can be done when even an error cannot be printed.
            return match printed.or_else(|error| Failure::unless_closed(&error)) {
                _ if error.use_stderr() => Exit::Usage,
                Ok(()) => Exit::Ok,
                Err(failure) => failure.exit,
            };
        }
    };
    ending(|| run(cli.command))
}

/// How a subcommand ended; an error has been told then.
fn ending(command: impl FnOnce() -> Result<Exit, Failure>) -> Exit {
    // The panic was told by the runtime. What the command had is not looked at any more.
    let result = catch_unwind(AssertUnwindSafe(command)).unwrap_or(Ok(Exit::Software));
    result.unwrap_or_else(|failure| {
        failure.tell();
        failure.exit
    })
}

fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Serve(args) => serve::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Grade(args) => grade::run(&args),
        Command::Grades(args) => grades::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Init(args) => init::run(&args),
        #[cfg(feature = "workers")]
        Command::Work(args) => workers::work(&args),
        #[cfg(not(feature = "workers"))]
        Command::LeftOut(_) => Err(Failure::new(Exit::Config, crate::config::WITHOUT_WORKERS)),
        #[cfg(feature = "workers")]
        Command::Workers(args) => workers::list(&args, &mut io::stdout().lock()),
        Command::Status(args) => status::run(&args),
        Command::History(args) => history::run(&args),
        Command::Why(args) => why::run(&args),
        Command::Retry(args) => retry::run(&args),
        Command::CheckConfig(args) => check_config::run(&args),
        Command::Solvers(args) => solvers::run(&args),
        Command::Man(args) => documents::man(&args, Cli::command()),
        Command::Completions(args) => documents::completions(&args, &Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_panic_ends_with_the_code_of_an_internal_error() {
        assert_eq!(ending(|| panic!("a test's own panic")), Exit::Software);
        assert_eq!(ending(|| Ok(Exit::Data)), Exit::Data);
        assert_eq!(ending(|| Err(Failure::new(Exit::Config, "a test's own failure"))), Exit::Config);
    }
}
