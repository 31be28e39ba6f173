//! The API for programs.

use crate::support::web::browser::Browser;
use crate::support::web::home::{MALAKA, Reply, WebHome, malaka};
use axum::body::Body;
use axum::http::Request;
use postboard::config::WebLimits;
use serde_json::{Value, json};

/// A program, with a key or without a key.
pub(super) struct Program<'t> {
    pub(super) town: &'t WebHome,
    pub(super) key: String,
}

impl Program<'_> {
    pub(super) fn ask(&self, path: &str, said: Option<&Value>) -> Reply {
        let path = format!("/api/v1{path}");
        let request = match said {
            None => Request::get(path),
            Some(_) => Request::post(path).header("content-type", "application/json"),
        };
        let request = if self.key.is_empty() {
            request
        } else {
            request.header("authorization", format!("Bearer {}", self.key))
        };
        let body = said.map_or_else(Body::empty, |said| Body::from(said.to_string()));
        send(self.town, request.body(body).unwrap())
    }

    #[track_caller]
    pub(super) fn done(&self, path: &str, said: Option<&Value>) -> Value {
        let reply = self.ask(path, said);
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        serde_json::from_str(&reply.body).unwrap()
    }
}

/// Sends a request and checks the status and schema of its response against the API's description.
#[track_caller]
fn send(town: &WebHome, request: Request<Body>) -> Reply {
    let (method, path) =
        (request.method().as_str().to_lowercase(), request.uri().path().to_owned());
    let reply = town.send(request);
    check_described(&method, &path, &reply);
    reply
}

#[track_caller]
fn check_described(method: &str, path: &str, reply: &Reply) {
    let described: Value =
        serde_json::from_str(include_str!("../../src/web/api/openapi.json")).unwrap();
    let path = path.trim_start_matches("/api/v1");
    // A part in braces stands for any text.
    let fits = |template: &str| {
        let parts = || template.split('/').zip(path.split('/'));
        template.split('/').count() == path.split('/').count()
            && parts().all(|(wanted, part)| wanted.starts_with('{') || wanted == part)
    };
    let template = described["paths"].as_object().unwrap().keys().find(|path| fits(path));
    let operation = &described["paths"][template.map_or(path, String::as_str)][method];
    let named = &operation["responses"][reply.status.as_str()];
    if operation.is_null() {
        let is_known = [404, 405].contains(&reply.status.as_u16()) || path == "/openapi.json";
        assert!(is_known, "{method} {path}: {reply:?}");
    } else {
        assert!(named.is_object(), "{method} {path}: {} is not described", reply.status);
    }
    if path != "/events" || !reply.status.is_success() {
        assert_eq!(reply.header("content-type"), "application/json", "{method} {path}: {reply:?}");
        let said: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!(said["error"].is_string(), !reply.status.is_success(), "{said}");
    }
}

/// Returns a new key for the program of a user.
pub(super) fn key(town: &WebHome, user: &str) -> String {
    let nobody = Program { town, key: String::new() };
    let told = nobody.done("/keys", Some(&json!({ "userid": user, "password": "secret" })));
    told["key"].as_str().unwrap().to_owned()
}

#[test]
fn a_program_signs_up_accepts_a_challenge_and_plays_to_the_end() {
    let town = WebHome::new();
    town.say("malaka seek alice");
    let nobody = Program { town: &town, key: String::new() };
    let robin = json!({ "userid": "robin", "password": "secret", "address": "r@example.net" });
    let told = nobody.done("/signup", Some(&robin));
    let robin = Program { town: &town, key: told["key"].as_str().unwrap().to_owned() };
    let accept = json!({ "verb": "accept-seek", "game": "malaka", "words": ["1"] });
    let begun = robin.done("/say", Some(&accept));
    assert_eq!((&begun["game"], &begun["board"]), (&json!("malaka"), &json!(1)));
    let alice = Program { town: &town, key: key(&town, "alice") };
    for _ in 0..500 {
        let mut over = false;
        for player in [&robin, &alice] {
            let board = player.done("/boards/malaka/1", None);
            over |= !board["over"].is_null();
            if board["your_turn"] == json!(true) {
                let play = json!({ "say": board["legal"][0], "move": board["move"] });
                player.done("/boards/malaka/1", Some(&play));
            }
        }
        if over {
            let board = robin.done("/boards/malaka/1", None);
            assert!(board["over"]["winner"].is_string() && board["legal"].is_null(), "{board}");
            assert!(board["moves"].as_array().unwrap().len() > 10);
            return;
        }
    }
    panic!("the game has no end");
}

#[test]
fn a_key_speaks_for_its_user_until_it_is_revoked() {
    let town = WebHome::new();
    town.say("malaka challenge alice bob --private");
    let mut browser = Browser::of(&town, "alice");
    let form = browser.form("/settings", "/keys").with("name", "<b>bot</b>");
    let page = browser.send(&form).says(200, "It is shown only once").body;
    let key = page.split("alice:").nth(1).unwrap().split('<').next().unwrap();
    let program = Program { town: &town, key: format!("alice:{key}") };
    assert_eq!(program.done("/boards", None)["user"], json!("alice"));
    assert!(program.done("/boards/malaka/1", None)["seat"].is_number());
    let settings = browser.get("/settings").body;
    assert!(!settings.contains(key) && settings.contains("&lt;b&gt;bot"), "{settings}");
    // Invalid keys and keys of other users are refused, and a cookie does not replace a key.
    for key in ["", "alice:", &format!("bob:{key}"), &format!("alice:{}", "a".repeat(32)), "alice"]
    {
        let program = Program { town: &town, key: key.to_owned() };
        let reply = program.ask("/boards", None).says(401, "This needs a key");
        assert_eq!(reply.header("www-authenticate"), "Bearer");
        program.ask("/events", None).says(401, "This needs a key");
        let (board, events) = ("/boards/malaka/1", "/events?board=malaka%201");
        let refused = if program.key.is_empty() { 403 } else { 401 };
        program.ask(board, None).says(refused, "error");
        program.ask(events, None).says(refused, "error");
    }
    let with_cookie =
        Request::get("/api/v1/boards").header("cookie", format!("postboard={}", browser.cookie));
    assert_eq!(town.send(with_cookie.body(Body::empty()).unwrap()).status, 401);
    // A key does not sign in on the pages.
    let page = Request::get("/boards").header("authorization", format!("Bearer {}", program.key));
    assert_eq!(town.send(page.body(Body::empty()).unwrap()).status, 303);
    let form = browser.form("/settings", "/keys/revoke").with("sure", "yes");
    assert_eq!(browser.send(&form).status, 303);
    program.ask("/boards", None).says(401, "This needs a key");
    // A new password revokes all keys.
    let other = Program { town: &town, key: self::key(&town, "alice") };
    other.done("/boards", None);
    let form = browser.form("/settings", "/password").with("old", "secret").with("new", "secret2");
    assert_eq!(browser.send(&form).status, 303);
    other.ask("/boards", None).says(401, "This needs a key");
}

#[test]
fn a_form_for_a_key_that_is_sent_twice_makes_one_key() {
    let town = WebHome::new();
    let mut browser = Browser::of(&town, "alice");
    let form = browser.form("/settings", "/keys").with("name", "bot");
    let page = browser.send(&form).says(200, "It is shown only once").body;
    let key = page.split("alice:").nth(1).unwrap().split('<').next().unwrap();
    let documents = town.documents();
    let again = browser.send(&form).says(200, "The key was made already");
    assert!(!again.body.contains(key), "{}", again.body);
    assert_eq!(town.documents(), documents);
    Program { town: &town, key: format!("alice:{key}") }.done("/boards", None);
    // A new form makes another key.
    let other = browser.form("/settings", "/keys").with("name", "bot");
    browser.send(&other).says(200, "It is shown only once");
    browser.get("/settings").says(200, "Revoke bot+, made");
}

#[test]
fn a_key_for_which_a_password_was_shown_is_told_by_a_mail() {
    let town = WebHome::new();
    let nobody = Program { town: &town, key: String::new() };
    let robin = json!({ "userid": "robin", "password": "secret", "address": "r@example.net" });
    nobody.done("/signup", Some(&robin));
    assert_eq!(town.letters().len(), 1, "the link that confirms the address, and no warning");
    let mut browser = Browser::of(&town, "alice");
    let form = browser.form("/settings", "/keys").with("name", "mine");
    browser.send(&form).says(200, "It is shown only once");
    assert_eq!(town.letters(), [], "who has signed in knows of it");
    let asked = json!({ "userid": "alice", "password": "secret", "name": "bot" });
    for told in [1, 1, 1, 0, 0] {
        nobody.done("/keys", Some(&asked));
        let letters = town.letters();
        assert_eq!(letters.len(), told);
        for (to, text) in letters {
            assert_eq!(to, "alice@example.org");
            assert!(text.contains("has made a key, \"bot"), "{text}");
            assert!(
                text.contains("\n  change password alice <password> <new password>\n"),
                "{text}"
            );
        }
    }
}

#[test]
fn malformed_seed_words_are_refused() {
    let town = WebHome::with_board();
    let (player, first) = town.due(MALAKA);
    let program = Program { town: &town, key: key(&town, &player) };
    let play = json!({ "say": first, "seed": "" });
    program.ask("/boards/malaka/1", Some(&play)).says(403, "a seed word has 1 to 32 letters");
}

#[test]
fn a_request_with_the_same_word_is_carried_out_once() {
    let town = WebHome::with_board();
    let (player, first) = town.due(MALAKA);
    let program = Program { town: &town, key: key(&town, &player) };
    let play = json!({ "say": first, "once": "7" });
    assert_eq!(program.done("/boards/malaka/1", Some(&play))["before"], json!(false));
    let documents = town.documents();
    assert_eq!(program.done("/boards/malaka/1", Some(&play))["before"], json!(true));
    assert_eq!(town.documents(), documents);
    // Another request with the same `once` value is refused, whatever its content or path.
    for other in [
        json!({ "say": "resign", "once": "7" }),
        json!({ "say": first, "comment": "Hi", "once": "7" }),
        json!({ "say": first, "move": 1, "once": "7" }),
    ] {
        program.ask("/boards/malaka/1", Some(&other)).says(422, "An earlier request had the same");
    }
    let seek = json!({ "verb": "seek", "game": "malaka", "once": "7" });
    program.ask("/say", Some(&seek)).says(422, "An earlier request had the same");
    assert_eq!(town.documents(), documents);
    // Each user has their own `once` values.
    let (other, _) = town.due(MALAKA);
    let other = Program { town: &town, key: key(&town, &other) };
    assert_eq!(other.done("/say", Some(&seek))["before"], json!(false));
    assert_eq!(other.done("/say", Some(&seek))["before"], json!(true));
    let documents = town.documents();
    let late = json!({ "say": first, "move": 1 });
    program.ask("/boards/malaka/1", Some(&late)).says(422, "error");
    assert_eq!(town.documents(), documents);
}

#[test]
fn commands_that_are_not_understood_change_nothing() {
    let town = WebHome::with_board();
    let program = Program { town: &town, key: key(&town, "alice") };
    let documents = town.documents();
    for said in [json!({}), json!([]), json!({ "say": 3 }), json!({ "say": "a1-a2", "x": 1 })] {
        program.ask("/boards/malaka/1", Some(&said)).says(400, "error");
    }
    for said in [
        json!({ "verb": "delete" }),
        json!({ "verb": "newtoken", "game": "malaka", "words": ["1"] }),
        json!({ "verb": "challenge", "game": "ludo" }),
        json!({ "verb": "challenge", "game": "malaka", "words": ["bob", "carol"] }),
        json!({ "verb": "challenge", "game": "malaka", "words": ["alice"] }),
        json!({ "verb": "set", "words": ["html"] }),
    ] {
        let reply = program.ask("/say", Some(&said));
        assert!(
            reply.status.is_client_error() && reply.body.contains("error"),
            "{said}: {reply:?}"
        );
    }
    for body in ["", "{", "\u{fffd}", "null", &"[".repeat(50_000)] {
        let request = Request::post("/api/v1/say")
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {}", program.key));
        let reply = town.send(request.body(Body::from(body.to_owned())).unwrap());
        assert_eq!(reply.status, 400, "{}", reply.body);
    }
    assert_eq!(town.documents(), documents);
}

#[test]
fn each_failure_is_json_and_described() {
    let town = WebHome::with_board();
    let key = key(&town, "alice");
    let documents = town.documents();
    let request = |method: &str, path: &str, kind: &str, body: &str| {
        let request = Request::builder().method(method).uri(path).header("content-type", kind);
        let request = request.header("authorization", format!("Bearer {key}"));
        request.body(Body::from(body.to_owned())).unwrap()
    };
    let json = "application/json";
    let long = format!("\"{}\"", "a".repeat(70_000));
    for (status, method, path, kind, body) in [
        (404, "GET", "/api", json, ""),
        (404, "GET", "/api/", json, ""),
        (404, "POST", "/api/v1", json, "{}"),
        (404, "DELETE", "/api/v1/nothing", json, ""),
        (404, "GET", "/api/v2/games", json, ""),
        (404, "GET", "/api/v1/boards/malaka/1/2/3", json, ""),
        (404, "GET", "/api/v1/boards/malaka/0", json, ""),
        (404, "GET", "/api/v1/boards/malaka/01", json, ""),
        (404, "GET", "/api/v1/boards/malaka/99999999999999999999", json, ""),
        (404, "GET", "/api/v1/boards/ludo/1", json, ""),
        (400, "GET", "/api/v1/boards/%ff/1", json, ""),
        (400, "GET", "/api/v1/boards/malaka/%ff", json, ""),
        (405, "GET", "/api/v1/say", json, ""),
        (405, "DELETE", "/api/v1/boards", json, ""),
        (405, "PUT", "/api/v1/boards/malaka/1", json, "{}"),
        (405, "POST", "/api/v1/events", json, "{}"),
        (413, "POST", "/api/v1/say", json, &long),
        (413, "POST", "/api/v1/signup", json, &long),
        (413, "GET", "/api/v1/games", json, &long),
        (415, "POST", "/api/v1/say", "text/plain", "{}"),
        (415, "POST", "/api/v1/keys", "application/x-www-form-urlencoded", "userid=alice"),
        (400, "POST", "/api/v1/say", json, "{"),
        (404, "GET", "/api/v1/events?board=malaka", json, ""),
        (404, "GET", "/api/v1/events?board=malaka%20x", json, ""),
    ] {
        let reply = send(&town, request(method, path, kind, body));
        assert_eq!(reply.status, status, "{method} {path}: {reply:?}");
        assert_eq!(reply.headers.contains_key("allow"), status == 405, "{method} {path}");
    }
    let mut twice = request("GET", "/api/v1/games", json, "");
    twice.headers_mut().append("host", "a.example".parse().unwrap());
    twice.headers_mut().append("host", "b.example".parse().unwrap());
    assert_eq!(send(&town, twice).status, 400);
    assert_eq!(town.documents(), documents);
    // A compressed request, and a request above the limit of its network.
    let mut packed = request("GET", "/api/v1/nothing", json, "");
    packed.headers_mut().insert("accept-encoding", "gzip".parse().unwrap());
    assert_eq!(send(&town, packed).header("content-encoding"), "");
    let bounds = WebLimits { per_network: 0, ..WebLimits::default() };
    let crowded = WebHome::bounded(&bounds, false);
    let reply = send(&crowded, request("GET", "/api/v1/games", json, ""));
    assert_eq!((reply.status.as_u16(), reply.header("retry-after")), (429, "60"));
}

#[test]
fn fields_that_are_not_described_are_refused() {
    let town = WebHome::with_board();
    let (player, first) = town.due(MALAKA);
    let program = Program { town: &town, key: key(&town, &player) };
    let described: Value =
        serde_json::from_str(include_str!("../../src/web/api/openapi.json")).unwrap();
    let documents = town.documents();
    let robin = json!({ "userid": "robin", "password": "secret", "address": "r@example.net" });
    let bodies = [
        ("/signup", "/signup", robin),
        ("/keys", "/keys", json!({ "userid": "alice", "password": "secret" })),
        ("/boards/{game}/{board}", "/boards/malaka/1", json!({ "say": first, "move": 1.0 })),
        ("/say", "/say", json!({ "verb": "seek", "game": "malaka" })),
    ];
    let posts =
        described["paths"].as_object().unwrap().values().filter(|it| it["post"].is_object());
    assert_eq!(posts.count(), bodies.len(), "a body for each path");
    for (path, _, _) in &bodies {
        let schema = &described["paths"][path]["post"]["requestBody"]["content"];
        let schema = &schema["application/json"]["schema"];
        let name = schema["allOf"][0]["$ref"].as_str().or(schema["$ref"].as_str());
        let name = name.and_then(|name| name.rsplit('/').next()).unwrap_or_default();
        let named = &described["components"]["schemas"][name];
        let open = if named.is_null() { schema } else { named };
        assert_eq!(open["additionalProperties"], json!(false), "{path}");
    }
    for (_, path, body) in &bodies {
        let mut more = body.clone();
        more["wish"] = json!("good");
        program.ask(path, Some(&more)).says(400, "does not match openapi.json");
    }
    for odd in [
        json!({ "say": first, "offered": "peace" }),
        json!({ "say": first, "move": -1 }),
        json!({ "say": first, "move": 1.5 }),
        json!({ "say": first, "move": 4_294_967_296_u64 }),
        json!({ "say": first, "move": "1" }),
    ] {
        program.ask("/boards/malaka/1", Some(&odd)).says(400, "does not match openapi.json");
    }
    assert_eq!(town.documents(), documents);
    for (_, path, body) in &bodies {
        program.done(path, Some(body));
    }
}

#[test]
fn the_description_names_every_path_and_no_other() {
    let town = WebHome::with_board();
    town.play(MALAKA, 2);
    town.say("malaka resign 1 alice");
    town.say("malaka tournament create alice");
    let program = Program { town: &town, key: key(&town, "alice") };
    let described = program.done("/openapi.json", None);
    let paths = described["paths"].as_object().unwrap();
    for (path, methods) in paths {
        let path =
            path.replace("{game}", "malaka").replace("{board}", "1").replace("{number}", "1");
        let path = path.replace("{name}", "alice").replace("{other}", "bob");
        for method in methods.as_object().unwrap().keys().filter(|it| *it != "parameters") {
            let said = (method == "post").then(|| json!({ "nothing": 1 }));
            if path == "/events" {
                continue;
            }
            let status = program.ask(&path, said.as_ref()).status;
            assert_eq!(status, if said.is_some() { 400 } else { 200 }, "{method} {path}");
        }
    }
    let routes = include_str!("../../src/web/router.rs");
    let routes = routes.split("fn programs()").nth(1).unwrap().split("\n}\n").next().unwrap();
    let routes = routes.matches(".route(\"/api/v1/").count();
    assert_eq!(routes, paths.len() + 1, "and the description itself");
}

#[test]
fn a_feed_tells_of_my_boards_to_who_knows_its_address() {
    let town = WebHome::new();
    town.say("malaka challenge alice bob --private");
    town.play(MALAKA, 2);
    let mut alice = Browser::of(&town, "alice");
    let settings = alice.get("/settings").body;
    let feed = settings.split("href=\"").find(|rest| rest.starts_with("/feed/")).unwrap();
    let feed = feed.split('"').next().unwrap();
    let reply = town.get(feed).says(200, "Malaka board 1");
    assert!(reply.header("content-type").starts_with("application/atom+xml"));
    assert!(reply.body.matches("<entry>").count() == 1 && reply.body.ends_with("</feed>"));
    assert!(!reply.body.contains("<link rel=\"alternate\" href=\"\"><"), "{}", reply.body);
    let last = feed.len() - 1;
    let wrong = format!("{}{}", &feed[..last], if feed.ends_with('a') { 'b' } else { 'a' });
    for path in [&*wrong, &feed.replace("alice", "bob"), "/feed/alice/", "/feed/alice/x"] {
        assert_eq!(town.get(path).status, 404, "{path}");
    }
    let form = alice.form("/settings", "/signout").with("everywhere", "yes").with("sure", "yes");
    alice.send(&form);
    assert_eq!(town.get(feed).status, 404);
}

#[test]
fn a_challenge_is_declined_and_withdrawn_without_a_result() {
    let town = WebHome::new();
    let [alice, bob] = ["alice", "bob"].map(|user| Program { town: &town, key: key(&town, user) });
    let challenge = json!({ "verb": "challenge", "game": "malaka", "words": ["bob"] });
    alice.done("/say", Some(&challenge));
    let decline = json!({ "say": "decline" });
    let told = bob.done("/boards/malaka/1", Some(&decline));
    assert!(told["said"].as_str().unwrap().contains("you declined to play it"), "{told}");
    let board = alice.done("/boards/malaka/1", None);
    assert!(!board["over"].is_null() && board["over"]["winner"].is_null(), "{board}");
    bob.ask("/boards/malaka/1", Some(&decline)).says(422, "is over");
    alice.done("/say", Some(&challenge));
    let withdraw = json!({ "verb": "decline", "game": "malaka", "words": ["2"] });
    let told = alice.done("/say", Some(&withdraw));
    assert!(told["said"].as_str().unwrap().contains("you withdrew the challenge"), "{told}");
    let ratings = |user: &str| town.get(&format!("/player/{user}")).body.contains("Ratings");
    assert!(!ratings("alice") && !ratings("bob"));
    town.say("malaka challenge alice bob");
    let id = malaka(3);
    let (mover, first) = town.due(id);
    town.say(&format!("malaka move 3 {mover} {first}"));
    let mover = if mover == "alice" { &alice } else { &bob };
    mover.ask("/boards/malaka/3", Some(&decline)).says(422, "so you cannot decline it");
}
