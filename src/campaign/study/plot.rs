//! Plots as SVG: scatter plots with lines of equal speed-up, quantile plots, box plots.
//!
//! A plot is text that stands in a page by itself: no scripts, no fonts, no files. Colours are those of Okabe and Ito, which colour-blind readers can
//! tell apart.

use super::section::escape;
use super::summary::{Numbers, as_float};
use std::fmt::Write;

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 48.0;
const COLOURS: [&str; 8] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999",
];

/// A point of a scatter plot: `x`, `y`, and what it is.
pub type Point = (f64, f64, String);

/// How values become positions along an axis.
#[derive(Clone, Copy, Debug)]
struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
    /// Where `low` and `high` are drawn.
    from: f64,
    to: f64,
}

/// How the distance between two values is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    Linear,
    Logarithmic,
    /// Logarithmic to both sides of zero, linear below this unit.
    Both(f64),
}

/// A value on an axis that is logarithmic to both sides of zero.
fn to_both(value: f64, unit: f64) -> f64 {
    (value.abs() / unit).ln_1p().copysign(value)
}

impl Axis {
    /// An axis that is logarithmic to both sides of zero, which is in its middle.
    fn around_zero(values: impl Iterator<Item = f64>, unit: f64, from: f64, to: f64) -> Axis {
        let most = values.fold(unit, |most, value| most.max(value.abs()));
        let high = 10f64.powf(most.log10().ceil());
        Axis {
            low: -high,
            high,
            scale: Scale::Both(unit),
            from,
            to,
        }
    }

    /// An axis over the values, up to full decades if it is logarithmic.
    fn over(values: impl Iterator<Item = f64> + Clone, log: bool, from: f64, to: f64) -> Axis {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(f64::NEG_INFINITY, f64::max);
        let (least, most) = if least <= most { (least, most) } else { (0.1, 1.0) };
        let (low, high) = if log {
            let decade = |value: f64| value.max(1e-6).log10();
            let (low, high) = (decade(least).floor(), decade(most).ceil());
            (10f64.powf(low), 10f64.powf(high.max(low + 1.0)))
        } else {
            (least.min(0.0), if most > 0.0 { 1.05 * most } else { 1.0 })
        };
        Axis {
            low,
            high,
            scale: if log { Scale::Logarithmic } else { Scale::Linear },
            from,
            to,
        }
    }

    fn at(self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Logarithmic => {
                let low = self.low.log10();
                (value.max(self.low).log10() - low) / (self.high.log10() - low)
            }
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Both(unit) => 0.5 + 0.5 * to_both(value, unit) / to_both(self.high, unit),
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// The values that get a mark.
    fn ticks(self) -> Vec<f64> {
        let mut ticks = Vec::new();
        if let Scale::Both(unit) = self.scale {
            let mut tick = self.high;
            while tick >= unit {
                ticks.extend([tick, -tick]);
                tick /= 10.0;
            }
            ticks.push(0.0);
        } else if self.scale == Scale::Logarithmic {
            let mut tick = self.low;
            while tick <= self.high * 1.001 {
                ticks.push(tick);
                tick *= 10.0;
            }
        } else {
            let rough = (self.high - self.low) / 5.0;
            let decade = 10f64.powf(rough.log10().floor());
            let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * decade);
            let step = step.into_iter().find(|step| *step >= rough).unwrap_or(rough);
            let mut tick = (self.low / step).ceil() * step;
            while tick <= self.high {
                ticks.push(tick);
                tick += step;
            }
        }
        ticks
    }
}

/// A number as the label of a tick: without digits that say nothing.
fn label(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" {
        "0".to_string()
    } else {
        text.to_string()
    }
}

fn open(height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n"
    )
}

fn horizontal(svg: &mut String, axis: Axis, bottom: f64, title: &str) {
    for tick in axis.ticks() {
        let x = axis.at(tick);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {TOP}V{bottom:.1}\" stroke=\"#e4e4e4\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 14.0,
            label(tick)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        f64::midpoint(axis.from, axis.to),
        bottom + 34.0,
        escape(title)
    );
}

fn vertical(svg: &mut String, axis: Axis, title: &str) {
    for tick in axis.ticks() {
        let y = axis.at(tick);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}H{:.1}\" stroke=\"#e4e4e4\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 5.0,
            y + 4.0,
            label(tick)
        );
    }
    let middle = f64::midpoint(axis.from, axis.to);
    let _ = writeln!(
        svg,
        "<text transform=\"translate(14 {middle:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escape(title)
    );
}

/// A scatter plot with the same logarithmic axes in both directions: the diagonal, and dashed lines of the speed-ups 1.5 and 2 in favour of `y`.
/// Each point has a text that a browser shows under the pointer.
pub fn scatter(x_title: &str, y_title: &str, points: &[Point]) -> String {
    let all = points.iter().flat_map(|(x, y, _)| [*x, *y]);
    let bottom = HEIGHT - BOTTOM;
    let x = Axis::over(all.clone(), true, LEFT, WIDTH - RIGHT);
    let y = Axis::over(all, true, bottom, TOP);
    let mut svg = open(HEIGHT);
    horizontal(&mut svg, x, bottom, x_title);
    vertical(&mut svg, y, y_title);
    for (factor, dashes) in [(1.0, "none"), (1.5, "4 3"), (2.0, "4 3")] {
        let (from, to) = (x.low * factor, x.high);
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#888\" stroke-dasharray=\"{dashes}\" fill=\"none\"/>",
            x.at(from),
            y.at(from / factor),
            x.at(to),
            y.at(to / factor)
        );
        if factor > 1.0 {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#666\" text-anchor=\"end\">×{}</text>",
                x.at(to) - 3.0,
                y.at(to / factor) + 12.0,
                label(factor)
            );
        }
    }
    circles(&mut svg, (x, y), points);
    svg.push_str("</svg>\n");
    svg
}

/// Differences against each other: a scatter plot around zero, with axes that are logarithmic to both sides and linear below a unit. An axis is its title with this unit.
pub fn differences(horizontally: (&str, f64), vertically: (&str, f64), points: &[Point]) -> String {
    let bottom = HEIGHT - BOTTOM;
    let x = Axis::around_zero(points.iter().map(|point| point.0), horizontally.1, LEFT, WIDTH - RIGHT);
    let y = Axis::around_zero(points.iter().map(|point| point.1), vertically.1, bottom, TOP);
    let mut svg = open(HEIGHT);
    horizontal(&mut svg, x, bottom, horizontally.0);
    vertical(&mut svg, y, vertically.0);
    let _ = writeln!(
        svg,
        "<path d=\"M{:.1} {TOP}V{bottom:.1}M{LEFT} {:.1}H{:.1}\" stroke=\"#888\" fill=\"none\"/>",
        x.at(0.0),
        y.at(0.0),
        WIDTH - RIGHT
    );
    circles(&mut svg, (x, y), points);
    svg.push_str("</svg>\n");
    svg
}

/// The points of a scatter plot.
fn circles(svg: &mut String, (x, y): (Axis, Axis), points: &[Point]) {
    for (px, py, text) in points {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{}\" fill-opacity=\"0.6\"><title>{}</title></circle>",
            x.at(*px),
            y.at(*py),
            COLOURS[0],
            escape(text)
        );
    }
}

/// A quantile plot: for each series, the n-th smallest value over n. The values' axis is logarithmic.
pub fn quantiles(x_title: &str, y_title: &str, series: &[(String, Vec<f64>)]) -> String {
    let bottom = HEIGHT - BOTTOM;
    let longest = series.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let x = Axis::over([0.0, as_float(longest)].into_iter(), false, LEFT, WIDTH - RIGHT);
    let y = Axis::over(series.iter().flat_map(|(_, v)| v.iter().copied()), true, bottom, TOP);
    let mut svg = open(HEIGHT);
    horizontal(&mut svg, x, bottom, x_title);
    vertical(&mut svg, y, y_title);
    for (i, (name, values)) in series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let mut sorted = values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let points = sorted.iter().enumerate();
        let points: Vec<String> = points
            .map(|(n, value)| format!("{:.1},{:.1}", x.at(as_float(n + 1)), y.at(*value)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/><text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
            points.join(" "),
            LEFT + 8.0,
            TOP + 14.0 + 14.0 * as_float(i),
            escape(name)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Box plots side by side on a horizontal axis: whiskers from the least to the greatest value, the box between the quartiles, a line at the median.
/// With `reference`, a line across all of them.
pub fn boxes(title: &str, log: bool, reference: Option<f64>, samples: &[(String, Numbers)]) -> String {
    const ROW: f64 = 24.0;
    const NAMES: f64 = 150.0;
    let bottom = TOP + ROW * as_float(samples.len());
    let ends = samples.iter().flat_map(|(_, n)| [n.min, n.max]).chain(reference);
    let x = Axis::over(ends, log, NAMES, WIDTH - RIGHT);
    let mut svg = open(bottom + BOTTOM);
    horizontal(&mut svg, x, bottom, title);
    if let Some(at) = reference {
        let _ = writeln!(svg, "<path d=\"M{:.1} {TOP}V{bottom:.1}\" stroke=\"#444\"/>", x.at(at));
    }
    for (i, (name, n)) in samples.iter().enumerate() {
        let y = TOP + ROW * (as_float(i) + 0.5);
        let colour = COLOURS[i % COLOURS.len()];
        let (low, high) = (x.at(n.lower), x.at(n.upper));
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{} ({})</text>",
            NAMES - 6.0,
            y + 4.0,
            escape(name),
            n.count
        );
        if n.count == 0 {
            continue;
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"{colour}\"/><rect x=\"{low:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" fill=\"{colour}\" fill-opacity=\"0.25\" stroke=\"{colour}\"/><path d=\"M{:.1} {:.1}v14\" stroke=\"{colour}\" stroke-width=\"2.5\"/>",
            x.at(n.min),
            x.at(n.max),
            y - 7.0,
            (high - low).max(0.5),
            x.at(n.median),
            y - 7.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every tag is closed, every point is drawn, and every number is one.
    fn check(svg: &str, circles: usize) {
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<circle").count(), circles);
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn plots_of_ordinary_and_of_empty_samples() {
        let points = [(0.01, 0.02, "a<b".to_string()), (3.0, 1.0, "c".to_string())];
        let svg = scatter("single", "multi", &points);
        check(&svg, 2);
        assert!(svg.contains("a&lt;b") && svg.contains("×1.5"));
        check(&scatter("x", "y", &[]), 0);
        check(&scatter("x", "y", &[(0.0, 0.0, String::new())]), 1);
        check(
            &quantiles(
                "n",
                "s",
                &[("a".to_string(), vec![3.0, 1.0]), ("b".to_string(), Vec::new())],
            ),
            0,
        );
        check(
            &boxes("t", true, Some(1.0), &[("a".to_string(), Numbers::of([0.5, 2.0, 9.0]))]),
            0,
        );
        check(&boxes("t", false, None, &[("a".to_string(), Numbers::default())]), 0);
    }

    #[test]
    fn axes_map_ends_to_ends() {
        let axis = Axis::over([0.02, 7.0].into_iter(), true, 0.0, 300.0);
        assert_eq!((axis.low, axis.high), (0.01, 10.0));
        assert!((axis.at(0.1) - 100.0).abs() < 1e-9 && (axis.at(10.0) - 300.0).abs() < 1e-9);
        assert_eq!(axis.ticks().len(), 4);
        assert_eq!(label(0.01), "0.01");
        assert_eq!(label(100.0), "100");
    }
}
