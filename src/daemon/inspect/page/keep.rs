//! The page is kept: written anew some time after something changed.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::watch;

use super::facts::Facts;
use super::pace::Pace;
use super::site::Site;

/// Asks for what the page is made from; `None` where the service does not answer.
pub type Ask = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Option<Box<Facts>>> + Send>> + Send + Sync>;

/// Writes the page when something has `changed`: an idle service is not woken for it.
pub async fn keep(site: Arc<Site>, mut changed: watch::Receiver<()>, ask: Ask) {
    let mut pace = Pace::default();
    while changed.changed().await.is_ok() {
        tokio::time::sleep_until(pace.due(Instant::now()).into()).await;
        // What changed until now is in the answer.
        changed.mark_unchanged();
        pace.looked(Instant::now());
        let Some(facts) = ask().await else {
            changed.mark_changed();
            continue;
        };
        let content = site.content(&facts);
        if pace.is_news(&content.0) && site.write(&facts, &content) {
            pace.said(content.0);
        }
    }
}
