//! Tests of the schedule: cases that a review found, and every rule on random sequences of events.

use proptest::prelude::*;

use super::*;

const PAUSE: Duration = Duration::from_millis(100);

fn answer(id: &str) -> Action {
    Action::Answer(id.to_owned())
}

fn give_back(id: &str) -> Action {
    Action::GiveBack(id.to_owned())
}

fn leave(id: &str) -> Action {
    Action::Leave(id.to_owned())
}

/// Returns a schedule with these claims of one result. The first one is being answered.
fn one_result(ids: &[&str]) -> Schedule {
    let mut schedule = Schedule::new(false);
    for (number, id) in ids.iter().enumerate() {
        let actions = schedule.claimed(id, Path::new("saida.txt"));
        assert_eq!(actions, if number == 0 { vec![answer(id)] } else { vec![] });
    }
    schedule
}

#[test]
fn claims_of_one_result_are_answered_one_after_the_other() {
    let mut schedule = one_result(&["1", "2", "3"]);
    assert_eq!(schedule.claimed("4", Path::new("other.txt")), [answer("4")]);
    assert_eq!(schedule.state("2"), Some(ClaimState::Queued));
    assert_eq!(schedule.ended("1"), [answer("2")]);
    assert_eq!(schedule.ended("2"), [answer("3")]);
    assert_eq!((schedule.ended("3"), schedule.len()), (vec![], 1));
}

/// A worker used to give back claims that it had not begun, whatever waited behind them. After the restart the newer
/// claim was answered first, and the older file, claimed again, replaced its result.
#[test]
fn an_older_file_is_not_given_back_while_a_newer_one_is_claimed() {
    let mut schedule = one_result(&["1", "2"]);
    schedule.stop(["1"]);
    assert_eq!(schedule.state("1"), Some(ClaimState::Queued), "nothing goes back while claims may follow");
    assert_eq!(schedule.claimed("3", Path::new("saida.txt")), []);
    assert_eq!(schedule.close(), [give_back("3"), leave("2"), leave("1")]);
    assert_eq!(schedule.ended("3"), []);
    assert!(schedule.is_over());
}

#[test]
fn a_file_that_changed_is_answered_again_in_place_where_a_newer_one_waits() {
    let now = Instant::now();
    let mut schedule = one_result(&["1"]);
    assert_eq!(schedule.interrupted("1", PAUSE, now), [give_back("1")]);
    schedule.claimed("2", Path::new("saida.txt"));
    // The newer file was claimed meanwhile, so the older one was not put back.
    assert_eq!(schedule.failed("1", Retry::Answer, PAUSE, now), []);
    let due = schedule.next_due().unwrap();
    assert_eq!((due, schedule.state("1")), (now + RETRY_FIRST, Some(ClaimState::Retrying(due))));
    assert_eq!(schedule.due(now), []);
    assert_eq!(schedule.due(due), [answer("1")]);
    assert_eq!(schedule.interrupted("1", 10 * RETRY_FIRST, due), []);
    assert_eq!(schedule.due(due + 2 * RETRY_FIRST), []);
    assert_eq!(schedule.due(due + 10 * RETRY_FIRST), [answer("1")]);
    assert_eq!(schedule.ended("1"), [answer("2")]);
}

#[test]
fn a_job_that_waits_is_answered_again_and_again_at_the_same_pace_but_not_for_ever_with_once() {
    let mut now = Instant::now();
    let mut schedule = one_result(&["1"]);
    for _ in 0..10 {
        assert_eq!(schedule.postponed("1", 2 * RETRY_FIRST, now), []);
        now += 2 * RETRY_FIRST;
        assert_eq!(schedule.due(now), [answer("1")]);
    }
    let mut schedule = Schedule::new(true);
    schedule.claimed("1", Path::new("saida.txt"));
    for tries in 1..=ONCE_TRIES_MAX {
        let gives_up = tries == ONCE_TRIES_MAX;
        assert_eq!(schedule.postponed("1", PAUSE, now), if gives_up { vec![Action::GiveUp] } else { vec![] });
        now += RETRY_LAST;
        schedule.due(now);
    }
}

#[test]
fn a_cancelled_file_stays_claimed_after_a_newer_one_went_back() {
    let mut schedule = one_result(&["1", "2"]);
    schedule.stop([]);
    assert_eq!(schedule.close(), [give_back("2")]);
    assert_eq!(schedule.ended("2"), []);
    assert!(!schedule.is_over());
    assert_eq!(schedule.interrupted("1", PAUSE, Instant::now()), [leave("1")]);
    assert!(schedule.is_over());
}

/// A changed file was going back when the service was stopped, and the newer file went back, too. The next start found
/// two files with different names in the inbox, and could take the newer one first.
#[test]
fn at_a_stop_nothing_goes_back_beside_a_file_that_is_on_its_way() {
    let mut schedule = one_result(&["1"]);
    assert_eq!(schedule.interrupted("1", PAUSE, Instant::now()), [give_back("1")]);
    schedule.claimed("2", Path::new("saida.txt"));
    schedule.stop([]);
    assert_eq!(schedule.close(), [leave("2")]);
    assert_eq!(schedule.ended("1"), []);
    assert!(schedule.is_over());
}

#[test]
fn what_waits_for_a_retry_goes_back_at_a_stop_or_is_left_where_it_cannot() {
    let now = Instant::now();
    let mut schedule = one_result(&["1"]);
    schedule.claimed("2", Path::new("other.txt"));
    for id in ["1", "2"] {
        assert_eq!(schedule.failed(id, Retry::Publish, Duration::ZERO, now), []);
    }
    assert!(schedule.is_at_rest() && schedule.retrying() == 2);
    schedule.stop([]);
    assert_eq!((schedule.due(now + RETRY_LAST), schedule.next_due()), (vec![], None));
    assert_eq!(schedule.close(), [give_back("2"), give_back("1")]);
    assert_eq!(schedule.failed("2", Retry::Answer, PAUSE, now), [leave("2")]);
    assert_eq!(schedule.ended("1"), []);
    assert!(schedule.is_over() && schedule.len() == 1);
}

#[test]
fn each_try_waits_longer_and_once_ends_after_a_few() {
    let mut now = Instant::now();
    for once in [false, true] {
        let mut schedule = Schedule::new(once);
        schedule.claimed("1", Path::new("saida.txt"));
        for (seconds, retry) in
            [1, 2, 4, 8, 16, 32, 60, 60].into_iter().zip([Retry::Publish, Retry::Answer].into_iter().cycle())
        {
            let gave_up = schedule.failed("1", retry, Duration::ZERO, now) == [Action::GiveUp];
            assert_eq!(gave_up, once && seconds >= 4);
            assert_eq!(schedule.next_due(), Some(now + Duration::from_secs(seconds)));
            now += Duration::from_secs(seconds);
            let again = schedule.due(now);
            assert_eq!(
                again,
                [if retry == Retry::Publish { Action::Publish("1".to_owned()) } else { answer("1") }]
            );
        }
    }
}

/// Number of names under which files are dropped. The first two lead to one result.
const NAMES: usize = 3;

fn result_of(name: usize) -> &'static Path {
    Path::new(["a", "a", "b"][name])
}

/// An event around the schedule.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Somebody drops a file, which replaces one of the same name.
    Drop { name: usize },
    /// The intake claims a file.
    Claim { name: usize },
    /// The loop learns of the oldest claim that it does not know yet.
    Tell,
    /// A thread carries out an action.
    Do { which: usize, outcome: Outcome },
    /// Two seconds pass.
    Wait,
    /// The service is asked to stop. Answers after the first `begun` actions have not begun.
    Stop { begun: usize },
    /// The intake ends.
    Close,
    /// The process dies and starts again.
    Restart,
}

#[derive(Debug, Clone, Copy)]
enum Outcome {
    Success,
    AnswerAgain,
    PublishAgain,
    Interrupted,
}

fn step() -> impl Strategy<Value = Step> {
    let outcome = prop_oneof![
        4 => Just(Outcome::Success),
        1 => Just(Outcome::AnswerAgain),
        1 => Just(Outcome::PublishAgain),
        3 => Just(Outcome::Interrupted),
    ];
    prop_oneof![
        4 => (0..NAMES).prop_map(|name| Step::Drop { name }),
        6 => (0..NAMES).prop_map(|name| Step::Claim { name }),
        6 => Just(Step::Tell),
        6 => (0..8_usize, outcome).prop_map(|(which, outcome)| Step::Do { which, outcome }),
        2 => Just(Step::Wait),
        1 => (0..3_usize).prop_map(|begun| Step::Stop { begun }),
        2 => Just(Step::Close),
        1 => Just(Step::Restart),
    ]
}

/// A claimed file: its name, and its number in the order of drops.
type Dropped = (usize, usize);

/// The folders and threads around the schedule.
struct World {
    schedule: Schedule,
    now: Instant,
    inbox: BTreeMap<usize, usize>,
    work: BTreeMap<String, Dropped>,
    /// Numbers of the files that were answered.
    answered: BTreeSet<usize>,
    /// Pairs of files of one result that were claimed at the same time: the older and the newer.
    pairs: Vec<(Dropped, Dropped)>,
    untold: Vec<String>,
    /// Claims that an earlier run left.
    recovered: BTreeSet<String>,
    /// Actions that no thread has carried out yet.
    out: Vec<Action>,
    dropped: usize,
    claims: usize,
    is_stopping: bool,
    is_closed: bool,
}

impl World {
    fn new() -> Self {
        Self {
            schedule: Schedule::new(false),
            now: Instant::now(),
            inbox: BTreeMap::new(),
            work: BTreeMap::new(),
            answered: BTreeSet::new(),
            pairs: Vec::new(),
            untold: Vec::new(),
            recovered: BTreeSet::new(),
            out: Vec::new(),
            dropped: 0,
            claims: 0,
            is_stopping: false,
            is_closed: false,
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Drop { name } => {
                self.dropped += 1;
                self.inbox.insert(name, self.dropped);
            }
            Step::Claim { name } if !self.is_closed => self.claim(name),
            Step::Tell if !self.untold.is_empty() => {
                let id = self.untold.remove(0);
                self.tell(&id);
            }
            Step::Do { which, outcome } if !self.out.is_empty() => {
                let action = self.out.remove(which % self.out.len());
                self.perform(&action, outcome);
            }
            Step::Wait => {
                self.now += Duration::from_secs(2);
                let actions = self.schedule.due(self.now);
                self.take(actions);
            }
            Step::Stop { begun } if !self.is_stopping => {
                self.is_stopping = true;
                let is_begun = |number: usize| number < begun;
                let mut number = 0;
                let withdrawn: Vec<_> = self
                    .out
                    .extract_if(.., |action| {
                        number += 1;
                        matches!(action, Action::Answer(_)) && !is_begun(number - 1)
                    })
                    .collect();
                self.schedule.stop(withdrawn.iter().filter_map(Action::id));
            }
            Step::Close if self.is_stopping && !self.is_closed => {
                while !self.untold.is_empty() {
                    self.step(Step::Tell);
                }
                self.is_closed = true;
                let actions = self.schedule.close();
                assert!(actions.is_sorted_by(|a, b| a.id() > b.id()), "the youngest first: {actions:?}");
                self.take(actions);
            }
            Step::Restart => self.restart(),
            _ => {}
        }
    }

    fn claim(&mut self, name: usize) {
        let Some(number) = self.inbox.remove(&name) else { return };
        self.claims += 1;
        let id = format!("{:06}", self.claims);
        let older = self.work.values().filter(|(other, _)| result_of(*other) == result_of(name));
        self.pairs.extend(older.map(|older| (*older, (name, number))));
        self.work.insert(id.clone(), (name, number));
        self.untold.push(id);
    }

    fn tell(&mut self, id: &str) {
        let actions = self.schedule.claimed(id, result_of(self.work[id].0));
        self.take(actions);
    }

    /// Checks and stores new actions. [`Action::Leave`] needs nothing more.
    fn take(&mut self, actions: Vec<Action>) {
        for action in &actions {
            // The check of the claims would refuse it, too, but the schedule must not even ask for it.
            if let Action::GiveBack(id) = action {
                let result = result_of(self.work[id].0);
                let mut younger = self.work.iter().filter(|(other, _)| *other > id);
                let known = |(other, (name, _)): (&String, &Dropped)| {
                    result_of(*name) == result && self.schedule.state(other).is_some()
                };
                assert!(!younger.any(known), "{id} goes back past a newer claim of its result");
            }
        }
        self.out.extend(actions.into_iter().filter(|action| !matches!(action, Action::Leave(_))));
        let result = |id: &str| result_of(self.work[id].0);
        for (number, action) in self.out.iter().enumerate() {
            let id = action.id().unwrap();
            assert_eq!(self.schedule.state(id), Some(ClaimState::Dispatched), "{action:?}");
            for other in &self.out[number + 1..] {
                assert_ne!(action.id(), other.id(), "{:?}", self.out);
                let both_answer = ![action, other].iter().any(|action| matches!(action, Action::GiveBack(_)));
                assert!(!both_answer || result(id) != result(other.id().unwrap()), "{:?}", self.out);
            }
        }
    }

    fn perform(&mut self, action: &Action, outcome: Outcome) {
        let id = action.id().unwrap();
        let (name, number) = self.work[id];
        let actions = match (action, outcome) {
            (Action::GiveBack(_), Outcome::Success) => {
                let mut younger = self.work.iter().filter(|(other, _)| other.as_str() > id);
                // The same check that the claims make.
                let is_claimed = younger.any(|(_, (other, _))| result_of(*other) == result_of(name));
                // A claim that an earlier run left may have a result, so it never goes back (`Claim::may_be_named`).
                if is_claimed || self.inbox.contains_key(&name) || self.recovered.contains(id) {
                    self.schedule.failed(id, Retry::Answer, PAUSE, self.now)
                } else {
                    if !self.is_stopping {
                        // Nothing tells the order of files with different names once they are back in the inbox.
                        let is_other =
                            |(a, b): &(Dropped, Dropped)| a.0 != b.0 && [a.1, b.1].contains(&number);
                        self.pairs.retain(|pair| !is_other(pair));
                    }
                    self.inbox.insert(name, number);
                    self.work.remove(id);
                    self.schedule.ended(id)
                }
            }
            (_, Outcome::Success) => {
                self.work.remove(id);
                for ((_, older), (_, newer)) in &self.pairs {
                    let is_late = *newer == number && !self.answered.contains(older);
                    assert!(!is_late, "{number} is answered, and its elder {older} is not");
                }
                assert!(self.answered.insert(number), "{number} is answered twice");
                self.schedule.ended(id)
            }
            (Action::Answer(_), Outcome::Interrupted) => self.schedule.interrupted(id, PAUSE, self.now),
            (_, Outcome::PublishAgain) => self.schedule.failed(id, Retry::Publish, PAUSE, self.now),
            (_, _) => self.schedule.failed(id, Retry::Answer, PAUSE, self.now),
        };
        self.take(actions);
    }

    fn restart(&mut self) {
        (self.schedule, self.is_stopping, self.is_closed) = (Schedule::new(false), false, false);
        self.untold.clear();
        self.out.clear();
        self.recovered = self.work.keys().cloned().collect();
        for id in self.work.keys().cloned().collect::<Vec<_>>() {
            self.tell(&id);
        }
    }

    /// Lets every action succeed. The next start answers what a stop leaves.
    fn finish(&mut self) {
        if self.is_stopping {
            self.step(Step::Close);
            while !self.out.is_empty() {
                self.step(Step::Do { which: 0, outcome: Outcome::Success });
            }
            assert!(self.schedule.is_over(), "{:?}", self.schedule);
            self.restart();
        }
        for _ in 0..200 {
            (0..NAMES).for_each(|name| self.claim(name));
            for step in [Step::Tell, Step::Do { which: 0, outcome: Outcome::Success }, Step::Wait] {
                self.step(step);
            }
        }
        assert!(self.work.is_empty() && self.inbox.is_empty(), "{:?}, {:?}", self.work, self.schedule);
        assert!(self.schedule.is_empty() && self.schedule.results.is_empty() && self.out.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// In any order of events every claim ends. Claims of one result end one at a time and in order. An older file is
    /// never answered after a newer one that was claimed at the same time, even if the process restarts.
    #[test]
    fn every_claim_ends_in_its_order(steps in prop::collection::vec(step(), 1..120)) {
        let mut world = World::new();
        for step in steps {
            world.step(step);
        }
        world.finish();
    }
}
