//! Values of options: a type reads and prints its values, and says which there are.
//!
//! Law: for every value `v`, `parse(&v.print())` is a value with the same meaning.

use crate::cfa::program::check::{CheckKind, Checks};
use crate::engine::options::{MAX_HEURISTICS, MAX_SELECTORS};
use crate::engine::{Amount, Heuristic, Preference, SelectKind, Selection};
use crate::report::configuration::OptionValue;
use crate::verify::Strategy;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// An allowed value and its meaning.
pub type Word = (&'static str, &'static str);

/// The type of an option.
pub trait Value: Clone + Send + Sync + 'static {
    /// Whether the option is a flag: it has no value on the command line.
    const FLAG: bool = false;

    /// Reads a value; `None` if the text is none.
    fn parse(text: &str) -> Option<Self>;

    /// The value as text.
    fn print(&self) -> String;

    /// The texts that are values, as the end of a sentence that begins with "expected".
    fn expected() -> String;

    /// The allowed values, if they can be listed.
    fn words() -> &'static [Word] {
        &[]
    }

    /// The value in reports.
    fn report(&self) -> OptionValue {
        OptionValue::Text(self.print())
    }
}

impl Value for bool {
    const FLAG: bool = true;

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn print(&self) -> String {
        self.to_string()
    }

    fn expected() -> String {
        "`true` or `false`".to_string()
    }

    fn report(&self) -> OptionValue {
        OptionValue::Truth(*self)
    }
}

impl Value for u64 {
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn print(&self) -> String {
        self.to_string()
    }

    fn expected() -> String {
        "a whole number, at least 0".to_string()
    }

    fn report(&self) -> OptionValue {
        OptionValue::Number(*self)
    }
}

impl Value for NonZeroU64 {
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn print(&self) -> String {
        self.to_string()
    }

    fn expected() -> String {
        "a whole number, at least 1".to_string()
    }

    fn report(&self) -> OptionValue {
        OptionValue::Number(self.get())
    }
}

/// A number of seconds above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds(pub f64);

impl Value for Seconds {
    fn parse(text: &str) -> Option<Self> {
        let seconds = text.parse().ok()?;
        (seconds > 0.0 && f64::is_finite(seconds)).then_some(Seconds(seconds))
    }

    fn print(&self) -> String {
        self.0.to_string()
    }

    fn expected() -> String {
        "a number of seconds above 0".to_string()
    }

    fn report(&self) -> OptionValue {
        OptionValue::Real(self.0)
    }
}

impl Value for String {
    fn parse(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| text.to_string())
    }

    fn print(&self) -> String {
        self.clone()
    }

    fn expected() -> String {
        "something that is not empty".to_string()
    }
}

impl Value for PathBuf {
    fn parse(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| PathBuf::from(text))
    }

    fn print(&self) -> String {
        self.display().to_string()
    }

    fn expected() -> String {
        "something that is not empty".to_string()
    }
}

/// Words with blanks in between: options that are passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(pub Vec<String>);

impl Value for Words {
    fn parse(text: &str) -> Option<Self> {
        Some(Words(text.split_whitespace().map(str::to_string).collect()))
    }

    fn print(&self) -> String {
        self.0.join(" ")
    }

    fn expected() -> String {
        "words with blanks in between".to_string()
    }
}

/// Names with commas in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

impl Value for Names {
    fn parse(text: &str) -> Option<Self> {
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_string()).collect();
        names.iter().all(|name| !name.is_empty()).then_some(Names(names))
    }

    fn print(&self) -> String {
        self.0.join(",")
    }

    fn expected() -> String {
        "names with commas in between".to_string()
    }
}

/// The weights of properties, by their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedWeights(pub Vec<(String, u32)>);

impl Value for NamedWeights {
    fn parse(text: &str) -> Option<Self> {
        let weight = |part: &str| {
            let (name, weight) = part.rsplit_once(':')?;
            let name = name.trim().to_string();
            Some((name, weight.trim().parse().ok()?)).filter(|(name, _)| !name.is_empty())
        };
        text.split(',').map(weight).collect::<Option<_>>().map(NamedWeights)
    }

    fn print(&self) -> String {
        let parts = self.0.iter().map(|(name, weight)| format!("{name}:{weight}"));
        parts.collect::<Vec<_>>().join(",")
    }

    fn expected() -> String {
        "names of properties, each with a colon and a whole number, with commas in between".to_string()
    }
}

impl Value for Checks {
    fn parse(text: &str) -> Option<Self> {
        if text == "all" {
            return Some(CheckKind::ALL.into_iter().collect());
        }
        text.split(',').map(|word| CheckKind::named(word.trim())).collect()
    }

    fn print(&self) -> String {
        self.iter().map(CheckKind::word).collect::<Vec<_>>().join(",")
    }

    fn expected() -> String {
        let words: Vec<&str> = CheckKind::ALL.into_iter().map(CheckKind::word).collect();
        format!("{}, with commas in between, or all", words.join(", "))
    }
}

/// A part of a run set: which one, counted from 1, of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one.
    pub index: usize,
    /// How many there are.
    pub count: usize,
}

impl Value for Shard {
    fn parse(text: &str) -> Option<Self> {
        let (index, count) = text.split_once('/')?;
        let (index, count) = (index.parse().ok()?, count.parse().ok()?);
        (1 <= index && index <= count).then_some(Shard { index, count })
    }

    fn print(&self) -> String {
        format!("{}/{}", self.index, self.count)
    }

    fn expected() -> String {
        "I/N with 1 <= I <= N, as in 2/8".to_string()
    }
}

/// A limit of multi-aspect verification; `None` for none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AmountLimit(pub Option<Amount>);

impl Value for AmountLimit {
    fn parse(text: &str) -> Option<Self> {
        if text == "off" {
            return Some(AmountLimit(None));
        }
        let seconds = text.strip_suffix('s').and_then(|number| number.parse::<f64>().ok());
        if let Some(seconds) = seconds {
            let is_amount = seconds.is_finite() && seconds > 0.0;
            return is_amount.then_some(AmountLimit(Some(Amount::Seconds(seconds))));
        }
        let ticks = text.strip_suffix('t').and_then(|number| number.parse::<u64>().ok());
        let ticks = ticks.filter(|ticks| *ticks > 0)?;
        Some(AmountLimit(Some(Amount::Ticks(ticks))))
    }

    fn print(&self) -> String {
        match self.0 {
            None => "off".to_string(),
            Some(Amount::Seconds(seconds)) => format!("{seconds}s"),
            Some(Amount::Ticks(ticks)) => format!("{ticks}t"),
        }
    }

    fn expected() -> String {
        "seconds as in 20s, ticks as in 5000000t, or off".to_string()
    }
}

impl Value for Selection {
    fn parse(text: &str) -> Option<Self> {
        let kind = |name: &str| {
            Some(match name {
                "first" => SelectKind::First,
                "all" => SelectKind::JoinAll,
                "delay-counters" => SelectKind::DelayCounters,
                "smallest" => SelectKind::Smallest,
                "cover" => SelectKind::Cover,
                "preferred" => SelectKind::Preferred,
                number => SelectKind::JoinAtMost(number.parse().ok().filter(|n| *n > 0)?),
            })
        };
        let kinds: Option<Vec<SelectKind>> = text.split(',').map(|name| kind(name.trim())).collect();
        Selection::new(&kinds?)
    }

    fn print(&self) -> String {
        let name = |kind: SelectKind| match kind {
            SelectKind::First => "first".to_string(),
            SelectKind::JoinAll => "all".to_string(),
            SelectKind::DelayCounters => "delay-counters".to_string(),
            SelectKind::Smallest => "smallest".to_string(),
            SelectKind::Cover => "cover".to_string(),
            SelectKind::Preferred => "preferred".to_string(),
            SelectKind::JoinAtMost(most) => most.to_string(),
        };
        self.kinds().map(name).collect::<Vec<_>>().join(",")
    }

    fn expected() -> String {
        format!(
            "first, all, delay-counters, smallest, cover, preferred or a number above 0, or at most {MAX_SELECTORS} of them with commas in between"
        )
    }
}

/// The heuristics by their names. A random one has no seed here.
const HEURISTICS: [(&str, Heuristic); 11] = [
    ("short", Heuristic::Short),
    ("long", Heuristic::Long),
    ("good", Heuristic::Good),
    ("bad", Heuristic::Bad),
    ("narrow", Heuristic::Narrow),
    ("wide", Heuristic::Wide),
    ("shallow", Heuristic::Shallow),
    ("deep", Heuristic::Deep),
    ("dynamic", Heuristic::Dynamic),
    ("forms", Heuristic::Forms),
    ("random", Heuristic::Random(0)),
];

impl Value for Preference {
    fn parse(text: &str) -> Option<Self> {
        if text == "none" {
            return Some(Preference::NONE);
        }
        let named = |name: &str| HEURISTICS.iter().find(|(known, _)| *known == name.trim());
        let heuristics: Option<Vec<Heuristic>> = text.split(',').map(|name| Some(named(name)?.1)).collect();
        Preference::new(&heuristics?)
    }

    fn print(&self) -> String {
        let unseeded = self.with_seed(0);
        let name = |heuristic| HEURISTICS.iter().find(|(_, known)| *known == heuristic);
        let names: Vec<&str> = unseeded.heuristics().filter_map(name).map(|(name, _)| *name).collect();
        match names.is_empty() {
            true => "none".to_string(),
            false => names.join(","),
        }
    }

    fn expected() -> String {
        let names: Vec<&str> = HEURISTICS.iter().map(|(name, _)| *name).collect();
        format!(
            "none, or at most {MAX_HEURISTICS} of {} with commas in between",
            names.join(", ")
        )
    }
}

impl Value for Strategy {
    fn parse(text: &str) -> Option<Self> {
        Strategy::named(text).ok()
    }

    fn print(&self) -> String {
        self.stages()
            .iter()
            .map(|stage| stage.name())
            .collect::<Vec<_>>()
            .join(",")
    }

    fn expected() -> String {
        "some of execute, explore, guess, sample, no-counters, accelerate, slice, whole in this order, with commas in between; at least one of the last two".to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_seconds_or_ticks() {
        let amount = |text| AmountLimit::parse(text);
        assert_eq!(amount("20s"), Some(AmountLimit(Some(Amount::Seconds(20.0)))));
        assert_eq!(amount("5000t"), Some(AmountLimit(Some(Amount::Ticks(5000)))));
        assert_eq!(amount("off"), Some(AmountLimit(None)));
        for wrong in ["20", "-1s", "0t", "s", "infs", "1.5t"] {
            assert_eq!(amount(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn values_are_read_as_they_are_printed() {
        for text in ["first,cover,3", "all", "delay-counters,smallest"] {
            assert_eq!(Selection::parse(text).unwrap().print(), text);
        }
        assert_eq!(Selection::parse("first, cover").unwrap().print(), "first,cover");
        assert!(
            ["best", "0", "1,2,3,4,5"]
                .iter()
                .all(|text| Selection::parse(text).is_none())
        );
        for (name, heuristic) in HEURISTICS {
            assert_eq!(Preference::new(&[heuristic]).unwrap().print(), name);
        }
        for text in ["none", "good,narrow,short", "random"] {
            assert_eq!(Preference::parse(text).unwrap().print(), text);
        }
        assert!(
            ["", "good,", "none,good", "best"]
                .iter()
                .all(|text| Preference::parse(text).is_none())
        );
        for text in ["off", "20s", "0.5s", "7t"] {
            assert_eq!(AmountLimit::parse(text).unwrap().print(), text);
        }
        assert_eq!(Strategy::parse("slice,whole").unwrap().print(), "slice,whole");
        assert_eq!(Shard::parse("2/8").unwrap().print(), "2/8");
    }
}
