//! The page of `charts` in Chromium.

use super::driver::{Browser, Window};
use super::pictures::{folder, keep_whole};
use crate::operator::charts::after_a_season;
use serde_json::json;

/// The script that returns the unreadable words of a page (letters outside their picture and axis
/// labels that touch) and the width of the page.
const UNREAD: &str = "
const wrong = [];
for (const svg of document.querySelectorAll('figure div svg')) {
  const frame = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll('text')].map((it) => [it.textContent.trim(), it.getBoundingClientRect()]);
  for (const [text, box] of boxes) {
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      wrong.push('outside: ' + text);
  }
  for (let i = 0; i < boxes.length; i++) for (let j = 0; j < i; j++) {
    const [a, b] = [boxes[i][1], boxes[j][1]];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > Math.min(a.height, b.height) / 3) wrong.push(boxes[i][0] + ' on ' + boxes[j][0]);
  }
}
if (document.documentElement.scrollWidth > innerWidth) wrong.push('wide: ' + document.documentElement.scrollWidth);
return wrong";

/// The script that returns the contrast of letters, lines and bars, as WCAG defines it.
const CONTRAST: &str = "
const light = (colour) => {
  const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((it) => it / 255)
    .map((it) => it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const page = light(getComputedStyle(document.body).backgroundColor);
const of = (colour) => { const it = light(colour); return (Math.max(it, page) + 0.05) / (Math.min(it, page) + 0.05) };
const least = (selector, property) => Math.min(...[...document.querySelectorAll(selector)].map((it) => of(getComputedStyle(it)[property])));
return [least('svg text', 'fill'), least('figure div polyline', 'stroke'), least('p, td, th, li, figcaption', 'color')]";

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn the_charts_can_be_read_on_a_desk_and_on_a_phone_light_and_dark() {
    let home = after_a_season();
    assert_eq!(home.run(&["charts"], b"").code, Some(0));
    let url = format!("file://{}", home.path().join("charts/index.html").display());
    for (width, is_dark) in [(1200, false), (1200, true), (390, false), (390, true)] {
        let browser = Browser::open(Window { width, is_dark, ..Window::DESK });
        browser.go(&url);
        assert!(browser.counts(["figure div svg"]) >= [7]);
        assert_eq!(browser.run(UNREAD), json!([]), "{width} {is_dark}");
        let contrast: [f64; 3] = serde_json::from_value(browser.run(CONTRAST)).unwrap();
        let [letters, lines, words] = contrast;
        assert!(letters >= 4.5 && lines >= 2.0 && words >= 4.5, "{contrast:?} {is_dark}");
        if let Some(folder) = folder().filter(|_| width == 1200) {
            let scheme = if is_dark { "dark" } else { "light" };
            keep_whole(&browser, &folder, &format!("charts-{width}-{scheme}"), 0.5);
        }
    }
}
