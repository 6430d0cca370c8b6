//! Equations between arrays that several partitions share.
//!
//! Interpolants have no quantifiers, so what a partition says of all elements of two arrays can be in one only as an equation between these. The solver does not look for such equations: it instantiates updates at the indices that it needs, and an
//! instance at an index of one partition of an update of another has no interpolant. So where none is found, each partition gets the proposition that two arrays are equal, with its definition, for each two arrays that it shares with
//! another partition (in the sense of Bruttomesso, Ghilardi, Ranise, *Quantifier-free interpolation of a theory of arrays*, LMCS 2012, whose step it is to bring equations between shared variables forward; their function that names an index of difference is not
//! in our language). Definitions are true of some meaning of what they define, so a partition with them says what it says without.
//!
//! If a partition stores at indices that are shared too, the proposition that the arrays are equal but for these joins it: `(= b (store a i (select b i)))` says that of `i`.
//!
//! * An index at which two arrays differ is local to a partition: each has one of its own.
//! * Updates stand in interpolants for what they mean: that a function is another one is the proposition that they are equal, and the update that defines an array term is true.

use super::array_definitions::Shape;
use super::arrays::{function_of, is_witness};
use super::elaborate::Ty;
use super::session::Session;
use crate::hash::{FxHashMap, FxHashSet};
use crate::interpolate::is_below;
use crate::term::{Symbol, TermId};

/// No partition gets more propositions.
const MAX_EQUATIONS: usize = 400;

/// The symbols that a partition mentions.
struct Vocabulary {
    symbols: FxHashSet<Symbol>,
    /// Its arrays with the numbers of their sorts, in order.
    arrays: Vec<(Symbol, usize)>,
    /// The indices at which it stores, with the number of the array's sort.
    stored: Vec<(TermId, usize)>,
}

impl Session {
    /// The partitions with the equations, and the meanings of their updates in interpolants. None where no two arrays are shared, or too many.
    pub(super) fn with_equations(
        &mut self,
        partitions: &[TermId],
        parents: &[usize],
    ) -> Option<(Vec<TermId>, FxHashMap<TermId, TermId>)> {
        let mentioned: Vec<FxHashSet<Symbol>> = partitions
            .iter()
            .map(|&part| self.pool.symbols_of(&[part]).into_iter().collect())
            .collect();
        let vocabularies: Vec<Vocabulary> = (0..partitions.len())
            .map(|part| self.vocabulary(part, &mentioned, parents))
            .collect();
        let mut owners: FxHashMap<(Symbol, Symbol), Vec<usize>> = FxHashMap::default();
        let mut shared = Vec::new();
        for (number, vocabulary) in vocabularies.iter().enumerate() {
            for (at, &(one, sort)) in vocabulary.arrays.iter().enumerate() {
                for &(other, other_sort) in &vocabulary.arrays[at + 1..] {
                    let known = owners.entry((one, other)).or_default();
                    known.push(number);
                    if known.len() == 2 && sort == other_sort {
                        shared.push((one, other, sort));
                    }
                }
            }
        }
        if shared.is_empty() || shared.len() > MAX_EQUATIONS {
            return None;
        }
        let mut formulas: Vec<Vec<TermId>> = partitions.iter().map(|&part| vec![part]).collect();
        for (one, other, sort) in shared {
            let owners = &owners[&(one, other)];
            let mut indices = Vec::new();
            for &(index, of) in vocabularies.iter().flat_map(|vocabulary| &vocabulary.stored) {
                let symbols = self.pool.symbols_of(&[index]);
                let has_all = |owner: &usize| symbols.iter().all(|s| vocabularies[*owner].symbols.contains(s));
                if of == sort && !indices.contains(&index) && owners.iter().all(has_all) {
                    indices.push(index);
                }
            }
            for definition in self.equations(one, other, sort, &indices) {
                owners.iter().for_each(|&owner| formulas[owner].push(definition));
            }
        }
        let mut parts = Vec::new();
        for (number, formulas) in formulas.iter().enumerate() {
            let part = self.pool.and(formulas);
            parts.push(self.with_own_witnesses(part, number));
        }
        let meanings = self.scope.meanings_of_updates(&mut self.pool, &parts);
        Some((parts, meanings))
    }

    /// The symbols that a partition mentions, or lies between others that do: the cuts on both sides of it share these.
    fn vocabulary(&self, part: usize, mentioned: &[FxHashSet<Symbol>], parents: &[usize]) -> Vocabulary {
        // The side of another partition: the child below which it is, or above.
        let side = |other: usize| (0..part).find(|&child| parents[child] == part && is_below(other, child, parents));
        let sides: Vec<Option<usize>> = (0..mentioned.len()).map(side).collect();
        let lies_between = |symbol: &Symbol| {
            let mut found = (0..mentioned.len())
                .filter(|&other| other != part && mentioned[other].contains(symbol))
                .map(|other| sides[other]);
            let first = found.next();
            found.any(|side| Some(side) != first)
        };
        let all: FxHashSet<Symbol> = mentioned.iter().flatten().copied().collect();
        let mut symbols: Vec<Symbol> = all
            .into_iter()
            .filter(|symbol| mentioned[part].contains(symbol) || lies_between(symbol))
            .collect();
        symbols.sort_unstable_by(|&a, &b| self.pool.compare_symbols(a, b));
        let known = &self.scope.arrays;
        let sorted = |&symbol: &Symbol| Some((symbol, known.values.sort_of(symbol)?));
        let stored = symbols.iter().filter_map(|symbol| {
            let (_, shape, sort) = known.definition(*known.of_symbol.get(symbol)?);
            match shape {
                Shape::Store(_, index, _) => Some((index, sort)),
                _ => None,
            }
        });
        Vocabulary {
            arrays: symbols.iter().filter_map(sorted).collect(),
            stored: stored.collect(),
            symbols: symbols.into_iter().collect(),
        }
    }

    /// The definitions that say when two arrays are equal, and when they are equal but for some indices.
    fn equations(&mut self, one: Symbol, other: Symbol, sort: usize, indices: &[TermId]) -> Vec<TermId> {
        let mut equations = vec![self.scope.array_equality(&mut self.pool, one, other, sort)];
        let has_plain_elements = !matches!(self.scope.sorts.array(sort).1, Ty::Bool | Ty::Array(_));
        if has_plain_elements && !indices.is_empty() {
            let mut array = one;
            for &index in indices {
                let value = self.pool.app(other.name, other.index, &[index]);
                let stored = self.scope.stored(&mut self.pool, array, index, value, sort);
                array = function_of(&self.pool, stored.term);
            }
            equations.push(self.scope.array_equality(&mut self.pool, array, other, sort));
        }
        self.scope.arrays.formulas_of(&self.pool, &equations)
    }

    /// A formula with indices of its own at which arrays differ.
    fn with_own_witnesses(&mut self, formula: TermId, owner: usize) -> TermId {
        let mut own = FxHashMap::default();
        for symbol in self.pool.symbols_of(&[formula]) {
            if is_witness(&self.pool, symbol) {
                let name = format!("{}|{owner}", self.pool.name(symbol.name));
                let name = self.pool.symbol(&name);
                own.insert(symbol, Symbol { name, ..symbol });
            }
        }
        self.pool
            .map_symbols(formula, &mut |symbol| own.get(&symbol).copied().unwrap_or(symbol))
    }
}
