//! Lighthouse scores of pages: <https://developer.chrome.com/docs/lighthouse>.

#![expect(clippy::print_stdout, reason = "the test prints the marks")]

use super::*;
use serde_json::{Value, json};

/// The folder with Lighthouse, which npm installs.
const MODULES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/../npm/node_modules");

/// The lowest allowed score, of 100.
const GOOD: u64 = 95;

const ALL: [&str; 4] = ["performance", "accessibility", "best-practices", "seo"];

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

/// How often a page is measured until its scores suffice.
const TRIES: usize = 2;

/// Returns the scores that are too low. The score for speed depends on the load of the machine, so a page
/// whose scores do not suffice is measured again.
fn faults(pages: &[Value]) -> Vec<String> {
    let mut left = pages.to_vec();
    let mut faults = Vec::new();
    for _ in 0..TRIES {
        if left.is_empty() {
            return Vec::new();
        }
        let told: Vec<Value> = marks(&left);
        for (page, told) in left.iter().zip(&told) {
            let scheme = if page["isDark"] == true { "dark" } else { "light" };
            println!("{}, {} wide, {scheme}: {}", page["url"], page["width"], told["marks"]);
        }
        let measured: Vec<(Value, Value)> =
            left.into_iter().zip(told).filter(|it| !is_good(it)).collect();
        faults = measured.iter().map(|(page, told)| format!("{page}: {told:#}")).collect();
        left = measured.into_iter().map(|(page, _)| page).collect();
    }
    faults
}

#[test]
#[ignore = "needs Chromium, Node and Lighthouse: .ci/run installs them and runs this by name"]
fn lighthouse_gives_pages_95_of_100() {
    let mut town = ServedHome::new();
    looks::with_boards(&mut town);
    let alice = town.alice(Window::DESK);
    let cookie = alice.cookies();
    let pages = |is_dark: bool, categories: &[&str]| -> Vec<Value> {
        let all = [390, 1200].map(|width| {
            [("/", ""), ("/backgammon/1", &*cookie), ("/boards", &cookie), ("/help", "")].map(
                |(path, cookie)| {
                    json!({ "url": format!("{}{path}", town.address), "cookie": cookie,
                        "width": width, "isDark": is_dark, "categories": categories })
                },
            )
        });
        all.concat()
    };
    // The dark scheme differs only in colours, so only the audits of colours run on it.
    let (light, dark) = (pages(false, &ALL), pages(true, &["accessibility", "best-practices"]));
    let faults = std::thread::scope(|scope| {
        let dark = scope.spawn(|| faults(&dark));
        [faults(&light), dark.join().unwrap()].concat()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
