//! `mentalState` in SelfState. Reserved by the specification; the ranges of its numbers are not stated.

use serde::{Deserialize, Serialize};

use super::Extra;

/// `mentalState`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MentalState {
    /// Mood.
    pub affect: Option<Affect>,
    /// When it was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Character.
    pub personality: Option<Personality>,
    /// Needs.
    pub physiological_behavior: Option<PhysiologicalBehavior>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `affect`: a mood in three dimensions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Affect {
    /// Calm to excited.
    pub arousal: Option<f64>,
    /// Led to leading.
    pub dominance: Option<f64>,
    /// Unpleasant to pleasant.
    pub valence: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `personality`: the five factors.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Personality {
    /// Agreeableness.
    pub agreeableness: Option<f64>,
    /// Conscientiousness.
    pub conscientiousness: Option<f64>,
    /// Extraversion.
    pub extraversion: Option<f64>,
    /// Neuroticism.
    pub neuroticism: Option<f64>,
    /// Openness.
    pub openness: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `physiologicalBehavior`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PhysiologicalBehavior {
    /// Wish for a charger.
    pub hunger: Option<Hunger>,
    /// Wish for rest.
    pub sleepiness: Option<Sleepiness>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `hunger`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Hunger {
    /// Charging.
    pub is_eating: Option<bool>,
    /// How much.
    pub level: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `sleepiness`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Sleepiness {
    /// Resting.
    pub is_sleeping: Option<bool>,
    /// How much.
    pub level: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}
