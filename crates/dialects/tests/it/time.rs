//! Time on a paused clock: it stands while the network is awaited, however busy the machine, and passes when a test
//! says so.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The clock goes on after so long in real time, so that timeouts tell what is missing.
const PATIENCE: Duration = Duration::from_secs(30);

/// The clock of a test that begins paused (`start_paused = true`); on a real clock, time passes as it does.
#[derive(Clone, Debug)]
pub(crate) struct Time(Arc<Mutex<Option<Sender<()>>>>);

impl Time {
    pub(crate) fn standing() -> Self {
        let time = Self(Arc::default());
        time.stand();
        time
    }

    fn stand(&self) {
        let (go_on, held) = channel();
        // A paused clock does not advance by itself while a blocking task runs.
        #[expect(clippy::disallowed_methods, reason = "it runs from now on, though nobody awaits it")]
        tokio::task::spawn_blocking(move || held.recv_timeout(PATIENCE));
        *self.0.lock().unwrap() = Some(go_on);
    }

    /// Lets time pass: what is due meanwhile happens, in its order.
    pub(crate) async fn pass(&self, duration: Duration) {
        drop(self.0.lock().unwrap().take());
        tokio::time::sleep(duration).await;
        self.stand();
    }
}
