//! The HTML part in Chromium, at the widths of a phone and a desktop, light and dark. `clients`
//! checks that the pages use only features known to all mail programs.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test runs a program")]
#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

use super::pages;
use data_encoding::BASE64;
use scraper::{Html as Page, Selector};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The widths of a phone and of a desktop window, and the height of each page.
const WIDTHS: [u32; 2] = [390, 1200];
const HEIGHT: u32 = 1700;

fn chromium(folder: &Path, args: &[&str]) -> String {
    let ran = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--hide-scrollbars", "--virtual-time-budget=10000"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args(args)
        .output()
        .expect("Chromium is installed");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

/// Returns the JSON that a script of a page wrote into its element `out`.
fn written(dom: &str) -> Value {
    let page = Page::parse_document(dom);
    let out = Selector::parse("#out").unwrap();
    let text: String = page.select(&out).next().expect("the script ran").text().collect();
    serde_json::from_str(&text).unwrap()
}

/// Returns a document with all pages side by side, each in its own frame, measured by a script.
fn sheet(pages: &[(&str, String)]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('"', "&quot;");
    let mut sheet = String::from("<!DOCTYPE html><body style=\"margin:0\">");
    for (row, (_, html)) in (0..).zip(pages) {
        for (width, left) in WIDTHS.into_iter().zip([0, WIDTHS[0]]) {
            let _ = write!(
                sheet,
                "<iframe width={width} height={HEIGHT} srcdoc=\"{}\" \
                 style=\"border:0;position:absolute;left:{left}px;top:{}px\"></iframe>",
                escaped(html),
                row * HEIGHT
            );
        }
    }
    sheet + "<pre id=out></pre><script>" + include_str!("measure.js") + "</script>"
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_browser_shows_every_page_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let url = |name: &str| format!("file://{}", file(name).display());
    let pages = pages();
    fs::write(file("sheet.html"), sheet(&pages)).unwrap();
    let measured = written(&chromium(folder.path(), &["--dump-dom", &url("sheet.html")]));

    let windows = measured.as_array().unwrap();
    assert_eq!(windows.len(), pages.len() * WIDTHS.len());
    let mut pieces = Vec::new();
    for (index, window) in windows.iter().enumerate() {
        let (name, width) = (pages[index / 2].0, f64::from(WIDTHS[index % 2]));
        let number = |value: &Value| value.as_f64().unwrap();
        assert!(number(&window["wide"]) <= width, "{name} is {} wide", window["wide"]);
        assert_eq!(window["clipped"], Value::Array(Vec::new()), "{name}");
        // Within a row, all points have the same height; within a column, the same width.
        let rows: Vec<Vec<[f64; 4]>> = serde_json::from_value(window["rows"].clone()).unwrap();
        let (height, across) = match name {
            "malaka" => (9, 9),
            "large" => (12, 12),
            "grid" => (5, 5),
            _ => (2, 12),
        };
        assert_eq!(rows.len(), height, "{name}");
        for row in &rows {
            assert_eq!(row.len(), across, "{name}");
            for (at, [left, top, _, high]) in row.iter().enumerate() {
                assert!((top - row[0][1]).abs() < 1.0 && (high - row[0][3]).abs() < 1.0);
                assert!((left - rows[0][at][0]).abs() < 1.0 && *high >= 20.0, "{name}");
                assert!(at == 0 || *left >= row[at - 1][0] + 20.0, "{name}: points overlap");
                assert!(*left >= 0.0 && left + row[at][2] <= width, "{name}: out of the window");
            }
        }
        pieces.extend(window["pieces"].as_array().unwrap().iter().cloned());
    }
    assert!(pieces.len() > 100, "{} pieces", pieces.len());

    let size = format!("--window-size={},{}", WIDTHS[0] + WIDTHS[1], HEIGHT * 6);
    for (mode, more) in [
        ("light", &[][..]),
        ("dark", &["--force-dark-mode", "--enable-features=WebContentsForceDark"][..]),
    ] {
        let shot = file(&format!("{mode}.png"));
        let (to, sheet) = (format!("--screenshot={}", shot.display()), url("sheet.html"));
        chromium(folder.path(), &[more, &[&size, &to, &sheet]].concat());
        let image = BASE64.encode(&fs::read(&shot).unwrap());
        let page = format!(
            "<!DOCTYPE html><pre id=out></pre><script>const pieces = {};\n\
             const image = \"data:image/png;base64,{image}\";\n{}</script>",
            Value::Array(pieces.clone()),
            include_str!("colours.js")
        );
        fs::write(file("colours.html"), page).unwrap();
        let seen = written(&chromium(folder.path(), &["--dump-dom", &url("colours.html")]));
        told_apart(mode, &pieces, &seen);
    }
}

/// Checks that pieces of both sides, dice and empty points have different backgrounds, and readable
/// letters.
fn told_apart(mode: &str, pieces: &[Value], seen: &Value) {
    let paper: [f64; 3] = serde_json::from_value(seen["paper"].clone()).unwrap();
    assert_eq!(paper.iter().sum::<f64>() < 300.0, mode == "dark", "{mode}: {paper:?}");
    let seen = seen["pieces"].as_array().unwrap();
    assert_eq!(seen.len(), pieces.len());
    let ground = |kind: &str| -> Vec<[f64; 3]> {
        let of = pieces.iter().zip(seen).filter(|(piece, _)| piece["kind"] == kind);
        of.map(|(_, seen)| serde_json::from_value(seen["ground"].clone()).unwrap()).collect()
    };
    for (piece, seen) in pieces.iter().zip(seen) {
        // Antialiasing lightens thin letters, so their measured contrast is below the contrast of
        // their colours.
        let contrast = seen["contrast"].as_f64().unwrap();
        assert!(piece["text"] == "" || contrast >= 4.0, "{mode}: {piece} {seen}");
    }
    let kinds = ["O", "X", "point"].map(ground);
    for (index, kind) in kinds.iter().enumerate() {
        assert!(kind.len() > 10, "{mode}: {} of kind {index}", kind.len());
        for other in &kinds[index + 1..] {
            for (a, b) in kind.iter().flat_map(|a| other.iter().map(move |b| (a, b))) {
                let apart: f64 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
                assert!(apart > 60.0, "{mode}: {a:?} and {b:?}");
            }
        }
    }
}
