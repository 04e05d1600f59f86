//! Which map a robot shall drive by, as requests; no I/O.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::model::signal::{MapInfo, OccupancyGrid};
use latimer_core::model::{MapUse, Refusal};
use serde_json::{Value as Json, json};

use super::call::Call;
use crate::axbot::overlays::overlays_from_features;
use crate::axbot::picture::{Paint, png_from_grid};

/// The map with a uid among those of `GET /maps/`, in the version that is meant if both sides tell one.
pub(super) fn is_stored(maps: &Json, info: &MapInfo) -> bool {
    let Some(uid) = info.uid.as_deref() else { return false };
    let stored = |map: &Json, name: &str| map.get(name).and_then(Json::as_i64);
    let same_cells = |map: &Json| {
        let stored = stored(map, "map_version");
        stored.is_none() || info.version.is_none() || stored == info.version
    };
    // Marks are meant to be set if there are any, unless they are known to be the same.
    let same_marks = |map: &Json| match (stored(map, "overlays_version"), info.features_version) {
        (Some(stored), Some(meant)) => stored == meant,
        _ => info.features.is_empty(),
    };
    maps.as_array().is_some_and(|maps| {
        maps.iter().any(|map| {
            map.get("uid").and_then(Json::as_str) == Some(uid) && same_cells(map) && same_marks(map)
        })
    })
}

/// Sets a map that the robot has stored.
pub(super) fn set_stored(uid: &str) -> Call {
    Call::post("chassis/current-map", json!({"map_uid": uid})).slow()
}

/// Sets a map with all that is in it. Cells are all that can be given: a robot that also needs the vendor's own
/// file to find itself says so.
pub(super) fn set_whole(map: &MapUse, grid: &OccupancyGrid) -> Call {
    let MapUse { info, grid: _ } = map;
    let mut body = json!({
        "map_name": info.name,
        "occupancy_grid": STANDARD.encode(png_from_grid(grid, Paint::Map)),
        "grid_origin_x": grid.origin_x_m,
        "grid_origin_y": grid.origin_y_m,
        "grid_resolution": grid.resolution_m,
        "overlays": overlays_from_features(&info.features),
    });
    if let Some(fields) = body.as_object_mut() {
        let reported = [
            ("uid", info.uid.as_deref().map(Json::from)),
            ("map_version", info.version.map(Json::from)),
            ("overlays_version", info.features_version.map(Json::from)),
        ];
        fields.extend(reported.into_iter().filter_map(|(name, it)| Some((name.to_owned(), it?))));
    }
    Call::post("chassis/current-map", body).slow()
}

/// Marks the present map, given as `GET /chassis/current-map` tells it, and loads it anew.
pub(super) fn mark_present(present: &Json, info: &MapInfo) -> Result<[Call; 2], Refusal> {
    let Some(id) = present.get("id").and_then(Json::as_i64).filter(|id| *id >= 0) else {
        return Err(Refusal::bad_argument(
            "the robot's present map is not stored, so only a whole map can be set; give its cells",
        ));
    };
    let body = json!({"map_name": info.name, "overlays": overlays_from_features(&info.features)});
    let load = Call::post("chassis/current-map", json!({"map_id": id})).slow();
    Ok([Call::patch(&format!("maps/{id}"), body), load])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(uid: Option<&str>, version: Option<i64>) -> MapInfo {
        MapInfo {
            name: "Hall".into(),
            uid: uid.map(str::to_owned),
            version,
            features_version: None,
            features: Vec::new(),
        }
    }

    #[test]
    fn a_stored_map_is_set_by_its_uid_if_it_is_the_same() {
        let maps = json!([{"id": 1}, {"id": 2, "uid": "a", "map_version": 3, "overlays_version": 9}]);
        assert!(is_stored(&maps, &info(Some("a"), None)));
        assert!(is_stored(&maps, &info(Some("a"), Some(3))));
        assert!(!is_stored(&maps, &info(Some("a"), Some(4))));
        assert!(!is_stored(&maps, &info(Some("b"), None)));
        assert!(!is_stored(&maps, &info(None, None)));
        assert!(!is_stored(&json!({"detail": "no"}), &info(Some("a"), None)));
    }

    #[test]
    fn marks_alone_need_a_stored_map() {
        let calls = mark_present(&json!({"id": 4}), &info(None, None)).unwrap();
        assert_eq!(calls.map(|call| call.path), ["maps/4", "chassis/current-map"]);
        assert!(
            mark_present(&json!({"id": -1}), &info(None, None))
                .unwrap_err()
                .reason
                .contains("give its cells")
        );
    }
}
