//! The operator `select`: which candidate refinements make up the one that is applied (thesis, section 4.2.2).
//!
//! A candidate that is not selected is delayed: if it is still needed after the next exploration, its target state is found again. Selectors are filters, so
//! they can be combined: `delay-counters, cover` first removes the candidates with loop counters, and then takes the fewest that rule out all error paths that
//! the remaining candidates rule out.

use super::prefer::Merit;

/// The selectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SelectKind {
    /// The first candidate (`S_F`).
    First,
    /// All candidates joined (`S_∪`).
    #[default]
    JoinAll,
    /// The first `k` candidates joined (`S_≤k`); a `k` of 0 counts as 1.
    JoinAtMost(usize),
    /// Those without predicates about loop counters; all if every candidate has such predicates. Predicates about counters unroll loops.
    DelayCounters,
    /// Those with the fewest predicates.
    Smallest,
    /// Greedily, the fewest candidates that together rule out the error paths of all.
    Cover,
    /// Those that the [preference](super::prefer) among refinements of one error path prefers among the candidates of all error paths. Without a preference, all.
    Preferred,
}

/// The questions that selectors ask about a candidate.
pub trait Choice {
    /// The number of its predicates.
    fn size(&self) -> usize;
    /// Whether one of them is about a loop counter.
    fn counts_loops(&self) -> bool;
    /// What the preference among refinements thinks of it: less is better.
    fn merit(&self) -> &Merit;
    /// Whether its predicates also rule out the error path of the other. Law: every candidate rules out its own.
    fn rules_out(&self, other: &Self) -> bool;
}

/// A selection operator.
///
/// Law: for a non-empty input the output is a non-empty list of members of the input in the same order. The refinement that is applied is their join.
pub trait Select {
    /// Chooses among candidates in rank order.
    fn select<C: Choice>(&self, candidates: Vec<C>) -> Vec<C>;
}

impl Select for SelectKind {
    fn select<C: Choice>(&self, mut candidates: Vec<C>) -> Vec<C> {
        match self {
            SelectKind::First => candidates.truncate(1),
            SelectKind::JoinAll => {}
            SelectKind::JoinAtMost(k) => candidates.truncate((*k).max(1)),
            SelectKind::DelayCounters => {
                if candidates.iter().any(|candidate| !candidate.counts_loops()) {
                    candidates.retain(|candidate| !candidate.counts_loops());
                }
            }
            SelectKind::Smallest => {
                let least = candidates.iter().map(Choice::size).min();
                candidates.retain(|candidate| Some(candidate.size()) == least);
            }
            SelectKind::Preferred => {
                let best = candidates.iter().map(Choice::merit).min().cloned();
                candidates.retain(|candidate| best.as_ref() == Some(candidate.merit()));
            }
            SelectKind::Cover => {
                let mut taken = cover(&candidates).into_iter();
                candidates.retain(|_| taken.next().unwrap_or(false));
            }
        }
        candidates
    }
}

/// Which candidates the greedy cover takes: again and again the one that rules out most of the paths that are left, of equal ones the first.
fn cover<C: Choice>(candidates: &[C]) -> Vec<bool> {
    let mut taken = vec![false; candidates.len()];
    let mut open: Vec<usize> = (0..candidates.len()).collect();
    while !open.is_empty() {
        let gain = |at: usize| {
            let ruled_out = open.iter().filter(|&&o| candidates[at].rules_out(&candidates[o]));
            ruled_out.count()
        };
        // Of equal ones `max_by_key` takes the last, so the order is turned around.
        let best = (0..candidates.len())
            .rev()
            .filter(|&at| !taken[at])
            .max_by_key(|&at| gain(at));
        let best = best.expect("a candidate whose path is open has not been taken, as it rules out its own");
        taken[best] = true;
        open.retain(|&o| o != best && !candidates[best].rules_out(&candidates[o]));
    }
    taken
}

/// Selectors of a lexicographic combination, at most.
pub const MAX_SELECTORS: usize = 4;

/// Combined selectors: each chooses among the candidates that the one before it left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection([Option<SelectKind>; MAX_SELECTORS]);

impl Selection {
    /// The combination of selectors; `None` for more than [`MAX_SELECTORS`]. Without any, it is [`SelectKind::JoinAll`].
    pub fn new(kinds: &[SelectKind]) -> Option<Selection> {
        let mut selectors = [None; MAX_SELECTORS];
        for (at, kind) in kinds.iter().enumerate() {
            *selectors.get_mut(at)? = Some(*kind);
        }
        Some(Selection(selectors))
    }
}

impl Selection {
    /// The selectors, in the order in which they choose.
    pub fn kinds(&self) -> impl Iterator<Item = SelectKind> + '_ {
        self.0.iter().flatten().copied()
    }
}

impl From<SelectKind> for Selection {
    fn from(kind: SelectKind) -> Selection {
        let mut selectors = [None; MAX_SELECTORS];
        selectors[0] = Some(kind);
        Selection(selectors)
    }
}

impl Default for Selection {
    fn default() -> Self {
        SelectKind::default().into()
    }
}

impl Select for Selection {
    fn select<C: Choice>(&self, candidates: Vec<C>) -> Vec<C> {
        let selectors = self.0.iter().flatten();
        selectors.fold(candidates, |left, selector| selector.select(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A candidate for the path `at` that also rules out the paths of `others`.
    #[derive(Debug, Clone, PartialEq)]
    struct Toy {
        at: usize,
        size: usize,
        counts: bool,
        others: Vec<usize>,
        merit: Merit,
    }

    impl Choice for Toy {
        fn size(&self) -> usize {
            self.size
        }
        fn counts_loops(&self) -> bool {
            self.counts
        }
        fn merit(&self) -> &Merit {
            &self.merit
        }
        fn rules_out(&self, other: &Self) -> bool {
            self.at == other.at || self.others.contains(&other.at)
        }
    }

    fn toys() -> impl Strategy<Value = Vec<Toy>> {
        let toy = (0usize..4, any::<bool>(), prop::collection::vec(0usize..10, 0..5));
        prop::collection::vec(toy, 1..10).prop_map(|toys| {
            let toys = toys.into_iter().enumerate();
            toys.map(|(at, (size, counts, others))| Toy {
                at,
                size,
                counts,
                others,
                merit: Merit::of(size % 3),
            })
            .collect()
        })
    }

    const ALL: &[SelectKind] = &[
        SelectKind::First,
        SelectKind::JoinAll,
        SelectKind::JoinAtMost(0),
        SelectKind::JoinAtMost(3),
        SelectKind::DelayCounters,
        SelectKind::Smallest,
        SelectKind::Cover,
        SelectKind::Preferred,
    ];

    /// The law: members of the input, in its order, at least one.
    fn obeys(input: &[Toy], output: &[Toy]) -> bool {
        let mut rest = input.iter();
        !output.is_empty() && output.iter().all(|one| rest.any(|other| other == one))
    }

    proptest! {
        #[test]
        fn selectors_choose_members_in_order(input in toys()) {
            for first in ALL {
                let output = first.select(input.clone());
                prop_assert!(obeys(&input, &output), "{:?}", first);
                for second in ALL {
                    let both = Selection::new(&[*first, *second]).unwrap().select(input.clone());
                    prop_assert!(obeys(&output, &both));
                    prop_assert_eq!(both, second.select(output.clone()));
                }
            }
        }

        #[test]
        fn a_cover_rules_out_everything(input in toys()) {
            let output = SelectKind::Cover.select(input.clone());
            prop_assert!(input.iter().all(|path| output.iter().any(|one| one.rules_out(path))));
            // None of them is there in vain for being the last that was taken; at least, one is enough where one rules out all.
            if input.iter().any(|one| input.iter().all(|path| one.rules_out(path))) {
                prop_assert_eq!(output.len(), 1);
            }
        }

        #[test]
        fn counters_wait_until_nothing_else_is_left(input in toys()) {
            let output = SelectKind::DelayCounters.select(input.clone());
            let others = input.iter().filter(|toy| !toy.counts).count();
            prop_assert_eq!(output.len(), if others == 0 { input.len() } else { others });
            let least = input.iter().map(|toy| toy.size).min();
            prop_assert!(SelectKind::Smallest.select(input.clone()).iter().all(|toy| Some(toy.size) == least));
            let best = input.iter().map(|toy| &toy.merit).min();
            let preferred = SelectKind::Preferred.select(input.clone());
            prop_assert!(preferred.iter().all(|toy| Some(&toy.merit) == best));
            prop_assert_eq!(preferred.len(), input.iter().filter(|toy| Some(&toy.merit) == best).count());
        }
    }

    #[test]
    fn a_combination_has_room_for_four() {
        assert!(Selection::new(&[SelectKind::First; MAX_SELECTORS]).is_some());
        assert!(Selection::new(&[SelectKind::First; MAX_SELECTORS + 1]).is_none());
        assert_eq!(Selection::default(), Selection::from(SelectKind::JoinAll));
    }
}
