//! The templates of interpolation abstraction (Rümmer, Subotić, *Exploring interpolants*, FMCAD 2013), by how the program uses its variables.
//!
//! The solver [hides variables and keeps templates](provident_smt::interpolate::abstracted()); here it is decided which. A template is wanted if predicates over it let a loop converge. [Domain types](DomainTypes) say how a program uses a variable, and their
//! order is that of the ranks: few values that matter come first, loop counters last, whose predicates unroll their loops.
//!
//! | templates | hidden | kept, if a path is not refuted with less |
//! |---|---|---|
//! | `counters` | loop counters | none: a built-in preference, which has a [faster way](LoopCounters::hide) |
//! | `differences`, `sums` | variables that are ordered or computed with | differences or sums of two of them; then the variables themselves, loop counters last |
//! | `types` | all variables | booleans, variables that are compared for equality, those that are computed with, operands of bit operators, loop counters |

use super::counters::LoopCounters;
use crate::cfa::analysis::domain_types::{DomainType, DomainTypes, Usage};
use provident_smt::interpolate::{Abstraction, HiddenVariable, TemplateTerms};
use provident_smt::term::{TermId, TermPool};

/// The templates in whose terms interpolants are sought first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Templates {
    /// Nothing is hidden.
    None,
    /// Loop counters are hidden.
    #[default]
    Counters,
    /// Differences of two variables.
    Differences,
    /// Sums of two variables.
    Sums,
    /// Single variables, by their domain types.
    Types,
}

/// The rank of a loop counter.
const COUNTER: u32 = 5;

impl Templates {
    /// The terms of two variables, if there are such templates; none where the solver's lattice is not asked.
    fn terms(self) -> Option<TemplateTerms> {
        match self {
            Templates::None | Templates::Counters => None,
            Templates::Differences => Some(TemplateTerms::Differences),
            Templates::Sums => Some(TemplateTerms::Sums),
            Templates::Types => Some(TemplateTerms::Variables),
        }
    }

    /// Whether they ask for domain types.
    pub fn ask_for_types(self) -> bool {
        self.terms().is_some()
    }

    /// The hidden variables in the parts of a chain, for at most `most` questions about sets of templates. `None` where that is nothing, or not the affair of these templates.
    pub fn abstraction(
        self,
        pool: &TermPool,
        parts: &[TermId],
        types: &DomainTypes,
        counters: &LoopCounters,
        most: usize,
    ) -> Option<Abstraction> {
        let terms = self.terms()?;
        let mut names: Vec<_> = pool.symbols_of(parts).into_iter().map(|symbol| symbol.name).collect();
        names.dedup();
        let hidden = names.into_iter().filter_map(|name| {
            let rank = rank(types.get(pool.name(name))?, counters.is_own(pool.name(name)))?;
            let is_paired = terms == TemplateTerms::Variables || rank >= ARITHMETIC;
            is_paired.then_some(HiddenVariable { name, rank: Some(rank) })
        });
        let hidden: Vec<HiddenVariable> = hidden.collect();
        (!hidden.is_empty()).then_some(Abstraction { hidden, terms, most })
    }
}

/// The rank of the first variables that are computed with.
const ARITHMETIC: u32 = 3;

/// The rank of a variable as a template. A counter that is not the program's own, such as one that a specification has, is never hidden.
fn rank(domain_type: DomainType, is_own_counter: bool) -> Option<u32> {
    if domain_type.loop_counter {
        return is_own_counter.then_some(COUNTER);
    }
    Some(match domain_type.usage {
        Usage::Boolean => 1,
        Usage::Equality => 2,
        Usage::Arithmetic => ARITHMETIC,
        Usage::Bits => 4,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::Program;
    use crate::cfa::lower::{LowerOptions, lower};
    use crate::encode::{Arith, Encoder};
    use crate::frontend::text::source::Source;
    use crate::frontend::types::DataModel;
    use crate::frontend::{FrontendOptions, parse};

    const TEXT: &str = "extern int __VERIFIER_nondet_int(void); int main(void) { int i = 0, n = __VERIFIER_nondet_int(), b = 0, c = 2; while (i < n) { i = i + 1; if (c == 3) b = !b; } return b; }";

    fn program() -> Program {
        let options = FrontendOptions {
            data_model: DataModel::Lp64,
        };
        let unit = parse(Source::new("types", TEXT), &options).unwrap_or_else(|e| panic!("{}", e.render(false)));
        lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
    }

    #[test]
    fn the_order_is_that_of_domain_types() {
        let program = program();
        let types = Encoder::new(&program, Arith::Machine).domain_types();
        let counters = LoopCounters::of(&program);
        let mut pool = TermPool::new();
        let names = ["i", "n", "b", "c", "elsewhere"].map(|name| {
            let name = pool.symbol(&format!("main::{name}"));
            pool.int_var(name, 1)
        });
        let zero = pool.int(0);
        let parts = names.map(|variable| pool.le(variable, zero));
        let mut text = String::new();
        for templates in [
            Templates::None,
            Templates::Counters,
            Templates::Differences,
            Templates::Sums,
            Templates::Types,
        ] {
            let abstraction = templates.abstraction(&pool, &parts, &types, &counters, 9);
            let hidden = abstraction.into_iter().flat_map(|abstraction| abstraction.hidden);
            let hidden: Vec<String> = hidden
                .map(|hidden| format!("{} {}", pool.name(hidden.name), hidden.rank.unwrap_or(0)))
                .collect();
            text += &format!("{templates:?}: {}\n", hidden.join(", "));
        }
        expect_test::expect![[r#"
            None: 
            Counters: 
            Differences: main::i 5, main::n 3
            Sums: main::i 5, main::n 3
            Types: main::i 5, main::n 3, main::b 1, main::c 2
        "#]]
        .assert_eq(&text);
    }
}
