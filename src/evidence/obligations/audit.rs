//! Audit of scripts: every assertion of a script follows from the claims of the manifest.
//!
//! An unsatisfiable script proves its claim only if its assertions are the ones that the claim allows. So each assertion has to *follow* from the statement of the
//! manifest at its place: a script may assert less than that, but no more.
//!
//! | assertion | has to follow from |
//! |---|---|
//! | claim | the claim at the beginning of the block, in the first versions of the names |
//! | elements | instances of the claims there about all elements, for the listed numbers |
//! | ranges | the ranges listed there |
//! | operators | values of operators that are computed anew here, and listed identities of polynomials that are multiplied out |
//! | contract | the claim at the exit of the contract on which the listed cases rely, in the names of the caller; what the call may change is in its second version |
//! | goal | the negation of the claim at the end of the block, in the last versions that the block lists; claims about elements for a constant that occurs in none of the others |
//! | instance | behind the listed update, memory has at the listed address the written value, or its old value |
//!
//! Mostly the two are the same term. Otherwise the implication between them is one more script, which is solved like all others.
//!
//! # Remaining assumptions
//!
//! * The assertion about the *paths* of a block, with its versions and updates, is the meaning of the edges that the block lists. Only the encoder defines it here;
//!   [executions](crate::evidence::executions) compare it with the concrete machine of the replay.
//! * At the program's start every object holds a value of its type, with the ranges that are listed for types.
//! * The reader of scripts and the checker of proofs are right ([`discharge`](super::discharge)).
//! * Functions and edges are those of the program. This is checked if the program is given ([`origin`](super::origin)), as far as its front end is right.
//!
//! This module shares no code with the writers of scripts and manifests.

use super::defect::{AuditError, Mismatch, ScriptError, TermError};
use super::discharge::Discharged;
use super::floats::Operation;
use super::manifest::{
    BlockEntry, ContractEntry, Kind, Manifest, ObligationEntry, OperatorEntry, PointEntry, Role, SourceEntry,
    UpdateEntry,
};
use super::operators::{products, value};
use super::ring::{bounds, identity};
use super::terms::{Node, Raw, Terms, symbol};
use super::views::{CallView, Views};
use provident_smt::fault::planted;
use std::collections::{BTreeMap, HashSet};

/// The name that stands for the number of any element in claims.
const INDEX: &str = "index!";
/// The beginning of the names of values at the entry of a contract.
const OLD: &str = "old!";

/// A manifest whose scripts are looked at.
pub struct Auditor<'m> {
    manifest: &'m Manifest,
    points: BTreeMap<&'m str, &'m PointEntry>,
    blocks: BTreeMap<&'m str, &'m BlockEntry>,
    views: Views<'m>,
}

/// A script, read.
struct Script {
    raw: Raw,
    assertions: Vec<usize>,
    /// The names of the sort Bool.
    truths: HashSet<String>,
}

impl<'m> Auditor<'m> {
    /// The auditor of a manifest.
    ///
    /// # Errors
    /// A value of an operator is wrong.
    pub fn new(manifest: &'m Manifest) -> Result<Self, AuditError> {
        for entry in &manifest.operators {
            if let Some(operation) = Operation::named(&entry.operator) {
                if operation.value(&entry.arguments).as_ref() != Some(&entry.value) {
                    return Err(AuditError::Float(
                        entry.operator.clone(),
                        entry.arguments.clone(),
                        entry.value.clone(),
                    ));
                }
                continue;
            }
            let numbers: Result<Vec<i128>, _> = entry.arguments.iter().map(|text| text.parse()).collect();
            let Ok(numbers) = numbers else {
                return Err(AuditError::Arguments(entry.arguments.clone()));
            };
            let right = value(&entry.operator, &numbers).map(|value| value.to_string());
            if right.as_ref() != Some(&entry.value) {
                return Err(AuditError::Operator {
                    operator: entry.operator.clone(),
                    arguments: numbers,
                    value: entry.value.clone(),
                });
            }
        }
        Ok(Auditor {
            manifest,
            points: manifest.points.iter().map(|point| (point.id.as_str(), point)).collect(),
            blocks: manifest
                .blocks
                .iter()
                .map(|block| (block.from.as_str(), block))
                .collect(),
            views: Views::new(manifest),
        })
    }

    /// Checks that a script says what its entry says. `prove` solves scripts.
    ///
    /// # Errors
    /// Names the first assertion that says more.
    pub fn check(
        &self,
        entry: &ObligationEntry,
        text: &str,
        prove: &mut dyn FnMut(&str) -> Discharged,
    ) -> Result<(), AuditError> {
        let script = read(text)?;
        if script.assertions.len() != entry.parts.len() {
            return Err(AuditError::Count {
                found: script.assertions.len(),
                listed: entry.parts.len(),
            });
        }
        let is_once =
            |role: &Role| *role == Role::Instance || entry.parts.iter().filter(|other| *other == role).count() == 1;
        if let Some(role) = entry.parts.iter().find(|role| !is_once(role)) {
            return Err(AuditError::Twice(*role));
        }
        let mut terms = Terms::default();
        let mut instances = entry.instances.iter();
        let any = terms.apply(&symbol(&version(INDEX, 0)), Vec::new());
        for (number, (&item, &role)) in script.assertions.iter().zip(&entry.parts).enumerate() {
            let about = |why: Mismatch| AuditError::Assertion {
                number: number + 1,
                role,
                why,
            };
            let given = terms.read(&script.raw, item).map_err(|error| about(error.into()))?;
            let source = match role {
                Role::Paths if self.relying(entry).is_some() => return Err(about(Mismatch::NoPaths)),
                Role::Paths => None,
                Role::Contract => Some(self.ensured(&mut terms, entry)),
                Role::Claim => Some(self.claim(&mut terms, entry)),
                Role::Elements => Some(self.elements(&mut terms, entry)),
                Role::Ranges => Some(self.ranges(&mut terms, entry)),
                Role::Operators => Some(self.operators(&mut terms, entry, given)),
                Role::Goal => Some(self.goal(&mut terms, entry)),
                Role::Instance => {
                    let instance = instances.next().ok_or_else(|| about(Mismatch::NotListed))?;
                    let says = entry.updates.get(&instance.update);
                    let says = says.ok_or_else(|| about(Mismatch::NoUpdate(instance.update.clone())))?;
                    Some(instance_of(&mut terms, &instance.update, says, &instance.at).map_err(Mismatch::Term))
                }
            };
            let source = source.transpose().map_err(about)?;
            // A statement about this constant holds for any number only if there is no other fact about the constant.
            if !matches!(role, Role::Elements | Role::Goal | Role::Instance) {
                let roots: Vec<Node> = source.into_iter().chain([given]).collect();
                if terms.below(&roots).contains(&any) && !planted("audit-freshness") {
                    return Err(about(Mismatch::AnyNumber));
                }
            }
            let is_believed = match role {
                Role::Claim => planted("audit-claim"),
                Role::Elements => planted("audit-elements"),
                Role::Ranges => planted("audit-ranges"),
                Role::Operators => planted("audit-operators"),
                Role::Goal => planted("audit-goal"),
                Role::Instance => planted("audit-instance"),
                Role::Contract => planted("audit-contract"),
                Role::Paths => false,
            };
            let Some(source) = source.filter(|&source| source != given && !is_believed) else {
                continue;
            };
            let not_given = terms.apply("not", vec![given]);
            let question = terms.assertions(&[source, not_given], &script.truths) + "(check-sat)\n";
            if let Discharged::No(why) = prove(&question) {
                return Err(about(Mismatch::NotImplied(why)));
            }
        }
        Ok(())
    }

    fn point(&self, name: &str) -> Result<&'m PointEntry, Mismatch> {
        let point = self.points.get(name);
        point.copied().ok_or_else(|| Mismatch::NoPoint(name.to_string()))
    }

    /// The claim at the beginning of a block.
    fn claim(&self, terms: &mut Terms, entry: &ObligationEntry) -> Result<Node, Mismatch> {
        let point = self.point(&entry.from)?;
        let cases = cases_of(point, entry.cases)?;
        let mut parts = vec![any_of(terms, cases)?];
        for conjunct in &point.conjuncts {
            parts.push(terms.parse(conjunct)?);
        }
        let all = terms.apply("and", parts);
        Ok(terms.renamed(all, &|name| version(name, 0), &BTreeMap::new()))
    }

    /// The block of an obligation, if it is a call that relies on contracts.
    fn relying(&self, entry: &ObligationEntry) -> Option<&'m BlockEntry> {
        let block = self.blocks.get(entry.from.as_str()).copied();
        block.filter(|block| !block.relies_on.is_empty())
    }

    /// The call and the contract on which the cases of an obligation rely.
    fn call(&self, entry: &ObligationEntry) -> Result<(CallView<'_, 'm>, &'m ContractEntry), Mismatch> {
        let none = || Mismatch::NoContract(entry.from.clone());
        let block = self.relying(entry).ok_or_else(none)?;
        let from = self.point(&entry.from)?;
        let [start, end] = entry.cases.unwrap_or([0, from.cases.len()]);
        let mut uses = block.relies_on.iter();
        let relied = uses.find(|relied| relied.cases[0] <= start && end <= relied.cases[1]);
        let contract = relied.and_then(|relied| self.views.contract(&relied.contract));
        let contract = contract.ok_or_else(none)?;
        let call = self.views.call(&from.place, contract).ok_or_else(none)?;
        Ok((call, contract))
    }

    /// The claim that a contract ensures behind a call.
    fn ensured(&self, terms: &mut Terms, entry: &ObligationEntry) -> Result<Node, Mismatch> {
        let (call, contract) = self.call(entry)?;
        if entry.kind != Kind::Consecution {
            return Err(Mismatch::NoContract(entry.from.clone()));
        }
        let claim = whole(terms, self.point(&contract.exit)?)?;
        seen_outside(terms, claim, &call, &|name| u32::from(call.loses(name)))
    }

    /// The claim where a contract begins, before a call.
    fn required(&self, terms: &mut Terms, entry: &ObligationEntry) -> Result<Node, Mismatch> {
        let (call, contract) = self.call(entry)?;
        if entry.to.as_ref() != Some(&contract.entry) {
            return Err(Mismatch::NoEnd);
        }
        let claim = whole(terms, self.point(&contract.entry)?)?;
        seen_outside(terms, claim, &call, &|_| 0)
    }

    /// The facts about operators. Claims under contracts may be about products, so with contracts there are facts that link these; others are listed as identities of polynomials.
    fn operators(&self, terms: &mut Terms, entry: &ObligationEntry, given: Node) -> Result<Node, Mismatch> {
        let values = operators(terms, &self.manifest.operators, given)?;
        let mut all = match self.manifest.contracts.is_empty() {
            true => Vec::new(),
            false => products(terms, given),
        };
        for listed in &entry.identities {
            all.push(identity(terms, listed)?);
        }
        if !entry.identities.is_empty() {
            all.extend(bounds(terms, given)?);
        }
        all.push(values);
        Ok(terms.apply("and", all))
    }

    /// The claims about elements there, for the listed numbers.
    fn elements(&self, terms: &mut Terms, entry: &ObligationEntry) -> Result<Node, Mismatch> {
        let mut parts = Vec::new();
        for number in &entry.elements {
            let number = terms.parse(number)?;
            let replaced = BTreeMap::from([(INDEX.to_string(), number)]);
            for claim in &self.point(&entry.from)?.elements {
                let body = terms.parse_for_all(claim, INDEX)?;
                parts.push(terms.renamed(body, &|name| version(name, 0), &replaced));
            }
        }
        Ok(terms.apply("and", parts))
    }

    /// The ranges where a block begins.
    fn ranges(&self, terms: &mut Terms, entry: &ObligationEntry) -> Result<Node, Mismatch> {
        let mut parts = Vec::new();
        for (name, bounds) in &self.point(&entry.from)?.ranges {
            parts.push(in_range(terms, &version(name, 0), bounds)?);
        }
        Ok(terms.apply("and", parts))
    }

    /// The negation of the goal behind a block.
    fn goal(&self, terms: &mut Terms, entry: &ObligationEntry) -> Result<Node, Mismatch> {
        if entry.kind == Kind::Precondition {
            let required = self.required(terms, entry)?;
            return Ok(terms.apply("not", vec![required]));
        }
        let nowhere = BTreeMap::new();
        let (to, last) = match (entry.kind, &entry.to) {
            (Kind::Initiation, None) => (self.point(&entry.from)?, &nowhere),
            (Kind::Consecution | Kind::Ranges, Some(to)) => {
                let block = self.blocks.get(entry.from.as_str());
                let block = block.ok_or_else(|| Mismatch::NoBlock(entry.from.clone()))?;
                (self.point(to)?, block.versions.get(to).unwrap_or(&nowhere))
            }
            (Kind::Safety | Kind::Exclusion, _) => return Ok(terms.apply("true", Vec::new())),
            _ => return Err(Mismatch::NoEnd),
        };
        // Behind a call the versions follow from what it may change.
        let call = match self.relying(entry) {
            Some(_) => Some(self.call(entry)?.0),
            None => None,
        };
        let after = |name: &str| match &call {
            Some(call) => version(name, u32::from(call.loses(name))),
            None => version(name, last.get(name).copied().unwrap_or(0)),
        };
        let mut parts = Vec::new();
        if entry.kind == Kind::Ranges {
            for name in &entry.ranges {
                let bounds = to.ranges.get(name);
                let bounds = bounds.ok_or_else(|| Mismatch::NoRange {
                    name: name.clone(),
                    point: to.id.clone(),
                })?;
                parts.push(in_range(terms, &after(name), bounds)?);
            }
        } else {
            parts.push(any_of(terms, &to.cases)?);
            for conjunct in &to.conjuncts {
                parts.push(terms.parse(conjunct)?);
            }
            for claim in &to.elements {
                parts.push(terms.parse_for_all(claim, INDEX)?);
            }
            let [first, end] = entry.conjuncts.unwrap_or([0, parts.len()]);
            let wanted = parts.get(first..end).ok_or(Mismatch::NoConjuncts)?.to_vec();
            let renamed = wanted
                .into_iter()
                .map(|part| terms.renamed(part, &after, &BTreeMap::new()));
            parts = renamed.collect();
        }
        let all = terms.apply("and", parts);
        Ok(terms.apply("not", vec![all]))
    }
}

/// The claim at a point that has no claims about elements.
fn whole(terms: &mut Terms, point: &PointEntry) -> Result<Node, Mismatch> {
    if !point.elements.is_empty() {
        return Err(Mismatch::NoConjuncts);
    }
    let mut parts = vec![any_of(terms, &point.cases)?];
    for conjunct in &point.conjuncts {
        parts.push(terms.parse(conjunct)?);
    }
    Ok(match parts[..] {
        [cases] => cases,
        _ => terms.apply("and", parts),
    })
}

/// A claim under a contract, in the names of the caller and in versions. A value at the contract's entry is the one that the caller has before the call.
fn seen_outside(
    terms: &mut Terms,
    claim: Node,
    call: &CallView<'_, '_>,
    number: &dyn Fn(&str) -> u32,
) -> Result<Node, Mismatch> {
    let unknown = std::cell::RefCell::new(None);
    let rename = |name: &str| {
        let at_entry = name.strip_prefix(OLD);
        match call.outside(at_entry.unwrap_or(name)) {
            Some(seen) if at_entry.is_some() && !planted("audit-old") => version(&seen, 0),
            Some(seen) => version(&seen, number(&seen)),
            None => {
                *unknown.borrow_mut() = Some(name.to_string());
                name.to_string()
            }
        }
    };
    let seen = terms.renamed(claim, &rename, &BTreeMap::new());
    match unknown.into_inner() {
        Some(name) => Err(Mismatch::NotSeen(name)),
        None => Ok(seen),
    }
}

/// A name in a version.
fn version(name: &str, number: u32) -> String {
    format!("{name}@{number}")
}

/// The cases of the claim at a point that an entry treats.
fn cases_of(point: &PointEntry, range: Option<[usize; 2]>) -> Result<&[String], Mismatch> {
    let [start, end] = range.unwrap_or([0, point.cases.len()]);
    let cases = point.cases.get(start..end);
    cases.ok_or_else(|| Mismatch::NoCases {
        point: point.id.clone(),
        cases: [start, end],
    })
}

fn any_of(terms: &mut Terms, cases: &[String]) -> Result<Node, TermError> {
    let cases: Result<Vec<Node>, TermError> = cases.iter().map(|case| terms.parse(case)).collect();
    Ok(terms.apply("or", cases?))
}

fn in_range(terms: &mut Terms, name: &str, [low, high]: &[String; 2]) -> Result<Node, TermError> {
    let (low, high) = (terms.number(low)?, terms.number(high)?);
    let variable = terms.apply(&symbol(name), Vec::new());
    let bounds = [
        terms.apply("<=", vec![low, variable]),
        terms.apply("<=", vec![variable, high]),
    ];
    Ok(terms.apply("and", bounds.to_vec()))
}

/// The instance of an update at an address: if its Boolean holds, the address holds the written value inside of the range, and its old value outside.
fn instance_of(terms: &mut Terms, boolean: &str, update: &UpdateEntry, at: &str) -> Result<Node, TermError> {
    let [boolean, at, low, high] = [boolean, at, &update.low, &update.high].map(|text| terms.parse(text));
    let (boolean, at) = (boolean?, at?);
    let bounds = [terms.apply("<=", vec![low?, at]), terms.apply("<", vec![at, high?])];
    let inside = terms.apply("and", bounds.to_vec());
    let after = terms.apply(&update.new, vec![at]);
    let before = terms.apply(&update.old, vec![at]);
    let kept = terms.apply("=", vec![after, before]);
    let written = match &update.source {
        SourceEntry::Any => None,
        SourceEntry::Value(value) => Some(terms.parse(value)?),
        SourceEntry::Copy { from, shift } => {
            let shift = terms.parse(shift)?;
            let there = terms.apply("+", vec![at, shift]);
            Some(terms.apply(from, vec![there]))
        }
    };
    let written = match written {
        Some(value) => terms.apply("=", vec![after, value]),
        None => terms.apply("true", Vec::new()),
    };
    let says = terms.apply("ite", vec![inside, written, kept]);
    Ok(terms.apply("=>", vec![boolean, says]))
}

/// The facts that known values of operators give for the applications in a formula. Floating-point operations are monotone. If a product is the exact product, it is so for all numbers between 0 and one of its factors.
fn operators(terms: &mut Terms, entries: &[OperatorEntry], formula: Node) -> Result<Node, TermError> {
    let mut axioms = Vec::new();
    for node in terms.below(&[formula]) {
        let (head, arguments) = terms.shape(node);
        let arguments = arguments.to_vec();
        let name = head.trim_matches('|');
        let operator = name.split_once('@').map_or(name, |(operator, _)| operator).to_string();
        for entry in entries.iter().filter(|entry| entry.operator == operator) {
            let numbers = entry.arguments.iter().map(|text| terms.number(text));
            let numbers = numbers.collect::<Result<Vec<Node>, _>>()?;
            let result = terms.number(&entry.value)?;
            let pairs = arguments.iter().zip(&numbers);
            let equal: Vec<Node> = pairs.map(|(&x, &at)| terms.apply("=", vec![x, at])).collect();
            let premise = terms.apply("and", equal.clone());
            let conclusion = terms.apply("=", vec![node, result]);
            axioms.push(terms.apply("=>", vec![premise, conclusion]));
            if let Some(operation) = Operation::named(&operator) {
                axioms.extend(operation.monotone(terms, node, &arguments, &entry.arguments, &entry.value)?);
                continue;
            }
            let (&[a, b], &[at_a, at_b]) = (&arguments[..], &numbers[..]) else {
                continue;
            };
            let [x, y] = [0, 1].map(|i: usize| entry.arguments[i].parse::<i128>().ok());
            let product = x.zip(y).and_then(|(x, y)| x.checked_mul(y));
            if !operator.starts_with("__mul:")
                || product.map(|product| product.to_string()).as_ref() != Some(&entry.value)
            {
                continue;
            }
            let zero = terms.apply("0", Vec::new());
            for (is_factor, factor, other, end, text) in [
                (equal[0], at_a, b, at_b, &entry.arguments[1]),
                (equal[1], at_b, a, at_a, &entry.arguments[0]),
            ] {
                let (low, high) = if text.starts_with('-') {
                    (end, zero)
                } else {
                    (zero, end)
                };
                let near = [
                    terms.apply("<=", vec![low, other]),
                    terms.apply("<=", vec![other, high]),
                ];
                let premise = terms.apply("and", vec![is_factor, near[0], near[1]]);
                let product = terms.apply("*", vec![factor, other]);
                let conclusion = terms.apply("=", vec![node, product]);
                axioms.push(terms.apply("=>", vec![premise, conclusion]));
            }
        }
    }
    Ok(terms.apply("and", axioms))
}

/// Reads a script: declarations of integers, functions of integers and Booleans, assertions, and one question at the end.
fn read(text: &str) -> Result<Script, ScriptError> {
    let raw = Raw::read(text)?;
    let (mut assertions, mut truths, mut declared) = (Vec::new(), HashSet::new(), HashSet::new());
    let mut is_asked = false;
    for &item in raw.top() {
        if is_asked {
            return Err(ScriptError::AfterQuestion);
        }
        match raw.call(item) {
            Some(("|set-logic|" | "|set-info|", _)) => {}
            Some(("|assert|", &[formula])) => assertions.push(formula),
            Some(("|check-sat|", [])) => is_asked = true,
            Some(("|declare-fun|", &[name, arguments, sort])) => {
                let name = raw.atom(name).ok_or(ScriptError::Declaration)?;
                let arguments = raw.list(arguments).ok_or(ScriptError::Declaration)?;
                let of_ints = arguments.iter().all(|&sort| raw.atom(sort) == Some("|Int|"));
                let is_truth = raw.atom(sort) == Some("|Bool|") && arguments.is_empty();
                if !of_ints || !(is_truth || raw.atom(sort) == Some("|Int|")) || !declared.insert(name.to_string()) {
                    return Err(ScriptError::Declared(name.to_string()));
                }
                if is_truth {
                    truths.insert(name.to_string());
                }
            }
            call => return Err(ScriptError::Command(call.map_or("this", |call| call.0).to_string())),
        }
    }
    match is_asked {
        true => Ok(Script {
            raw,
            assertions,
            truths,
        }),
        false => Err(ScriptError::NoQuestion),
    }
}
