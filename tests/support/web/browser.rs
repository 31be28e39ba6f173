//! A browser without scripts, which keeps a cookie and sends the forms of pages.

use crate::support::web::home::{HOST, Reply, WebHome};
use crate::support::web::page::select;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::http::request::Builder;
use scraper::{ElementRef, Html};
use std::net::{IpAddr, SocketAddr};

/// A user's browser.
pub(crate) struct Browser<'t> {
    pub(crate) town: &'t WebHome,
    pub(crate) cookie: String,
    /// The cookie that remains after signing out.
    pub(crate) known: String,
    /// The secret of a raised session, which is sent to the administrators' pages alone.
    pub(crate) raised: String,
    /// The paths of flipped boards.
    pub(crate) flipped: Vec<String>,
    pub(crate) at: IpAddr,
}

/// A form of a page.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) action: String,
    pub(crate) fields: Vec<(String, String)>,
}

impl Form {
    /// Sets the value of a field.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.retain(|(known, _)| known != name);
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a field, also if there is one of this name.
    pub(crate) fn and(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Returns the encoded body of the form.
    pub(crate) fn body(&self) -> String {
        let mut text = form_urlencoded::Serializer::new(String::new());
        text.extend_pairs(&self.fields).finish()
    }
}

/// Returns the form of a question that confirms an act.
#[track_caller]
pub(crate) fn confirming(page: &str) -> Form {
    let is_sure = |form: &Form| form.fields.iter().any(|(name, _)| name == "sure");
    forms(page).into_iter().find(is_sure).unwrap_or_else(|| panic!("no question in {page}"))
}

/// Returns the forms of a page with the values of their fields.
pub(crate) fn forms(page: &str) -> Vec<Form> {
    let page = Html::parse_document(page);
    let one = |form: ElementRef| {
        let hidden = select("input[type=hidden]");
        let fields = form.select(&hidden).map(|input| {
            let of = |name| input.attr(name).unwrap_or_default().to_owned();
            (of("name"), of("value"))
        });
        Form { action: form.attr("action").unwrap().to_owned(), fields: fields.collect() }
    };
    page.select(&select("form[method=post]")).map(one).collect()
}

impl<'t> Browser<'t> {
    pub(crate) fn new(town: &'t WebHome) -> Self {
        let [cookie, known, raised] = [const { String::new() }; 3];
        Self { town, cookie, known, raised, flipped: Vec::new(), at: [192, 0, 2, 1].into() }
    }

    /// Opens a browser and signs a user in.
    pub(crate) fn of(town: &'t WebHome, user: &str) -> Self {
        let mut browser = Self::new(town);
        let reply = browser.sign_in(user, "secret");
        assert_eq!(reply.status, 303, "{}", reply.body);
        browser
    }

    pub(crate) fn sign_in(&mut self, user: &str, password: &str) -> Reply {
        let form = self.form("/signin", "/signin").with("user", user).with("password", password);
        self.send(&form)
    }

    /// Presses the button of a page that sends this word, and returns the page that the reply leads to.
    #[track_caller]
    pub(crate) fn press(&mut self, page: &str, word: &str) -> String {
        let form = self.form_with(page, "/say", "word", word);
        let reply = self.send(&form);
        assert_eq!(reply.status, 303, "{}", reply.body);
        reply.header("location").to_owned()
    }

    fn request(&self, path: &str, builder: Builder) -> Builder {
        let is_flipped = self.flipped.iter().any(|flipped| {
            path.strip_prefix(&**flipped)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
        });
        let peer = SocketAddr::new(self.at, 40_000);
        let builder = builder.header("host", HOST).extension(ConnectInfo(peer));
        let flip = if is_flipped { "yes" } else { "" };
        let is_admin = path == "/admin" || path.starts_with("/admin/");
        let raised = if is_admin { &*self.raised } else { "" };
        let cookies = [
            ("postboard-raised", raised),
            ("postboard", &*self.cookie),
            ("postboard-known", &self.known),
            ("postboard-flip", flip),
        ];
        let cookies = cookies.iter().filter(|(_, value)| !value.is_empty());
        let cookies: Vec<_> = cookies.map(|(name, value)| format!("{name}={value}")).collect();
        if cookies.is_empty() { builder } else { builder.header("cookie", cookies.join("; ")) }
    }

    fn keep(&mut self, reply: Reply) -> Reply {
        for cookie in reply.headers.get_all("set-cookie") {
            let text = cookie.to_str().unwrap();
            if let Some(secret) = text.strip_prefix("postboard-raised=") {
                for part in ["HttpOnly", "SameSite=Strict", "Path=/admin"] {
                    assert!(text.contains(part), "{text}");
                }
                secret.split(';').next().unwrap().clone_into(&mut self.raised);
                continue;
            }
            assert!(text.contains("HttpOnly") && text.contains("SameSite=Lax"), "{text}");
            let (name, value) = text.split(';').next().unwrap().split_once('=').unwrap();
            if name == "postboard-flip" {
                let path = text.split("Path=").nth(1).unwrap().split(';').next().unwrap();
                self.flipped.retain(|flipped| flipped != path);
                if !text.contains("Max-Age=0") {
                    self.flipped.push(path.to_owned());
                }
                continue;
            }
            let kept = if name.ends_with("-known") { &mut self.known } else { &mut self.cookie };
            value.clone_into(kept);
        }
        reply
    }

    pub(crate) fn get(&mut self, path: &str) -> Reply {
        let request = self.request(path, Request::get(path)).body(Body::empty()).unwrap();
        let reply = self.town.send(request);
        self.keep(reply)
    }

    /// Subscribes to the events of a path.
    pub(crate) fn listen(&self, path: &str) -> (u16, Body) {
        let request = self.request(path, Request::get(path)).body(Body::empty()).unwrap();
        let (status, body) = self.town.listen(request);
        (status.as_u16(), body)
    }

    /// Returns the first form of a page with this action.
    pub(crate) fn form(&mut self, page: &str, action: &str) -> Form {
        self.form_with(page, action, "", "")
    }

    /// Returns the first form with this action whose field `name` has this value.
    pub(crate) fn form_with(&mut self, page: &str, action: &str, name: &str, value: &str) -> Form {
        let page = self.get(page);
        let has = |form: &Form| {
            name.is_empty() || form.fields.iter().any(|(n, v)| n == name && v == value)
        };
        let mut all = forms(&page.body).into_iter();
        let found = all.find(|form| form.action == action && has(form));
        found.unwrap_or_else(|| panic!("no form to {action} with {value} in {}", page.body))
    }

    /// Sends a form with the headers that a browser adds on the same site.
    pub(crate) fn send(&mut self, form: &Form) -> Reply {
        let origin = format!("https://{HOST}");
        let headers = [("origin", &*origin), ("sec-fetch-site", "same-origin")];
        self.send_as(form, &headers)
    }

    /// Sends a form with other headers.
    pub(crate) fn send_as(&mut self, form: &Form, headers: &[(&str, &str)]) -> Reply {
        let kind = "application/x-www-form-urlencoded";
        let request = self.request(&form.action, Request::post(&form.action));
        let mut request = request.header("content-type", kind);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let reply = self.town.send(request.body(Body::from(form.body())).unwrap());
        self.keep(reply)
    }
}
