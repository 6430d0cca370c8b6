//! Formulas that travel between pools: the only form in which terms cross threads.

use super::{NO_INDEX, Symbol, SymbolId, Term, TermId, TermPool, UpdateSource};
use crate::hash::FxHashMap;
use std::sync::Arc;

/// A list of formulas with their names, independent of any pool. Cloning shares the content.
#[derive(Clone, Debug)]
pub struct Portable(Arc<Content>);

/// Terms in topological order; their ids are positions in `terms`, their symbols' names positions in `names`.
#[derive(Debug)]
struct Content {
    terms: Vec<Term>,
    names: Vec<Arc<str>>,
    roots: Vec<TermId>,
}

impl Portable {
    /// The number of formulas.
    pub fn len(&self) -> usize {
        self.0.roots.len()
    }

    /// Whether there are no formulas.
    pub fn is_empty(&self) -> bool {
        self.0.roots.is_empty()
    }

    /// The names of variables and functions in the formulas, in a fixed order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.names.iter().map(|name| &**name)
    }

    /// The number of distinct terms in the formulas.
    pub fn term_count(&self) -> usize {
        self.0.terms.len()
    }
}

impl Term {
    /// The same node over other children and symbols.
    fn relocate(&self, child: impl Fn(TermId) -> TermId, symbol: &mut impl FnMut(Symbol) -> Symbol) -> Term {
        let children = |list: &[TermId]| list.iter().map(|&c| child(c)).collect();
        match self {
            Term::True => Term::True,
            Term::False => Term::False,
            Term::BoolVar(s) => Term::BoolVar(symbol(*s)),
            Term::IntVar(s) => Term::IntVar(symbol(*s)),
            Term::RealVar(s) => Term::RealVar(symbol(*s)),
            Term::Not(a) => Term::Not(child(*a)),
            Term::And(list) => Term::And(children(list)),
            Term::Or(list) => Term::Or(children(list)),
            Term::Iff(a, b) => Term::Iff(child(*a), child(*b)),
            Term::IteBool(a, b, c) => Term::IteBool(child(*a), child(*b), child(*c)),
            Term::Ite(a, b, c) => Term::Ite(child(*a), child(*b), child(*c)),
            Term::Le(a) => Term::Le(child(*a)),
            Term::Lt(a) => Term::Lt(child(*a)),
            Term::Eq(a) => Term::Eq(child(*a)),
            Term::Div(a, divisor) => Term::Div(child(*a), divisor.clone()),
            Term::Ratio(a, divisor) => Term::Ratio(child(*a), divisor.clone()),
            Term::App(f, list) => Term::App(symbol(*f), children(list)),
            Term::RealApp(f, list) => Term::RealApp(symbol(*f), children(list)),
            Term::Const(value) => Term::Const(value.clone()),
            Term::Sum(monomials, constant) => Term::Sum(
                monomials.iter().map(|(c, t)| (c.clone(), child(*t))).collect(),
                constant.clone(),
            ),
            Term::Update {
                new,
                old,
                lo,
                hi,
                source,
            } => Term::Update {
                new: symbol(*new),
                old: symbol(*old),
                lo: child(*lo),
                hi: child(*hi),
                source: match source {
                    UpdateSource::Const(value) => UpdateSource::Const(child(*value)),
                    UpdateSource::Havoc => UpdateSource::Havoc,
                    UpdateSource::Copy { from, shift } => UpdateSource::Copy {
                        from: symbol(*from),
                        shift: child(*shift),
                    },
                },
            },
        }
    }
}

impl TermPool {
    /// Copies formulas out of the pool.
    pub fn export(&self, roots: &[TermId]) -> Portable {
        let order = self.sub_terms(roots);
        let positions: FxHashMap<TermId, TermId> = order
            .iter()
            .zip(0..)
            .map(|(&id, position)| (id, TermId(position)))
            .collect();
        let mut names = Vec::new();
        let mut local_names: FxHashMap<SymbolId, SymbolId> = FxHashMap::default();
        let mut symbol = |s: Symbol| {
            let name = *local_names.entry(s.name).or_insert_with(|| {
                names.push(Arc::clone(&self.names[s.name.index()]));
                SymbolId(u32::try_from(names.len() - 1).expect("fewer names than the pool has"))
            });
            Symbol { name, index: s.index }
        };
        let terms = order
            .iter()
            .map(|&id| self.term(id).relocate(|c| positions[&c], &mut symbol))
            .collect();
        let roots = roots.iter().map(|root| positions[root]).collect();
        Portable(Arc::new(Content { terms, names, roots }))
    }

    /// Builds the formulas in this pool. The result is normalised for this pool: the order of ids, and with it the sign of an
    /// equation or the order of a conjunction, may differ from the pool of origin, the meaning does not.
    pub fn import(&mut self, portable: &Portable) -> Vec<TermId> {
        self.import_at(portable, &[])
    }

    /// As [`TermPool::import`], with later versions of the symbols: the indices of those with the name at position `i` of
    /// [`Portable::names`] grow by `shift[i]`; positions behind the end and symbols without index stay.
    pub fn import_at(&mut self, portable: &Portable, shift: &[u32]) -> Vec<TermId> {
        let content = &*portable.0;
        let names: Vec<SymbolId> = content.names.iter().map(|name| self.symbol(name)).collect();
        let mut images: Vec<TermId> = Vec::with_capacity(content.terms.len());
        for term in &content.terms {
            let mut symbol = |s: Symbol| Symbol {
                name: names[s.name.index()],
                index: match shift.get(s.name.index()) {
                    Some(shift) if s.index != NO_INDEX => s.index + shift,
                    _ => s.index,
                },
            };
            let moved = term.relocate(|c| images[c.index()], &mut symbol);
            images.push(self.normalised(moved));
        }
        content.roots.iter().map(|root| images[root.index()]).collect()
    }

    /// The builders' result for a node over children of this pool.
    fn normalised(&mut self, term: Term) -> TermId {
        match term {
            Term::Not(a) => self.not(a),
            Term::And(list) => self.and(&list),
            Term::Or(list) => self.or(&list),
            Term::Iff(a, b) => self.iff(a, b),
            Term::IteBool(c, a, b) | Term::Ite(c, a, b) => self.ite(c, a, b),
            Term::Le(a) => self.le_zero(a),
            Term::Lt(a) => self.lt_zero(a),
            Term::Eq(a) => self.eq_zero(a),
            Term::Div(a, divisor) => self.div_floor(a, &divisor),
            Term::Ratio(a, divisor) => self.ratio(a, &divisor),
            Term::App(f, list) => self.app(f.name, f.index, &list),
            Term::RealApp(f, list) => self.real_app(f.name, f.index, &list),
            Term::Sum(monomials, constant) => self.linear(&monomials, constant),
            Term::Update {
                new,
                old,
                lo,
                hi,
                source,
            } => self.update(new, old, lo, hi, source),
            leaf => self.intern(leaf),
        }
    }
}
