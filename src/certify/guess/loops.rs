//! Guesses at the loop heads of a program without recursion, from executions: linear equations between variables, with products where these do not suffice, and bounds.
//!
//! `x` and `z` may change for as long as they want to: as long as their sum is `i` in every execution that was tried, that is a guess ([`samples`](super::samples)).

use super::samples::facts::facts_at_loop;
use super::samples::runs::{Column, samples};
use super::samples::sites::Sites;
use super::samples::speaker::Speaker;
use super::samples::tables::Table;
use crate::cfa::{EdgeId, NodeId, VarKind};
use crate::encode::Encoder;
use provident_smt::term::{TermId, TermPool};
use std::collections::BTreeMap;

/// The guesses by loop head, each under a call stack, and in the second place those about pairs and phases; none where a place is never reached.
pub(super) fn at_loops(
    encoder: &Encoder<'_>,
    pool: &mut TermPool,
) -> BTreeMap<(NodeId, Vec<EdgeId>), [Vec<TermId>; 2]> {
    let program = encoder.program();
    let mut found = BTreeMap::new();
    let Ok(sites) = Sites::of(program) else {
        return found;
    };
    let samples = samples(program, &sites);
    // The first site is the start of the program.
    for (site, rows) in sites.all.iter().zip(&samples.rows).skip(1) {
        if rows.is_empty() {
            continue;
        }
        let is_variable = |column| matches!(column, Column::Now(_, var) if program.var(var).kind != VarKind::Temp);
        let table = Table::new(program, rows, is_variable);
        let facts = facts_at_loop(&table, &samples.constants);
        let mut speaker = Speaker {
            encoder,
            pool,
            table: &table,
        };
        found.insert((site.node, site.calls.clone()), facts.map(|facts| speaker.all(&facts)));
    }
    found
}
