//! The numbers that a study states about samples.

/// A sample in a few numbers. All are 0 for an empty sample.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Numbers {
    /// How many values there are.
    pub count: usize,
    /// The least.
    pub min: f64,
    /// The first quartile.
    pub lower: f64,
    /// The median.
    pub median: f64,
    /// The third quartile.
    pub upper: f64,
    /// The greatest.
    pub max: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The sum.
    pub sum: f64,
}

impl Numbers {
    /// The numbers of a sample. Quartiles are interpolated linearly between the neighbours (type 7 of Hyndman and Fan, 1996).
    pub fn of(values: impl IntoIterator<Item = f64>) -> Numbers {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
            return Numbers::default();
        };
        let sum: f64 = sorted.iter().sum();
        Numbers {
            count: sorted.len(),
            min,
            lower: quantile(&sorted, 0.25),
            median: quantile(&sorted, 0.5),
            upper: quantile(&sorted, 0.75),
            max,
            mean: sum / as_float(sorted.len()),
            sum,
        }
    }
}

/// The value below which a share of a sorted, non-empty sample lies.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len() - 1;
    let mut below = 0;
    // The position is at most `last`, so that counting up to it finds its integral part.
    let position = share * as_float(last);
    while below < last && as_float(below + 1) <= position {
        below += 1;
    }
    let above = (below + 1).min(last);
    let part = position - as_float(below);
    sorted[below] + part * (sorted[above] - sorted[below])
}

/// A number of things as a number to calculate with; exact below 2^32.
pub fn as_float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Pearson's correlation of pairs; `None` if there are fewer than two, or if one side does not vary.
pub fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = as_float(pairs.len());
    let mean = |side: fn(&(f64, f64)) -> f64| pairs.iter().map(side).sum::<f64>() / count.max(1.0);
    let (x_mean, y_mean) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs {
        let (x, y) = (x - x_mean, y - y_mean);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    (xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}

/// The rank of each value, from 1; equal values share the mean of their ranks.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        as_float(below) + f64::midpoint(1.0, as_float(equal))
    };
    values.iter().map(rank).collect()
}

/// Spearman's correlation of two lists of ranks of the same things.
pub fn spearman(first: &[f64], second: &[f64]) -> Option<f64> {
    let pairs: Vec<(f64, f64)> = first.iter().copied().zip(second.iter().copied()).collect();
    pearson(&pairs)
}

/// Speed-ups, one per subject: the time of the configuration compared with, by that of the one in question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpeedUps {
    /// The speed-ups, in order of the subjects.
    pub values: Vec<f64>,
    /// Their numbers.
    pub numbers: Numbers,
    /// How many are below 1.
    pub slower: usize,
    /// How many are from 1 to 1.5, from 1.5 to 2, and above.
    pub bands: [usize; 3],
}

/// Times below this are not distinguished: the clock of processor time is no better.
const RESOLUTION: f64 = 0.001;

impl SpeedUps {
    /// The speed-ups for pairs of seconds: before, after.
    pub fn of(pairs: impl IntoIterator<Item = (f64, f64)>) -> SpeedUps {
        let ratio = |(before, after): (f64, f64)| before.max(RESOLUTION) / after.max(RESOLUTION);
        let values: Vec<f64> = pairs.into_iter().map(ratio).collect();
        let within = |low: f64, high: f64| values.iter().filter(|&&v| low <= v && v < high).count();
        SpeedUps {
            numbers: Numbers::of(values.iter().copied()),
            slower: within(0.0, 1.0),
            bands: [within(1.0, 1.5), within(1.5, 2.0), within(2.0, f64::INFINITY)],
            values,
        }
    }

    /// The share of slow-downs in percent; 0 for none at all.
    pub fn slower_percent(&self) -> f64 {
        100.0 * as_float(self.slower) / as_float(self.values.len().max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_of_known_samples() {
        let numbers = Numbers::of([4.0, 1.0, 3.0, 2.0]);
        assert_eq!(
            (numbers.min, numbers.max, numbers.sum, numbers.mean),
            (1.0, 4.0, 10.0, 2.5)
        );
        assert_eq!((numbers.lower, numbers.median, numbers.upper), (1.75, 2.5, 3.25));
        assert_eq!(Numbers::of([]), Numbers::default());
        assert_eq!(Numbers::of([7.0]).upper, 7.0);
    }

    #[test]
    fn correlations_of_known_samples() {
        assert_eq!(pearson(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]), Some(1.0));
        assert_eq!(pearson(&[(1.0, 1.0), (2.0, 1.0)]), None);
        assert_eq!(pearson(&[]), None);
        assert_eq!(ranks(&[5.0, 1.0, 5.0, f64::INFINITY]), [2.5, 1.0, 2.5, 4.0]);
        assert_eq!(
            spearman(&ranks(&[1.0, 10.0, 100.0]), &ranks(&[3.0, 2.0, 1.0])),
            Some(-1.0)
        );
    }

    #[test]
    fn speed_ups_are_counted_in_bands() {
        let speedups = SpeedUps::of([(1.0, 2.0), (1.0, 1.0), (3.0, 2.0), (4.0, 1.0), (0.0, 0.0)]);
        assert_eq!(speedups.values, [0.5, 1.0, 1.5, 4.0, 1.0]);
        assert_eq!((speedups.slower, speedups.bands), (1, [2, 1, 1]));
        assert_eq!(speedups.slower_percent(), 20.0);
    }

    proptest! {
        #[test]
        fn the_five_numbers_are_in_order(values in prop::collection::vec(-1e6f64..1e6, 1..40)) {
            let n = Numbers::of(values);
            let ordered = [n.min, n.lower, n.median, n.upper, n.max];
            prop_assert!(ordered.windows(2).all(|pair| pair[0] <= pair[1]));
            prop_assert!(n.min - 1e-6 <= n.mean && n.mean <= n.max + 1e-6);
        }
    }
}
