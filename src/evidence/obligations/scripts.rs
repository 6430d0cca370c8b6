//! The scripts of the obligations, and their entries in the manifest.
//!
//! A script is a conjunction in parts, one assertion each: the claim before the block, the ranges of the values that the block reads, values of
//! non-linear operators, the paths of the block, and the negation of the goal behind them. It needs nothing beyond `check-sat`.
//!
//! A claim is a disjunction of cases. Where these are many, as explicit states are, a script is about some of them only, so that none takes long.

use super::coverage::covers;
use super::elements;
use super::instances::{Failure, Replaced, without_updates};
use super::manifest::{
    BlockEntry, EdgeEntry, FunctionEntry, InstanceEntry, Kind, Manifest, ObligationEntry, OperatorEntry, PlaceEntry,
    PointEntry, Role, SourceEntry, UpdateEntry,
};
use super::ranges::established;
use super::walk::{Block, End, Place, Walk};
use super::{Effort, Obligations};
use crate::certify::Certificate;
use crate::certify::{INDEX, Origin};
use crate::cfa::{EdgeId, FuncId, Printer, Program, Step, is_call};
use crate::encode::{Arith, Encoder, PathFormula, SsaMap};
use crate::query::points::{Points, violated};
use provident_smt::fault::planted;
use provident_smt::solver::Solver;
use provident_smt::term::{NO_INDEX, Symbol, SymbolId, Term, TermId, TermPool, UpdateSource, quote_symbol};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;
use std::ops::Range;

/// Cases of the claim before a block in one script at most.
const MAX_CASES: usize = 128;

/// How often a script is asked about again with more exact values of operators.
pub(super) const MAX_ROUNDS: usize = 12;

/// A part of a script: its role and its formula.
type PartOf = (Role, TermId);

/// The bounds of variables by name, or their last versions.
type Named<V> = BTreeMap<String, V>;

/// The subject of a script.
#[derive(Clone)]
pub(super) struct About {
    pub kind: Kind,
    pub from: usize,
    pub to: Option<usize>,
    /// Some cases of the claim at `from`; all if there is none.
    pub cases: Option<Range<usize>>,
    /// Some conjuncts of the claim at `to`; all if there is none.
    pub conjuncts: Option<Range<usize>>,
}

/// The goal behind a block: a formula, and the variables whose ranges it mentions.
#[derive(Clone)]
struct Goal {
    formula: TermId,
    ranges: Vec<(SymbolId, TermId)>,
}

/// The description of a script beside its formulas.
struct Details<'d> {
    /// The numbers of elements.
    numbers: &'d [TermId],
    /// The variables whose ranges it shows.
    ranges: &'d [(SymbolId, TermId)],
}

/// Writes the scripts of one certificate.
pub struct Writer<'a> {
    program: &'a Program,
    certificate: &'a Certificate,
    /// The claim at each point, over symbols without version.
    pub(super) claims: Vec<TermId>,
    /// The disjuncts of each claim.
    pub(super) cases: Vec<Vec<TermId>>,
    /// The claims about all elements at each point (see [`elements`]).
    pub(super) each: Vec<Vec<TermId>>,
    /// Exact values of non-linear operators.
    pub(super) operators: Points,
    points: Vec<PointEntry>,
    blocks: Vec<BlockEntry>,
    entries: Vec<ObligationEntry>,
    scripts: Vec<(String, String)>,
    /// For each point the names of the values that are in the ranges of their types there.
    established: Vec<BTreeSet<SymbolId>>,
    /// The functions that blocks pass.
    functions: BTreeSet<FuncId>,
}

impl<'a> Writer<'a> {
    /// The writer for the points of a walk.
    pub fn new(program: &'a Program, certificate: &'a Certificate, pool: &mut TermPool, walk: &mut Walk<'_>) -> Self {
        let formulas = pool.import(&certificate.formulas);
        let mut cases: Vec<Vec<TermId>> = vec![Vec::new(); walk.points().len()];
        let mut each: Vec<Vec<TermId>> = vec![Vec::new(); walk.points().len()];
        let mut seen = BTreeSet::new();
        for claim in &certificate.claims {
            let mut parts = vec![formulas[claim.formula]];
            for (var, value) in &claim.known {
                let name = pool.symbol(&program.var(*var).name);
                let (var, value) = (pool.int_var(name, NO_INDEX), pool.int(value.clone()));
                parts.push(pool.eq(var, value));
            }
            let case = pool.and(&parts);
            let number = walk.number(claim.node, &claim.calls);
            if seen.insert((number, case)) {
                cases[number].push(case);
            }
            each[number].extend(claim.each.iter().map(|&position| formulas[position]));
        }
        let is_one = |number: usize| each[number].is_empty() || cases[number].len() == 1;
        assert!(
            (0..cases.len()).all(is_one),
            "what is claimed of all elements is claimed in every case"
        );
        assert!(
            each[0].is_empty(),
            "nothing is claimed of elements before the first step"
        );
        let claims: Vec<TermId> = cases.iter().map(|cases| pool.or(cases)).collect();
        let mut writer = Writer {
            program,
            certificate,
            points: Vec::new(),
            blocks: Vec::new(),
            entries: Vec::new(),
            scripts: Vec::new(),
            functions: BTreeSet::new(),
            established: Vec::new(),
            claims,
            cases,
            each,
            operators: certificate.points.clone(),
        };
        let encoder = Encoder::new(program, certificate.arith);
        for (number, (&place, &claim)) in walk.points().iter().zip(&writer.claims).enumerate() {
            writer.points.push(PointEntry {
                id: name_of(number),
                place: writer.place(walk, place),
                cases: Vec::new(),
                conjuncts: Vec::new(),
                elements: writer.each[number]
                    .iter()
                    .map(|&claim| elements::quantified(pool, INDEX, claim))
                    .collect(),
                ranges: Named::new(),
                text: encoder.display(pool, claim),
            });
            let said = |formulas: &[TermId]| {
                formulas
                    .iter()
                    .map(|&f| elements::barred(pool, f))
                    .collect::<Vec<String>>()
            };
            let entry = &mut writer.points[number];
            (entry.cases, entry.conjuncts) = match certificate.origin {
                Origin::Guessed => (said(&[pool.mk_true()]), said(&pool.conjuncts(claim))),
                Origin::Predicates | Origin::Explicit(_) => (said(&writer.cases[number]), Vec::new()),
            };
        }
        writer
    }

    /// The blocks that begin at the points.
    pub fn blocks(&self, encoder: &mut Encoder<'_>, pool: &mut TermPool, walk: &mut Walk<'_>) -> Vec<Block> {
        (0..self.claims.len())
            .map(|claim| walk.block(encoder, pool, claim))
            .collect()
    }

    fn place(&self, walk: &Walk<'_>, (node, stack): Place) -> PlaceEntry {
        let location = self.program.node(node);
        let position = self.program.sources.resolve(location.loc);
        PlaceEntry {
            node: node.0,
            function: self.program.function(location.func).name.clone(),
            file: position.file.to_string(),
            line: position.line,
            column: position.column,
            calls: walk.calls(stack).into_iter().map(|call| call.0).collect(),
        }
    }

    /// Finds out which values are in range at which points.
    pub fn establish(&mut self, encoder: &Encoder<'_>, pool: &mut TermPool, walk: &Walk<'_>, blocks: &[Block]) {
        let claims = self.claims.iter().zip(&self.each);
        let claims: Vec<Vec<TermId>> = claims
            .map(|(&claim, each)| std::iter::once(claim).chain(each.iter().copied()).collect())
            .collect();
        self.established = established(self.program, encoder, pool, walk, &claims, blocks);
        for (point, names) in self.points.iter_mut().zip(&self.established) {
            for &name in names {
                let name = pool.name(name);
                if let Some((low, high)) = encoder.symbol_range(name) {
                    point
                        .ranges
                        .insert(name.to_string(), [low.to_string(), high.to_string()]);
                }
            }
        }
    }

    /// The claim at the start holds of every state.
    pub fn initiation(&mut self, pool: &mut TermPool) {
        let claim = self.claims[0];
        let start = at_versions(pool, claim, &mut |_| 0);
        let not = pool.not(start);
        let parts = [(Role::Goal, not)];
        let text = "at the program's start the claim holds of every state".to_string();
        let about = About {
            kind: Kind::Initiation,
            from: 0,
            to: None,
            cases: None,
            conjuncts: None,
        };
        let details = Details {
            numbers: &[],
            ranges: &[],
        };
        self.add(pool, about, text, (&parts, &Replaced::default()), &details);
    }

    /// The obligations of a block.
    ///
    /// # Errors
    /// See [`super::obligations`].
    pub fn block(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        walk: &Walk<'_>,
        from: usize,
        block: &Block,
        solver: &mut dyn FnMut(Effort) -> Solver,
    ) -> Result<(), Failure> {
        for (&end, paths) in &block.ends {
            let claimed = match end {
                End::Point(to) => self.claims_behind(encoder, pool, to, paths),
                End::Unclaimed | End::Violation => Vec::new(),
            };
            let plain = |formula| Goal {
                formula,
                ranges: Vec::new(),
            };
            let goals = match end {
                End::Point(to) => {
                    let claim = pool.and(&claimed);
                    let ranges = self.ranges_behind(encoder, pool, to, paths);
                    vec![
                        (Kind::Consecution, Some(to), plain(claim)),
                        (Kind::Ranges, Some(to), ranged(pool, &ranges)),
                    ]
                }
                End::Unclaimed => vec![(Kind::Exclusion, None, plain(pool.mk_false()))],
                End::Violation if planted("safety-left-out") => Vec::new(),
                End::Violation => vec![(Kind::Safety, None, plain(pool.mk_false()))],
            };
            let chunks = self.chunks(from);
            let goals = goals.into_iter().flat_map(|(kind, to, goal)| {
                let each = chunks.iter().cloned();
                each.map(move |cases| {
                    let about = About {
                        kind,
                        from,
                        to,
                        cases,
                        conjuncts: None,
                    };
                    (about, goal.clone())
                })
            });
            let mut goals: VecDeque<(About, Goal)> = goals.collect();
            while let Some((mut about, mut goal)) = goals.pop_front() {
                if about.kind == Kind::Consecution && claimed.len() > 1 && planted("conjunct-left-out") {
                    let kept = 0..claimed.len() - 1;
                    goal.formula = pool.and(&claimed[kept.clone()]);
                    about.conjuncts = Some(kept);
                }
                let text = about.text();
                let pieces = self.pieces(pool, &about, &goal, &claimed);
                let effort = match (&pieces, about.kind) {
                    (Some(_), Kind::Consecution) => Effort::Least,
                    (Some(_), _) => Effort::Little,
                    (None, _) => Effort::Full,
                };
                let (parts, numbers, written) =
                    self.refuted(encoder, pool, &about, paths, goal.formula, &mut || solver(effort));
                let replaced = match (written, pieces) {
                    (Ok(script), _) => script,
                    (Err(Failure::Unknown(_)), Some(pieces)) => {
                        pieces.into_iter().rev().for_each(|piece| goals.push_front(piece));
                        continue;
                    }
                    (Err(failure), _) => return Err(failure.about(&text)),
                };
                let formulas = replaced.formulas.iter();
                let parts: Vec<PartOf> = parts.iter().zip(formulas).map(|(part, &f)| (part.0, f)).collect();
                let details = Details {
                    numbers: &numbers,
                    ranges: &goal.ranges,
                };
                self.add(pool, about, text, (&parts, &replaced), &details);
            }
        }
        let (mut edges, mut enters, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
        for &step in &block.steps {
            match step {
                Step::Edge(edge) => edges.push(edge.0),
                Step::Enter(call) => enters.push(call.0),
                Step::Leave(call) => leaves.push(call.0),
            }
            for node in [step.source(self.program), step.target(self.program)] {
                self.functions.insert(self.program.node(node).func);
            }
        }
        let (mut ends, mut versions) = (Vec::new(), Named::new());
        for (end, paths) in &block.ends {
            let End::Point(to) = *end else { continue };
            let last = self.versions_behind(encoder, pool, to, paths);
            if !last.is_empty() {
                versions.insert(name_of(to), last);
            }
            ends.push(name_of(to));
        }
        self.blocks.push(BlockEntry {
            from: name_of(from),
            to: ends,
            versions,
            unclaimed: block.unclaimed.iter().map(|&place| self.place(walk, place)).collect(),
            edges,
            enters,
            leaves,
        });
        Ok(())
    }

    /// The parts of a script, with its formulas after updates are replaced, and the instances.
    ///
    /// Claims of explicit states also rest on exact values of non-linear operators, and the run has collected none. So the values that a model gets wrong are added, until
    /// there is no model, or a model with exact values.
    fn refuted(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        about: &About,
        paths: &PathFormula,
        goal: TermId,
        solver: &mut dyn FnMut() -> Solver,
    ) -> (Vec<PartOf>, Vec<TermId>, Result<Replaced, Failure>) {
        let mut rounds = 0;
        loop {
            rounds += 1;
            let (parts, numbers) = self.parts(encoder, pool, about, paths, goal);
            let formulas: Vec<TermId> = parts.iter().map(|part| part.1).collect();
            let is_open = match &self.certificate.origin {
                Origin::Predicates => false,
                Origin::Explicit(lost) => !lost.is_empty() || has_operators(pool, &formulas),
                Origin::Guessed => true,
            };
            let mut wrong = Vec::new();
            let written = without_updates(
                pool,
                &formulas,
                is_open || about.kind == Kind::Ranges,
                solver,
                &mut |pool, model| {
                    if is_open {
                        wrong = violated(pool, model, &formulas);
                    }
                },
            );
            let mut is_new = false;
            for point in wrong {
                is_new |= self.operators.add(point);
            }
            if written.is_ok() || !is_new || rounds == MAX_ROUNDS {
                let written = match written {
                    Err(Failure::Satisfiable(why)) if is_open => Err(Failure::Unknown(why)),
                    other => other,
                };
                return (parts, numbers, written);
            }
        }
    }

    /// The cases of the claim at a point that scripts are about: all at once, or some at a time.
    fn chunks(&self, from: usize) -> Vec<Option<Range<usize>>> {
        let count = self.cases[from].len();
        if count <= MAX_CASES {
            return vec![None];
        }
        let starts = (0..count).step_by(MAX_CASES);
        starts.map(|start| Some(start..count.min(start + MAX_CASES))).collect()
    }

    /// The parts of the script for a goal behind the paths of a block; they contradict each other if the goal holds. With them, the numbers of the elements for which they have instances of claims about all elements.
    pub(super) fn parts(
        &self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        about: &About,
        paths: &PathFormula,
        goal: TermId,
    ) -> (Vec<PartOf>, Vec<TermId>) {
        let not_goal = pool.not(goal);
        if not_goal == pool.mk_false() {
            return (vec![(Role::Goal, not_goal)], Vec::new());
        }
        let from = about.from;
        let claim = match about.cases.clone() {
            None => self.claims[from],
            Some(cases) => pool.or(&self.cases[from][cases]),
        };
        let before = encoder.instantiate(pool, claim, &SsaMap::default());
        let (elements, numbers) = self.elements_before(encoder, pool, from, &[paths.formula, not_goal]);
        let mut ranges = Vec::new();
        for term in pool.sub_terms(&[before, elements, paths.formula, not_goal]) {
            if let Term::IntVar(symbol) = *pool.term(term)
                && symbol.index == 0
                && self.established[from].contains(&symbol.name)
            {
                ranges.extend(in_range(encoder, pool, symbol));
            }
        }
        let ranges = pool.and(&ranges);
        let lemmas = self.operators.lemmas(pool, paths.formula);
        let lemmas = pool.and(&lemmas);
        let all = [
            (Role::Claim, before),
            (Role::Elements, elements),
            (Role::Ranges, ranges),
            (Role::Operators, lemmas),
            (Role::Paths, paths.formula),
            (Role::Goal, not_goal),
        ];
        let truth = pool.mk_true();
        (all.into_iter().filter(|part| part.1 != truth).collect(), numbers)
    }

    /// The instances of claims about all elements at a point, for the elements that the formulas mention, with the numbers of these.
    fn elements_before(
        &self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        from: usize,
        formulas: &[TermId],
    ) -> (TermId, Vec<TermId>) {
        if self.each[from].is_empty() {
            return (pool.mk_true(), Vec::new());
        }
        let claims = self.each[from].iter();
        let claims: Vec<TermId> = claims
            .map(|&claim| encoder.instantiate(pool, claim, &SsaMap::default()))
            .collect();
        let numbers = elements::numbers(pool, &claims, formulas);
        let mut instances = Vec::new();
        for &number in &numbers {
            instances.extend(claims.iter().map(|&claim| elements::instance(pool, claim, number)));
        }
        (pool.and(&instances), numbers)
    }

    /// The claims at a point behind paths. Claims about elements are stated for the constant that stands for an arbitrary number.
    pub(super) fn claims_behind(
        &self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        to: usize,
        paths: &PathFormula,
    ) -> Vec<TermId> {
        let claims = self.conjuncts(pool, to);
        let claims = claims.into_iter();
        let stale = SsaMap::default();
        let ssa = if planted("goal-before-block") {
            &stale
        } else {
            &paths.ssa
        };
        claims.map(|claim| encoder.instantiate(pool, claim, ssa)).collect()
    }

    /// The claims at a point as conjuncts: the disjunction of its cases (`true` for guesses), the facts that hold in all cases, and the claims about elements.
    pub(super) fn conjuncts(&self, pool: &TermPool, point: usize) -> Vec<TermId> {
        let mut claims = match self.certificate.origin {
            Origin::Guessed => {
                let guesses = pool.conjuncts(self.claims[point]).into_iter();
                std::iter::once(pool.mk_true()).chain(guesses).collect()
            }
            Origin::Predicates | Origin::Explicit(_) => vec![self.claims[point]],
        };
        claims.extend(&self.each[point]);
        claims
    }

    /// Scripts that together say the same as one; `None` if it says one thing only. `claimed` are the conjuncts behind the block.
    fn pieces(
        &self,
        pool: &mut TermPool,
        about: &About,
        goal: &Goal,
        claimed: &[TermId],
    ) -> Option<Vec<(About, Goal)>> {
        match about.kind {
            Kind::Ranges if goal.ranges.len() > 1 => {
                let (first, second) = goal.ranges.split_at(goal.ranges.len() / 2);
                Some([first, second].map(|half| (about.clone(), ranged(pool, half))).to_vec())
            }
            Kind::Consecution if about.conjuncts.is_none() && claimed.len() > 1 => {
                let piece = |(number, &formula): (usize, &TermId)| {
                    let about = About {
                        conjuncts: Some(number..number + 1),
                        ..about.clone()
                    };
                    let ranges = Vec::new();
                    (about, Goal { formula, ranges })
                };
                let truth = pool.mk_true();
                let claimed = claimed.iter().enumerate().filter(|(_, goal)| **goal != truth);
                let pieces: Vec<(About, Goal)> = claimed.map(piece).collect();
                (!pieces.is_empty()).then_some(pieces)
            }
            _ => None,
        }
    }

    /// The goal that the values which paths write, and which have to be established at their end, are in the ranges of their types.
    fn ranges_behind(
        &self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        to: usize,
        paths: &PathFormula,
    ) -> Vec<(SymbolId, TermId)> {
        let mut ranges = Vec::new();
        for (slot, index) in paths.ssa.entries() {
            let name = pool.symbol(&encoder.slot_name(slot));
            if index > 0 && self.established[to].contains(&name) {
                let range = in_range(encoder, pool, Symbol { name, index });
                ranges.extend(range.map(|range| (name, range)));
            }
        }
        if planted("range-left-out") {
            ranges.pop();
        }
        ranges
    }

    /// The last versions of the names in the claim at a point, where they are not those at the beginning.
    fn versions_behind(&self, encoder: &Encoder<'_>, pool: &TermPool, to: usize, paths: &PathFormula) -> Named<u32> {
        let claims: Vec<TermId> = self.each[to].iter().copied().chain([self.claims[to]]).collect();
        let names = pool.symbols_of(&claims).into_iter().map(|symbol| symbol.name);
        let names: BTreeSet<SymbolId> = names.chain(self.established[to].iter().copied()).collect();
        let mut versions = Named::new();
        for name in names {
            let name = pool.name(name);
            let version = encoder.slot_of(name).map_or(0, |slot| paths.ssa.index(slot));
            if version > 0 {
                versions.insert(name.to_string(), version);
            }
        }
        versions
    }

    fn add(
        &mut self,
        pool: &TermPool,
        about: About,
        claim: String,
        (parts, replaced): (&[PartOf], &Replaced),
        details: &Details<'_>,
    ) {
        let About {
            kind,
            from,
            to,
            cases,
            conjuncts,
        } = about;
        let number = self.entries.len() + 1;
        let kind_name = match kind {
            Kind::Initiation => "initiation",
            Kind::Consecution => "consecution",
            Kind::Exclusion => "exclusion",
            Kind::Safety => "safety",
            Kind::Ranges => "ranges",
        };
        let file = format!("{number:04}-{kind_name}.smt2");
        self.scripts.push((file.clone(), script(pool, &claim, parts, replaced)));
        let text = |term: TermId| elements::barred(pool, term);
        let updates = replaced.updates.iter();
        let instances = replaced.instances.iter();
        let instance_roles = instances.clone().map(|_| Role::Instance);
        self.entries.push(ObligationEntry {
            file,
            kind,
            from: name_of(from),
            to: to.map(name_of),
            cases: cases.map(|cases| [cases.start, cases.end]),
            conjuncts: conjuncts.map(|range| [range.start, range.end]),
            claim,
            parts: parts.iter().map(|part| part.0).chain(instance_roles).collect(),
            ranges: details
                .ranges
                .iter()
                .map(|range| pool.name(range.0).to_string())
                .collect(),
            updates: updates
                .map(|&(update, atom)| (text(update), update_entry(pool, atom)))
                .collect(),
            instances: instances
                .map(|instance| InstanceEntry {
                    update: text(instance.update),
                    at: text(instance.at),
                })
                .collect(),
            elements: details.numbers.iter().map(|&number| text(number)).collect(),
            expected: "unsat".to_string(),
        });
    }

    /// Everything that was written.
    pub fn finish(
        self,
        properties: Vec<String>,
        violations: &BTreeSet<EdgeId>,
        closed: &BTreeSet<EdgeId>,
    ) -> Obligations {
        let program = self.program;
        let printer = Printer::qualified(program);
        let mut edges = Vec::new();
        for (id, edge) in program.edges.iter().enumerate() {
            let id = EdgeId::new(id);
            if !self.functions.contains(&program.node(edge.from).func) || closed.contains(&id) {
                continue;
            }
            edges.push(EdgeEntry {
                id: id.0,
                from: edge.from.0,
                to: edge.to.0,
                calls: is_call(program, id).map(|f| program.function(f).name.clone()),
                line: program.sources.resolve(edge.loc).line,
                operation: printer.op(&edge.op),
            });
        }
        let function = |&id: &FuncId| {
            let function = program.function(id);
            FunctionEntry {
                name: function.name.clone(),
                entry: function.entry.0,
                exit: function.exit.0,
            }
        };
        let operators = self.operators.all().map(|(operator, arguments, value)| OperatorEntry {
            operator: operator.to_string(),
            arguments: arguments.iter().map(ToString::to_string).collect(),
            value: value.to_string(),
        });
        let manifest = Manifest {
            provident: String::new(),
            program: program.sources.name().to_string(),
            claim: format!(
                "If every script here is unsatisfiable, then no execution from the program's start takes one of the edges {:?}, \
                 under the assumptions that the report lists",
                violations.iter().map(|edge| edge.0).collect::<Vec<_>>()
            ),
            properties,
            arith: match self.certificate.arith {
                Arith::Machine => "machine",
                Arith::Ideal => "ideal",
            }
            .to_string(),
            violations: violations.iter().map(|edge| edge.0).collect(),
            points: self.points,
            blocks: self.blocks,
            obligations: self.entries,
            operators: operators.collect(),
            functions: self.functions.iter().map(function).collect(),
            edges,
        };
        assert_eq!(covers(&manifest), Ok(()), "the blocks cover the program");
        Obligations {
            manifest,
            scripts: self.scripts,
        }
    }
}

/// An update as the manifest has it.
fn update_entry(pool: &TermPool, atom: TermId) -> UpdateEntry {
    let Term::Update {
        new,
        old,
        lo,
        hi,
        source,
    } = *pool.term(atom)
    else {
        unreachable!("only updates are replaced")
    };
    let name = |symbol: Symbol| format!("|{}|", pool.symbol_text(symbol).replace(['|', '\\'], "_"));
    UpdateEntry {
        new: name(new),
        old: name(old),
        low: elements::barred(pool, lo),
        high: elements::barred(pool, hi),
        source: match source {
            UpdateSource::Const(value) => SourceEntry::Value(elements::barred(pool, value)),
            UpdateSource::Havoc => SourceEntry::Any,
            UpdateSource::Copy { from, shift } => SourceEntry::Copy {
                from: name(from),
                shift: elements::barred(pool, shift),
            },
        },
    }
}

/// The goal that variables are in their ranges.
fn ranged(pool: &mut TermPool, ranges: &[(SymbolId, TermId)]) -> Goal {
    let formulas: Vec<TermId> = ranges.iter().map(|range| range.1).collect();
    Goal {
        formula: pool.and(&formulas),
        ranges: ranges.to_vec(),
    }
}

fn name_of(point: usize) -> String {
    format!("P{point}")
}

/// Whether there are applications of non-linear operators.
fn has_operators(pool: &TermPool, formulas: &[TermId]) -> bool {
    let is_operator = |term: &TermId| match pool.term(*term) {
        Term::App(symbol, _) => pool.name(symbol.name).starts_with("__"),
        _ => false,
    };
    pool.sub_terms(formulas).iter().any(is_operator)
}

impl About {
    /// The consequence of an unsatisfiable script.
    fn text(&self) -> String {
        let (from, to) = (name_of(self.from), self.to.map(name_of));
        let mut text = match (self.kind, to) {
            (Kind::Consecution, Some(to)) => {
                format!("every path from {from} to {to} leads from the claim at {from} to the claim at {to}")
            }
            (Kind::Ranges, Some(to)) => {
                format!("every path from {from} to {to} leaves values in the ranges of their types")
            }
            (Kind::Exclusion, _) => format!("no path from the claim at {from} leads to a point without claim"),
            _ => format!("no path from the claim at {from} to the next points violates a property"),
        };
        if let Some(cases) = &self.cases {
            write!(text, " (cases {} to {} of it)", cases.start + 1, cases.end).expect("writing to a string");
        }
        if let (Some(conjuncts), Some(to)) = (&self.conjuncts, self.to) {
            let (number, to) = (conjuncts.end, name_of(to));
            write!(text, " (conjunct {number} of what is claimed at {to})").expect("writing to a string");
        }
        text
    }
}

/// A formula over symbols without version at versions.
fn at_versions(pool: &mut TermPool, formula: TermId, version: &mut dyn FnMut(Symbol) -> u32) -> TermId {
    pool.map_symbols(formula, &mut |symbol| Symbol {
        index: version(symbol),
        ..symbol
    })
}

/// The formula that a variable is in the range of its type.
fn in_range(encoder: &Encoder<'_>, pool: &mut TermPool, symbol: Symbol) -> Option<TermId> {
    let (low, high) = encoder.symbol_range(pool.name(symbol.name))?;
    let var = pool.int_var(symbol.name, symbol.index);
    let (low, high) = (pool.int(low), pool.int(high));
    let bounds = [pool.le(low, var), pool.le(var, high)];
    Some(pool.and(&bounds))
}

/// The text of a script.
fn script(pool: &TermPool, claim: &str, parts: &[PartOf], replaced: &Replaced) -> String {
    let instances = replaced.instances.iter().map(|instance| instance.formula);
    let all: Vec<TermId> = parts.iter().map(|part| part.1).chain(instances.clone()).collect();
    let mut functions: BTreeMap<String, usize> = BTreeMap::new();
    let (mut variables, mut booleans) = (BTreeSet::new(), BTreeSet::new());
    for term in pool.sub_terms(&all) {
        let text = |symbol: Symbol| {
            if symbol.index == NO_INDEX {
                quote_symbol(pool.name(symbol.name))
            } else {
                format!("|{}|", pool.symbol_text(symbol).replace(['|', '\\'], "_"))
            }
        };
        match pool.term(term) {
            Term::IntVar(symbol) => drop(variables.insert(text(*symbol))),
            Term::BoolVar(symbol) => drop(booleans.insert(text(*symbol))),
            Term::App(symbol, arguments) => drop(functions.insert(text(*symbol), arguments.len())),
            _ => {}
        }
    }
    let logic = if functions.is_empty() { "QF_LIA" } else { "QF_UFLIA" };
    let mut out = format!("; If this is unsatisfiable, then {claim}.\n(set-logic {logic})\n(set-info :status unsat)\n");
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    for name in variables {
        line(format!("(declare-fun {name} () Int)"));
    }
    for name in booleans {
        line(format!("(declare-fun {name} () Bool)"));
    }
    for (name, arity) in functions {
        line(format!(
            "(declare-fun {name} ({}) Int)",
            ["Int"].repeat(arity).join(" ")
        ));
    }
    for &(role, formula) in parts {
        let mut text = format!("; {}\n", role.text());
        write!(text, "(assert {})", pool.to_smtlib(formula)).expect("writing to a string");
        line(text);
    }
    if !replaced.instances.is_empty() {
        line("; what updates of memory say at some addresses".to_string());
    }
    for instance in instances {
        line(format!("(assert {})", pool.to_smtlib(instance)));
    }
    line("(check-sat)".to_string());
    out
}
