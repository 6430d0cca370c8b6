//! The builders of formulas, variables, applications and updates.

use super::intern::Key;
use super::{FALSE, Sort, Symbol, SymbolId, TRUE, Term, TermId, TermPool, UpdateSource};
use crate::hash::FxHashSet;
use crate::num::Int;

/// A conjunction inside a conjunction is flattened up to this many members. The bound keeps a chain of `and2` over a long path
/// linear in size; flattening without bound would copy the whole prefix at each step.
const FLATTEN: usize = 32;

/// The two dual n-ary connectives.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Connective {
    And,
    Or,
}

impl TermPool {
    /// The true formula.
    #[inline]
    pub fn mk_true(&self) -> TermId {
        TRUE
    }

    /// The false formula.
    #[inline]
    pub fn mk_false(&self) -> TermId {
        FALSE
    }

    /// A truth value.
    #[inline]
    pub fn mk_bool(&self, value: bool) -> TermId {
        if value { TRUE } else { FALSE }
    }

    /// A propositional variable in version `index`.
    pub fn bool_var(&mut self, name: SymbolId, index: u32) -> TermId {
        self.intern(Term::BoolVar(Symbol { name, index }))
    }

    /// An integer variable in version `index`.
    pub fn int_var(&mut self, name: SymbolId, index: u32) -> TermId {
        self.intern(Term::IntVar(Symbol { name, index }))
    }

    /// The application of version `index` of a function to integer arguments; without arguments, an integer variable.
    pub fn app(&mut self, name: SymbolId, index: u32, arguments: &[TermId]) -> TermId {
        debug_assert!(
            arguments.iter().all(|&a| self.sort(a) == Sort::Int),
            "arguments are integers"
        );
        if arguments.is_empty() {
            return self.int_var(name, index);
        }
        self.intern_key(&Key::App(Symbol { name, index }, arguments))
    }

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        match *self.term(a) {
            Term::True => FALSE,
            Term::False => TRUE,
            Term::Not(inner) => inner,
            _ => {
                debug_assert!(self.sort(a) == Sort::Bool, "negation of a formula");
                self.intern(Term::Not(a))
            }
        }
    }

    /// Conjunction, true if there are no formulas.
    pub fn and(&mut self, formulas: &[TermId]) -> TermId {
        self.nary(Connective::And, formulas)
    }

    /// Disjunction, false if there are no formulas.
    pub fn or(&mut self, formulas: &[TermId]) -> TermId {
        self.nary(Connective::Or, formulas)
    }

    /// `a and b`.
    pub fn and2(&mut self, a: TermId, b: TermId) -> TermId {
        self.nary(Connective::And, &[a, b])
    }

    /// `a or b`.
    pub fn or2(&mut self, a: TermId, b: TermId) -> TermId {
        self.nary(Connective::Or, &[a, b])
    }

    /// `a implies b`.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or2(not_a, b)
    }

    fn nary(&mut self, connective: Connective, formulas: &[TermId]) -> TermId {
        let (neutral, absorbing) = match connective {
            Connective::And => (TRUE, FALSE),
            Connective::Or => (FALSE, TRUE),
        };
        match *formulas {
            [] => return neutral,
            [a] => return a,
            [a, b] if a == b || b == neutral => return a,
            [a, b] if a == neutral => return b,
            _ if formulas.contains(&absorbing) => return absorbing,
            _ => {}
        }
        let mut members = std::mem::take(&mut self.id_scratch);
        members.clear();
        for &formula in formulas {
            match (connective, self.term(formula)) {
                (Connective::And, Term::And(inner)) | (Connective::Or, Term::Or(inner)) if inner.len() <= FLATTEN => {
                    members.extend_from_slice(inner);
                }
                _ if formula == neutral => {}
                _ => members.push(formula),
            }
        }
        members.sort_unstable();
        members.dedup();
        let contradictory = members
            .iter()
            .any(|&m| matches!(self.term(m), Term::Not(inner) if members.binary_search(inner).is_ok()));
        let result = match (&members[..], connective) {
            _ if contradictory => absorbing,
            ([], _) => neutral,
            ([single], _) => *single,
            (many, Connective::And) => self.intern_key(&Key::And(many)),
            (many, Connective::Or) => self.intern_key(&Key::Or(many)),
        };
        self.id_scratch = members;
        result
    }

    /// `a` if and only if `b`. Negations move outside.
    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        let strip = |pool: &TermPool, t: TermId| match *pool.term(t) {
            Term::Not(inner) => (inner, true),
            Term::False => (TRUE, true),
            _ => (t, false),
        };
        let ((a, not_a), (b, not_b)) = (strip(self, a), strip(self, b));
        let positive = if a == b {
            TRUE
        } else if a == TRUE {
            b
        } else if b == TRUE {
            a
        } else {
            self.intern(Term::Iff(a.min(b), a.max(b)))
        };
        if not_a == not_b { positive } else { self.not(positive) }
    }

    /// Equality of two numbers, or of two formulas.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::Int | Sort::Real => self.eq_number(a, b),
        }
    }

    /// The negation of [`TermPool::eq`].
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// `if condition then yes else no`, over formulas or over numbers.
    pub fn ite(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        debug_assert!(
            (self.sort(yes) == Sort::Bool) == (self.sort(no) == Sort::Bool),
            "both branches are formulas, or both numbers"
        );
        match *self.term(condition) {
            Term::True => return yes,
            Term::False => return no,
            Term::Not(inner) => return self.ite(inner, no, yes),
            _ if yes == no => return yes,
            _ => {}
        }
        match self.sort(yes) {
            Sort::Int | Sort::Real => self.intern(Term::Ite(condition, yes, no)),
            Sort::Bool => self.ite_bool(condition, yes, no),
        }
    }

    fn ite_bool(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        if yes == TRUE || yes == condition {
            return self.or2(condition, no);
        }
        if no == FALSE || no == condition {
            return self.and2(condition, yes);
        }
        let not_condition = self.not(condition);
        if yes == FALSE || yes == not_condition {
            return self.and2(not_condition, no);
        }
        if no == TRUE || no == not_condition {
            return self.or2(not_condition, yes);
        }
        if matches!(*self.term(yes), Term::Not(inner) if inner == no)
            || matches!(*self.term(no), Term::Not(inner) if inner == yes)
        {
            return self.iff(condition, yes);
        }
        self.intern(Term::IteBool(condition, yes, no))
    }

    /// The atom that `new` is `old` but for the cells from `lo` up to, not including, `hi`; see [`Term::Update`].
    pub fn update(&mut self, new: Symbol, old: Symbol, lo: TermId, hi: TermId, source: UpdateSource) -> TermId {
        let empty = lo == hi
            || matches!((self.term(lo), self.term(hi)), (Term::Const(first), Term::Const(end)) if first >= end);
        if !empty {
            return self.intern(Term::Update {
                new,
                old,
                lo,
                hi,
                source,
            });
        }
        if new == old {
            return TRUE;
        }
        let zero = self.int(Int::ZERO);
        self.intern(Term::Update {
            new,
            old,
            lo: zero,
            hi: zero,
            source: UpdateSource::Havoc,
        })
    }

    /// The atom that `new` is `old` but for `new(at) = value`.
    pub fn point_update(&mut self, new: Symbol, old: Symbol, at: TermId, value: TermId) -> TermId {
        let one = self.int(Int::ONE);
        let end = self.add(at, one);
        self.update(new, old, at, end, UpdateSource::Const(value))
    }

    /// The members of a conjunction, however nested, in order; a formula that is no conjunction is its only member.
    pub fn conjuncts(&self, formula: TermId) -> Vec<TermId> {
        let (mut found, mut stack) = (Vec::new(), vec![formula]);
        // A nested conjunction that is shared has exponentially many occurrences; the first one counts.
        let mut seen = FxHashSet::default();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            match self.term(t) {
                Term::And(members) => stack.extend(members.iter().rev()),
                Term::True => {}
                _ => found.push(t),
            }
        }
        found
    }
}
