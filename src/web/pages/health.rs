//! `/healthz` and `/readyz`, for programs that start processes and lead requests to them. Anybody may read
//! them: they name what fails, and nothing else.

use crate::model::moderation::docket_key;
use crate::web::site::Site;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// How long a document may take to be read.
const READ_TIMEOUT: Duration = Duration::from_secs(5);

/// Says that the process answers.
pub(crate) async fn liveness() -> Response {
    answer(StatusCode::OK, "ok\n".into())
}

/// Says whether the home can be read and no task of the process fails; otherwise names what fails, with
/// 503.
pub(crate) async fn readiness(State(site): State<Arc<Site>>) -> Response {
    let mut failing = (site.parts.unready)();
    let read = site.read_documents(|_, home| Ok(home.load(&docket_key())?));
    if !matches!(timeout(READ_TIMEOUT, read).await, Ok(Ok(_))) {
        failing.push("store");
    }
    if failing.is_empty() {
        return answer(StatusCode::OK, "ready\n".into());
    }
    let text = format!("not ready: {}; `postboard doctor` says why\n", failing.join(", "));
    answer(StatusCode::SERVICE_UNAVAILABLE, text)
}

fn answer(status: StatusCode, text: String) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, text).into_response()
}
