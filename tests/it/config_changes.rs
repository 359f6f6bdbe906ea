//! What a new configuration changes: every key, with both values, and when it takes effect.

use tabuleiro::config::{Change, Config, EFFECTS, Effect};
use tabuleiro::solver::SOLVERS;

fn parse(text: &str) -> Config {
    Config::parse(text, "t.toml", SOLVERS).unwrap_or_else(|error| panic!("{error}"))
}

fn route(name: &str, rest: &str) -> String {
    format!("[[route]]\nname = \"{name}\"\nfiles = [\"{name}*\"]\n{rest}\n")
}

const MERGE: &str = "solver = \"2048-merge\"";

#[test]
fn a_configuration_differs_from_itself_in_nothing() {
    assert_eq!(parse("").changes(&parse(tabuleiro::config::SHIPPED)), []);
}

#[test]
fn every_key_that_changed_is_told_with_both_values() {
    let changes = parse("").changes(&parse(
        "[folders]\nvar = \"v\"\n[intake]\nquiet_period = \"90s\"\nclaims_max = 3\n[log]\nlevel = \"warn\"\nfile = false\n",
    ));
    let told: Vec<_> = changes
        .iter()
        .map(|change| match change {
            Change::Key { key, old, new } => format!("{key}: {old} to {new}, {:?}", change.effect()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        told,
        [
            "folders.var: \"var\" to \"v\", Restart",
            "log.level: \"info\" to \"warn\", Reload",
            "log.file: true to false, Restart",
            "intake.quiet_period: \"2s\" to \"1m 30s\", Reload",
            "intake.claims_max: 64 to 3, Restart",
        ]
    );
}

/// Whatever key of a section is changed is told: the classification is no list of what is compared.
#[test]
fn a_change_of_any_single_key_is_told() {
    let before = parse("");
    let document: toml::Table = before.effective().parse().unwrap();
    let mut tried = 0;
    for (key, _) in EFFECTS.iter().filter(|(key, _)| !key.starts_with("route.")) {
        let (section, name) = key.split_once('.').unwrap();
        let value = &document[section].as_table().unwrap()[name];
        let others = [
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
        let text = |other: &str| format!("[{section}]\n{name} = {other}\n");
        let changed = others.iter().find_map(|other| {
            let config = Config::parse(&text(other), "t.toml", SOLVERS).ok()?;
            (config != before).then_some((other, config))
        });
        let (other, after) = changed.unwrap_or_else(|| panic!("no other value for {key}"));
        let found: Vec<_> = before.changes(&after);
        let [Change::Key { key: told, old, new }] = found.as_slice() else { panic!("{key}: {found:?}") };
        assert_eq!((told.as_str(), old), (*key, &value.to_string()));
        assert!(new != old, "{key} = {other}: {new}");
        tried += 1;
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn routes_are_added_removed_and_changed_by_their_names() {
    let before = [route("a", MERGE), route("b", MERGE), route("c", MERGE)].concat();
    let after = [
        route("b", "solver = \"2048-merge\"\ntime_limit = \"2s\"\noptions = { witness = true }"),
        route("d", MERGE),
        route("c", MERGE),
    ]
    .concat();
    let changed = |key: &str, old: &str, new: &str| Change::RouteKey {
        route: "b".to_owned(),
        key: key.to_owned(),
        old: Some(old.to_owned()),
        new: Some(new.to_owned()),
    };
    let changes = parse(&before).changes(&parse(&after));
    assert_eq!(
        changes,
        [
            Change::RouteRemoved { route: "a".to_owned() },
            changed("options.witness", "false", "true"),
            changed("time_limit", "\"1m\"", "\"2s\""),
            Change::RouteAdded { route: "d (d*) to 2048-merge".to_owned() },
        ]
    );
    assert!(changes.iter().all(|change| change.effect() == Effect::Reload));
}

#[test]
fn another_solver_has_other_options() {
    let before = parse(&route("a", MERGE));
    let changes = before.changes(&parse(&route("a", "solver = \"jump-game\"")));
    let of = |name: &str| {
        let mut found = changes.iter().filter_map(|change| match change {
            Change::RouteKey { key, old, new, .. } if key == name => Some((old.clone(), new.clone())),
            _ => None,
        });
        found.next().unwrap_or_else(|| panic!("{name}: {changes:?}"))
    };
    assert_eq!(of("solver"), (Some("\"2048-merge\"".to_owned()), Some("\"jump-game\"".to_owned())));
    assert_eq!(of("options.movement"), (None, Some("\"walk\"".to_owned())));
    assert!(of("options.algorithm").0.is_some());
}

#[test]
fn another_order_of_routes_is_told() {
    let (a, b) = (route("a", MERGE), route("b", MERGE));
    let order = vec!["b".to_owned(), "a".to_owned()];
    assert_eq!(
        parse(&[a.clone(), b.clone()].concat()).changes(&parse(&[b, a].concat())),
        [Change::RouteOrder { order }]
    );
}
