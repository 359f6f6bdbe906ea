//! The crash matrix cuts jobs after every single operation and tries every loss of unsynced state that the model of a
//! file system allows ([`crate::daemon::fs::model`]). The service's own code recovers and answers the rest, and the
//! result is checked.
//!
//! A scenario runs once, and the state after each operation is kept, because the power can fail there. A new life
//! starts from every tree that a crash can leave at that point. It starts twice: once to answer the files, and once to
//! be stopped first, which gives all files back. Some of the second lives are cut, too, after each operation.
//! [`ledger`] holds the rules.

// The rules that must hold after a crash, after recovery, and at the end.
mod ledger;
// What happens before the power fails.
mod scenarios;
// The service on the model.
mod service;

use std::collections::HashSet;

use ledger::{Ledger, check_clean};
use scenarios::{SCENARIOS, Scenario};
use service::{Life, Service};

use crate::config::Durability;
use crate::daemon::fs::model::{DiskState, Fault, Order, Random, Tree, Trouble, crash_states, key};

/// The most subsets of pending changes tried at a cut; `CRASH_SUBSETS` changes it.
const SUBSETS_MAX: usize = 32;
/// The most subsets tried at a cut of a second life, and after a fault.
const SUBSETS_AGAIN_MAX: usize = 5;
/// One of this many cuts after a fault is examined. If `CRASH_SUBSETS` is above the default, all are.
const FAULT_CUTS_ONE_OF: usize = 40;
/// One of this many trees has its second life cut, but at most an eighth of `subsets_max` trees.
const AGAIN_ONE_OF: usize = 8;

/// What a run examined.
#[derive(Debug, Default, Clone, Copy)]
struct Coverage {
    /// Operations after which the power failed.
    cuts: usize,
    /// Trees that the cuts left; within one cut they differ.
    trees: usize,
    /// Distinct trees that were recovered and run to the end.
    lives: usize,
    /// Cuts of second lives, and lives after those.
    cuts_again: usize,
    lives_again: usize,
    /// Operations that were made to fail.
    faults: usize,
}

impl std::ops::AddAssign for Coverage {
    fn add_assign(&mut self, other: Self) {
        self.cuts += other.cuts;
        self.trees += other.trees;
        self.lives += other.lives;
        self.cuts_again += other.cuts_again;
        self.lives_again += other.lives_again;
        self.faults += other.faults;
    }
}

/// One scenario on one kind of file system.
struct Matrix<'a> {
    scenario: &'a Scenario,
    service: Service,
    ledger: Ledger<'a>,
    random: Random,
    seen: HashSet<(Vec<u8>, usize)>,
    subsets_max: usize,
    again_left: usize,
    counts: Coverage,
}

/// A cut: the state of the file system, and the number of files dropped so far.
type Cut = (DiskState, usize);

impl<'a> Matrix<'a> {
    fn new(scenario: &'a Scenario, order: Order, posix_only: bool, durability: Durability) -> Self {
        let subsets_max =
            std::env::var("CRASH_SUBSETS").map_or(SUBSETS_MAX, |number| number.parse().unwrap());
        Self {
            scenario,
            subsets_max,
            again_left: subsets_max / AGAIN_ONE_OF,
            service: Service::new(scenario, order, posix_only, durability),
            ledger: Ledger::new(scenario, durability, !posix_only),
            random: Random::new(0x5eed_0001),
            seen: HashSet::new(),
            counts: Coverage::default(),
        }
    }

    /// Cuts the scenario after every operation. The error says which rule a crash broke.
    fn run(mut self) -> Result<Coverage, String> {
        let cuts = self.act(None)?;
        self.counts.cuts = cuts.len();
        for (number, (state, drops)) in cuts.iter().enumerate() {
            let trees = crash_states(state, self.subsets_max, &mut self.random);
            self.counts.trees += trees.len();
            for tree in trees {
                self.live_on(&tree, *drops).map_err(|why| format!("cut after operation {number}: {why}"))?;
            }
        }
        Ok(self.counts)
    }

    /// Fails every operation of the scenario once, and cuts the scenario after it.
    fn run_with_faults(mut self, trouble: Trouble) -> Result<Coverage, String> {
        let cuts_one_of = if self.subsets_max > SUBSETS_MAX { 1 } else { FAULT_CUTS_ONE_OF };
        self.act(None)?;
        for operation in 0..self.service.model.operations_for(trouble) {
            let cuts = self
                .act(Some(Fault { operation, trouble }))
                .map_err(|why| format!("operation {operation} failed: {why}"))?;
            self.counts.faults += 1;
            for (number, (state, drops)) in cuts.iter().enumerate().skip(operation) {
                if self.random.below(cuts_one_of) != 0 {
                    continue;
                }
                let trees = crash_states(state, SUBSETS_AGAIN_MAX, &mut self.random);
                self.counts.cuts += 1;
                self.counts.trees += trees.len();
                for tree in trees {
                    self.live(&tree, *drops, Life::Answer, false)
                        .map_err(|why| format!("operation {operation} failed, cut after {number}: {why}"))?;
                }
            }
        }
        Ok(self.counts)
    }

    /// Runs the scenario without a cut, which must end well, too. Returns the possible cuts.
    fn act(&mut self, fault: Option<Fault>) -> Result<Vec<Cut>, String> {
        let cuts = self.service.act(self.scenario, fault)?;
        let drops = self.scenario.drops().count();
        let end = self.service.model.visible();
        self.ledger.check_end(&end, drops, self.scenario.ends_given_back())?;
        // After a fault an ended claim can keep its folder until the next start.
        check_clean(&end, fault.is_some())?;
        Ok(cuts)
    }

    /// Runs all lives that begin with a tree.
    fn live_on(&mut self, tree: &Tree, drops: usize) -> Result<(), String> {
        self.live(tree, drops, Life::GivenBack, false)?;
        let record = self.again_left > 0 && self.random.below(AGAIN_ONE_OF) == 0;
        self.again_left -= usize::from(record);
        let cuts = self.live(tree, drops, Life::Answer, record)?;
        for (number, state) in cuts.iter().enumerate() {
            self.counts.cuts_again += 1;
            for tree in crash_states(state, SUBSETS_AGAIN_MAX, &mut self.random) {
                let before = self.counts.lives;
                self.live(&tree, drops, Life::Answer, false)
                    .map_err(|why| format!("and again after operation {number}: {why}"))?;
                self.counts.lives_again += self.counts.lives - before;
                self.counts.lives = before;
            }
        }
        Ok(())
    }

    /// Recovers what a crash left, and runs to the end. Returns the states after each operation if `record` is set.
    fn live(
        &mut self,
        tree: &Tree,
        drops: usize,
        life: Life,
        record: bool,
    ) -> Result<Vec<DiskState>, String> {
        if !self.seen.insert((key(tree), drops * 2 + usize::from(life == Life::Answer))) {
            return Ok(Vec::new());
        }
        self.counts.lives += 1;
        let told = |why: String| format!("{life:?}: {why}\nafter the crash: {tree:#?}");
        self.ledger.check_crashed(tree, drops).map_err(told)?;
        let set_aside = self.service.recover(tree.clone(), record).map_err(told)?;
        let recovered = self.service.model.visible();
        self.ledger.check_recovered(&recovered, drops).map_err(told)?;
        self.service.finish(life).map_err(told)?;
        let end = self.service.model.visible();
        let checked = if set_aside {
            self.ledger.check_set_aside(&end, drops)
        } else {
            self.ledger.check_end(&end, drops, false)
        };
        checked.and_then(|()| check_clean(&end, false)).map_err(told)?;
        Ok(self.service.model.take_history())
    }
}

fn run_all(order: Order, posix_only: bool) -> Coverage {
    let mut all = Coverage::default();
    for scenario in SCENARIOS {
        let counts = Matrix::new(scenario, order, posix_only, Durability::Full)
            .run()
            .unwrap_or_else(|why| panic!("{} on {order:?}: {why}", scenario.name));
        println!("{order:?}, {}: {counts:?}", scenario.name);
        all += counts;
    }
    println!("{order:?}: {all:?}");
    all
}

#[test]
fn nothing_is_lost_on_a_file_system_with_a_journal() {
    let counts = run_all(Order::Journal, false);
    assert!(counts.cuts >= 450 && counts.lives >= 1500, "{counts:?}");
}

#[test]
fn nothing_is_lost_when_changes_reach_the_disk_in_any_order() {
    let counts = run_all(Order::Any, false);
    assert!(counts.cuts >= 450 && counts.lives >= 5000, "{counts:?}");
}

#[test]
fn nothing_is_lost_when_moves_reach_the_disk_in_halves_and_linux_is_not_there() {
    let counts = run_all(Order::AnyInHalves, true);
    assert!(counts.cuts >= 780 && counts.lives >= 7000, "{counts:?}");
}

/// Shows that the matrix finds results that are lost for lack of syncs.
#[test]
fn without_any_sync_results_are_lost_and_the_matrix_sees_it() {
    let lost = Matrix::new(&SCENARIOS[0], Order::Any, false, Durability::None).run().unwrap_err();
    assert!(lost.contains("is kept, and its answer is not there"), "{lost}");
}

#[test]
fn nothing_is_lost_when_an_operation_fails_first() {
    let mut all = Coverage::default();
    for scenario in SCENARIOS {
        for trouble in [Trouble::Fails(libc::EIO), Trouble::Fails(libc::ENOSPC), Trouble::WritesFail] {
            for posix_only in [false, true] {
                let counts = Matrix::new(scenario, Order::Any, posix_only, Durability::Full)
                    .run_with_faults(trouble)
                    .unwrap_or_else(|why| panic!("{}, {trouble:?}: {why}", scenario.name));
                all += counts;
            }
        }
    }
    println!("with faults: {all:?}");
    assert!(all.faults >= 3500 && all.lives >= 7000, "{all:?}");
}

/// The publisher looks up an older report or page, and checks that it is no person's file, before removing it.
#[test]
fn an_older_report_goes_when_a_look_at_it_fails_first() {
    let mut all = Coverage::default();
    for scenario in SCENARIOS.iter().filter(|scenario| scenario.removes_only()) {
        for (posix_only, errno) in [(false, libc::EIO), (true, libc::EIO), (false, libc::EACCES)] {
            let counts = Matrix::new(scenario, Order::Any, posix_only, Durability::Full)
                .run_with_faults(Trouble::LookFails(errno))
                .unwrap_or_else(|why| panic!("{}, {errno}: {why}", scenario.name));
            all += counts;
        }
    }
    println!("with looks that fail: {all:?}");
    assert!(all.faults >= 30, "{all:?}");
}

#[test]
fn a_report_that_can_never_be_removed_stays_beside_the_result_and_keeps_no_claim() {
    let scenario = SCENARIOS.iter().find(|scenario| scenario.removes_only()).unwrap();
    let matrix = Matrix::new(scenario, Order::Journal, false, Durability::Full);
    matrix.service.model.never_remove(std::path::Path::new("/outbox/erro.txt"));
    let told = matrix.run().unwrap_err();
    assert!(told.contains("at the end the outbox is"), "{told}");
    assert!(told.contains("erro.txt") && told.contains("\"saida.txt\": \"2\\n\""), "{told}");
}

/// Shows that the matrix finds lost files, on a file system that can forget both names of a moved file.
#[test]
fn a_careless_file_system_loses_files_and_the_matrix_sees_it() {
    let lost = Matrix::new(&SCENARIOS[0], Order::Careless, false, Durability::Full).run().unwrap_err();
    assert!(lost.contains("is in no folder"), "{lost}");
}
