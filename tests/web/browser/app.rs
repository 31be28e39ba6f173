//! The installed app: offline, notices, the number of waiting boards, motion and colours.

use super::*;
use driver::BrowserProgram;
use serde_json::{Value, json};

/// Starts a browser with alice's boards of a served home, and waits until its service worker controls it.
fn with_worker(town: &ServedHome, window: Window) -> Browser {
    let alice = town.alice(window);
    alice.run("return navigator.serviceWorker.ready.then(() => true)");
    alice.go(&format!("{}/boards", town.address));
    alice.until("the service worker", "return !!navigator.serviceWorker.controller");
    alice
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn without_a_connection_no_board_is_shown_and_the_page_says_so() {
    let mut town = ServedHome::new();
    town.done("backgammon challenge alice bob");
    let alice = with_worker(&town, Window::DESK);
    alice.go(&format!("{}/backgammon/1", town.address));
    alice.find("svg.board");
    town.stop();
    for path in ["/backgammon/1", "/boards"] {
        alice.go(&format!("{}{path}", town.address));
        alice.sees("//h1[.='You are offline']");
        assert!(!alice.has("svg.board") && alice.has("a.main[href='']"), "{}", alice.page());
        // The page has its style.
        assert_eq!(alice.run("return getComputedStyle(document.body).display"), "flex");
    }
    let kept = alice.run(
        "return (async () => { \
           const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name))); \
           const keys = await Promise.all(caches_.map((cache) => cache.keys())); \
           return keys.flat().map((it) => new URL(it.url).pathname).filter((it) => !it.startsWith('/assets/')) \
         })()",
    );
    assert_eq!(kept, json!(["/offline"]), "no page is kept");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn the_worker_shows_a_notice_and_takes_it_back() {
    let town = ServedHome::new();
    town.done("backgammon challenge alice bob");
    let alice = with_worker(&town, Window { program: BrowserProgram::Chromium, ..Window::DESK });
    alice.grant(&town.address, "notifications");
    alice.chromium("ServiceWorker.enable", &json!({}));
    let registration = alice.event("ServiceWorker.workerRegistrationUpdated", |event| {
        event["params"]["registrations"][0]["registrationId"].as_str().map(str::to_owned)
    });
    let push = |open: bool, title: &str| {
        let data = json!({
            "title": title, "tag": "backgammon/1", "url": "/backgammon/1", "open": open,
        });
        let message = json!({
            "origin": town.address, "registrationId": registration, "data": data.to_string(),
        });
        // Chromium forgets a notice if a page asks for notices while it is being shown.
        alice.run(
            "window.told = false; \
             navigator.serviceWorker.addEventListener('message', () => (told = true), { once: true })",
        );
        alice.chromium("ServiceWorker.deliverPushMessage", &message);
        alice.until("the worker", "return told");
    };
    let shows = |what: &str, wanted: &Value| {
        let script = format!(
            "return (async () => {{ \
               const found = await (await navigator.serviceWorker.ready).getNotifications(); \
               const words = found.map((it) => [it.title, it.tag, it.silent, it.data.url]); \
               return JSON.stringify(words) == JSON.stringify({wanted}) \
             }})()"
        );
        alice.until(what, &script);
    };
    let title = "Your turn in Backgammon 1 with bob";
    let notice = |title: &str| json!([[title, "backgammon/1", false, "/backgammon/1"]]);
    push(true, title);
    shows("the notice", &notice(title));
    push(true, "bob offers a draw in Backgammon 1");
    shows("the later notice in place of the first", &notice("bob offers a draw in Backgammon 1"));
    push(false, "You have played in Backgammon 1");
    shows("no notice", &json!([]));
    push(true, title);
    shows("the notice", &notice(title));
    // The page of the board closes it.
    alice.go(&format!("{}/backgammon/1", town.address));
    shows("no notice on the page of the board", &json!([]));
    // A player who looks at the board needs none.
    push(true, title);
    push(false, title);
    shows("no notice", &json!([]));
}

/// Runs the service worker with notices of its own, and lists what it does with four messages.
const TAKES_BACK: &str = "
const did = [], on = {};
let shown = [];
const registration = {
  showNotification: async (title, { tag, silent }) => {
    const close = () => (shown = shown.filter((it) => it.tag !== tag));
    close();
    shown.push({ tag, close });
    did.push(silent ? `${title} silently` : title);
  },
  getNotifications: async () => [...shown],
};
const clients = { matchAll: async () => [] };
const navigator = {
  setAppBadge: async () => did.push('badge'), clearAppBadge: async () => did.push('no badge'),
};
new Function('addEventListener', 'registration', 'clients', 'navigator', WORKER)(
  (kind, act) => (on[kind] = act), registration, clients, navigator);
const push = async (title, tag, open) => {
  let work;
  on.push({ data: { json: () => ({ title, tag, url: `/${tag}`, open }) }, waitUntil: (it) => (work = it) });
  await work;
  did.push(shown.map((it) => it.tag).join());
};
await push('one', 'malaka/1', true);
await push('two', 'malaka/2', true);
await push('played', 'malaka/1', false);
await push('over', 'malaka/2', false);
return did;
";

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn the_worker_closes_a_notice_that_is_taken_back_and_then_the_badge() {
    let town = ServedHome::new();
    let alice = Browser::open(Window::DESK);
    alice.go(&town.address);
    let worker = alice.run("return fetch('/sw.js').then((it) => it.text())");
    // The pages of the site forbid scripts in text.
    alice.go("about:blank");
    let script = TAKES_BACK.replace("WORKER", &worker.to_string());
    let did = alice.run(&format!("return (async () => {{ {script} }})()"));
    let wanted = json!([
        ["one", "badge", "malaka/1"],
        ["two", "badge", "malaka/1,malaka/2"],
        ["played silently", "malaka/2"],
        ["over silently", "no badge", ""],
    ]);
    let wanted: Vec<&Value> =
        wanted.as_array().unwrap().iter().flat_map(|it| it.as_array().unwrap()).collect();
    assert_eq!(did.as_array().unwrap().iter().collect::<Vec<_>>(), wanted);
}

/// A browser that has a push service: the network of a test has none.
const SUBSCRIBES: &str = "
const endpoint = 'https://push.example/alice';
const subscription = () => ({
  endpoint,
  toJSON: () => ({ endpoint, keys: { p256dh: localStorage.key_, auth: 'AAAAAAAAAAAAAAAAAAAAAA' } }),
  unsubscribe: async () => { localStorage.removeItem('subscribed'); return true; },
});
PushManager.prototype.subscribe = async function ({ applicationServerKey, userVisibleOnly }) {
  const bytes = new Uint8Array(applicationServerKey);
  if (!userVisibleOnly || bytes.length !== 65 || bytes[0] !== 4) throw Error('no key');
  localStorage.key_ ??= btoa(String.fromCharCode(...new Uint8Array(
    await crypto.subtle.exportKey('raw', (await crypto.subtle.generateKey(
      { name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])).publicKey))))
    .replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=/g, '');
  localStorage.subscribed = 'yes';
  return subscription();
};
PushManager.prototype.getSubscription = async () => localStorage.subscribed ? subscription() : null;
Object.defineProperty(Notification, 'permission', { get: () => localStorage.allowed ?? 'default' });
Notification.requestPermission = async () => (localStorage.allowed = localStorage.answer ?? 'granted');
";

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_device_is_added_after_the_first_move_and_in_the_settings() {
    let mut town = ServedHome::configured("[web]", "[web]\naddress = \"https://games.example\"");
    town.done("malaka challenge alice bob");
    while town.due(MALAKA).as_deref() != Some("alice") {
        town.make_move(MALAKA);
    }
    let alice = Browser::open(Window::DESK);
    alice.chromium("Page.enable", &json!({}));
    alice.chromium("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": SUBSCRIBES }));
    town.signs_in("alice", &alice);
    let added =
        "return [...document.querySelectorAll('form[action=\"/push/unsubscribe\"]')].length";

    alice.go(&format!("{}/malaka/1", town.address));
    assert!(!alice.has(".offer-notices"), "nothing is offered before a move");
    plays(&alice, &mut Chance::new(3));
    alice.click(&alice.find(".offer-notices button.main"));
    alice.until("the answer", "return !document.querySelector('.offer-notices button.main')");
    assert_eq!(alice.text(".offer-notices p"), "This device tells you when it is your turn.");
    alice.click(&alice.find(".offer-notices button"));
    assert!(!alice.has(".offer-notices"));

    alice.go(&format!("{}/settings", town.address));
    assert_eq!(alice.run(added), 1, "{}", alice.page());
    alice.click(&alice.find("form[action='/push/unsubscribe'] button"));
    alice.until("no device", &format!("{added} == 0 && !document.querySelector('[aria-busy]')"));
    alice.go(&format!("{}/settings", town.address));
    assert_eq!(alice.run(added), 0);
    alice.run("localStorage.answer = 'denied'; localStorage.allowed = 'default'");
    alice.click(&alice.find("form[data-push-key] button"));
    alice.until(
        "the reason",
        "return /does not allow/.test(document.querySelector('[data-push-status]').textContent)",
    );
    alice.run("localStorage.answer = 'granted'; localStorage.allowed = 'default'");
    let key = alice.run("const { key_ } = localStorage; localStorage.key_ = 'AAAA'; return key_");
    alice.click(&alice.find("form[data-push-key] button"));
    alice.until(
        "the reason of the server",
        "return /push service is not one/.test(document.querySelector('[data-push-status]').textContent)",
    );
    alice.run(&format!("localStorage.key_ = {key}"));
    alice.click(&alice.find("form[data-push-key] button"));
    alice.until("the device", &format!("{added} == 1"));
    // A question about signing out that is not answered leaves the device as it is.
    let sent = "return localStorage.getItem('postboard push')";
    let before = alice.run(sent);
    alice.click(&alice.find("button[name=everywhere]"));
    alice.click(&alice.find("[data-cancel]"));
    assert!(before.is_string() && alice.run(sent) == before);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn the_title_counts_waiting_boards_while_the_page_is_hidden() {
    let town = ServedHome::new();
    for _ in 0..3 {
        town.done("backgammon challenge bob alice");
    }
    let waiting = (1..=3)
        .filter(|number| {
            town.due(BoardId { game: "backgammon", number: *number }).as_deref() == Some("alice")
        })
        .count();
    let alice = town.alice(Window::DESK);
    let hide = |is_hidden: bool| {
        alice.run(&format!(
            "Object.defineProperty(document, 'hidden', {{ configurable: true, value: {is_hidden} }}); \
             document.dispatchEvent(new Event('visibilitychange'))"
        ));
        alice.run("return document.title").as_str().unwrap().to_owned()
    };
    let title = hide(false);
    let bare = title.trim_start_matches(&format!("({waiting}) "));
    assert!(!bare.starts_with('('), "{title}");
    let wanted = if waiting > 0 { format!("({waiting}) {bare}") } else { bare.to_owned() };
    assert_eq!((hide(true), hide(true)), (wanted.clone(), wanted.clone()));
    assert_eq!(hide(false), title);
    // The service worker tells of one more.
    hide(true);
    // In one go: the page that was just shown may be asking the server for its number again.
    let told = alice.run(
        "navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { open: true } })); \
         return document.title",
    );
    assert_eq!(told, format!("({}) {bare}", waiting + 1));
}

/// Collects the classes of all elements that begin to move when the page shows a new position.
const WATCH: &str = "
window.moving = [];
document.addEventListener('postboard:shown', () => setTimeout(() => {
  for (const { effect } of document.getAnimations()) {
    const { duration } = effect.getTiming();
    if (effect.target.closest('svg.board')) moving.push(`${effect.target.getAttribute('class')} ${duration}`);
  }
  moving.push('end');
}))";

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn men_slide_dice_tumble_and_nothing_moves_for_those_who_want_stillness() {
    let mut town = ServedHome::new();
    town.done("backgammon challenge alice bob");
    let id = BoardId { game: "backgammon", number: 1 };
    while town.board(id).next_move() < 6 {
        town.make_move(id);
    }
    let alice = town.alice(Window::DESK);
    alice.go(&format!("{}/backgammon/1", town.address));
    alice.run(WATCH);
    let step = |link: &str| {
        alice.run("moving = []");
        alice.click(&alice.find(&format!("nav.steps a[rel={link}]")));
        alice.until("the position", "return moving.includes('end')");
        serde_json::from_value::<Vec<String>>(alice.run("return moving")).unwrap()
    };
    let has = |moved: &[String], what: &str| moved.iter().any(|it| it == what);
    // A decision about the cube moves nothing.
    let mut steps = (0..4).map(|_| step("prev"));
    let moved = steps.find(|moved| has(moved, "o 200") || has(moved, "x 200")).unwrap();
    assert!(
        has(&moved, "die 400") && has(&moved, "pip 400") && has(&moved, "last 1200"),
        "{moved:?}"
    );
    let features = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
    alice.chromium("Emulation.setEmulatedMedia", &json!({ "features": features }));
    assert_eq!(step("prev"), ["end"]);
    // Sounds are off until they are turned on.
    assert_eq!(alice.text("button.sound"), "Sound off");
    alice.click(&alice.find("button.sound"));
    assert_eq!(alice.text("button.sound"), "Sound on");
    assert_eq!(
        alice.attribute(&alice.find("button.sound"), "aria-pressed").as_deref(),
        Some("true")
    );
    alice.go(&format!("{}/backgammon/1", town.address));
    assert_eq!(alice.text("button.sound"), "Sound on");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn boards_have_the_colours_that_their_player_chooses() {
    let town = ServedHome::new();
    town.done("backgammon challenge alice bob");
    let alice = town.alice(Window::DESK);
    let fill = |class: &str| {
        alice.go(&format!("{}/backgammon/1", town.address));
        let script =
            format!("return getComputedStyle(document.querySelector('svg.board .{class}')).fill");
        alice.run(&script).as_str().unwrap().to_owned()
    };
    assert_eq!((&*fill("felt"), &*fill("x")), ("rgb(230, 218, 198)", "rgb(44, 61, 90)"));
    for value in ["wood", "stone"] {
        alice.go(&format!("{}/settings", town.address));
        let radio = format!("fieldset.looks input[value={value}]");
        alice.click(&alice.find(&radio));
        alice.click(&alice.find(&format!("form:has({radio}) button")));
        alice.until("the answer", "return !document.querySelector('[aria-busy]') && !document.querySelector('fieldset.looks:focus-within')");
    }
    assert_eq!((&*fill("felt"), &*fill("x")), ("rgb(240, 220, 186)", "rgb(38, 38, 38)"));
    alice.resize(900, false);
    alice.go(&format!("{}/settings", town.address));
    let broken = "return [...document.querySelectorAll('.looks label')].filter(label => { \
                  const name = document.createRange(); \
                  name.selectNodeContents(label.lastChild); \
                  return name.getClientRects().length !== 1; }).length";
    assert_eq!(alice.run(broken), 0, "the name of a look is broken into lines");
    alice.resize(1200, true);
    assert_eq!((&*fill("felt"), &*fill("x")), ("rgb(51, 38, 26)", "rgb(122, 130, 140)"));
    alice.go(&format!("{}/boards", town.address));
    alice.until(
        "the picture",
        "const it = document.querySelector('.small img'); \
         return it.currentSrc.includes('dark-wood-stone.svg') && it.naturalWidth > 0",
    );
}

#[test]
#[ignore = "needs Chromium and axe-core: .ci/run installs them and runs this by name"]
fn every_look_is_accessible() {
    let mut town = ServedHome::new();
    looks::with_boards(&mut town, ["malaka", "backgammon", "reversi"]);
    let alice = town.alice(Window::DESK);
    let mut wrong = Vec::new();
    for path in ["/malaka/1", "/backgammon/1", "/reversi/1", "/settings", "/boards"] {
        alice.go(&format!("{}{path}", town.address));
        looks::choose_a_man(&alice);
        wrong.extend(looks::wrong(&alice, path));
        // A look is two attributes of the page, and changes only colours.
        for board in ["classic", "wood", "green"] {
            for men in ["ivory", "stone"] {
                alice.run(&format!(
                    "Object.assign(document.documentElement.dataset, \
                       {{ board: {board:?}, men: {men:?} }})"
                ));
                let what = format!("{path} {board} {men}");
                for is_dark in [false, true] {
                    wrong.extend(looks::wrong_colours(&alice, &what, 1200, is_dark));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_page_of_a_board_has_at_most_60_kilobytes_with_everything() {
    let mut town = ServedHome::new();
    looks::with_boards(&mut town, looks::all_games());
    let alice = town.alice(Window::DESK);
    alice.chromium("Network.enable", &json!({}));
    alice.chromium("Network.setBypassServiceWorker", &json!({ "bypass": true }));
    for name in looks::all_games() {
        alice.go(&format!("{}/{name}/1", town.address));
        alice.until("the page", "return document.readyState == 'complete'");
        let sizes = alice.run(
            "return ['navigation', 'resource'].flatMap((it) => performance.getEntriesByType(it)) \
               .map((it) => [new URL(it.name).pathname, it.encodedBodySize])",
        );
        let sizes: Vec<(String, u64)> = serde_json::from_value(sizes).unwrap();
        for file in ["/assets/style-", "/assets/script-", "/assets/app-", "/assets/motion-"] {
            let is_loaded = |(path, size): &(String, u64)| path.starts_with(file) && *size > 0;
            assert!(sizes.iter().any(is_loaded), "{file} in {sizes:?}");
        }
        let total: u64 = sizes.iter().map(|(_, size)| size).sum();
        assert!(total <= 60 * 1024, "{name}: {total} in {sizes:?}");
    }
}
