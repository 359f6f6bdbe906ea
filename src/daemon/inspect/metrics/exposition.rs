//! The text format of Prometheus, version 0.0.4, as far as it is used here.
//!
//! After "Exposition formats" in the documentation of Prometheus: a `HELP` and a `TYPE` line before the samples of a
//! metric, all of them together; in label values backslash, quote and line feed are escaped; buckets of a histogram are
//! cumulative, end with `+Inf`, and are followed by `_sum` and `_count`.

use std::fmt::Write;

/// Begins the name of every metric.
const PREFIX: &str = "tabuleiro_";

/// What a metric is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It only rises, but for a restart.
    Counter,
    /// It rises and falls.
    Gauge,
    /// How often something took how long.
    Histogram,
}

/// The text as far as it is written.
#[derive(Debug, Default)]
pub struct Exposition {
    text: String,
    /// The metric that samples belong to, with its prefix.
    name: String,
}

impl Exposition {
    /// Begins a metric. `help` has no line feed and no backslash.
    pub fn family(&mut self, name: &str, kind: Kind, help: &str) {
        self.name = format!("{PREFIX}{name}");
        let kind = match kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
        };
        self.line(format_args!("# HELP {PREFIX}{name} {help}\n# TYPE {PREFIX}{name} {kind}\n"));
    }

    /// A value of the metric begun last.
    pub fn sample(&mut self, labels: &[(&str, &str)], value: f64) {
        self.sample_of("", labels, value);
    }

    /// A metric with one value.
    pub fn one(&mut self, name: &str, kind: Kind, help: &str, value: f64) {
        self.family(name, kind, help);
        self.sample(&[], value);
    }

    /// The values of a histogram: how many observations were at most as large as each bound, all of them, their sum.
    pub fn histogram(&mut self, labels: &[(&str, &str)], buckets: &[(f64, u64)], count: u64, sum: f64) {
        let mut with_bound = labels.to_vec();
        let bounds: Vec<_> = buckets.iter().map(|(bound, _)| bound.to_string()).collect();
        for (bound, (_, below)) in bounds.iter().zip(buckets) {
            with_bound.truncate(labels.len());
            with_bound.push(("le", bound));
            self.sample_of("_bucket", &with_bound, *below as f64);
        }
        with_bound.truncate(labels.len());
        with_bound.push(("le", "+Inf"));
        self.sample_of("_bucket", &with_bound, count as f64);
        self.sample_of("_sum", labels, sum);
        self.sample_of("_count", labels, count as f64);
    }

    /// The whole text.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }

    fn sample_of(&mut self, suffix: &str, labels: &[(&str, &str)], value: f64) {
        let labels: Vec<_> =
            labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let name = std::mem::take(&mut self.name);
        self.line(format_args!("{name}{suffix}{labels} {value}\n"));
        self.name = name;
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(line);
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_as_the_format_has_it() {
        let mut out = Exposition::default();
        out.one("a_total", Kind::Counter, "Some.", 3.0);
        out.family("b", Kind::Gauge, "Others.");
        out.sample(&[("x", "a\"b\\c\nd"), ("y", "")], 0.5);
        out.family("c_seconds", Kind::Histogram, "Times.");
        out.histogram(&[("s", "t")], &[(0.001, 1), (10.0, 3)], 4, 99.5);
        assert_eq!(
            out.finish(),
            "# HELP tabuleiro_a_total Some.\n# TYPE tabuleiro_a_total counter\ntabuleiro_a_total 3\n\
             # HELP tabuleiro_b Others.\n# TYPE tabuleiro_b gauge\n\
             tabuleiro_b{x=\"a\\\"b\\\\c\\nd\",y=\"\"} 0.5\n\
             # HELP tabuleiro_c_seconds Times.\n# TYPE tabuleiro_c_seconds histogram\n\
             tabuleiro_c_seconds_bucket{s=\"t\",le=\"0.001\"} 1\n\
             tabuleiro_c_seconds_bucket{s=\"t\",le=\"10\"} 3\n\
             tabuleiro_c_seconds_bucket{s=\"t\",le=\"+Inf\"} 4\n\
             tabuleiro_c_seconds_sum{s=\"t\"} 99.5\ntabuleiro_c_seconds_count{s=\"t\"} 4\n"
        );
    }
}
