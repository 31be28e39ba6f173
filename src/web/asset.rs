//! Style, script and icon: small files of ours, in the program.

use crate::base::digest::digest;
use crate::reply::draw;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use std::sync::LazyLock;

/// A file that pages load.
pub(super) struct Asset {
    /// Its name with a digest of its content, so that it may be kept for ever.
    name: String,
    kind: &'static str,
    content: String,
}

/// The look of pages.
pub(super) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let own = include_str!("assets/style.css");
    Asset::new("style", "css", "text/css; charset=utf-8", format!("{own}{}", draw::style()))
});

/// The script that changes pages without loading them again.
pub(super) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "script",
        "js",
        "text/javascript; charset=utf-8",
        include_str!("assets/script.js").into(),
    )
});

/// The icon beside the title.
pub(super) static ICON: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("icon", "svg", "image/svg+xml", include_str!("assets/icon.svg").into())
});

impl Asset {
    /// A file with that name and ending.
    pub(super) fn new(name: &str, ending: &str, kind: &'static str, content: String) -> Self {
        let mark = HEXLOWER.encode(&digest(content.as_bytes())[..6]);
        Self { name: format!("{name}-{mark}.{ending}"), kind, content }
    }

    /// Its name, with the digest and its ending.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The answer to a browser that loads it, which need not ask again.
    pub(super) fn response(&'static self) -> Response {
        let headers = [
            (header::CONTENT_TYPE, self.kind),
            (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        ];
        (headers, self.content.as_str()).into_response()
    }

    /// Where it is.
    pub(super) fn path(&self) -> String {
        format!("/assets/{}", self.name)
    }
}
