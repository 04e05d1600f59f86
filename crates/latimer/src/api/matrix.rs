//! What a program of each dialect gets of a robot of each family.

use axum::Json;

use crate::matrix::{Matrix, matrix};

#[utoipa::path(
    get,
    path = "/matrix",
    tag = "vocabulary",
    summary = "What programs of each dialect get of robots of each family",
    description = "Each message and command of each dialect for each family: native, exact, derived (and from what), or absent (and what the client gets instead). Made from what dialects and bodies declare.",
    responses((status = 200, description = "The matrix", body = Matrix))
)]
pub(super) async fn matrix_of_all() -> Json<Matrix> {
    Json(matrix())
}
