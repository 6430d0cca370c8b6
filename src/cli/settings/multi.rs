//! The options of how several properties are checked.

use super::options::Settings;
use crate::engine::{Amount, Aspects, Cleaning, Decomposition, Multi, PartitionBudget, Reuse, StrategyKind};

/// The limits of the paper on multi-aspect verification, in seconds, with a limit of 1200 for the whole.
const WHOLE: f64 = 1200.0;

/// The options for a number of properties.
///
/// # Errors
/// A limit that is no amount, as a message for the user.
pub(in crate::cli) fn options(settings: &Settings, properties: usize) -> Result<Multi, String> {
    let decomposition = Decomposition {
        strategy: match settings.text("decompose.strategy") {
            Some("S0") => StrategyKind::S0,
            Some("S1") => StrategyKind::S1,
            Some("S2") => StrategyKind::S2,
            Some("S3") => StrategyKind::S3,
            Some("bisect") => StrategyKind::Bisect,
            _ => StrategyKind::S4,
        },
        reuse: match settings.text("decompose.reuse") {
            Some("nothing") => Reuse::Nothing,
            Some("precision") => Reuse::Precision,
            _ => Reuse::Caches,
        },
        budget: PartitionBudget {
            cpu: settings.seconds("decompose.cpu"),
            ticks: settings.number("decompose.ticks"),
            refinements: settings.number("decompose.refinements"),
            transitions: settings.number("decompose.transitions"),
        },
    };
    let aspects = aspects(settings, properties)?;
    Ok(match settings.text("aspects") {
        Some("on") => Multi::Aspects(aspects),
        _ => Multi::Decomposition(decomposition),
    })
}

fn aspects(settings: &Settings, properties: usize) -> Result<Aspects, String> {
    let whole = settings.seconds("cpu-limit").or(settings.seconds("wall-limit"));
    // Without a limit on time, a limit on ticks is divided.
    let ticks = settings.number("ticks");
    let share = |part: f64, seconds: f64| match (whole, ticks) {
        (Some(whole), _) => Some(Amount::Seconds(whole * part)),
        (None, Some(ticks)) => Some(Amount::Ticks(part_of(ticks, part))),
        (None, None) => Some(Amount::Seconds(seconds)),
    };
    let of = |key, default| match settings.text(key) {
        Some(text) => amount(text).ok_or_else(|| {
            format!("`{text}` is no value for `{key}`; expected seconds as in 20s, ticks as in 5000000t, or off")
        }),
        None => Ok(default),
    };
    #[expect(clippy::cast_precision_loss)]
    let each = 1.0 / properties.max(1) as f64;
    Ok(Aspects {
        aspect: of("aspects.property-limit", share(each, 900.0))?,
        idle: of("aspects.idle-limit", share(20.0 / WHOLE, 20.0))?,
        basic: of("aspects.interval-limit", share(100.0 / WHOLE, 100.0))?,
        first: of("aspects.first-limit", None)?,
        cleaning: match settings.text("aspects.cleaning") {
            Some("none") => Cleaning::None,
            Some("wl-clear") => Cleaning::WaitlistClear,
            Some("arg-subtract") => Cleaning::ArgSubtract,
            Some("all") => Cleaning::All,
            _ => Cleaning::WaitlistSubtract,
        },
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss
)]
fn part_of(ticks: u64, part: f64) -> u64 {
    (ticks as f64 * part) as u64
}

/// An amount as text; `Some(None)` is no limit.
fn amount(text: &str) -> Option<Option<Amount>> {
    if text == "off" {
        return Some(None);
    }
    let seconds = text.strip_suffix('s').and_then(|number| number.parse::<f64>().ok());
    if let Some(seconds) = seconds {
        return (seconds.is_finite() && seconds > 0.0).then_some(Some(Amount::Seconds(seconds)));
    }
    let ticks = text.strip_suffix('t').and_then(|number| number.parse::<u64>().ok());
    ticks.filter(|ticks| *ticks > 0).map(|ticks| Some(Amount::Ticks(ticks)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_seconds_or_ticks() {
        assert_eq!(amount("20s"), Some(Some(Amount::Seconds(20.0))));
        assert_eq!(amount("5000t"), Some(Some(Amount::Ticks(5000))));
        assert_eq!(amount("off"), Some(None));
        for wrong in ["20", "-1s", "0t", "s", "infs", "1.5t"] {
            assert_eq!(amount(wrong), None, "{wrong}");
        }
    }
}
