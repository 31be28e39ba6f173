//! Chromium, driven as a person would: <https://www.w3.org/TR/webdriver2/>. What is asked of it is
//! little, and a request is a line of JSON.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a browser is run, and waited for"
)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value, json};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a browser may take to show something.
const PATIENCE: Duration = Duration::from_secs(30);

/// The key of an element in an answer.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Keys that write nothing: <https://www.w3.org/TR/webdriver2/#keyboard-actions>.
pub(super) const TAB: char = '\u{e004}';
pub(super) const ENTER: char = '\u{e007}';
pub(super) const END: char = '\u{e010}';
pub(super) const HOME: char = '\u{e011}';
pub(super) const LEFT: char = '\u{e012}';
pub(super) const RIGHT: char = '\u{e014}';

/// A window, and what its reader has set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) width: u32,
    pub(super) is_dark: bool,
    pub(super) runs_scripts: bool,
}

impl Window {
    pub(super) const DESK: Self = Self { width: 1200, is_dark: false, runs_scripts: true };
    pub(super) const PLAIN: Self = Self { runs_scripts: false, ..Self::DESK };
}

/// A browser with one window.
pub(super) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

/// Something on a page.
#[derive(Clone, Debug)]
pub(super) struct Element(String);

impl Browser {
    pub(super) fn open(window: Window) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed");
        let said = BufReader::new(driver.stdout.take().unwrap()).lines();
        let mut said = said.map(Result::unwrap);
        let started = said.find(|line| line.contains("started successfully on port")).unwrap();
        let port = started.rsplit(' ').next().unwrap().trim_end_matches('.').parse().unwrap();
        let mut browser = Self { driver, port, session: String::new() };
        let session = browser.ask("POST", "/session", &capabilities(window));
        browser.session = format!("/session/{}", session["sessionId"].as_str().unwrap());
        let patience = u64::try_from(PATIENCE.as_millis()).unwrap();
        browser.tell("/timeouts", &json!({ "implicit": patience, "script": patience }));
        browser.resize(window.width, window.is_dark);
        browser
    }

    /// Makes the window so wide, and its reader one who likes it so.
    pub(super) fn resize(&self, width: u32, is_dark: bool) {
        let size = json!({
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700,
        });
        self.chromium("Emulation.setDeviceMetricsOverride", &size);
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.chromium("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// Asks what only Chromium knows.
    pub(super) fn chromium(&self, command: &str, params: &Value) -> Value {
        self.tell("/goog/cdp/execute", &json!({ "cmd": command, "params": params }))
    }

    pub(super) fn go(&self, url: &str) {
        self.tell("/url", &json!({ "url": url }));
    }

    /// What a script comes to; it is run even where those of pages are not.
    pub(super) fn run(&self, script: &str) -> Value {
        self.tell("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// What a script gives to `done`.
    pub(super) fn run_later(&self, script: &str) -> Value {
        let script = format!("const done = arguments[arguments.length - 1]; {script}");
        self.tell("/execute/async", &json!({ "script": script, "args": [] }))
    }

    /// All that a selector finds now.
    pub(super) fn all(&self, selector: &str) -> Vec<Element> {
        self.tell("/timeouts", &json!({ "implicit": 0 }));
        let found = self.tell("/elements", &json!({ "using": "css selector", "value": selector }));
        let patience = u64::try_from(PATIENCE.as_millis()).unwrap();
        self.tell("/timeouts", &json!({ "implicit": patience }));
        let element = |found: &Value| Element(found[ELEMENT].as_str().unwrap().to_owned());
        found.as_array().unwrap().iter().map(element).collect()
    }

    /// The element that a selector finds, once there is one.
    pub(super) fn find(&self, selector: &str) -> Element {
        self.first("css selector", selector)
    }

    /// Waits until an element is there that an `XPath` names.
    pub(super) fn sees(&self, path: &str) -> Element {
        self.first("xpath", path)
    }

    fn first(&self, using: &str, what: &str) -> Element {
        let found = self.tell("/element", &json!({ "using": using, "value": what }));
        Element(found[ELEMENT].as_str().unwrap().to_owned())
    }

    pub(super) fn click(&self, element: &Element) {
        self.tell(&format!("/element/{}/click", element.0), &json!({}));
    }

    pub(super) fn write(&self, selector: &str, text: &str) {
        let field = self.find(selector);
        self.tell(&format!("/element/{}/value", field.0), &json!({ "text": text }));
    }

    /// Presses a key on whatever has the focus.
    pub(super) fn press(&self, key: char) {
        let key = |kind: &str| json!({ "type": kind, "value": key.to_string() });
        let keys =
            json!({ "type": "key", "id": "keys", "actions": [key("keyDown"), key("keyUp")] });
        self.tell("/actions", &json!({ "actions": [keys] }));
    }

    /// Drags from the middle of one element to that of another that is there by then.
    pub(super) fn drag(&self, from: &Element, to: &str) {
        let of = |element: &Element| json!({ (ELEMENT): element.0 });
        let moved = |origin: Value| json!({ "type": "pointerMove", "duration": 0, "origin": origin, "x": 0, "y": 0 });
        let mouse = |actions: Value| {
            let mouse = json!({ "type": "pointer", "id": "mouse", "actions": actions });
            self.tell("/actions", &json!({ "actions": [mouse] }));
        };
        let nudged =
            json!({ "type": "pointerMove", "duration": 0, "origin": "pointer", "x": 12, "y": 9 });
        mouse(json!([moved(of(from)), { "type": "pointerDown", "button": 0 }, nudged]));
        let to = self.find(to);
        mouse(json!([moved(of(&to)), { "type": "pointerUp", "button": 0 }]));
    }

    pub(super) fn attribute(&self, element: &Element, name: &str) -> Option<String> {
        let path = format!("{}/element/{}/attribute/{name}", self.session, element.0);
        self.ask("GET", &path, &Value::Null).as_str().map(str::to_owned)
    }

    pub(super) fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({selector:?})?.textContent ?? ''");
        self.run(&script).as_str().unwrap().to_owned()
    }

    /// Waits until a script comes to true, whatever page is shown by then.
    pub(super) fn until(&self, what: &str, script: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.run(script) != Value::Bool(true) {
            assert!(Instant::now() < deadline, "{what} did not come: {}", self.page());
        }
    }

    /// What is shown, for a test that fails.
    pub(super) fn page(&self) -> String {
        let script = "return location.href + '\\n' + document.getElementById('main').innerText";
        self.run(script).as_str().unwrap_or_default().to_owned()
    }

    /// A picture of all of the page, as PNG in base64.
    pub(super) fn picture(&self) -> String {
        let all = json!({ "captureBeyondViewport": false });
        let shot = self.chromium("Page.captureScreenshot", &all);
        shot["data"].as_str().unwrap().to_owned()
    }

    fn tell(&self, path: &str, body: &Value) -> Value {
        self.ask("POST", &format!("{}{path}", self.session), body)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.send(method, path, body).unwrap();
        assert!(answer.get("error").is_none(), "{method} {path} {body}: {answer}");
        answer
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> io::Result<Value> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.set_read_timeout(Some(2 * PATIENCE))?;
        stream.write_all(request.as_bytes())?;
        // It keeps the connection, whatever it is asked.
        let (mut answer, mut length) = (BufReader::new(stream), 0);
        let mut line = String::new();
        while answer.read_line(&mut line)? > 2 {
            let header = line.to_ascii_lowercase();
            if let Some(bytes) = header.strip_prefix("content-length:") {
                length = bytes.trim().parse().unwrap_or(0);
            }
            line.clear();
        }
        let mut json = vec![0; length];
        answer.read_exact(&mut json)?;
        let answer: Value = serde_json::from_slice(&json)?;
        Ok(answer["value"].clone())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // What the driver started ends with the session.
        let _ = self.send("DELETE", &self.session, &Value::Null);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn capabilities(window: Window) -> Value {
    let args = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1600,1000",
    ];
    let scripts = if window.runs_scripts { 1 } else { 2 };
    let prefs = json!({ "profile.managed_default_content_settings.javascript": scripts });
    let options = json!({ "binary": "/usr/bin/chromium", "args": args, "prefs": prefs });
    json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": options } } })
}
