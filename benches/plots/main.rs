//! Turns measurements into a picture, a line a series.
//!
//! ```text
//! plot cost TITLE X-LABEL PATTERN < costs.csv > costs.svg
//! plot score TITLE X-LABEL < games.csv > score.svg
//! plot share TITLE X-LABEL PIECE < games.csv > share.svg
//! ```
//!
//! **Cost** against size, both logarithmic: the CSV has a header, then `size,series,nanoseconds`; further columns
//! are left alone. `PATTERN` picks the series that contain it (an empty one takes all) and is left out of their
//! names. A point is the median of a size's measurements, the band around it reaches from the 10th to the 90th
//! percentile. Sizes are put together where there are more than [`POINTS_MAX`].
//!
//! **Strength** against the time a move, which is logarithmic: the mean score of a setting's games, or the share
//! of them with a piece of at least `PIECE`; [`strength`] says which CSV and which bands.
//!
//! The picture has a light and a dark theme.

mod axis;
mod chart;
mod series;
mod strength;

use std::io::Read;
use std::process::ExitCode;

use axis::Kind;
use chart::Chart;
use series::Series;
use strength::Measure;

/// Points of one line at most.
const POINTS_MAX: usize = 40;

const USAGE: &str = "usage: plot cost TITLE X-LABEL PATTERN < costs.csv > costs.svg
       plot score TITLE X-LABEL < games.csv > score.svg
       plot share TITLE X-LABEL PIECE < games.csv > share.svg";

fn main() -> ExitCode {
    // `cargo bench` adds an argument of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut csv = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut csv) {
        eprintln!("standard input: {error}");
        return ExitCode::from(74);
    }
    let games = |measure| strength::read(&csv, measure);
    let drawn = match arguments[..] {
        ["cost", title, label, pattern] => series::read(&csv, pattern, POINTS_MAX)
            .map(|series| draw(title, label, [Kind::Size, Kind::Duration], &series)),
        ["score", title, label] => {
            games(Measure::Score).map(|series| draw(title, label, [Kind::Duration, Kind::Amount], &series))
        }
        ["share", title, label, piece] => piece
            .parse()
            .map_err(|_| format!("'{piece}' is no piece"))
            .and_then(|piece| games(Measure::Share(piece)))
            .map(|series| draw(title, label, [Kind::Duration, Kind::Share], &series)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(64);
        }
    };
    match drawn {
        Ok(svg) => {
            print!("{svg}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(65)
        }
    }
}

fn draw(title: &str, label: &str, [across, up]: [Kind; 2], series: &[Series]) -> String {
    chart::svg(&Chart { title, label, across, up, series })
}
