//! When the page is written: at most so often, and only where it says something new.

use std::time::{Duration, Instant};

/// Time between two looks at the service for the page.
const PAGE_INTERVAL: Duration = Duration::from_secs(5);

/// What was done for the page until now.
#[derive(Debug, Default)]
pub struct Pace {
    looked: Option<Instant>,
    said: Option<String>,
}

impl Pace {
    /// When the service may be looked at: now, or later.
    pub fn due(&self, now: Instant) -> Instant {
        self.looked.map_or(now, |looked| now.max(looked + PAGE_INTERVAL))
    }

    /// The service was looked at.
    pub fn looked(&mut self, now: Instant) {
        self.looked = Some(now);
    }

    /// Whether the page does not say that already.
    pub fn is_news(&self, content: &str) -> bool {
        self.said.as_deref() != Some(content)
    }

    /// The page says that now.
    pub fn said(&mut self, content: String) {
        self.said = Some(content);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_written_at_most_every_five_seconds() {
        let start = Instant::now();
        let mut pace = Pace::default();
        let (mut now, mut written) = (start, Vec::new());
        // Something changes every tenth of a second, for a minute.
        for tenth in 0..600 {
            now = now.max(start + Duration::from_millis(100 * tenth));
            now = pace.due(now);
            pace.looked(now);
            written.push(now);
        }
        assert_eq!(written[0], start, "the first change is told at once");
        assert!(written.windows(2).all(|two| two[1] - two[0] >= PAGE_INTERVAL));
        let later = now + 3 * PAGE_INTERVAL;
        assert_eq!(pace.due(later), later, "and so is one after a while");
    }

    #[test]
    fn what_the_page_says_already_is_not_written_again() {
        let mut pace = Pace::default();
        assert!(pace.is_news("a"));
        // Until it was written it is news.
        assert!(pace.is_news("a"));
        pace.said("a".to_owned());
        assert!(!pace.is_news("a") && pace.is_news("b"));
        pace.said("b".to_owned());
        assert!(pace.is_news("a"));
    }
}
