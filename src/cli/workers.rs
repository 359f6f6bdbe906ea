//! `tabuleiro workers`: who is there.

use std::io::Write;

use clap::Args;
use serde_json::json;

use crate::cli::columns::columns;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::table::{Column, Gives, table};
use crate::cli::work::BrokerArgs;
use tabuleiro_remote::{Heartbeat, who};

/// Arguments of `workers`.
#[derive(Args)]
pub struct WorkersArgs {
    #[command(flatten)]
    broker: BrokerArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Asks everybody, and prints who answers.
pub fn run(args: &WorkersArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let (_, access) = args.broker.load()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::System, format_args!("cannot start the runtime: {error}")))?;
    let asked = runtime.block_on(who::ask(&access));
    runtime.shutdown_background();
    let broker = access.shown();
    let (workers, build) =
        asked.map_err(|error| Failure::new(Exit::NotRunning, format_args!("{broker}: {error}")))?;
    let build = build.map(|build| build.to_string()).unwrap_or_default();
    let text = if args.json {
        format!("{}\n", json!({ "broker": broker, "build": build, "workers": workers }))
    } else {
        listed(&workers, &broker, &build, columns())
    };
    out.write_all(text.as_bytes()).map_err(|error| Failure::output(&error))?;
    Ok(Exit::Ok)
}

fn listed(workers: &[Heartbeat], broker: &str, build: &str, available: usize) -> String {
    if workers.is_empty() {
        return format!("no worker is there ({broker}); start one with: tabuleiro work --url {broker}\n");
    }
    let heads = ["worker", "version", "build", "threads", "busy", "solved", ""];
    let gives = |index| match index {
        0 => Gives::Middle,
        6 => Gives::End,
        _ => Gives::Nothing,
    };
    let columns: Vec<_> =
        heads.iter().enumerate().map(|(index, head)| Column { head, gives: gives(index) }).collect();
    let rows: Vec<_> = workers.iter().map(|worker| row(worker, build)).collect();
    table(&columns, &rows, available)
}

fn row(worker: &Heartbeat, build: &str) -> Vec<String> {
    let remark = match worker {
        _ if worker.build != build => "another build than this program",
        Heartbeat { is_resting: true, .. } => "takes nothing for a while",
        _ => "",
    };
    vec![
        worker.name.clone(),
        worker.version.clone(),
        worker.build.clone(),
        worker.threads.to_string(),
        worker.busy.to_string(),
        worker.solved.to_string(),
        remark.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_a_line_each() {
        let worker = |name: &str, build: &str| Heartbeat {
            worker: 1,
            name: name.to_owned(),
            version: "0.1.0".to_owned(),
            build: build.to_owned(),
            wire: 1,
            threads: 4,
            busy: 2,
            solved: 17,
            memory_bytes: 1,
            is_resting: false,
            is_leaving: false,
        };
        let workers = [worker("lab-1/812", "b1"), worker("lab-2/99", "b2")];
        assert_eq!(
            listed(&workers, "nats://broker", "b1", 100),
            "worker     version  build  threads  busy  solved\n\
             lab-1/812  0.1.0    b1     4        2     17\n\
             lab-2/99   0.1.0    b2     4        2     17      another build than this program\n"
        );
        assert!(listed(&[], "nats://broker", "b1", 100).contains("--url nats://broker"));
    }
}
