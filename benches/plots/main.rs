//! Turns measurements into a picture: cost against size, both logarithmic, a line a series.
//!
//! ```text
//! plot TITLE X-LABEL PATTERN < costs.csv > costs.svg
//! ```
//!
//! Reads CSV on its standard input: a header, then `size,series,nanoseconds`; further columns are left alone.
//! `PATTERN` picks the series that contain it (an empty one takes all) and is left out of their names. A point is
//! the median of a size's measurements, the band around it reaches from the 10th to the 90th percentile. Sizes
//! are put together where there are more than [`POINTS_MAX`]. The picture has a light and a dark theme.

mod chart;
mod series;

use std::io::Read;
use std::process::ExitCode;

/// Points of one line at most.
const POINTS_MAX: usize = 40;

fn main() -> ExitCode {
    // `cargo bench` adds an argument of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [title, label, pattern] = &arguments[..] else {
        eprintln!("usage: plot TITLE X-LABEL PATTERN < costs.csv > costs.svg");
        return ExitCode::from(64);
    };
    let mut csv = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut csv) {
        eprintln!("standard input: {error}");
        return ExitCode::from(74);
    }
    match series::read(&csv, pattern, POINTS_MAX) {
        Ok(series) => {
            print!("{}", chart::svg(title, label, &series));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(65)
        }
    }
}
