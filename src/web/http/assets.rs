//! Style, script and icon: small files of ours, in the program.

use crate::base::digest::digest;
use crate::reply::draw;
use crate::web::pages::thumbnails;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use std::sync::LazyLock;

/// A file that pages load.
pub(in crate::web) struct Asset {
    /// Its name with a digest of its content, so that it may be kept for ever.
    name: String,
    kind: &'static str,
    content: String,
}

/// The look of pages.
pub(in crate::web) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let own = include_str!("../assets/style.css");
    Asset::new("style", "css", "text/css; charset=utf-8", format!("{own}{}", draw::style()))
});

/// The script that changes pages without loading them again.
pub(in crate::web) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "script",
        "js",
        "text/javascript; charset=utf-8",
        include_str!("../assets/script.js").into(),
    )
});

/// The icon beside the title.
pub(in crate::web) static ICON: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("icon", "svg", "image/svg+xml", include_str!("../assets/icon.svg").into())
});

impl Asset {
    /// A file with that name and ending.
    pub(in crate::web) fn new(
        name: &str,
        ending: &str,
        kind: &'static str,
        content: String,
    ) -> Self {
        let mark = HEXLOWER.encode(&digest(content.as_bytes())[..6]);
        Self { name: format!("{name}-{mark}.{ending}"), kind, content }
    }

    /// Its name, with the digest and its ending.
    pub(in crate::web) fn name(&self) -> &str {
        &self.name
    }

    /// The answer to a browser that loads it, which need not ask again.
    pub(in crate::web) fn response(&'static self) -> Response {
        let headers = [
            (header::CONTENT_TYPE, self.kind),
            (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        ];
        (headers, self.content.as_str()).into_response()
    }

    /// Where it is.
    pub(in crate::web) fn path(&self) -> String {
        format!("/assets/{}", self.name)
    }
}

/// A file.
pub(in crate::web) async fn get(Path(name): Path<String>) -> Response {
    let all = [&STYLE, &SCRIPT, &ICON];
    let mut all = all.into_iter().map(|asset| &**asset).chain(thumbnails::assets());
    let Some(asset) = all.find(|asset| asset.name() == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    asset.response()
}
