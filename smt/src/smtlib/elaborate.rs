//! From S-expressions to terms: sorts, scopes, and the operators of the Core and Ints theories.
//!
//! The term language knows formulas and integers only. The rest is mapped to them, and back in answers:
//!
//! * the elements of a declared sort are integers. Without quantifiers nothing can bound the size of a sort from above, so this
//!   loses no model and adds none;
//! * a predicate `p(x)` is the formula `p'(x) >= 1` for an integer function `p'`;
//! * a Boolean argument `b` of a function is the integer `ite(b, 1, 0)`;
//! * a macro is the term of its body over parameter variables, instantiated by substitution.
//!
//! The elaborator works off a stack of tasks and does not recurse.

use super::sexpr::{Error, Expr, Kind};
pub(super) use super::sorts::{SortMeaning, Sorts, Ty};
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::term::{NO_INDEX, Symbol, TermId, TermPool};
use std::sync::Arc;

/// A name of the script.
pub(super) type Name = Arc<str>;

/// A term and its sort in the script.
#[derive(Copy, Clone, Debug)]
pub(super) struct Typed {
    pub term: TermId,
    pub ty: Ty,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A declared function or, without parameters, constant.
    Declared {
        symbol: Symbol,
        parameters: Vec<Ty>,
        result: Ty,
    },
    /// A defined function: its body over the parameter variables.
    Macro { parameters: Vec<Typed>, body: Typed },
}

/// Everything declared in the script, by scope.
#[derive(Default)]
pub(super) struct Scope {
    /// The sorts of the script.
    pub sorts: Sorts,
    meanings: FxHashMap<Name, Meaning>,
    /// Declared names in order, functions and sorts, for undoing and for models.
    pub trail: Vec<Declaration>,
    /// Local names: variables bound by `let` and parameters.
    locals: FxHashMap<Name, Vec<Typed>>,
    /// How many terms carry a fresh internal name.
    fresh: u32,
}

/// An entry of the declaration trail.
#[derive(Clone, Debug)]
pub(super) enum Declaration {
    Function(Name),
    /// A term that has a name by `:named`.
    Label(Name),
    Sort(Name),
}

/// A step of the elaboration.
enum Task {
    /// Elaborate the node; one value is pushed.
    Eval(usize),
    /// Apply the head of the list to the values above this height.
    Apply(usize, usize),
    /// The values above this height are those of the bindings of this `let`.
    Bind(usize, usize),
    /// Forget the bindings of this `let`.
    Unbind(usize),
    /// The value on top is the annotated term of this `!`.
    Annotate(usize),
}

impl Scope {
    /// What a global name stands for.
    pub fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.meanings.get(name)
    }

    /// Declares a name.
    pub fn declare(&mut self, name: &str, meaning: Meaning) -> Result<(), String> {
        let name = self.insert(name, meaning)?;
        self.trail.push(Declaration::Function(name));
        Ok(())
    }

    /// Gives a term a name.
    fn label(&mut self, name: &str, body: Typed) -> Result<(), String> {
        let parameters = Vec::new();
        let name = self.insert(name, Meaning::Macro { parameters, body })?;
        self.trail.push(Declaration::Label(name));
        Ok(())
    }

    fn insert(&mut self, name: &str, meaning: Meaning) -> Result<Name, String> {
        if self.meanings.contains_key(name) || is_reserved(name) {
            return Err(format!("the name {name} is taken"));
        }
        let name = Name::from(name);
        self.meanings.insert(Name::clone(&name), meaning);
        Ok(name)
    }

    /// Declares a sort symbol.
    pub fn declare_sort(&mut self, name: &str, meaning: SortMeaning) -> Result<(), String> {
        let name = self.sorts.declare(name, meaning)?;
        self.trail.push(Declaration::Sort(name));
        Ok(())
    }

    /// Undoes all declarations but the first `length`.
    pub fn undo_to(&mut self, length: usize) {
        for declaration in self.trail.drain(length..) {
            match declaration {
                Declaration::Function(name) | Declaration::Label(name) => drop(self.meanings.remove(&name)),
                Declaration::Sort(name) => self.sorts.remove(&name),
            }
        }
    }

    /// The text of a sort.
    pub fn sort_text(&self, ty: Ty) -> String {
        self.sorts.text(ty)
    }

    /// Reads a sort.
    pub fn sort(&mut self, expr: &Expr<'_>, node: usize) -> Result<Ty, Error> {
        self.sorts.read(expr, node)
    }

    /// A symbol that no script can write.
    pub fn fresh_symbol(&mut self, pool: &mut TermPool, purpose: &str) -> Symbol {
        self.fresh += 1;
        Symbol {
            name: pool.symbol(&format!(".{purpose}|{}", self.fresh)),
            index: NO_INDEX,
        }
    }

    /// A variable term of a sort.
    pub fn variable(&mut self, pool: &mut TermPool, symbol: Symbol, ty: Ty) -> Typed {
        let term = match ty {
            Ty::Bool => pool.bool_var(symbol.name, symbol.index),
            Ty::Int | Ty::Named(_) => pool.int_var(symbol.name, symbol.index),
        };
        Typed { term, ty }
    }

    /// Makes a name local until [`Scope::unbind_local`].
    pub fn bind_local(&mut self, name: &str, value: Typed) {
        match self.locals.get_mut(name) {
            Some(stack) => stack.push(value),
            None => drop(self.locals.insert(name.into(), vec![value])),
        }
    }

    /// Forgets the innermost binding of a local name.
    pub fn unbind_local(&mut self, name: &str) {
        self.locals.get_mut(name).expect("bindings are undone in order").pop();
    }

    /// Elaborates a term of a given sort.
    pub fn term_of(&mut self, pool: &mut TermPool, expr: &Expr<'_>, node: usize, ty: Ty) -> Result<TermId, Error> {
        let value = self.term(pool, expr, node)?;
        self.expect(expr, node, value, ty)
    }

    fn expect(&self, expr: &Expr<'_>, node: usize, value: Typed, ty: Ty) -> Result<TermId, Error> {
        if value.ty == ty {
            return Ok(value.term);
        }
        let (found, wanted) = (self.sort_text(value.ty), self.sort_text(ty));
        Err(expr.error(node, format!("this term has sort {found}, but {wanted} is needed")))
    }

    /// Elaborates a term. Local names are those bound before.
    pub fn term(&mut self, pool: &mut TermPool, expr: &Expr<'_>, node: usize) -> Result<Typed, Error> {
        let mut tasks = vec![Task::Eval(node)];
        let mut values: Vec<Typed> = Vec::new();
        let result = loop {
            let Some(task) = tasks.pop() else {
                break Ok(values.pop().expect("each term has a value"));
            };
            if let Err(error) = self.step(pool, expr, task, &mut tasks, &mut values) {
                break Err(error);
            }
        };
        if result.is_err() {
            for task in tasks {
                if let Task::Unbind(node) = task {
                    self.unbind(expr, node);
                }
            }
        }
        result
    }

    fn step(
        &mut self,
        pool: &mut TermPool,
        expr: &Expr<'_>,
        task: Task,
        tasks: &mut Vec<Task>,
        values: &mut Vec<Typed>,
    ) -> Result<(), Error> {
        match task {
            Task::Eval(node) if expr.kind(node) != Kind::List => values.push(self.leaf(pool, expr, node)?),
            Task::Eval(node) => self.open(expr, node, tasks, values.len())?,
            Task::Apply(node, height) => {
                let arguments = values.split_off(height);
                values.push(self.apply(pool, expr, node, &arguments)?);
            }
            Task::Bind(node, height) => {
                for (binding, value) in bindings(expr, node).into_iter().zip(values.drain(height..)) {
                    self.bind_local(binding.0, value);
                }
                tasks.push(Task::Unbind(node));
                let body = expr.children(node).nth(2).expect("the form of a let was checked");
                tasks.push(Task::Eval(body));
            }
            Task::Unbind(node) => self.unbind(expr, node),
            Task::Annotate(node) => {
                let value = *values.last().expect("the annotated term has a value");
                if let Some((name, at)) = annotated_name(expr, node)? {
                    self.label(name, value).map_err(|message| expr.error(at, message))?;
                }
            }
        }
        Ok(())
    }

    fn unbind(&mut self, expr: &Expr<'_>, node: usize) {
        for (name, _) in bindings(expr, node) {
            self.unbind_local(name);
        }
    }

    /// Schedules the parts of a compound term.
    fn open(&self, expr: &Expr<'_>, node: usize, tasks: &mut Vec<Task>, height: usize) -> Result<(), Error> {
        let mut children = expr.children(node);
        let Some(head) = children.next() else {
            return Err(expr.error(node, "a term cannot be empty"));
        };
        match expr.symbol(head) {
            Some("let") => {
                check_let(expr, node)?;
                tasks.push(Task::Bind(node, height));
                tasks.extend(
                    bindings(expr, node)
                        .into_iter()
                        .rev()
                        .map(|(_, value)| Task::Eval(value)),
                );
            }
            Some("!") => {
                let term = children
                    .next()
                    .ok_or_else(|| expr.error(node, "an annotation needs a term"))?;
                tasks.push(Task::Annotate(node));
                tasks.push(Task::Eval(term));
            }
            Some(quantifier @ ("forall" | "exists" | "match")) => {
                return Err(expr.error(
                    node,
                    format!("{quantifier} is not supported: formulas are quantifier-free"),
                ));
            }
            _ => {
                tasks.push(Task::Apply(node, height));
                let first = tasks.len();
                tasks.extend(children.map(Task::Eval));
                tasks[first..].reverse();
            }
        }
        Ok(())
    }

    fn leaf(&self, pool: &mut TermPool, expr: &Expr<'_>, node: usize) -> Result<Typed, Error> {
        let source = expr.source(node);
        match expr.kind(node) {
            Kind::Numeral => {
                let value: Int = source.parse().map_err(|e| expr.error(node, format!("{e}")))?;
                Ok(Typed {
                    term: pool.int(value),
                    ty: Ty::Int,
                })
            }
            Kind::Symbol => {
                let name = expr.symbol(node).expect("a symbol has a name");
                self.constant(pool, name)
                    .ok_or_else(|| expr.error(node, format!("{source} is not declared as a constant")))
            }
            Kind::Decimal => Err(expr.error(node, "reals are not supported")),
            Kind::Bits => Err(expr.error(node, "bit vectors are not supported")),
            Kind::Text => Err(expr.error(node, "strings are not supported")),
            Kind::Keyword | Kind::List => Err(expr.error(node, "expected a term")),
        }
    }

    fn constant(&self, pool: &mut TermPool, name: &str) -> Option<Typed> {
        if let Some(&value) = self.locals.get(name).and_then(|stack| stack.last()) {
            return Some(value);
        }
        match (self.meanings.get(name), name) {
            (
                Some(Meaning::Declared {
                    symbol,
                    parameters,
                    result,
                }),
                _,
            ) if parameters.is_empty() => {
                let term = match result {
                    Ty::Bool => pool.bool_var(symbol.name, symbol.index),
                    Ty::Int | Ty::Named(_) => pool.int_var(symbol.name, symbol.index),
                };
                Some(Typed { term, ty: *result })
            }
            (Some(Meaning::Macro { parameters, body }), _) if parameters.is_empty() => Some(*body),
            (None, "true") => Some(Typed {
                term: pool.mk_true(),
                ty: Ty::Bool,
            }),
            (None, "false") => Some(Typed {
                term: pool.mk_false(),
                ty: Ty::Bool,
            }),
            _ => None,
        }
    }

    fn apply(&self, pool: &mut TermPool, expr: &Expr<'_>, node: usize, values: &[Typed]) -> Result<Typed, Error> {
        let nodes: Vec<usize> = expr.children(node).collect();
        let (head, arguments) = (
            nodes[0],
            Arguments {
                scope: self,
                expr,
                node,
                nodes: &nodes[1..],
                values,
            },
        );
        match expr.symbol(head) {
            Some(name) => match self.meanings.get(name) {
                Some(Meaning::Declared {
                    symbol,
                    parameters,
                    result,
                }) => {
                    arguments.check_sorts(parameters.iter().copied())?;
                    Ok(Typed {
                        term: call(pool, *symbol, *result, values),
                        ty: *result,
                    })
                }
                Some(Meaning::Macro { parameters, body }) => {
                    arguments.check_sorts(parameters.iter().map(|p| p.ty))?;
                    let replaced = parameters.iter().zip(values).map(|(p, v)| (p.term, v.term)).collect();
                    Ok(Typed {
                        term: pool.substitute(body.term, &replaced),
                        ty: body.ty,
                    })
                }
                None => arguments.operator(pool, name),
            },
            None => {
                let parts = expr.list(head);
                match &parts[..] {
                    [underscore, divisible, number]
                        if expr.symbol(*underscore) == Some("_") && expr.symbol(*divisible) == Some("divisible") =>
                    {
                        let divisor: Int = expr.source(*number).parse().unwrap_or_default();
                        if !divisor.is_positive() {
                            return Err(expr.error(*number, "divisible needs a positive numeral"));
                        }
                        arguments.check_sorts([Ty::Int])?;
                        let remainder = pool.mod_floor(values[0].term, &divisor);
                        Ok(Typed {
                            term: pool.eq_zero(remainder),
                            ty: Ty::Bool,
                        })
                    }
                    _ => Err(expr.error(head, format!("{} is not supported", expr.source(head)))),
                }
            }
        }
    }
}

/// The application of a declared function.
fn call(pool: &mut TermPool, symbol: Symbol, result: Ty, values: &[Typed]) -> TermId {
    let (zero, one) = (pool.int(0), pool.int(1));
    let arguments: Vec<TermId> = values
        .iter()
        .map(|value| {
            if value.ty == Ty::Bool {
                pool.ite(value.term, one, zero)
            } else {
                value.term
            }
        })
        .collect();
    let application = pool.app(symbol.name, symbol.index, &arguments);
    if result == Ty::Bool {
        pool.ge(application, one)
    } else {
        application
    }
}

/// The names and value nodes of a `let` whose form was checked.
fn bindings<'a>(expr: &Expr<'a>, node: usize) -> Vec<(&'a str, usize)> {
    let list = expr.children(node).nth(1).expect("the form of a let was checked");
    let pair = |binding: usize| {
        let parts = expr.list(binding);
        (expr.symbol(parts[0]).expect("the form of a let was checked"), parts[1])
    };
    expr.children(list).map(pair).collect()
}

fn check_let(expr: &Expr<'_>, node: usize) -> Result<(), Error> {
    let form = "expected (let ((name term) ...) term)";
    let parts = expr.list(node);
    if parts.len() != 3 || expr.kind(parts[1]) != Kind::List {
        return Err(expr.error(node, form));
    }
    for binding in expr.children(parts[1]) {
        let pair = expr.list(binding);
        if pair.len() != 2 || expr.symbol(pair[0]).is_none() {
            return Err(expr.error(binding, form));
        }
    }
    Ok(())
}

/// The name that the annotations of `(! term :named name)` give, and its node.
pub(super) fn annotated_name<'a>(expr: &Expr<'a>, node: usize) -> Result<Option<(&'a str, usize)>, Error> {
    let mut found = None;
    let mut parts = expr.children(node).skip(2).peekable();
    while let Some(part) = parts.next() {
        if expr.kind(part) != Kind::Keyword {
            return Err(expr.error(part, "expected an attribute, as :named"));
        }
        let value = parts.next_if(|&value| expr.kind(value) != Kind::Keyword);
        if expr.source(part) == ":named" {
            let name = value.and_then(|value| Some((expr.symbol(value)?, value)));
            found = Some(name.ok_or_else(|| expr.error(part, ":named needs a symbol"))?);
        }
    }
    Ok(found)
}

/// Whether the name is reserved or an operator of the Core theory, which no script may redeclare. The names of the Ints theory are
/// free in logics without integers; a script's own declaration hides the operator.
fn is_reserved(name: &str) -> bool {
    const RESERVED: [&str; 16] = [
        "true", "false", "not", "=>", "and", "or", "xor", "=", "distinct", "ite", "let", "!", "_", "as", "forall",
        "exists",
    ];
    RESERVED.contains(&name)
}

/// The arguments of an operator with what is needed to complain about them.
struct Arguments<'s> {
    scope: &'s Scope,
    expr: &'s Expr<'s>,
    node: usize,
    nodes: &'s [usize],
    values: &'s [Typed],
}

impl Arguments<'_> {
    fn check_sorts(&self, sorts: impl IntoIterator<Item = Ty, IntoIter: ExactSizeIterator>) -> Result<(), Error> {
        let sorts = sorts.into_iter();
        if sorts.len() != self.values.len() {
            let message = format!("expected {} arguments, found {}", sorts.len(), self.values.len());
            return Err(self.expr.error(self.node, message));
        }
        for ((sort, &value), &node) in sorts.zip(self.values).zip(self.nodes) {
            self.scope.expect(self.expr, node, value, sort)?;
        }
        Ok(())
    }

    /// The terms, which must all have the sort, and be at least `least` many.
    fn all(&self, ty: Ty, least: usize) -> Result<Vec<TermId>, Error> {
        if self.values.len() < least {
            let message = format!("expected at least {least} arguments, found {}", self.values.len());
            return Err(self.expr.error(self.node, message));
        }
        let terms = self.values.iter().zip(self.nodes);
        terms
            .map(|(&value, &node)| self.scope.expect(self.expr, node, value, ty))
            .collect()
    }

    fn operator(&self, pool: &mut TermPool, name: &str) -> Result<Typed, Error> {
        let truth = |term| Ok(Typed { term, ty: Ty::Bool });
        let number = |term| Ok(Typed { term, ty: Ty::Int });
        match name {
            "not" => {
                self.check_sorts([Ty::Bool])?;
                truth(pool.not(self.values[0].term))
            }
            "and" => truth(pool.and(&self.all(Ty::Bool, 0)?)),
            "or" => truth(pool.or(&self.all(Ty::Bool, 0)?)),
            "=>" => {
                let mut formulas = self.all(Ty::Bool, 1)?;
                let last = formulas.len() - 1;
                for formula in &mut formulas[..last] {
                    *formula = pool.not(*formula);
                }
                truth(pool.or(&formulas))
            }
            "xor" => {
                let formulas = self.all(Ty::Bool, 1)?;
                let rest = formulas[1..].iter();
                truth(rest.fold(formulas[0], |left, &right| pool.ne(left, right)))
            }
            "=" | "distinct" => truth(self.equality(pool, name == "distinct")?),
            "ite" => self.if_then_else(pool),
            "<=" => truth(self.chain(pool, TermPool::le)?),
            "<" => truth(self.chain(pool, TermPool::lt)?),
            ">=" => truth(self.chain(pool, TermPool::ge)?),
            ">" => truth(self.chain(pool, TermPool::gt)?),
            "+" => number(pool.sum(&self.all(Ty::Int, 1)?)),
            "-" => {
                let terms = self.all(Ty::Int, 1)?;
                number(match terms[..] {
                    [single] => pool.neg(single),
                    _ => {
                        let rest = pool.sum(&terms[1..]);
                        pool.sub(terms[0], rest)
                    }
                })
            }
            "*" => number(self.product(pool)?),
            "div" | "mod" => number(self.division(pool, name == "mod")?),
            "abs" => {
                self.check_sorts([Ty::Int])?;
                let (term, zero) = (self.values[0].term, pool.int(0));
                let (negative, negated) = (pool.lt(term, zero), pool.neg(term));
                number(pool.ite(negative, negated, term))
            }
            _ => Err(self.expr.error(
                self.node,
                format!("the function {name} is not supported or not declared"),
            )),
        }
    }

    fn equality(&self, pool: &mut TermPool, distinct: bool) -> Result<TermId, Error> {
        let ty = self.values.first().map_or(Ty::Bool, |value| value.ty);
        let terms = self.all(ty, 1)?;
        let parts: Vec<TermId> = if distinct {
            let later = |i: usize| terms[i + 1..].iter().copied();
            let pairs: Vec<_> = (0..terms.len())
                .flat_map(|i| later(i).map(move |right| (i, right)))
                .collect();
            pairs
                .into_iter()
                .map(|(left, right)| pool.ne(terms[left], right))
                .collect()
        } else {
            terms.windows(2).map(|pair| pool.eq(pair[0], pair[1])).collect()
        };
        Ok(pool.and(&parts))
    }

    fn chain(
        &self,
        pool: &mut TermPool,
        relation: fn(&mut TermPool, TermId, TermId) -> TermId,
    ) -> Result<TermId, Error> {
        let terms = self.all(Ty::Int, 1)?;
        let parts: Vec<TermId> = terms.windows(2).map(|pair| relation(pool, pair[0], pair[1])).collect();
        Ok(pool.and(&parts))
    }

    fn if_then_else(&self, pool: &mut TermPool) -> Result<Typed, Error> {
        let ty = self.values.get(1).map_or(Ty::Bool, |value| value.ty);
        self.check_sorts([Ty::Bool, ty, ty])?;
        let [condition, yes, no] = [0, 1, 2].map(|i| self.values[i].term);
        Ok(Typed {
            term: pool.ite(condition, yes, no),
            ty,
        })
    }

    fn product(&self, pool: &mut TermPool) -> Result<TermId, Error> {
        let terms = self.all(Ty::Int, 1)?;
        let mut factor = Int::ONE;
        let mut variable = None;
        for (&term, &node) in terms.iter().zip(self.nodes) {
            match pool.as_const(term) {
                Some(value) => factor *= value,
                None if variable.is_none() => variable = Some(term),
                None => return Err(self.expr.error(node, "a product of two unknowns is not linear")),
            }
        }
        Ok(match variable {
            Some(term) => pool.scale(&factor, term),
            None => pool.int(factor),
        })
    }

    /// Division as SMT-LIB has it: the remainder is never negative. Division by zero is some function of the dividend.
    fn division(&self, pool: &mut TermPool, remainder: bool) -> Result<TermId, Error> {
        if remainder {
            self.check_sorts([Ty::Int, Ty::Int])?;
        }
        let terms = self.all(Ty::Int, 2)?;
        let mut left = terms[0];
        for (&right, &node) in terms[1..].iter().zip(&self.nodes[1..]) {
            let Some(divisor) = pool.as_const(right).cloned() else {
                return Err(self.expr.error(node, "division by an unknown is not linear"));
            };
            left = if divisor.is_zero() {
                let function = pool.symbol(if remainder { "mod0" } else { "div0" });
                // Index 0 keeps the function apart from a script's own symbols, which have no index.
                pool.app(function, 0, &[left])
            } else if remainder {
                pool.mod_floor(left, &divisor.abs())
            } else {
                let quotient = pool.div_floor(left, &divisor.abs());
                if divisor.is_negative() {
                    pool.neg(quotient)
                } else {
                    quotient
                }
            };
        }
        Ok(left)
    }
}
