//! Rounds of loops, folded: of many rounds alike a reader wants the first and the last.
//!
//! Two lines are alike if they stand in the same place and the same happened, whatever the values were. A run of at least [`FEWEST`] equal groups of lines is
//! folded. Inner loops are folded before outer ones, whose rounds are then equal even if the inner loop has another number of rounds in each.

use super::LineReport;
use std::collections::HashMap;

/// Fewer rounds than this are shown one by one.
const FEWEST: usize = 4;
/// Lines of the longest round.
const LONGEST: usize = 400;
/// How deeply loops are folded.
const DEEPEST: usize = 6;

/// A part of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A line, by its position.
    Line(usize),
    /// Rounds of a loop.
    Rounds {
        /// The first one.
        first: Vec<Item>,
        /// How many are left out.
        hidden: usize,
        /// The last one.
        last: Vec<Item>,
    },
}

/// The lines of a trace, with rounds folded. Linear in the number of lines, times the length of rounds.
pub fn folded(lines: &[LineReport]) -> Vec<Item> {
    let mut kinds = Kinds::default();
    let mut items: Vec<(Item, u32)> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| (Item::Line(at), kinds.of_line(line)))
        .collect();
    for _ in 0..DEEPEST {
        let before = items.len();
        items = once(items, &mut kinds);
        if items.len() == before {
            break;
        }
    }
    items.into_iter().map(|(item, _)| item).collect()
}

fn once(items: Vec<(Item, u32)>, kinds: &mut Kinds) -> Vec<(Item, u32)> {
    let keys: Vec<u32> = items.iter().map(|(_, key)| *key).collect();
    let mut found = Vec::with_capacity(items.len());
    let mut at = 0;
    while at < items.len() {
        let Some((period, rounds)) = repetition(&keys[at..]) else {
            found.push(items[at].clone());
            at += 1;
            continue;
        };
        let end = at + period * rounds;
        let group = |from: usize| {
            items[from..from + period]
                .iter()
                .map(|(item, _)| item.clone())
                .collect()
        };
        let key = kinds.of_group(&keys[at..at + period]);
        let rounds = Item::Rounds {
            first: group(at),
            hidden: rounds - 2,
            last: group(end - period),
        };
        found.push((rounds, key));
        at = end;
    }
    found
}

/// The shortest group at the beginning that is repeated often enough: its length, and how often it is there.
fn repetition(keys: &[u32]) -> Option<(usize, usize)> {
    (1..=LONGEST.min(keys.len() / FEWEST)).find_map(|period| {
        if keys[0] != keys[period] {
            return None;
        }
        let group = &keys[..period];
        let rounds = keys.chunks_exact(period).take_while(|other| *other == group).count();
        (rounds >= FEWEST).then_some((period, rounds))
    })
}

/// Numbers for lines and groups that are alike.
#[derive(Default)]
struct Kinds {
    lines: HashMap<String, u32>,
    groups: HashMap<Vec<u32>, u32>,
}

impl Kinds {
    fn next(&self) -> u32 {
        u32::try_from(self.lines.len() + self.groups.len()).expect("fewer than 2^32 lines")
    }

    fn of_line(&mut self, line: &LineReport) -> u32 {
        let events: Vec<&str> = line.notes.iter().map(|note| without_value(note)).collect();
        // Texts tell apart what is no line of the program.
        let key = format!(
            "{}:{}:{}:{}:{}:{}",
            line.file,
            line.line,
            line.function,
            line.depth,
            line.text,
            events.join(",")
        );
        let next = self.next();
        *self.lines.entry(key).or_insert(next)
    }

    fn of_group(&mut self, keys: &[u32]) -> u32 {
        let next = self.next();
        *self.groups.entry(keys.to_vec()).or_insert(next)
    }
}

/// An event without its values: `x` of `x = 5`.
fn without_value(note: &str) -> &str {
    let end = [" = ", " returns "].iter().filter_map(|word| note.find(word)).min();
    &note[..end.unwrap_or(note.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of the numbers of a text.
    fn lines(numbers: &[u32]) -> Vec<LineReport> {
        let line = |(at, &number): (usize, &u32)| LineReport {
            file: "a.c".to_string(),
            line: number,
            column: 1,
            function: "main".to_string(),
            depth: 1,
            text: String::new(),
            notes: vec![format!("i = {at}")],
        };
        numbers.iter().enumerate().map(line).collect()
    }

    fn show(items: &[Item]) -> String {
        let parts = items.iter().map(|item| match item {
            Item::Line(at) => at.to_string(),
            Item::Rounds { first, hidden, last } => format!("[{}] {hidden} [{}]", show(first), show(last)),
        });
        parts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn rounds_are_folded_from_four_on() {
        assert_eq!(show(&folded(&lines(&[1, 2, 3, 2, 3, 2, 3, 4]))), "0 1 2 3 4 5 6 7");
        assert_eq!(
            show(&folded(&lines(&[1, 2, 3, 2, 3, 2, 3, 2, 3, 4]))),
            "0 [1 2] 2 [7 8] 9"
        );
    }

    #[test]
    fn outer_rounds_are_folded_with_any_number_of_inner_ones() {
        let mut numbers = Vec::new();
        for inner in [4, 5, 9, 6, 4] {
            numbers.push(1);
            numbers.extend(std::iter::repeat_n(2, inner));
        }
        assert_eq!(show(&folded(&lines(&numbers))), "[0 [1] 2 [4]] 3 [28 [29] 2 [32]]");
    }
}
