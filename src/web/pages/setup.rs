//! `/setup`: the first page of a home that nobody has set up. It is shown to the browser in which the token
//! of the program's log was used, and does without scripts.

use crate::base::ids::UserId;
use crate::base::password::Hashing;
use crate::config::setup::{Answers, Door, OR_NONE, Provider, Question};
use crate::mail::Address;
use crate::model::world::user_key;
use crate::web::html::blocks::capitalized;
use crate::web::html::error_page::{PageError, PageResult, take_error};
use crate::web::html::fields::{Field, FormFields};
use crate::web::html::page::bare_page;
use crate::web::http::form::{HiddenFields, PostedForm};
use crate::web::http::request::WebRequest;
use crate::web::http::session::session_cookies;
use crate::web::site::{Admission, FirstRun, PendingSetup, SetupProgress, Site};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// The path of the page.
const SETUP: &str = "/setup";

/// The limit on the length of an answer.
const MAX_ANSWER: usize = 254;

/// The field with the password of the administrator.
const NEW_PASSWORD: &str = "new";

/// The form with the answers.
const ANSWERS: &str = "answers";

/// Lets requests through that come from the browser in which the token was used. For others nothing is here.
pub(crate) async fn check_admission(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let visit = WebRequest::read(&parts, &site);
    let is_page = visit.path == SETUP && parts.method == Method::GET;
    let cookie = site.new_visitor_cookie();
    // Elsewhere a field `token` is that of a form.
    let visit = if is_page { visit } else { WebRequest { query: BTreeMap::new(), ..visit } };
    match site.admit(&visit, &cookie) {
        Admission::Admitted => next.run(Request::from_parts(parts, body)).await,
        Admission::WithToken => {
            let mut response = Redirect::to(SETUP).into_response();
            response.headers_mut().insert(header::SET_COOKIE, site.set_session_cookie(&cookie));
            response
        }
        Admission::Refused => PageError::NotFound.into_response(),
    }
}

/// Replaces each "not found" by a page that says that the server is not set up.
pub(crate) async fn hide(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.status() != StatusCode::NOT_FOUND {
        return response;
    }
    drop(take_error(&mut response));
    let body = html! {
        h1 { "Not set up yet" }
        p { "Nobody has set up this server yet. Its operator finds the address of the page for that in its log." }
    };
    (StatusCode::NOT_FOUND, uncached_page("Not set up yet", &body)).into_response()
}

/// Builds a page that no browser keeps.
fn uncached_page(title: &str, body: &Markup) -> Response {
    let mut response = bare_page(title, "Postboard", body).into_response();
    let caching = HeaderValue::from_static("private, no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, caching);
    response
}

fn first_run(site: &Site) -> PageResult<&FirstRun> {
    site.first_run.as_ref().ok_or(PageError::NotFound)
}

fn hidden_fields(site: &Site, request: &WebRequest) -> HiddenFields {
    HiddenFields::new(site, request.cookie.as_deref().unwrap_or_default(), request)
}

/// The page: the questions, or how far the trial is.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    request: WebRequest,
) -> PageResult<Response> {
    let first_run = first_run(&site)?;
    let door = request.query_value("door").and_then(Door::of);
    let Some(door) = door else {
        return Ok(match first_run.desk.progress() {
            SetupProgress::Asking | SetupProgress::Done => door_page(first_run),
            progress => trial_page(&site, &request, &progress)?,
        });
    };
    let address = request.query_value(Question::Address.name());
    let problem = match address {
        Some(address) if Address::parse(address).is_some() => {
            return Ok(answers_page(&site, first_run, &request, door, address));
        }
        _ if door != Door::Mailbox => {
            return Ok(answers_page(&site, first_run, &request, door, ""));
        }
        Some(address) => Some(format!("`{address}` is not a mail address")),
        None => None,
    };
    Ok(mailbox_page(address.unwrap_or_default(), problem.as_deref()))
}

/// The first question.
fn door_page(first_run: &FirstRun) -> Response {
    let usual = first_run.desk.usual_door();
    let body = html! {
        h1 { "Set up this server" }
        p { "Five questions, and the first mail or move can come. You can change every answer later." }
        form.tall method="get" action=(SETUP) {
            fieldset.chips {
                legend { (Door::QUESTION) "?" }
                @for door in Door::ALL {
                    label.chip {
                        input type="radio" name="door" value=(door.word()) checked[door == usual];
                        span { (door.answer()) }
                    }
                }
            }
            button type="submit" { "Continue" }
        }
    };
    uncached_page("Setup", &body)
}

/// The question for the mailbox, whose answer tells the servers.
fn mailbox_page(address: &str, problem: Option<&str>) -> Response {
    let question = Question::Address;
    let body = html! {
        h1 { "Set up this server" }
        form.tall method="get" action=(SETUP) {
            input type="hidden" name="door" value=(Door::Mailbox.word());
            label { (question.words(Door::Mailbox))
                input type="email" name=(question.name()) value=(address) required autofocus
                    maxlength=(MAX_ANSWER) autocomplete="off"
                    aria-invalid=[problem.map(|_| "true")]
                    aria-describedby=[problem.map(|_| "address-problem")];
            }
            @if let Some(problem) = problem {
                p.problem id="address-problem" role="alert" { (problem) "." }
            }
            button type="submit" { "Continue" }
        }
        p { a href=(SETUP) { "Another way" } }
    };
    uncached_page("Setup", &body)
}

/// The other questions.
fn answers_page(
    site: &Site,
    first_run: &FirstRun,
    request: &WebRequest,
    door: Door,
    address: &str,
) -> Response {
    let hidden_fields = hidden_fields(site, request);
    let form = hidden_fields.form(ANSWERS);
    let usual_site = first_run.desk.usual_site();
    let pending = first_run.pending().filter(|pending| pending.answers.door == door);
    let fields: Vec<Markup> = door
        .questions()
        .iter()
        .map(|question| {
            let given =
                pending.as_ref().and_then(|pending| given_answer(&pending.answers, *question));
            let usual = match question {
                Question::Site => usual_site.as_str(),
                other => other.usual(),
            };
            answer_field(&form, door, *question, given.unwrap_or(usual), address)
        })
        .collect();
    let rule = format!("A password for this userid ({})", Hashing::RULE);
    let password = Field::new(NEW_PASSWORD, &rule).kind("password").length(6, 128);
    let password = form.text(&password.autocomplete("new-password"));
    let body = html! {
        h1 { "Set up this server" }
        p { (capitalized(door.answer())) ". " a href=(SETUP) { "Another way" } }
        form.tall method="post" action=(SETUP) {
            (form.hidden())
            input type="hidden" name="door" value=(door.word());
            (form.problem())
            @for field in &fields { (field) }
            (password)
            @if door != Door::Web {
                p.quiet { "A mail to your own address tries it first; nothing is written before that." }
            }
            button type="submit" { "Continue" }
        }
    };
    uncached_page("Setup", &body)
}

/// Returns the answer that was given before.
fn given_answer(answers: &Answers, question: Question) -> Option<&str> {
    match question {
        Question::Address => Some(&answers.address),
        Question::Name => Some(&answers.name),
        Question::Site => answers.site.as_deref(),
        Question::OwnAddress => answers.own_address.as_deref(),
        Question::Administrator => answers.administrator.as_deref(),
        Question::Password => None,
    }
}

fn answer_field(
    form: &FormFields,
    door: Door,
    question: Question,
    usual: &str,
    address: &str,
) -> Markup {
    if door == Door::Mailbox && question == Question::Address {
        let [servers, note] = Provider::of(address).login_notes();
        return html! {
            input type="hidden" name=(question.name()) value=(address);
            p { strong { (address) } ": " a href={ (SETUP) "?door=" (door.word()) } { "another address" } }
            p { (servers) }
            p.note { (note) }
        };
    }
    let none = if question == Question::OwnAddress { OR_NONE } else { "" };
    let label = format!("{}{none}", question.words(door));
    let field = Field::new(question.name(), &label).length(0, MAX_ANSWER).value(Some(usual));
    let field = match question {
        Question::Password => field.kind("password").value(None).autocomplete("off"),
        Question::OwnAddress => field.kind("email").autocomplete("email").optional(),
        Question::Address => field.kind("email").autocomplete("off"),
        Question::Site => field.kind("url").autocomplete("off"),
        Question::Administrator => field.autocomplete("username"),
        Question::Name => field.autocomplete("off"),
    };
    form.text(&field)
}

fn read_answers(first_run: &FirstRun, form: &PostedForm) -> PageResult<PendingSetup> {
    let door = form.field("door").and_then(Door::of).ok_or(PageError::Malformed)?;
    let mut given = BTreeMap::new();
    for question in door.questions() {
        form.check_length(question.name(), MAX_ANSWER)?;
        let answer = form.field(question.name()).map(str::to_owned);
        let usual = (*question == Question::Site).then(|| first_run.desk.usual_site());
        given.extend(answer.or(usual).map(|text| (*question, text)));
    }
    let home = std::path::absolute(first_run.desk.home()).map_err(|_| PageError::Bug)?;
    let answers = Answers::new(door, &home, &given);
    answers.check().map_err(|wrong| {
        PageError::WrongAnswer(wrong.question.map_or("", Question::name), wrong.why)
    })?;
    if answers.administrator.is_none() {
        return Err(PageError::MissingField(Question::Administrator.name()));
    }
    let password = form.required(NEW_PASSWORD)?.to_owned();
    if !Hashing::accepts(&password) {
        let why = format!("a password has {}", Hashing::RULE);
        return Err(PageError::WrongAnswer(NEW_PASSWORD, why));
    }
    Ok(PendingSetup { answers, password })
}

/// Takes the answers. A mail is sent first, where mails leave and the operator has an address.
pub(crate) async fn post(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult<Response> {
    let first_run = first_run(&site)?;
    let pending = read_answers(first_run, &form)?;
    first_run.remember(pending.clone());
    if pending.answers.has_mail() && pending.answers.own_address.is_some() {
        first_run.desk.begin_trial(pending.answers);
        return Ok(Redirect::to(SETUP).into_response());
    }
    finish_setup(Arc::clone(&site), form.request, pending).await
}

/// Tries the same answers again.
pub(crate) async fn try_again(
    State(site): State<Arc<Site>>,
    _form: PostedForm,
) -> PageResult<Response> {
    let first_run = first_run(&site)?;
    if let Some(pending) = first_run.pending() {
        first_run.desk.begin_trial(pending.answers);
    }
    Ok(Redirect::to(SETUP).into_response())
}

/// Writes the answers.
pub(crate) async fn finish(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> PageResult<Response> {
    match first_run(&site)?.pending() {
        Some(pending) => finish_setup(Arc::clone(&site), form.request, pending).await,
        None => Ok(Redirect::to(SETUP).into_response()),
    }
}

/// Shows how far the trial is. While it lasts, the page asks for itself again.
fn trial_page(site: &Site, request: &WebRequest, progress: &SetupProgress) -> PageResult<Response> {
    let first_run = first_run(site)?;
    let pending = first_run.pending().ok_or(PageError::NotFound)?;
    let is_trying = matches!(progress, SetupProgress::Trying { .. });
    let hidden_fields = hidden_fields(site, request);
    let body = html! {
        h1 { "A mail to try it" }
        (trial_state(progress))
        (hidden_fields.form("finish").problem())
        @if !is_working(progress) { (mail_server(first_run, &pending.answers)) }
        @if !is_trying { (choices(&hidden_fields, &pending.answers, is_working(progress))) }
    };
    let mut response = uncached_page("Setup", &body);
    if is_trying {
        response.headers_mut().insert(header::REFRESH, HeaderValue::from_static("2"));
    }
    Ok(response)
}

fn is_working(progress: &SetupProgress) -> bool {
    matches!(progress, SetupProgress::Tried { works: true, .. })
}

fn trial_state(progress: &SetupProgress) -> Markup {
    html! {
        @match progress {
            SetupProgress::Trying { seconds, patience, trouble } => {
                p role="status" {
                    "The server sends a mail to itself; we wait for it to come back and to be answered: "
                    (seconds) " of " (patience) " seconds. This page looks again every two seconds."
                }
                @if let Some(trouble) = trouble { p.problem { (trouble) } }
            },
            SetupProgress::Tried { works, words } => {
                p.problem[!works] role="status" { (words) }
            },
            SetupProgress::Asking | SetupProgress::Done => {},
        }
    }
}

/// Renders what the mail server of this machine needs.
fn mail_server(first_run: &FirstRun, answers: &Answers) -> Markup {
    html! {
        @if let Some((told, commands)) = first_run.desk.mail_server(answers) {
            p.kept { (told) }
            @if !commands.is_empty() {
                p { "Run this as root, so that mails come in:" }
                pre { @for command in &commands { (command) "\n" } }
            }
        }
    }
}

/// Renders what can be done after a trial.
fn choices(hidden_fields: &HiddenFields, answers: &Answers, works: bool) -> Markup {
    let address: String = form_urlencoded::byte_serialize(answers.address.as_bytes()).collect();
    let change =
        format!("{SETUP}?door={}&{}={address}", answers.door.word(), Question::Address.name());
    html! {
        p.actions {
            form method="post" action={ (SETUP) "/finish" } {
                (hidden_fields.fields("finish"))
                button.main[works] type="submit" {
                    @if works { "Finish" } @else { "Finish all the same" }
                }
            }
            @if !works {
                form method="post" action={ (SETUP) "/try" } {
                    (hidden_fields.fields("again"))
                    button.main type="submit" { "Try again" }
                }
            }
        }
        p { a href=(change) { "Change the answers" } }
    }
}

/// Writes everything, and signs the administrator in.
async fn finish_setup(
    site: Arc<Site>,
    request: WebRequest,
    pending: PendingSetup,
) -> PageResult<Response> {
    let PendingSetup { answers, password } = pending;
    let userid = answers.administrator.as_deref().and_then(UserId::parse).ok_or(PageError::Bug)?;
    let works = is_working(&first_run(&site)?.desk.progress());
    let (here, given) = (Arc::clone(&site), answers.clone());
    let finish = move || first_run(&here).map(|it| it.desk.finish(given, password));
    let finished = spawn_blocking(finish).await.map_err(|_| PageError::Bug)??;
    let is_encrypted = finished.map_err(PageError::ActRefused)?;
    let cookie = Arc::clone(&site).read(request, move |mut reader| {
        reader.load(&[user_key(&userid)])?;
        let user = reader.world.user(&userid).ok_or(PageError::Bug)?;
        Ok(reader.site.new_session_cookie(user, reader.now))
    });
    let cookie = cookie.await?;
    let first_run = first_run(&site)?;
    let body = html! {
        h1 { "The server is set up" }
        p { "You are its first administrator. This page is gone now, and never comes back: what you have "
            "answered is in " code { "postboard.toml" } ", with a comment at each line." }
        @if !works { (mail_server(first_run, &answers)) }
        @if answers.has_mail() && answers.own_address.is_none() {
            p { "No mail was tried. " code { "postboard setup --own-address" } " and your address tries it." }
        }
        @if let Some(site) = &answers.site {
            p { "Players open " a href=(site) { (site) } "." }
        }
        p { a.button.main href="/boards" { "Go to your boards" } }
    };
    let mut response = uncached_page("Setup", &body);
    for cookie in session_cookies(&cookie, is_encrypted) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}
