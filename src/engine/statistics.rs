//! Counters of a run, under stable names and in a fixed order.
//!
//! All of them count work, none counts time: a run with the same input and options has the same statistics on every machine.

use std::fmt;

/// The counters. New ones may be added; a name never changes its meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    entries: Vec<(&'static str, u64)>,
}

impl Statistics {
    /// Sets a counter; a new name is appended.
    pub fn set(&mut self, name: &'static str, value: u64) {
        match self.entries.iter_mut().find(|(n, _)| *n == name) {
            Some((_, v)) => *v = value,
            None => self.entries.push((name, value)),
        }
    }

    /// Adds to a counter; a new name is appended.
    pub fn add(&mut self, name: &'static str, value: u64) {
        let old = self.get(name);
        self.set(name, old.saturating_add(value));
    }

    /// The value of a counter; 0 for an unknown name.
    pub fn get(&self, name: &str) -> u64 {
        self.entries.iter().find(|(n, _)| *n == name).map_or(0, |(_, v)| *v)
    }

    /// All counters in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.entries.iter().copied()
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.entries.iter().map(|(n, _)| n.len()).max().unwrap_or(0);
        for (name, value) in &self.entries {
            writeln!(f, "{name:width$}  {value}")?;
        }
        Ok(())
    }
}
