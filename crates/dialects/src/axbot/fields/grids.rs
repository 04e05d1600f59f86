//! Maps of cells, and which map is used.

use latimer_core::model::Kind;

use super::{STAMP, message, metres};
use crate::axbot::topic::Topic;
use crate::table::{FieldPair, Message};

const RESOLUTION: FieldPair = metres("resolution", Kind::Map, "resolution_m");
const WIDTH: FieldPair = FieldPair::same("size[]", Kind::Map, "width").note("the first number");
const HEIGHT: FieldPair = FieldPair::same("size[]", Kind::Map, "height").note("the second number");
const ORIGIN_X: FieldPair = metres("origin[]", Kind::Map, "origin_x_m").note("the first number");
const ORIGIN_Y: FieldPair = metres("origin[]", Kind::Map, "origin_y_m").note("the second number");
const GREY: FieldPair = FieldPair::same("data", Kind::Map, "cells")
    .note("a PNG file in Base64: 254 free, 205 unknown, 0 occupied; row 0 on top");
const RED: FieldPair = FieldPair::same("data", Kind::Map, "cells").note(
    "a PNG file in Base64: 200 and more is an obstacle, in red or grey as the config says; row 0 on top",
);
const URL: FieldPair =
    FieldPair::own("data_url", "where the PNG file with the cells is, below the robot's own address");

const PLAIN: &[FieldPair] = &[RESOLUTION, WIDTH, HEIGHT, ORIGIN_X, ORIGIN_Y, GREY];
const OBSTACLES: &[FieldPair] = &[RESOLUTION, WIDTH, HEIGHT, ORIGIN_X, ORIGIN_Y, RED];
const STAMPED: &[FieldPair] = &[STAMP, RESOLUTION, WIDTH, HEIGHT, ORIGIN_X, ORIGIN_Y, GREY];
const CACHED: &[FieldPair] = &[STAMP, RESOLUTION, WIDTH, HEIGHT, ORIGIN_X, ORIGIN_Y, URL];

const fn grid(topic: Topic, summary: &'static str, fields: &'static [FieldPair]) -> Message {
    message(topic, &[Kind::Map], summary, fields)
}

pub(super) const MAP: Message =
    grid(Topic::Map, "The map that the robot drives by, or that it makes; the part is `map`.", PLAIN);

pub(super) const COSTMAP_5CM: Message = grid(
    Topic::Costmap5cm,
    "Obstacles around the robot, as paths are planned by; the part is `costmap_5cm`.",
    OBSTACLES,
);

pub(super) const COSTMAP_1CM: Message = grid(
    Topic::Costmap1cm,
    "Obstacles around the robot, as collisions are avoided by; the part is `costmap_1cm`.",
    OBSTACLES,
);

pub(super) const ENV_MATCH_MAP: Message =
    grid(Topic::EnvMatchMap, "How well scans fit the map; the part is `match_map`.", STAMPED);

pub(super) const ENV_SYMMETRY_MAP: Message = grid(
    Topic::EnvSymmetryMap,
    "Where the surroundings have no features; the part is `symmetry_map`.",
    STAMPED,
);

pub(super) const INCREMENTAL_MAP: Message =
    grid(Topic::IncrementalMap, "What is new against the map; the part is `incremental_map`.", STAMPED);

pub(super) const MAP_V2: Message = grid(Topic::MapV2, "`/map` with its picture to be fetched.", CACHED);

pub(super) const COSTMAP_V2: Message =
    grid(Topic::CostmapV2, "`/maps/5cm/1hz` with its picture to be fetched.", CACHED);

pub(super) const INCREMENTAL_MAP_V2: Message =
    grid(Topic::IncrementalMapV2, "`/incremental_map` with its picture to be fetched.", CACHED);

pub(super) const MAP_INFO: Message = message(
    Topic::MapInfo,
    &[Kind::MapInfo],
    "Which map the robot drives by, and what is marked on it.",
    &[
        FieldPair::same("name", Kind::MapInfo, "name"),
        FieldPair::same("uid", Kind::MapInfo, "uid"),
        FieldPair::same("map_version", Kind::MapInfo, "version"),
        FieldPair::same("overlays_version", Kind::MapInfo, "features_version"),
        FieldPair::own("overlays.**", "`features` as GeoJSON"),
    ],
);
