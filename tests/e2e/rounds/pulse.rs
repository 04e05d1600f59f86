//! How late this machine is: the gateway is asked for its health all the time, and what that takes longer than usual is what it, or
//! this process, was not given a core for.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use latimer_core::Timestamp;

use crate::fakes::{Running, now};

/// Between an answer and the next question.
const PERIOD: Duration = Duration::from_millis(20);

/// Asks until it is dropped.
#[derive(Debug)]
pub(super) struct Pulse {
    beats: Arc<Mutex<Vec<Timestamp>>>,
    _asks: Running,
}

impl Pulse {
    /// Of the gateway at `host:port`.
    pub(super) fn of(http: &str) -> Self {
        let url = format!("http://{http}/api/v1/health");
        let beats = Arc::new(Mutex::new(vec![now()]));
        let (client, counted) = (reqwest::Client::new(), beats.clone());
        let asks = Running::spawn(async move {
            loop {
                let answer = client.get(&url).send().await.expect("the gateway answers");
                answer.bytes().await.expect("the gateway answers");
                counted.lock().unwrap_or_else(PoisonError::into_inner).push(now());
                tokio::time::sleep(PERIOD).await;
            }
        });
        Self { beats, _asks: asks }
    }

    /// How late the machine was at most, between two moments.
    pub(super) fn lateness(&self, from: Timestamp, until: Timestamp) -> Duration {
        let mut beats = self.beats.lock().unwrap_or_else(PoisonError::into_inner).clone();
        beats.push(now());
        let pairs = beats.windows(2).filter(|pair| pair[1] >= from && pair[0] <= until);
        pairs.map(|pair| pair[1].since(pair[0]).saturating_sub(PERIOD)).max().unwrap_or_default()
    }
}
