//! Forbidden requests: the server refuses each with a clear reason and changes no document.

use crate::support::web::browser::{Browser, Form, forms};
use crate::support::web::home::{MALAKA, WebHome};
use axum::body::Body;
use axum::http::{HeaderValue, Request};
use postboard::base::ids::UserId;
use postboard::base::time::{DAY, Time};
use postboard::model::token::{SessionGenerations, TokenKey};
use scraper::{Html, Selector};

/// Returns the form of a player's move.
fn a_move(browser: &mut Browser) -> Form {
    let (_, first) = browser.town.due(MALAKA);
    browser.form("/malaka/1", "/malaka/1").with("verb", "").with("say", &first)
}

#[test]
fn a_form_from_elsewhere_does_nothing() {
    let town = WebHome::with_board();
    let mut browser = Browser::of(&town, &town.due(MALAKA).0);
    let form = a_move(&mut browser);
    let documents = town.documents();
    for headers in [
        &[("origin", "https://evil.example")][..],
        &[("origin", "null")],
        &[("origin", "https://games.example.org.evil.example")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site"), ("origin", "https://games.example.org")],
        &[("origin", "https://games.example.org"), ("sec-fetch-site", "none")],
    ] {
        browser.send_as(&form, headers).says(403, "not sent from a page of ours");
    }
    for token in ["", "aaaa", &"a".repeat(32), "\u{e9}"] {
        let form = form.clone().with("token", token);
        browser.send(&form).says(403, "open for too long");
    }
    // A token is valid only for one session: tokens of another user and from before the sign-in are
    // refused.
    let mut other = Browser::of(&town, "carol");
    let theirs = other.form("/", "/signout").fields;
    let theirs = &theirs.iter().find(|(name, _)| name == "token").unwrap().1;
    browser.send(&form.clone().with("token", theirs)).says(403, "open for too long");
    assert_eq!(town.documents(), documents);
    // The unchanged form is accepted.
    assert_eq!(browser.send(&form).status, 303);
    assert_ne!(town.documents(), documents);
}

#[test]
fn a_cookie_that_is_not_ours_is_nobodys() {
    let town = WebHome::with_board();
    let player = town.due(MALAKA).0;
    let mut browser = Browser::of(&town, &player);
    let good = browser.cookie.clone();
    let [until, token, user] = good.splitn(3, '.').collect::<Vec<_>>()[..] else { panic!() };
    let id = UserId::parse(user).unwrap();
    let later = Time::from_unix(until.parse().unwrap()) + DAY;
    let foreign = TokenKey::new([8; 32]).session(&id, SessionGenerations::default(), later);
    let own = TokenKey::new([7; 32]);
    let after_new_token = SessionGenerations { tokens: 1, sessions: 0 };
    let past = town.now() - DAY;
    let documents = town.documents();
    for cookie in [
        format!("{until}.{token}.carol"),
        format!("{}.{token}.{user}", later.unix()),
        format!("{until}.{}.{user}", "a".repeat(32)),
        format!("{until}..{user}"),
        format!("{until}.{}.{user}", &token[..16]),
        format!("{}.{foreign}.{user}", later.unix()),
        format!("{}.{}.{user}", past.unix(), own.session(&id, SessionGenerations::default(), past)),
        format!(
            "{until}.{}.{user}",
            own.session(&id, after_new_token, Time::from_unix(until.parse().unwrap()))
        ),
        format!("guest.{token}"),
        "x".repeat(10_000),
    ] {
        browser.cookie.clone_from(&cookie);
        assert_eq!(browser.get("/boards").status, 303, "{cookie}");
        // A matching token does not make an invalid session valid.
        let form = Form {
            action: "/malaka/1".into(),
            fields: vec![
                ("token".into(), own.form_token(&cookie)),
                ("once".into(), "1".into()),
                ("page".into(), "/malaka/1".into()),
                ("say".into(), town.due(MALAKA).1),
            ],
        };
        browser.send(&form).says(403, "You are not signed in any more");
    }
    assert_eq!(town.documents(), documents);
    browser.cookie = good;
    assert_eq!(browser.get("/boards").status, 200);
}

#[test]
fn a_cookie_that_cannot_be_read_is_nobodys() {
    let town = WebHome::with_board();
    let mut browser = Browser::of(&town, &town.due(MALAKA).0);
    let good = browser.cookie.clone();
    let form = a_move(&mut browser);
    let documents = town.documents();
    let send = |cookies: &[Vec<u8>], form: Option<&Form>| {
        let request = match form {
            None => Request::get("/boards"),
            Some(form) => Request::post(&form.action)
                .header("content-type", "application/x-www-form-urlencoded"),
        };
        let request = cookies.iter().fold(request, |request, cookie| {
            request.header("cookie", HeaderValue::from_bytes(cookie).unwrap())
        });
        let body = form.map_or_else(Body::empty, |form| Body::from(form.body()));
        town.send(request.body(body).unwrap()).status
    };
    let ours = |value: &str| format!("postboard={value}").into_bytes();
    let nobodys = TokenKey::new([7; 32]).form_token("");
    for cookies in [
        &[[&ours(&good)[..], b"\xff"].concat()][..],
        &[[b"postboard=\xff; ", &ours(&good)[..]].concat()],
        &[ours("guest.x"), ours(&good)],
        &[ours(&good), ours("guest.x")],
        &[ours("")],
        &[],
    ] {
        assert_eq!(send(cookies, None), 303, "{cookies:?}");
        assert_eq!(send(cookies, Some(&form)), 403, "{cookies:?}");
        assert_eq!(send(cookies, Some(&form.clone().with("token", &nobodys))), 403, "{cookies:?}");
    }
    assert_eq!(town.documents(), documents);
    // Other cookies are ignored, readable or not, and so is a repeated cookie.
    assert_eq!(send(&[b"other=\xff".to_vec(), ours(&good)], None), 200);
    assert_eq!(send(&[[&ours(&good)[..], b"; x=\xff; ", &ours(&good)].concat()], None), 200);
}

#[test]
fn requests_that_are_no_forms_are_refused() {
    let town = WebHome::with_board();
    let mut browser = Browser::of(&town, &town.due(MALAKA).0);
    let form = a_move(&mut browser);
    let documents = town.documents();
    let post = |kind: &str, body: Vec<u8>| {
        let request = Request::post("/malaka/1")
            .header("host", "games.example.org")
            .header("cookie", format!("postboard={}", browser.cookie))
            .header("content-type", kind);
        town.send(request.body(Body::from(body)).unwrap()).status.as_u16()
    };
    let kind = "application/x-www-form-urlencoded";
    let body = form.body();
    assert_eq!(post("text/plain", body.clone().into_bytes()), 400);
    assert_eq!(post("application/json", b"{}".to_vec()), 400);
    assert_eq!(post("multipart/form-data; boundary=x", body.clone().into_bytes()), 400);
    assert_eq!(post("", body.clone().into_bytes()), 400);
    assert_eq!(post(kind, [body.as_bytes(), b"&x=%FF%FE"].concat()), 400);
    assert_eq!(post(kind, [body.as_bytes(), b"&x=\xff"].concat()), 400);
    assert_eq!(post(kind, format!("{body}&x={}", "y".repeat(100_000)).into_bytes()), 413);
    assert_eq!(post(kind, vec![b'&'; 60_000]), 403);
    assert_eq!(post(kind, b"token".to_vec()), 403);
    assert_eq!(town.documents(), documents);
}

#[test]
fn odd_paths_and_headers_lead_nowhere() {
    let town = WebHome::with_board();
    for path in [
        "/malaka/1/..%2f..%2fkey",
        "/malaka/%00",
        "/malaka/%FF",
        "/%FF",
        "/malaka/99999999999999999999",
        "/malaka/-1",
        "/malaka/1/-1",
        "/malaka/1/1e3",
        "/player/..",
        "/player/%3Cscript%3E",
        "/assets/..%2fkey",
        "/help/..%2f..%2fkey",
        "/signin/x",
        "/signin/%3Cscript%3E-x",
        "//evil.example/",
        "/malaka/1/preview/x/y",
        "/.git/config",
    ] {
        let reply = town.get(path);
        assert!(reply.status.is_client_error(), "{path}: {}", reply.status);
        assert!(!reply.body.contains("<script>"), "{path}");
    }
    for method in ["PUT", "DELETE", "PATCH", "TRACE", "POST"] {
        let request = Request::builder().method(method).uri("/boards").body(Body::empty()).unwrap();
        assert_eq!(town.send(request).status, 405, "{method}");
    }
    for value in [&b"\xff\xfe"[..], b"a=b; =; ;;;", b"postboard=\"", b"postboard=;postboard=1.2.3"]
    {
        let request = Request::get("/").header("cookie", value).header("if-none-match", value);
        let request = request.header("x-forwarded-for", value).body(Body::empty()).unwrap();
        assert_eq!(town.send(request).status, 200);
    }
}

/// Returns the elements of a page that execute code or lead to another site.
fn runs(page: &str) -> Vec<String> {
    let page = Html::parse_document(page);
    let mut found = Vec::new();
    for element in page.select(&Selector::parse("*").unwrap()) {
        let value = element.value();
        if value.name() == "script"
            && !value.attr("src").is_some_and(|src| src.starts_with("/assets/"))
        {
            found.push(element.html());
        }
        for (name, text) in value.attrs() {
            let is_address = ["href", "src", "action", "formaction"].contains(&name);
            // A relative address has no scheme before its first slash.
            let first = text.split(['/', '?', '#']).next().unwrap();
            let leads = is_address && (first.contains(':') || text.starts_with("//"));
            if name.starts_with("on") || name == "style" || leads || text.contains("//evil") {
                found.push(element.html());
            }
        }
    }
    found
}

#[test]
fn hostile_words_are_words_in_every_place() {
    const WORDS: &str = "\"><script>alert(1)</script><img src=x onerror=alert(1)>";
    let town = WebHome::with_board();
    let player = town.due(MALAKA).0;
    let other = if player == "alice" { "bob" } else { "alice" };
    let mut waits = Browser::of(&town, other);
    let queue = waits.form_with("/malaka/1", "/malaka/1", "verb", "queue");
    let refused = waits.send(&queue.with("say", WORDS)).says(422, "alert(1)").body;
    let mut browser = Browser::of(&town, &player);
    let chat = browser.form_with("/malaka/1", "/malaka/1", "verb", "chat");
    assert_eq!(browser.send(&chat.with("comment", WORDS)).status, 303);
    let escaped: String = form_urlencoded::byte_serialize(WORDS.as_bytes()).collect();
    let mut pages = vec![
        refused,
        waits.get("/malaka/1").body,
        browser.get(&format!("/malaka/1?play={escaped}")).body,
        browser.get(&format!("/malaka/1?from={escaped}")).body,
        browser.get(&format!("/malaka/1/preview?moves={escaped}")).body,
        browser.get(&format!("/malaka/1/preview/tried/after=0/{escaped}")).body,
        browser.get(&format!("/study/malaka/tried/position={escaped}/x")).body,
        browser.get(&format!("/malaka/1/0?after={escaped}")).body,
        browser.get(&format!("/{escaped}")).body,
        Browser::new(&town).get(&format!("/signin?back={escaped}")).body,
    ];
    let say = browser.form("/malaka/1", "/malaka/1").with("verb", "").with("say", WORDS);
    pages.push(browser.send(&say).says(422, "alert(1)").body);
    for (page, action, field) in [
        ("/signin", "/signin", "user"),
        ("/signin", "/signin/link", "who"),
        ("/signup", "/signup", "user"),
        ("/signup", "/signup", "address"),
        ("/malaka", "/begin", "opponent"),
        ("/malaka", "/begin", "with"),
        ("/malaka", "/begin", "option.large"),
        ("/malaka", "/begin", "back"),
        ("/settings", "/say", "word"),
    ] {
        let mut form = browser.form(page, action);
        for name in ["user", "password", "address", "who"] {
            form = form.with(name, "aaaaaa");
        }
        form = form.with("with", "friend").with("opponent", "bob");
        pages.push(browser.send(&form.with(field, WORDS)).body);
    }
    let malaka = browser.form("/malaka", "/begin").with("back", "//evil.example/");
    let malaka = malaka.with("with", "friend").with("opponent", "x");
    pages.push(browser.send(&malaka).body);
    for page in &pages {
        assert_eq!(runs(page), Vec::<String>::new(), "{page}");
        assert!(!page.contains("<script>"), "{page}");
    }
    assert!(pages.iter().filter(|page| page.contains("alert(1)")).count() > 3, "it was shown");
}

#[test]
fn hostile_words_that_come_by_mail_are_words_on_every_page() {
    const WORDS: &str = "\"><script>alert(1)</script><img src=x onerror=alert(1)>";
    let town = WebHome::with_board();
    for (number, sender) in ["alice", "bob"].into_iter().enumerate() {
        town.mail(&format!(
            "From: \"<script>alert(1)</script>\" <{sender}@example.org>\nSubject: malaka chat 1 \
             {sender} secret\nMessage-ID: <{number}@x.example>\n\n{WORDS}\n"
        ));
    }
    let mut alice = Browser::of(&town, "alice");
    let form = alice.form("/settings", "/keys").with("name", WORDS);
    alice.send(&form);
    let settings = alice.get("/settings").body;
    let feed = settings.split("href=\"").find(|rest| rest.starts_with("/feed/")).unwrap();
    let feed = feed.split('"').next().unwrap().to_owned();
    let board = alice.get("/malaka/1").body;
    assert!(board.contains("&lt;script&gt;alert(1)"), "what was said is shown: {board}");
    assert!(settings.contains("&lt;script&gt;alert(1)"), "{settings}");
    for path in ["/malaka/1", "/malaka/1/0", "/malaka", "/", "/boards", "/player/bob", "/settings"]
    {
        let page = alice.get(path).says(200, "<main").body;
        assert_eq!(runs(&page), Vec::<String>::new(), "{path}: {page}");
        assert!(!page.contains("<script>"), "{path}");
    }
    let feed = town.get(&feed);
    assert!(feed.status == 200 && !feed.body.contains("<script>"), "{}", feed.body);
    // Answers to programs are never pages, whatever they contain.
    let told = town.get("/api/v1/boards/malaka/1");
    assert!(told.header("content-type").starts_with("application/json"));
    assert_eq!(told.header("x-content-type-options"), "nosniff");
}

#[test]
fn the_headers_of_a_request_are_put_on_no_page() {
    let town = WebHome::with_board();
    for (name, value) in [
        ("host", "evil.example"),
        ("x-forwarded-host", "evil.example"),
        ("x-forwarded-proto", "evil"),
        ("forwarded", "host=evil.example"),
        ("x-original-url", "/evil"),
        ("referer", "https://evil.example/"),
        ("x-http-method-override", "DELETE"),
        ("user-agent", "<script>evil</script>"),
    ] {
        for path in ["/", "/malaka/1", "/signin", "/signup", "/help"] {
            let request = Request::get(path).header(name, value).body(Body::empty()).unwrap();
            let reply = town.send(request);
            assert_eq!(reply.status, 200, "{name}");
            assert!(!reply.body.contains("evil"), "{name}: {}", reply.body);
            assert!(!format!("{:?}", reply.headers).contains("evil"), "{name}");
        }
    }
}

#[test]
fn nobody_is_led_to_another_site() {
    let town = WebHome::new();
    for back in
        ["//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil", "/a\nb", ""]
    {
        let mut browser = Browser::new(&town);
        let form = browser.form("/signin", "/signin").with("user", "alice");
        let form = form.with("password", "secret").with("back", back);
        assert_eq!(browser.send(&form).header("location"), "/boards", "{back}");
    }
    // The page after a form is never one of another site either.
    for back in ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:evil"] {
        let mut browser = Browser::of(&town, "alice");
        let mut form = browser.form_with("/settings", "/say", "word", "html").with("back", back);
        form.fields.push(("word".into(), "off".into()));
        assert_eq!(browser.send(&form).header("location"), "/?notice=saved", "{back}");
    }
    let mut browser = Browser::new(&town);
    let form = browser.form("/signin?back=/malaka/1", "/signin").with("user", "alice");
    assert_eq!(browser.send(&form.with("password", "secret")).header("location"), "/malaka/1");
}

#[test]
fn every_form_has_a_token() {
    let town = WebHome::with("", true);
    town.say("malaka challenge alice bob");
    town.say("malaka seek carol");
    let mut alice = Browser::of(&town, "alice");
    let pages = ["/", "/signin", "/signup", "/settings", "/malaka", "/malaka/1", "/player/bob"];
    let mut seen = 0;
    for page in pages {
        for form in forms(&alice.get(page).body) {
            let field = |name: &str| form.fields.iter().any(|(n, v)| n == name && v.len() >= 32);
            assert!(field("token") && field("once"), "{page}: {form:?}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}
