//! Which pending changes survive a crash.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::daemon::fs::model::state::{DiskState, Pending};
use crate::daemon::fs::model::tree::{Change, Inode, Tree};

/// The fate of a file's unsynced content.
#[derive(Debug, Clone, Copy)]
enum Content {
    Lost,
    CutShort,
    Zeros,
    Kept,
}

const CONTENTS: [Content; 4] = [Content::Lost, Content::CutShort, Content::Zeros, Content::Kept];
/// Files with unsynced content whose fates are combined with each other. Each further file gets one random fate per
/// combination.
const COMBINED_MAX: usize = 2;
/// With more subsets of names than this, all fates are tried for only one file in each.
const COMBINED_SUBSETS_MAX: usize = 16;

/// A generator of pseudo-random choices, the same on every run (xorshift64, Marsaglia 2003).
pub struct Random(u64);

impl Random {
    /// Starts with a seed other than 0.
    pub fn new(seed: u64) -> Self {
        Self(seed.max(1))
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Returns the distinct trees that a crash in `state` can leave. Covers all allowed subsets of the pending changes of
/// names if there are at most `subsets_max`; otherwise none, all, every prefix, and random subsets up to that number.
pub fn crash_states(state: &DiskState, subsets_max: usize, random: &mut Random) -> Vec<Tree> {
    let names: Vec<&Pending> = state.pending.iter().filter(|pending| pending.change.is_of_names()).collect();
    let mut seen = HashSet::new();
    let mut trees = Vec::new();
    let subsets = subsets(&names, subsets_max, random);
    let combined = if subsets.len() > COMBINED_SUBSETS_MAX { 1 } else { COMBINED_MAX };
    for subset in subsets {
        let mut tree = state.durable.clone();
        for pending in names.iter().zip(&subset).filter(|(_, kept)| **kept).map(|(pending, _)| pending) {
            tree.apply(&pending.change);
        }
        for fates in fates(state, &tree, combined, random) {
            let mut tree = tree.clone();
            for (file, content) in fates {
                tree.append(file, &surviving(state, file, content));
            }
            if seen.insert(key(&tree)) {
                trees.push(tree);
            }
        }
    }
    trees
}

/// Returns the subsets of the changes of names that a crash can keep. Each contains what its changes require.
fn subsets(names: &[&Pending], subsets_max: usize, random: &mut Random) -> Vec<Vec<bool>> {
    let numbers: BTreeMap<u64, usize> =
        names.iter().enumerate().map(|(at, pending)| (pending.number, at)).collect();
    // Required changes are older, so they come first. Those that are durable already are not in `names`.
    let may_keep = |subset: &[bool]| {
        names[subset.len()].requires.iter().filter_map(|number| numbers.get(number)).all(|at| subset[*at])
    };
    let mut all = vec![Vec::new()];
    for _ in names {
        let mut longer = Vec::with_capacity(2 * all.len());
        for mut subset in all {
            if may_keep(&subset) {
                longer.push([subset.as_slice(), &[true]].concat());
            }
            subset.push(false);
            longer.push(subset);
        }
        all = longer;
        if all.len() > subsets_max {
            return sample(names.len(), &may_keep, subsets_max, random);
        }
    }
    all
}

fn sample(
    length: usize,
    may_keep: &dyn Fn(&[bool]) -> bool,
    subsets_max: usize,
    random: &mut Random,
) -> Vec<Vec<bool>> {
    let prefix = |kept: usize| (0..length).map(|at| at < kept).collect::<Vec<_>>();
    let mut subsets: BTreeSet<Vec<bool>> = (0..=length).map(prefix).collect();
    for _ in 0..4 * subsets_max {
        if subsets.len() >= subsets_max {
            break;
        }
        // The odds range from few survivors to few losses.
        let odds = 1 + random.below(9);
        let mut subset = Vec::with_capacity(length);
        for _ in 0..length {
            let kept = random.below(10) < odds && may_keep(&subset);
            subset.push(kept);
        }
        subsets.insert(subset);
    }
    subsets.into_iter().collect()
}

/// Returns the combined fates of unsynced content for the files that have a name in `tree`.
fn fates(state: &DiskState, tree: &Tree, combined: usize, random: &mut Random) -> Vec<Vec<(Inode, Content)>> {
    let named: BTreeSet<Inode> = tree.walk().into_values().map(|(inode, _)| inode).collect();
    let unsynced: BTreeSet<Inode> = state
        .pending
        .iter()
        .filter_map(|pending| match &pending.change {
            Change::Write { file, .. } if named.contains(file) => Some(*file),
            _ => None,
        })
        .collect();
    let mut all = vec![Vec::new()];
    for (count, file) in unsynced.into_iter().enumerate() {
        if count < combined {
            let with = |fates: &Vec<_>, content| [fates.as_slice(), &[(file, content)]].concat();
            all = all.iter().flat_map(|fates| CONTENTS.map(|content| with(fates, content))).collect();
        } else {
            for fates in &mut all {
                fates.push((file, CONTENTS[random.below(CONTENTS.len())]));
            }
        }
    }
    all
}

fn surviving(state: &DiskState, file: Inode, content: Content) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    for pending in &state.pending {
        match &pending.change {
            Change::Write { file: written, bytes: more } if *written == file => bytes.extend(more),
            _ => {}
        }
    }
    match content {
        Content::Lost => bytes.clear(),
        Content::CutShort => bytes.truncate(bytes.len() / 2),
        Content::Zeros => bytes.fill(0),
        Content::Kept => {}
    }
    bytes
}

/// Returns a key that is equal for two trees if they have the same paths, links and content.
pub fn key(tree: &Tree) -> Vec<u8> {
    let mut first = BTreeMap::new();
    let mut key = Vec::new();
    for (number, (path, (inode, content))) in tree.walk().into_iter().enumerate() {
        let alias = *first.entry(inode).or_insert(number);
        key.extend_from_slice(path.as_os_str().as_encoded_bytes());
        key.extend_from_slice(
            format!("\0{alias}\0{}\0", content.map_or(-1, |bytes| bytes.len() as i64)).as_bytes(),
        );
        key.extend_from_slice(content.unwrap_or_default());
    }
    key
}
