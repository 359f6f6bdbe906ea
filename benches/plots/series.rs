//! Measurements by series and size, and their percentiles.

use std::collections::BTreeMap;

/// One line of a picture.
pub struct Series {
    pub name: String,
    pub points: Vec<Point>,
}

/// The measurements of one size, or of a few neighbouring ones.
pub struct Point {
    /// Where it stands on the axis across.
    pub size: f64,
    /// The band below.
    pub low: f64,
    /// Where the line goes through.
    pub middle: f64,
    /// The band above.
    pub high: f64,
    /// What stands beside it.
    pub label: Option<String>,
}

/// The series whose names contain `pattern`, in the order of the file: medians of nanoseconds, the bands from the
/// 10th to the 90th percentile.
pub fn read(csv: &str, pattern: &str, points_max: usize) -> Result<Vec<Series>, String> {
    let mut names: Vec<&str> = Vec::new();
    let mut found: Vec<BTreeMap<u64, Vec<f64>>> = Vec::new();
    for (index, line) in csv.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty()) {
        let fault = |what: &str| format!("line {}: {what} in '{line}'", index + 1);
        let mut fields = line.split(',');
        let size = fields.next().and_then(|field| field.parse::<u64>().ok());
        let size = size.filter(|&size| size > 0).ok_or_else(|| fault("no size from 1"))?;
        let name = fields.next().ok_or_else(|| fault("no series"))?;
        let cost = fields.next().and_then(|field| field.parse::<f64>().ok());
        let cost = cost.filter(|cost| cost.is_finite()).ok_or_else(|| fault("no nanoseconds"))?;
        if !name.contains(pattern) {
            continue;
        }
        let at = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            found.push(BTreeMap::new());
            names.len() - 1
        });
        // A logarithm of nothing has no place.
        found[at].entry(size).or_default().push(cost.max(1.0));
    }
    if names.is_empty() {
        return Err(format!("no series contains '{pattern}'"));
    }
    let series = names.iter().zip(found).map(|(name, sizes)| {
        let short = name.replacen(pattern, "", 1);
        let short = short.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = if short.is_empty() { (*name).to_owned() } else { short };
        Series { name, points: points(sizes, points_max) }
    });
    Ok(series.collect())
}

/// A point a size, or where there are too many, a point for each step of a logarithmic scale.
fn points(sizes: BTreeMap<u64, Vec<f64>>, points_max: usize) -> Vec<Point> {
    let mut groups: BTreeMap<u64, (f64, Vec<f64>)> = BTreeMap::new();
    let (least, most) =
        (sizes.keys().next().copied().unwrap_or(1), sizes.keys().last().copied().unwrap_or(1));
    let span = (most as f64 / least as f64).ln().max(f64::EPSILON);
    let many = sizes.len() > points_max;
    for (size, costs) in sizes {
        let step = ((size as f64 / least as f64).ln() / span * (points_max - 1) as f64).round();
        let group = groups
            .entry(if many {
                (0..points_max as u64).find(|&place| place as f64 >= step).unwrap_or(size)
            } else {
                size
            })
            .or_default();
        group.0 += (size as f64).ln() * costs.len() as f64;
        group.1.extend(costs);
    }
    groups
        .into_values()
        .map(|(logarithms, mut costs)| {
            costs.sort_by(f64::total_cmp);
            let at = |share| percentile(&costs, share);
            let size = (logarithms / costs.len() as f64).exp();
            Point { size, low: at(0.1), middle: at(0.5), high: at(0.9), label: None }
        })
        .collect()
}

/// The value below which this share of the `sorted` ones lies.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let below = (sorted.len() - 1) as f64 * share;
    let place = (0..sorted.len()).find(|&place| place as f64 >= below.round());
    sorted[place.unwrap_or(sorted.len() - 1)]
}
