//! scratch
use std::time::Instant;
use tabuleiro::solver::{self, Authority};
fn run(text: &str, set: &[(&str, &str)]) {
    let s = solver::find("2048-astar").unwrap();
    let mut o = solver::default_options(s);
    for (k, v) in set { o.set(k, v, Authority::Owner).unwrap(); }
    let t = Instant::now();
    let out = solver::answer_all(s, &o, "x", text.as_bytes()).unwrap();
    for x in &out { println!("{set:?} {} {:?}", x.headline, t.elapsed()); }
    if out.len()==1 && set.is_empty() && out[0].to_text().len()<500 { println!("{}", out[0].to_text()); }
}
#[test]
fn scratch() {
    run("4\n256 8 0 2\n256 8 16 2\n512 4 0 0\n1024 0 0 0\n", &[]);
    let start = "4\n0 0 0 2\n0 0 0 0\n0 0 0 0\n0 0 0 0\n";
    for goal in ["16", "64", "256", "512", "2048", "65536", "1024"] { run(start, &[("goal", goal)]); }
    run(start, &[("algorithm", "left-weighted")]);
    run("2\n0 2\n0 0\n", &[("goal","16")]);
    run("2\n0 2\n0 0\n", &[("goal","8")]);
    run("3\n0 0 2\n0 0 0\n0 0 0\n", &[("goal","256"),("memory_limit", "256MiB")]);
    run("3\n0 0 2\n0 0 0\n0 0 0\n", &[("goal","512"),("memory_limit", "256MiB")]);
}
