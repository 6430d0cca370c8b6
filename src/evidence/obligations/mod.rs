//! Proof obligations: the proof of a TRUE as SMT-LIB scripts, which any solver for linear integers and functions can refute.
//!
//! The [certificate](crate::certify) of a run claims something at some control states: at the program's start, at loop heads, at
//! entries of recursive functions. Hoare's and Floyd's conditions (Floyd, *Assigning meanings to programs*, 1967) then suffice:
//!
//! * **initiation**: the claim at the start holds of every state;
//! * **consecution**: a *block* consists of the paths from one claim to the next. For every block: if the claim holds before it, then the claim at its end holds
//!   after each path. A path to a point without claim must not be possible at all (**exclusion**);
//! * **safety**: where the claim holds before, no path in its block takes an edge that violates a property;
//! * **ranges**: the values that a block leaves behind are in the ranges of their types, on which the meaning of steps relies (`ranges`).
//!
//! Each condition is a script that has to be unsatisfiable.
//!
//! # Independence of the exploration
//!
//! Only the claims come from the exploration. The paths are found again (`walk`), from the program alone: from each claim along every edge, into every call, until the
//! next points. So an edge that the exploration left out by mistake is in a block here, and one of its obligations is satisfiable.
//! No automaton, predicate or cache prunes paths. Both share the meaning of a single step (the encoder).
//!
//! # Memory
//!
//! An update of memory defines the content of all addresses, for which there is no formula without quantifiers. A script has a Boolean in its place, with
//! instances of the update at some addresses (`instances`). Instances are weaker than the update, so a script that is unsatisfiable with instances is also unsatisfiable
//! with the update. A proof of our solver shows which addresses are needed. Values of non-linear operators are functions, and a script lists the facts about them.
//!
//! # All elements of an array
//!
//! A claim may concern all elements between two bounds. Scripts have instances of such claims (`elements`). If the claims come from guesses,
//! [`inductive`] finds the guesses that hold together.
//!
//! # Checks
//!
//! [`discharge`] reads the scripts back as text, solves each with a fresh solver and has the proof checked. Other solvers take the
//! same files; `tests/dev/obligations.py` does that with two. `audit` compares the scripts with the manifest, [`coverage`] checks that they leave nothing out, and [`origin`]
//! compares the manifest with the program, if it is given. The remaining assumptions are listed in these modules.
//!
//! | module | does |
//! |---|---|
//! | `walk` | blocks, found from the program alone |
//! | `scripts` | the obligations, and their entries in the manifest |
//! | `manifest` | what each file claims, and how the files cover the program |
//! | `contracts` | names on both sides of calls that rely on contracts, and what calls may change |
//! | `views` | the same, from the manifest alone |
//! | `instances` | updates of memory without quantifiers |
//! | `elements` | claims about all elements of an array |
//! | `lazily` | instances of such claims by need |
//! | `trials` | guesses that the first executions refute |
//! | `inductive` | the guesses that hold together |
//! | `needed` | those of them that a proof needs |
//! | `weaker` | guesses that wait for the end of stronger ones |
//! | `ranges` | values in the ranges of their types |
//! | `operators` | values of non-linear operators |
//! | `products` | products whose factors are a step apart |
//! | `identities` | sums of products that are 0 if others are |
//! | `ring` | the same, multiplied out for the audit |
//! | `floats` | values and monotonicity of floating-point operations |
//! | [`defect`] | mistakes in manifests and scripts, as types |
//! | `discharge` | solving the scripts, and checking the proofs |
//! | `terms` | scripts as terms |
//! | `audit` | whether a script says what the manifest says |
//! | `coverage` | whether the blocks leave nothing out |
//! | `origin` | whether obligations are about a program |

mod audit;
mod contracts;
pub mod coverage;
pub mod defect;
pub mod discharge;
mod elements;
mod floats;
mod identities;
mod inductive;
mod instances;
mod lazily;
pub mod manifest;
mod needed;
mod operators;
pub mod origin;
mod products;
mod ranges;
mod ring;
mod scripts;
mod terms;
mod trials;
mod views;
mod walk;
mod weaker;

pub use instances::Failure;
pub use manifest::Manifest;

use crate::certify::{Certificate, Claim};
use crate::cfa::{EdgeId, Op, Program, Watcher};
use crate::cpa::tracking::PropertyId;
use crate::encode::Encoder;
use crate::engine::Property;
use provident_smt::solver::Solver;
use provident_smt::term::{TermId, TermPool};
use scripts::Writer;
use std::collections::BTreeSet;
use walk::Walk;

/// How much a solver may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// One of many guesses together, of which each may be easy alone.
    Least,
    /// A question that can be put in parts.
    Little,
    /// One that cannot.
    Full,
}

/// The cost of a term or of an instance of a claim, in solver ticks that take about the same time.
const TICKS_PER_TERM: u64 = 20;

/// The source of solvers, which record proofs, and the account of what they spend.
pub trait Solvers {
    /// A solver for a question.
    fn solver(&mut self, effort: Effort) -> Solver;

    /// Called with a solver that has answered.
    fn charge(&mut self, _: &Solver) {}

    /// Called with other effort, in ticks of a solver that take about as long.
    fn charge_ticks(&mut self, _: u64) {}

    /// Whether nothing more may be spent.
    fn is_exhausted(&self) -> bool {
        false
    }
}

/// Solvers without an account.
impl<F: FnMut(Effort) -> Solver> Solvers for F {
    fn solver(&mut self, effort: Effort) -> Solver {
        self(effort)
    }
}

/// All obligations of a certificate.
#[derive(Clone, Debug)]
pub struct Obligations {
    /// The claim of each file, and how the files belong together.
    pub manifest: Manifest,
    /// The scripts: names and texts, in the order of the manifest.
    pub scripts: Vec<(String, String)>,
}

/// Makes the obligations of a certificate for its properties, which are positions in `properties`.
///
/// Solvers of `solvers` look for the addresses at which updates are needed, and for scripts about ranges that are not too big; they
/// record proofs.
///
/// # Errors
/// An obligation is satisfiable, or it could not be found out where its updates are needed.
pub fn obligations(
    program: &Program,
    properties: &[Property],
    certificate: &Certificate,
    solvers: &mut dyn Solvers,
) -> Result<Obligations, Failure> {
    let violations = violations(properties, certificate);
    let mut pool = TermPool::new();
    let mut encoder = encoder(program, certificate);
    let closed = closed(program, properties, certificate);
    let mut walk = Walk::new(program, certificate, &violations, &closed);
    let mut writer = Writer::new(program, certificate, &mut pool, &mut walk);
    writer.initiation(&mut pool);
    let blocks = writer.blocks(&mut encoder, &mut pool, &mut walk);
    writer.establish(&encoder, &mut pool, &walk, &blocks);
    for (claim, block) in blocks.iter().enumerate() {
        match walk.behind(claim) {
            Some(behind) => writer.call(&encoder, &mut pool, &walk, (claim, behind), solvers)?,
            None => writer.block(&encoder, &mut pool, &walk, claim, block, solvers)?,
        }
    }
    let names = certificate
        .properties
        .iter()
        .map(|&p| properties[p.index()].name.clone());
    Ok(writer.finish(names.collect(), &violations, &closed))
}

/// The certificate with those of its guesses that are inductive together. Whether they exclude the violations, [`obligations`] shows.
pub fn inductive(
    program: &Program,
    properties: &[Property],
    certificate: &Certificate,
    solvers: &mut dyn Solvers,
) -> Certificate {
    kept(program, properties, certificate, false, solvers)
}

/// The same, but only those that a proof of the properties needs. Without contracts.
pub fn needed(
    program: &Program,
    properties: &[Property],
    certificate: &Certificate,
    solvers: &mut dyn Solvers,
) -> Certificate {
    kept(program, properties, certificate, true, solvers)
}

fn kept(
    program: &Program,
    properties: &[Property],
    certificate: &Certificate,
    only_needed: bool,
    solvers: &mut dyn Solvers,
) -> Certificate {
    let violations = violations(properties, certificate);
    let mut pool = TermPool::new();
    let mut encoder = encoder(program, certificate);
    let closed = closed(program, properties, certificate);
    let mut walk = Walk::new(program, certificate, &violations, &closed);
    let mut writer = Writer::new(program, certificate, &mut pool, &mut walk);
    let blocks = writer.blocks(&mut encoder, &mut pool, &mut walk);
    writer.establish(&encoder, &mut pool, &walk, &blocks);
    let is_proof = only_needed && writer.keep_needed(&encoder, &mut pool, &walk, &blocks, solvers);
    // If guesses do not exclude the violations of one property there is nothing to prove; of several, each may be excluded alone.
    match is_proof {
        true => {}
        false if only_needed && certificate.properties.len() == 1 => writer.drop_all(&mut pool),
        false => writer.reduce(&encoder, &mut pool, &walk, &blocks, solvers),
    }
    writer.reduced(&mut pool, certificate, &mut |claim: &Claim| walk.number(claim))
}

/// Those properties of a certificate whose violations its claims exclude: no path from a claim to the next one takes such an edge. The claims may still be wrong.
pub fn excluded(
    program: &Program,
    properties: &[Property],
    certificate: &Certificate,
    solvers: &mut dyn Solvers,
) -> Vec<PropertyId> {
    let closed = closed(program, properties, certificate);
    let mut excluded = Vec::new();
    for &property in &certificate.properties {
        let targets: BTreeSet<EdgeId> = properties[property.index()].targets.iter().copied().collect();
        let mut pool = TermPool::new();
        let mut encoder = encoder(program, certificate);
        let mut walk = Walk::new(program, certificate, &targets, &closed);
        let mut writer = Writer::new(program, certificate, &mut pool, &mut walk);
        let blocks = writer.blocks(&mut encoder, &mut pool, &mut walk);
        writer.establish(&encoder, &mut pool, &walk, &blocks);
        let terms = u64::try_from(pool.len()).unwrap_or(u64::MAX);
        solvers.charge_ticks(terms.saturating_mul(TICKS_PER_TERM));
        if !solvers.is_exhausted() && writer.excludes(&encoder, &mut pool, &blocks, solvers) {
            excluded.push(property);
        }
    }
    excluded
}

/// The encoder for the blocks between claims: it says of what kinds objects are if a claim speaks of that. Under a contract the frames of recursive functions may be anywhere.
fn encoder<'p>(program: &'p Program, certificate: &Certificate) -> Encoder<'p> {
    let encoder = Encoder::new(program, certificate.arith).say_where_heap_begins();
    let encoder = match certificate.contracts.is_empty() {
        true => encoder,
        false => encoder.move_frames(),
    };
    let mut pool = TermPool::new();
    let formulas = pool.import(&certificate.formulas);
    let kinds = pool.symbol(&encoder.kinds_name());
    let says = |formula: &TermId| pool.symbols(*formula).iter().any(|symbol| symbol.name == kinds);
    match formulas.iter().any(says) {
        true => encoder.say_kinds(),
        false => encoder,
    }
}

/// The edges that violate what a certificate is about.
fn violations(properties: &[Property], certificate: &Certificate) -> BTreeSet<EdgeId> {
    let proved = certificate.properties.iter();
    proved
        .flat_map(|&property| &properties[property.index()].targets)
        .copied()
        .collect()
}

/// The edges that are no part of the program that is claimed about: of an automaton that tracks one of the certificate's properties the way around it; of the others,
/// everything but that way. Woven operations change no variable of the program.
fn closed(program: &Program, properties: &[Property], certificate: &Certificate) -> BTreeSet<EdgeId> {
    let tracked = certificate.properties.iter();
    let tracked: BTreeSet<Watcher> = tracked
        .filter_map(|&p| properties[p.index()].tracking.watcher)
        .collect();
    let mut closed = BTreeSet::new();
    for node in program.node_ids() {
        let outgoing = &program.node(node).outgoing;
        for &edge in outgoing {
            match program.edge(edge).op {
                Op::Bypass(watcher) if tracked.contains(&watcher) => drop(closed.insert(edge)),
                Op::Bypass(_) => closed.extend(outgoing.iter().copied().filter(|&other| other != edge)),
                _ => {}
            }
        }
    }
    closed
}
