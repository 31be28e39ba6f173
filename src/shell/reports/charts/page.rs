//! A self-contained page: no scripts, nothing loaded, light or dark like the reader's system.

use super::chart::DARK;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::fmt::Write as _;

/// Nothing is loaded or run, even if something got past the escaping.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c1c1c;--soft:#5a5a5a;--page:#fcfcfa;--rule:#ddd}
body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;\
color:var(--ink);background:var(--page)}
h1{font-size:1.7rem;margin-bottom:.2rem}h2{font-size:1.25rem;margin-top:2.5rem}
figure{margin:1.5rem 0}figcaption,caption{font-weight:600;text-align:left;margin-bottom:.3rem}
figure div svg{width:100%;height:auto;display:block}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;margin:0;padding:0}
.legend li{overflow-wrap:anywhere}
.key{width:.8em;height:.8em;margin-right:.4em}
.told{color:var(--soft)}
.wide{overflow-x:auto}
caption{white-space:nowrap}
table{border-collapse:collapse;margin:1rem 0}
th,td{padding:.25rem .8rem;text-align:right;border-bottom:1px solid var(--rule)}
th:first-child,td:first-child{text-align:left}
";

pub(super) fn page(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(style())) }
            }
            body { (body) }
        }
    }
}

/// Returns the style sheet, with the colours of charts on a dark page.
fn style() -> String {
    let mut style = format!(
        "{STYLE}@media(prefers-color-scheme:dark){{\
         :root{{--ink:#e6e6e6;--soft:#a8a8a8;--page:#161618;--rule:#3a3a3a}}\n"
    );
    for (light, dark) in DARK {
        let _ = writeln!(
            style,
            "[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}"
        );
    }
    style + "}"
}
