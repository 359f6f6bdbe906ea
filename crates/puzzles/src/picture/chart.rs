//! A chart of two curves over one axis. Dashes and the words beside them tell them apart.

use super::svg::{Frame, Point, polyline, rounded, svg};
use maud::{Markup, html};

/// Units of the whole.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 250.0;
/// Units around the curves: left, right, above, below.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 68.0;
const ABOVE: f64 = 30.0;
const BELOW: f64 = 42.0;
/// Marks of an axis at most.
const MARKS_MAX: usize = 6;
/// Marks of powers of two at most.
const POWERS_MAX: usize = 12;
/// The largest power of two that an axis has.
const POWER_MAX: u8 = 127;
/// From here on a number is written with its power of ten.
const PLAIN_MAX: f64 = 1e6;

/// Two curves over one axis.
#[derive(Debug, Clone)]
pub struct Chart<'a> {
    /// What it is, in a few words.
    pub title: String,
    /// What one sees in it, in words.
    pub description: String,
    /// What the axis below is.
    pub below: String,
    /// A line without dashes, with its axis on the left: round numbers from 0.
    pub left: Curve<'a>,
    /// A dashed line, with its axis on the right: powers of two, whose exponents the points have.
    pub right: Curve<'a>,
}

/// A curve.
#[derive(Debug, Clone)]
pub struct Curve<'a> {
    /// What it shows.
    pub label: String,
    /// Its points; those of both curves have the same places on the axis below.
    pub points: &'a [(f64, f64)],
}

/// An axis: what it goes to, and its marks.
struct Axis {
    most: f64,
    marks: Vec<(f64, String)>,
}

/// Draws a chart.
#[must_use]
pub fn chart(chart: &Chart<'_>) -> Markup {
    let most = |points: &[(f64, f64)]| points.iter().map(|point| point.1).fold(0.0, f64::max);
    let moves = chart.left.points.iter().map(|point| point.0).fold(1.0, f64::max);
    let below = Axis { most: moves, ..Axis::linear(moves) };
    let left = Axis::linear(most(chart.left.points));
    let right = Axis::powers(most(chart.right.points));
    let (bottom, end) = (HEIGHT - BELOW, WIDTH - RIGHT);
    let x = |at: f64| LEFT + at / below.most * (end - LEFT);
    let y = |axis: &Axis, value: f64| bottom - value / axis.most * (bottom - ABOVE);
    let line = |curve: &Curve<'_>, axis: &Axis| -> Vec<Point> {
        curve.points.iter().map(|&(at, value)| Point { x: x(at), y: y(axis, value) }).collect()
    };
    let content = html! {
        g class="chart" {
            @for (value, mark) in &left.marks {
                @let at = rounded(y(&left, *value));
                path class="rule" d=(format!("M{LEFT} {at}H{end}")) {}
                text class="end" x=(LEFT - 6.0) y=(at) { (mark) }
            }
            @for (value, mark) in &right.marks {
                @let at = rounded(y(&right, *value));
                path class="tick" d=(format!("M{end} {at}h5")) {}
                text class="start" x=(end + 8.0) y=(at) { (mark) }
            }
            @for (value, mark) in below.marks.iter().filter(|mark| mark.0 <= below.most) {
                @let at = rounded(x(*value));
                path class="tick" d=(format!("M{at} {bottom}v5")) {}
                text x=(at) y=(bottom + 14.0) { (mark) }
            }
            path class="tick" d=(format!("M{LEFT} {ABOVE}V{bottom}H{end}V{ABOVE}")) {}
            text x=(LEFT.midpoint(end)) y=(HEIGHT - 9.0) { (chart.below) }
            (polyline(&line(&chart.left, &left), "curve"))
            (polyline(&line(&chart.right, &right), "curve dashed"))
            // What each line is, at its axis, with a piece of it.
            path class="curve" d="M4 10h24" {}
            text class="start" x="33" y="10" { (chart.left.label) }
            path class="curve dashed" d=(format!("M{} 10h24", WIDTH - 28.0)) {}
            text class="end" x=(WIDTH - 33.0) y="10" { (chart.right.label) }
        }
    };
    let frame = Frame {
        width: WIDTH,
        height: HEIGHT,
        title: chart.title.clone(),
        description: chart.description.clone(),
    };
    svg(&frame, &content)
}

impl Axis {
    /// Creates an axis with a mark for every power of two, or for some of them.
    fn powers(most: f64) -> Self {
        let powers = (1..=POWER_MAX).take_while(|&power| f64::from(power) <= most.max(1.0)).count();
        let step = powers.div_ceil(POWERS_MAX);
        let marks = (1..=powers).filter(|mark| (powers - mark).is_multiple_of(step));
        let marks = marks.map(|mark| (mark as f64, written(2_f64.powi(mark as i32))));
        Self { most: powers as f64, marks: marks.collect() }
    }

    /// Creates an axis with marks at 1, 2 or 5 times a power of ten.
    fn linear(most: f64) -> Self {
        let most = most.max(1.0);
        let least = most / MARKS_MAX as f64;
        let ten = 10_f64.powf(least.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * ten).find(|&step| step >= least);
        let step = step.unwrap_or(most).max(1.0);
        let marks = (0..=MARKS_MAX).map(|mark| mark as f64 * step).take_while(|&mark| mark <= most);
        Self { most, marks: marks.map(|mark| (mark, written(mark))).collect() }
    }
}

/// Returns a round number.
fn written(value: f64) -> String {
    if value < PLAIN_MAX {
        return format!("{value:.0}");
    }
    let power = value.log10().floor();
    format!("{}e{power}", rounded(value / 10_f64.powf(power)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_numbers() {
        let marks = |axis: Axis| axis.marks.into_iter().map(|mark| mark.1).collect::<Vec<_>>().join(" ");
        assert_eq!(marks(Axis::linear(0.0)), "0 1");
        assert_eq!(marks(Axis::linear(7.0)), "0 2 4 6");
        assert_eq!(marks(Axis::linear(18412.0)), "0 5000 10000 15000");
        assert_eq!(marks(Axis::linear(3e7)), "0 5e6 1e7 1.5e7 2e7 2.5e7 3e7");
        assert_eq!(marks(Axis::powers(4.0)), "2 4 8 16");
        assert_eq!(marks(Axis::powers(14.0)), "4 16 64 256 1024 4096 16384");
    }
}
