//! Packs the weights that matter most in few bytes: `weights.bin`, as `fast/network.rs` reads it.

use super::coded::decode;
use super::encode::encode;
use super::learn::{Learner, TABLE, TUPLES};

/// Returns the file of the `kept` weights that changed most, in steps of `points` points. The others are 0.
///
/// # Errors
/// Fails if decoding does not return what was encoded.
pub fn pack(learner: &Learner, kept: usize, points: u16) -> Result<Vec<u8>, String> {
    let steps = |at: usize| {
        let steps = (learner.points[at] / f32::from(points)).round();
        steps.clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
    };
    let mut matters: Vec<(f32, usize)> = (0..TUPLES * TABLE)
        .filter(|&at| steps(at) != 0)
        .map(|at| (learner.changes[at].sizes(), at))
        .collect();
    if matters.len() > kept {
        matters.select_nth_unstable_by(kept, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        matters.truncate(kept);
    }
    println!("{} weights", matters.len());
    let mut weights = vec![0; TUPLES * TABLE];
    for (_, at) in matters {
        weights[at] = steps(at);
    }
    let mut file = points.to_le_bytes().to_vec();
    for table in weights.chunks(TABLE) {
        let bytes = encode(table);
        let mut again = vec![0; TABLE];
        decode(&bytes, &mut again);
        if again != table {
            return Err("decoding gives other weights".to_owned());
        }
        file.extend((bytes.len() as u32).to_le_bytes());
        file.extend(bytes);
    }
    Ok(file)
}
