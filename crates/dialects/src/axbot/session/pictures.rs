//! Maps that are published as addresses: fetched once each, and put in the place of the address.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use latimer_core::Timestamp;
use tokio::task::{JoinError, JoinSet};

use super::call::CallError;
use super::rest::{Fetched, Rest};
use crate::axbot::messages::grids::{CachedGrid, Grid};
use crate::axbot::topic::Topic;
use crate::axbot::wire::Message;

/// Pictures kept, and their bytes together.
const MAX_KEPT: usize = 8;
const MAX_KEPT_BYTES: usize = 32 << 20;

/// Why a map's picture is not there.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    /// The robot does not send it.
    #[error("{topic}: {error}")]
    Call {
        /// Of which map.
        topic: Topic,
        /// Why not.
        error: CallError,
    },
    /// The robot answers as if it was fetched before.
    #[error("{topic}: the robot says that the picture is what it was, but it never was")]
    NeverFetched {
        /// Of which map.
        topic: Topic,
    },
    /// The task that fetches it failed.
    #[error(transparent)]
    Task(#[from] JoinError),
}

/// A message with its picture in it, as the robot would have sent it on the topic without an address.
#[derive(Debug, PartialEq)]
pub(super) struct Inlined {
    pub(super) message: Message,
    /// When the address arrived.
    pub(super) received: Timestamp,
}

/// A map whose picture is to be fetched.
#[derive(Debug)]
struct Wanted {
    topic: Topic,
    grid: CachedGrid,
    address: String,
    received: Timestamp,
}

/// A picture that was fetched before.
#[derive(Clone, Debug)]
struct Kept {
    address: String,
    tag: Option<String>,
    png: Bytes,
}

/// A picture, and whether it was not kept already.
type Picture = (Kept, bool);

/// Maps that are published as addresses.
#[derive(Debug)]
pub(super) struct Pictures {
    rest: Rest,
    kept: VecDeque<Kept>,
    /// One fetch a topic at a time; of what comes meanwhile the newest counts.
    waiting: BTreeMap<Topic, Wanted>,
    fetching: BTreeSet<Topic>,
    tasks: JoinSet<(Wanted, Result<Picture, FetchError>)>,
}

impl Pictures {
    pub(super) fn new(rest: Rest) -> Self {
        Self {
            rest,
            kept: VecDeque::new(),
            waiting: BTreeMap::new(),
            fetching: BTreeSet::new(),
            tasks: JoinSet::new(),
        }
    }

    /// Forgets what is on the way, but not what was fetched.
    pub(super) fn begin(&mut self) {
        self.waiting.clear();
        self.fetching.clear();
        self.tasks = JoinSet::new();
    }

    /// Takes a map that names an address; [`Self::next`] gives it back with its picture.
    pub(super) fn take(&mut self, topic: Topic, grid: CachedGrid, received: Timestamp) {
        // A map without an address is one that has no picture now.
        let Some(address) = grid.data_url.clone().filter(|address| !address.is_empty()) else { return };
        self.waiting.insert(topic, Wanted { topic, grid, address, received });
        self.start();
    }

    fn start(&mut self) {
        let free = self.waiting.keys().copied().filter(|topic| !self.fetching.contains(topic));
        for topic in free.collect::<Vec<_>>() {
            let Some(wanted) = self.waiting.remove(&topic) else { continue };
            self.fetching.insert(topic);
            let kept = self.kept.iter().find(|kept| kept.address == wanted.address).cloned();
            let rest = self.rest.clone();
            self.tasks.spawn(async move {
                let fetched = fetch(&rest, &wanted, kept).await;
                (wanted, fetched)
            });
        }
    }

    /// The next frame with its picture, or why there is none; pending while none is fetched. Cancel safe.
    pub(super) async fn next(&mut self) -> Result<Inlined, FetchError> {
        loop {
            match self.tasks.join_next().await {
                None => std::future::pending().await,
                // A task that panicked or was aborted; there is nobody who aborts one.
                Some(Err(error)) => {
                    self.fetching.clear();
                    self.start();
                    return Err(error.into());
                }
                Some(Ok((wanted, fetched))) => {
                    self.fetching.remove(&wanted.topic);
                    let (kept, new) = match fetched {
                        Ok(fetched) => fetched,
                        Err(error) => {
                            self.start();
                            return Err(error);
                        }
                    };
                    let png = kept.png.clone();
                    if new {
                        self.keep(kept);
                    }
                    self.start();
                    if let Some(inlined) = inline(wanted, &png) {
                        return Ok(inlined);
                    }
                }
            }
        }
    }

    fn keep(&mut self, picture: Kept) {
        self.kept.retain(|kept| kept.address != picture.address);
        self.kept.push_back(picture);
        let bytes = |kept: &VecDeque<Kept>| kept.iter().map(|kept| kept.png.len()).sum::<usize>();
        while self.kept.len() > MAX_KEPT || bytes(&self.kept) > MAX_KEPT_BYTES {
            self.kept.pop_front();
        }
    }
}

/// The picture at a map's address.
async fn fetch(rest: &Rest, wanted: &Wanted, kept: Option<Kept>) -> Result<Picture, FetchError> {
    let Wanted { topic, address, grid: _, received: _ } = wanted;
    // An address with a hash in it names one picture for ever.
    if let Some(kept) = kept.as_ref().filter(|_| has_hash(address)) {
        return Ok((kept.clone(), false));
    }
    let tag = kept.as_ref().and_then(|kept| kept.tag.as_deref());
    match (rest.fetch(address, tag).await, &kept) {
        (Ok(Fetched::New(png, tag)), _) => Ok((Kept { address: address.clone(), tag, png }, true)),
        (Ok(Fetched::Same), Some(kept)) => Ok((kept.clone(), false)),
        (Ok(Fetched::Same), None) => Err(FetchError::NeverFetched { topic: *topic }),
        (Err(error), _) => Err(FetchError::Call { topic: *topic, error }),
    }
}

/// Whether a name holds a SHA-256.
fn has_hash(address: &str) -> bool {
    address.split(|letter: char| !letter.is_ascii_hexdigit()).any(|word| word.len() == 64)
}

/// The map with its picture; `None` if its topic always has pictures.
fn inline(wanted: Wanted, png: &Bytes) -> Option<Inlined> {
    let Wanted { topic, grid, address: _, received } = wanted;
    let CachedGrid { area, data_url: _, extra } = grid;
    let data = Some(STANDARD.encode(png));
    let grid = Box::new(Grid { area, data, extra });
    let message = match topic {
        Topic::MapV2 => Message::Map(grid),
        Topic::IncrementalMapV2 => Message::IncrementalMap(grid),
        Topic::CostmapV2 => Message::Costmap5cm(grid),
        _ => return None,
    };
    Some(Inlined { message, received })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_takes_the_place_of_its_address() {
        let frame = br#"{"topic":"/map_v2","stamp":1.5,"size":[2,1],"origin":[-8.25,-36.0],"data_url":"a.png","by":7}"#;
        let Ok(Message::MapV2(grid)) = Message::read(Topic::MapV2, frame) else { panic!() };
        let wanted = Wanted {
            topic: Topic::MapV2,
            grid: *grid,
            address: "a.png".into(),
            received: Timestamp::default(),
        };
        let map = inline(wanted, &Bytes::from_static(b"png")).unwrap();
        assert_eq!(
            map.message.write(),
            r#"{"topic":"/map","stamp":1.5,"size":[2,1],"origin":[-8.25,-36.0],"data":"cG5n","by":7}"#
        );
    }

    #[test]
    fn a_hash_names_one_picture() {
        assert!(has_hash(
            "static-files/map-d69c26ec2bdff8dad76fe6e8d3fa65d9b3041fc669ee3c0a96f7b544473fcec0.png"
        ));
        assert!(!has_hash("static-files/map-1.png"));
    }
}
