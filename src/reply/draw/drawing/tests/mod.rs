//! Rules for every drawing, tested with positions of all games.

mod pictures;
mod samples;

use super::palette::{Paint, Property, Tone};
use super::*;
use crate::reply::draw::png::png;
use games::{MenKind, Piece, Rim};
use roxmltree::{Document, Node};
use samples::{Sample, samples};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The look of guests on light pages.
const LIGHT: Look = Look { theme: Theme::Light, board: BoardTheme::Classic, men: MenTheme::Ivory };

const INKS: [(Ink, &str); 4] = [
    (Ink::Page, "page"),
    (Ink::Mail(Theme::Light), "light"),
    (Ink::Mail(Theme::Dark), "dark"),
    (Ink::Small(LIGHT), "small"),
];

/// Returns all shapes of a class in a drawing for a page.
fn shapes<'d>(drawing: &'d Document, class: &str) -> Vec<Node<'d, 'd>> {
    let is_of = |node: &Node| node.attribute("class") == Some(class);
    drawing.descendants().filter(is_of).collect()
}

fn number(node: Node, name: &str) -> f32 {
    node.attribute(name).unwrap_or_else(|| panic!("{name} of {node:?}")).parse().unwrap()
}

/// Counts the drawn men of a side: discs, and men seen from their edge.
fn men(drawing: &Document, side: &str) -> usize {
    // The player's strip has one more.
    shapes(drawing, side).len() - 1
}

#[test]
fn each_man_is_drawn_once() {
    for sample in samples() {
        let text = sample.drawn(Ink::Page);
        let drawing = Document::parse(&text).unwrap();
        for (seat, side) in Seat::BOTH.into_iter().zip(["o", "x"]) {
            let on = |pile: &games::Pile| {
                let held = if pile.holder == Some(seat) { usize::from(pile.men) } else { 0 };
                held + usize::from(pile.pins && pile.holder == Some(seat.other()))
            };
            match &sample.diagram {
                Diagram::Points(board) => {
                    let waiting = if let Rim::Bar(men) = board.rim { men } else { [0; 2] };
                    let beside = usize::from(waiting[seat.index()] + board.off[seat.index()]);
                    let all = board.piles.iter().map(on).sum::<usize>() + beside;
                    assert_eq!(men(&drawing, side), all, "{} {side}", sample.name);
                }
                Diagram::Corridor(board) => {
                    let piles = board.piles.iter().filter(|pile| on(pile) > 0).count();
                    assert_eq!(men(&drawing, side), piles, "{} {side}", sample.name);
                    let figures = shapes(&drawing, &format!("{side}-ink"));
                    let more = figures.iter().filter_map(|node| node.text()?.parse::<usize>().ok());
                    let men = more.map(|men| men - 1).sum::<usize>() + piles;
                    assert_eq!(men, board.piles.iter().map(on).sum::<usize>(), "{}", sample.name);
                }
                Diagram::Board(board) => {
                    let class = match board.men {
                        MenKind::Lights => ["green", "red"][seat.index()],
                        MenKind::Discs | MenKind::Chessmen | MenKind::Draughtsmen => {
                            ["o", "x"][usize::from(seat == board.dark)]
                        }
                    };
                    let is_own = |piece: &Piece| matches!(piece, Piece::Man(of) | Piece::King(of) | Piece::Chessman(of, _) if *of == seat);
                    let lit = board.pieces.iter().flatten().filter(|piece| is_own(piece)).count();
                    assert_eq!(men(&drawing, class), lit, "{} {class}", sample.name);
                }
            }
        }
    }
}

/// A square board that is turned shows each mark where the other end of the board had it, and the
/// strips the other way round.
#[test]
fn a_turned_board_is_rotated_by_half_a_turn() {
    let mut boards = 0;
    for sample in samples() {
        if matches!(sample.diagram, Diagram::Points(_)) {
            continue;
        }
        boards += 1;
        let lower = Orientation::upright(&sample.diagram).bottom;
        let turned = Orientation { bottom: lower.other(), is_turned: true };
        let texts = [sample.drawn(Ink::Page), sample.oriented(Ink::Page, turned)];
        let [upright, rotated] = texts.each_ref().map(|text| Document::parse(text).unwrap());
        let hits = |drawing: &Document| {
            let links = drawing.descendants().filter(|node| node.has_attribute("data-spot"));
            let mut hits = BTreeMap::new();
            for link in links {
                let area = link.children().find(|node| node.has_tag_name("rect")).unwrap();
                let [x, y] = ["x", "y"].map(|name| number(area, name));
                let [width, height] = ["width", "height"].map(|name| number(area, name));
                let spot = link.attribute("data-spot").unwrap().to_owned();
                hits.insert(spot, [x + width / 2.0, y + height / 2.0]);
            }
            hits
        };
        let (before, after) = (hits(&upright), hits(&rotated));
        assert_eq!(before.len(), after.len(), "{}", sample.name);
        let left = square_frame::RIM * 2.0 + square_frame::BOARD;
        let view_box = upright.root_element().attribute("viewBox").unwrap();
        let whole: f32 = view_box.rsplit(' ').next().unwrap().parse().unwrap();
        let top = square_frame::TOP + whole - square_frame::RIM - player_strip::HEIGHT;
        for (spot, [x, y]) in before {
            let [to_x, to_y] = after[&spot];
            let is_opposite = (x + to_x - left).abs() < 0.5 && (y + to_y - top).abs() < 0.5;
            assert!(is_opposite, "{} {spot}: {x} {y}, {to_x} {to_y}", sample.name);
        }
        let below = |text: &str| Seat(u8::from(text.rfind("bob") > text.rfind("alice")));
        if texts[0].contains("alice") {
            assert_eq!(texts.each_ref().map(|text| below(text)), [lower, lower.other()]);
        }
    }
    assert!(boards > 10);
}

#[test]
fn letters_and_lights_never_found_are_drawn_once() {
    let mut found = String::new();
    for sample in samples() {
        let Sample { name, diagram: Diagram::Board(board), .. } = &sample else { continue };
        let text = sample.drawn(Ink::Page);
        let drawing = Document::parse(&text).unwrap();
        let all = board.marks().concat();
        let sign =
            |spot| if let Some(Piece::Sign(sign)) = board.at(spot) { Some(sign) } else { None };
        let letters: String = board.rows().concat().into_iter().filter_map(sign).collect();
        let drawn = shapes(&drawing, "lamp-ink").iter().filter_map(Node::text).collect::<String>();
        assert_eq!(drawn, letters, "{name}");
        let is_lost = |seat| move |piece: &&Piece| **piece == Piece::Unfound(seat);
        for (seat, class) in Seat::BOTH.into_iter().zip(["green-lost", "red-lost"]) {
            let lost = board.pieces.iter().flatten().filter(is_lost(seat)).count();
            assert_eq!(shapes(&drawing, class).len(), lost, "{name}");
        }
        found += &all;
    }
    assert!("GRgro1234.".chars().all(|mark| found.contains(mark)), "{found}");
}

/// Neighbouring hexagons share a side, and none overlap: their centres are at least a tile apart.
#[test]
fn hexagons_are_whole_and_have_six_neighbours() {
    let sample = samples().into_iter().find(|sample| sample.name == "hex-press").unwrap();
    for is_turned in [false, true] {
        let orientation = Orientation { bottom: Seat(u8::from(is_turned)), is_turned };
        let text = sample.oriented(Ink::Page, orientation);
        let drawing = Document::parse(&text).unwrap();
        let ground = shapes(&drawing, "cell")[0].attribute("d").unwrap();
        let hexagons: Vec<&str> = ground.split_terminator('Z').collect();
        assert_eq!(hexagons.len(), 25);
        assert!(hexagons.iter().all(|corners| corners.matches(['M', 'L']).count() == 6));
        let middles: Vec<[f32; 2]> = shapes(&drawing, "press")
            .into_iter()
            .map(|area| {
                let [x, y, width, height] =
                    ["x", "y", "width", "height"].map(|name| number(area, name));
                [x + width / 2.0, y + height / 2.0]
            })
            .collect();
        let wide = number(shapes(&drawing, "press")[0], "width");
        let mut pairs = 0;
        for (index, one) in middles.iter().enumerate() {
            for other in &middles[..index] {
                let far = (one[0] - other[0]).hypot(one[1] - other[1]) / wide;
                assert!(far > 0.99, "{one:?} {other:?}");
                pairs += usize::from(far < 1.01);
            }
        }
        // Along ranks, along files, and along the short diagonals.
        assert_eq!(pairs, 20 + 20 + 16);
        for goal in ["o-goal", "x-goal"] {
            assert_eq!(shapes(&drawing, goal).len(), 2);
        }
    }
}

#[test]
fn each_mark_has_its_link() {
    for sample in samples() {
        let text = sample.drawn(Ink::Page);
        let drawing = Document::parse(&text).unwrap();
        let of_node = |node: Node| {
            let of = |name| node.attribute(name).unwrap_or_default().to_owned();
            (of("data-spot"), of("href"), of("aria-label"))
        };
        let is_link = |node: &Node| node.has_attribute("data-spot");
        let drawn: Vec<_> = drawing.descendants().filter(is_link).map(of_node).collect();
        let Marks { can, targets, .. } = &sample.marks;
        let links = can
            .iter()
            .chain(targets)
            .map(|(spot, link)| (spot.to_string(), link.href.clone().unwrap(), link.label.clone()));
        assert_eq!(drawn, links.collect::<Vec<_>>(), "{}", sample.name);
        let role = if drawn.is_empty() { "img" } else { "group" };
        assert_eq!(drawing.root_element().attribute("role"), Some(role));
        for (ink, _) in &INKS[1..] {
            let text = sample.drawn(*ink);
            assert!(!text.contains("<a") && !text.contains("data-"), "{}", sample.name);
        }
    }
}

#[test]
fn links_are_large_enough() {
    for sample in samples() {
        let text = sample.drawn(Ink::Page);
        let drawing = Document::parse(&text).unwrap();
        let is_large = match &sample.diagram {
            Diagram::Corridor(board) => board.size > 9,
            Diagram::Board(board) => board.files > 9,
            Diagram::Points(_) => false,
        };
        for class in ["hit", "press"] {
            for node in shapes(&drawing, class) {
                let (width, height) = (number(node, "width"), number(node, "height"));
                // A sheet is 600 wide, and a phone shows it 360 wide.
                let area = width * height * 0.36;
                assert!(is_large || area >= 33.0 * 33.0, "{}: {width} x {height}", sample.name);
            }
        }
    }
}

/// The only elements and attributes of drawings.
const ELEMENTS: [&str; 8] = ["svg", "g", "a", "rect", "circle", "path", "text", "tspan"];
const ATTRIBUTES: [&str; 29] = [
    "aria-label",
    "class",
    "cx",
    "cy",
    "d",
    "data-spot",
    "dx",
    "fill",
    "fill-opacity",
    "font-family",
    "font-size",
    "font-weight",
    "height",
    "href",
    "opacity",
    "r",
    "role",
    "rx",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
    "viewBox",
    "width",
    "x",
    "y",
];

#[test]
fn a_drawing_is_shapes_and_words_and_nothing_else() {
    for sample in samples() {
        for (ink, of) in INKS {
            let text = sample.drawn(ink);
            let drawing = Document::parse(&text).unwrap();
            for node in drawing.descendants().filter(Node::is_element) {
                let name = node.tag_name().name();
                assert!(ELEMENTS.contains(&name), "{} {of}: {name}", sample.name);
                for attribute in node.attributes() {
                    let (name, value) = (attribute.name(), attribute.value());
                    assert!(ATTRIBUTES.contains(&name), "{} {of}: {name}", sample.name);
                    assert!(!value.contains("url("), "{} {of}: {value}", sample.name);
                    assert!(!value.contains("NaN") && !value.contains("inf"), "{}", sample.name);
                }
            }
        }
    }
}

#[test]
fn hostile_names_are_escaped() {
    let hostile = "<script>alert('1')</script>\"&amp;]]>";
    for mut sample in samples() {
        sample.names = [hostile, "\u{202E}evil\0"];
        sample.beside = ["'\"><a href=x>", hostile];
        sample.marks.can.push((
            Spot::Square(1, 1),
            Link { href: Some("/?a=1&b=\"><script>".into()), label: hostile.into() },
        ));
        for (ink, of) in INKS {
            let text = sample.drawn(ink);
            let drawing = Document::parse(&text).unwrap();
            let elements = drawing.descendants().filter(Node::is_element);
            for node in elements {
                assert!(ELEMENTS.contains(&node.tag_name().name()), "{} {of}", sample.name);
            }
            let words: String = drawing.descendants().filter_map(|node| node.text()).collect();
            if ink == Ink::Small(LIGHT) {
                assert!(!words.contains("script") && !words.contains("evil"), "{words}");
                continue;
            }
            assert!(words.contains("<script>al") && words.contains("evil"), "{words}");
            assert!(!words.contains('\u{202E}') && !words.contains('\0'), "{words}");
            if ink == Ink::Page {
                let labels = drawing.descendants().filter_map(|node| node.attribute("aria-label"));
                assert_eq!(labels.filter(|label| *label == hostile).count(), 1);
            }
        }
    }
}

/// Parses the rules of a style sheet: selectors with their properties.
fn rules(sheet: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let flat = sheet.replace("@media screen and (prefers-color-scheme:dark){", "");
    let flat = flat.replace("@media screen{", "").replace("}}", "}");
    let rule = |rule: &str| {
        let (selector, properties) = rule.split_once('{')?;
        let properties = properties.split(';').filter_map(|property| {
            let (name, value) = property.split_once(':')?;
            Some((name.trim().to_owned(), value.trim().to_owned()))
        });
        Some((selector.trim().to_owned(), properties.collect()))
    };
    flat.split('}').filter_map(rule).collect()
}

/// Returns the elements of a drawing with their attributes and text: classes resolved by the style sheet
/// with a set of variables.
fn resolved(text: &str, variables: &str) -> String {
    let rules = rules(style());
    let of = |selector: &str| rules.iter().find(|(name, _)| name == selector);
    let (_, variables) = of(variables).unwrap();
    let drawing = Document::parse(text).unwrap();
    let mut all = String::new();
    for node in drawing.root_element().descendants().skip(1).filter(Node::is_element) {
        let mut attributes: BTreeMap<String, String> = node
            .attributes()
            .map(|attribute| (attribute.name().to_owned(), attribute.value().to_owned()))
            .collect();
        if let Some(class) = attributes.remove("class") {
            let (_, properties) = of(&format!(".board .{class}")).expect(&class);
            for (name, value) in properties {
                let variable = value.strip_prefix("var(").and_then(|value| value.strip_suffix(')'));
                let value = variable.map_or(value, |variable| &variables[variable]);
                // An attribute of its own is stronger in neither: no shape has one that its class sets.
                assert_eq!(attributes.insert(name.clone(), value.clone()), None, "{class}");
            }
        }
        let (element, words) = (node.tag_name().name(), node.text().unwrap_or_default());
        let _ = writeln!(all, "{element} {attributes:?} {words}");
    }
    all
}

#[test]
fn style_sheet_and_attributes_give_the_same_look() {
    let themes = [
        (Theme::Light, ":root"),
        (Theme::Dark, ":root:not([data-theme=light])"),
        (Theme::Dark, ":root[data-theme=dark]"),
    ];
    for mut sample in samples() {
        // Only a page has links.
        sample.marks.can.clear();
        sample.marks.targets.clear();
        for (theme, variables) in themes {
            let looks =
                [Ink::Page, Ink::Mail(theme)].map(|ink| resolved(&sample.drawn(ink), variables));
            assert_eq!(looks[0], looks[1], "{} {theme:?}", sample.name);
        }
    }
}

/// Returns the relative luminance of a colour (WCAG 2.2).
fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

fn contrast(one: Tone, other: Tone, look: Look) -> f64 {
    let [one, other] = [one, other].map(|tone| luminance(tone.colour(look)));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn text_and_marks_have_enough_contrast_in_every_look() {
    let words = [
        (Tone::Ink, Tone::Page),
        (Tone::Soft, Tone::Page),
        (Tone::Legal, Tone::Page),
        (Tone::Number, Tone::Frame),
        (Tone::Ink, Tone::Odd),
        (Tone::OInk, Tone::O),
        (Tone::XInk, Tone::X),
        (Tone::Pip, Tone::Die),
        (Tone::LampInk, Tone::Lamp),
        (Tone::Soft, Tone::Felt),
    ];
    let marks = [
        (Tone::O, Tone::X),
        (Tone::Legal, Tone::Cell),
        (Tone::Legal, Tone::Shade),
        (Tone::Legal, Tone::Felt),
        (Tone::Mark, Tone::Cell),
        (Tone::Mark, Tone::Felt),
        (Tone::Wall, Tone::Cell),
        (Tone::Wall, Tone::Shade),
        (Tone::XGoal, Tone::Frame),
        (Tone::OGoal, Tone::Frame),
        (Tone::Green, Tone::Cell),
        (Tone::Green, Tone::GreenRim),
        (Tone::Red, Tone::Cell),
        (Tone::Red, Tone::RedRim),
    ];
    for look in Look::all() {
        for (pairs, least) in [(words.as_slice(), 4.5), (&marks, 3.0)] {
            for (one, other) in pairs {
                let contrast = contrast(*one, *other, look);
                assert!(contrast >= least, "{one:?} on {other:?}, {look:?}: {contrast:.2}");
            }
        }
    }
    assert_eq!(Look::all().collect::<std::collections::HashSet<_>>().len(), 12);
}

#[test]
fn men_stand_out_from_every_part_of_the_board_in_every_look() {
    for look in Look::all() {
        for man in [[Tone::O, Tone::ORim], [Tone::X, Tone::XRim]] {
            for part in [Tone::Felt, Tone::Even, Tone::Odd, Tone::Cell, Tone::Shade] {
                // Its face or its rim does.
                let contrast = man.map(|tone| contrast(tone, part, look));
                assert!(
                    contrast.iter().any(|it| *it >= 3.0),
                    "{man:?} {part:?} {look:?} {contrast:.2?}"
                );
            }
        }
    }
}

#[test]
fn a_page_sets_every_tone_that_its_look_changes() {
    let sheet = style();
    for look in Look::all() {
        let plain = Look::from(look.theme);
        for tone in Tone::ALL.iter().filter(|tone| tone.colour(look) != tone.colour(plain)) {
            let attributes = [
                (format!("[data-board={}]", look.board.name()), Look { men: plain.men, ..look }),
                (format!("[data-men={}]", look.men.name()), Look { board: plain.board, ..look }),
            ];
            // One of the two attributes changes it, in a rule that is stronger than the default.
            let is_set = attributes.iter().any(|(attribute, of)| {
                let selector = match look.theme {
                    Theme::Light => format!("\n:root{attribute}{{"),
                    Theme::Dark => format!(":root{attribute}:not([data-theme=light]){{"),
                };
                let Some((_, rule)) = sheet.split_once(&selector) else { return false };
                let value = format!("--board-{}:{}", tone.name(), tone.colour(*of));
                rule.split('}').next().unwrap().split(';').any(|part| part == value)
            });
            assert!(is_set, "{tone:?} {look:?}");
        }
    }
}

#[test]
fn names_of_tones_and_paints_are_used_once() {
    let tones: Vec<&str> = Tone::ALL.iter().map(|tone| tone.name()).collect();
    let paints: Vec<&str> = Paint::ALL.iter().map(|paint| paint.class()).collect();
    for mut names in [tones, paints] {
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
    // A paint sets a property once.
    for paint in Paint::ALL {
        let mut names: Vec<&str> = paint.properties().iter().map(|it| it.name()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{paint:?}");
    }
}

#[test]
fn drawings_are_small() {
    let sizes: Vec<usize> = samples().iter().map(|sample| sample.drawn(Ink::Page).len()).collect();
    let average = sizes.iter().sum::<usize>() / sizes.len();
    assert!(average <= 9_000, "{average} bytes on average");
    assert!(sizes.iter().all(|size| *size <= 24_000), "{sizes:?}");
}

#[test]
fn a_spot_is_named_as_players_name_it() {
    for (spot, name) in [
        (Spot::Point(24), "24"),
        (Spot::Bar, "bar"),
        (Spot::Off, "off"),
        (Spot::Square(3, 12), "c12"),
        (Spot::Square(0, 0), "a0"),
    ] {
        assert_eq!(spot.to_string(), name);
    }
    let square: games::Square = "e7".parse().unwrap();
    assert_eq!(Spot::Square(5, 7).to_string(), square.to_string());
}

#[test]
fn dice_that_are_used_are_faded() {
    for (name, all, faded) in [
        // The cube counts as a die, too.
        ("backgammon-play", 3, 1),
        ("backgammon-enter", 3, 0),
        ("malaka-play", 2, 1),
        ("moultezim-ul", 4, 3),
    ] {
        let sample = samples().into_iter().find(|sample| sample.name == name).unwrap();
        let text = sample.drawn(Ink::Page);
        let drawing = Document::parse(&text).unwrap();
        assert_eq!(shapes(&drawing, "used").len(), faded, "{name}");
        assert_eq!(shapes(&drawing, "die").len(), all, "{name}");
    }
}

#[test]
fn arrows_of_two_moves_differ_in_their_lines() {
    for (name, counts) in [("backgammon-play", [2, 1]), ("malaka-play", [1, 1])] {
        let sample = samples().into_iter().find(|sample| sample.name == name).unwrap();
        let text = sample.drawn(Ink::Page);
        let drawing = Document::parse(&text).unwrap();
        let drawn = ["played", "best"].map(|class| shapes(&drawing, class).len());
        let heads = ["played-head", "best-head"].map(|class| shapes(&drawing, class).len());
        assert_eq!((drawn, heads), (counts, counts), "{name}");
        let ways: Vec<_> = ["played", "best"]
            .into_iter()
            .flat_map(|class| shapes(&drawing, class))
            .map(|node| node.attribute("d").unwrap().to_owned())
            .collect();
        assert!((1..ways.len()).all(|index| !ways[..index].contains(&ways[index])), "{ways:?}");
    }
    let is_dashed =
        |paint: Paint| paint.properties().iter().any(|it| matches!(it, Property::Dashes(_)));
    assert!(is_dashed(Paint::Best) && !is_dashed(Paint::Played));
}

#[test]
fn unknown_spots_do_no_harm() {
    let spots = [
        Spot::Point(0),
        Spot::Point(25),
        Spot::Bar,
        Spot::Off,
        Spot::Square(0, 0),
        Spot::Square(255, 255),
    ];
    for mut sample in samples() {
        sample.marks = Marks {
            last: vec![spots.to_vec(), Vec::new(), vec![Spot::Bar]],
            can: spots.iter().map(|spot| (*spot, Link::default())).collect(),
            chosen: Some(Spot::Square(99, 0)),
            targets: spots.iter().map(|spot| (*spot, Link::default())).collect(),
            arrows: vec![
                MoveArrow { kind: ArrowKind::Played, path: spots.to_vec() },
                MoveArrow { kind: ArrowKind::Best, path: vec![Spot::Off] },
                MoveArrow { kind: ArrowKind::Best, path: Vec::new() },
            ],
        };
        for (ink, _) in INKS {
            assert!(Document::parse(&sample.drawn(ink)).is_ok(), "{}", sample.name);
        }
        assert!(
            png(&sample.drawing(Ink::Mail(Theme::Light)), &mut PaintCache::default()).is_some(),
            "{}",
            sample.name
        );
    }
}

#[test]
fn a_small_board_is_the_same_board_without_its_players() {
    for sample in samples() {
        let [whole, small] = [Ink::Mail(Theme::Light), Ink::Small(LIGHT)]
            .map(|ink| resolved(&sample.drawn(ink), ":root"));
        assert!(small.len() < whole.len(), "{}", sample.name);
        assert!(!sample.drawn(Ink::Small(LIGHT)).contains(sample.names[0]));
        // After the players of a mail's drawing, the board is the same.
        assert!(whole.ends_with(&small), "{}", sample.name);
    }
}

#[test]
#[ignore = "writes pictures into the folder that GALLERY names"]
#[expect(clippy::disallowed_methods, reason = "the pictures are written as files")]
fn gallery() {
    let folder = std::path::PathBuf::from(std::env::var("GALLERY").unwrap());
    for sample in samples() {
        for (ink, of) in INKS {
            let path = folder.join(format!("{}-{of}.svg", sample.name));
            let drawn = sample.drawn(ink);
            std::fs::write(&path, &drawn).unwrap();
            if let Ink::Mail(_) = ink {
                let begun = std::time::Instant::now();
                let painted = png(&sample.drawing(ink), &mut PaintCache::default()).unwrap();
                println!("{} {:?} {}", sample.name, begun.elapsed(), painted.len());
                std::fs::write(path.with_extension("png"), painted).unwrap();
            }
        }
    }
    std::fs::write(folder.join("style.css"), style()).unwrap();
}
