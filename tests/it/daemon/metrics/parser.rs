//! A strict parser of the text format of Prometheus, version 0.0.4. It panics at any deviation.

use std::collections::{BTreeMap, BTreeSet};

/// Parsed metrics.
#[derive(Debug)]
pub struct Metrics {
    text: String,
    /// The type of each metric.
    kinds: BTreeMap<String, String>,
    /// The values by name and labels, as written in the text.
    samples: BTreeMap<String, f64>,
    /// The names of the labels of each metric, without that of the bounds.
    labels: BTreeMap<String, BTreeSet<String>>,
}

impl Metrics {
    /// Parses a text.
    pub fn parse(text: &str) -> Self {
        assert!(text.ends_with('\n') && !text.contains("\n\n") && !text.contains('\r'), "{text}");
        let mut metrics = Self {
            text: text.to_owned(),
            kinds: BTreeMap::new(),
            samples: BTreeMap::new(),
            labels: BTreeMap::new(),
        };
        let mut helped = None;
        let mut family = None;
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# HELP ") {
                let (name, help) = rest.split_once(' ').unwrap();
                assert!(is_name(name) && help.ends_with('.') && !help.contains('\\'), "{line}");
                helped = Some(name);
            } else if let Some(rest) = line.strip_prefix("# TYPE ") {
                let (name, kind) = rest.split_once(' ').unwrap();
                assert_eq!(helped, Some(name), "{line}");
                assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
                assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                assert_eq!(metrics.kinds.insert(name.to_owned(), kind.to_owned()), None, "{line}");
                family = Some((name.to_owned(), kind.to_owned()));
            } else {
                let (family, kind) = family.as_ref().unwrap_or_else(|| panic!("{line}"));
                metrics.sample(line, family, kind);
            }
        }
        metrics.check_histograms();
        metrics
    }

    fn sample(&mut self, line: &str, family: &str, kind: &str) {
        let (series, value) = line.rsplit_once(' ').unwrap();
        let value: f64 = value.parse().unwrap_or_else(|_| panic!("{line}"));
        assert!(value.is_finite() && value >= 0.0, "{line}");
        let (name, labels) = match series.split_once('{') {
            Some((name, labels)) => (name, labels_of(labels.strip_suffix('}').unwrap())),
            None => (series, BTreeMap::new()),
        };
        let suffix = name.strip_prefix(family).unwrap_or_else(|| panic!("{line} is not of {family}"));
        let allowed: &[&str] = if kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
        assert!(allowed.contains(&suffix), "{line}");
        assert_eq!(suffix == "_bucket", labels.contains_key("le"), "{line}");
        let names = labels.into_keys().filter(|name| name != "le").collect();
        assert_eq!(
            *self.labels.entry(family.to_owned()).or_insert_with(|| Clone::clone(&names)),
            names,
            "{line}"
        );
        assert_eq!(self.samples.insert(series.to_owned(), value), None, "{line} stands there twice");
    }

    /// Checks that buckets grow with their bounds, and that the last bucket has the total.
    fn check_histograms(&self) {
        let mut last: Option<(String, f64, f64)> = None;
        let mut histograms = 0;
        for line in self.text.lines().filter(|line| line.contains("_bucket{")) {
            let (series, value) = line.rsplit_once(' ').unwrap();
            let (before, bound) = series.rsplit_once("le=\"").unwrap();
            let (bound, count): (f64, f64) =
                (bound.trim_end_matches("\"}").parse().unwrap(), value.parse().unwrap());
            if let Some((series, lower, below)) = last.take() {
                assert!(series == before && lower < bound && below <= count, "{line}");
            }
            if bound.is_infinite() {
                let (name, labels) = before.split_once("_bucket{").unwrap();
                let labels = labels.trim_end_matches(',');
                let total = if labels.is_empty() {
                    format!("{name}_count")
                } else {
                    format!("{name}_count{{{labels}}}")
                };
                assert_eq!(self.value(&total), Some(count), "{line}");
                histograms += 1;
            } else {
                last = Some((before.to_owned(), bound, count));
            }
        }
        assert!(last.is_none() && histograms > 0, "a histogram has no bucket for everything");
    }

    /// Returns the value of a sample, named as in the text.
    pub fn value(&self, series: &str) -> Option<f64> {
        self.samples.get(series).copied()
    }

    /// Returns the values of a metric with any labels.
    pub fn samples_of<'m>(&'m self, name: &'m str) -> impl Iterator<Item = f64> + 'm {
        let of = move |series: &str| series.strip_prefix(name).is_some_and(|rest| rest.starts_with('{'));
        self.samples.iter().filter(move |(series, _)| of(series)).map(|(_, value)| *value)
    }

    /// Returns every metric with its type and the names of its labels.
    pub fn families(&self) -> BTreeSet<(String, String, String)> {
        let labels = |name: &String| {
            let labels = self.labels.get(name).unwrap_or_else(|| panic!("{name} has no sample"));
            labels.iter().cloned().collect::<Vec<_>>().join(", ")
        };
        self.kinds.iter().map(|(name, kind)| (name.clone(), kind.clone(), labels(name))).collect()
    }

    /// Returns the parsed text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

fn labels_of(text: &str) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (name, behind) = rest.split_once("=\"").unwrap_or_else(|| panic!("{text}"));
        assert!(is_name(name) && !name.contains(':'), "{text}");
        let (value, behind) = value_of(behind);
        assert_eq!(labels.insert(name.to_owned(), value), None, "{text}");
        rest = behind.strip_prefix(',').unwrap_or(behind);
        assert!(behind.is_empty() || !rest.is_empty() && behind.starts_with(','), "{text}");
    }
    labels
}

/// Parses a value up to its closing quote. Also returns the rest.
fn value_of(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (value, &text[at + 1..]),
            '\\' => value.push(match chars.next().unwrap().1 {
                'n' => '\n',
                escaped @ ('\\' | '"') => escaped,
                other => panic!("\\{other} in {text}"),
            }),
            c => value.push(c),
        }
    }
    panic!("no end of {text}");
}

fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':')
}

#[test]
#[should_panic(expected = "stands there twice")]
fn a_series_that_stands_there_twice_is_found() {
    Metrics::parse("# HELP a A.\n# TYPE a gauge\na{x=\"1\"} 1\na{x=\"1\"} 2\n");
}

#[test]
#[should_panic(expected = "_bucket")]
fn a_bucket_that_falls_is_found() {
    let bucket = |bound: &str, count: u32| format!("a_bucket{{le=\"{bound}\"}} {count}\n");
    let buckets = [bucket("1", 2), bucket("+Inf", 1)].concat();
    Metrics::parse(&format!("# HELP a A.\n# TYPE a histogram\n{buckets}a_sum 1\na_count 1\n"));
}
