//! Charts as SVG inside a page: lines over days, and bars. Their colours are for a light page; the
//! page's style sheet replaces them on a dark one.

use crate::base::time::{Day, Time};
use maud::{Markup, PreEscaped, html};
use plotters::coord::Shift;
use plotters::coord::ranged1d::SegmentValue;
use plotters::coord::ranged1d::SegmentedCoord;
use plotters::coord::types::{RangedCoordi32, RangedCoordu64};
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::*;
use std::io;
use std::ops::Range;

/// Width and height of a chart; a page may scale it.
const SIZE: (u32, u32) = (760, 300);
/// The margins for the labels of the axes.
const BELOW: u32 = 46;
const BESIDE: u32 = 64;
/// The font.
const LETTERS: (&str, u32) = ("sans-serif", 15);
/// The colour of text, axes and the expected value, and that of the grid.
const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);
const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
/// Colours that colour-blind people can distinguish (Okabe and Ito).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x8c, 0x6b, 0xb1),
    RGBColor(0x7f, 0x7f, 0x7f),
];
/// The most lines in a chart.
pub(super) const MOST_LINES: usize = COLOURS.len();
/// The most points of a line that are also drawn as dots.
const FEW: usize = 40;

/// Some colours of a light page, each with its replacement on a dark one.
pub(super) const DARK: [(&str, &str); 4] = [
    ("#333333", "#d8d8d8"),
    ("#DDDDDD", "#3a3a3a"),
    ("#0072B2", "#4aa8e0"),
    ("#8C6BB1", "#b79be0"),
];

/// A line over days.
pub(super) struct ChartLine {
    /// Its name in the legend.
    pub(super) name: String,
    /// Its points, the earliest first.
    pub(super) points: Vec<(Day, f64)>,
}

/// Bars of one colour, one for each label.
pub(super) struct ChartBars {
    /// Their name in the legend.
    pub(super) name: &'static str,
    /// Their lengths.
    pub(super) counts: Vec<u64>,
}

type DrawResult = Result<(), DrawingAreaErrorKind<io::Error>>;

/// Draws a chart and returns its SVG.
fn draw(paint: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> DrawResult) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        paint(&area).expect("a text takes all that is drawn");
    }
    svg
}

/// Builds a figure with title, legend, and a description in words.
fn figure(title: &str, names: &[&str], description: &str, svg: String) -> Markup {
    html! {
        figure {
            figcaption { (title) }
            @if names.len() > 1 {
                ul.legend {
                    @for (name, colour) in names.iter().zip(COLOURS.iter().cycle()) {
                        li { svg.key viewBox="0 0 10 10" aria-hidden="true" {
                            rect width="10" height="10" fill=(hex(*colour)) {}
                        } (name) }
                    }
                }
            }
            div role="img" aria-label=(description) { (PreEscaped(svg)) }
        }
    }
}

fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// Returns the number of a day since 1970, its coordinate.
fn number(day: Day) -> i32 {
    let days = (day.start() - Time::EPOCH).days();
    i32::try_from(days).unwrap_or(i32::MAX)
}

fn day_of(number: i32) -> Day {
    Time::EPOCH.day().plus(number.into())
}

/// Draws lines over days. `unit` labels the vertical axis.
pub(super) fn lines(title: &str, unit: &str, lines: &[ChartLine]) -> Markup {
    let all = || lines.iter().flat_map(|line| &line.points);
    let days = all().map(|(day, _)| number(*day));
    let (Some(first), Some(last)) = (days.clone().min(), days.max()) else { return html! {} };
    let values = all().map(|(_, value)| *value);
    let values = values.fold((f64::MAX, f64::MIN), |(low, high), it| (low.min(it), high.max(it)));
    let svg = draw(|area| {
        draw_lines(area, unit, first..last.max(first.saturating_add(1)), values, lines)
    });
    let names: Vec<&str> = lines.iter().map(|line| &*line.name).collect();
    let (from, to, high) = (day_of(first), day_of(last), values.1);
    let ends = lines.iter().filter_map(|line| Some((&line.name, line.points.last()?.1)));
    let ends: Vec<String> = ends.map(|(name, value)| format!("{name} {value:.0}")).collect();
    let description = format!(
        "{title}: {} from {from} to {to}, at most {high:.0}; at last {}",
        names.join(", "),
        ends.join(", ")
    );
    figure(title, &names, &description, svg)
}

/// Returns the range of the vertical axis: counts begin at 0, ratings near the lowest.
fn vertical_range(low: f64, high: f64) -> Range<f64> {
    if low < RATING {
        return 0.0..(high * 1.1).max(4.0);
    }
    let rounded = |value: f64| value / STEP;
    (rounded(low - 40.0).floor() * STEP)..(rounded(high + 40.0).ceil() * STEP)
}

/// Values above this are ratings, and their axis begins and ends at a multiple of `STEP`.
const RATING: f64 = 500.0;
const STEP: f64 = 50.0;

fn draw_lines(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    unit: &str,
    days: Range<i32>,
    values: (f64, f64),
    lines: &[ChartLine],
) -> DrawResult {
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .x_label_area_size(BELOW)
        .y_label_area_size(BESIDE)
        .build_cartesian_2d(days, vertical_range(values.0, values.1))?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(7)
        .y_labels(6)
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .label_style(LETTERS.into_font().color(&INK))
        .x_label_formatter(&|number| day_of(*number).to_string())
        .y_label_formatter(&|value| format!("{value:.0}"))
        .y_desc(unit)
        .draw()?;
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let points = || line.points.iter().map(|(day, value)| (number(*day), *value));
        chart.draw_series(LineSeries::new(points(), colour.stroke_width(2)))?;
        if line.points.len() <= FEW {
            chart.draw_series(points().map(|at| Circle::new(at, 3, colour.filled())))?;
        }
    }
    area.present()
}

/// Draws stacked bars for each label, with a line at the expected height, if it is known.
pub(super) fn bars(
    title: &str,
    below: &str,
    labels: &[String],
    bars: &[ChartBars],
    expected: Option<u64>,
) -> Markup {
    let sum = |at: usize| bars.iter().filter_map(|bars| bars.counts.get(at)).sum::<u64>();
    let sums: Vec<u64> = (0..labels.len()).map(sum).collect();
    if sums.iter().all(|sum| *sum == 0) {
        return html! {};
    }
    let svg = draw(|area| {
        let most = sums.iter().copied().chain(expected).max().unwrap_or(0);
        let count = i32::try_from(labels.len()).unwrap_or(i32::MAX);
        // Leaves room for the number above the highest bar.
        let high = most + most / 8 + 1;
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .x_label_area_size(BELOW)
            .y_label_area_size(BESIDE)
            .build_cartesian_2d((0..count - 1).into_segmented(), 0..high)?;
        draw_axes(&mut chart, below, labels)?;
        draw_stacks(&mut chart, bars, labels.len())?;
        write_sums(&mut chart, &sums, high)?;
        if let Some(expected) = expected {
            let ends = [(edge(0, count), expected), (edge(count, count), expected)];
            chart.draw_series([PathElement::new(ends, INK.stroke_width(1))])?;
        }
        area.present()
    });
    let names: Vec<&str> = bars.iter().map(|bars| bars.name).collect();
    let stacks = labels.iter().zip(&sums).enumerate();
    let stacks = stacks.map(|(at, (label, sum))| format!("{label}: {sum}{}", parts(bars, at)));
    let description = format!("{title}. {}", stacks.collect::<Vec<_>>().join(", "));
    figure(title, &names, &description, svg)
}

/// Lists the parts of a label's stack, if there are several.
fn parts(bars: &[ChartBars], at: usize) -> String {
    let part = |bars: &ChartBars| format!("{} {}", bars.name, bars.counts.get(at).unwrap_or(&0));
    match bars {
        [] | [_] => String::new(),
        bars => format!(" ({})", bars.iter().map(part).collect::<Vec<_>>().join(", ")),
    }
}

/// A bar chart being drawn.
type BarChart<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<SegmentedCoord<RangedCoordi32>, RangedCoordu64>>;

/// Returns the edge where a bar begins and the previous one ends.
fn edge(at: i32, count: i32) -> SegmentValue<i32> {
    if at == count { SegmentValue::Last } else { SegmentValue::Exact(at) }
}

/// Draws the axes, with a label below each bar.
fn draw_axes(chart: &mut BarChart, below: &str, labels: &[String]) -> DrawResult {
    let label = |at: &SegmentValue<i32>| match at {
        SegmentValue::CenterOf(at) => {
            usize::try_from(*at).ok().and_then(|at| labels.get(at)).cloned().unwrap_or_default()
        }
        SegmentValue::Exact(_) | SegmentValue::Last => String::new(),
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(labels.len())
        .y_labels(6)
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .label_style(LETTERS.into_font().color(&INK))
        .x_label_formatter(&label)
        .x_desc(below)
        .draw()
}

/// Draws the stacked bars.
fn draw_stacks(chart: &mut BarChart, bars: &[ChartBars], labels: usize) -> DrawResult {
    let last = i32::try_from(labels).unwrap_or(i32::MAX);
    let mut bottom = vec![0; labels];
    for (bars, colour) in bars.iter().zip(COLOURS.iter().cycle()) {
        for ((at, count), bottom) in (0..).zip(&bars.counts).zip(&mut bottom) {
            let ends = [(edge(at, last), *bottom), (edge(at + 1, last), *bottom + count)];
            let mut bar = Rectangle::new(ends, colour.filled());
            bar.set_margin(0, 0, GAP, GAP);
            chart.draw_series([bar])?;
            *bottom += count;
        }
    }
    Ok(())
}

/// Writes the sum above each stack.
fn write_sums(chart: &mut BarChart, sums: &[u64], high: u64) -> DrawResult {
    let style = LETTERS.into_font().color(&INK).pos(CENTRE);
    let those = (0..).zip(sums).filter(|(_, sum)| **sum > 0);
    chart.draw_series(those.map(|(at, sum)| {
        let place = (SegmentValue::CenterOf(at), *sum + high / 60);
        Text::new(sum.to_string(), place, style.clone())
    }))?;
    Ok(())
}

/// Half the gap between two bars.
const GAP: u32 = 8;
/// Centres a number over its bar.
const CENTRE: plotters::style::text_anchor::Pos = plotters::style::text_anchor::Pos {
    h_pos: plotters::style::text_anchor::HPos::Center,
    v_pos: plotters::style::text_anchor::VPos::Bottom,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_gets_out_of_its_place() {
        let evil = "</svg><script>alert(1)</script>\"'&";
        let day = Time::from_unix(1_785_000_000).day();
        let line =
            || ChartLine { name: evil.into(), points: vec![(day, 1600.0), (day.plus(3), 1650.0)] };
        let drawn = lines(evil, evil, &[line(), line()]).into_string();
        let counts = ChartBars { name: "boards", counts: vec![3] };
        let barred = bars(evil, evil, &[evil.into()], &[counts], None).into_string();
        for page in [drawn, barred] {
            assert!(page.contains("&lt;script&gt;") && !page.contains("<script"), "{page}");
            assert_eq!(page.matches("</svg>").count(), page.matches("<svg").count());
        }
    }
}
