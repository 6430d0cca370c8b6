//! The new predicates that refute a chain, and where they belong.

use provident_smt::term::{Portable, TermId, TermPool};

/// New predicates for the boundaries of a chain.
#[derive(Debug, Clone)]
pub struct Increment {
    /// All predicates, without SSA indices, boundary after boundary.
    pub predicates: Portable,
    /// How many of them belong to each boundary.
    pub counts: Vec<usize>,
    /// The interpolants themselves, without SSA indices, one per boundary.
    pub interpolants: Portable,
    /// Whether the interpolant of a boundary is `false`: the chain is infeasible up to there.
    pub contradictions: Vec<bool>,
    /// The first boundary whose interpolant is not `true`: there the abstract path and the program part.
    pub pivot: usize,
    /// The blocks, from the first to before the second, that are infeasible one after the other whatever stands before and behind them.
    /// `None` where the interpolants are no gapless sequence.
    pub segment: Option<(usize, usize)>,
}

impl Increment {
    /// The atoms of the interpolants as predicates for each boundary.
    pub fn by_atoms(&self, pool: &mut TermPool) -> Vec<Vec<TermId>> {
        let predicates = pool.import(&self.predicates);
        let mut rest = predicates.as_slice();
        let mut by_boundary = Vec::new();
        for &size in &self.counts {
            let (here, after) = rest.split_at(size);
            rest = after;
            by_boundary.push(here.to_vec());
        }
        by_boundary
    }

    /// The same refinement for a chain of `blocks` blocks in which the infeasible segment begins at `to` instead of `from`.
    ///
    /// Outside of its segment an increment has no predicates: interpolants are `true` before and `false` behind it.
    #[must_use]
    pub fn moved(&self, from: usize, to: usize, blocks: usize) -> Increment {
        let (start, end) = self
            .segment
            .expect("only a segment that stands for itself is found elsewhere");
        assert_eq!(start, from, "a segment begins where its increment says");
        let length = end - start;
        // Boundary `i` stands behind block `i`. The last block of the segment may be the chain's, and has none then.
        let inside = |i: usize| (to..to + length).contains(&i).then(|| i - to + from);
        let last = self.counts.len();
        let counts: Vec<usize> = (0..blocks - 1)
            .map(|i| inside(i).map_or(0, |old| if old < last { self.counts[old] } else { 0 }))
            .collect();
        assert_eq!(
            counts.iter().sum::<usize>(),
            self.counts.iter().sum::<usize>(),
            "the predicates of a segment stand inside it"
        );
        let mut pool = TermPool::new();
        let old = pool.import(&self.interpolants);
        let (truth, falsity) = (pool.mk_true(), pool.mk_false());
        let interpolants: Vec<TermId> = (0..blocks - 1)
            .map(|i| match inside(i) {
                Some(at) if at < last => old[at],
                _ if i < to => truth,
                _ => falsity,
            })
            .collect();
        Increment {
            predicates: self.predicates.clone(),
            counts,
            contradictions: interpolants.iter().map(|&i| i == falsity).collect(),
            interpolants: pool.export(&interpolants),
            pivot: to + self.pivot - from,
            segment: Some((to, to + length)),
        }
    }

    /// The interpolants as predicates for each boundary; none where an interpolant is a constant.
    pub fn as_wholes(&self, pool: &mut TermPool) -> Vec<Vec<TermId>> {
        let interpolants = pool.import(&self.interpolants);
        let is_constant = |pool: &TermPool, i: TermId| i == pool.mk_true() || i == pool.mk_false();
        let mut by_boundary = Vec::new();
        for interpolant in interpolants {
            by_boundary.push(if is_constant(pool, interpolant) {
                Vec::new()
            } else {
                vec![interpolant]
            });
        }
        by_boundary
    }
}
