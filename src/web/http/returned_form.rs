//! Forms that were not accepted: their page is shown again with what was typed, the reason beside the
//! field, and the focus there. A form that was sent after the session had ended is kept while its sender
//! signs in: what was typed travels sealed in the sign-in form, and is shown again, never executed.
//! Error pages show who is signed in.

use super::form::{ONCE, TOKEN};
use super::request::WebRequest;
use super::session::SessionCookie;
use crate::web::api;
use crate::web::html::error_page::{ErrorText, PageError, take_error};
use crate::web::html::refusals::{Problem, Subject};
use crate::web::site::Site;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use data_encoding::BASE64URL_NOPAD;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The field with the address of the page that has the form.
pub(crate) const PAGE: &str = "page";

/// The field of the sign-in form with a sealed form.
pub(crate) const KEPT: &str = "kept";

/// The fields that are never shown again.
const SECRETS: [&str; 3] = ["password", "old", "new"];

/// The length of a nonce. The name of the form follows it in the field [`ONCE`].
const NONCE_LENGTH: usize = 32;

/// The limit on the length of a sealed form, so that a sign-in form can carry it.
const MAX_SEALED: usize = 32 * 1024;

/// The paths that show no forms.
const NO_PAGES: [&str; 8] =
    ["/api", "/events", "/metrics", "/healthz", "/readyz", "/assets", "/feed", "/calendar"];

/// The values of fields by their names.
pub(crate) type FieldValues = BTreeMap<String, Vec<String>>;

/// Reads the fields of a form from the body of a request.
pub(super) fn field_values(body: &[u8]) -> FieldValues {
    let mut values = FieldValues::new();
    for (name, value) in form_urlencoded::parse(body) {
        values.entry(name.into_owned()).or_default().push(value.into_owned());
    }
    values
}

/// A form that is shown again on its page.
#[derive(Debug)]
pub(crate) struct ReturnedForm {
    /// The address of the page.
    page: String,
    /// The name of the form on the page.
    name: String,
    /// What was typed, without secrets.
    typed: FieldValues,
    /// Why the form was not accepted; `None` if it was only kept.
    problem: Option<Problem>,
    /// Whether the page has the form.
    is_found: AtomicBool,
    /// Whether the page has told the problem.
    is_told: AtomicBool,
    /// Whether the page has shown what was typed.
    is_filled: AtomicBool,
}

/// A response extension: the form to show to a user who has just signed in.
#[derive(Clone)]
pub(crate) struct FormAfterSignIn(pub(crate) Arc<ReturnedForm>);

impl ReturnedForm {
    /// Reads a form from the body of a request. `None` if it does not name its page.
    fn read(body: &[u8], problem: Option<Problem>) -> Option<Self> {
        let mut typed = field_values(body);
        let mut first = |name: &str| typed.remove(name)?.into_iter().next();
        let page = first(PAGE)?;
        let name = first(ONCE).and_then(|once| once.get(NONCE_LENGTH..).map(str::to_owned));
        typed.retain(|name, _| name != TOKEN && !SECRETS.contains(&&**name));
        Some(Self::new(page, name.unwrap_or_default(), typed, problem))
    }

    fn new(page: String, name: String, typed: FieldValues, problem: Option<Problem>) -> Self {
        let [is_found, is_told, is_filled] = [false; 3].map(AtomicBool::new);
        Self { page, name, typed, problem, is_found, is_told, is_filled }
    }

    /// Builds the sign-in form that carries this form.
    fn to_sign_in(&self, site: &Site) -> Self {
        let sealed = self.sealed(site);
        let words = if sealed.is_some() {
            "You are not signed in any more. Sign in to go on: what you have typed is kept."
        } else {
            "You are not signed in any more. Sign in first."
        };
        let back: String = form_urlencoded::byte_serialize(self.page.as_bytes()).collect();
        let kept = sealed.map(|sealed| (KEPT.to_owned(), vec![sealed]));
        let problem = Problem { subject: Subject::Other, words: words.into() };
        let typed = FieldValues::from_iter(kept);
        Self::new(format!("/signin?back={back}"), SIGN_IN_FORM.into(), typed, Some(problem))
    }

    /// Returns the form in text with a token of ours; `None` if it is too long.
    fn sealed(&self, site: &Site) -> Option<String> {
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        pairs.append_pair(PAGE, &self.page).append_pair(ONCE, &self.name);
        for (name, values) in &self.typed {
            pairs.extend_pairs(values.iter().map(|value| (name, value)));
        }
        let text = BASE64URL_NOPAD.encode(pairs.finish().as_bytes());
        let token = site.parts.setup.key.form_token(&sealed_name(&text));
        Some(format!("{token}.{text}")).filter(|sealed| sealed.len() <= MAX_SEALED)
    }

    /// Reads a sealed form, if we have sealed it.
    pub(crate) fn unseal(sealed: &str, site: &Site) -> Option<Self> {
        let (token, text) = sealed.split_once('.')?;
        site.parts.setup.key.is_form_token(token, &sealed_name(text)).then_some(())?;
        let body = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        let mut typed = field_values(&body);
        let mut first = |name: &str| typed.remove(name)?.into_iter().next();
        let (page, name) = (first(PAGE)?, first(ONCE)?);
        Some(Self::new(page, name, typed, None))
    }

    /// Returns the address of the page, if it is one of ours that may have forms.
    fn page(&self) -> Option<Uri> {
        let is_ours = self.page.starts_with('/') && !self.page.starts_with("//");
        let page: Uri = self.page.parse().ok().filter(|_| is_ours)?;
        let first = page.path().split('/').nth(1).unwrap_or_default();
        (!NO_PAGES.iter().any(|path| path[1..] == *first)).then_some(page)
    }

    /// Notes that the page has a form.
    pub(crate) fn note(&self, form: &str) {
        self.is_found.fetch_or(form == self.name, Ordering::Relaxed);
    }

    /// Returns the typed value of the form's `index`-th field of a name.
    pub(crate) fn typed(&self, form: &str, field: &str, index: usize) -> Option<&str> {
        if form != self.name {
            return None;
        }
        let value = self.typed.get(field)?.get(index)?;
        self.is_filled.store(true, Ordering::Relaxed);
        Some(value)
    }

    /// Returns whether one of the form's fields of a name had this value; `None` for other forms.
    pub(crate) fn has_typed(&self, form: &str, field: &str, value: &str) -> Option<bool> {
        let values = || self.typed.get(field).into_iter().flatten();
        (form == self.name).then(|| values().any(|typed| typed == value))
    }

    /// Returns the reason to tell at a field of the form: one that has the name or is about one of the
    /// subjects.
    pub(crate) fn problem_at(&self, form: &str, field: &str, subjects: &[Subject]) -> Option<&str> {
        let problem = self.problem.as_ref().filter(|_| form == self.name)?;
        let is_here = match problem.subject {
            Subject::Field(name) => name == field,
            subject => subjects.contains(&subject),
        };
        (is_here && !self.is_told.swap(true, Ordering::Relaxed)).then_some(&*problem.words)
    }

    /// Returns the reason if no field of the form has told it.
    pub(crate) fn problem_of_form(&self, form: &str) -> Option<&str> {
        self.problem.as_ref().filter(|_| form == self.name)?;
        self.untold_problem()
    }

    /// Returns the reason if nothing on the page has told it.
    pub(crate) fn untold_problem(&self) -> Option<&str> {
        let problem = self.problem.as_ref()?;
        (!self.is_told.swap(true, Ordering::Relaxed)).then_some(&*problem.words)
    }

    /// Returns whether the form was only kept while its sender signed in.
    pub(crate) fn is_kept(&self) -> bool {
        self.problem.is_none()
    }

    /// Returns the texts that were typed and that the page does not show: a message if no field of the
    /// form is filled in, and a move if the form is not there any more.
    pub(crate) fn unshown_texts(&self) -> impl Iterator<Item = &str> {
        let [is_filled, is_found] =
            [&self.is_filled, &self.is_found].map(|flag| flag.load(Ordering::Relaxed));
        let names = [("comment", is_filled), ("say", is_found)].into_iter();
        let names = names.filter(|(_, is_shown)| !is_shown).map(|(name, _)| name);
        let values = names.filter_map(|name| self.typed.get(name)).flatten();
        values.map(|text| text.trim()).filter(|text| !text.is_empty())
    }
}

/// The name of the form that signs in with a password.
pub(crate) const SIGN_IN_FORM: &str = "password";

/// Returns the text whose token seals a form. No cookie has a space, so no token of a page fits it.
fn sealed_name(text: &str) -> String {
    format!("kept {text}")
}

/// Shows a form that was not accepted on its page again, and other errors to the user who is signed in.
pub(crate) async fn return_forms(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    if api::is_program(request.uri().path()) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let is_form = parts.method == Method::POST;
    let (body, fields) = if is_form {
        // `read_whole_body` has checked its length.
        let Ok(bytes) = to_bytes(body, usize::MAX).await else {
            return PageError::TooLong.into_response();
        };
        (Body::from(bytes.clone()), bytes)
    } else {
        (body, Bytes::new())
    };
    let visit = Visit { site, parts: parts.clone(), next: next.clone() };
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if let Some(FormAfterSignIn(form)) = response.extensions_mut().remove() {
        return visit.show_after_sign_in(form, response).await;
    }
    let Some(error) = take_error(&mut response) else { return response };
    let returned = if is_form { visit.return_form(&fields, &error).await } else { None };
    match returned {
        Some(page) => page,
        None => visit.error_page(&error).await,
    }
}

/// A request whose page may be shown again.
struct Visit {
    site: Arc<Site>,
    parts: Parts,
    next: Next,
}

/// A page that shows a form, or the error instead of it.
enum Shown {
    Page(Response),
    Error(Arc<PageError>),
    /// The form names no page that may have forms, or what is there is no page.
    Nothing,
}

impl Visit {
    /// Shows a form again that was not accepted for this reason. `None` if that is not possible.
    async fn return_form(&self, fields: &[u8], error: &PageError) -> Option<Response> {
        let status = error.status();
        let must_sign_in = matches!(error, PageError::SignIn(_));
        let problem = error.problem().filter(|_| !must_sign_in);
        if problem.is_none() && !must_sign_in {
            return None;
        }
        let form = Arc::new(ReturnedForm::read(fields, problem)?);
        let session = self.site.session_cookie(&self.parts.headers);
        let is_signed_in = session.as_deref().and_then(SessionCookie::parse).is_some();
        if !must_sign_in {
            match self.show(&form, &self.parts.headers).await {
                // Visitors see many pages, but not the forms of users.
                Shown::Page(_)
                    if !is_signed_in
                        && matches!(error, PageError::OldPage)
                        && !form.is_found.load(Ordering::Relaxed) => {}
                Shown::Page(page) => return Some(with_status(page, status)),
                Shown::Error(error) if matches!(*error, PageError::SignIn(_)) => {}
                Shown::Error(_) | Shown::Nothing => return None,
            }
        }
        let sign_in = Arc::new(form.to_sign_in(&self.site));
        match self.show(&sign_in, &self.parts.headers).await {
            Shown::Page(page) => Some(with_status(page, StatusCode::FORBIDDEN)),
            Shown::Error(_) | Shown::Nothing => None,
        }
    }

    /// Shows a form to the user who has signed in with this response. If that fails, the response leads
    /// to the page.
    async fn show_after_sign_in(&self, form: Arc<ReturnedForm>, response: Response) -> Response {
        let mut headers = self.parts.headers.clone();
        let cookies = response.headers().get_all(header::SET_COOKIE).iter();
        let pairs = cookies.filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
        if let Ok(cookies) = HeaderValue::from_str(&pairs.collect::<Vec<_>>().join("; ")) {
            headers.insert(header::COOKIE, cookies);
        }
        let Shown::Page(mut page) = self.show(&form, &headers).await else { return response };
        for cookie in response.headers().get_all(header::SET_COOKIE) {
            page.headers_mut().append(header::SET_COOKIE, cookie.clone());
        }
        page
    }

    /// Requests the page of a form, which shows the form again.
    async fn show(&self, form: &Arc<ReturnedForm>, headers: &HeaderMap) -> Shown {
        let Some(page) = form.page() else { return Shown::Nothing };
        let mut request = Request::new(Body::empty());
        *request.uri_mut() = page;
        *request.headers_mut() = headers.clone();
        for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH, header::IF_NONE_MATCH] {
            request.headers_mut().remove(name);
        }
        *request.extensions_mut() = self.parts.extensions.clone();
        request.extensions_mut().insert(Arc::clone(form));
        let mut response = self.next.clone().run(request).await;
        if let Some(error) = take_error(&mut response) {
            return Shown::Error(error);
        }
        let kind = response.headers().get(header::CONTENT_TYPE);
        let is_page = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        if is_page && response.status() == StatusCode::OK {
            Shown::Page(response)
        } else {
            Shown::Nothing
        }
    }

    /// Builds the page of an error, with the navigation of the user who is signed in.
    async fn error_page(&self, error: &Arc<PageError>) -> Response {
        let Self { site, parts, .. } = self;
        let request = WebRequest::read(parts, site);
        let is_signed_in = request.cookie.as_deref().and_then(SessionCookie::parse).is_some();
        let is_overload = matches!(
            **error,
            PageError::Busy | PageError::TooManyFromNetwork | PageError::Fault(_)
        );
        if is_overload || !is_signed_in || error.status().is_redirection() {
            return error.page(site.name());
        }
        let (status, ErrorText { title, body }) = (error.status(), error.whole_text());
        let page = Arc::clone(site)
            .read(request, move |reader| Ok(reader.close().page(title, &body).with_status(status)));
        page.await.map_or_else(|_| error.page(site.name()), IntoResponse::into_response)
    }
}

/// Sets the status of a page that shows a form again. No browser may keep it.
fn with_status(mut page: Response, status: StatusCode) -> Response {
    *page.status_mut() = status;
    let headers = page.headers_mut();
    headers.remove(header::ETAG);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    page
}
