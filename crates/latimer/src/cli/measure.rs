//! What comes within a moment, and how often.

use std::collections::BTreeMap;
use std::time::Duration;

use latimer_core::Clock;

use crate::client::{Gateway, Streamed};
use crate::exit::Failure;
use latimer_wire::v1::{Frame, Update};

/// How long is measured.
const WINDOW: Duration = Duration::from_secs(1);

/// The class whose values are not published at the beginning.
const EVENT: &str = "event";

/// What came under one key.
pub(super) struct Measured {
    /// The last of it.
    pub last: Update,
    /// How often it came.
    count: u32,
}

/// Reads a selection for a second: the last values first, then what comes, by key.
pub(super) async fn measure(gateway: &Gateway, select: &str) -> Result<BTreeMap<String, Measured>, Failure> {
    let mut stream = gateway.stream(&[("select", select.to_owned())]).await?;
    let clock = Clock::system();
    let end = clock.now().after(WINDOW);
    let mut keys: BTreeMap<String, Measured> = BTreeMap::new();
    loop {
        let streamed = tokio::select! {
            streamed = stream.next() => streamed?,
            () = clock.sleep_until(end) => return Ok(keys),
        };
        match streamed {
            Streamed::Frame(Frame::Update(update), _) => {
                // A state comes once at the beginning, whatever its age; that is no rate.
                let first = u32::from(update.class == EVENT);
                let count = keys.get(&update.key).map_or(first, |known| known.count + 1);
                keys.insert(update.key.clone(), Measured { last: *update, count });
            }
            Streamed::Frame(..) => {}
            Streamed::Complete => return Ok(keys),
        }
    }
}

impl Measured {
    /// How often it came, such as `50/s`.
    pub(super) fn rate(&self) -> String {
        match self.count {
            0 => "-".to_owned(),
            count => format!("{:.0}/s", f64::from(count) / WINDOW.as_secs_f64()),
        }
    }
}
