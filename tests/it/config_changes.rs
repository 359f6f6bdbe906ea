//! Tests which changes of a configuration wait for a restart.

use tabuleiro::config::{Config, SHIPPED};
use tabuleiro_puzzles::solver::SOLVERS;

/// Values of which each key accepts at least two.
const VALUES: [&str; 24] = [
    "\"nats://h\"",
    "\"owner\"",
    "\"a.html\"",
    "\"pt\"",
    "0",
    "1",
    "2",
    "true",
    "false",
    "\"json\"",
    "\"poll\"",
    "\"quiet\"",
    "\"never\"",
    "\"none\"",
    "\"3s\"",
    "\"3MiB\"",
    "\"0600\"",
    "\"warn\"",
    "\"three\"",
    "[\"txt\", \"json\"]",
    "[\"x\"]",
    "\"2h\"",
    "\"[::1]:80\"",
    "\"a.prom\"",
];

fn parse(text: &str) -> Config {
    Config::parse(text, "t.toml", SOLVERS).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn nothing_waits_where_nothing_differs() {
    let shipped = parse(SHIPPED);
    assert_eq!(parse("[folders]\nbase = \"..\"\n").waiting_for_restart(&shipped), Vec::<String>::new());
    assert_eq!(parse("").waiting_for_restart(&shipped), ["folders.base"]);
}

#[test]
fn the_keys_that_wait_are_named_in_the_order_of_the_configuration() {
    let new = parse(
        "[workers]\nthreads = 9\n[folders]\nvar = \"v\"\n[intake]\nquiet_period = \"90s\"\nclaims_max = 3\n\
         [log]\nlevel = \"warn\"\nfile = false\n",
    );
    let waiting = ["folders.var", "log.file", "intake.claims_max", "workers.threads"];
    assert_eq!(parse("").waiting_for_restart(&new), waiting);
}

/// A changed key waits for a restart if, and only if, the schema says so.
#[test]
fn a_key_waits_where_the_schema_says_so() {
    let before = parse("");
    let document: toml::Table = before.effective().parse().unwrap();
    let schema: serde_json::Value = serde_json::from_str(&Config::schema(SOLVERS)).unwrap();
    let (mut tried, mut waiting) = (0, 0);
    for (section, keys) in document.iter().filter(|(section, _)| *section != "route") {
        for name in keys.as_table().unwrap().keys() {
            // Without the feature, this key has no other value.
            if section == "remote" && name == "url" && !cfg!(feature = "workers") {
                continue;
            }
            let text = |other: &str| format!("[{section}]\n{name} = {other}\n");
            let changed = VALUES.iter().find_map(|other| {
                let config = Config::parse(&text(other), "t.toml", SOLVERS).ok()?;
                (config != before).then_some(config)
            });
            let changed = changed.unwrap_or_else(|| panic!("no other value for {section}.{name}"));
            let rule = &schema["properties"][section]["properties"][name];
            let waits = rule["description"].as_str().unwrap().contains("takes effect after a restart");
            let found = before.waiting_for_restart(&changed);
            assert_eq!(found, if waits { vec![format!("{section}.{name}")] } else { Vec::new() });
            tried += 1;
            waiting += usize::from(waits);
        }
    }
    assert!(tried > 20 && (10..tried).contains(&waiting), "{waiting} of {tried}");
}

/// A reload applies changed routes.
#[test]
fn no_route_waits() {
    let route = "[[route]]\nname = \"a\"\nfiles = [\"a\"]\nsolver = \"jump-game\"\n";
    assert_eq!(parse("").waiting_for_restart(&parse(route)), Vec::<String>::new());
}
