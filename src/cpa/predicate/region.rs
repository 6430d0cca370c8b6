//! Sets of valuations of predicates.
//!
//! The predicate analysis sees a region only through [`Regions`], so that the BDD library is a private matter of this file. Regions are
//! interned: equal sets have equal ids, and ids follow the order of first appearance.

use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddVariable, BddVariableSet};
use provident_smt::hash::FxHashMap;
use std::sync::OnceLock;

/// A predicate, by its number in order of discovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredId(pub u32);

impl PredId {
    /// The position in order of discovery.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An interned set of valuations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(u32);

impl RegionId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// One branching of a region's decision diagram, for building a formula of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The empty set.
    False,
    /// The full set.
    True,
    /// If the predicate holds then the second, else the first: positions in the list.
    Branch(PredId, usize, usize),
}

/// A conjunction of unions of cubes: factors, their cubes, and the literals of these.
pub type PredProduct = Vec<Vec<Vec<(PredId, bool)>>>;

/// Sets of valuations, as the predicate analysis needs them.
pub trait Regions {
    /// The most predicates that can be distinguished.
    fn capacity(&self) -> usize;
    /// The set of all valuations.
    fn top(&self) -> RegionId;
    /// The empty set.
    fn bottom(&self) -> RegionId;
    /// The union of cubes; a cube lists literals of distinct predicates.
    fn union_of_cubes(&mut self, cubes: &[Vec<(PredId, bool)>]) -> RegionId;
    /// The union of products; a product is a conjunction of unions of cubes.
    fn union_of_products(&mut self, products: &[PredProduct]) -> RegionId;
    /// The intersection.
    fn and(&mut self, a: RegionId, b: RegionId) -> RegionId;
    /// The union.
    fn or(&mut self, a: RegionId, b: RegionId) -> RegionId;
    /// The valuations in `a` that are not in `b`.
    fn without(&mut self, a: RegionId, b: RegionId) -> RegionId;
    /// Whether `a` is a subset of `b`.
    fn implies(&mut self, a: RegionId, b: RegionId) -> bool;
    /// The decision diagram, children before parents; the last entry is the root.
    fn decisions(&self, region: RegionId) -> Vec<Decision>;
    /// The predicates on which the set depends, ascending.
    fn support(&self, region: RegionId) -> &[PredId];
    /// The valuations that can be extended, by some values of these predicates, to one in the set.
    fn exists(&mut self, region: RegionId, preds: &[PredId]) -> RegionId;
    /// The set as the union of `guard & rest`: guards are disjoint sets over `preds`, rests are different non-empty sets over the other predicates. `None` if
    /// there are more than `limit` of them.
    fn split(&mut self, region: RegionId, preds: &[PredId], limit: usize) -> Option<Vec<(RegionId, RegionId)>>;
    /// A list of disjoint cubes whose union is the region, in a fixed order, at most `limit` of them; `None` if there are more.
    fn cubes(&self, region: RegionId, limit: usize) -> Option<Vec<Vec<(PredId, bool)>>>;
}

/// The most predicates of one run. A real run has hundreds.
const CAPACITY: u16 = 8192;

/// The variables of a new arena: the library gives each one a name, which costs a small run more than its diagrams. There are twice as many when these are used up.
const FIRST_VARIABLES: u16 = 256;

/// The most valuations of predicates that are tried one after the other when a region is split.
const MAX_VALUATIONS: usize = 8;

/// Regions as reduced ordered binary decision diagrams in order of discovery of the predicates.
#[derive(Debug)]
pub struct BddRegions {
    variables: BddVariableSet,
    bdds: Vec<Bdd>,
    /// By region, once somebody asked.
    supports: Vec<OnceLock<Box<[PredId]>>>,
    interned: FxHashMap<Bdd, RegionId>,
    implications: FxHashMap<(RegionId, RegionId), bool>,
}

impl Default for BddRegions {
    fn default() -> Self {
        Self::new()
    }
}

impl BddRegions {
    /// The arena with the empty and the full set.
    pub fn new() -> Self {
        let variables = BddVariableSet::new_anonymous(FIRST_VARIABLES);
        let constants = [variables.mk_false(), variables.mk_true()];
        let mut regions = BddRegions {
            variables,
            bdds: Vec::new(),
            supports: Vec::new(),
            interned: FxHashMap::default(),
            implications: FxHashMap::default(),
        };
        for bdd in constants {
            regions.intern(bdd);
        }
        regions
    }

    /// Makes more variables until there is one for each of these predicates.
    fn reserve(&mut self, preds: impl IntoIterator<Item = PredId>) {
        let most = preds.into_iter().map(PredId::index).max().unwrap_or(0);
        assert!(
            most < usize::from(CAPACITY),
            "the precision keeps to the capacity of the regions"
        );
        let mut count = self.variables.num_vars();
        while usize::from(count) <= most {
            count *= 2;
        }
        if count == self.variables.num_vars() {
            return;
        }
        self.variables = BddVariableSet::new_anonymous(count);
        for bdd in &mut self.bdds {
            // SAFETY: the function checks what it needs, and all diagrams of this arena change together with their set of variables.
            unsafe { bdd.set_num_vars(count) };
        }
        self.interned = (0..)
            .map(RegionId)
            .zip(&self.bdds)
            .map(|(id, bdd)| (bdd.clone(), id))
            .collect();
    }

    fn intern(&mut self, bdd: Bdd) -> RegionId {
        if let Some(&id) = self.interned.get(&bdd) {
            return id;
        }
        let id = RegionId(u32::try_from(self.bdds.len()).expect("fewer than 2^32 regions"));
        self.bdds.push(bdd.clone());
        self.supports.push(OnceLock::new());
        self.interned.insert(bdd, id);
        id
    }

    /// The union of cubes. Neighbours in the order of their literals share most of these, so unions of pairs of neighbours stay small; the library's
    /// own union of cubes goes through the whole diagram once for each variable.
    fn cubes_to_bdd(&self, cubes: &[Vec<(PredId, bool)>]) -> Bdd {
        let mut cubes: Vec<Vec<(PredId, bool)>> = cubes.to_vec();
        for cube in &mut cubes {
            cube.sort_unstable();
        }
        cubes.sort_unstable();
        cubes.dedup();
        let cube = |literals: &Vec<(PredId, bool)>| {
            let literals: Vec<_> = literals.iter().map(|&(p, value)| (Self::variable(p), value)).collect();
            self.variables
                .mk_conjunctive_clause(&BddPartialValuation::from_values(&literals))
        };
        self.union(cubes.iter().map(cube).collect())
    }

    /// The union of diagrams, pairwise, so that most unions are small.
    fn union(&self, mut bdds: Vec<Bdd>) -> Bdd {
        while bdds.len() > 1 {
            bdds = bdds
                .chunks(2)
                .map(|pair| match pair {
                    [a, b] => a.or(b),
                    single => single[0].clone(),
                })
                .collect();
        }
        bdds.pop().unwrap_or_else(|| self.variables.mk_false())
    }

    /// [`Regions::split`] with rests over the predicates `others`: each valuation of them that the region admits has a cofactor, the guards for which it is possible, and
    /// the classes of guards are the cells of the Venn diagram of all cofactors. `None` if there are many valuations.
    fn split_by_others(&self, region: RegionId, others: &[PredId]) -> Option<Vec<(Bdd, Bdd)>> {
        type Valuation = Vec<(BddVariable, bool)>;
        let mut cofactors: Vec<(Bdd, Valuation)> = vec![(self.bdds[region.index()].clone(), Vec::new())];
        for &other in others {
            let variable = Self::variable(other);
            let mut next = Vec::new();
            for (bdd, valuation) in cofactors {
                if !bdd.support_set_contains(&variable) {
                    next.push((bdd, valuation));
                    continue;
                }
                for value in [false, true] {
                    let cofactor = bdd.var_restrict(variable, value);
                    if !cofactor.is_false() {
                        next.push((cofactor, [valuation.as_slice(), &[(variable, value)]].concat()));
                    }
                }
            }
            if next.len() > MAX_VALUATIONS {
                return None;
            }
            cofactors = next;
        }
        let mut classes: Vec<(Bdd, Vec<BddPartialValuation>)> = Vec::new();
        let mut free = self.variables.mk_true();
        for (cofactor, valuation) in cofactors {
            let valuation = BddPartialValuation::from_values(&valuation);
            let mut next = Vec::new();
            for (guard, rest) in classes {
                let (inside, outside) = (guard.and(&cofactor), guard.and_not(&cofactor));
                if !inside.is_false() {
                    next.push((inside, [rest.as_slice(), std::slice::from_ref(&valuation)].concat()));
                }
                if !outside.is_false() {
                    next.push((outside, rest));
                }
            }
            let alone = free.and(&cofactor);
            free = free.and_not(&cofactor);
            if !alone.is_false() {
                next.push((alone, vec![valuation]));
            }
            classes = next;
        }
        let part = |(guard, rest): (Bdd, Vec<BddPartialValuation>)| (guard, self.variables.mk_dnf(&rest));
        Some(classes.into_iter().map(part).collect())
    }

    /// [`Regions::split`] by the values of one of `preds` after the other.
    fn split_by_guards(&self, region: RegionId, preds: &[PredId], limit: usize) -> Option<Vec<(Bdd, Bdd)>> {
        let mut parts: Vec<(Bdd, Bdd)> = vec![(self.variables.mk_true(), self.bdds[region.index()].clone())];
        for &pred in preds {
            let variable = Self::variable(pred);
            let mut places: FxHashMap<Bdd, usize> = FxHashMap::default();
            let mut next: Vec<(Bdd, Bdd)> = Vec::new();
            let mut add = |guard: Bdd, rest: Bdd| match places.get(&rest) {
                _ if rest.is_false() => {}
                Some(&at) => next[at].0 = next[at].0.or(&guard),
                None => {
                    places.insert(rest.clone(), next.len());
                    next.push((guard, rest));
                }
            };
            for (guard, rest) in parts {
                if !rest.support_set_contains(&variable) {
                    add(guard, rest);
                    continue;
                }
                for value in [false, true] {
                    let here = guard.and(&self.variables.mk_literal(variable, value));
                    // The library restricts a diagram without bringing its nodes into their order, by which equal sets are known.
                    add(here, rest.var_restrict(variable, value).and(&self.variables.mk_true()));
                }
            }
            if next.len() > limit {
                return None;
            }
            parts = next;
        }
        Some(parts)
    }

    /// The variable of a predicate, which was [reserved](Self::reserve).
    fn variable(pred: PredId) -> BddVariable {
        BddVariable::from_index(pred.index())
    }
}

/// Whether each valuation in `a` is in `b`. The first one that is not ends the search.
fn is_subset(a: &Bdd, b: &Bdd) -> bool {
    Bdd::binary_op_with_limit(1, a, b, biodivine_lib_bdd::op_function::and_not)
        .is_some_and(|outside| outside.is_false())
}

impl Regions for BddRegions {
    fn capacity(&self) -> usize {
        usize::from(CAPACITY)
    }

    fn top(&self) -> RegionId {
        RegionId(1)
    }

    fn bottom(&self) -> RegionId {
        RegionId(0)
    }

    fn union_of_cubes(&mut self, cubes: &[Vec<(PredId, bool)>]) -> RegionId {
        self.reserve(cubes.iter().flatten().map(|literal| literal.0));
        let bdd = self.cubes_to_bdd(cubes);
        self.intern(bdd)
    }

    /// Nothing in between is interned. Most products are single cubes, which the library joins fast.
    fn union_of_products(&mut self, products: &[PredProduct]) -> RegionId {
        self.reserve(products.iter().flatten().flatten().flatten().map(|literal| literal.0));
        let (mut cubes, mut bdds) = (Vec::new(), Vec::new());
        for product in products {
            let (single, several): (Vec<_>, Vec<_>) = product.iter().partition(|factor| factor.len() == 1);
            let cube: Vec<(PredId, bool)> = single.into_iter().flatten().flatten().copied().collect();
            if several.is_empty() {
                cubes.push(cube);
                continue;
            }
            let mut bdd = self.cubes_to_bdd(&[cube]);
            for factor in several {
                bdd = bdd.and(&self.cubes_to_bdd(factor));
            }
            bdds.push(bdd);
        }
        if !cubes.is_empty() || bdds.is_empty() {
            bdds.push(self.cubes_to_bdd(&cubes));
        }
        let bdd = self.union(bdds);
        self.intern(bdd)
    }

    fn and(&mut self, a: RegionId, b: RegionId) -> RegionId {
        if a == self.top() || a == b || b == self.bottom() {
            return b;
        }
        if b == self.top() || a == self.bottom() {
            return a;
        }
        let bdd = self.bdds[a.index()].and(&self.bdds[b.index()]);
        self.intern(bdd)
    }

    fn or(&mut self, a: RegionId, b: RegionId) -> RegionId {
        if a == self.bottom() || a == b || b == self.top() {
            return b;
        }
        if b == self.bottom() || a == self.top() {
            return a;
        }
        let bdd = self.bdds[a.index()].or(&self.bdds[b.index()]);
        self.intern(bdd)
    }

    fn without(&mut self, a: RegionId, b: RegionId) -> RegionId {
        if b == self.bottom() {
            return a;
        }
        let bdd = self.bdds[a.index()].and_not(&self.bdds[b.index()]);
        self.intern(bdd)
    }

    fn implies(&mut self, a: RegionId, b: RegionId) -> bool {
        if a == b || a == self.bottom() || b == self.top() {
            return true;
        }
        let bdds = &self.bdds;
        *self
            .implications
            .entry((a, b))
            .or_insert_with(|| is_subset(&bdds[a.index()], &bdds[b.index()]))
    }

    fn decisions(&self, region: RegionId) -> Vec<Decision> {
        let bdd = &self.bdds[region.index()];
        let decision = |pointer: biodivine_lib_bdd::BddPointer| {
            if pointer.is_zero() {
                return Decision::False;
            }
            if pointer.is_one() {
                return Decision::True;
            }
            let pred = PredId(u32::try_from(bdd.var_of(pointer).to_index()).expect("the capacity is small"));
            Decision::Branch(
                pred,
                bdd.low_link_of(pointer).to_index(),
                bdd.high_link_of(pointer).to_index(),
            )
        };
        bdd.pointers().map(decision).collect()
    }

    fn support(&self, region: RegionId) -> &[PredId] {
        let id = |v: BddVariable| PredId(u32::try_from(v.to_index()).expect("the capacity is small"));
        self.supports[region.index()].get_or_init(|| {
            let mut support: Vec<PredId> = self.bdds[region.index()].support_set().into_iter().map(id).collect();
            support.sort_unstable();
            support.into()
        })
    }

    fn exists(&mut self, region: RegionId, preds: &[PredId]) -> RegionId {
        let support = self.support(region);
        let quantified = preds.iter().filter(|p| support.binary_search(p).is_ok());
        let variables: Vec<BddVariable> = quantified.map(|&p| Self::variable(p)).collect();
        if variables.is_empty() {
            return region;
        }
        let bdd = self.bdds[region.index()].exists(&variables);
        self.intern(bdd)
    }

    /// The parts of a split are the classes of values of `preds` that leave the same rest. A block of few operations asks about few other predicates, whose
    /// values are mostly few.
    fn split(&mut self, region: RegionId, preds: &[PredId], limit: usize) -> Option<Vec<(RegionId, RegionId)>> {
        if region == self.bottom() {
            return Some(Vec::new());
        }
        let others: Vec<PredId> = self
            .support(region)
            .iter()
            .copied()
            .filter(|p| !preds.contains(p))
            .collect();
        if others.is_empty() {
            return Some(vec![(region, self.top())]);
        }
        if others.len() == self.support(region).len() {
            return Some(vec![(self.top(), region)]);
        }
        let parts = self
            .split_by_others(region, &others)
            .or_else(|| self.split_by_guards(region, preds, limit))?;
        let parts = (parts.len() <= limit).then_some(parts)?.into_iter();
        Some(
            parts
                .map(|(guard, rest)| (self.intern(guard), self.intern(rest)))
                .collect(),
        )
    }

    fn cubes(&self, region: RegionId, limit: usize) -> Option<Vec<Vec<(PredId, bool)>>> {
        let decisions = self.decisions(region);
        let mut cubes = Vec::new();
        let mut open = vec![(decisions.len() - 1, Vec::new())];
        while let Some((at, cube)) = open.pop() {
            match decisions[at] {
                Decision::False => {}
                Decision::True if cubes.len() == limit => return None,
                Decision::True => cubes.push(cube),
                Decision::Branch(pred, low, high) => {
                    for (child, value) in [(high, true), (low, false)] {
                        let mut longer = cube.clone();
                        longer.push((pred, value));
                        open.push((child, longer));
                    }
                }
            }
        }
        Some(cubes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets keep their ids, and equal ones their identity, when there are more predicates than variables so far.
    #[test]
    fn more_variables_change_no_set() {
        let mut regions = BddRegions::new();
        let cube = |preds: &[u32]| -> Vec<(PredId, bool)> { preds.iter().map(|&p| (PredId(p), p % 2 == 0)).collect() };
        let small = regions.union_of_cubes(&[cube(&[0, 3]), cube(&[200])]);
        let before = regions.decisions(small);
        let large = regions.union_of_cubes(&[cube(&[0, u32::from(FIRST_VARIABLES) * 5])]);
        assert_eq!(regions.decisions(small), before);
        assert_eq!(regions.union_of_cubes(&[cube(&[0, 3]), cube(&[200])]), small);
        let both = regions.and(small, large);
        assert!(regions.implies(both, small) && regions.implies(both, large) && !regions.implies(small, large));
        assert_eq!(regions.exists(both, &[PredId(u32::from(FIRST_VARIABLES) * 5)]), {
            let zero = regions.union_of_cubes(&[cube(&[0])]);
            regions.and(small, zero)
        });
        let (top, bottom) = (regions.top(), regions.bottom());
        assert!(regions.implies(both, top) && regions.implies(bottom, both));
        assert_eq!(regions.or(top, large), top);
    }

    /// Whether a valuation, a bit for each predicate, is in a region.
    fn admits(regions: &BddRegions, region: RegionId, valuation: u32) -> bool {
        let decisions = regions.decisions(region);
        let mut at = decisions.len() - 1;
        loop {
            at = match decisions[at] {
                Decision::False => return false,
                Decision::True => return true,
                Decision::Branch(pred, low, high) => match valuation >> pred.0 & 1 {
                    0 => low,
                    _ => high,
                },
            };
        }
    }

    /// Both ways to split a region give the same parts: different rests that do not speak of the predicates, under disjoint guards that speak of nothing else, and
    /// their union is the region.
    #[test]
    fn parts_make_the_region() {
        const PREDS: u32 = 6;
        arbtest::arbtest(|u| {
            let mut regions = BddRegions::new();
            let mut cubes = Vec::new();
            for _ in 0..u.int_in_range(1..=5)? {
                let (named, values) = (u.int_in_range(0..=63_u32)?, u.int_in_range(0..=63_u32)?);
                let literals = (0..PREDS).filter(|p| named >> p & 1 == 1);
                cubes.push(literals.map(|p| (PredId(p), values >> p & 1 == 1)).collect::<Vec<_>>());
            }
            let region = regions.union_of_cubes(&cubes);
            for valuation in 0..1 << PREDS {
                let fits =
                    |cube: &Vec<(PredId, bool)>| cube.iter().all(|&(p, value)| (valuation >> p.0 & 1 == 1) == value);
                assert_eq!(admits(&regions, region, valuation), cubes.iter().any(fits));
            }
            let mask = u.int_in_range(0..=63_u32)?;
            let preds: Vec<PredId> = (0..PREDS).filter(|p| mask >> p & 1 == 1).map(PredId).collect();
            let parts = regions.split(region, &preds, 64).expect("there are at most 64 guards");
            let others: Vec<PredId> = (0..PREDS).filter(|p| mask >> p & 1 == 0).map(PredId).collect();
            let mut ways = vec![regions.split_by_guards(region, &preds, 64).expect("at most 64")];
            ways.extend(regions.split_by_others(region, &others));
            for way in ways {
                let mut way: Vec<_> = way
                    .into_iter()
                    .map(|(guard, rest)| (regions.intern(guard), regions.intern(rest)))
                    .collect();
                let mut parts = parts.clone();
                way.sort_unstable();
                parts.sort_unstable();
                assert_eq!(way, parts);
            }
            for &(guard, rest) in &parts {
                assert!(regions.support(guard).iter().all(|p| preds.contains(p)));
                assert!(regions.support(rest).iter().all(|p| !preds.contains(p)));
            }
            for valuation in 0..1 << PREDS {
                let guards: Vec<_> = parts
                    .iter()
                    .filter(|&&(guard, _)| admits(&regions, guard, valuation))
                    .collect();
                assert!(guards.len() <= 1, "guards are disjoint");
                let inside = guards.iter().any(|&&(_, rest)| admits(&regions, rest, valuation));
                assert_eq!(inside, admits(&regions, region, valuation));
            }
            Ok(())
        });
    }
}
