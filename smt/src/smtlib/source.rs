//! The script's own terms, for proofs: as they are written, with `let`, defined functions and names expanded.
//!
//! The elaborator makes normal forms and forgets the text. A proof starts from the text, so the texts of assertions
//! are read a second time, into [`Ast`]. It does not recurse, except from a defined function into the definitions that it uses.

use super::array_definitions::Shape;
use super::arrays::is_witness;
use super::limits::MAX_DEPTH;
use super::scope::annotated_name;
use super::scope::{Meaning, Scope};
use super::sexpr::{Expr, Kind, parse};
use super::sorts::Ty;
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::proof::alethe::{ArrayDefinition, ArrayShape, ArraySort, Arrays, Ast, AstSort, NodeId, Op, Signature};
use crate::term::{Symbol, TermPool};

/// Reads terms into an [`Ast`].
pub(super) struct SourceReader<'s> {
    scope: &'s Scope,
    /// The commands that defined functions.
    definitions: &'s FxHashMap<super::sorts::Name, String>,
    pub ast: Ast,
    /// Terms with a name by `:named`.
    labels: FxHashMap<String, NodeId>,
    /// Applications of defined functions that were expanded.
    expanded: FxHashMap<(String, Vec<NodeId>), NodeId>,
}

enum Task {
    Eval(usize),
    Apply(usize, usize),
    Bind(usize, usize),
    Unbind(usize),
    Label(usize),
}

type Locals = FxHashMap<String, Vec<NodeId>>;

/// The sort of a proof text, if it has one.
fn sort_of(ty: Ty) -> Option<AstSort> {
    match ty {
        Ty::Bool => Some(AstSort::Bool),
        Ty::Int => Some(AstSort::Int),
        Ty::Real => Some(AstSort::Real),
        Ty::Array(number) => Some(AstSort::Array(number)),
        Ty::Bits(_) => None,
        Ty::Named(number) => Some(AstSort::Declared(number)),
    }
}

/// The declarations of a script, for proofs.
pub(super) fn signatures(scope: &Scope) -> FxHashMap<Symbol, Signature> {
    let mut found = FxHashMap::default();
    for declaration in &scope.trail {
        if let super::scope::Declaration::Function(name) = declaration
            && let Some(Meaning::Declared {
                symbol,
                parameters,
                result,
            }) = scope.meaning(name)
        {
            let of_parameter = |&ty: &Ty| sort_of(ty).filter(|sort| !matches!(sort, AstSort::Array(_)));
            let parameters = parameters.iter().map(of_parameter).collect::<Option<Vec<_>>>();
            if let (Some(parameters), Some(result)) = (parameters, sort_of(*result))
                && (parameters.is_empty() || !matches!(result, AstSort::Array(_)))
            {
                found.insert(*symbol, Signature { parameters, result });
            }
        }
    }
    found
}

/// The arrays of a script, for proofs.
pub(super) fn arrays(pool: &TermPool, scope: &Scope) -> Arrays {
    let mut arrays = Arrays {
        numbers: scope.arrays.values.numbers(),
        other: scope.arrays.constants.other(),
        ..Arrays::default()
    };
    for (symbol, shape, sort) in scope.arrays.all() {
        let formula = scope.arrays.definitions[scope.arrays.of_symbol[&symbol]].formula;
        arrays.definitions.push(ArrayDefinition {
            symbol,
            shape: match shape {
                Shape::Store(array, index, value) => ArrayShape::Store(array, index, value),
                Shape::Choice(condition, yes, no) => ArrayShape::Choice(condition, yes, no),
                Shape::Equality(left, right) => ArrayShape::Equality(left, right),
                Shape::Constant(value) => ArrayShape::Constant(value),
                Shape::Named(_) => ArrayShape::Other,
            },
            sort,
            formula,
            witness: match shape {
                Shape::Equality(..) => pool.symbols_of(&[formula]).into_iter().find(|&s| is_witness(pool, s)),
                _ => None,
            },
        });
    }
    for (number, index, element) in scope.sorts.arrays() {
        let is_plain = |ty: Ty| sort_of(ty).filter(|sort| !matches!(sort, AstSort::Array(_)));
        let sorts = is_plain(index).zip(is_plain(element));
        arrays.sorts.push(sorts.map(|(index_sort, element)| ArraySort {
            index: index_sort,
            element,
            texts: [Ty::Array(number), index].map(|ty| scope.sort_text(ty)),
        }));
    }
    arrays
}

impl<'s> SourceReader<'s> {
    pub fn new(scope: &'s Scope, definitions: &'s FxHashMap<super::sorts::Name, String>) -> Self {
        SourceReader {
            scope,
            definitions,
            ast: Ast::default(),
            labels: FxHashMap::default(),
            expanded: FxHashMap::default(),
        }
    }

    /// Reads a term that was elaborated before. The error says what a proof text has no word for.
    pub fn read(&mut self, text: &str) -> Result<NodeId, String> {
        let expr = parse(text).map_err(|error| error.message)?;
        self.eval(&expr, 0, Locals::default(), 0)
    }

    fn eval(&mut self, expr: &Expr<'_>, root: usize, mut locals: Locals, depth: usize) -> Result<NodeId, String> {
        let mut tasks = vec![Task::Eval(root)];
        let mut values: Vec<NodeId> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Eval(node) if expr.kind(node) != Kind::List => {
                    values.push(self.leaf(expr, node, &locals, depth)?);
                }
                Task::Eval(node) => open(expr, node, &mut tasks, values.len()),
                Task::Apply(node, height) => {
                    let arguments = values.split_off(height);
                    values.push(self.apply(expr, node, &arguments, depth)?);
                }
                Task::Bind(node, height) => {
                    for (name, value) in names(expr, node).into_iter().zip(values.drain(height..)) {
                        locals.entry(name).or_default().push(value);
                    }
                    tasks.push(Task::Unbind(node));
                    tasks.extend(expr.children(node).nth(2).map(Task::Eval));
                }
                Task::Unbind(node) => {
                    for name in names(expr, node) {
                        locals.get_mut(&name).and_then(Vec::pop);
                    }
                }
                Task::Label(node) => {
                    if let Ok(Some((name, _))) = annotated_name(expr, node) {
                        self.labels.insert(name.to_owned(), values[values.len() - 1]);
                    }
                }
            }
        }
        values.pop().ok_or_else(|| "an empty term".to_owned())
    }

    fn leaf(&mut self, expr: &Expr<'_>, node: usize, locals: &Locals, depth: usize) -> Result<NodeId, String> {
        let source = expr.source(node);
        if expr.kind(node) == Kind::Numeral {
            let value: Int = source.parse().map_err(|_| source.to_owned())?;
            return Ok(self.ast.number(&value));
        }
        if expr.kind(node) == Kind::Decimal {
            return Ok(self.ast.node(Op::Decimal(source.into()), &[], AstSort::Real));
        }
        let name = expr.symbol(node).ok_or_else(|| source.to_owned())?;
        if let Some(&value) = locals.get(name).and_then(|stack| stack.last()) {
            return Ok(value);
        }
        self.named(name, &[], depth)
    }

    /// A constant or an application of what the script declared or defined, or an operator.
    fn named(&mut self, name: &str, arguments: &[NodeId], depth: usize) -> Result<NodeId, String> {
        match self.scope.meaning(name) {
            Some(Meaning::Declared {
                symbol,
                parameters,
                result,
            }) => {
                let sort = sort_of(*result).ok_or("bit-vectors")?;
                let is_array = |ty: &Ty| matches!(ty, Ty::Array(_));
                if parameters.iter().any(is_array) || is_array(result) && !parameters.is_empty() {
                    return Err("functions of arrays".to_owned());
                }
                let arguments: Vec<NodeId> = arguments
                    .iter()
                    .zip(parameters)
                    .map(|(&argument, &ty)| if ty == Ty::Real { self.real(argument) } else { argument })
                    .collect();
                Ok(self.ast.node(Op::Symbol(*symbol), &arguments, sort))
            }
            Some(Meaning::Macro { .. } | Meaning::Expanded(_)) => match self.labels.get(name) {
                Some(&label) => Ok(label),
                None => self.defined(name, arguments, depth),
            },
            None => self.operator(name, arguments),
        }
    }

    /// A numeral that stands for a real number, which is written as before; any other term as it is.
    fn real(&mut self, node: NodeId) -> NodeId {
        match &self.ast.get(node).op {
            Op::Number(value) => {
                let op = Op::Decimal(value.to_string().into());
                self.ast.node(op, &[], AstSort::Real)
            }
            _ => node,
        }
    }

    fn defined(&mut self, name: &str, arguments: &[NodeId], depth: usize) -> Result<NodeId, String> {
        let key = (name.to_owned(), arguments.to_vec());
        if let Some(&known) = self.expanded.get(&key) {
            return Ok(known);
        }
        let definitions = self.definitions;
        let text = definitions
            .get(name)
            .filter(|_| depth < MAX_DEPTH)
            .ok_or_else(|| format!("the defined name {name}"))?;
        let expr = parse(text).map_err(|error| error.message)?;
        let parts = expr.list(0);
        let mut locals = Locals::default();
        if parts.len() == 5 {
            for (parameter, &argument) in expr.children(parts[2]).zip(arguments) {
                let variable = expr.children(parameter).next().and_then(|node| expr.symbol(node));
                locals.insert(variable.unwrap_or_default().to_owned(), vec![argument]);
            }
        }
        let body = parts[parts.len() - 1];
        let node = self.eval(&expr, body, locals, depth + 1)?;
        self.expanded.insert(key, node);
        Ok(node)
    }

    fn apply(&mut self, expr: &Expr<'_>, node: usize, arguments: &[NodeId], depth: usize) -> Result<NodeId, String> {
        let head = expr.children(node).next().ok_or("an empty term")?;
        match expr.symbol(head) {
            Some(name) => self.named(name, arguments, depth),
            None => {
                let text = expr.children(head).nth(2).map_or("", |sort| expr.source(sort));
                let mut sorts = self.scope.sorts.arrays().map(|(number, ..)| number);
                let number = sorts.find(|&number| self.scope.sort_text(Ty::Array(number)) == text);
                let (text, sort) = match number {
                    Some(number) => {
                        let text = self.scope.sort_text(Ty::Array(number));
                        (format!("(as const {text})"), AstSort::Array(number))
                    }
                    None => (expr.source(head).to_string(), AstSort::Bool),
                };
                Ok(self.ast.node(Op::Other(text.into()), arguments, sort))
            }
        }
    }

    fn operator(&mut self, name: &str, arguments: &[NodeId]) -> Result<NodeId, String> {
        let sorts: Vec<AstSort> = arguments.iter().map(|&a| self.ast.get(a).sort).collect();
        // Numerals among reals are reals.
        let number = if sorts.contains(&AstSort::Real) {
            AstSort::Real
        } else {
            AstSort::Int
        };
        let chosen = sorts.get(1).copied().unwrap_or(AstSort::Bool);
        let (op, sort) = match name {
            "true" => (Op::True, AstSort::Bool),
            "false" => (Op::False, AstSort::Bool),
            "not" => (Op::Not, AstSort::Bool),
            "and" => (Op::And, AstSort::Bool),
            "or" => (Op::Or, AstSort::Bool),
            "=>" => (Op::Implies, AstSort::Bool),
            "xor" => (Op::Xor, AstSort::Bool),
            "=" => (Op::Eq, AstSort::Bool),
            "distinct" => (Op::Distinct, AstSort::Bool),
            "<=" => (Op::Le, AstSort::Bool),
            "<" => (Op::Lt, AstSort::Bool),
            ">=" => (Op::Ge, AstSort::Bool),
            ">" => (Op::Gt, AstSort::Bool),
            "+" => (Op::Add, number),
            "-" => (Op::Sub, number),
            "*" => (Op::Mul, number),
            "/" => (Op::Divide, AstSort::Real),
            "select" | "store" => {
                let &[AstSort::Array(number), ..] = &sorts[..] else {
                    return Err("elements of what is no array".to_owned());
                };
                let (index, element) = self.scope.sorts.array(number);
                let element = sort_of(element).filter(|_| sort_of(index).is_some());
                let sort = match element {
                    Some(AstSort::Array(_)) | None => return Err("arrays of arrays".to_owned()),
                    Some(_) if matches!(index, Ty::Array(_)) => return Err("arrays of arrays".to_owned()),
                    Some(element) if name == "select" => element,
                    Some(_) => sorts[0],
                };
                (Op::Other(name.into()), sort)
            }
            "ite" => (Op::Ite, if chosen.is_number() { number } else { chosen }),
            other => (Op::Other(other.into()), AstSort::Int),
        };
        let least = match op {
            Op::True | Op::False => 0,
            Op::Not | Op::Sub | Op::Other(_) => 1,
            _ => 2,
        };
        if arguments.len() < least {
            return Err(format!("{name} with so few arguments"));
        }
        Ok(self.ast.node(op, arguments, sort))
    }
}

/// Schedules the parts of a compound term, whose form the elaborator has checked.
fn open(expr: &Expr<'_>, node: usize, tasks: &mut Vec<Task>, height: usize) {
    let mut children = expr.children(node);
    let head = children.next().and_then(|head| expr.symbol(head));
    match head {
        Some("let") => {
            tasks.push(Task::Bind(node, height));
            let list = children.next().into_iter().flat_map(|list| expr.children(list));
            let values: Vec<Task> = list.filter_map(|b| expr.children(b).nth(1)).map(Task::Eval).collect();
            tasks.extend(values.into_iter().rev());
        }
        Some("!") => {
            tasks.push(Task::Label(node));
            tasks.extend(children.next().map(Task::Eval));
        }
        _ => {
            tasks.push(Task::Apply(node, height));
            let first = tasks.len();
            tasks.extend(children.map(Task::Eval));
            tasks[first..].reverse();
        }
    }
}

/// The names that a `let` binds.
fn names(expr: &Expr<'_>, node: usize) -> Vec<String> {
    let list = expr
        .children(node)
        .nth(1)
        .into_iter()
        .flat_map(|list| expr.children(list));
    let name = |binding| expr.children(binding).next().and_then(|node| expr.symbol(node));
    list.map(|binding| name(binding).unwrap_or_default().to_owned())
        .collect()
}
