//! Chromium, controlled by its `DevTools` protocol:
//! <https://chromedevtools.github.io/devtools-protocol/>. All tests of a process share a browser.
//! Each test has its own windows, which share no cookies. A test takes the empty windows that others
//! have left, since a new one starts two processes.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs a browser and waits for it"
)]
#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit for a change of a page.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The pause between two checks of a page.
const GLANCE: Duration = Duration::from_millis(10);

/// The browser, the first argument, reads commands from descriptor 3, answers on descriptor 4, and
/// exits with its parent process.
const START: &str = "home=$(mktemp -d) || exit
$0 --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --disable-renderer-backgrounding \
    --disable-background-timer-throttling --disable-features=SpareRendererForSitePerProcess \
    --window-size=1600,1000 --user-data-dir=\"$home\" \
    --remote-debugging-pipe about:blank 3<&0 4>&1 </dev/null >/dev/null 2>&1
rm -rf \"$home\"";

/// A key: its name, key code and text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key(&'static str, u32, &'static str);

pub(super) const TAB: Key = Key("Tab", 9, "");
pub(super) const ENTER: Key = Key("Enter", 13, "\r");
pub(super) const SPACE: Key = Key(" ", 32, " ");
pub(super) const END: Key = Key("End", 35, "");
pub(super) const HOME: Key = Key("Home", 36, "");
pub(super) const LEFT: Key = Key("ArrowLeft", 37, "");
pub(super) const RIGHT: Key = Key("ArrowRight", 39, "");
pub(super) const M: Key = Key("m", 77, "m");
pub(super) const U: Key = Key("u", 85, "u");
pub(super) const N: Key = Key("n", 78, "n");

/// The size of a window and the preferences of its user.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) width: u32,
    pub(super) is_dark: bool,
    pub(super) runs_scripts: bool,
    /// Whether it is the screen of a phone, which is touched and has no mouse.
    pub(super) is_touched: bool,
    pub(super) program: BrowserProgram,
}

/// The program that shows a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BrowserProgram {
    /// Chromium without the windows of a desktop, which takes two thirds of the processor time.
    HeadlessShell,
    /// All of Chromium, which also shows notices.
    Chromium,
}

impl Window {
    pub(super) const DESK: Self = Self {
        width: 1200,
        is_dark: false,
        runs_scripts: true,
        is_touched: false,
        program: BrowserProgram::HeadlessShell,
    };
    pub(super) const PLAIN: Self = Self { runs_scripts: false, ..Self::DESK };
    pub(super) const PHONE: Self = Self { width: 390, is_touched: true, ..Self::DESK };

    /// The height of a phone's window below the bars of its browser.
    const PHONE_HEIGHT: u32 = 664;
}

/// The channels of callers that wait for answers, and of listeners for the events of each window.
#[derive(Default)]
struct Heard {
    answers: HashMap<u64, Sender<Value>>,
    events: HashMap<String, Sender<Value>>,
}

/// The connection to a browser.
struct Chromium {
    pipe: Mutex<ChildStdin>,
    /// The empty windows.
    idle: Mutex<Vec<Target>>,
    /// The browser exits when its pipe is closed.
    _shell: Child,
}

static HEARD: LazyLock<Mutex<Heard>> = LazyLock::new(Mutex::default);

/// The commands sent to all browsers so far.
static ASKED: AtomicU64 = AtomicU64::new(0);

/// The running browsers. They are never dropped, and exit with this process.
static HEADLESS_SHELL: LazyLock<Chromium> =
    LazyLock::new(|| Chromium::start("chromium-headless-shell"));

static CHROMIUM: LazyLock<Chromium> = LazyLock::new(|| Chromium::start("chromium"));

fn heard() -> MutexGuard<'static, Heard> {
    HEARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Dispatches the browser's messages: JSON, each followed by a zero byte.
fn listen(said: ChildStdout) {
    let (mut said, mut text) = (BufReader::new(said), Vec::new());
    while said.read_until(0, &mut text).is_ok_and(|read| read > 0) {
        let value: Value = serde_json::from_slice(&text[..text.len() - 1]).unwrap();
        text.clear();
        let to = match value["id"].as_u64() {
            Some(id) => heard().answers.remove(&id),
            None => value["sessionId"].as_str().and_then(|id| heard().events.get(id).cloned()),
        };
        // The receiver may have been dropped.
        let _ = to.map(|to| to.send(value));
    }
}

impl Chromium {
    fn start(program: &str) -> Self {
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", START, program]);
        let mut shell = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let said = shell.stdout.take().unwrap();
        thread::spawn(move || listen(said));
        let pipe = Mutex::new(shell.stdin.take().unwrap());
        Self { pipe, idle: Mutex::default(), _shell: shell }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Target>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a command to a window, or to the browser if `session` is `None`; returns its result or
    /// error message.
    fn ask(&self, session: Option<&str>, method: &str, params: &Value) -> Result<Value, String> {
        let id = ASKED.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = channel();
        heard().answers.insert(id, sender);
        let mut asked = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            asked["sessionId"] = json!(session);
        }
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        write!(pipe, "{asked}\0").unwrap();
        drop(pipe);
        let mut answer: Value = answer.recv_timeout(2 * TIMEOUT).map_err(|error| {
            format!("no answer to {method}: {error}; are chromium and chromium-headless-shell installed?")
        })?;
        match answer.get("error") {
            Some(error) => Err(error["message"].as_str().unwrap().to_owned()),
            None => Ok(answer["result"].take()),
        }
    }

    /// Sends a command to the browser, and returns a part of its answer.
    fn asked(&self, method: &str, params: &Value, part: &str) -> String {
        let answer = self.ask(None, method, params).unwrap();
        answer[part].as_str().unwrap().to_owned()
    }
}

/// A window of a browser and the context with its cookies, by their names.
#[derive(Clone)]
struct Target {
    browser: &'static Chromium,
    context: String,
    window: String,
}

impl Target {
    /// Returns an empty window.
    fn idle(browser: &'static Chromium) -> Self {
        let idle = browser.idle().pop();
        idle.unwrap_or_else(|| {
            let context =
                browser.asked("Target.createBrowserContext", &json!({}), "browserContextId");
            let page =
                json!({ "url": "about:blank", "browserContextId": context, "newWindow": true });
            let window = browser.asked("Target.createTarget", &page, "targetId");
            Self { browser, context, window }
        })
    }

    /// Empties the window that a session controls, which ends.
    fn empty(&self, session: &str) -> Result<(), String> {
        let script = json!({ "expression": "sessionStorage.clear(); location.origin" });
        let origin = self.browser.ask(Some(session), "Runtime.evaluate", &script)?;
        let Some(origin) = origin["result"]["value"].as_str() else {
            return Err(format!("no page with an origin: {origin}"));
        };
        let blank = json!({ "url": "about:blank" });
        self.browser.ask(Some(session), "Page.navigate", &blank)?;
        // The answer comes from the empty page.
        let shown = json!({ "expression": "location.href" });
        let shown = self.browser.ask(Some(session), "Runtime.evaluate", &shown)?;
        if shown["result"]["value"] != blank["url"] {
            return Err(format!("the window is not empty: {shown}"));
        }
        self.browser.ask(Some(session), "Page.resetNavigationHistory", &json!({}))?;
        let kept = json!({ "origin": origin, "storageTypes": "all" });
        self.browser.ask(Some(session), "Storage.clearDataForOrigin", &kept)?;
        let context = json!({ "browserContextId": self.context });
        self.browser.ask(None, "Storage.clearCookies", &context)?;
        self.browser.ask(None, "Browser.resetPermissions", &context)?;
        // What a session emulates ends with it.
        self.browser.ask(None, "Target.detachFromTarget", &json!({ "sessionId": session }))?;
        Ok(())
    }
}

/// A window with its own cookies.
pub(super) struct Browser {
    target: Target,
    session: String,
    events: Receiver<Value>,
    /// The events so far.
    happened: RefCell<Vec<Value>>,
    pub(super) runs_scripts: bool,
    is_touched: bool,
}

/// An element of a page, as the JavaScript expression that finds it.
#[derive(Clone, Debug)]
pub(super) struct Element(String);

impl Element {
    /// Returns the element that a JavaScript expression finds.
    pub(super) fn of(expression: String) -> Self {
        Self(expression)
    }

    /// Returns the n-th element that a selector finds.
    pub(super) fn nth(selector: &str, n: usize) -> Self {
        Self(format!("document.querySelectorAll({selector:?})[{n}]"))
    }
}

impl Browser {
    pub(super) fn open(window: Window) -> Self {
        let target = Target::idle(match window.program {
            BrowserProgram::HeadlessShell => &HEADLESS_SHELL,
            BrowserProgram::Chromium => &CHROMIUM,
        });
        let attached = json!({ "targetId": target.window, "flatten": true });
        let session = target.browser.asked("Target.attachToTarget", &attached, "sessionId");
        let (sender, events) = channel();
        heard().events.insert(session.clone(), sender);
        let Window { runs_scripts, is_touched, .. } = window;
        let happened = RefCell::default();
        let browser = Self { target, session, events, happened, runs_scripts, is_touched };
        for what in ["Runtime.enable", "Log.enable"] {
            browser.chromium(what, &json!({}));
        }
        browser.chromium("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        let is_still = json!({ "value": !window.runs_scripts });
        browser.chromium("Emulation.setScriptExecutionDisabled", &is_still);
        browser.resize(window.width, window.is_dark);
        if is_touched {
            let touch = json!({ "enabled": true, "maxTouchPoints": 5 });
            browser.chromium("Emulation.setTouchEmulationEnabled", &touch);
        }
        browser
    }

    /// Sets the width of the window and its colour scheme.
    pub(super) fn resize(&self, width: u32, is_dark: bool) {
        let height = if self.is_touched { Window::PHONE_HEIGHT } else { 900 };
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700,
        });
        self.chromium("Emulation.setDeviceMetricsOverride", &size);
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.chromium("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// Sends a command to this window, checks that it succeeds, and returns its result.
    pub(super) fn chromium(&self, method: &str, params: &Value) -> Value {
        let answer = self.target.browser.ask(Some(&self.session), method, params);
        answer.unwrap_or_else(|error| panic!("{method} {params}: {error}"))
    }

    /// Grants a permission to the pages of an origin.
    pub(super) fn grant(&self, origin: &str, permission: &str) {
        let granted = json!({
            "origin": origin, "permissions": [permission], "browserContextId": self.target.context,
        });
        self.target.browser.ask(None, "Browser.grantPermissions", &granted).unwrap();
    }

    /// Waits for an event with a value.
    pub(super) fn event<T>(&self, method: &str, value: impl Fn(&Value) -> Option<T>) -> T {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let events = self.happened.borrow();
            let mut of_method = events.iter().filter(|event| event["method"] == method);
            if let Some(value) = of_method.find_map(&value) {
                return value;
            }
            drop(events);
            assert!(Instant::now() < deadline, "no event {method}");
            self.hears();
        }
    }

    pub(super) fn go(&self, url: &str) {
        let answer = self.chromium("Page.navigate", &json!({ "url": url }));
        assert_eq!(answer["errorText"], Value::Null, "{url}");
        self.until(url, "return document.readyState == 'complete'");
    }

    /// Goes back to the page before this one, by the browser: the answer to a script that leaves its
    /// own page can be lost.
    pub(super) fn back(&self) {
        let history = self.chromium("Page.getNavigationHistory", &json!({}));
        let before = usize::try_from(history["currentIndex"].as_u64().unwrap()).unwrap() - 1;
        let to = json!({ "entryId": history["entries"][before]["id"] });
        self.chromium("Page.navigateToHistoryEntry", &to);
    }

    /// Runs a script, also in windows whose pages may run no scripts, and returns its result or
    /// error.
    fn evaluated(&self, script: &str) -> Result<Value, String> {
        let asked = json!({
            "expression": format!("(() => {{ {script} }})()"),
            "returnByValue": true, "awaitPromise": true,
        });
        let mut answer =
            self.target.browser.ask(Some(&self.session), "Runtime.evaluate", &asked)?;
        match answer.get("exceptionDetails") {
            Some(error) => Err(error["exception"]["description"].to_string()),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    /// Runs a script, checks that it succeeds, and returns its result.
    pub(super) fn run(&self, script: &str) -> Value {
        self.evaluated(script).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until a script returns true, also across page loads.
    pub(super) fn until(&self, what: &str, script: &str) {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let is = self.evaluated(script);
            if is == Ok(Value::Bool(true)) {
                return;
            }
            assert!(Instant::now() < deadline, "{what} did not come, {is:?}: {}", self.page());
            self.hears();
        }
    }

    /// Collects the events of a short time.
    fn hears(&self) {
        let until = Instant::now() + GLANCE;
        let left = || until.saturating_duration_since(Instant::now());
        while let Ok(event) = self.events.recv_timeout(left()) {
            assert_no_complaint(&event);
            self.happened.borrow_mut().push(event);
        }
    }

    /// Reloads the page, holds its requests to URLs that match `pattern`, runs `meanwhile` once a
    /// request is held, and then lets all continue.
    pub(super) fn hold(&self, pattern: &str, meanwhile: impl FnOnce()) {
        let patterns = json!({ "patterns": [{ "urlPattern": pattern }] });
        self.chromium("Fetch.enable", &patterns);
        self.chromium("Page.reload", &json!({}));
        let deadline = Instant::now() + TIMEOUT;
        let is_held = |event: &Value| event["method"] == "Fetch.requestPaused";
        while !self.happened.borrow().iter().any(is_held) {
            assert!(Instant::now() < deadline, "nothing has asked for {pattern}");
            self.hears();
        }
        meanwhile();
        self.chromium("Fetch.disable", &json!({}));
    }

    /// Counts the elements of the current page that each selector matches.
    pub(super) fn counts<const N: usize>(&self, selectors: [&str; N]) -> [usize; N] {
        let script =
            format!("return {selectors:?}.map((it) => document.querySelectorAll(it).length)");
        let counts = self.run(&script);
        std::array::from_fn(|i| usize::try_from(counts[i].as_u64().unwrap()).unwrap())
    }

    /// Returns whether a selector matches an element of the current page.
    pub(super) fn has(&self, selector: &str) -> bool {
        self.counts([selector]) != [0]
    }

    /// Waits for the first element that a selector matches.
    pub(super) fn find(&self, selector: &str) -> Element {
        self.awaited(Element::nth(selector, 0))
    }

    /// Waits for the first element that an `XPath` matches.
    pub(super) fn sees(&self, path: &str) -> Element {
        let found = "document, null, XPathResult.FIRST_ORDERED_NODE_TYPE";
        self.awaited(Element(format!("document.evaluate({path:?}, {found}).singleNodeValue")))
    }

    fn awaited(&self, element: Element) -> Element {
        self.until(&element.0, &format!("return !!{}", element.0));
        element
    }

    /// Scrolls an element into view and returns its middle, which must be visible. A live update may
    /// just be replacing the element.
    pub(super) fn middle(&self, element: &Element) -> [f64; 2] {
        self.until(&element.0, &format!("return !!{}", element.0));
        let script = format!(
            "const it = {}; \
             it.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }}); \
             const {{ x, y, width, height }} = it.getClientRects()[0]; \
             const [at, to] = [x + width / 2, y + height / 2]; \
             const seen = document.elementFromPoint(at, to); \
             if (!it.contains(seen)) throw Error(`${{seen?.outerHTML}} hides ${{it.outerHTML}}`); \
             return [at, to]",
            element.0
        );
        let middle = self.run(&script);
        [0, 1].map(|i| middle[i].as_f64().unwrap())
    }

    fn mouse(&self, kind: &str, [x, y]: [f64; 2], is_down: bool) {
        let button = if is_down { "left" } else { "none" };
        let event = json!({ "type": kind, "x": x, "y": y, "button": button,
            "buttons": u8::from(is_down && kind != "mouseReleased"), "clickCount": 1 });
        self.chromium("Input.dispatchMouseEvent", &event);
    }

    fn touch(&self, kind: &str, at: Option<[f64; 2]>) {
        let points: Vec<Value> = at.iter().map(|[x, y]| json!({ "x": x, "y": y })).collect();
        let event = json!({ "type": kind, "touchPoints": points });
        self.chromium("Input.dispatchTouchEvent", &event);
    }

    /// Returns the middle of an element where it is now, without scrolling.
    fn place(&self, element: &Element) -> [f64; 2] {
        let script = format!(
            "const {{ x, y, width, height }} = {}.getClientRects()[0]; \
             return [x + width / 2, y + height / 2]",
            element.0
        );
        let middle = self.run(&script);
        [0, 1].map(|i| middle[i].as_f64().unwrap())
    }

    /// Drags with a finger from an element to another element, which may appear during the drag.
    pub(super) fn drag_by_finger(&self, from: &Element, to: &str) {
        let [x, y] = self.middle(from);
        self.touch("touchStart", Some([x, y]));
        self.touch("touchMove", Some([x + 12.0, y + 9.0]));
        let to = self.find(to);
        let [to_x, to_y] = self.place(&to);
        for part in [0.3, 0.6, 1.0] {
            self.touch("touchMove", Some([x + (to_x - x) * part, y + (to_y - y) * part]));
        }
        self.touch("touchEnd", None);
    }

    /// Moves a finger upwards from an element, which scrolls the page unless something is dragged.
    pub(super) fn swipe_up(&self, from: &Element, far: f64) {
        let [x, y] = self.place(from);
        self.touch("touchStart", Some([x, y]));
        for part in 1..=10 {
            self.touch("touchMove", Some([x, y - far * f64::from(part) / 10.0]));
        }
        self.touch("touchEnd", None);
    }

    /// Clicks or taps an element where it is, without scrolling.
    pub(super) fn click_in_place(&self, element: &Element) {
        let place = self.place(element);
        self.press_at(place);
    }

    /// Cuts the connection to the server, or restores it.
    pub(super) fn go_offline(&self, is_offline: bool) {
        self.chromium("Network.enable", &json!({}));
        let conditions = json!({ "offline": is_offline, "latency": 0, "downloadThroughput": -1,
            "uploadThroughput": -1 });
        self.chromium("Network.emulateNetworkConditions", &conditions);
    }

    /// Clicks the middle of an element, or taps it on a phone.
    pub(super) fn click(&self, element: &Element) {
        let middle = self.middle(element);
        self.press_at(middle);
    }

    /// Touches a point with a finger.
    pub(super) fn tap(&self, at: [f64; 2]) {
        self.touch("touchStart", Some(at));
        self.touch("touchEnd", None);
    }

    fn press_at(&self, at: [f64; 2]) {
        if self.is_touched {
            return self.tap(at);
        }
        self.mouse("mousePressed", at, true);
        self.mouse("mouseReleased", at, true);
    }

    /// Opens the folded sections around an element.
    pub(super) fn unfold(&self, element: &Element) {
        let folded = format!("{}.closest('details:not([open])')", element.0);
        if self.run(&format!("return !!{folded}")) == true {
            self.click(&Element(format!("{folded}.querySelector('summary')")));
        }
    }

    pub(super) fn write(&self, selector: &str, text: &str) {
        self.click(&self.find(selector));
        self.chromium("Input.insertText", &json!({ "text": text }));
    }

    /// Presses a key on the focused element.
    pub(super) fn press(&self, Key(key, code, text): Key) {
        let event = |kind: &str, text: &str| {
            json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code,
                "text": text })
        };
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        self.chromium("Input.dispatchKeyEvent", &event(down, text));
        self.chromium("Input.dispatchKeyEvent", &event("keyUp", ""));
    }

    /// Drags from the middle of an element to the middle of another element, which may appear
    /// during the drag.
    pub(super) fn drag(&self, from: &Element, to: &str) {
        let [x, y] = self.middle(from);
        self.mouse("mousePressed", [x, y], true);
        self.mouse("mouseMoved", [x + 12.0, y + 9.0], true);
        let to = self.middle(&self.find(to));
        self.mouse("mouseMoved", to, true);
        self.mouse("mouseReleased", to, true);
    }

    pub(super) fn attribute(&self, element: &Element, name: &str) -> Option<String> {
        let value = self.run(&format!("return {}.getAttribute({name:?})", element.0));
        value.as_str().map(str::to_owned)
    }

    pub(super) fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({selector:?})?.textContent ?? ''");
        self.run(&script).as_str().unwrap().to_owned()
    }

    /// Returns the URL and text of the page, for the message of a failing test.
    pub(super) fn page(&self) -> String {
        let script = "return location.href + '\\n' + document.getElementById('main')?.innerText";
        let page = self.evaluated(script).unwrap_or_default();
        page.as_str().unwrap_or_default().to_owned()
    }

    /// Returns the cookies of the page in the form of a request header.
    pub(super) fn cookies(&self) -> String {
        let found = self.chromium("Network.getCookies", &json!({}));
        let pair = |it: &Value| {
            format!("{}={}", it["name"].as_str().unwrap(), it["value"].as_str().unwrap())
        };
        found["cookies"].as_array().unwrap().iter().map(pair).collect::<Vec<_>>().join("; ")
    }
}

/// Checks that an event is no error or warning on the console. Network errors are ignored, because
/// the tests check statuses themselves.
fn assert_no_complaint(event: &Value) {
    let (method, entry) = (event["method"].as_str(), &event["params"]["entry"]);
    let is_log = method == Some("Log.entryAdded") && entry["source"] != "network";
    let is_wrong = is_log && matches!(entry["level"].as_str(), Some("error" | "warning"))
        || method == Some("Runtime.exceptionThrown");
    assert!(!is_wrong, "on the console: {event:#}");
}

impl Drop for Browser {
    fn drop(&mut self) {
        heard().events.remove(&self.session);
        if !thread::panicking() {
            self.events.try_iter().for_each(|event| assert_no_complaint(&event));
            if self.target.empty(&self.session).is_ok() {
                return self.target.browser.idle().push(self.target.clone());
            }
        }
        let context = json!({ "browserContextId": self.target.context });
        let _ = self.target.browser.ask(None, "Target.disposeBrowserContext", &context);
    }
}
