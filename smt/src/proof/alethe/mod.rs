//! Proofs in the Alethe format (Schurr, Fleury, Barbosa, Fontaine, *Alethe: Towards a Generic SMT Proof Format*, PxTP 2021), for checkers as Carcara.
//!
//! Only rules are used that such checkers decide themselves: `resolution`, the clausification tautologies (`and_pos`, `or_neg`, `equiv_pos1`, ...),
//! `la_generic` with its factors, `la_disequality`, `eq_congruent`, `cong`, `ite_intro` and a few definitions. No rule asks to be believed.
//! Proof steps that they cannot express are an error, [`Unsupported`], and not a gap in the proof: integers among reals, orders among elements of declared sorts, in which our own proofs of equality may work, arrays of arrays, and
//! indices of constant arrays that are none of the script's.
//!
//! Quotients and remainders by numbers, `abs`, and elements of arrays need the definitions of the theories, for which the specification has no rules. With [`Refutation::takes_definitions`] the instances that a proof needs are steps `hole`, each literally
//! of a form that `instances` lists, and comments at the head of the text count them. (Versions of Carcara since 2026 check some of these forms under names of their own, as `div_intro` and `arrays_ext`; these are not in the specification.)
//!
//! The assumptions are the script's assertions as they stand there, with `let` and defined functions expanded (a checker has to be told to do the
//! same). The solver works on normal forms: `2x <= 3` is `x <= 1`, conjunctions are flat, equal sub-formulas are one. So a proof text has
//! three parts that depend on each other:
//!
//! | file | derives |
//! |---|---|
//! | `normal`, `links` | the normal form of each assertion from the assertion, sub-formula by sub-formula |
//! | `theory`, `equality` | definitions and lemmas of the solver's proof in the rules of the format |
//! | this one | the resolution chains of the solver's proof |
//!
//! | file | does |
//! |---|---|
//! | `arrays` | writes the solver's functions and updates as arrays |
//! | `ast` | holds the terms as they are written |
//! | `counting` | shows that more integers than values are not pairwise different |
//! | `instances` | makes instances of definitions, which are taken without proof |
//! | `linear` | finds factors of linear arithmetic |
//! | `steps` | holds steps, and finds resolutions |
//! | `print` | prints the steps that the empty clause needs |

mod arrays;
mod ast;
mod counting;
mod equality;
mod instances;
mod linear;
mod links;
mod normal;
mod print;
mod steps;
mod theory;

pub use arrays::{ArrayDefinition, ArrayShape, ArraySort, Arrays};
pub use ast::{Ast, AstSort, Node, NodeId, Op};

use super::{ClauseId, Lit, Proof, Step};
use crate::hash::FxHashMap;
use crate::term::{Symbol, Term, TermId, TermPool};
use ast::Literal;
use links::Link;
use std::fmt;
use steps::{StepId, Steps};

/// A construct that the rules of the format cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(String);

impl Unsupported {
    fn new(what: &str) -> Self {
        Unsupported(what.to_owned())
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the checked rules of Alethe cannot express: {}", self.0)
    }
}

impl std::error::Error for Unsupported {}

/// The declared sorts of a function's parameters and of its result.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The sorts of the parameters.
    pub parameters: Vec<AstSort>,
    /// The sort of the result.
    pub result: AstSort,
}

/// A refutation to be written.
pub struct Refutation<'a> {
    /// The terms of the assertions.
    pub ast: Ast,
    /// Each assertion as the script has it, and the formula that the solver was given.
    pub assertions: Vec<(NodeId, TermId)>,
    /// The declarations of the script.
    pub signatures: FxHashMap<Symbol, Signature>,
    /// The arrays of the script.
    pub arrays: Arrays,
    /// The proof, trimmed.
    pub proof: &'a Proof,
    /// Whether instances of definitions may be taken without proof.
    pub takes_definitions: bool,
}

/// A proof text with its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AletheProof {
    /// A list of `assume` and `step` commands in parentheses.
    pub text: String,
    /// The number of commands.
    pub steps: usize,
}

/// Writes a refutation, in time about linear in its size and that of the assertions.
///
/// # Errors
/// If the rules do not suffice.
pub fn export(pool: &mut TermPool, refutation: Refutation<'_>) -> Result<AletheProof, Unsupported> {
    let mut exporter = Exporter {
        pool,
        proof: refutation.proof,
        signatures: refutation.signatures,
        takes_definitions: refutation.takes_definitions,
        arrays: arrays::ArrayTerms::default(),
        steps: Steps::new(refutation.ast),
        written: FxHashMap::default(),
        normals: FxHashMap::default(),
        links: FxHashMap::default(),
        equations: FxHashMap::default(),
        definitions: FxHashMap::default(),
        expansions: FxHashMap::default(),
        parents: FxHashMap::default(),
        units: FxHashMap::default(),
    };
    exporter.add_arrays(refutation.arrays);
    let empty = exporter.refute(&refutation.assertions)?;
    Ok(exporter.print(empty))
}

/// Where a conjunct of the asserted formulas comes from.
#[derive(Clone, Copy)]
enum Origin {
    Asserted(usize),
    Conjunct(TermId, usize),
}

struct Exporter<'a> {
    pool: &'a mut TermPool,
    proof: &'a Proof,
    signatures: FxHashMap<Symbol, Signature>,
    takes_definitions: bool,
    arrays: arrays::ArrayTerms,
    steps: Steps,
    written: FxHashMap<TermId, Result<NodeId, Unsupported>>,
    normals: FxHashMap<NodeId, Result<TermId, Unsupported>>,
    links: FxHashMap<NodeId, Link>,
    equations: FxHashMap<NodeId, Result<Option<(Literal, StepId)>, Unsupported>>,
    definitions: FxHashMap<NodeId, Vec<StepId>>,
    /// For formulas with many arguments: the equivalent one with two.
    expansions: FxHashMap<NodeId, NodeId>,
    parents: FxHashMap<TermId, Origin>,
    /// The unit clauses of conjuncts.
    units: FxHashMap<TermId, StepId>,
}

impl Exporter<'_> {
    /// The step with the empty clause.
    fn refute(&mut self, assertions: &[(NodeId, TermId)]) -> Result<StepId, Unsupported> {
        for (at, &(source, formula)) in assertions.iter().enumerate() {
            // The formula that the solver was given has the definitions of arrays beside what the script says.
            let formula = self.normal(source).unwrap_or(formula);
            let mut open = vec![(formula, Origin::Asserted(at))];
            while let Some((conjunct, origin)) = open.pop() {
                if self.parents.contains_key(&conjunct) {
                    continue;
                }
                self.parents.insert(conjunct, origin);
                if let Term::And(parts) = self.pool.term(conjunct) {
                    let parts = parts.iter().enumerate();
                    open.extend(parts.map(|(i, &part)| (part, Origin::Conjunct(conjunct, i))));
                }
            }
        }
        let mut made: Vec<StepId> = Vec::with_capacity(self.proof.len());
        for (id, step) in (0..).map(ClauseId).zip(&self.proof.steps) {
            let step = match step {
                Step::Input { formula, .. } => self.unit(*formula, assertions)?,
                Step::Define { of, .. } => {
                    let defined = self.written(self.proof.atoms[of.index()])?;
                    let defined = self.steps.ast.literal(defined).node;
                    let premises = self.definitions(defined)?;
                    let clause = self.clause(id)?;
                    self.steps.derive(&premises, &clause)?
                }
                Step::Lemma { kind, .. } => {
                    let clause = self.clause(id)?;
                    self.lemma(&clause, *kind)?
                }
                Step::Farkas { .. } => {
                    let clause = self.clause(id)?;
                    self.farkas(id, &clause)?
                }
                Step::Chain { antecedents, pivots } => {
                    let premises: Vec<StepId> = antecedents.iter().map(|a| made[a.index()]).collect();
                    let pivots = pivots
                        .iter()
                        .map(|pivot| self.proof_literal(pivot.positive()))
                        .collect::<Result<Vec<Literal>, _>>()?;
                    self.chain(&premises, &pivots)
                }
            };
            if self.steps.clause(step).is_empty() {
                return Ok(step);
            }
            made.push(step);
        }
        Err(Unsupported::new(
            "internal: the text does not end with the empty clause",
        ))
    }

    fn proof_literal(&mut self, literal: Lit) -> Result<Literal, Unsupported> {
        let node = self.written(self.proof.atoms[literal.var().index()])?;
        let found = self.steps.ast.literal(node);
        Ok(if literal.is_negative() { !found } else { found })
    }

    fn clause(&mut self, id: ClauseId) -> Result<Vec<Literal>, Unsupported> {
        let proof = self.proof;
        proof
            .clause(id)
            .iter()
            .map(|&literal| self.proof_literal(literal))
            .collect()
    }

    /// The unit clause of a conjunct of the assertions, or the empty clause if an assertion is false.
    fn unit(&mut self, formula: TermId, assertions: &[(NodeId, TermId)]) -> Result<StepId, Unsupported> {
        // From the conjunct up to what is known, and down again.
        let mut path = vec![formula];
        let mut at = formula;
        while let (None, Some(Origin::Conjunct(parent, _))) = (self.units.get(&at), self.parents.get(&at).copied()) {
            path.push(parent);
            at = parent;
        }
        for &term in path.iter().rev() {
            if self.units.contains_key(&term) {
                continue;
            }
            let step = match self.parents.get(&term).copied() {
                Some(Origin::Asserted(number)) => self.assertion(assertions[number].0, term)?,
                Some(Origin::Conjunct(parent, i)) => {
                    let whole = self.written(parent)?;
                    let part = self.steps.ast.get(whole).args[i];
                    let negated = self.steps.ast.formula(Op::Not, &[whole]);
                    let index = crate::num::Int::from(u32::try_from(i).expect("fewer than 2^32 conjuncts"));
                    let projection = self.steps.axiom("and_pos", vec![negated, part], vec![index]);
                    let target = [self.steps.ast.literal(part)];
                    let premises = [self.units[&parent], projection];
                    self.steps.derive(&premises, &target)?
                }
                None => match self.array_fact(term) {
                    Some(fact) => fact?,
                    None => self.conjunction(term, assertions)?,
                },
            };
            self.units.insert(term, step);
        }
        Ok(self.units[&formula])
    }

    /// The unit clause of a conjunction whose conjuncts are known.
    fn conjunction(&mut self, formula: TermId, assertions: &[(NodeId, TermId)]) -> Result<StepId, Unsupported> {
        let Term::And(parts) = self.pool.term(formula).clone() else {
            // The script may contradict a definition at once.
            for &(source, _) in assertions.iter().filter(|(_, given)| *given == formula) {
                let normal = self.normal(source)?;
                for part in self.pool.conjuncts(normal) {
                    let opposite = self.pool.not(part);
                    if let Some(fact) = self.array_fact(opposite) {
                        let premises = [fact?, self.unit(part, assertions)?];
                        return self.steps.derive(&premises, &[]);
                    }
                }
            }
            return Err(Unsupported::new("products and divisions of unknowns, arrays of arrays"));
        };
        let whole = self.written(formula)?;
        let mut premises = self.definitions(whole)?;
        for &part in &parts {
            premises.push(self.unit(part, assertions)?);
        }
        let target = [self.steps.ast.literal(whole)];
        self.steps.derive(&premises, &target)
    }

    /// The unit clause of an assertion's normal form.
    fn assertion(&mut self, source: NodeId, formula: TermId) -> Result<StepId, Unsupported> {
        if self.normal(source)? != formula {
            return Err(Unsupported::new("internal: the normal form of an assertion"));
        }
        let assumption = self.steps.step("assume", vec![source], Vec::new());
        let mut premises = vec![assumption];
        premises.extend(self.link(source).down?);
        match self.normal_literal(formula)? {
            Ok(literal) => self.steps.derive(&premises, &[literal]),
            Err(true) => Err(Unsupported::new("internal: a true assertion in a proof")),
            Err(false) => self.steps.derive(&premises, &[]),
        }
    }

    /// The clauses by which a connective is defined; none for atoms.
    fn definitions(&mut self, formula: NodeId) -> Result<Vec<StepId>, Unsupported> {
        if let Some(known) = self.definitions.get(&formula) {
            return Ok(known.clone());
        }
        if let Some((rule, expansion)) = self.expand(formula) {
            let equation = self.steps.ast.formula(Op::Eq, &[formula, expansion]);
            let mut found = vec![self.steps.axiom(rule, vec![equation], Vec::new())];
            found.extend(self.definitions_of(equation));
            self.expansions.insert(formula, expansion);
            self.definitions.insert(formula, found.clone());
            return Ok(found);
        }
        let found = self.definitions_of(formula);
        self.definitions.insert(formula, found.clone());
        Ok(found)
    }

    /// The rule and the formula by which a connective with an unusual number of arguments is replaced.
    fn expand(&mut self, formula: NodeId) -> Option<(&'static str, NodeId)> {
        let node = self.steps.ast.get(formula).clone();
        let ast = &mut self.steps.ast;
        match (&node.op, &*node.args) {
            (Op::Eq | Op::Le | Op::Lt | Op::Ge | Op::Gt, list) if list.len() > 2 => {
                let pairs: Vec<NodeId> = list.windows(2).map(|pair| ast.formula(node.op.clone(), pair)).collect();
                Some(("nary_elim", ast.formula(Op::And, &pairs)))
            }
            (Op::Xor, [first, rest @ ..]) if rest.len() > 1 => {
                let fold = |left, right: &NodeId| ast.formula(Op::Xor, &[left, *right]);
                Some(("nary_elim", rest.iter().fold(*first, fold)))
            }
            (Op::Implies, [first @ .., last]) if first.len() > 1 => {
                let fold = |right, left: &NodeId| ast.formula(Op::Implies, &[*left, right]);
                Some(("nary_elim", first.iter().rev().fold(*last, fold)))
            }
            (Op::Distinct, list) if list.len() > 1 => {
                if list.len() > 2 && ast.get(list[0]).sort == AstSort::Bool {
                    return Some(("distinct_elim", ast.formula(Op::False, &[])));
                }
                let mut pairs = Vec::new();
                for (i, &left) in list.iter().enumerate() {
                    for &right in &list[i + 1..] {
                        let equal = ast.formula(Op::Eq, &[left, right]);
                        pairs.push(ast.formula(Op::Not, &[equal]));
                    }
                }
                let whole = match pairs[..] {
                    [single] => single,
                    _ => ast.formula(Op::And, &pairs),
                };
                Some(("distinct_elim", whole))
            }
            _ => None,
        }
    }

    fn definitions_of(&mut self, formula: NodeId) -> Vec<StepId> {
        let node = self.steps.ast.get(formula).clone();
        let negation = self.steps.ast.formula(Op::Not, &[formula]);
        let args = node.args.to_vec();
        let negated: Vec<NodeId> = args.iter().map(|&a| self.steps.ast.formula(Op::Not, &[a])).collect();
        let boolean = args
            .first()
            .is_some_and(|&a| self.steps.ast.get(a).sort == AstSort::Bool);
        let index = |i: usize| {
            vec![crate::num::Int::from(
                u32::try_from(i).expect("fewer than 2^32 arguments"),
            )]
        };
        let with = |head: NodeId, rest: &[NodeId]| [&[head], rest].concat();
        let steps = &mut self.steps;
        let mut axiom = |rule, terms: Vec<NodeId>, args| steps.axiom(rule, terms, args);
        match (&node.op, &args[..]) {
            (Op::True, _) => vec![axiom("true", vec![formula], vec![])],
            (Op::False, _) => vec![axiom("false", vec![negation], vec![])],
            (Op::And, list) => {
                let mut found = vec![axiom("and_neg", with(formula, &negated), vec![])];
                let parts = list.iter().enumerate();
                found.extend(parts.map(|(i, &a)| axiom("and_pos", vec![negation, a], index(i))));
                found
            }
            (Op::Or, list) => {
                let mut found = vec![axiom("or_pos", with(negation, list), vec![])];
                let parts = negated.iter().enumerate();
                found.extend(parts.map(|(i, &a)| axiom("or_neg", vec![formula, a], index(i))));
                found
            }
            (Op::Implies, &[a, b]) => vec![
                axiom("implies_pos", vec![negation, negated[0], b], vec![]),
                axiom("implies_neg1", vec![formula, a], vec![]),
                axiom("implies_neg2", vec![formula, negated[1]], vec![]),
            ],
            (Op::Xor, &[a, b]) => vec![
                axiom("xor_pos1", vec![negation, a, b], vec![]),
                axiom("xor_pos2", vec![negation, negated[0], negated[1]], vec![]),
                axiom("xor_neg1", vec![formula, a, negated[1]], vec![]),
                axiom("xor_neg2", vec![formula, negated[0], b], vec![]),
            ],
            (Op::Eq, &[a, b]) if boolean => vec![
                axiom("equiv_pos1", vec![negation, a, negated[1]], vec![]),
                axiom("equiv_pos2", vec![negation, negated[0], b], vec![]),
                axiom("equiv_neg1", vec![formula, negated[0], negated[1]], vec![]),
                axiom("equiv_neg2", vec![formula, a, b], vec![]),
            ],
            (Op::Ite, &[c, a, b]) if node.sort == AstSort::Bool => vec![
                axiom("ite_pos1", vec![negation, c, b], vec![]),
                axiom("ite_pos2", vec![negation, negated[0], a], vec![]),
                axiom("ite_neg1", vec![formula, c, negated[2]], vec![]),
                axiom("ite_neg2", vec![formula, negated[0], negated[1]], vec![]),
            ],
            _ => Vec::new(),
        }
    }

    /// Resolution from left to right. A premise that lacks its pivot makes the others superfluous.
    fn chain(&mut self, premises: &[StepId], pivots: &[Literal]) -> StepId {
        let mut clause: Vec<Literal> = self.steps.clause(premises[0]).to_vec();
        let mut present: crate::hash::FxHashSet<Literal> = clause.iter().copied().collect();
        let mut used = vec![premises[0]];
        for (&premise, &pivot) in premises[1..].iter().zip(pivots) {
            let other = self.steps.clause(premise);
            let here = if present.contains(&pivot) { pivot } else { !pivot };
            if !present.contains(&here) {
                continue;
            }
            if !other.contains(&!here) {
                clause = other.to_vec();
                present = clause.iter().copied().collect();
                used = vec![premise];
                continue;
            }
            present.remove(&here);
            for &literal in other.iter().filter(|&&l| l != !here) {
                if present.insert(literal) {
                    clause.push(literal);
                }
            }
            used.push(premise);
        }
        clause.retain(|literal| present.contains(literal));
        self.steps.resolution(&clause, used)
    }
}
