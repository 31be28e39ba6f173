//! Posted forms: accepted from our own pages only, and executed once.

use super::request::WebRequest;
use super::returned_form::{FieldValues, PAGE, ReturnedForm, field_values};
use crate::base::digest::Digest;
use crate::store::MailKey;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::FormFields;
use crate::web::site::Site;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use maud::{Markup, html};
use percent_encoding::percent_decode;
use std::sync::Arc;

/// The content type of a form.
const FORM_TYPE: &str = "application/x-www-form-urlencoded";

/// The field with the token that proves that a form comes from a page of ours.
pub(crate) const TOKEN: &str = "token";

/// The field with the one-time key of a form.
pub(crate) const ONCE: &str = "once";

/// The verbs that set the value of a choice.
const SETTERS: [&str; 3] = ["set", "limit", "notify"];

/// A form from a page of ours.
#[derive(Clone, Debug)]
pub(crate) struct PostedForm {
    pub(crate) request: WebRequest,
    fields: FieldValues,
}

impl PostedForm {
    /// Returns the first value of a field, trimmed, or `None` if it is empty.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let first = self.fields.get(name).and_then(|values| values.first());
        first.map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// Returns the value of a field that must not be empty.
    pub(crate) fn required(&self, name: &'static str) -> PageResult<&str> {
        self.field(name).ok_or(PageError::MissingField(name))
    }

    /// Checks the length of a field, in UTF-16 units, as browsers count them.
    pub(crate) fn check_length(&self, name: &'static str, most: usize) -> PageResult<()> {
        let length = self.field(name).map_or(0, |text| text.encode_utf16().count());
        if length > most { Err(PageError::LongField(name, most)) } else { Ok(()) }
    }

    /// Returns all values of a field that are not empty, trimmed, in their order.
    pub(crate) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let values = self.fields.get(name).into_iter().flatten();
        values.map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// Returns the name and first value of each field that is not empty.
    pub(crate) fn filled_fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.keys().filter_map(|name| Some((&**name, self.field(name)?)))
    }

    /// Returns every field with each of its values, untrimmed.
    pub(crate) fn all_fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.fields.iter();
        fields.flat_map(|(name, values)| values.iter().map(|value| (&**name, &**value)))
    }

    /// Returns the identity of the form, from its one-time key, so that it is executed once.
    pub(crate) fn mail_key(&self) -> Option<MailKey> {
        let cookie = self.request.cookie.as_deref().unwrap_or_default();
        let once = self.field(ONCE)?;
        let id = Digest::of(format!("form {cookie} {once}"));
        Some(MailKey { id, content: id })
    }

    /// Reads the form of a request, and its headers. A request that its browser marks as cross-site
    /// is refused.
    async fn receive(request: Request, site: &Arc<Site>) -> PageResult<(Self, HeaderMap)> {
        let (parts, body) = request.into_parts();
        let request = WebRequest::read(&parts, site);
        let content_type = parts.headers.get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|it| it.to_str().ok()).unwrap_or_default();
        let media_type = content_type.split(';').next().unwrap_or_default();
        if !media_type.trim().eq_ignore_ascii_case(FORM_TYPE) {
            return Err(PageError::Malformed);
        }
        if is_cross_site(&parts.headers, site) {
            return Err(PageError::CrossSite);
        }
        let headers = parts.headers.clone();
        let body = Bytes::from_request(Request::from_parts(parts, body), site).await;
        let form = Self::read(request, &body.map_err(|_| PageError::TooLong)?)?;
        Ok((form, headers))
    }

    /// Checks that a page of ours made the form for a browser with the cookie of the request.
    fn check_token(&self, headers: &HeaderMap, site: &Site) -> PageResult<()> {
        let (token, cookie) = (self.field(TOKEN), self.request.cookie.as_deref());
        let key = &site.parts.setup.key;
        match cookie {
            Some(cookie) if key.is_form_token(token.unwrap_or_default(), cookie) => Ok(()),
            _ if is_own(headers) => Err(PageError::OldPage),
            _ => Err(PageError::CrossSite),
        }
    }

    fn read(request: WebRequest, body: &[u8]) -> PageResult<Self> {
        if percent_decode(body).decode_utf8().is_err() {
            return Err(PageError::Malformed);
        }
        Ok(Self { request, fields: field_values(body) })
    }
}

/// Returns whether the headers of a request that is not cross-site say that a page of ours sent it. Old
/// browsers do not say it.
fn is_own(headers: &HeaderMap) -> bool {
    headers.contains_key("sec-fetch-site") || headers.contains_key(header::ORIGIN)
}

/// Returns whether the headers say that a page of another site sent the request.
fn is_cross_site(headers: &HeaderMap, site: &Site) -> bool {
    let mut fetch_sites =
        headers.get_all("sec-fetch-site").iter().map(header::HeaderValue::as_bytes);
    if fetch_sites.any(|from| from != b"same-origin") {
        return true;
    }
    let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str());
    let Some(origin) = text(header::ORIGIN) else { return false };
    let Ok(origin) = origin else { return true };
    let own = site.parts.setup.config.web.address.as_deref();
    let host = text(header::HOST).and_then(Result::ok);
    let origin_host = origin.split_once("://").map(|(_, host)| host);
    own != Some(origin) && (origin_host.is_none() || origin_host != host)
}

impl FromRequest<Arc<Site>> for PostedForm {
    type Rejection = PageError;

    async fn from_request(request: Request, site: &Arc<Site>) -> PageResult<Self> {
        let (form, headers) = Self::receive(request, site).await?;
        form.check_token(&headers, site)?;
        Ok(form)
    }
}

/// A form that a visitor without a cookie may send, too, if the browser says that it comes from a page
/// of ours. Pages with such a form set no cookie and are the same for all visitors.
#[derive(Debug)]
pub(crate) struct FirstForm(pub(crate) PostedForm);

impl FromRequest<Arc<Site>> for FirstForm {
    type Rejection = PageError;

    async fn from_request(request: Request, site: &Arc<Site>) -> PageResult<Self> {
        let (form, headers) = PostedForm::receive(request, site).await?;
        if form.request.cookie.is_some() || !is_own(&headers) {
            form.check_token(&headers, site)?;
        }
        Ok(Self(form))
    }
}

/// The hidden fields of a page's forms: the token, the one-time key, and the address of the page. They
/// know which form of the page is shown again, and what was typed there.
#[derive(Clone, Debug)]
pub(crate) struct HiddenFields {
    token: String,
    once: String,
    page: String,
    pub(crate) returned: Option<Arc<ReturnedForm>>,
}

impl HiddenFields {
    /// Makes the fields for the page of a request, for a browser with this cookie.
    pub(crate) fn new(site: &Site, cookie: &str, request: &WebRequest) -> Self {
        Self {
            token: site.parts.setup.key.form_token(cookie),
            once: site.nonce(),
            page: request.address.clone(),
            returned: request.returned.clone(),
        }
    }

    /// Renders the fields. Forms of a page that have the same name share a one-time key: only one of
    /// them is executed.
    pub(crate) fn fields(&self, form_name: &str) -> Markup {
        if let Some(returned) = &self.returned {
            returned.note(form_name);
        }
        html! {
            input type="hidden" name=(TOKEN) value=(self.token);
            input type="hidden" name=(ONCE) value={ (self.once) (form_name) };
            input type="hidden" name=(PAGE) value=(self.page);
        }
    }

    /// Returns the fields of one form of the page.
    pub(crate) fn form<'a>(&'a self, name: &'a str) -> FormFields<'a> {
        FormFields { hidden_fields: self, name }
    }

    /// Renders a form that sends a command to `/say` and then leads to the page `back`. The script sends
    /// a form that sets something ([`SETTERS`]) at each change. If the form is shown again and none of its
    /// fields tells the reason, the reason is above the fields.
    pub(crate) fn command_form(
        &self,
        form_name: &str,
        verb: &str,
        back: &str,
        fields: &Markup,
    ) -> Markup {
        html! {
            form.say method="post" action="/say" data-save[SETTERS.contains(&verb)] {
                (self.fields(form_name))
                input type="hidden" name="verb" value=(verb);
                input type="hidden" name="back" value=(back);
                (self.form(form_name).problem())
                (fields)
            }
        }
    }
}
