//! The graph of a rating over time: a line in the band of its deviation, with axes of dates and points.
//! Its colours are those of the page, so it works on a light and a dark one.

use crate::base::time::Time;
use maud::{Markup, html};

/// The size of the drawing, and the margins for the labels of the axes.
const SIZE: [i64; 2] = [480, 240];
const LEFT: i64 = 52;
const RIGHT: i64 = 14;
const ABOVE: i64 = 14;
const BELOW: i64 = 30;

/// The most lines of the grid, and the number of dates.
const MAX_LEVELS: i64 = 5;
const DATES: i64 = 3;

/// The most points that are also drawn as dots.
const MAX_DOTS: usize = 40;

/// A rating at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GraphPoint {
    pub(crate) at: Time,
    pub(crate) rating: i32,
    /// The deviation of the rating.
    pub(crate) deviation: i32,
}

impl GraphPoint {
    /// Returns the lower (`-1`) or the upper edge (`1`) of the band.
    fn edge(&self, side: i64) -> i64 {
        i64::from(self.rating) + side * i64::from(self.deviation)
    }
}

/// The ranges of the axes.
struct Axes {
    first: i64,
    last: i64,
    low: i64,
    high: i64,
    step: i64,
}

impl Axes {
    fn new(points: &[GraphPoint]) -> Option<Self> {
        let times = || points.iter().map(|point| point.at.unix());
        let (min, max) = (
            points.iter().map(|point| point.edge(-1)).min()?,
            points.iter().map(|point| point.edge(1)).max()?,
        );
        let step = step(max - min);
        let low = min.div_euclid(step) * step;
        let high = (max.div_euclid(step) + i64::from(max.rem_euclid(step) > 0)) * step;
        let high = high.max(low + step);
        Some(Self { first: times().min()?, last: times().max()?, low, high, step })
    }

    /// Returns the horizontal place of a time.
    fn x(&self, at: i64) -> i64 {
        let width = SIZE[0] - LEFT - RIGHT;
        LEFT + (at - self.first) * width / (self.last - self.first).max(1)
    }

    /// Returns the vertical place of a rating.
    fn y(&self, rating: i64) -> i64 {
        let height = SIZE[1] - ABOVE - BELOW;
        SIZE[1] - BELOW - (rating - self.low) * height / (self.high - self.low)
    }

    /// Returns the ratings that have a line of the grid.
    fn levels(&self) -> impl Iterator<Item = i64> {
        let (low, step) = (self.low, self.step);
        (0..=(self.high - low) / step).map(move |index| low + index * step)
    }

    /// Returns the times that have a date below the axis, each day once.
    fn dates(&self) -> Vec<Time> {
        let part = (self.last - self.first) / (DATES - 1);
        let times = (0..DATES).map(|index| Time::from_unix(self.first + index * part));
        let mut times: Vec<Time> = times.collect();
        times.dedup_by_key(|time| time.day());
        times
    }
}

/// Returns the round distance of the lines of a grid.
fn step(range: i64) -> i64 {
    let mut scale = 10;
    loop {
        for factor in [1, 2, 5] {
            if range <= scale * factor * (MAX_LEVELS - 1) {
                return scale * factor;
            }
        }
        scale *= 10;
    }
}

/// Draws the graph; nothing without points. `label` says what it shows.
pub(crate) fn rating_graph(label: &str, points: &[GraphPoint]) -> Markup {
    let Some(axes) = Axes::new(points) else { return html! {} };
    let place = |point: &GraphPoint| (axes.x(point.at.unix()), axes.y(point.rating.into()));
    let edge = |point: &GraphPoint, side| (axes.x(point.at.unix()), axes.y(point.edge(side)));
    let line = coordinates(points.iter().map(place));
    let upper = points.iter().map(|point| edge(point, 1));
    let lower = points.iter().rev().map(|point| edge(point, -1));
    let band = coordinates(upper.chain(lower));
    let view_box = format!("0 0 {} {}", SIZE[0], SIZE[1]);
    html! {
        svg.ratings viewBox=(view_box) role="img" aria-label=(label) {
            (grid(&axes))
            polygon points=(band) {}
            polyline points=(line) fill="none" stroke="currentColor" stroke-width="2" {}
            @if points.len() <= MAX_DOTS {
                @for (x, y) in points.iter().map(place) {
                    circle cx=(x) cy=(y) r="3.5" fill="currentColor" {}
                }
            }
        }
    }
}

/// Returns coordinates as an attribute of SVG.
fn coordinates(places: impl Iterator<Item = (i64, i64)>) -> String {
    places.map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
}

/// Draws the lines of the grid with their ratings, and the dates below.
fn grid(axes: &Axes) -> Markup {
    let dates = axes.dates();
    let anchor = |index: usize| match index {
        0 => "start",
        _ if index + 1 == dates.len() => "end",
        _ => "middle",
    };
    html! {
        @for level in axes.levels() {
            @let y = axes.y(level);
            line x1=(LEFT) y1=(y) x2=(SIZE[0] - RIGHT) y2=(y) {}
            text x=(LEFT - 8) y=(y + 5) text-anchor="end" { (level) }
        }
        @for (index, date) in dates.iter().enumerate() {
            text x=(axes.x(date.unix())) y=(SIZE[1] - 8) text-anchor=(anchor(index)) { (date.day()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(points: &[(i64, i32)]) -> String {
        let point = |(at, rating): &(i64, i32)| GraphPoint {
            at: Time::from_unix(*at),
            rating: *rating,
            deviation: 0,
        };
        rating_graph("<b>", &points.iter().map(point).collect::<Vec<_>>()).into_string()
    }

    #[test]
    fn the_axes_have_round_numbers_around_all_points() {
        let day = 86_400;
        let svg = drawn(&[(0, 1612), (10 * day, 1798), (20 * day, 1580)]);
        for text in [">1500<", ">1600<", ">1800<", ">1970-01-01<", ">1970-01-11<", ">1970-01-21<"] {
            assert!(svg.contains(text), "{text} in {svg}");
        }
        assert!(!svg.contains(">1400<") && !svg.contains(">1900<"), "{svg}");
        assert!(svg.contains("points=\"52,"), "{svg}");
    }

    #[test]
    fn every_number_of_points_is_drawn_within_the_picture() {
        assert_eq!(drawn(&[]), "");
        for points in [vec![(0, 1600)], vec![(0, 1600); 3], vec![(5, -20), (5, 4000), (6, 0)]] {
            let svg = drawn(&points);
            let lines = svg.split("points=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
            assert_eq!(lines.clone().count(), 2, "{svg}");
            for place in lines.flat_map(|line| line.split(' ')) {
                let (x, y) = place.split_once(',').unwrap();
                let (x, y): (i64, i64) = (x.parse().unwrap(), y.parse().unwrap());
                assert!((LEFT..=SIZE[0] - RIGHT).contains(&x), "{svg}");
                assert!((ABOVE..=SIZE[1] - BELOW).contains(&y), "{svg}");
            }
            assert!(svg.contains("aria-label=\"&lt;b&gt;\""), "{svg}");
        }
    }

    #[test]
    fn the_band_has_an_upper_and_a_lower_edge_for_each_point() {
        let point = |at, deviation| GraphPoint { at: Time::from_unix(at), rating: 1600, deviation };
        let svg = rating_graph("", &[point(0, 300), point(1000, 100)]).into_string();
        let band = svg.split("<polygon points=\"").nth(1).unwrap().split('"').next().unwrap();
        let ys: Vec<i64> = band
            .split(' ')
            .map(|place| place.split_once(',').unwrap().1.parse().unwrap())
            .collect();
        assert_eq!(ys.len(), 4);
        let (middle, first, second) = (i64::midpoint(ys[0], ys[3]), ys[3] - ys[0], ys[2] - ys[1]);
        assert!(
            (first - 3 * second).abs() <= 2 && (i64::midpoint(ys[1], ys[2]) - middle).abs() <= 1,
            "{ys:?}"
        );
        assert!(svg.contains(">1300<") || svg.contains(">1200<"), "{svg}");
    }

    #[test]
    fn the_distance_of_lines_is_round() {
        assert_eq!([0, 40, 41, 80, 200, 201, 3000].map(step), [10, 10, 20, 20, 50, 100, 1000]);
    }
}
