//! Static files, compiled into the program: style, script, icon, and the pictures of games.

use crate::base::digest::digest;
use crate::reply::draw;
use crate::web::pages::thumbnails;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use std::sync::LazyLock;

/// A static file that pages load. Its name contains a digest of its content, so browsers cache it
/// for ever.
pub(crate) struct Asset {
    name: String,
    content_type: &'static str,
    content: String,
}

/// The style sheet.
pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let own = include_str!("../assets/style.css");
    Asset::new("style", "css", "text/css; charset=utf-8", format!("{own}{}", draw::style()))
});

/// The script that updates pages in place.
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let script = include_str!("../assets/script.js");
    Asset::new("script", "js", "text/javascript; charset=utf-8", script.into())
});

/// The icon of the site.
pub(crate) static ICON: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("icon", "svg", "image/svg+xml", include_str!("../assets/icon.svg").into())
});

impl Asset {
    /// Creates a file. Its name becomes `name-digest.extension`.
    pub(crate) fn new(
        name: &str,
        extension: &str,
        content_type: &'static str,
        content: String,
    ) -> Self {
        let version = HEXLOWER.encode(&digest(content.as_bytes())[..6]);
        Self { name: format!("{name}-{version}.{extension}"), content_type, content }
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> String {
        format!("/assets/{}", self.name)
    }
}

/// Sends a static file.
pub(crate) async fn get(Path(name): Path<String>) -> Response {
    let own = [&STYLE, &SCRIPT, &ICON].into_iter().map(|asset| &**asset);
    let Some(asset) = own.chain(thumbnails::game_pictures()).find(|asset| asset.name == name)
    else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, asset.content_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    (headers, asset.content.as_str()).into_response()
}
