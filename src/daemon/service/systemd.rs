//! Reports the state of the service to systemd. Without `NOTIFY_SOCKET`, nothing is sent.

use std::time::Duration;

use sd_notify::NotifyState;

/// Reports that the service is ready: it watches the inbox and answers files.
pub fn ready(status: &str) {
    send(&[NotifyState::Ready, NotifyState::Status(status)]);
}

/// Reports that the configuration is being read again. The caller reports [`ready`] afterwards.
pub fn reloading() {
    // The time stamp is what `Type=notify-reload` waits for.
    match NotifyState::monotonic_usec_now() {
        Ok(now) => send(&[NotifyState::Reloading, now]),
        Err(_) => send(&[NotifyState::Reloading]),
    }
}

/// Reports that the service finishes the files in progress, which takes at most `deadline`.
pub fn stopping(status: &str, deadline: Duration) {
    // 10 s more than the deadline: cancelled jobs are still put back.
    let micros = deadline.as_micros().saturating_add(10_000_000);
    let micros = u32::try_from(micros).unwrap_or(u32::MAX);
    send(&[NotifyState::Stopping, NotifyState::Status(status), NotifyState::ExtendTimeoutUsec(micros)]);
}

/// Sends one line for `systemctl status`.
pub fn status(status: &str) {
    send(&[NotifyState::Status(status)]);
}

/// Reports that everything makes progress.
pub fn watchdog() {
    send(&[NotifyState::Watchdog]);
}

/// Returns how often [`watchdog`] must be called, with a margin; `None` if systemd does not ask for it.
pub fn watchdog_interval() -> Option<Duration> {
    sd_notify::watchdog_enabled().map(|timeout| timeout / 2)
}

fn send(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "cannot notify systemd");
    }
}
