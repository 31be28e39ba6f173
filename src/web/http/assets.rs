//! Static files, compiled into the program: style, scripts, icons, and the pictures of games.

use super::icons;
use crate::base::digest::Digest;
use crate::reply::draw;
use crate::web::pages::thumbnails;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use std::sync::LazyLock;

/// A static file that pages load. Its name contains a digest of its content, so browsers cache it
/// for ever.
#[derive(Debug)]
pub(crate) struct Asset {
    name: String,
    content_type: &'static str,
    content: Vec<u8>,
}

/// The style sheet.
pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let own = include_str!("../assets/style.css");
    Asset::new("style", "css", "text/css; charset=utf-8", format!("{own}{}", draw::style()))
});

/// The script that updates pages in place.
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let script = include_str!("../assets/script.js");
    Asset::new("script", "js", "text/javascript; charset=utf-8", script)
});

/// The script of the app: it registers the service worker, and shows how many boards wait.
pub(crate) static APP: LazyLock<Asset> = LazyLock::new(|| {
    let script = include_str!("../assets/app.js");
    Asset::new("app", "js", "text/javascript; charset=utf-8", script)
});

/// The script that moves men and dice on the page of a board.
pub(crate) static MOTION: LazyLock<Asset> = LazyLock::new(|| {
    let script = include_str!("../assets/motion.js");
    Asset::new("motion", "js", "text/javascript; charset=utf-8", script)
});

/// The icons of the site: without a number, and with the numbers of waiting boards from 1 to 9 and more.
static ICONS: LazyLock<Vec<Asset>> =
    LazyLock::new(|| (0..=MAX_COUNTED + 1).map(new_icon).collect());

/// The largest number that an icon shows.
const MAX_COUNTED: usize = 9;

/// Returns the icon for a number of waiting boards.
pub(crate) fn icon(waiting: usize) -> &'static Asset {
    &ICONS[waiting.min(MAX_COUNTED + 1)]
}

fn new_icon(waiting: usize) -> Asset {
    let plain = include_str!("../assets/icon.svg").trim_end().trim_end_matches("</svg>");
    let number =
        if waiting > MAX_COUNTED { format!("{MAX_COUNTED}+") } else { waiting.to_string() };
    let badge = if waiting == 0 {
        String::new()
    } else {
        format!(
            "<circle cx=\"22\" cy=\"22\" r=\"10\" fill=\"#b3261e\"/><text x=\"22\" y=\"27\" \
             text-anchor=\"middle\" font-family=\"sans-serif\" font-weight=\"bold\" \
             font-size=\"14\" fill=\"#fff\">{number}</text>"
        )
    };
    Asset::new("icon", "svg", "image/svg+xml", format!("{plain}{badge}</svg>\n"))
}

impl Asset {
    /// Creates a file. Its name becomes `name-digest.extension`.
    pub(crate) fn new(
        name: &str,
        extension: &str,
        content_type: &'static str,
        content: impl Into<Vec<u8>>,
    ) -> Self {
        let content = content.into();
        let version = HEXLOWER.encode(&Digest::of(&content)[..6]);
        Self { name: format!("{name}-{version}.{extension}"), content_type, content }
    }

    /// Returns the content of the file.
    #[cfg(test)]
    pub(crate) fn content(&self) -> &[u8] {
        &self.content
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> String {
        format!("/assets/{}", self.name)
    }
}

/// Sends a static file.
pub(crate) async fn get(Path(name): Path<String>) -> Response {
    let own = [&STYLE, &SCRIPT, &APP, &MOTION].into_iter().map(|asset| &**asset).chain(&*ICONS);
    let pictures = icons::pictures().chain(thumbnails::game_pictures());
    let Some(asset) = own.chain(pictures).find(|asset| asset.name == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, asset.content_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    (headers, asset.content.as_slice()).into_response()
}
