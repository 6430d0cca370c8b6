//! Liveness: only variables of formulas that are asserted now, or assumed, are decided and looked at by final checks.
//!
//! Literals and columns stay for good; liveness depends on assertions. [`Solver::activate`] marks terms, scopes take the marks back.

use super::Solver;
use super::arith::tableau::Column;
use super::euf::functions::App;
use crate::term::{Symbol, Term, TermId, TermPool, UpdateSource};

/// The live terms, in the order in which they became live.
#[derive(Default)]
pub(super) struct Liveness {
    /// Whether each term is live.
    pub terms: Vec<bool>,
    /// The live terms.
    pub log: Vec<TermId>,
    /// The columns of live integer leaves.
    pub columns: Vec<Column>,
    pub apps: Vec<App>,
    pub real_apps: Vec<App>,
    /// Update atoms.
    pub updates: Vec<TermId>,
    /// The number of applications, and of updates, that got their unconditional instances.
    pub eager_apps: usize,
    pub eager_updates: usize,
    /// Formulas that need a justified value: assertions, assumptions, observed formulas and parts of lemma instances.
    pub roots: Vec<TermId>,
    /// Formulas and applications of update instances that became live in the current check.
    pub lemma_roots: Vec<TermId>,
}

/// Lengths of the logs of liveness.
#[derive(Clone, Copy)]
pub(super) struct LiveMark {
    log: usize,
    columns: usize,
    apps: usize,
    real_apps: usize,
    updates: usize,
    roots: usize,
}

impl Liveness {
    /// The state now, for [`Solver::deactivate`].
    pub fn mark(&self) -> LiveMark {
        LiveMark {
            log: self.log.len(),
            columns: self.columns.len(),
            apps: self.apps.len(),
            real_apps: self.real_apps.len(),
            updates: self.updates.len(),
            roots: self.roots.len(),
        }
    }

    /// Whether a term is live.
    pub fn contains(&self, term: TermId) -> bool {
        self.terms.get(term.index()) == Some(&true)
    }
}

impl Solver {
    /// Makes the formula or integer term live, and lets the search justify it.
    pub(super) fn activate_root(&mut self, pool: &mut TermPool, root: TermId) {
        self.activate(pool, root);
        if !matches!(pool.term(root), Term::True | Term::False) {
            self.live.roots.push(root);
        }
    }

    /// Makes the formula or integer term live, with all of its parts: they have literals and columns afterwards.
    pub(super) fn activate(&mut self, pool: &mut TermPool, root: TermId) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if self.live.terms.len() <= term.index() {
                let wanted = pool.len().max(term.index() + 1);
                match self.live.terms.is_empty() {
                    // A large array of zeros costs nothing where nobody looks at it: a small question about terms of a large pool.
                    true => self.live.terms = vec![false; wanted],
                    false => self.live.terms.resize(wanted, false),
                }
            }
            if std::mem::replace(&mut self.live.terms[term.index()], true) {
                continue;
            }
            self.live.log.push(term);
            pool.term(term).for_each_child(|child| stack.push(child));
            match pool.term(term) {
                Term::True | Term::False | Term::Not(_) | Term::Const(_) | Term::Sum(..) | Term::Ratio(..) => {}
                Term::RealVar(_) | Term::IntVar(_) | Term::Div(..) | Term::Ite(..) => {
                    let column = self.column_of_leaf(pool, term);
                    self.attach_definition(pool, term);
                    if !pool.is_real(term) {
                        self.live.columns.push(column);
                    }
                }
                Term::App(symbol, arguments) | Term::RealApp(symbol, arguments) => {
                    let (symbol, arguments) = (*symbol, arguments.clone());
                    self.activate_application(pool, term, symbol, arguments);
                }
                Term::Update { .. } => self.activate_update(pool, term),
                _ => {
                    let lit = self.literal(pool, term);
                    self.search.set_live(lit.var());
                }
            }
        }
        self.add_definitions(pool);
        self.materialise(pool);
    }

    fn activate_application(&mut self, pool: &TermPool, term: TermId, symbol: Symbol, arguments: Box<[TermId]>) {
        let is_real = matches!(pool.term(term), Term::RealApp(..));
        if !is_real {
            self.begin_sharing(pool);
        }
        let column = self.column_of_leaf(pool, term);
        if !is_real {
            self.theories.euf.purity.add_result(symbol, column);
            self.live.columns.push(column);
        }
        for &argument in &arguments {
            self.form(pool, argument);
        }
        let apps = if is_real {
            &mut self.live.real_apps
        } else {
            &mut self.live.apps
        };
        apps.push(App {
            term,
            symbol,
            arguments,
            column,
        });
    }

    fn activate_update(&mut self, pool: &mut TermPool, term: TermId) {
        let lit = self.literal(pool, term);
        self.search.set_live(lit.var());
        self.live.updates.push(term);
        let update = self.theories.cells.updates[&term];
        let (mut terms, mut functions) = (vec![update.lo], vec![update.new, update.old]);
        match update.source {
            UpdateSource::Const(value) => terms.push(value),
            UpdateSource::Copy { from, shift } => {
                terms.push(shift);
                functions.push(from);
            }
            UpdateSource::Havoc => {}
        }
        if self.is_unordered(&update) {
            // Equations are enough.
            for part in terms {
                self.form(pool, part);
            }
            return;
        }
        terms.push(update.hi);
        for part in terms {
            let columns: Vec<Column> = self.form(pool, part).monomials.iter().map(|m| m.1).collect();
            for column in columns {
                self.theories.euf.purity.give_up(column);
            }
        }
        for function in functions {
            self.theories.euf.purity.give_up_function(function);
        }
    }

    /// Takes back liveness down to a length of the log.
    pub(super) fn deactivate(&mut self, mark: LiveMark) {
        for term in self.live.log.drain(mark.log..) {
            self.live.terms[term.index()] = false;
            if let Some(lit) = self.formulas.literals.get(&term) {
                self.search.live[lit.var().index()] = false;
            }
        }
        self.live.roots.truncate(mark.roots);
        self.justification.drop_roots(mark.roots);
        self.live.columns.truncate(mark.columns);
        self.live.apps.truncate(mark.apps);
        self.live.real_apps.truncate(mark.real_apps);
        self.live.updates.truncate(mark.updates);
        self.live.eager_apps = self.live.eager_apps.min(mark.apps);
        self.live.eager_updates = self.live.eager_updates.min(mark.updates);
    }
}
