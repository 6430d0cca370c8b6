//! The table of the interpolants of all variants, with measures, in place of the answers of a script.
//!
//! Of a sequence all variants are read off *one* refutation, so that what differs between them comes from the variant and not from the search ([`readings`](crate::interpolate::readings())). At each cut these are interpolants
//! between what stands before and behind it. Where a variant cannot read that proof, and for trees, it has queries of its own.

use super::Options;
use super::checks::reason_text;
use super::interpolants::Partitions;
use super::session::{Reply, Session};
use super::sexpr::Splitter;
use crate::interpolate::{
    self, Cost, Guide, InterpolationConfig, Measures, Reading, Readings, SequenceResult, Variant, chain, readings,
};
use crate::solver::UnknownReason;
use crate::term::TermId;
use std::sync::Arc;

/// An interpolant with its measures.
#[derive(Clone, Debug)]
pub struct RatedInterpolant {
    /// The measures.
    pub measures: Measures,
    /// The most variables and functions that an interpolant may have.
    pub shared_symbols: usize,
    /// The number of the formula among the different ones of this partition, from 1.
    pub formula: usize,
    /// The numbers of the other formulas that this one implies.
    pub implies: Vec<usize>,
    /// The numbers of those of which this was not decided.
    pub undecided: Vec<usize>,
    /// Whether it has a certificate; none if nobody asked.
    pub certified: Option<bool>,
}

/// One line of the table of interpolants: a variant's interpolant of one partition.
#[derive(Clone, Debug)]
pub struct InterpolantRow {
    /// The number of this `get-interpolants` in the script, from 1.
    pub command: usize,
    /// The variant.
    pub variant: Variant,
    /// The partition with its subtree, from 1.
    pub partition: usize,
    /// The deterministic effort of the query, which all variants that are read off one proof have in common.
    pub ticks: u64,
    /// The checked properties of the interpolant; or why there is none.
    pub result: Result<RatedInterpolant, &'static str>,
}

/// The table of a script.
#[derive(Clone, Debug, Default)]
pub struct InterpolationTable {
    /// A row for each command, variant and partition.
    pub rows: Vec<InterpolantRow>,
    /// The errors of commands, with their places.
    pub errors: Vec<String>,
    /// The logic that the script names.
    pub logic: Option<String>,
    /// The different sub-terms of its assertions at its end.
    pub terms: usize,
    /// Their different variables and functions.
    pub symbols: usize,
}

/// Runs a script, answering each `get-interpolants` with all variants. Other answers are dropped; errors are returned with their place.
pub fn interpolation_table(input: &str, options: &Options) -> InterpolationTable {
    let mut session = Session::new(options);
    session.table = Some(Vec::new());
    let (mut splitter, mut errors) = (Splitter::new(input.as_bytes()), Vec::new());
    while let Some((bytes, start)) = splitter.next().expect("memory can be read") {
        let text = String::from_utf8_lossy(bytes);
        match session.read_and_execute(&text) {
            Ok(Reply::Exit) => break,
            Ok(Reply::Contradiction(_, message)) => errors.push(format!("{start}: {message}")),
            Ok(_) => {}
            Err(error) => errors.push(format!("{}: {}", start.of(text.as_bytes(), error.at), error.message)),
        }
    }
    let formulas: Vec<TermId> = session.assertions.iter().map(|assertion| assertion.formula).collect();
    InterpolationTable {
        terms: session.pool.sub_terms(&formulas).len(),
        symbols: session.pool.symbols_of(&formulas).len(),
        logic: session.logic.take(),
        rows: session.table.unwrap_or_default(),
        errors,
    }
}

/// The findings of a variant.
struct Found {
    variant: Variant,
    ticks: u64,
    interpolants: Result<Vec<TermId>, &'static str>,
    guide: Option<Arc<Guide>>,
}

impl Session {
    /// Adds the interpolants of all variants to the table. The error says that one of them is wrong.
    pub(super) fn tabulate(&mut self, partitions: &Partitions, config: &InterpolationConfig) -> Result<(), String> {
        let Partitions { formulas, parents } = partitions;
        let results = self.by_variant(partitions, config);
        let command = 1 + self
            .table
            .as_ref()
            .and_then(|rows| rows.last())
            .map_or(0, |row| row.command);
        let mut limits = self.side_limits();
        let mut rows = Vec::new();
        for partition in 0..parents.len() {
            let mut different: Vec<TermId> = Vec::new();
            for interpolants in results.iter().filter_map(|result| result.interpolants.as_ref().ok()) {
                if !different.contains(&interpolants[partition]) {
                    different.push(interpolants[partition]);
                }
            }
            let certified = self.certify_different(partitions, partition, &different, &results)?;
            let order = interpolate::implications(&mut self.pool, &different, &mut limits);
            let inside = |part: usize| interpolate::is_below(part, partition, parents);
            let shared_symbols = interpolate::shared_symbols(&self.pool, formulas, inside);
            for result in &results {
                let rate = |interpolants: &Vec<TermId>| {
                    let found = interpolants[partition];
                    let number = different.iter().position(|&known| known == found);
                    let number = number.expect("all are known");
                    RatedInterpolant {
                        measures: Measures::of(&self.pool, found),
                        shared_symbols,
                        formula: number + 1,
                        implies: others(&order, number, Some(true)),
                        undecided: others(&order, number, None),
                        certified: certified[number],
                    }
                };
                rows.push(InterpolantRow {
                    command,
                    variant: result.variant,
                    partition: partition + 1,
                    ticks: result.ticks,
                    result: result.interpolants.as_ref().map(rate).map_err(|reason| *reason),
                });
            }
        }
        self.table.get_or_insert_default().extend(rows);
        Ok(())
    }

    /// The interpolants of all variants. The limit on ticks holds for all of them together.
    fn by_variant(&mut self, partitions: &Partitions, config: &InterpolationConfig) -> Vec<Found> {
        let Partitions { formulas, parents } = partitions;
        let mut known: Vec<Reading> = Vec::new();
        let mut cost = Cost::default();
        if *parents == chain(formulas.len()) {
            let config = InterpolationConfig {
                guide: self.options.check,
                ..config.clone()
            };
            let (found, spent) = readings(&mut self.pool, formulas, &config);
            cost = spent;
            self.checked.interpolation.add(&spent);
            if let Readings::Read(found) = found {
                known = found;
            }
        }
        let mut left = config.ticks.map(|ticks| ticks.saturating_sub(cost.ticks));
        let mut results = Vec::new();
        for variant in Variant::all() {
            let reading = known.iter().find(|reading| reading.variant == variant);
            if let Some(reading) = reading
                && reading.interpolants.is_ok()
            {
                results.push(Found {
                    variant,
                    ticks: cost.ticks,
                    interpolants: reading.interpolants.clone(),
                    guide: reading.guide.clone(),
                });
                continue;
            }
            if left == Some(0) {
                results.push(Found {
                    variant,
                    ticks: 0,
                    interpolants: Err(reason_text(UnknownReason::Ticks)),
                    guide: None,
                });
                continue;
            }
            let config = InterpolationConfig {
                variant,
                ticks: left,
                ..config.clone()
            };
            let (result, cost) = interpolate::tree_with_cost(&mut self.pool, formulas, parents, &config);
            left = left.map(|left| left.saturating_sub(cost.ticks));
            self.checked.interpolation.add(&cost);
            let interpolants = match result {
                SequenceResult::Unsat(interpolants) => Ok(interpolants),
                SequenceResult::Sat(_) => Err("the partitions together are satisfiable"),
                SequenceResult::Unknown(reason) => Err(reason_text(reason)),
            };
            results.push(Found {
                variant,
                ticks: cost.ticks,
                interpolants,
                guide: None,
            });
        }
        results
    }

    /// For each of the different interpolants of a partition whether it has a certificate, as one between its subtree and the rest; none if nobody asked.
    fn certify_different(
        &mut self,
        partitions: &Partitions,
        partition: usize,
        different: &[TermId],
        results: &[Found],
    ) -> Result<Vec<Option<bool>>, String> {
        let Partitions { formulas, parents } = partitions;
        let is_inside = |part: &usize| interpolate::is_below(*part, partition, parents);
        let (inside, outside): (Vec<usize>, Vec<usize>) = (0..formulas.len()).partition(is_inside);
        let side = |parts: Vec<usize>| parts.into_iter().map(|part| formulas[part]).collect::<Vec<_>>();
        let (inside, outside) = (side(inside), side(outside));
        let mut certified = Vec::with_capacity(different.len());
        for &interpolant in different {
            let is_its = |result: &&Found| matches!(&result.interpolants, Ok(all) if all[partition] == interpolant);
            let guide = results.iter().filter(is_its).find_map(|result| result.guide.as_deref());
            certified.push(self.certify_cut([&inside, &outside], interpolant, guide)?);
        }
        Ok(certified)
    }
}

/// The numbers of the other formulas, from 1, that a formula implies or not.
fn others(order: &[Vec<Option<bool>>], number: usize, wanted: Option<bool>) -> Vec<usize> {
    let row = order[number].iter().enumerate();
    row.filter(|(other, known)| **known == wanted && *other != number)
        .map(|(other, _)| other + 1)
        .collect()
}
