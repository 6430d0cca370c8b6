//! Traversals: renaming symbols, substitution, symbols and atoms of a term, structural order. All are iterative.

use super::{Symbol, Term, TermId, TermPool, UpdateSource};
use crate::hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

impl Term {
    /// Calls `each` for every direct child, from left to right.
    pub fn for_each_child(&self, mut each: impl FnMut(TermId)) {
        match self {
            Term::True | Term::False | Term::BoolVar(_) | Term::IntVar(_) | Term::RealVar(_) | Term::Const(_) => {}
            Term::Not(a) | Term::Le(a) | Term::Lt(a) | Term::Eq(a) | Term::Div(a, _) | Term::Ratio(a, _) => each(*a),
            Term::Iff(a, b) => {
                each(*a);
                each(*b);
            }
            Term::IteBool(a, b, c) | Term::Ite(a, b, c) => {
                each(*a);
                each(*b);
                each(*c);
            }
            Term::And(children) | Term::Or(children) | Term::App(_, children) | Term::RealApp(_, children) => {
                children.iter().copied().for_each(each);
            }
            Term::Sum(monomials, _) => monomials.iter().for_each(|m| each(m.1)),
            Term::Update { lo, hi, source, .. } => {
                each(*lo);
                each(*hi);
                match source {
                    UpdateSource::Const(value) => each(*value),
                    UpdateSource::Havoc => {}
                    UpdateSource::Copy { shift, .. } => each(*shift),
                }
            }
        }
    }

    /// Calls `each` for every symbol that stands directly at this term's root.
    pub fn for_each_symbol(&self, mut each: impl FnMut(Symbol)) {
        match self {
            Term::BoolVar(s) | Term::IntVar(s) | Term::RealVar(s) | Term::App(s, _) | Term::RealApp(s, _) => each(*s),
            Term::Update { new, old, source, .. } => {
                each(*new);
                each(*old);
                if let UpdateSource::Copy { from, .. } = source {
                    each(*from);
                }
            }
            _ => {}
        }
    }
}

impl TermPool {
    /// The term with every symbol replaced by the answer of `rename`. So a predicate is instantiated for an SSA index, and a
    /// formula is brought back. `rename` is called once per distinct symbol-bearing sub-term and must answer consistently.
    pub fn map_symbols(&mut self, term: TermId, rename: &mut dyn FnMut(Symbol) -> Symbol) -> TermId {
        self.rewrite(term, &mut |_| None, rename)
    }

    /// The term with every sub-term that is a key of `replacements` replaced by its value, outermost first; replacements are not
    /// searched again. Keys are matched as whole terms: a key that is a sum does not match a part of a larger sum.
    pub fn substitute(&mut self, term: TermId, replacements: &FxHashMap<TermId, TermId>) -> TermId {
        self.rewrite(term, &mut |t| replacements.get(&t).copied(), &mut |s| s)
    }

    fn rewrite(
        &mut self,
        root: TermId,
        replace: &mut dyn FnMut(TermId) -> Option<TermId>,
        rename: &mut dyn FnMut(Symbol) -> Symbol,
    ) -> TermId {
        self.begin_memo(root);
        let mut stack = std::mem::take(&mut self.stack_scratch);
        stack.clear();
        stack.push(root);
        while let Some(&term) = stack.last() {
            if self.memo_has(term) {
                stack.pop();
                continue;
            }
            if let Some(replacement) = replace(term) {
                self.memo[term.index()] = (self.stamp, replacement);
                stack.pop();
                continue;
            }
            let height = stack.len();
            self.terms[term.index()].for_each_child(|child| {
                if !self.memo_has(child) {
                    stack.push(child);
                }
            });
            if stack.len() == height {
                stack.pop();
                let result = self.rebuild(term, rename);
                self.memo[term.index()] = (self.stamp, result);
            }
        }
        self.stack_scratch = stack;
        self.memo[root.index()].1
    }

    /// Invalidates the memo table and makes it long enough for all terms below `root`.
    fn begin_memo(&mut self, root: TermId) {
        if self.stamp == u32::MAX {
            self.memo.clear();
            self.stamp = 0;
        }
        self.stamp += 1;
        if self.memo.len() <= root.index() {
            // All sub-terms have smaller ids than their parents.
            self.memo.resize(self.terms.len(), (0, root));
        }
    }

    #[inline]
    fn memo_has(&self, term: TermId) -> bool {
        self.memo[term.index()].0 == self.stamp
    }

    #[inline]
    fn mapped(&self, term: TermId) -> TermId {
        debug_assert!(self.memo_has(term));
        self.memo[term.index()].1
    }

    /// The term over its children's memoised images and renamed symbols. Long, as it has a case for each kind of term.
    fn rebuild(&mut self, id: TermId, rename: &mut dyn FnMut(Symbol) -> Symbol) -> TermId {
        match self.terms[id.index()] {
            Term::True | Term::False | Term::Const(_) => id,
            Term::BoolVar(s) => {
                let s = rename(s);
                self.intern(Term::BoolVar(s))
            }
            Term::IntVar(s) => {
                let s = rename(s);
                self.intern(Term::IntVar(s))
            }
            Term::RealVar(s) => {
                let s = rename(s);
                self.intern(Term::RealVar(s))
            }
            Term::Not(a) => {
                let a = self.mapped(a);
                self.not(a)
            }
            Term::Iff(a, b) => {
                let (a, b) = (self.mapped(a), self.mapped(b));
                self.iff(a, b)
            }
            Term::IteBool(a, b, c) | Term::Ite(a, b, c) => {
                let (a, b, c) = (self.mapped(a), self.mapped(b), self.mapped(c));
                self.ite(a, b, c)
            }
            Term::Le(a) => match self.mapped(a) {
                same if same == a => id,
                new => self.le_zero(new),
            },
            Term::Lt(a) => match self.mapped(a) {
                same if same == a => id,
                new => self.lt_zero(new),
            },
            Term::Eq(a) => match self.mapped(a) {
                same if same == a => id,
                new => self.eq_zero(new),
            },
            Term::Div(a, ref divisor) => match self.mapped(a) {
                same if same == a => id,
                new => {
                    let divisor = divisor.clone();
                    self.div_floor(new, &divisor)
                }
            },
            Term::Ratio(a, ref divisor) => match self.mapped(a) {
                same if same == a => id,
                new => {
                    let divisor = divisor.clone();
                    self.ratio(new, &divisor)
                }
            },
            Term::Sum(ref monomials, ref constant) => {
                if monomials.iter().all(|&(_, t)| self.mapped(t) == t) {
                    return id;
                }
                let constant = constant.clone();
                let mut linear = self.begin_linear();
                linear.add_constant(&constant);
                let Term::Sum(monomials, _) = self.term(id) else {
                    unreachable!("a term keeps its kind")
                };
                for (coefficient, t) in monomials {
                    linear.add(self, coefficient, self.mapped(*t));
                }
                self.finish_linear(linear)
            }
            Term::And(_) | Term::Or(_) | Term::App(..) | Term::RealApp(..) => {
                let mut images = std::mem::take(&mut self.image_scratch);
                images.clear();
                let (Term::And(children) | Term::Or(children) | Term::App(_, children) | Term::RealApp(_, children)) =
                    &self.terms[id.index()]
                else {
                    unreachable!("a term keeps its kind")
                };
                images.extend(children.iter().map(|&c| self.mapped(c)));
                let same = images[..] == **children;
                let result = match self.terms[id.index()] {
                    Term::App(s, _) => {
                        let s = rename(s);
                        self.app(s.name, s.index, &images)
                    }
                    Term::RealApp(s, _) => {
                        let s = rename(s);
                        self.real_app(s.name, s.index, &images)
                    }
                    _ if same => id,
                    Term::And(_) => self.and(&images),
                    _ => self.or(&images),
                };
                self.image_scratch = images;
                result
            }
            Term::Update {
                new,
                old,
                lo,
                hi,
                source,
            } => {
                let source = match source {
                    UpdateSource::Const(value) => UpdateSource::Const(self.mapped(value)),
                    UpdateSource::Havoc => UpdateSource::Havoc,
                    UpdateSource::Copy { from, shift } => UpdateSource::Copy {
                        from: rename(from),
                        shift: self.mapped(shift),
                    },
                };
                let (lo, hi) = (self.mapped(lo), self.mapped(hi));
                self.update(rename(new), rename(old), lo, hi, source)
            }
        }
    }

    /// Calls `visit` once for each distinct sub-term of `roots`, parents before children.
    pub fn visit(&self, roots: &[TermId], mut visit: impl FnMut(TermId, &Term)) {
        let mut seen = FxHashSet::default();
        let mut stack: Vec<TermId> = roots.iter().rev().copied().filter(|&root| seen.insert(root)).collect();
        while let Some(id) = stack.pop() {
            let term = self.term(id);
            visit(id, term);
            term.for_each_child(|child| {
                if seen.insert(child) {
                    stack.push(child);
                }
            });
        }
    }

    /// The different numbers that nested conditionals may be, in the order of the branches; of another term that term.
    pub fn branches(&self, term: TermId) -> Vec<TermId> {
        let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![term]);
        while let Some(id) = stack.pop() {
            match *self.term(id) {
                _ if !seen.insert(id) => {}
                Term::Ite(_, yes, no) => stack.extend([no, yes]),
                _ => found.push(id),
            }
        }
        found
    }

    /// All distinct sub-terms of `roots`, children before parents.
    pub fn sub_terms(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        self.visit(roots, |id, _| found.push(id));
        found.sort_unstable();
        found
    }

    /// The variables and functions of the term, sorted by id, without duplicates.
    pub fn symbols(&self, term: TermId) -> Vec<Symbol> {
        self.symbols_of(&[term])
    }

    /// The variables and functions of several terms, sorted by id, without duplicates.
    pub fn symbols_of(&self, terms: &[TermId]) -> Vec<Symbol> {
        let mut found = Vec::new();
        self.visit(terms, |_, term| term.for_each_symbol(|s| found.push(s)));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The atoms and propositional variables of the term, sorted by id, without duplicates.
    pub fn atoms(&self, term: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        self.visit(&[term], |id, _| {
            if self.is_atom(id) {
                found.push(id);
            }
        });
        found.sort_unstable();
        found
    }

    /// The number of distinct sub-terms, the term included.
    pub fn dag_size(&self, term: TermId) -> usize {
        let mut size = 0;
        self.visit(&[term], |_, _| size += 1);
        size
    }

    /// A total order of terms by structure and names, the same in every pool that holds the same terms in the same normal form.
    /// Linear in the first difference: equal sub-terms have equal ids and are not entered.
    pub fn compare(&self, a: TermId, b: TermId) -> Ordering {
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            if a == b {
                continue;
            }
            let ordering = self.compare_roots(a, b);
            if ordering != Ordering::Equal {
                return ordering;
            }
            let (mut left, mut right) = (Vec::new(), Vec::new());
            self.term(a).for_each_child(|child| left.push(child));
            self.term(b).for_each_child(|child| right.push(child));
            pairs.extend(left.into_iter().zip(right).rev());
        }
        Ordering::Equal
    }

    /// A total order of symbols by name and index.
    pub fn compare_symbols(&self, a: Symbol, b: Symbol) -> Ordering {
        if a.name == b.name {
            a.index.cmp(&b.index)
        } else {
            self.name(a.name).cmp(self.name(b.name))
        }
    }

    /// The order of two terms by everything but their children.
    fn compare_roots(&self, a: TermId, b: TermId) -> Ordering {
        let (a, b) = (self.term(a), self.term(b));
        rank(a).cmp(&rank(b)).then_with(|| match (a, b) {
            (Term::Const(x), Term::Const(y))
            | (Term::Div(_, x), Term::Div(_, y))
            | (Term::Ratio(_, x), Term::Ratio(_, y)) => x.cmp(y),
            (Term::And(x), Term::And(y)) | (Term::Or(x), Term::Or(y)) => x.len().cmp(&y.len()),
            (Term::App(f, x), Term::App(g, y)) | (Term::RealApp(f, x), Term::RealApp(g, y)) => {
                self.compare_symbols(*f, *g).then(x.len().cmp(&y.len()))
            }
            (Term::Sum(x, k), Term::Sum(y, l)) => {
                let by_coefficients = || x.iter().map(|m| &m.0).cmp(y.iter().map(|m| &m.0));
                x.len().cmp(&y.len()).then_with(by_coefficients).then_with(|| k.cmp(l))
            }
            _ => {
                let (mut left, mut right) = (Vec::new(), Vec::new());
                a.for_each_symbol(|s| left.push(s));
                b.for_each_symbol(|s| right.push(s));
                let by_symbols = left.iter().zip(&right).map(|(s, t)| self.compare_symbols(*s, *t));
                by_symbols
                    .fold(Ordering::Equal, Ordering::then)
                    .then(left.len().cmp(&right.len()))
            }
        })
    }
}

/// The position of a term's kind in the structural order.
fn rank(term: &Term) -> u8 {
    match term {
        Term::False => 0,
        Term::True => 1,
        Term::BoolVar(_) => 2,
        Term::Le(_) => 3,
        Term::Lt(_) => 4,
        Term::Eq(_) => 5,
        Term::Update {
            source: UpdateSource::Const(_),
            ..
        } => 6,
        Term::Update {
            source: UpdateSource::Havoc,
            ..
        } => 7,
        Term::Update {
            source: UpdateSource::Copy { .. },
            ..
        } => 8,
        Term::Not(_) => 9,
        Term::And(_) => 10,
        Term::Or(_) => 11,
        Term::Iff(..) => 12,
        Term::IteBool(..) => 13,
        Term::Const(_) => 14,
        Term::IntVar(_) => 15,
        Term::RealVar(_) => 16,
        Term::App(..) => 17,
        Term::RealApp(..) => 18,
        Term::Div(..) => 19,
        Term::Ratio(..) => 20,
        Term::Ite(..) => 21,
        Term::Sum(..) => 22,
    }
}
