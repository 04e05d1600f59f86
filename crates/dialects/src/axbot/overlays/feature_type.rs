//! The numbers that say what a mark stands for.

use latimer_core::model::signal::FeatureKind;

/// What a geometry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A point.
    Point,
    /// A line.
    Line,
    /// An area.
    Area,
}

impl Shape {
    /// The property that holds the number.
    pub(super) const fn property(self) -> &'static str {
        match self {
            Self::Point => "type",
            Self::Line => "lineType",
            Self::Area => "regionType",
        }
    }
}

/// Points that a robot can be sent to by name: rooms, tables, shops, waiting points.
const PLACES: &[i64] = &[
    1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28, 29, 30, 31, 32, 33,
];

/// What a number stands for.
pub(super) fn kind_from_type(shape: Shape, number: i64) -> FeatureKind {
    match (shape, number) {
        (Shape::Point, 6) => FeatureKind::Lift,
        (Shape::Point, 9) => FeatureKind::Charger,
        (Shape::Point, 34) => FeatureKind::RackPoint,
        (Shape::Point, 37) => FeatureKind::Barcode,
        (Shape::Point, 39) => FeatureKind::Landmark,
        (Shape::Point, place) if PLACES.contains(&place) => FeatureKind::Place,
        (Shape::Line, 2) => FeatureKind::VirtualWall,
        (Shape::Area, 1) => FeatureKind::KeepOut,
        (Shape::Area, 4) => FeatureKind::Door,
        (Shape::Area, 17) => FeatureKind::RackArea,
        _ => FeatureKind::Other,
    }
}

/// The shape and number of a mark. What is no point and has no kind of its own is an area if it can be one.
pub(super) fn type_from_kind(kind: FeatureKind, is_point: bool, corners: usize) -> (Shape, i64) {
    match kind {
        FeatureKind::Lift => (Shape::Point, 6),
        FeatureKind::Charger => (Shape::Point, 9),
        FeatureKind::RackPoint => (Shape::Point, 34),
        FeatureKind::Barcode => (Shape::Point, 37),
        FeatureKind::Landmark => (Shape::Point, 39),
        FeatureKind::Place => (Shape::Point, 11),
        FeatureKind::VirtualWall => (Shape::Line, 2),
        FeatureKind::KeepOut => (Shape::Area, 1),
        FeatureKind::Door => (Shape::Area, 4),
        FeatureKind::RackArea => (Shape::Area, 17),
        FeatureKind::Other if is_point => (Shape::Point, 0),
        FeatureKind::Other if corners < 3 => (Shape::Line, 0),
        FeatureKind::Other => (Shape::Area, 0),
    }
}
