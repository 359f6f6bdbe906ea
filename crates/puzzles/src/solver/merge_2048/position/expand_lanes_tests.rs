//! Tests of positions of lanes: the bound against true distances, and one key for all images.

use std::collections::HashMap;

use super::super::ExpandBoards;
use super::*;
use crate::solver::Random;
use crate::solver::merge_2048::merge_generator;

/// Returns every board that slides of `board` lead to, with the slides it still needs, `None` if none suffice.
fn distances(board: &SlidingBoard) -> HashMap<SlidingBoard, Option<u32>> {
    let mut boards = vec![board.clone()];
    let mut numbers = HashMap::from([(board.clone(), 0)]);
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    let mut at = 0;
    while at < boards.len() {
        for direction in Direction::ALL {
            let mut next = boards[at].clone();
            next.slide(direction);
            let number = *numbers.entry(next.clone()).or_insert_with(|| {
                boards.push(next);
                before.push(Vec::new());
                boards.len() - 1
            });
            before[number].push(at);
        }
        at += 1;
    }
    let merged = |board: &SlidingBoard| board.ranks().iter().filter(|&&rank| rank != 0).count() == 1;
    let mut found: Vec<Option<u32>> = boards.iter().map(|board| merged(board).then_some(0)).collect();
    let mut layer: Vec<usize> = (0..boards.len()).filter(|&number| found[number].is_some()).collect();
    let mut slides = 0;
    while !layer.is_empty() {
        slides += 1;
        let mut next = Vec::new();
        for &number in layer.iter().flat_map(|&number| &before[number]) {
            if found[number].is_none() {
                found[number] = Some(slides);
                next.push(number);
            }
        }
        layer = next;
    }
    boards.into_iter().zip(found).collect()
}

/// Returns random boards whose tiles make one power of two, each with the rank of the last tile.
fn boards(seed: u64, count: usize, size: u64, tiles_max: u64) -> Vec<(SlidingBoard, u8)> {
    let mut random = Random::new(seed);
    let mut boards = Vec::new();
    while boards.len() < count {
        let tiles = random.between(2, tiles_max);
        let values = merge_generator::case(size * size, tiles, &mut random);
        let smallest = values.iter().copied().filter(|&value| value != 0).min().unwrap_or(1);
        let sum: u64 = values.iter().sum();
        if sum.is_power_of_two() {
            let rank = |&value: &u64| if value == 0 { 0 } else { (value / smallest).ilog2() as u8 + 1 };
            let ranks = values.iter().map(rank).collect();
            boards.push((SlidingBoard::new(size as usize, ranks), (sum / smallest).ilog2() as u8 + 1));
        }
    }
    boards
}

/// Slides the parent that `expander` holds and checks the bounds against `known`, the distances of all positions by
/// key. Returns how often the bound equals the distance.
fn check_children<L: Lane>(
    expander: &mut ExpandLanes<'_, L>,
    known: &HashMap<Vec<u8>, Option<u32>>,
) -> usize {
    let mut exact = 0;
    for direction in Direction::ALL {
        let Some(bound) = expander.slide(direction).unwrap() else { continue };
        let Some(distance) = known[expander.child_key().unwrap().0] else { continue };
        assert!(bound <= distance && (bound == 0) == (distance == 0), "{bound} for {distance}");
        exact += usize::from(bound == distance);
    }
    exact
}

/// A search relies on this for every position that slides reach.
#[test]
fn bounds_do_not_exceed_true_distances() {
    let (mut exact, mut positions) = (0, 0);
    for (board, rank_max) in boards(1, 1200, 3, 9).into_iter().chain(boards(2, 400, 4, 9)) {
        let known = distances(&board);
        let budget = Budget::unlimited();
        let mut narrow = ExpandLanes::<u64>::new(&board, rank_max, &budget).unwrap();
        let mut wide = ExpandLanes::<u128>::new(&board, rank_max, &budget).unwrap();
        let mut keys = HashMap::new();
        for board in known.keys() {
            for direction in Direction::ALL {
                let mut next = board.clone();
                next.slide(direction);
                let key = narrow.key_behind(board, direction).unwrap();
                assert_eq!(key, wide.key_behind(board, direction).unwrap());
                let distance = known[&next];
                assert_eq!(*keys.entry(key).or_insert(distance), distance, "one key for two positions");
            }
        }
        narrow.begin().unwrap();
        check_children(&mut narrow, &keys);
        for (key, distance) in &keys {
            if *distance == Some(0) {
                continue;
            }
            narrow.set_parent(key, Axes::default()).unwrap();
            wide.set_parent(key, Axes::default()).unwrap();
            let found = check_children(&mut narrow, &keys);
            assert_eq!(check_children(&mut wide, &keys), found);
            exact += found;
            if let Some(distance) = *distance {
                // The bound admits a shortest path.
                narrow.set_parent(key, Axes::default()).unwrap();
                assert!(Direction::ALL.into_iter().any(|direction| {
                    let bound = narrow.slide(direction).unwrap();
                    bound.is_some_and(|bound| bound < distance)
                        && keys[narrow.child_key().unwrap().0] == Some(distance - 1)
                }));
            }
            positions += 1;
        }
    }
    assert!(positions > 20_000 && exact > positions / 10, "{positions} {exact}");
}

/// Returns the eight images of a slid board, each with the direction of the slide.
fn images(board: &SlidingBoard, direction: Direction) -> Vec<(SlidingBoard, Direction)> {
    let size = board.size();
    let turned = |board: &SlidingBoard| {
        let square = |at: usize| board.ranks()[(size - 1 - at % size) * size + at / size];
        SlidingBoard::new(size, (0..size * size).map(square).collect())
    };
    let mirrored = |board: &SlidingBoard| {
        let ranks = board.ranks().chunks(size).flat_map(|row| row.iter().rev().copied()).collect();
        SlidingBoard::new(size, ranks)
    };
    let mut found = Vec::new();
    let mut image = (board.clone(), direction);
    for _ in 0..4 {
        let across =
            if matches!(image.1, Direction::Left | Direction::Right) { image.1.opposite() } else { image.1 };
        found.push((mirrored(&image.0), across));
        found.push(image.clone());
        let direction = match image.1 {
            Direction::Left => Direction::Up,
            Direction::Up => Direction::Right,
            Direction::Right => Direction::Down,
            Direction::Down => Direction::Left,
        };
        image = (turned(&image.0), direction);
    }
    found
}

/// Returns the key of a board to which a slide led.
fn key_of(slid: &SlidingBoard, direction: Direction) -> Vec<u8> {
    let mut key = Vec::new();
    pack_canonical(&read_lanes::<u64>(slid, direction), &mut key);
    key
}

#[test]
fn images_have_one_key_which_tells_the_position() {
    for (board, _) in boards(3, 2000, 5, 25) {
        let mut slid = board;
        slid.slide(Direction::Left);
        let key = key_of(&slid, Direction::Left);
        for (image, direction) in images(&slid, Direction::Left) {
            let mut again = image.clone();
            again.slide(direction);
            // Skip boards with pairs left, which would merge now.
            if again == image {
                assert_eq!(key, key_of(&image, direction), "{slid:?} {image:?}");
            }
        }
        let mut lanes = Lanes::<u64>::default();
        let mut tiles: Vec<u8> = Vec::new();
        lanes.unpack(&key, |rank| tiles.push(rank));
        let mut repacked = Vec::new();
        pack_canonical(&lanes, &mut repacked);
        assert_eq!(key, repacked);
        let mut expected: Vec<u8> = slid.ranks().iter().copied().filter(|&rank| rank != 0).collect();
        expected.sort_unstable();
        tiles.sort_unstable();
        assert_eq!(tiles, expected);
    }
}

/// Tiles in a corner can be read as the lanes of either wall.
#[test]
fn lanes_across_have_the_key_of_those_along() {
    for (mut board, _) in boards(4, 2000, 5, 25) {
        for (along, across) in [(Direction::Left, Direction::Up), (Direction::Right, Direction::Down)] {
            loop {
                let before = board.clone();
                board.slide(along);
                board.slide(across);
                if board == before {
                    break;
                }
            }
            assert_eq!(key_of(&board, along), key_of(&board, across), "{board:?}");
        }
    }
}

/// Lane words and whole boards give the same bounds and scores, slide by slide, on boards of up to 400 tiles.
#[test]
fn full_boards_have_the_bounds_of_whole_boards() {
    let mut compared = 0;
    for (size, seed) in (12..=20).zip(10..) {
        for (board, rank_max) in boards(seed, 4, size, size * size) {
            let budget = Budget::unlimited();
            let (mut board, mut random) = (board, Random::new(seed));
            for _ in 0..40 {
                let now = board.clone();
                let mut boards = ExpandBoards::new(&now, rank_max, &budget);
                let mut words = ExpandLanes::<u128>::new(&now, rank_max, &budget).unwrap();
                boards.begin().unwrap();
                words.begin().unwrap();
                for direction in Direction::ALL {
                    let (whole, word) = (boards.slide(direction).unwrap(), words.slide(direction).unwrap());
                    if let (Some(whole), Some(word)) = (whole, word) {
                        assert_eq!(whole, word, "{now:?}");
                        let scores = (boards.child_score(whole).unwrap(), words.child_score(word).unwrap());
                        assert_eq!(scores.0, scores.1, "{now:?}");
                        compared += 1;
                    }
                }
                board.slide(Direction::ALL[random.below(4) as usize]);
            }
        }
    }
    assert!(compared > 3000, "{compared}");
}

#[test]
fn what_does_not_fit_is_left_to_others() {
    let row = |size: usize, rank: u8| {
        let mut ranks = vec![0; size * size];
        ranks[..size].fill(rank);
        SlidingBoard::new(size, ranks)
    };
    let narrow = |board: &SlidingBoard, rank_max: u8| {
        ExpandLanes::<u64>::new(board, rank_max, &Budget::unlimited()).is_some()
    };
    let wide = |board: &SlidingBoard, rank_max: u8| {
        ExpandLanes::<u128>::new(board, rank_max, &Budget::unlimited()).is_some()
    };
    assert!(narrow(&row(16, 1), 5));
    assert!(!narrow(&row(17, 1), 6));
    assert!(wide(&row(32, 1), 6));
    assert!(!wide(&row(33, 1), 7));
    assert!(narrow(&row(2, 14), 15));
    assert!(!narrow(&row(2, 15), 16));
    assert!(!narrow(&SlidingBoard::new(16, vec![1; 256]), 9));
    let mut ranks = vec![1; 256];
    ranks[0] = 2;
    assert!(narrow(&SlidingBoard::new(16, ranks.clone()), 10), "255 of one rank");
    assert!(wide(&SlidingBoard::new(20, [vec![1; 150], vec![2; 178], vec![3; 72]].concat()), 11));
    assert!(
        !wide(&SlidingBoard::new(20, [vec![1; 150], vec![2; 181], vec![3; 69]].concat()), 11),
        "256 may be made"
    );
}
