//! Lighthouse scores of pages: <https://developer.chrome.com/docs/lighthouse>.

#![expect(clippy::print_stdout, reason = "the test prints the marks")]

use super::*;
use serde_json::{Value, json};

/// The folder with Lighthouse, which npm installs.
const MODULES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/../npm/node_modules");

/// The lowest allowed score, of 100.
const GOOD: u64 = 95;

/// What Lighthouse reads from a page, on whatever machine.
const READ: [&str; 3] = ["accessibility", "best-practices", "seo"];

/// Returns the scores of pages with one colour scheme, and the audits that cost points.
fn marks(pages: &[Value]) -> Vec<Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web/browser/lighthouse.js");
    let mut node = Command::new("node");
    let ran = node.args([script, MODULES, &json!(pages).to_string()]).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{out}{err}");
    let marks: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(marks.len(), pages.len(), "{out}{err}");
    marks
}

fn is_good((page, told): &(Value, Value)) -> bool {
    assert_eq!(page["url"], told["url"], "it leads elsewhere");
    let marks = told["marks"].as_object().unwrap();
    !marks.is_empty() && marks.values().all(|mark| mark.as_u64().is_some_and(|it| it >= GOOD))
}

/// Returns the scores that are too low.
fn faults(pages: &[Value]) -> Vec<String> {
    let measured = pages.iter().cloned().zip(marks(pages));
    let told = measured.inspect(|(page, told)| {
        println!("{}, {} wide: {}", page["url"], page["width"], told["marks"]);
    });
    told.filter(|it| !is_good(it)).map(|(page, told)| format!("{page}: {told:#}")).collect()
}

/// Returns the pages that are measured, on a phone and on a desk.
fn pages(town: &ServedHome, cookie: &str, categories: &[&str]) -> Vec<Value> {
    let all = [390, 1200].map(|width| {
        [("/", ""), ("/backgammon/1", cookie), ("/boards", cookie), ("/help", "")].map(
            |(path, cookie)| {
                json!({ "url": format!("{}{path}", town.address), "cookie": cookie,
                    "width": width, "categories": categories })
            },
        )
    });
    all.concat()
}

fn town_with_boards() -> (ServedHome, String) {
    let mut town = ServedHome::new();
    looks::with_boards(&mut town, looks::all_games());
    let cookies = town.alice(Window::DESK).cookies();
    (town, cookies)
}

#[test]
#[ignore = "needs Chromium, Node and Lighthouse: .ci/run installs them and runs this by name"]
fn lighthouse_gives_pages_95_of_100() {
    let (town, cookie) = town_with_boards();
    // The dark scheme differs only in colours, whose errors axe-core finds on all pages.
    let faults = faults(&pages(&town, &cookie, &READ));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The score for speed follows from times that Chromium takes on this machine, so that whatever runs beside
/// it counts.
#[test]
#[ignore = "measures times, on a machine that does nothing else; needs Chromium, Node and Lighthouse"]
fn lighthouse_gives_speed_95_of_100() {
    let (town, cookie) = town_with_boards();
    let faults = faults(&pages(&town, &cookie, &["performance"]));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
