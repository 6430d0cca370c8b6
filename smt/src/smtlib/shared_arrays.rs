//! Equations between arrays that several partitions share.
//!
//! Interpolants have no quantifiers, so what a partition says of all elements of two arrays can be in one only as an equation between these. The solver does not look for such equations: it instantiates updates at the indices that it needs, and an
//! instance at an index of one partition of an update of another has no interpolant. So each partition gets the proposition that two arrays are equal, with its definition, for each two arrays that it shares with
//! another partition (in the sense of Bruttomesso, Ghilardi, Ranise, *Quantifier-free interpolation of a theory of arrays*, LMCS 2012, whose step it is to bring equations between shared variables forward; their function that names an index of difference is not
//! in our language). Definitions are true of some meaning of what they define, so a partition with them says what it says without.
//!
//! If there are indices that are shared too, the proposition that the arrays are equal but for these joins it: `(= b (store a i (select b i)))` says that of `i`.
//!
//! The search may instantiate an update of one partition at an index of another one all the same. So each partition gets arrays of its own: what they have in common are then the propositions, and constants for the elements of shared arrays at
//! shared indices, so that no lemma about arrays is mixed. If these do not contradict each other, then there is no interpolant over equations between shared arrays, shared indices and elements there: it would have to speak of an index
//! that one partition alone knows. The propositions without such arrays remain for partitions whose arrays are elements or indices of others.
//!
//! * An index at which two arrays differ is local to a partition: each has one of its own.
//! * Updates stand in interpolants for what they mean: that a function is another one is the proposition that they are equal, and the update that defines an array term is true.

use super::array_definitions::Shape;
use super::arrays::{function_of, is_witness};
use super::elaborate::Ty;
use super::session::Session;
use crate::hash::{FxHashMap, FxHashSet};
use crate::interpolate::{Cost, InterpolationConfig, SequenceResult, is_below};
use crate::term::{Symbol, Term, TermId};

/// No partition gets more propositions.
const MAX_EQUATIONS: usize = 400;

/// No two arrays are compared but for more indices.
const MAX_INDICES: usize = 10;

/// The symbols that a partition mentions.
struct Vocabulary {
    symbols: FxHashSet<Symbol>,
    /// Its arrays with the numbers of their sorts, in order.
    arrays: Vec<(Symbol, usize)>,
}

/// Partitions with equations.
pub(super) struct Equated {
    pub parts: Vec<TermId>,
    /// The meanings of their updates in interpolants.
    pub meanings: FxHashMap<TermId, TermId>,
    vocabularies: Vec<Vocabulary>,
    indices: Vec<(TermId, Ty)>,
    /// Whether the equations are all that there are about shared indices.
    pub is_complete: bool,
}

impl Session {
    /// The partitions with the equations. None where no two arrays are shared, or too many.
    pub(super) fn with_equations(&mut self, partitions: &[TermId], parents: &[usize]) -> Option<Equated> {
        let mentioned: Vec<FxHashSet<Symbol>> = partitions
            .iter()
            .map(|&part| self.pool.symbols_of(&[part]).into_iter().collect())
            .collect();
        let vocabularies: Vec<Vocabulary> = (0..partitions.len())
            .map(|part| self.vocabulary(part, &mentioned, parents))
            .collect();
        let known_indices = self.known_indices(partitions, &vocabularies);
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
        // Partitions have the facts about constant arrays at their own indices alone.
        let mut is_complete = !self.scope.arrays.constants.are_defined();
        for (one, other, sort) in shared {
            let owners = &owners[&(one, other)];
            let mut indices = Vec::new();
            for &(index, of) in &known_indices {
                let symbols = self.pool.symbols_of(&[index]);
                let has_all = |owner: &usize| symbols.iter().all(|s| vocabularies[*owner].symbols.contains(s));
                if of == self.scope.sorts.array(sort).0 && owners.iter().all(has_all) {
                    is_complete &= indices.len() < MAX_INDICES && self.scope.sorts.array(sort).1 != Ty::Bool;
                    indices.push(index);
                }
            }
            indices.truncate(MAX_INDICES);
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
        Some(Equated {
            parts,
            meanings,
            vocabularies,
            indices: known_indices,
            is_complete,
        })
    }

    /// Interpolants of partitions with arrays of their own. None where arrays are values.
    pub(super) fn interpolate_with_own_arrays(
        &mut self,
        equated: &Equated,
        parents: &[usize],
        config: &InterpolationConfig,
        cost: &mut Cost,
    ) -> Option<SequenceResult> {
        let (parts, elements) = self.with_own_arrays(equated)?;
        // The rest of the limit is for the partitions as they are.
        let config = InterpolationConfig {
            avoid_mixed: false,
            ticks: config.ticks.map(|ticks| ticks / 2),
            ..config.clone()
        };
        let mut result = self.interpolate(&parts, parents, &config, cost);
        if let SequenceResult::Unsat(interpolants) = &mut result {
            for interpolant in interpolants {
                *interpolant = self.pool.substitute(*interpolant, &elements);
            }
        }
        Some(result)
    }

    /// The partitions with arrays of their own, and what constants that they share stand for: elements of shared arrays at shared indices. None where arrays are values.
    fn with_own_arrays(&mut self, equated: &Equated) -> Option<(Vec<TermId>, FxHashMap<TermId, TermId>)> {
        if self.scope.sorts.have_array_values {
            return None;
        }
        let mut owners: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
        let mut shared = Vec::new();
        for (number, vocabulary) in equated.vocabularies.iter().enumerate() {
            for &(array, sort) in &vocabulary.arrays {
                let known = owners.entry(array).or_default();
                known.push(number);
                if known.len() == 2 {
                    shared.push((array, sort));
                }
            }
        }
        let mut formulas: Vec<Vec<TermId>> = equated.parts.iter().map(|&part| vec![part]).collect();
        let mut elements = FxHashMap::default();
        for (array, sort) in shared {
            let (index_sort, element_sort) = self.scope.sorts.array(sort);
            for &(index, _) in equated.indices.iter().filter(|(_, of)| *of == index_sort) {
                let symbols = self.pool.symbols_of(&[index]);
                let has_all = |owner: &usize| {
                    let known = &equated.vocabularies[*owner].symbols;
                    symbols.iter().all(|symbol| known.contains(symbol))
                };
                if element_sort == Ty::Bool || !owners[&array].iter().all(has_all) {
                    continue;
                }
                let name = self.scope.fresh_symbol(&mut self.pool, "element");
                let constant = self.pool.int_var(name.name, name.index);
                let element = self.pool.app(array.name, array.index, &[index]);
                let equal = self.pool.eq(element, constant);
                elements.insert(constant, element);
                owners[&array].iter().for_each(|&owner| formulas[owner].push(equal));
            }
        }
        let mut parts = Vec::new();
        for (number, formulas) in formulas.iter().enumerate() {
            let part = self.pool.and(formulas);
            let mut own = FxHashMap::default();
            for symbol in self.pool.symbols_of(&[part]) {
                if self.scope.arrays.values.sort_of(symbol).is_some() {
                    let name = format!("{}|{number}", self.pool.name(symbol.name));
                    let name = self.pool.symbol(&name);
                    own.insert(symbol, Symbol { name, ..symbol });
                }
            }
            parts.push(self.renamed(part, &own));
        }
        Some((parts, elements))
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
        Vocabulary {
            arrays: symbols.iter().filter_map(sorted).collect(),
            symbols: symbols.into_iter().collect(),
        }
    }

    /// The indices of stores and elements with their sorts, and what equations of the partitions say that they are: those of stores first.
    fn known_indices(&mut self, partitions: &[TermId], vocabularies: &[Vocabulary]) -> Vec<(TermId, Ty)> {
        let mut found: Vec<(TermId, Ty)> = Vec::new();
        let known = &self.scope.arrays;
        for symbol in vocabularies
            .iter()
            .flat_map(|vocabulary| &vocabulary.arrays)
            .map(|&(symbol, _)| symbol)
        {
            if let Some(&at) = known.of_symbol.get(&symbol)
                && let (_, Shape::Store(_, index, _), sort) = known.definition(at)
            {
                found.push((index, self.scope.sorts.array(sort).0));
            }
        }
        let mut equations = Vec::new();
        self.pool.visit(partitions, |_, term| match term {
            Term::App(symbol, arguments) => {
                if let Some(sort) = known.values.sort_of(*symbol) {
                    found.push((arguments[0], self.scope.sorts.array(sort).0));
                }
            }
            Term::Eq(sum) => equations.push(*sum),
            _ => {}
        });
        for sum in equations {
            let mut monomials = Vec::new();
            self.pool
                .for_each_monomial(sum, |factor, term| monomials.push((factor.clone(), term)));
            for (factor, term) in monomials {
                let Some(&(_, sort)) = found.iter().find(|(index, _)| *index == term) else {
                    continue;
                };
                if factor.abs().is_one() {
                    let scaled = self.pool.scale(&factor, sum);
                    found.push((self.pool.sub(term, scaled), sort));
                }
            }
        }
        let mut seen = FxHashSet::default();
        found.retain(|&index| seen.insert(index));
        found
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
        self.renamed(formula, &own)
    }

    fn renamed(&mut self, formula: TermId, names: &FxHashMap<Symbol, Symbol>) -> TermId {
        self.pool
            .map_symbols(formula, &mut |symbol| names.get(&symbol).copied().unwrap_or(symbol))
    }
}
