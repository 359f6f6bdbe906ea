//! The picture itself, as SVG: axes, a line and a band a series, names at the ends of lines.

use std::fmt::Write as _;

use super::axis::{Axis, Kind};
use super::series::Series;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;
/// Pixels between two names at least.
const NAME_HEIGHT: f64 = 15.0;

/// Colours of series for light and dark backgrounds: Okabe and Ito's, which the colour-blind tell apart, the
/// light ones of them darkened and the dark ones lightened.
const COLOURS: [(&str, &str); 7] = [
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#ff8c42"),
    ("#00805e", "#2cc79b"),
    ("#a3497d", "#e39ac6"),
    ("#8a6d00", "#f0e442"),
    ("#555555", "#bbbbbb"),
    ("#b3001b", "#ff6b7d"),
];

/// What a picture shows.
pub struct Chart<'a> {
    pub title: &'a str,
    /// The name of the axis across.
    pub label: &'a str,
    pub across: Kind,
    pub up: Kind,
    pub series: &'a [Series],
}

/// The whole picture.
pub fn svg(chart: &Chart<'_>) -> String {
    let Chart { title, label, series, .. } = *chart;
    let points = || series.iter().flat_map(|series| &series.points);
    let across = Axis::new(chart.across, points().map(|point| point.size), LEFT, WIDTH - RIGHT);
    let up = Axis::new(chart.up, points().flat_map(|point| [point.low, point.high]), HEIGHT - BOTTOM, TOP);
    let mut svg = head(title, series.len());
    grid(&mut svg, &across, &up, label);
    // Bands first: lines stand before all of them.
    for (index, series) in series.iter().enumerate() {
        band(&mut svg, &across, &up, index, series);
    }
    for (index, series) in series.iter().enumerate() {
        line(&mut svg, &across, &up, index, series);
    }
    names(&mut svg, &across, &up, series);
    svg + "</svg>\n"
}

/// Style, background and title. Plain rules without variables, which programs other than browsers know too.
fn head(title: &str, series: usize) -> String {
    let theme = |ink: &str, dim: &str, grid: &str, paper: &str, colour: &dyn Fn(usize) -> &'static str| {
        let mut rules =
            format!("text{{fill:{dim}}}.title{{fill:{ink}}}.grid{{stroke:{grid}}}.paper{{fill:{paper}}}");
        for index in 0..series {
            let _ = write!(rules, ".f{index}{{fill:{0}}}.k{index}{{stroke:{0}}}", colour(index));
        }
        rules
    };
    let light = theme("#1f2328", "#59636e", "#d8dee4", "#ffffff", &|index| COLOURS[index % COLOURS.len()].0);
    let dark = theme("#e6edf3", "#9198a1", "#30363d", "#0d1117", &|index| COLOURS[index % COLOURS.len()].1);
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n\
         <style>\n\
         text{{font:12px system-ui,sans-serif}}.title{{font-size:15px;font-weight:600}}.name{{font-weight:600}}\n\
         .band{{opacity:.15}}.line{{fill:none;stroke-width:1.8;stroke-linejoin:round}}.leader,.whisker{{opacity:.5}}\n\
         {light}\n\
         @media(prefers-color-scheme:dark){{{dark}}}\n\
         </style>\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"26\">{title}</text>\n"
    )
}

fn grid(svg: &mut String, across: &Axis, up: &Axis, label: &str) {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    for tick in up.ticks() {
        let y = up.place(tick);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/><text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            y + 4.0,
            up.kind.text(tick)
        );
    }
    for tick in across.ticks() {
        let x = across.place(tick);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{x:.1} {TOP}V{bottom}\"/><text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>",
            bottom + 18.0,
            across.kind.text(tick)
        );
    }
    let middle = LEFT.midpoint(right);
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>",
        HEIGHT - 14.0,
        escape(label)
    );
}

/// The band of a series, where there is one.
fn band(svg: &mut String, across: &Axis, up: &Axis, index: usize, series: &Series) {
    if series.points.iter().all(|point| point.low >= point.high) {
        return;
    }
    if let [point] = &series.points[..] {
        let (x, low, high) = (across.place(point.size), up.place(point.low), up.place(point.high));
        let _ = writeln!(svg, "<path class=\"whisker k{index}\" d=\"M{x:.1} {low:.1}V{high:.1}\"/>");
        return;
    }
    let high = series.points.iter().map(|point| (point.size, point.high));
    let low = series.points.iter().rev().map(|point| (point.size, point.low));
    let corners: Vec<String> = high.chain(low).map(|(x, y)| place(across, up, x, y)).collect();
    let _ = writeln!(svg, "<path class=\"band f{index}\" d=\"M{}z\"/>", corners.join("L"));
}

fn line(svg: &mut String, across: &Axis, up: &Axis, index: usize, series: &Series) {
    let places: Vec<String> =
        series.points.iter().map(|point| place(across, up, point.size, point.middle)).collect();
    let _ = writeln!(svg, "<path class=\"line k{index}\" d=\"M{}\"/>", places.join("L"));
    for point in &series.points {
        let (x, y) = (across.place(point.size), up.place(point.middle));
        let _ = writeln!(svg, "<circle class=\"f{index}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\"/>");
        if let Some(label) = &point.label {
            let (x, y) = (x, y - 8.0);
            let _ = writeln!(
                svg,
                "<text class=\"f{index}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>",
                escape(label)
            );
        }
    }
}

/// The names stand right of the grid, each as near to the end of its line as the others allow.
fn names(svg: &mut String, across: &Axis, up: &Axis, series: &[Series]) {
    let mut ends: Vec<(f64, f64, usize)> = Vec::new();
    for (index, series) in series.iter().enumerate() {
        if let Some(last) = series.points.last() {
            ends.push((up.place(last.middle), across.place(last.size), index));
        }
    }
    ends.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut lowest = TOP;
    let names = ends.len() as f64;
    for (above, (y, x, index)) in ends.into_iter().enumerate() {
        let room_below = HEIGHT - BOTTOM - (names - above as f64 - 1.0) * NAME_HEIGHT;
        let name_y = y.max(lowest).min(room_below);
        lowest = name_y + NAME_HEIGHT;
        let right = WIDTH - RIGHT;
        let _ = writeln!(
            svg,
            "<path class=\"leader k{index}\" d=\"M{:.1} {y:.1}L{:.1} {name_y:.1}\"/>\
             <text class=\"name f{index}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 4.0,
            right + 8.0,
            right + 12.0,
            name_y + 4.0,
            escape(&series[index].name)
        );
    }
}

fn place(across: &Axis, up: &Axis, x: f64, y: f64) -> String {
    format!("{:.1} {:.1}", across.place(x), up.place(y))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
