//! Between written terms and the solver's normal forms, in both directions.

use super::ast::{AstSort, NodeId, Op};
use super::{Exporter, Signature, Unsupported};
use crate::num::Int;
use crate::term::{NO_INDEX, Sort, Symbol, Term, TermId};

impl Exporter<'_> {
    // ---- from the pool to text ------------------------------------------------------------------------------

    /// The term as it is written in the proof.
    pub(super) fn written(&mut self, root: TermId) -> Result<NodeId, Unsupported> {
        if !self.written.contains_key(&root) {
            for term in self.pool.sub_terms(&[root]) {
                if !self.written.contains_key(&term) {
                    let node = self.write(term);
                    self.written.insert(term, node);
                }
            }
        }
        self.written[&root].clone()
    }

    fn write(&mut self, id: TermId) -> Result<NodeId, Unsupported> {
        let term = self.pool.term(id).clone();
        if let Term::BoolVar(symbol) | Term::IntVar(symbol) = term
            && let Some(found) = self.array_term(symbol)
        {
            return found;
        }
        let ast = &mut self.steps.ast;
        Ok(match term {
            Term::True => ast.formula(Op::True, &[]),
            Term::False => ast.formula(Op::False, &[]),
            Term::BoolVar(symbol) => {
                self.known(symbol)?;
                self.steps.ast.formula(Op::Symbol(symbol), &[])
            }
            Term::Not(inner) => {
                let inner = self.written(inner)?;
                self.steps.ast.formula(Op::Not, &[inner])
            }
            Term::And(list) => self.call(Op::And, &list, AstSort::Bool)?,
            Term::Or(list) => self.call(Op::Or, &list, AstSort::Bool)?,
            Term::Iff(a, b) => self.call(Op::Eq, &[a, b], AstSort::Bool)?,
            Term::IteBool(a, b, c) => self.call(Op::Ite, &[a, b, c], AstSort::Bool)?,
            Term::Le(sum) | Term::Lt(sum) => {
                let op = if matches!(term, Term::Le(_)) { Op::Le } else { Op::Lt };
                let (left, right) = self.sides(sum)?;
                self.steps.ast.formula(op, &[left, right])
            }
            Term::Eq(sum) => match self.declared_pair(sum)? {
                Some((a, b)) => self.steps.ast.formula(Op::Eq, &[a, b]),
                None => {
                    let (left, right) = self.sides(sum)?;
                    self.steps.ast.formula(Op::Eq, &[left, right])
                }
            },
            Term::IntVar(symbol) | Term::RealVar(symbol) => {
                let sort = self.known(symbol)?;
                self.steps.ast.node(Op::Symbol(symbol), &[], sort)
            }
            Term::App(symbol, arguments) | Term::RealApp(symbol, arguments) => {
                self.write_application(symbol, &arguments)?
            }
            Term::Const(value) => ast.number(&value),
            Term::Sum(..) => {
                let (mut parts, constant, sort) = self.monomials(id)?;
                if !constant.is_zero() {
                    parts.push(self.steps.ast.number_of(&constant, sort));
                }
                self.sum(&parts, sort)
            }
            Term::Ratio(inner, divisor) => {
                let inner = self.written_as(inner, AstSort::Real)?;
                let ast = &mut self.steps.ast;
                let divisor = ast.real_number(&divisor);
                ast.node(Op::Divide, &[inner, divisor], AstSort::Real)
            }
            Term::Div(inner, _) if self.pool.is_real(inner) => return Err(Unsupported::new("to_int")),
            Term::Div(inner, divisor) => {
                let inner = self.written(inner)?;
                let ast = &mut self.steps.ast;
                let divisor = ast.number(&divisor);
                ast.node(Op::Other("div".into()), &[inner, divisor], AstSort::Int)
            }
            Term::Ite(condition, yes, no) => {
                let sort = match self.pool.is_real(id) {
                    true => AstSort::Real,
                    false => self.written(yes).map(|yes| self.steps.ast.get(yes).sort)?,
                };
                let condition = self.written(condition)?;
                let (yes, no) = (self.written_as(yes, sort)?, self.written_as(no, sort)?);
                self.steps.ast.node(Op::Ite, &[condition, yes, no], sort)
            }
            update => self.write_update(&update)?,
        })
    }

    /// The term as it is written where a term of this sort is needed: numbers have a point among reals.
    pub(super) fn written_as(&mut self, term: TermId, sort: AstSort) -> Result<NodeId, Unsupported> {
        match (self.pool.as_const(term).cloned(), sort) {
            (Some(value), AstSort::Real) => Ok(self.steps.ast.real_number(&value)),
            _ => {
                let node = self.written(term)?;
                if sort == AstSort::Real && self.steps.ast.get(node).sort != AstSort::Real {
                    return Err(Unsupported::new("integers among reals"));
                }
                Ok(node)
            }
        }
    }

    fn call(&mut self, op: Op, arguments: &[TermId], sort: AstSort) -> Result<NodeId, Unsupported> {
        let nodes = arguments
            .iter()
            .map(|&a| self.written(a))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(self.steps.ast.node(op, &nodes, sort))
    }

    /// The sort of a constant of the script.
    pub(super) fn known(&self, symbol: Symbol) -> Result<AstSort, Unsupported> {
        match self.signatures.get(&symbol) {
            Some(signature) if symbol.index == NO_INDEX => Ok(signature.result),
            _ => Err(Unsupported::new(
                "division by zero, functions that the script did not declare",
            )),
        }
    }

    /// An application. A predicate is an integer function in the pool, and `(ite (p x) 1 0)` in the text.
    fn write_application(&mut self, symbol: Symbol, arguments: &[TermId]) -> Result<NodeId, Unsupported> {
        let Signature { parameters, result } = self.signature(symbol)?;
        let is_real = parameters.contains(&AstSort::Real) || result == AstSort::Real;
        if is_real && !matches!(result, AstSort::Real | AstSort::Bool) {
            return Err(Unsupported::new("functions from reals to other sorts"));
        }
        let mut nodes = Vec::new();
        let array = self.array_term(symbol);
        let head = match array {
            Some(array) => {
                nodes.push(array?);
                Op::Other("select".into())
            }
            None => Op::Symbol(symbol),
        };
        let first = nodes.len();
        for (&argument, &sort) in arguments.iter().zip(&parameters[first..]) {
            nodes.push(match sort {
                AstSort::Bool => self.truth_argument(argument)?,
                sort => self.written_as(argument, sort)?,
            });
        }
        let ast = &mut self.steps.ast;
        let application = ast.node(head, &nodes, result);
        if result != AstSort::Bool {
            return Ok(application);
        }
        // As a number, a predicate of reals is a real.
        let sort = if is_real { AstSort::Real } else { AstSort::Int };
        let (one, zero) = (ast.number_of(&Int::ONE, sort), ast.number_of(&Int::ZERO, sort));
        Ok(ast.node(Op::Ite, &[application, one, zero], sort))
    }

    /// The formula that the integer argument of a Boolean parameter stands for.
    pub(super) fn truth_argument(&mut self, argument: TermId) -> Result<NodeId, Unsupported> {
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        match *self.pool.term(argument) {
            Term::Ite(condition, yes, no) if (yes, no) == (one, zero) => self.written(condition),
            Term::Ite(condition, yes, no) if (yes, no) == (zero, one) => {
                let negated = self.pool.not(condition);
                self.written(negated)
            }
            Term::IntVar(symbol) if let Some(witness) = self.array_term(symbol) => Ok(self.without_number(witness?)),
            _ if argument == one => Ok(self.steps.ast.formula(Op::True, &[])),
            _ if argument == zero => Ok(self.steps.ast.formula(Op::False, &[])),
            _ => Err(Unsupported::new("a Boolean argument in an unusual form")),
        }
    }

    fn sum(&mut self, parts: &[NodeId], sort: AstSort) -> NodeId {
        match parts {
            [single] => *single,
            _ => self.steps.ast.node(Op::Add, parts, sort),
        }
    }

    /// The monomials of a sum, its constant, and the sort of all of them.
    fn monomials(&mut self, sum: TermId) -> Result<(Vec<NodeId>, Int, AstSort), Unsupported> {
        let sort = if self.pool.is_real(sum) {
            AstSort::Real
        } else {
            AstSort::Int
        };
        let mut list = Vec::new();
        let constant = self
            .pool
            .for_each_monomial(sum, |factor, term| list.push((factor.clone(), term)));
        let mut nodes = Vec::new();
        for (factor, term) in list {
            let node = self.written(term)?;
            let ast = &mut self.steps.ast;
            match ast.get(node).sort {
                found if found == sort => {}
                AstSort::Int | AstSort::Real => return Err(Unsupported::new("integers among reals")),
                _ => return Err(Unsupported::new("an order among the elements of a declared sort")),
            }
            nodes.push(if factor.is_one() {
                node
            } else {
                let factor = ast.number_of(&factor, sort);
                ast.node(Op::Mul, &[factor, node], sort)
            });
        }
        Ok((nodes, constant, sort))
    }

    /// `sum REL 0` as two sides: the monomials, and what the constant is on the right.
    fn sides(&mut self, sum: TermId) -> Result<(NodeId, NodeId), Unsupported> {
        let (nodes, constant, sort) = self.monomials(sum)?;
        let left = self.sum(&nodes, sort);
        Ok((left, self.steps.ast.number_of(&-constant, sort)))
    }

    /// The two elements of a declared sort whose difference the sum is, if it is that.
    fn declared_pair(&mut self, sum: TermId) -> Result<Option<(NodeId, NodeId)>, Unsupported> {
        let mut list = Vec::new();
        let constant = self
            .pool
            .for_each_monomial(sum, |factor, term| list.push((factor.clone(), term)));
        let [(plus, a), (minus, b)] = &list[..] else {
            return Ok(None);
        };
        if !constant.is_zero() || !plus.is_one() || *minus != Int::MINUS_ONE {
            return Ok(None);
        }
        let (a, b) = (self.written(*a)?, self.written(*b)?);
        let declared = matches!(self.steps.ast.get(a).sort, AstSort::Declared(_));
        Ok(declared.then_some((a, b)))
    }

    // ---- from text to the pool ------------------------------------------------------------------------------

    /// The normal form of a written term of the script.
    pub(super) fn normal(&mut self, root: NodeId) -> Result<TermId, Unsupported> {
        if !self.normals.contains_key(&root) {
            for node in self.steps.ast.below(&[root]) {
                if !self.normals.contains_key(&node) {
                    let term = self.normalise(node);
                    self.normals.insert(node, term);
                }
            }
        }
        self.normals[&root].clone()
    }

    fn normalise(&mut self, id: NodeId) -> Result<TermId, Unsupported> {
        let node = self.steps.ast.get(id).clone();
        let args = node
            .args
            .iter()
            .map(|a| self.normals[a].clone())
            .collect::<Result<Vec<TermId>, _>>()?;
        if let Some(found) = self.normal_array(id, &args) {
            return found;
        }
        let pool = &mut *self.pool;
        Ok(match (&node.op, &args[..]) {
            (Op::True, _) => pool.mk_true(),
            (Op::False, _) => pool.mk_false(),
            (Op::Not, &[a]) => pool.not(a),
            (Op::And, list) => pool.and(list),
            (Op::Or, list) => pool.or(list),
            (Op::Implies, [first @ .., last]) => {
                let mut parts: Vec<TermId> = first.iter().map(|&f| pool.not(f)).collect();
                parts.push(*last);
                pool.or(&parts)
            }
            (Op::Xor, [first, rest @ ..]) => rest.iter().fold(*first, |left, &right| pool.ne(left, right)),
            (Op::Eq, list) => {
                let parts: Vec<TermId> = list.windows(2).map(|pair| pool.eq(pair[0], pair[1])).collect();
                pool.and(&parts)
            }
            (Op::Distinct, list) => {
                let mut parts = Vec::new();
                for (i, &left) in list.iter().enumerate() {
                    parts.extend(list[i + 1..].iter().map(|&right| pool.ne(left, right)));
                }
                pool.and(&parts)
            }
            (Op::Ite, &[condition, yes, no]) => pool.ite(condition, yes, no),
            (Op::Le | Op::Lt | Op::Ge | Op::Gt, list) => {
                let mut parts = Vec::new();
                for pair in list.windows(2) {
                    parts.push(match node.op {
                        Op::Le => pool.le(pair[0], pair[1]),
                        Op::Lt => pool.lt(pair[0], pair[1]),
                        Op::Ge => pool.ge(pair[0], pair[1]),
                        _ => pool.gt(pair[0], pair[1]),
                    });
                }
                pool.and(&parts)
            }
            (Op::Add, list) => pool.sum(list),
            (Op::Sub, &[a]) => pool.neg(a),
            (Op::Sub, [a, rest @ ..]) => {
                let rest = pool.sum(rest);
                pool.sub(*a, rest)
            }
            (Op::Mul, &[a, b]) => match (pool.as_rational(a), pool.as_rational(b)) {
                (Some(factor), _) => pool.scale_rational(&factor, b),
                (None, Some(factor)) => pool.scale_rational(&factor, a),
                (None, None) => return Err(Unsupported::new("a product of two unknowns")),
            },
            (Op::Divide, &[a, b]) => match pool.as_rational(b).filter(|divisor| !divisor.is_zero()) {
                Some(divisor) => pool.scale_rational(&divisor.recip(), a),
                None => return Err(Unsupported::new("division by what is no number but 0")),
            },
            (Op::Number(_) | Op::Decimal(_), _) => {
                let value = node.op.number().expect("the reader has seen digits");
                pool.rational(&value)
            }
            (Op::Symbol(symbol), []) if node.sort == AstSort::Bool => pool.bool_var(symbol.name, symbol.index),
            (Op::Symbol(symbol), []) if node.sort == AstSort::Real => pool.real_var(symbol.name, symbol.index),
            (Op::Symbol(symbol), []) => pool.int_var(symbol.name, symbol.index),
            (Op::Symbol(symbol), list) => {
                let (zero, one) = (pool.int(0), pool.int(1));
                let mut arguments = Vec::new();
                for &argument in list {
                    arguments.push(match pool.sort(argument) {
                        Sort::Bool => pool.ite(argument, one, zero),
                        _ => argument,
                    });
                }
                let parameters = self.signatures.get(symbol).map(|signature| &signature.parameters[..]);
                let is_real = parameters.is_some_and(|sorts| sorts.contains(&AstSort::Real));
                let application = match is_real || node.sort == AstSort::Real {
                    true => pool.real_app(symbol.name, symbol.index, &arguments),
                    false => pool.app(symbol.name, symbol.index, &arguments),
                };
                match node.sort {
                    AstSort::Bool => pool.ge(application, one),
                    AstSort::Real => application,
                    _ if is_real => return Err(Unsupported::new("functions from reals to other sorts")),
                    _ => application,
                }
            }
            (Op::Other(name), &[a, divisor]) if matches!(&**name, "div" | "mod") => {
                let size = match pool.as_const(divisor).filter(|value| !value.is_zero()) {
                    Some(value) => value.abs(),
                    None => return Err(Unsupported::new("division by what is no number but 0")),
                };
                match **name == *"mod" {
                    true => pool.mod_floor(a, &size),
                    false => {
                        let is_negative = pool.as_const(divisor).is_some_and(|value| value.is_negative());
                        let quotient = pool.div_floor(a, &size);
                        if is_negative { pool.neg(quotient) } else { quotient }
                    }
                }
            }
            (Op::Other(name), &[a]) if **name == *"abs" => {
                let zero = pool.int(0);
                let (is_negative, negated) = (pool.lt(a, zero), pool.neg(a));
                pool.ite(is_negative, negated, a)
            }
            (Op::Other(text), _) => return Err(Unsupported::new(text)),
            (op, _) => {
                let text = op.text(pool);
                return Err(Unsupported::new(&format!("{text} with that number of arguments")));
            }
        })
    }
}
