//! Arrays: the solver's functions and updates are terms of the theory again, and what it knows of these follows from instances of the theory's definitions.
//!
//! The function of a store is written as that store, so its definition is `(= t t)`. An update is an atom beside the equation of two arrays, and both may be in one clause, so it is written as `(= (= a b) true)`, which nothing else is.
//! The index at which two arrays differ is a term with `choice`.

use super::ast::{AstSort, Literal, NodeId, Op};
use super::instances::{CONSTANT, EXTENSIONAL, OTHER, SELECT};
use super::steps::StepId;
use super::{Exporter, Signature, Unsupported};
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::term::{Symbol, Term, TermId};

/// A sort of arrays.
#[derive(Clone, Debug)]
pub struct ArraySort {
    /// The sort of the indices.
    pub index: AstSort,
    /// The sort of the elements.
    pub element: AstSort,
    /// The text of the sort, and of that of the indices.
    pub texts: [String; 2],
}

/// The meaning of an internal symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayShape {
    /// `(store array index value)`
    Store(Symbol, TermId, TermId),
    /// `(ite condition yes no)`
    Choice(TermId, Symbol, Symbol),
    /// The proposition `(= left right)`.
    Equality(Symbol, Symbol),
    /// A constant array.
    Constant(TermId),
    /// Anything that a text has no word for.
    Other,
}

/// An internal symbol with its definition.
#[derive(Clone, Copy, Debug)]
pub struct ArrayDefinition {
    /// The function, or the proposition.
    pub symbol: Symbol,
    /// Its meaning.
    pub shape: ArrayShape,
    /// The number of the sort of the arrays.
    pub sort: usize,
    /// The assertions that came together with it.
    pub formula: TermId,
    /// Of a proposition: the index at which the arrays differ if they do.
    pub witness: Option<Symbol>,
}

/// The arrays of a script.
#[derive(Default)]
pub struct Arrays {
    /// The sorts by number; none for those that a text has no word for.
    pub sorts: Vec<Option<ArraySort>>,
    /// A definition mentions earlier symbols only.
    pub definitions: Vec<ArrayDefinition>,
    /// The arrays that are written with numbers only, whose elements the solver computes.
    pub numbers: Vec<Symbol>,
    /// The index that is none of the script's, where constant arrays have their values too.
    pub other: Option<Symbol>,
}

/// The arrays with their terms.
#[derive(Default)]
pub(super) struct ArrayTerms {
    pub arrays: Arrays,
    /// The terms of functions, propositions and witnesses.
    nodes: FxHashMap<Symbol, Result<NodeId, Unsupported>>,
    sorts: FxHashMap<Symbol, usize>,
    symbols: FxHashMap<(ArrayShape, usize), Symbol>,
    /// The definitions by their conjuncts.
    conjuncts: FxHashMap<TermId, usize>,
    /// The indices at which arrays differ, by what they are as truth values.
    truths: FxHashMap<TermId, TermId>,
}

fn nested() -> Unsupported {
    Unsupported::new("arrays of arrays")
}

impl Exporter<'_> {
    /// Writes the terms of all arrays.
    pub(super) fn add_arrays(&mut self, arrays: Arrays) {
        let signatures = self.signatures.iter();
        let declared: Vec<(Symbol, usize)> = signatures
            .filter_map(|(&symbol, signature)| match signature.result {
                AstSort::Array(sort) => Some((symbol, sort)),
                _ => None,
            })
            .collect();
        for (symbol, sort) in declared {
            let node = self.steps.ast.node(Op::Symbol(symbol), &[], AstSort::Array(sort));
            self.arrays.nodes.insert(symbol, Ok(node));
            self.arrays.sorts.insert(symbol, sort);
        }
        for (at, definition) in arrays.definitions.iter().enumerate() {
            self.arrays
                .symbols
                .insert((definition.shape, definition.sort), definition.symbol);
            for conjunct in self.pool.conjuncts(definition.formula) {
                self.arrays.conjuncts.insert(conjunct, at);
            }
        }
        if let Some(other) = arrays.other {
            let error = Unsupported::new("an index of constant arrays that is none of the script's");
            self.arrays.nodes.insert(other, Err(error));
        }
        let definitions = arrays.definitions.clone();
        self.arrays.arrays = arrays;
        for definition in definitions {
            let node = self.define(definition);
            if let (Ok(node), AstSort::Array(_)) = (
                &node,
                node.as_ref()
                    .map_or(AstSort::Bool, |&node| self.steps.ast.get(node).sort),
            ) {
                // The text of a truth value in it need not have the normal form that it came from.
                let term = self.pool.int_var(definition.symbol.name, definition.symbol.index);
                self.normals.insert(*node, Ok(term));
            }
            self.arrays.nodes.insert(definition.symbol, node);
            self.arrays.sorts.insert(definition.symbol, definition.sort);
        }
    }

    fn define(&mut self, definition: ArrayDefinition) -> Result<NodeId, Unsupported> {
        let number = definition.sort;
        let sort = self.signature_of(number)?;
        let of = AstSort::Array(number);
        match definition.shape {
            ArrayShape::Store(array, index, value) => {
                let array = self.array(array)?;
                let (index, value) = (self.value(index, sort.index)?, self.value(value, sort.element)?);
                Ok(self
                    .steps
                    .ast
                    .node(Op::Other("store".into()), &[array, index, value], of))
            }
            ArrayShape::Choice(condition, yes, no) => {
                let parts = [self.written(condition)?, self.array(yes)?, self.array(no)?];
                Ok(self.steps.ast.node(Op::Ite, &parts, of))
            }
            ArrayShape::Constant(value) => {
                let value = self.value(value, sort.element)?;
                let head = Op::Other(format!("(as const {})", sort.texts[0]).into());
                Ok(self.steps.ast.node(head, &[value], of))
            }
            ArrayShape::Equality(left, right) => {
                let sides = [self.array(left)?, self.array(right)?];
                let equal = self.steps.ast.formula(Op::Eq, &sides);
                if let Some(witness) = definition.witness {
                    let name = format!("@x{}", self.arrays.nodes.len());
                    let ast = &mut self.steps.ast;
                    let variable = ast.node(Op::Other(name.as_str().into()), &[], sort.index);
                    let [one, other] =
                        sides.map(|side| ast.node(Op::Other("select".into()), &[side, variable], sort.element));
                    let same = ast.formula(Op::Eq, &[one, other]);
                    let differ = ast.formula(Op::Not, &[same]);
                    let body = ast.formula(Op::Or, &[equal, differ]);
                    let head = Op::Other(format!("choice (({name} {}))", sort.texts[1]).into());
                    let choice = ast.node(head, &[body], sort.index);
                    let (number, term) = (self.as_number(choice), self.pool.int_var(witness.name, witness.index));
                    self.arrays.nodes.insert(witness, Ok(number));
                    let mut normal = term;
                    if sort.index == AstSort::Bool {
                        let one = self.pool.int(1);
                        normal = self.pool.ge(term, one);
                        self.arrays.truths.insert(normal, term);
                    }
                    self.normals.insert(choice, Ok(normal));
                }
                Ok(equal)
            }
            ArrayShape::Other => Err(nested()),
        }
    }

    /// The term of an array, of a proposition that two are equal, or of an index at which they differ; none for other symbols.
    pub(super) fn array_term(&self, symbol: Symbol) -> Option<Result<NodeId, Unsupported>> {
        self.arrays.nodes.get(&symbol).cloned()
    }

    fn array(&self, symbol: Symbol) -> Result<NodeId, Unsupported> {
        self.array_term(symbol).ok_or_else(nested)?
    }

    /// An index or an element as a term of its sort.
    fn value(&mut self, term: TermId, sort: AstSort) -> Result<NodeId, Unsupported> {
        match sort {
            AstSort::Bool => self.truth_argument(term),
            _ => self.written(term),
        }
    }

    /// The integer that stands for a value.
    fn as_number(&mut self, value: NodeId) -> NodeId {
        let ast = &mut self.steps.ast;
        if ast.get(value).sort != AstSort::Bool {
            return value;
        }
        let (one, zero) = (ast.number(&Int::ONE), ast.number(&Int::ZERO));
        ast.node(Op::Ite, &[value, one, zero], AstSort::Int)
    }

    /// The parameters and the result of a function; those of an array are of `select`.
    pub(super) fn signature(&self, symbol: Symbol) -> Result<Signature, Unsupported> {
        let Some(&number) = self.arrays.sorts.get(&symbol) else {
            self.known(symbol)?;
            return Ok(self.signatures[&symbol].clone());
        };
        let sort = self.signature_of(number)?;
        Ok(Signature {
            parameters: vec![AstSort::Array(number), sort.index],
            result: sort.element,
        })
    }

    /// An update: a fact beside the equation of two arrays.
    pub(super) fn write_update(&mut self, update: &Term) -> Result<NodeId, Unsupported> {
        let &Term::Update { new, old, lo, hi, .. } = update else {
            return Err(Unsupported::new("a term that is no formula of a script"));
        };
        let new = self.array(new)?;
        let old = if lo == hi { self.array(old)? } else { new };
        let ast = &mut self.steps.ast;
        let (equal, constant) = (ast.formula(Op::Eq, &[new, old]), ast.formula(Op::True, &[]));
        Ok(ast.formula(Op::Eq, &[equal, constant]))
    }

    // ---- normal forms ---------------------------------------------------------------------------------------

    /// The normal form of an operator on arrays; none if it is another operator.
    pub(super) fn normal_array(&mut self, node: NodeId, args: &[TermId]) -> Option<Result<TermId, Unsupported>> {
        let node = self.steps.ast.get(node);
        let first = node
            .args
            .iter()
            .map(|&a| self.steps.ast.get(a).sort)
            .find_map(|sort| match sort {
                AstSort::Array(number) => Some(number),
                _ => None,
            });
        let symbol = |pool: &crate::term::TermPool, term: TermId| match pool.term(term) {
            Term::IntVar(symbol) => *symbol,
            _ => unreachable!("the normal form of an array is its symbol"),
        };
        let (op, sort) = (node.op.clone(), node.sort);
        let name = match &op {
            Op::Other(name) => name,
            Op::Eq | Op::Distinct if first.is_some() => {
                return Some(self.normal_equations(op == Op::Distinct, args, first?));
            }
            Op::Ite if first.is_some() => {
                let (yes, no) = (symbol(self.pool, args[1]), symbol(self.pool, args[2]));
                return Some(match self.pool.term(args[0]) {
                    Term::True => Ok(args[1]),
                    Term::False => Ok(args[2]),
                    _ if yes == no => Ok(args[1]),
                    _ => self.symbol_of(ArrayShape::Choice(args[0], yes, no), first?),
                });
            }
            _ => return None,
        };
        Some(match (&**name, args) {
            ("select", &[array, index]) => {
                let array = symbol(self.pool, array);
                let index = self.integer(index);
                if self.pool.as_const(index).is_some() && self.arrays.arrays.numbers.contains(&array) {
                    return Some(Err(Unsupported::new(
                        "elements of arrays that are written with numbers only",
                    )));
                }
                let element = self.pool.app(array.name, array.index, &[index]);
                if sort == AstSort::Bool {
                    let one = self.pool.int(1);
                    return Some(Ok(self.pool.ge(element, one)));
                }
                Ok(element)
            }
            ("store", &[array, index, value]) => {
                let array = symbol(self.pool, array);
                let (index, value) = (self.integer(index), self.integer(value));
                self.symbol_of(ArrayShape::Store(array, index, value), first?)
            }
            (_, &[value]) => match sort {
                AstSort::Array(number) => {
                    let value = self.integer(value);
                    self.symbol_of(ArrayShape::Constant(value), number)
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn integer(&mut self, term: TermId) -> TermId {
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        match self.pool.sort(term) {
            crate::term::Sort::Bool if self.arrays.truths.contains_key(&term) => self.arrays.truths[&term],
            crate::term::Sort::Bool => self.pool.ite(term, one, zero),
            _ => term,
        }
    }

    fn symbol_of(&mut self, shape: ArrayShape, sort: usize) -> Result<TermId, Unsupported> {
        let symbol = self.arrays.symbols.get(&(shape, sort));
        let symbol = symbol.ok_or_else(|| Unsupported::new("internal: an array without a symbol"))?;
        Ok(self.pool.int_var(symbol.name, symbol.index))
    }

    fn normal_equations(&mut self, distinct: bool, args: &[TermId], sort: usize) -> Result<TermId, Unsupported> {
        let pool = &*self.pool;
        let symbols: Vec<Symbol> = args.iter().flat_map(|&array| pool.symbols_of(&[array])).collect();
        let mut parts = Vec::new();
        for (at, &left) in symbols.iter().enumerate() {
            let later = &symbols[at + 1..];
            for &right in if distinct { later } else { &later[..later.len().min(1)] } {
                let numbers = &self.arrays.arrays.numbers;
                let equal = if left == right {
                    self.pool.mk_true()
                } else if numbers.contains(&left) && numbers.contains(&right) {
                    return Err(Unsupported::new(
                        "elements of arrays that are written with numbers only",
                    ));
                } else {
                    let shapes = [ArrayShape::Equality(left, right), ArrayShape::Equality(right, left)];
                    let symbol = shapes.iter().find_map(|&shape| self.arrays.symbols.get(&(shape, sort)));
                    let symbol = symbol.ok_or_else(|| Unsupported::new("internal: arrays without an equation"))?;
                    self.pool.bool_var(symbol.name, symbol.index)
                };
                parts.push(if distinct { self.pool.not(equal) } else { equal });
            }
        }
        Ok(self.pool.and(&parts))
    }

    // ---- definitions ----------------------------------------------------------------------------------------

    /// The unit clause of a conjunct of a definition, or an instance of a constant array; none for other formulas.
    pub(super) fn array_fact(&mut self, formula: TermId) -> Option<Result<StepId, Unsupported>> {
        if let Some(&at) = self.arrays.conjuncts.get(&formula) {
            let definition = self.arrays.arrays.definitions[at];
            if !matches!(definition.shape, ArrayShape::Constant(_)) {
                return Some(self.definition_fact(formula, definition));
            }
        }
        // The symbol of a constant array has its value at each index.
        let mut found = None;
        self.pool.visit(&[formula], |id, term| {
            if let Term::App(symbol, arguments) = term {
                found = found.or(Some((id, *symbol, arguments[0])).filter(|_| self.arrays.sorts.contains_key(symbol)));
            }
        });
        let (element, symbol, index) = found?;
        let definition = self.arrays.arrays.definitions.iter().find(|d| d.symbol == symbol)?;
        let ArrayShape::Constant(value) = definition.shape else {
            return None;
        };
        let equation = self.pool.eq(element, value);
        (equation == formula).then(|| self.constant_fact(formula, (element, symbol, index), value))
    }

    fn definition_fact(&mut self, formula: TermId, definition: ArrayDefinition) -> Result<StepId, Unsupported> {
        let node = self.written(formula)?;
        let term = self.array(definition.symbol)?;
        let mut premises = self.all_definitions(node)?;
        match definition.shape {
            ArrayShape::Store(..) => {
                let itself = self.steps.ast.formula(Op::Eq, &[term, term]);
                premises.push(self.steps.axiom("eq_reflexive", vec![itself], Vec::new()));
            }
            ArrayShape::Choice(..) => premises.extend(self.choices(term)?),
            ArrayShape::Equality(..) => {
                let sides = self.steps.ast.get(term).args.to_vec();
                let witness = definition.witness.ok_or_else(nested)?;
                let number = self.array(witness)?;
                let index = self.without_number(number);
                let element = self.signature_of(definition.sort)?.element;
                let ast = &mut self.steps.ast;
                let elements: Vec<NodeId> = sides
                    .iter()
                    .map(|&side| ast.node(Op::Other("select".into()), &[side, index], element))
                    .collect();
                let same = ast.formula(Op::Eq, &elements);
                let differ = ast.formula(Op::Not, &[same]);
                if self.pool.symbols_of(&[formula]).contains(&witness) {
                    premises.push(self.instance(EXTENSIONAL, vec![term, differ])?);
                    let link = self.link(same);
                    premises.extend(link.down?);
                    premises.extend(link.up?);
                    if self.steps.ast.get(number).op == Op::Ite {
                        premises.extend(self.truth_values(&[self.steps.ast.literal(node)], &[number, number])?);
                    }
                }
            }
            ArrayShape::Constant(_) | ArrayShape::Other => return Err(nested()),
        }
        let target = [self.steps.ast.literal(node)];
        self.steps.derive(&premises, &target)
    }

    fn constant_fact(
        &mut self,
        formula: TermId,
        (element, symbol, index): (TermId, Symbol, TermId),
        value: TermId,
    ) -> Result<StepId, Unsupported> {
        let sort = self.signature(symbol)?;
        let (array, at) = (self.array(symbol)?, self.value(index, sort.parameters[1])?);
        let read = self
            .steps
            .ast
            .node(Op::Other("select".into()), &[array, at], sort.result);
        let expected = self.value(value, sort.result)?;
        let equal = self.steps.ast.formula(Op::Eq, &[read, expected]);
        let mut premises = vec![self.instance(CONSTANT, vec![equal])?];
        let node = self.written(formula)?;
        let target = [self.steps.ast.literal(node)];
        premises.extend(self.value_facts(&target, equal, [element, value])?);
        self.steps.derive(&premises, &target)
    }

    /// The definitions of the connectives of a formula.
    fn all_definitions(&mut self, formula: NodeId) -> Result<Vec<StepId>, Unsupported> {
        let (mut open, mut found) = (vec![formula], Vec::new());
        while let Some(node) = open.pop() {
            found.extend(self.definitions(node)?);
            let ast = &self.steps.ast;
            let parts = ast.get(node).args.iter().copied();
            open.extend(parts.filter(|&part| ast.get(part).sort == AstSort::Bool));
        }
        Ok(found)
    }

    fn signature_of(&self, sort: usize) -> Result<ArraySort, Unsupported> {
        self.arrays.arrays.sorts.get(sort).cloned().flatten().ok_or_else(nested)
    }

    /// The value that an integer stands for.
    pub(super) fn without_number(&self, number: NodeId) -> NodeId {
        let node = self.steps.ast.get(number);
        if node.op == Op::Ite { node.args[0] } else { number }
    }

    // ---- lemmas ---------------------------------------------------------------------------------------------

    /// The meaning of an update at an index.
    pub(super) fn update(&mut self, clause: &[Literal], atom: TermId, at: TermId) -> Result<StepId, Unsupported> {
        let &Term::Update { new, old, lo, hi, .. } = self.pool.term(atom) else {
            return Err(Unsupported::new("internal: no update"));
        };
        let sort = self.signature(new)?;
        let (element, index_sort) = (sort.result, sort.parameters[1]);
        let (after, before) = (self.array(new)?, self.array(old)?);
        let index = self.value(at, index_sort)?;
        let elements = [new, old].map(|array| self.pool.app(array.name, array.index, &[at]));
        let select = |this: &mut Self, array: NodeId, index: NodeId| {
            this.steps
                .ast
                .node(Op::Other("select".into()), &[array, index], element)
        };
        let (read, read_before) = (select(self, after, index), select(self, before, index));
        let unchanged = self.steps.ast.formula(Op::Eq, &[read, read_before]);
        let mut premises = Vec::new();
        if lo == hi {
            let update = self.written(atom)?;
            premises.extend(self.all_definitions(update)?);
            let equal = self.steps.ast.formula(Op::Eq, &[after, before]);
            premises.extend(self.congruent_read([equal, unchanged], [index, index]));
            premises.extend(self.value_facts(clause, unchanged, elements)?);
            return self.steps.derive(&premises, clause);
        }
        let (Op::Other(_), &[_, place, value]) =
            (&self.steps.ast.get(after).op, &*self.steps.ast.get(after).args.clone())
        else {
            return Err(Unsupported::new("updates of functions"));
        };
        let here = self.steps.ast.formula(Op::Eq, &[place, index]);
        premises.push(self.instance(OTHER, vec![here, unchanged])?);
        premises.extend(self.value_facts(clause, unchanged, elements)?);
        // At the index that is written.
        let written = select(self, after, place);
        let stored = self.steps.ast.formula(Op::Eq, &[written, value]);
        premises.push(self.instance(SELECT, vec![stored])?);
        let mut found = stored;
        if place != index {
            premises.extend(self.index_facts(clause, here, [lo, at])?);
            let moved = self.steps.ast.formula(Op::Eq, &[written, read]);
            let itself = self.steps.ast.formula(Op::Eq, &[after, after]);
            premises.push(self.steps.axiom("eq_reflexive", vec![itself], Vec::new()));
            premises.extend(self.congruent_read([itself, moved], [place, index]));
            found = self.steps.ast.formula(Op::Eq, &[read, value]);
            let ast = &mut self.steps.ast;
            let terms = vec![ast.formula(Op::Not, &[moved]), ast.formula(Op::Not, &[stored]), found];
            premises.push(self.steps.axiom("eq_transitive", terms, Vec::new()));
            premises.extend(self.all_definitions(found)?);
        }
        if let Some(ArrayShape::Store(_, _, value)) = self.shape(new) {
            premises.extend(self.value_facts(clause, found, [elements[0], value])?);
        }
        self.steps.derive(&premises, clause)
    }

    fn shape(&self, symbol: Symbol) -> Option<ArrayShape> {
        let definitions = self.arrays.arrays.definitions.iter();
        definitions.rev().find(|d| d.symbol == symbol).map(|d| d.shape)
    }

    /// Equal arrays have equal elements at equal indices: the steps for an equation of arrays and one of their elements.
    fn congruent_read(&mut self, [arrays, elements]: [NodeId; 2], indices: [NodeId; 2]) -> Vec<StepId> {
        let ast = &mut self.steps.ast;
        let same = ast.formula(Op::Eq, &indices);
        let terms = vec![ast.formula(Op::Not, &[arrays]), ast.formula(Op::Not, &[same]), elements];
        let mut found = vec![self.steps.axiom("eq_congruent", terms, Vec::new())];
        if indices[0] == indices[1] {
            found.push(self.steps.axiom("eq_reflexive", vec![same], Vec::new()));
        }
        found
    }

    /// The literals of the clause follow from the equation of two values, which the solver knows as these integers.
    fn value_facts(
        &mut self,
        clause: &[Literal],
        equation: NodeId,
        integers: [TermId; 2],
    ) -> Result<Vec<StepId>, Unsupported> {
        let sides = self.steps.ast.get(equation).args.to_vec();
        let mut found = Vec::new();
        match self.steps.ast.get(sides[0]).sort {
            AstSort::Bool => {
                found.extend(self.all_definitions(equation)?);
                let numbers = [self.written(integers[0])?, self.written(integers[1])?];
                found.extend(self.truth_values(clause, &numbers)?);
            }
            sort if sort.is_number() => {
                let equal = !self.steps.ast.literal(equation);
                for &literal in clause {
                    found.extend(self.steps.arithmetic(&[equal, literal]));
                    found.extend(self.equation_by_order(literal, &[equal]));
                }
            }
            _ => {
                let exchanged = self.steps.ast.formula(Op::Eq, &[sides[1], sides[0]]);
                if exchanged != equation && clause.iter().any(|literal| literal.node == exchanged) {
                    found.extend(self.exchange(equation, exchanged)?);
                }
            }
        }
        Ok(found)
    }

    /// The value that the clause's negation gives to the equation of two indices, which the solver knows as these integers.
    fn index_facts(
        &mut self,
        clause: &[Literal],
        equation: NodeId,
        integers: [TermId; 2],
    ) -> Result<Vec<StepId>, Unsupported> {
        let mut found = self.value_facts(clause, equation, integers)?;
        let sides = self.steps.ast.get(equation).args.to_vec();
        if self.steps.ast.get(sides[0]).sort.is_number() {
            found.push(self.disequality(equation));
            found.extend(self.steps.arithmetic(&[!self.steps.ast.literal(equation)]));
            for (a, b) in [(0, 1), (1, 0)] {
                let order = self.steps.ast.formula(Op::Le, &[sides[a], sides[b]]);
                found.extend(self.implied_by_one(clause, self.steps.ast.literal(order)));
            }
        }
        Ok(found)
    }
}
