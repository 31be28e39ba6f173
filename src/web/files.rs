//! The files that pages load, as they are sent.

use super::asset::{ICON, SCRIPT, STYLE};
use super::small;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// A file.
pub(super) async fn get(Path(name): Path<String>) -> Response {
    let all = [&STYLE, &SCRIPT, &ICON];
    let mut all = all.into_iter().map(|asset| &**asset).chain(small::assets());
    let Some(asset) = all.find(|asset| asset.name() == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    asset.response()
}
