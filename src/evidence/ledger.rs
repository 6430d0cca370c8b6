//! The assumption ledger: everything that a verdict takes on trust, aggregated for people and files.
//!
//! Lowering, encoding and replay each record what they approximate. Here equal assumptions are put together, with their count and
//! first place, in an order that depends on nothing but their content. A verdict is printed with one line that names the kinds;
//! reports list everything.

use crate::cfa::{Assumption, AssumptionKind};
use crate::frontend::text::source::{Loc, SourceMap};
use std::collections::BTreeMap;

/// Assumptions of one kind and wording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The kind.
    pub kind: AssumptionKind,
    /// The assumption, as a sentence fragment.
    pub detail: String,
    /// Whether a TRUE holds even where the assumption does not.
    pub sound: bool,
    /// In how many places.
    pub count: usize,
    /// The first place, `file:line:column`; empty if it concerns the program as a whole.
    pub place: String,
}

/// The ledger of one verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The entries: unsound ones first, then by kind and wording.
    pub entries: Vec<Entry>,
}

impl Ledger {
    /// Aggregates assumptions.
    pub fn new<'a>(assumptions: impl IntoIterator<Item = &'a Assumption>, sources: &SourceMap) -> Ledger {
        let mut groups: BTreeMap<(bool, AssumptionKind, &str), (usize, Loc)> = BTreeMap::new();
        for assumption in assumptions {
            let key = (assumption.sound, assumption.kind, assumption.detail.as_str());
            let (count, first) = groups.entry(key).or_insert((0, Loc::NONE));
            *count += 1;
            // `Loc::NONE` is greater than every real position.
            *first = (*first).min(assumption.loc);
        }
        let entries = groups
            .into_iter()
            .map(|((sound, kind, detail), (count, loc))| Entry {
                kind,
                detail: detail.to_string(),
                sound,
                count,
                place: if loc.is_some() {
                    sources.resolve(loc).to_string()
                } else {
                    String::new()
                },
            })
            .collect();
        Ledger { entries }
    }

    /// The first assumption on which a TRUE rests and which may be wrong.
    pub fn unsound(&self) -> Option<&Entry> {
        self.entries.iter().find(|entry| !entry.sound)
    }

    /// One line: the kinds with their counts, those that a TRUE rests on marked with `!`. `None` if nothing is assumed.
    pub fn summary(&self) -> Option<String> {
        let mut kinds: BTreeMap<(bool, AssumptionKind), usize> = BTreeMap::new();
        for entry in &self.entries {
            *kinds.entry((entry.sound, entry.kind)).or_insert(0) += entry.count;
        }
        let words: Vec<String> = kinds
            .into_iter()
            .map(|((sound, kind), count)| format!("{}{} ({count})", kind.name(), if sound { "" } else { "!" }))
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::text::source::Source;

    #[test]
    fn equal_assumptions_are_counted_and_the_unsound_come_first() {
        let sources = SourceMap::new(Source::new("a.c", "int x;\nint y;\n"));
        let one = |kind, detail: &str, at, sound| Assumption {
            kind,
            detail: detail.to_string(),
            loc: Loc(at),
            sound,
        };
        let list = [
            one(AssumptionKind::SignedWrap, "signed overflow wraps around", 9, true),
            one(AssumptionKind::ExternFunction, "`f` touches nothing", 8, false),
            one(AssumptionKind::SignedWrap, "signed overflow wraps around", 2, true),
        ];
        let ledger = Ledger::new(&list, &sources);
        let lines: Vec<_> = ledger
            .entries
            .iter()
            .map(|entry| (entry.kind.name(), entry.count, entry.place.as_str()))
            .collect();
        assert_eq!(
            lines,
            [("extern function", 1, "a.c:2:2"), ("signed wrap", 2, "a.c:1:3")]
        );
        assert_eq!(
            ledger.summary().as_deref(),
            Some("extern function! (1), signed wrap (2)")
        );
        assert_eq!(
            ledger.unsound().map(|entry| entry.kind),
            Some(AssumptionKind::ExternFunction)
        );
    }
}
