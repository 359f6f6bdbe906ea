//! An axis of a picture: where a value stands, which values are named, and how.

/// How the values of an axis lie and what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nanoseconds, logarithmic.
    Duration,
    /// Numbers from 1, logarithmic.
    Size,
    /// Numbers from 0, linear.
    Amount,
    /// Shares from 0 to 1, linear, the whole of them, as percentages.
    Share,
}

impl Kind {
    fn is_logarithmic(self) -> bool {
        matches!(self, Self::Duration | Self::Size)
    }

    /// A value as people say it.
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Duration => duration(value),
            Self::Size | Self::Amount => grouped(value),
            Self::Share => format!("{:.0} %", 100.0 * value),
        }
    }
}

/// Values from `low` to `high` lie between two places of the picture.
pub struct Axis {
    pub kind: Kind,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// Named values of a linear axis, about.
const LINEAR_TICKS: f64 = 6.0;

impl Axis {
    /// An axis that holds all `values`: a logarithmic one with a little room, and a power of ten at least; a
    /// linear one from 0 on.
    pub fn new(kind: Kind, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) =
            values.fold((f64::MAX, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = match kind {
            Kind::Duration | Kind::Size => {
                let room = (high / low).max(10.0).powf(0.03);
                (low / room, high.max(low * 10.0) * room)
            }
            Kind::Amount => (0.0, high.max(1.0) * 1.03),
            Kind::Share => (0.0, 1.0),
        };
        Self { kind, low, high, from, to }
    }

    /// Where a value stands.
    pub fn place(&self, value: f64) -> f64 {
        let share = if self.kind.is_logarithmic() {
            (value / self.low).log10() / (self.high / self.low).log10()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share * (self.to - self.from)
    }

    /// Values to be named. Logarithmic: powers of ten, and twos and fives between where there are few.
    pub fn ticks(&self) -> Vec<f64> {
        if !self.kind.is_logarithmic() {
            let step = round_step((self.high - self.low) / LINEAR_TICKS);
            let ticks = (0..100).map(|tick| self.low + f64::from(tick) * step);
            // A step that was computed may be a little above itself.
            return ticks.take_while(|tick| *tick <= self.high * (1.0 + 1e-9)).collect();
        }
        let decades = (self.high / self.low).log10();
        let steps: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let first = self.low.log10().floor() as i32;
        let powers = (first..first + 20).map(|power| 10_f64.powi(power));
        let all = powers.flat_map(|power| steps.iter().map(move |step| step * power));
        all.filter(|tick| (self.low..=self.high).contains(tick)).collect()
    }
}

/// The least of 1, 2, 5, 10, … (by powers of ten) that is no less than `step`.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|&round| round >= step)
        .unwrap_or(10.0 * power)
}

/// Nanoseconds as people say it: `20 µs`.
fn duration(nanoseconds: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")];
    // A power of ten that was computed may be a little below itself.
    let unit = units.into_iter().find(|(unit, _)| nanoseconds >= unit * 0.999).unwrap_or((1.0, "ns"));
    format!("{} {}", (nanoseconds / unit.0).round(), unit.1)
}

/// A whole number with its thousands apart.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
