//! From S-expressions to terms: sorts, scopes and names. The operators are in the sibling `operators`.
//!
//! The term language knows formulas and numbers only. The rest is mapped to them, and back in answers:
//!
//! * the elements of a declared sort are integers. Without quantifiers nothing can bound the size of a sort from above, so this
//!   loses no model and adds none;
//! * a predicate `p(x)` is the formula `p'(x) >= 1` for a function `p'` to numbers;
//! * a function from reals to integers is the integer part of a function to reals;
//! * a Boolean argument `b` of a function is the integer `ite(b, 1, 0)`;
//! * an array is a function (see the sibling `arrays`);
//! * a bit-vector is a number that wraps around (see the sibling `bitvectors`);
//! * a macro is the term of its body over parameter variables, instantiated by substitution.
//!
//! The elaborator works off a stack of tasks and does not recurse.

use super::bitvectors;
use super::operators::Arguments;
use super::scope::{Meaning, Scope, Typed, annotated_name};
use super::sexpr::{Error, Expr, Kind};
pub(super) use super::sorts::{SortMeaning, Ty};
use crate::num::{Int, Rational};
use crate::term::{Symbol, TermId, TermPool};

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
    /// Check the sort that `as` says of the last value.
    Ascribe(usize),
}

impl Scope {
    /// A variable term of a sort, for what has a value of the sort: a bit-vector is in range.
    pub fn variable(&mut self, pool: &mut TermPool, symbol: Symbol, ty: Ty) -> Typed {
        Typed {
            term: variable_term(pool, symbol, ty),
            ty,
        }
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

    pub fn expect(&self, expr: &Expr<'_>, node: usize, value: Typed, ty: Ty) -> Result<TermId, Error> {
        if value.ty == ty || (value.ty, ty) == (Ty::Int, Ty::Real) {
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
            Task::Eval(node) if expr.kind(node) != Kind::List || bitvectors::indexed(expr, node).is_some() => {
                values.push(self.leaf(pool, expr, node)?)
            }
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
            Task::Ascribe(node) => {
                let [_, sort] = qualified(expr, node)?.expect("it begins with `as`");
                let value = *values.last().expect("the term has a value");
                self.ascribe(expr, node, sort, value)?;
            }
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
            Some("as") => {
                let [name, _] = qualified(expr, node)?.expect("it begins with `as`");
                tasks.push(Task::Ascribe(node));
                tasks.push(Task::Eval(name));
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
                    .or_else(|| negative_number(pool, name))
                    .ok_or_else(|| expr.error(node, format!("{source} is not declared as a constant")))
            }
            Kind::Decimal => {
                let value =
                    Rational::from_decimal(source).ok_or_else(|| expr.error(node, "expected a decimal number"))?;
                Ok(Typed {
                    term: pool.rational(&value),
                    ty: Ty::Real,
                })
            }
            Kind::Bits | Kind::List => bitvectors::literal(pool, expr, node)
                .ok_or_else(|| expr.error(node, format!("{source} is no value of a supported sort"))),
            Kind::Text => Err(expr.error(node, "strings are not supported")),
            Kind::Keyword => Err(expr.error(node, "expected a term")),
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
                let mut term = variable_term(pool, *symbol, *result);
                if let Ty::Bits(width) = *result {
                    term = bitvectors::wrapped(pool, term, width);
                }
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

    /// The value of an application. A head `(as f S)` says the sort of the value as well.
    fn apply(&mut self, pool: &mut TermPool, expr: &Expr<'_>, node: usize, values: &[Typed]) -> Result<Typed, Error> {
        let mut nodes: Vec<usize> = expr.children(node).collect();
        let Some([name, sort]) = qualified(expr, nodes[0])? else {
            return self.apply_plain(pool, expr, node, &nodes, values);
        };
        if expr.symbol(name) == Some("const") && !self.meanings.contains_key("const") {
            return self.constant_array(pool, expr, node, sort, values);
        }
        nodes[0] = name;
        let value = self.apply_plain(pool, expr, node, &nodes, values)?;
        self.ascribe(expr, node, sort, value)?;
        Ok(value)
    }

    /// Checks that a term has the sort that `as` says.
    fn ascribe(&mut self, expr: &Expr<'_>, node: usize, sort: usize, value: Typed) -> Result<(), Error> {
        let ty = self.sort(expr, sort)?;
        if value.ty == ty {
            return Ok(());
        }
        let (found, wanted) = (self.sort_text(value.ty), self.sort_text(ty));
        Err(expr.error(node, format!("this term has sort {found}, not {wanted}")))
    }

    fn apply_plain(
        &mut self,
        pool: &mut TermPool,
        expr: &Expr<'_>,
        node: usize,
        nodes: &[usize],
        values: &[Typed],
    ) -> Result<Typed, Error> {
        if let Some(name) = expr.symbol(nodes[0])
            && !self.meanings.contains_key(name)
            && let Some(applied) = self.array_operator(pool, expr, node, name, values)
        {
            return applied;
        }
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
                    let term = super::operators::call(pool, *symbol, parameters, *result, values);
                    Ok(match *result {
                        Ty::Array(sort) => self.named_array(pool, term, sort),
                        ty => Typed { term, ty },
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
                Some(Meaning::Expanded(expansion)) => {
                    arguments.check_sorts(expansion.parameters.iter().map(|p| p.1))?;
                    let expansion = expansion.clone();
                    self.expand(pool, expr, node, &expansion, values)
                }
                None => arguments.operator(pool, name),
            },
            None => {
                if let Some((name, indices)) = bitvectors::indexed(expr, head)
                    && let Some(applied) = arguments.vector_operator_at(pool, name, &indices)
                {
                    return applied;
                }
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

/// The name and the sort of `(as NAME SORT)`; `None` for other terms.
fn qualified(expr: &Expr<'_>, node: usize) -> Result<Option<[usize; 2]>, Error> {
    let mut children = expr.children(node);
    if expr.kind(node) != Kind::List || children.next().and_then(|head| expr.symbol(head)) != Some("as") {
        return Ok(None);
    }
    match (children.next(), children.next(), children.next()) {
        (Some(name), Some(sort), None) if expr.symbol(name).is_some() => Ok(Some([name, sort])),
        _ => Err(expr.error(node, "expected (as NAME SORT)")),
    }
}

/// The variable of a sort.
fn variable_term(pool: &mut TermPool, symbol: Symbol, ty: Ty) -> TermId {
    match ty {
        Ty::Bool => pool.bool_var(symbol.name, symbol.index),
        Ty::Int | Ty::Named(_) | Ty::Array(_) | Ty::Bits(_) => pool.int_var(symbol.name, symbol.index),
        Ty::Real => pool.real_var(symbol.name, symbol.index),
    }
}

/// A number with its sign, as `-5`, which many scripts have: to the standard it is a symbol, and here one that is not declared.
fn negative_number(pool: &mut TermPool, name: &str) -> Option<Typed> {
    let digits = name.strip_prefix('-')?;
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit());
    let (value, ty) = match digits.parse::<Int>() {
        Ok(value) if is_number => (Rational::from(value), Ty::Int),
        _ => (Rational::from_decimal(digits).filter(|_| is_number)?, Ty::Real),
    };
    Some(Typed {
        term: pool.rational(&-value),
        ty,
    })
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
