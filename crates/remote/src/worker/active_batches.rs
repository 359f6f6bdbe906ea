//! The batches that this process is solving. Each dispatcher gets one message per second about all of its batches.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::protocol::{AT_WORK_BATCHES_MAX, AtWork};

/// The batches being solved, by dispatcher and number.
#[derive(Debug, Default)]
pub struct ActiveBatches(Mutex<HashMap<(u64, u64), Delivered>>);

#[derive(Debug)]
struct Delivered {
    token: u64,
    unwanted: Arc<Notify>,
}

impl ActiveBatches {
    /// Adds a delivery of a batch. The result is notified when nobody wants the batch any more.
    pub fn take(&self, batch: (u64, u64), token: u64) -> Arc<Notify> {
        let unwanted = Arc::new(Notify::new());
        self.lock().insert(batch, Delivered { token, unwanted: Arc::clone(&unwanted) });
        unwanted
    }

    /// Removes a delivery, but not a later one of the same batch.
    pub fn put_down(&self, batch: (u64, u64), token: u64) {
        let mut held = self.lock();
        if held.get(&batch).is_some_and(|delivered| delivered.token == token) {
            held.remove(&batch);
        }
    }

    /// Returns the messages of `worker`, each with its dispatcher.
    pub fn words(&self, worker: u64) -> Vec<(u64, AtWork)> {
        let mut of_dispatchers: HashMap<u64, Vec<(u64, u64)>> = HashMap::new();
        for (&(dispatcher, number), delivered) in &*self.lock() {
            of_dispatchers.entry(dispatcher).or_default().push((number, delivered.token));
        }
        let word = |batches: &[(u64, u64)]| AtWork { worker, batches: batches.to_vec() };
        let words = |(dispatcher, batches): (u64, Vec<(u64, u64)>)| {
            let chunks = batches.chunks(AT_WORK_BATCHES_MAX).map(word);
            chunks.map(|word| (dispatcher, word)).collect::<Vec<_>>()
        };
        of_dispatchers.into_iter().flat_map(words).collect()
    }

    /// Ends these batches of a dispatcher, because nobody wants them.
    pub fn ring(&self, dispatcher: u64, batches: &[u64]) {
        let held = self.lock();
        for delivered in batches.iter().filter_map(|&number| held.get(&(dispatcher, number))) {
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
    fn each_dispatcher_hears_of_its_own_batches_in_words_of_bounded_length() {
        let held = ActiveBatches::default();
        assert_eq!(held.words(7).len(), 0);
        let many = AT_WORK_BATCHES_MAX as u64 + 1;
        for number in 0..many {
            held.take((1, number), number + 100);
        }
        held.take((2, 5), 55);
        held.take((2, 6), 66);
        held.put_down((2, 6), 66);
        held.put_down((2, 5), 54);
        let words = held.words(7);
        let of = |dispatcher| words.iter().filter(move |(to, _)| *to == dispatcher).map(|(_, word)| word);
        assert_eq!(of(2).collect::<Vec<_>>(), [&AtWork { worker: 7, batches: vec![(5, 55)] }]);
        assert!(of(1).all(|word| word.worker == 7 && word.batches.len() <= AT_WORK_BATCHES_MAX));
        let mut told: Vec<_> = of(1).flat_map(|word| word.batches.clone()).collect();
        told.sort_unstable();
        assert!(told.into_iter().eq((0..many).map(|number| (number, number + 100))));
    }

    #[test]
    fn who_solves_what_nobody_wants_is_told() {
        let held = ActiveBatches::default();
        let [wanted, unwanted] = [1, 2].map(|number| held.take((1, number), 0));
        held.ring(1, &[2, 3]);
        held.ring(2, &[1]);
        let is_told = |notify: &Notify| notify.notified().now_or_never().is_some();
        assert_eq!((is_told(&wanted), is_told(&unwanted)), (false, true));
    }
}
