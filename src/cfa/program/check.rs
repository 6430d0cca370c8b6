//! Checks: places where C gives an operation no meaning.
//!
//! Lowering puts a check before an operation whose operands may be outside of what C allows: a test, and an edge that only executions pass which violate
//! it. The edge has a label that no C program can have, so that a check is found, tracked, sliced and replayed like a label of the program. Behind it, the execution goes on as
//! the machine does: a check observes, and the verdict on another property does not depend on it.
//!
//! A place is a position in the text: an operation that is lowered twice, as a clean-up is that runs in several places, is one place.

use super::Op;
use crate::frontend::text::source::Loc;
use std::fmt;

/// The sorts of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckKind {
    /// The result of a signed operation is not in the range of its type (C11 6.5 §5).
    Overflow,
    /// The right operand of `/` or `%` of integers is 0 (C11 6.5.5 §5).
    Division,
    /// A shift by a negative number, or by the width of the left operand or more (C11 6.5.7 §3).
    Shift,
    /// The index into an array in sight is negative, or not below its length (C11 6.5.6 §8).
    Bounds,
    /// An object is accessed through a null pointer (C11 6.5.3.2 §4).
    Null,
    /// Bytes are accessed that do not lie in an object that exists (C11 6.2.4 §2, 6.5.6 §8).
    Deref,
    /// A pointer is given back that does not point to a heap object that exists (C11 7.22.3.3 §2).
    Free,
    /// Nothing points to a heap object that exists.
    Memtrack,
    /// The program ends, and a heap object exists.
    Memcleanup,
    /// A variable is read that nothing has written (C11 6.3.2.1 §2).
    Uninit,
}

impl CheckKind {
    /// All sorts.
    pub const ALL: [CheckKind; 10] = [
        CheckKind::Overflow,
        CheckKind::Division,
        CheckKind::Shift,
        CheckKind::Bounds,
        CheckKind::Null,
        CheckKind::Deref,
        CheckKind::Free,
        CheckKind::Memtrack,
        CheckKind::Memcleanup,
        CheckKind::Uninit,
    ];

    /// The word for it in options, names and formulas.
    pub fn word(self) -> &'static str {
        match self {
            CheckKind::Overflow => "overflow",
            CheckKind::Division => "division",
            CheckKind::Shift => "shift",
            CheckKind::Bounds => "bounds",
            CheckKind::Null => "null",
            CheckKind::Deref => "valid-deref",
            CheckKind::Free => "valid-free",
            CheckKind::Memtrack => "valid-memtrack",
            CheckKind::Memcleanup => "valid-memcleanup",
            CheckKind::Uninit => "uninit",
        }
    }

    /// The deed of an execution that violates such a check.
    pub fn violation(self) -> &'static str {
        match self {
            CheckKind::Overflow => "the result is not in the range of its type",
            CheckKind::Division => "division by zero",
            CheckKind::Shift => "the number of bits to shift by is out of range",
            CheckKind::Bounds => "the index is outside of the array",
            CheckKind::Null => "the pointer is null",
            CheckKind::Deref => "the access goes outside of every object that exists",
            CheckKind::Free => "the pointer does not point to a heap object that can be freed",
            CheckKind::Memtrack => "a heap object is lost: nothing points to it",
            CheckKind::Memcleanup => "the program ends, and a heap object was not freed",
            CheckKind::Uninit => "a variable is read that nothing has written",
        }
    }

    /// Whether it is about the objects that exist, and not about values alone.
    pub fn is_about_objects(self) -> bool {
        use CheckKind::{Deref, Free, Memcleanup, Memtrack};
        matches!(self, Deref | Free | Memtrack | Memcleanup)
    }

    /// The formula that forbids violations, in the notation of property files.
    pub fn formula(self) -> String {
        match self.is_about_objects() {
            true => format!("G {self}"),
            false => format!("G ! {self}"),
        }
    }

    /// The sort that a word names.
    pub fn named(word: &str) -> Option<CheckKind> {
        CheckKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl fmt::Display for CheckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A set of sorts of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Checks(u16);

impl Checks {
    /// No check at all.
    pub const NONE: Checks = Checks(0);

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a sort is in the set.
    pub fn contains(self, kind: CheckKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Adds a sort.
    pub fn insert(&mut self, kind: CheckKind) {
        self.0 |= 1 << kind as u8;
    }

    /// The sorts in the set, in their order.
    pub fn iter(self) -> impl Iterator<Item = CheckKind> {
        CheckKind::ALL.into_iter().filter(move |&kind| self.contains(kind))
    }
}

impl FromIterator<CheckKind> for Checks {
    fn from_iter<I: IntoIterator<Item = CheckKind>>(kinds: I) -> Checks {
        let mut set = Checks::NONE;
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

/// A place that is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Check {
    /// The sort of violation that must not happen.
    pub kind: CheckKind,
    /// Where the operation stands.
    pub at: Loc,
}

impl Check {
    /// The label of the edges that violate it. No label of a C program has a space.
    pub fn label(self) -> String {
        format!("{} {}", self.kind, self.at.0)
    }

    /// The check that a label belongs to.
    pub fn of_label(label: &str) -> Option<Check> {
        let (kind, at) = label.split_once(' ')?;
        let kind = CheckKind::named(kind)?;
        let at = Loc(at.parse().ok()?);
        Some(Check { at, kind })
    }

    /// Whether an operation is the violation of a check that asks about all heap objects at once.
    pub fn is_about_heap(op: &Op) -> bool {
        let Op::Label(label) = op else { return false };
        let kind = Check::of_label(label).map(|check| check.kind);
        matches!(kind, Some(CheckKind::Memtrack | CheckKind::Memcleanup))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_say_what_is_checked() {
        for kind in CheckKind::ALL {
            let check = Check { at: Loc(17), kind };
            assert_eq!(Check::of_label(&check.label()), Some(check));
            assert_eq!(CheckKind::named(kind.word()), Some(kind));
        }
        for label in ["ERROR", "overflow", "overflow x", "error 17"] {
            assert_eq!(Check::of_label(label), None);
        }
        let some: Checks = [CheckKind::Shift, CheckKind::Overflow].into_iter().collect();
        assert_eq!(some.iter().collect::<Vec<_>>(), [CheckKind::Overflow, CheckKind::Shift]);
    }
}
