//! The command line: one binary with one subcommand per purpose.

mod arguments;
mod check;
mod check_config;
mod cli_messages;
mod documents;
mod explain;
mod failure;
mod files;
mod fix;
mod generate;
mod grade;
mod grades;
mod history;
mod init;
// Folders for judges and graders.
mod judge;
mod named_input;
mod output;
mod play;
mod progress_bar;
mod retry;
mod serve;
mod service_query;
mod show;
mod solve;
mod solved_reference;
mod solvers;
mod status;
mod students;
mod submissions;
mod summary_text;
mod terminal_table;
mod usage;
mod validate;
mod why;
#[cfg(feature = "workers")]
mod workers;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::CompleteEnv;

use crate::cli::failure::Failure;
use crate::terminal_language::choose_language;
use tabuleiro_puzzles::solver::Choice as _;
use tabuleiro_puzzles::words::Language;

pub use failure::Exit;

const LANGUAGE_HELP: &str =
    "Language of messages and of printed results; without it messages follow LC_ALL, LC_MESSAGES or LANG";

/// Answers the board puzzles of algorithms courses: entrada.txt in, saida.txt out.
#[derive(Parser)]
#[command(name = "tabuleiro", version, max_term_width = 100)]
struct Cli {
    // Not a doc comment: a lint would require backquotes, and help texts have none.
    #[arg(long, global = true, help = LANGUAGE_HELP, value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(Language::WORDS))]
    #[allow(dead_code, reason = "it is read before all else")]
    language: Option<String>,
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Subcommand)]
enum Subcommands {
    /// Watch the inbox and answer every board file that is dropped into it
    Serve(serve::ServeArgs),
    /// Answer one file
    Solve(solve::SolveArgs),
    /// Draw the puzzles of a file with their answers, as a page for a browser
    Show(show::ShowArgs),
    /// Read files and say what is invalid in them, without solving
    Check(check::CheckArgs),
    /// Explain a rule that a message names in brackets
    Explain(explain::ExplainArgs),
    /// Compare what programs printed for an input with the proved answers
    Grade(grade::GradeArgs),
    /// Make the class list from the grades in an outbox
    Grades(grades::GradesArgs),
    /// Judge a submission as a problem package of ICPC or Kattis has it
    Validate(validate::ValidateArgs),
    /// Say whether standard input is a well-formed test case, as a judge asks it
    ValidateInput(validate::ValidateInputArgs),
    /// Write random valid puzzles, the same for the same seed everywhere
    Generate(generate::GenerateArgs),
    /// Play a game of 2048 in the terminal
    Play(play::PlayArgs),
    /// Write the commented configuration and make the folders of the service; keeps what is there
    Init(init::InitArgs),
    /// Solve puzzles for services on other machines, which a NATS server hands out
    #[cfg(feature = "workers")]
    Work(workers::WorkArgs),
    /// List the connected workers
    #[cfg(feature = "workers")]
    Workers(workers::WorkersArgs),
    #[cfg(not(feature = "workers"))]
    #[command(hide = true, name = "work", alias = "workers", disable_help_flag = true)]
    LeftOut(LeftOutArgs),
    /// Show what the service is doing, what waits, and what was done since the start
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

/// The arguments of a command that this build leaves out.
#[cfg(not(feature = "workers"))]
#[derive(clap::Args)]
struct LeftOutArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<std::ffi::OsString>,
}

/// Runs the program and returns its exit code.
pub fn main() -> Exit {
    #[cfg(all(feature = "workers", target_env = "gnu", target_feature = "crt-static"))]
    crate::daemon::look_up_hosts_without_modules();
    // If a shell asks for completions, this prints them and ends the process.
    CompleteEnv::with_factory(Cli::command).var(documents::COMPLETE).complete();
    let args: Vec<_> = std::env::args_os().collect();
    if let Some(language) = usage::chosen_language(&args) {
        choose_language(language);
    }
    let parsed = program().try_get_matches_from(&args);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            let printed = usage::print_usage_error(&error, &args).and_then(|()| io::stdout().flush());
            // If even the error cannot be printed, nothing more can be done.
            return match printed.or_else(|error| Failure::unless_closed(&error)) {
                _ if error.use_stderr() => Exit::Usage,
                Ok(()) => Exit::Ok,
                Err(failure) => failure.exit,
            };
        }
    };
    ending(|| run(cli.command))
}

/// Returns the command line with the full help of all subcommands.
fn program() -> Command {
    usage::with_help(Cli::command())
}

/// Returns the exit code of a subcommand, after printing its error if it failed.
fn ending(command: impl FnOnce() -> Result<Exit, Failure>) -> Exit {
    // The panic hook has printed the panic. The command's state is not used after it.
    let result = catch_unwind(AssertUnwindSafe(command)).unwrap_or(Ok(Exit::Software));
    result.unwrap_or_else(|failure| {
        failure.tell();
        failure.exit
    })
}

fn run(command: Subcommands) -> Result<Exit, Failure> {
    match command {
        Subcommands::Serve(args) => serve::run(&args).map_err(Failure::impatient),
        Subcommands::Solve(args) => solve::run(&args),
        Subcommands::Show(args) => show::run(&args),
        Subcommands::Check(args) => check::run(&args),
        Subcommands::Explain(args) => explain::run(&args),
        Subcommands::Grade(args) => grade::run(&args),
        Subcommands::Grades(args) => grades::run(&args),
        Subcommands::Validate(args) => validate::run(&args),
        Subcommands::ValidateInput(args) => validate::run_input(&args),
        Subcommands::Generate(args) => generate::run(&args),
        Subcommands::Play(args) => play::run(&args),
        Subcommands::Init(args) => init::run(&args),
        #[cfg(feature = "workers")]
        Subcommands::Work(args) => workers::work(&args).map_err(Failure::impatient),
        #[cfg(not(feature = "workers"))]
        Subcommands::LeftOut(_) => Err(Failure::new(Exit::Config, crate::config::WITHOUT_WORKERS)),
        #[cfg(feature = "workers")]
        Subcommands::Workers(args) => workers::list(&args, &mut io::stdout().lock()),
        Subcommands::Status(args) => status::run(&args),
        Subcommands::History(args) => history::run(&args),
        Subcommands::Why(args) => why::run(&args),
        Subcommands::Retry(args) => retry::run(&args),
        Subcommands::CheckConfig(args) => check_config::run(&args),
        Subcommands::Solvers(args) => solvers::run(&args),
        Subcommands::Man(args) => documents::man(&args, program()),
        Subcommands::Completions(args) => documents::completions(&args, &program()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        program().debug_assert();
    }

    #[test]
    fn every_help_says_how_the_command_ends() {
        let program = program();
        let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
        for command in commands.chain([&program]) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Exit status: "), "{}", command.get_name());
        }
    }

    #[test]
    fn a_panic_ends_with_the_code_of_an_internal_error() {
        assert_eq!(ending(|| panic!("a test's own panic")), Exit::Software);
        assert_eq!(ending(|| Ok(Exit::Data)), Exit::Data);
        assert_eq!(ending(|| Err(Failure::new(Exit::Config, "a test's own failure"))), Exit::Config);
    }
}
