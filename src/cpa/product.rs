//! The product of two data domains, each with its own precision (Beyer, Henzinger, Theoduloz, *Configurable software verification*, CAV 2007, section 2.3).
//!
//! A state is a pair; it represents the concrete states that both components represent. More than two domains are products of products. There is no
//! strengthening: a component learns nothing from the other one but that the pair is empty.
//!
//! The operators work on the components, and the pair has to agree:
//!
//! * `transfer` and `prec`: where one component has no state, the pair has none;
//! * `merge`: a pair is merged if both components are. A component that must not hold back the other one merges equal states;
//! * `stop`: a pair covers another if both components do;
//! * `fcover`: never. Both components may find that a state is covered after all, but by different states, which together cover nothing.

use super::callstack::Block;
use super::composite::{Context, Control, Domain};
use super::{Adjusted, Status};
use crate::cfa::Step;
use std::ops::{Deref, DerefMut};

/// The product of two domains.
#[derive(Debug)]
pub struct Product<A, B> {
    /// The first domain, which adjusts states first.
    pub first: A,
    /// The second domain. It is not asked about a state that the first one finds empty.
    pub second: B,
}

impl<A, B> Product<A, B> {
    /// The product.
    pub fn new(first: A, second: B) -> Self {
        Product { first, second }
    }
}

/// Fields and methods without a component's name are those of the second one: certificates and reports are about it, and the first one is an addition.
impl<A, B> Deref for Product<A, B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.second
    }
}

impl<A, B> DerefMut for Product<A, B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.second
    }
}

impl<A: Domain, B: Domain> Domain for Product<A, B> {
    type State = (A::State, B::State);
    type Key = (A::Key, B::Key);

    fn key(&self, state: &Self::State) -> Self::Key {
        (self.first.key(&state.0), self.second.key(&state.1))
    }

    fn covering_keys(&self, state: &Self::State) -> Vec<Self::Key> {
        let seconds = self.second.covering_keys(&state.1);
        let firsts = self.first.covering_keys(&state.0);
        let pairs = firsts
            .iter()
            .flat_map(|&first| seconds.iter().map(move |&second| (first, second)));
        pairs.collect()
    }

    fn transfer(
        &mut self,
        context: &Context<'_>,
        from: Control,
        to: Control,
        state: &Self::State,
        step: Step,
    ) -> Option<Self::State> {
        let first = self.first.transfer(context, from, to, &state.0, step)?;
        let second = self.second.transfer(context, from, to, &state.1, step)?;
        Some((first, second))
    }

    fn merge(&mut self, new: &Self::State, old: &Self::State) -> Option<Self::State> {
        let first = self.first.merge(&new.0, &old.0)?;
        let second = self.second.merge(&new.1, &old.1)?;
        Some((first, second))
    }

    fn stop(&mut self, state: &Self::State, reached: &Self::State) -> bool {
        self.first.stop(&state.0, &reached.0) && self.second.stop(&state.1, &reached.1)
    }

    fn prec(
        &mut self,
        context: &Context<'_>,
        control: Control,
        state: &Self::State,
    ) -> (Adjusted<Self::State>, Status) {
        let (first, status) = self.first.prec(context, control, &state.0);
        if matches!(first, Adjusted::Bottom) {
            return (Adjusted::Bottom, status);
        }
        let (second, of_second) = self.second.prec(context, control, &state.1);
        let adjusted = match (first, second) {
            (_, Adjusted::Bottom) | (Adjusted::Bottom, _) => Adjusted::Bottom,
            (Adjusted::Same, Adjusted::Same) => Adjusted::Same,
            (Adjusted::Changed(first), Adjusted::Same) => Adjusted::Changed((first, state.1.clone())),
            (Adjusted::Same, Adjusted::Changed(second)) => Adjusted::Changed((state.0.clone(), second)),
            (Adjusted::Changed(first), Adjusted::Changed(second)) => Adjusted::Changed((first, second)),
        };
        (adjusted, status.join(of_second))
    }

    fn waits(&self, state: &Self::State) -> bool {
        self.first.waits(&state.0) || self.second.waits(&state.1)
    }

    fn cases(&mut self, context: &Context<'_>, block: Block, state: &Self::State) -> Vec<Self::State> {
        let firsts = self.first.cases(context, block, &state.0);
        let seconds = self.second.cases(context, block, &state.1);
        let pairs = firsts
            .iter()
            .flat_map(|first| seconds.iter().map(move |second| (first.clone(), second.clone())));
        pairs.collect()
    }

    fn reduce(&mut self, context: &Context<'_>, block: Block, entry: Control, state: &Self::State) -> Self::State {
        let first = self.first.reduce(context, block, entry, &state.0);
        let second = self.second.reduce(context, block, entry, &state.1);
        (first, second)
    }

    fn expand(
        &mut self,
        context: &Context<'_>,
        block: Block,
        entry: &Self::State,
        exit: (Control, &Self::State),
    ) -> Self::State {
        let (control, (first, second)) = exit;
        let first = self.first.expand(context, block, &entry.0, (control, first));
        let second = self.second.expand(context, block, &entry.1, (control, second));
        (first, second)
    }

    fn carry(&mut self, context: &Context<'_>, entry: &Self::State, target: (Control, &Self::State)) -> Self::State {
        let (control, (first, second)) = target;
        let first = self.first.carry(context, &entry.0, (control, first));
        let second = self.second.carry(context, &entry.1, (control, second));
        (first, second)
    }

    fn precision_in(&mut self, context: &Context<'_>, block: Block) -> u64 {
        let (first, second) = (
            self.first.precision_in(context, block),
            self.second.precision_in(context, block),
        );
        // Interned by each component, so both are small.
        assert!(first < 1 << 32 && second < 1 << 32, "fewer than 2^32 precisions");
        (first << 32) | second
    }
}
