//! Forms that are sent: only from our own pages, and only as browsers send them.

use crate::base::digest::digest;
use crate::store::MailKey;
use crate::web::html::error_page::PageError;
use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use maud::{Markup, html};
use percent_encoding::percent_decode;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a browser says what kind of form it sends.
const KIND: &str = "application/x-www-form-urlencoded";

/// The field that shows that a form was on a page of ours.
const TOKEN: &str = "token";

/// The field by which a form that is sent twice is known.
const ONCE: &str = "once";

/// A form that a visitor sent from a page of ours.
#[derive(Debug)]
pub(in crate::web) struct PostedForm {
    pub(in crate::web) ask: WebRequest,
    fields: BTreeMap<String, Vec<String>>,
}

impl PostedForm {
    /// The text of a field, without blanks around it; nothing where that is empty.
    pub(in crate::web) fn field(&self, name: &str) -> Option<&str> {
        let first = self.fields.get(name).and_then(|values| values.first());
        first.map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// The same, where something has to be.
    pub(in crate::web) fn needed(&self, name: &'static str) -> Result<&str, PageError> {
        self.field(name).ok_or(PageError::Missing(name))
    }

    /// The texts of all fields of that name, in their order.
    pub(in crate::web) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let values = self.fields.get(name).into_iter().flatten();
        values.map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// All that was filled in.
    pub(in crate::web) fn filled(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.fields.iter();
        let fields = fields.filter_map(|(name, values)| Some((&**name, values.first()?.trim())));
        fields.filter(|(_, value)| !value.is_empty())
    }

    /// Every field with each of its texts, as it came.
    pub(in crate::web) fn every(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.fields.iter();
        fields.flat_map(|(name, values)| values.iter().map(|value| (&**name, &**value)))
    }

    /// By what it is known if it comes twice.
    pub(in crate::web) fn once(&self) -> Option<MailKey> {
        let cookie = self.ask.cookie.as_deref().unwrap_or_default();
        let once = self.field(ONCE)?;
        let id = digest(format!("form {cookie} {once}").as_bytes());
        Some(MailKey { id, content: id })
    }

    fn read(ask: WebRequest, body: &[u8]) -> Result<Self, PageError> {
        // Nobody has typed bytes that are no text.
        if percent_decode(body).decode_utf8().is_err() {
            return Err(PageError::Malformed);
        }
        let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(body) {
            fields.entry(name.into_owned()).or_default().push(value.into_owned());
        }
        Ok(Self { ask, fields })
    }
}

/// Whether a browser says that the page of another site sent a request.
fn is_foreign(headers: &HeaderMap, site: &Site) -> bool {
    let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str());
    let mut fetched = headers.get_all("sec-fetch-site").iter().map(header::HeaderValue::as_bytes);
    if fetched.any(|from| from != b"same-origin") {
        return true;
    }
    let Some(origin) = text(header::ORIGIN) else { return false };
    let Ok(origin) = origin else { return true };
    let own = site.parts.setup.config.web.address.as_deref();
    let host = text(header::HOST).and_then(Result::ok);
    let named = origin.split_once("://").map(|(_, host)| host);
    own != Some(origin) && (named.is_none() || named != host)
}

impl FromRequest<Arc<Site>> for PostedForm {
    type Rejection = PageError;

    async fn from_request(request: Request, site: &Arc<Site>) -> Result<Self, PageError> {
        let (parts, body) = request.into_parts();
        let ask = WebRequest::read(&parts, site);
        let kind = parts.headers.get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.split(';').next().is_none_or(|kind| !kind.trim().eq_ignore_ascii_case(KIND)) {
            return Err(PageError::Malformed);
        }
        if is_foreign(&parts.headers, site) {
            return Err(PageError::Foreign);
        }
        let body = Request::from_parts(parts, body);
        let body = Bytes::from_request(body, site).await.map_err(|_| PageError::TooLong)?;
        let form = Self::read(ask, &body)?;
        let Some(cookie) = form.ask.cookie.as_deref() else { return Err(PageError::Foreign) };
        let token = form.field(TOKEN).unwrap_or_default();
        if !site.parts.setup.key.is_form_token(token, cookie) {
            return Err(PageError::Foreign);
        }
        Ok(form)
    }
}

/// The hidden fields of a page's forms.
#[derive(Clone, Debug)]
pub(in crate::web) struct HiddenFields {
    token: String,
    once: String,
}

impl HiddenFields {
    /// For a browser with that cookie.
    pub(in crate::web) fn new(site: &Site, cookie: &str) -> Self {
        Self { token: site.form_token(cookie), once: site.nonce() }
    }

    /// The fields. Only one form of a page is carried out, and that once, unless it has a name of
    /// its own.
    pub(in crate::web) fn fields(&self, name: &str) -> Markup {
        html! {
            input type="hidden" name=(TOKEN) value=(self.token);
            input type="hidden" name=(ONCE) value={ (self.once) (name) };
        }
    }
}
