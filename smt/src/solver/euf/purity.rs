//! The integer terms that arithmetic has to see.
//!
//! A leaf (variable, application, conditional) that occurs only in equations with other leaves or with constants, and as an argument, is *pure*:
//! congruence closure decides all of its atoms, and any values that tell its classes apart are a model. The elements of declared
//! sorts are like that. Such equations need no inequalities, no bounds and no rows. One bound `leaf <= k`, always with the same `k`, is
//! allowed too: that is how predicates are written.
//!
//! A leaf stops being pure when it gets into any other atom, and with it all leaves that equations connect it to, and all results of one function
//! together: so no equality has to cross the border. Equations that waited are given to arithmetic then (*materialised*).
//! With [`Config::arithmetic_only`](crate::solver::Config), nothing is pure; reals never are.

use super::egraph::Node;
use crate::hash::{FxHashMap, FxHashSet};
use crate::num::{Int, Rational};
use crate::proof::Var;
use crate::solver::Solver;
use crate::solver::arith::tableau::Column;
use crate::solver::theory::Verdict;
use crate::term::{Symbol, Term, TermId, TermPool};

/// Leaves that equations connect.
#[derive(Clone, Default)]
struct Component {
    impure: bool,
    /// Equations that arithmetic does not know.
    equations: Vec<TermId>,
    /// Bounds that the congruence closure knows.
    bounds: Vec<Var>,
    /// The constant of the bounds.
    threshold: Option<Int>,
    has_constants: bool,
}

/// A set of components of leaves, by column.
#[derive(Default)]
pub(in crate::solver) struct Purity {
    parents: Vec<u32>,
    components: Vec<Component>,
    /// A result of each function.
    results: FxHashMap<Symbol, Column>,
    /// Functions whose results arithmetic has to know.
    impure_functions: FxHashSet<Symbol>,
    /// Equations of components that are no longer pure.
    leaving: Vec<TermId>,
    /// Bounds of such components.
    retiring: Vec<Var>,
    /// The nodes of the congruence closure.
    nodes: FxHashMap<TermId, Node>,
}

impl Purity {
    fn root(&mut self, column: Column) -> usize {
        while self.parents.len() <= column.index() {
            self.parents
                .push(u32::try_from(self.parents.len()).expect("columns are 32 bits"));
            self.components.push(Component::default());
        }
        let mut at = column.index();
        while self.parents[at] as usize != at {
            self.parents[at] = self.parents[self.parents[at] as usize];
            at = self.parents[at] as usize;
        }
        at
    }

    /// Whether arithmetic does not have to know this leaf.
    pub fn is_pure(&mut self, column: Column) -> bool {
        let root = self.root(column);
        !self.components[root].impure
    }

    /// Arithmetic has to know this leaf.
    pub fn give_up(&mut self, column: Column) {
        let root = self.root(column);
        self.give_up_component(root);
    }

    fn give_up_component(&mut self, root: usize) {
        let component = &mut self.components[root];
        component.impure = true;
        self.leaving.append(&mut component.equations);
        self.retiring.append(&mut component.bounds);
    }

    fn join(&mut self, a: Column, b: Column) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let mut other = std::mem::take(&mut self.components[a]);
        self.parents[a] = u32::try_from(b).expect("columns are 32 bits");
        let own = &mut self.components[b];
        own.equations.append(&mut other.equations);
        own.bounds.append(&mut other.bounds);
        own.has_constants |= other.has_constants;
        let mut impure = own.impure || other.impure;
        match (&own.threshold, other.threshold) {
            (Some(k), Some(l)) => impure |= *k != l,
            (None, Some(l)) => own.threshold = Some(l),
            (_, None) => {}
        }
        impure |= own.has_constants && own.threshold.is_some();
        if impure {
            self.give_up_component(b);
        }
    }

    /// All results of a function are in one component.
    pub fn add_result(&mut self, function: Symbol, column: Column) {
        let other = *self.results.entry(function).or_insert(column);
        self.join(column, other);
        if self.impure_functions.contains(&function) {
            self.give_up(column);
        }
    }

    /// A function whose results arithmetic has to know.
    pub fn give_up_function(&mut self, function: Symbol) {
        self.impure_functions.insert(function);
        if let Some(&column) = self.results.get(&function) {
            self.give_up(column);
        }
    }

    /// Whether the leaf is still pure when it is compared with a constant.
    fn add_constant(&mut self, column: Column) -> bool {
        let root = self.root(column);
        self.components[root].has_constants = true;
        if self.components[root].threshold.is_some() {
            self.give_up_component(root);
        }
        !self.components[root].impure
    }

    /// Whether the leaf is still pure when it is bounded by `k`.
    fn add_bound(&mut self, column: Column, k: &Int) -> bool {
        let root = self.root(column);
        let component = &mut self.components[root];
        if component.has_constants || component.threshold.as_ref().is_some_and(|known| known != k) {
            self.give_up_component(root);
        } else if component.threshold.is_none() {
            component.threshold = Some(k.clone());
        }
        !self.components[root].impure
    }
}

/// The two sides of an equation between leaves, or of a leaf with a constant.
pub(in crate::solver) enum Sides {
    Leaves(TermId, TermId),
    Constant(TermId, Int),
}

pub(in crate::solver) fn sides(pool: &TermPool, sum: TermId) -> Option<Sides> {
    let mut leaves: Vec<(Int, TermId)> = Vec::new();
    let constant = pool.for_each_monomial(sum, |coeff, leaf| leaves.push((coeff.clone(), leaf)));
    match &leaves[..] {
        [(k, a)] if k.is_one() => Some(Sides::Constant(*a, -constant)),
        // A difference may be either way round.
        [(k, a), (l, b)] if (k + l).is_zero() && (k.is_one() || l.is_one()) && constant.is_zero() => {
            Some(Sides::Leaves(*a, *b))
        }
        _ => None,
    }
}

/// The only arguments of two applications of one function.
fn compared_arguments(pool: &TermPool, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
    match (pool.term(a), pool.term(b)) {
        (Term::App(f, x), Term::App(g, y)) if f == g => match (&x[..], &y[..]) {
            ([x], [y]) => Some((*x, *y)),
            _ => None,
        },
        _ => None,
    }
}

impl Solver {
    /// Makes a variable for the equation `sum = 0` that only the congruence closure knows, if that is enough.
    pub(in crate::solver) fn pure_equation(&mut self, pool: &TermPool, equation: TermId, sum: TermId) -> bool {
        if self.config.arithmetic_only {
            return false;
        }
        if pool.is_real(sum) {
            return false;
        }
        let Some(sides) = sides(pool, sum) else { return false };
        let (column, is_pure) = match &sides {
            Sides::Leaves(a, b) => {
                let (a, b) = (self.column_of_leaf(pool, *a), self.column_of_leaf(pool, *b));
                self.theories.euf.purity.join(a, b);
                (a, self.theories.euf.purity.is_pure(a))
            }
            Sides::Constant(leaf, _) => {
                let column = self.column_of_leaf(pool, *leaf);
                (column, self.theories.euf.purity.add_constant(column))
            }
        };
        if !is_pure {
            return false;
        }
        let arguments = match sides {
            Sides::Leaves(a, b) => compared_arguments(pool, a, b),
            Sides::Constant(..) => None,
        };
        let (left, right) = match sides {
            Sides::Leaves(a, b) => (self.node(pool, a), self.node(pool, b)),
            Sides::Constant(leaf, k) => (self.node(pool, leaf), self.theories.euf.egraph.constant(&k)),
        };
        let var = self.fresh(equation, false).var();
        if let Some(arguments) = arguments {
            self.theories.euf.compared.insert(var, arguments);
        }
        self.theories.euf.egraph.equation(var, left, right);
        let root = self.theories.euf.purity.root(column);
        self.theories.euf.purity.components[root].equations.push(equation);
        true
    }

    /// Whether the vertex makes the arguments equal of the two applications that this variable equates, if it does equate two, and arithmetic knows the arguments.
    pub(in crate::solver) fn arguments_agree(&self, var: Var) -> Option<bool> {
        let (a, b) = self.theories.euf.compared.get(&var)?;
        let (a, b) = (self.columns.forms.get(a)?, self.columns.forms.get(b)?);
        let value = |form: &crate::solver::columns::Form| {
            let mut sum = Rational::from(&form.constant);
            for (coeff, column) in &form.monomials {
                let column = self.theories.arith.tableau.column(*column);
                sum.add_mul(&Rational::from(coeff), &column.value);
            }
            sum
        };
        Some(value(a) == value(b))
    }

    /// Arithmetic has to know all leaves of a sum.
    pub(in crate::solver) fn give_up_leaves(&mut self, pool: &TermPool, sum: TermId) {
        let mut leaves = Vec::new();
        pool.for_each_monomial(sum, |_, leaf| leaves.push(leaf));
        for leaf in leaves {
            let column = self.column_of_leaf(pool, leaf);
            self.theories.euf.purity.give_up(column);
        }
    }

    /// Gives the congruence closure the bound `leaf <= k`, if it has to know it.
    pub(in crate::solver) fn pure_bound(&mut self, pool: &TermPool, var: Var, leaf: TermId, k: &Int) {
        if self.config.arithmetic_only {
            return;
        }
        let column = self.column_of_leaf(pool, leaf);
        if self.theories.euf.purity.add_bound(column, k) {
            let node = self.node(pool, leaf);
            self.theories.euf.egraph.below(var, node, k);
            let root = self.theories.euf.purity.root(column);
            self.theories.euf.purity.components[root].bounds.push(var);
        }
    }

    /// Whether congruence closure may know the equation `a = b`, alone or together with arithmetic.
    pub(in crate::solver) fn closure_may_know(&mut self, pool: &mut TermPool, a: TermId, b: TermId) -> bool {
        let difference = pool.sub(a, b);
        let is_shared = self.is_sharing() && !pool.is_real(difference) && sides(pool, difference).is_some();
        is_shared || self.is_pure_equation(pool, a, b)
    }

    /// Whether `a = b` is an equation that congruence closure may decide.
    pub(in crate::solver) fn is_pure_equation(&mut self, pool: &mut TermPool, a: TermId, b: TermId) -> bool {
        if self.config.arithmetic_only {
            return false;
        }
        let difference = pool.sub(a, b);
        if pool.is_real(difference) {
            return false;
        }
        let leaves = match sides(pool, difference) {
            Some(Sides::Leaves(a, b)) => vec![a, b],
            Some(Sides::Constant(a, _)) => vec![a],
            None => return false,
        };
        leaves.into_iter().all(|leaf| {
            let column = self.column_of_leaf(pool, leaf);
            self.theories.euf.purity.is_pure(column)
        })
    }

    /// Gives equations of leaves that are no longer pure to arithmetic. Each may take others along, and a leaf may be compared with thousands of constants: so those that are begun are a list, and nothing recurses.
    pub(in crate::solver) fn materialise(&mut self, pool: &mut TermPool) {
        let mut begun = Vec::new();
        loop {
            for var in std::mem::take(&mut self.theories.euf.purity.retiring) {
                self.theories.euf.egraph.retire(var);
            }
            if let Some(equation) = self.theories.euf.purity.leaving.pop() {
                let lit = self.formulas.literals[&equation];
                if !self.is_sharing() {
                    self.theories.euf.egraph.retire(lit.var());
                }
                begun.push(self.begin_trichotomy(pool, equation, Some(lit)));
            } else if let Some(trichotomy) = begun.pop() {
                self.end_trichotomy(pool, trichotomy);
            } else {
                return;
            }
        }
    }

    /// The node of an integer term, with those of its arguments. Does not recurse.
    pub(in crate::solver) fn node(&mut self, pool: &TermPool, term: TermId) -> Node {
        let mut stack = vec![term];
        while let Some(&term) = stack.last() {
            if self.theories.euf.purity.nodes.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = match pool.term(term) {
                Term::Const(k) => self.theories.euf.egraph.constant(k),
                Term::App(function, arguments) => {
                    let known = |a: &TermId| self.theories.euf.purity.nodes.get(a).copied();
                    let open: Vec<TermId> = arguments.iter().copied().filter(|a| known(a).is_none()).collect();
                    if !open.is_empty() {
                        stack.extend(open);
                        continue;
                    }
                    let nodes: Vec<Node> = arguments.iter().filter_map(known).collect();
                    self.theories.euf.egraph.application(*function, &nodes)
                }
                _ => self.theories.euf.egraph.leaf(),
            };
            self.theories.euf.purity.nodes.insert(term, node);
            stack.pop();
        }
        self.theories.euf.purity.nodes[&term]
    }

    /// Gives the live pure leaves values: one for each class, different from all others.
    pub(in crate::solver) fn assign_pure(&mut self, _: &mut TermPool) -> Verdict {
        if self.config.arithmetic_only {
            return Verdict::Consistent;
        }
        let mut pure: Vec<Column> = Vec::new();
        let (mut low, mut high) = (Int::ZERO, Int::ZERO);
        let mut cover = |value: &Int| {
            if *value < low {
                low = value.clone();
            }
            if *value > high {
                high = value.clone();
            }
        };
        for &column in &self.live.columns {
            if self.theories.euf.purity.is_pure(column) && !self.theories.arith.tableau.column(column).is_real {
                pure.push(column);
            } else {
                cover(&self.theories.arith.tableau.column(column).value.floor());
            }
        }
        if pure.is_empty() {
            return Verdict::Consistent;
        }
        self.search.ticks += self.live.columns.len() as u64;
        self.theories.euf.egraph.constants().for_each(&mut cover);
        let mut values: FxHashMap<Node, Int> = FxHashMap::default();
        for column in pure {
            let node = self
                .theories
                .euf
                .purity
                .nodes
                .get(&self.columns.terms[column.index()])
                .copied();
            let class = node.map(|n| self.theories.euf.egraph.representative(n));
            let known = class.and_then(|c| values.get(&c).cloned());
            let value = known.unwrap_or_else(|| {
                let constant = node.and_then(|n| self.theories.euf.egraph.constant_of(n)).cloned();
                constant.unwrap_or_else(|| {
                    let root = self.theories.euf.purity.root(column);
                    let threshold = self.theories.euf.purity.components[root].threshold.as_ref();
                    let below = node
                        .zip(threshold)
                        .and_then(|(n, k)| self.theories.euf.egraph.threshold_of(n, k));
                    let next = if below == Some(true) { &mut low } else { &mut high };
                    *next = if below == Some(true) {
                        &*next - &Int::ONE
                    } else {
                        &*next + &Int::ONE
                    };
                    next.clone()
                })
            });
            if let Some(class) = class {
                values.insert(class, value.clone());
            }
            let delta = &Rational::from(value) - &self.theories.arith.tableau.column(column).value;
            if !delta.is_zero() {
                self.theories.arith.tableau.shift(column, &delta);
            }
        }
        Verdict::Consistent
    }
}
