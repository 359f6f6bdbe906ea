//! The parcels that this process is solving. Their intakes hear of them together, in one word a second, however many there are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::protocol::{AT_WORK_PARCELS_MAX, AtWork};

/// The parcels that are being solved, by intake and number.
#[derive(Debug, Default)]
pub struct Held(Mutex<HashMap<(u64, u64), Delivered>>);

/// A delivery that the intake has let begin.
#[derive(Debug)]
struct Delivered {
    token: u64,
    unwanted: Arc<Notify>,
}

impl Held {
    /// This delivery of a parcel is being solved. What is given rings when nobody wants it any more.
    pub fn take(&self, parcel: (u64, u64), token: u64) -> Arc<Notify> {
        let unwanted = Arc::new(Notify::new());
        self.lock().insert(parcel, Delivered { token, unwanted: Arc::clone(&unwanted) });
        unwanted
    }

    /// This delivery is not being solved any more; a later one of the same parcel may be.
    pub fn put_down(&self, parcel: (u64, u64), token: u64) {
        let mut held = self.lock();
        if held.get(&parcel).is_some_and(|delivered| delivered.token == token) {
            held.remove(&parcel);
        }
    }

    /// What `worker` has to say, and to which intakes.
    pub fn words(&self, worker: u64) -> Vec<(u64, AtWork)> {
        let mut of_intakes: HashMap<u64, Vec<(u64, u64)>> = HashMap::new();
        for (&(intake, number), delivered) in &*self.lock() {
            of_intakes.entry(intake).or_default().push((number, delivered.token));
        }
        let word = |parcels: &[(u64, u64)]| AtWork { worker, parcels: parcels.to_vec() };
        let words = |(intake, parcels): (u64, Vec<(u64, u64)>)| {
            let chunks = parcels.chunks(AT_WORK_PARCELS_MAX).map(word);
            chunks.map(|word| (intake, word)).collect::<Vec<_>>()
        };
        of_intakes.into_iter().flat_map(words).collect()
    }

    /// Nobody wants these parcels of an intake.
    pub fn ring(&self, intake: u64, parcels: &[u64]) {
        let held = self.lock();
        for delivered in parcels.iter().filter_map(|&number| held.get(&(intake, number))) {
            delivered.unwanted.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(u64, u64), Delivered>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn each_intake_hears_of_its_own_parcels_in_words_of_bounded_length() {
        let held = Held::default();
        assert_eq!(held.words(7).len(), 0);
        let many = AT_WORK_PARCELS_MAX as u64 + 1;
        for number in 0..many {
            held.take((1, number), number + 100);
        }
        held.take((2, 5), 55);
        held.take((2, 6), 66);
        held.put_down((2, 6), 66);
        held.put_down((2, 5), 54);
        let words = held.words(7);
        let of = |intake| words.iter().filter(move |(to, _)| *to == intake).map(|(_, word)| word);
        assert_eq!(of(2).collect::<Vec<_>>(), [&AtWork { worker: 7, parcels: vec![(5, 55)] }]);
        assert!(of(1).all(|word| word.worker == 7 && word.parcels.len() <= AT_WORK_PARCELS_MAX));
        let mut told: Vec<_> = of(1).flat_map(|word| word.parcels.clone()).collect();
        told.sort_unstable();
        assert!(told.into_iter().eq((0..many).map(|number| (number, number + 100))));
    }

    #[test]
    fn who_solves_what_nobody_wants_is_told() {
        let held = Held::default();
        let [wanted, unwanted] = [1, 2].map(|number| held.take((1, number), 0));
        held.ring(1, &[2, 3]);
        held.ring(2, &[1]);
        let is_told = |notify: &Notify| notify.notified().now_or_never().is_some();
        assert_eq!((is_told(&wanted), is_told(&unwanted)), (false, true));
    }
}
