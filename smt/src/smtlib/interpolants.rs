//! The command `get-interpolants` and its options.
//!
//! The arguments are partitions: names of assertions, or conjunctions of them. `(get-interpolants A B C)` interpolates the sequence. A list among
//! the arguments is a subtree whose root is its last partition: in `(get-interpolants A (B C) D)` the children of `D` are `A` and `C`, and that of `C` is
//! `B`. The answer is the list of the interpolants of all partitions but the last one, in order.
//!
//! In the options `default` is what the caller chose.
//!
//! | option | values |
//! |---|---|
//! | `:interpolation-labelling` | `mcmillan`, `pudlak`, `dual`, `smallest` |
//! | `:interpolation-arithmetic` | `decomposed`, `farkas`, `dual-farkas`, `dual-decomposed` |
//! | `:interpolation-congruence` | `strong`, `weak` |
//! | `:interpolation-reduce-proof` | whether the proof is made smaller first |
//! | `:interpolation-simplify` | whether interpolants are simplified |
//! | `:interpolation-minimise` | whether a small contradictory part of the partitions is looked for first |

use super::answer::ScriptStyle;
use super::arrays;
use super::checks::reason_text;
use super::session::{Outcome, Session, name_of};
use super::sexpr::{Error, Expr, Kind};
use super::symbols;
use crate::hash::FxHashSet;
use crate::interpolate::{self, ArithmeticLeaf, CongruenceLeaf, Cost, InterpolationConfig, Labelling, SequenceResult};
use crate::solver::UnknownReason;
use crate::term::{Symbol, TermId};

/// The partitions of a command, children before parents, and the parents of all but the last one.
#[derive(Default)]
pub(super) struct Partitions {
    pub(super) formulas: Vec<TermId>,
    pub(super) parents: Vec<usize>,
}

/// The result of a search for interpolants.
struct Found {
    result: SequenceResult,
    /// The partitions that it belongs to.
    formulas: Vec<TermId>,
    cost: Cost,
    /// Whether an interpolant would have to name an index at which two arrays differ.
    lacks_names: bool,
}

impl Session {
    /// The interpolants between the partitions that the arguments name.
    pub(super) fn get_interpolants(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        if !matches!(self.outcome, Outcome::Unsat { .. }) {
            return Err(command.error(0, "interpolants need a check that answered unsat"));
        }
        if arguments.len() < 2 {
            return Err(command.error(0, "interpolants need at least two partitions"));
        }
        let style = ScriptStyle::new(&self.pool, &self.scope);
        let mut partitions = Partitions::default();
        self.partitions(command, arguments, &style, &mut partitions)?;
        self.add_axioms(&mut partitions);
        let config = self.interpolation_config();
        if self.table.is_some() {
            self.tabulate(&partitions, &config)
                .map_err(|defect| command.error(0, format!("internal error: {defect}")))?;
            return Ok(String::new());
        }
        let Partitions { formulas, parents } = partitions;
        let Found {
            result,
            formulas,
            cost,
            lacks_names,
        } = self.search_interpolants(formulas, &parents, config);
        match result {
            SequenceResult::Unsat(mut interpolants) => {
                self.certify(&formulas, &parents, &interpolants, cost)
                    .map_err(|defect| command.error(0, format!("internal error: {defect}")))?;
                for interpolant in &mut interpolants {
                    *interpolant = self.scope.without_updates(&mut self.pool, *interpolant);
                }
                let witness = |s: Symbol| arrays::is_witness(&self.pool, s);
                if self.pool.symbols_of(&interpolants).into_iter().any(witness) {
                    let message =
                        "the interpolant found mentions an index at which two arrays differ, which has no name";
                    return Err(command.error(0, message));
                }
                let style = ScriptStyle::new(&self.pool, &self.scope);
                let texts = interpolants
                    .into_iter()
                    .map(|formula| style.formula(&self.pool, formula));
                match texts.collect::<Option<Vec<_>>>() {
                    Some(texts) => Ok(format!("({})", texts.join(" "))),
                    None => Err(command.error(0, "the interpolant found has no form in the script's sorts")),
                }
            }
            SequenceResult::Sat(_) if !self.axioms.is_empty() => {
                let message = "no interpolants: the facts about products, divisions and equal arrays that each partition has alone do not contradict each other";
                Err(command.error(0, message))
            }
            SequenceResult::Sat(_) => Err(command.error(0, "the partitions together are satisfiable")),
            SequenceResult::Unknown(UnknownReason::Incomplete(_)) if lacks_names => {
                let message = "no interpolants: what the partitions say of arrays that they share, of the indices that they share and of the elements there is not contradictory; an interpolant would have to name an index at which two of these arrays \
                               differ, for which there is no function";
                Err(command.error(0, message))
            }
            SequenceResult::Unknown(reason) => {
                let mut message = format!("no interpolants: {}", reason_text(reason));
                if formulas.iter().any(|&f| self.scope.arrays.is_in(&self.pool, f)) {
                    message.push_str(
                        "; a lemma about arrays of different partitions may have no interpolant without quantifiers",
                    );
                }
                Err(command.error(0, message))
            }
        }
    }

    /// Searches interpolants in the script's language: where arrays are shared, of partitions with arrays of their own, then of the partitions as they are, then with equations.
    fn search_interpolants(
        &mut self,
        mut formulas: Vec<TermId>,
        parents: &[usize],
        mut config: InterpolationConfig,
    ) -> Found {
        let (mut cost, mut lacks_names) = (Cost::default(), false);
        let equated = self.with_equations(&formulas, parents);
        if let Some(equated) = &equated
            && let Some(mut result) = self.interpolate_with_own_arrays(equated, parents, &config, &mut cost)
        {
            lacks_names = equated.is_complete && matches!(result, SequenceResult::Sat(_));
            if matches!(result, SequenceResult::Unsat(_)) && self.is_said(&mut result) {
                return Found {
                    result,
                    formulas: equated.parts.clone(),
                    cost,
                    lacks_names,
                };
            }
        }
        let mut result = self.interpolate(&formulas, parents, &config, &mut cost);
        if !self.is_said(&mut result)
            && let Some(equated) = equated
        {
            (formulas, config.meanings) = (equated.parts, equated.meanings);
            result = self.interpolate(&formulas, parents, &config, &mut cost);
            self.is_said(&mut result);
        }
        Found {
            result,
            formulas,
            cost,
            lacks_names,
        }
    }

    /// The interpolants of partitions, with what is left of the limit; adds to the cost.
    pub(super) fn interpolate(
        &mut self,
        formulas: &[TermId],
        parents: &[usize],
        config: &InterpolationConfig,
        cost: &mut Cost,
    ) -> SequenceResult {
        let config = InterpolationConfig {
            ticks: config.ticks.map(|ticks| ticks.saturating_sub(cost.ticks)),
            guide: self.options.check,
            ..config.clone()
        };
        let (result, more, guide) = interpolate::guided_tree(&mut self.pool, formulas, parents, &config);
        self.guide = guide;
        cost.add(&more);
        result
    }

    /// Whether the script's language has words for what was found, which loses orders among elements of declared sorts; not for interpolants that were not found for lack of such.
    fn is_said(&mut self, result: &mut SequenceResult) -> bool {
        match result {
            SequenceResult::Unsat(interpolants) => {
                let style = ScriptStyle::new(&self.pool, &self.scope);
                let mut said = true;
                for interpolant in interpolants {
                    *interpolant = style
                        .without_orders(&mut self.pool, *interpolant)
                        .unwrap_or(*interpolant);
                    let meant = self.scope.without_updates(&mut self.pool, *interpolant);
                    said &= style.formula(&self.pool, meant).is_some();
                }
                said
            }
            SequenceResult::Unknown(UnknownReason::Incomplete(_)) => false,
            _ => true,
        }
    }

    /// The configuration by the options, those of the script before those of its caller.
    fn interpolation_config(&self) -> InterpolationConfig {
        let mut config = InterpolationConfig {
            ticks: self.tick_limit(),
            interrupt: self.options.interrupt.as_ref().map(|i| i.flag()),
            equality: true,
            minimise: self.settings.enabled(":interpolation-minimise"),
            simplify: self.settings.enabled(":interpolation-simplify"),
            inprocessing: self.settings.inprocessing(),
            finite_after: self.settings.finite_after(),
            ..self.options.interpolation.clone()
        };
        let word = |option| self.settings.get(option).unwrap_or_default();
        if let Some(labelling) = Labelling::named(word(":interpolation-labelling")) {
            config.variant.labelling = labelling;
        }
        if let Some(arithmetic) = ArithmeticLeaf::named(word(":interpolation-arithmetic")) {
            config.variant.arithmetic = arithmetic;
        }
        if let Some(congruence) = CongruenceLeaf::named(word(":interpolation-congruence")) {
            config.variant.congruence = congruence;
        }
        config.reduce_proof = match word(":interpolation-reduce-proof") {
            "true" => true,
            "false" => false,
            _ => config.reduce_proof,
        };
        config
    }

    /// Adds the partitions of a list, the last of which is the parent of those that nothing before it is the parent of. Returns its number.
    fn partitions(
        &mut self,
        command: &Expr<'_>,
        arguments: &[usize],
        style: &ScriptStyle,
        partitions: &mut Partitions,
    ) -> Result<Vec<usize>, Error> {
        let mut roots: Vec<usize> = Vec::new();
        for &argument in arguments {
            let is_conjunction = command
                .children(argument)
                .next()
                .is_some_and(|head| command.symbol(head) == Some("and"));
            if command.kind(argument) == Kind::List && !is_conjunction {
                let inside = command.list(argument);
                let below = self.partitions(command, &inside, style, partitions)?;
                if below.len() != 1 {
                    return Err(command.error(argument, "a subtree ends with the partition that is its root"));
                }
                roots.extend(below);
                continue;
            }
            let part = self.partition(command, argument)?;
            let ranges = style.predicate_ranges(&mut self.pool, part);
            let number = partitions.formulas.len();
            partitions.formulas.push(self.pool.and2(part, ranges));
            partitions.parents.resize(number, number);
            for child in std::mem::replace(&mut roots, vec![number]) {
                partitions.parents[child] = number;
            }
        }
        Ok(roots)
    }

    /// Adds the facts about products, divisions and equal arrays that refuted the script, each to the first partition that has all of its symbols. They are true, so a partition with them says what it says
    /// without.
    fn add_axioms(&mut self, partitions: &mut Partitions) {
        let vocabularies: Vec<FxHashSet<Symbol>> = partitions
            .formulas
            .iter()
            .map(|&formula| self.pool.symbols_of(&[formula]).into_iter().collect())
            .collect();
        for &axiom in &self.axioms {
            let mut symbols = self.pool.symbols_of(&[axiom]);
            symbols.retain(|&symbol| {
                let is_own = arrays::is_internal_to_equality(&self.pool, symbol);
                !is_own && symbols::operation_of(&self.pool, symbol).is_none()
            });
            let has_all = |vocabulary: &FxHashSet<Symbol>| symbols.iter().all(|symbol| vocabulary.contains(symbol));
            if let Some(part) = vocabularies.iter().position(has_all) {
                partitions.formulas[part] = self.pool.and2(partitions.formulas[part], axiom);
            }
        }
    }

    /// The formula of a partition: the name of an assertion or a conjunction of such names.
    fn partition(&mut self, command: &Expr<'_>, node: usize) -> Result<TermId, Error> {
        let names = match command.kind(node) {
            Kind::List => command.list(node)[1..].to_vec(),
            _ => vec![node],
        };
        let mut formulas = Vec::new();
        for name in names {
            let text = name_of(command, name)?;
            let assertion = self.assertions.iter().find(|a| a.name.as_deref() == Some(text));
            let assertion = assertion.ok_or_else(|| command.error(name, format!("no assertion is named {text}")))?;
            formulas.push(assertion.formula);
        }
        Ok(self.pool.and(&formulas))
    }
}
