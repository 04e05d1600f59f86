//! Obstacles as the programs that show the swarm get them.

use latimer_core::model::Realities;
use latimer_simulator_api::{ArenaObstacle, ArenaShape};

use super::wall::middle;
use crate::pera::messages::arena::{Geometry, Material, MaterialProperties, Obstacle, Position, Rotation};
use crate::pera::wire::{Number, Reality};

/// How thick a wall is drawn.
const WALL_DEPTH_CM: f64 = 2.0;

/// An obstacle in the list, under a name of its own.
pub(in crate::pera) fn listed(it: &ArenaObstacle, id: &str) -> Obstacle {
    let [x, y] = it.at_cm;
    let shown = |width, height, depth| Geometry::BoxGeometry {
        width: Number(width),
        height: Number(height),
        depth: Some(Number(depth)),
    };
    let (kind, geometry, at, turned) = match it.shape {
        ArenaShape::Wall { width_cm, height_cm } => {
            let at = middle([x, y], it.orientation_deg, width_cm);
            ("Wall", shown(width_cm, height_cm, WALL_DEPTH_CM), at, it.orientation_deg)
        }
        ArenaShape::Box { width_cm, height_cm, depth_cm } => {
            ("Box", shown(width_cm, height_cm, depth_cm), [x, y], it.orientation_deg)
        }
        ArenaShape::Cylinder { radius_cm, height_cm } => {
            let radius = Number(radius_cm);
            let height = Number(height_cm);
            let geometry = Geometry::CylinderGeometry { radiusTop: radius, radiusBottom: radius, height };
            ("Cylinder", geometry, [x, y], 0.0)
        }
    };
    Obstacle {
        id: format!("{id} ({kind})"),
        reality: Some(if it.reality == Realities::Real { Reality::R } else { Reality::V }),
        geometry,
        material: Material {
            kind: "MeshStandardMaterial".to_owned(),
            properties: MaterialProperties { color: it.color.clone() },
        },
        position: Position { x: Number(at[0]), y: Number(at[1]) },
        rotation: Rotation { x: Number(0.0), y: Number(turned), z: Number(0.0) },
    }
}
