//! Pages at secret addresses, `/{page}/{user}/{token}`, for programs that cannot sign in.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::user::User;
use crate::model::world::user_key;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::http::session::generations;
use crate::web::site::{Site, SiteReader};
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

impl Site {
    /// Returns the path of a user's page at a secret address. It changes when the user signs out
    /// everywhere.
    pub(super) fn secret_path(&self, page: &str, user: &User) -> String {
        let token = self.parts.setup.key.session(&user.id, generations(user), Time::NEVER);
        format!("/{page}/{}/{token}", user.id)
    }
}

/// Sends the text that `print` prints for the user of a secret address.
pub(super) async fn respond(
    site: Arc<Site>,
    request: WebRequest,
    Path((user, token)): Path<(String, String)>,
    content_type: &'static str,
    print: fn(SiteReader, &UserId) -> PageResult<String>,
) -> PageResult<Response> {
    let user = UserId::parse(&user).ok_or(PageError::NotFound)?;
    let text = site.read(request, move |mut reader| {
        reader.load(&[user_key(&user)])?;
        let user = reader.world.user(&user).ok_or(PageError::NotFound)?;
        let key = &reader.site.parts.setup.key;
        if !key.is_session(&token, &user.id, generations(user), Time::NEVER) {
            return Err(PageError::NotFound);
        }
        let id = user.id.clone();
        print(reader, &id)
    });
    let text = text.await?;
    let headers =
        [(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, "private, no-cache")];
    Ok((headers, text).into_response())
}
