//! How messages are written where the known robots, or their papers, disagree.

use std::time::Duration;

use serde::Deserialize;

use super::topic::{BEAT, Rhythm, Topic};

/// The unit of the stamps of `/scan_matched_points2` and `/path`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScanStamps {
    /// Whole milliseconds, as the specification shows.
    #[default]
    Milliseconds,
    /// Seconds, as robots were seen to send.
    Seconds,
}

/// How the score of `/global_positioning_state` is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// As text, as the specification shows.
    #[default]
    Text,
    /// As a number, as the vendor's own client takes it.
    Number,
}

/// What `/tracked_pose` does while the robot stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoseAtRest {
    /// A client that enables the topic gets the last pose at once.
    #[default]
    Latched,
    /// Nothing comes until the robot moves.
    Silent,
    /// The pose comes again and again with its noise, as often as while the robot moves.
    Repeats,
}

/// How the pictures of `/maps/5cm/1hz`, `/maps/1cm/1hz` and `/map/costmap_v2` are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObstacleMaps {
    /// Eight bits a pixel with a palette: dark red and light red; the numbers are those of `Grey`.
    #[default]
    Red,
    /// Eight bits of grey a pixel; 200 and more is an obstacle.
    Grey,
}

/// How messages are written where the known robots, or their papers, disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Style {
    /// The unit of the stamps of scans and paths.
    pub scan_stamps: ScanStamps,
    /// How scores are written.
    pub score: Score,
    /// What the pose does at rest.
    pub pose_at_rest: PoseAtRest,
    /// Least time between two poses.
    pub pose_every: Duration,
    /// After so long `/planning_state` is sent again though nothing changed.
    pub planning_every: Duration,
    /// How obstacle maps are written.
    pub obstacle_maps: ObstacleMaps,
}

impl Style {
    /// When a topic is sent while it is enabled.
    pub const fn rhythm(&self, topic: Topic) -> Rhythm {
        let usual = topic.rhythm();
        let every = self.pose_every;
        match (topic, self.pose_at_rest) {
            (Topic::TrackedPose, PoseAtRest::Latched | PoseAtRest::Silent) => Rhythm { every, ..usual },
            (Topic::TrackedPose, PoseAtRest::Repeats) => {
                Rhythm { every, beat: Some(every), changes_only: false, ..usual }
            }
            (Topic::PlanningState, _) => Rhythm { beat: Some(self.planning_every), ..usual },
            _ => usual,
        }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self {
            scan_stamps: ScanStamps::default(),
            score: Score::default(),
            pose_at_rest: PoseAtRest::default(),
            pose_every: Duration::from_secs(1),
            planning_every: BEAT,
            obstacle_maps: ObstacleMaps::default(),
        }
    }
}
