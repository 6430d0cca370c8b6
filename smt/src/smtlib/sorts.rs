//! The sorts of a script: those of the theories, declared ones, and abbreviations with parameters.
//!
//! A declared sort with arguments is one sort for each list of arguments: `(Pair Int U)` and `(Pair U Int)` have nothing in common. Each
//! such instance gets a number when it is first read. Abbreviations are expanded while reading.

use super::bitvectors::width_of_sort;
use super::limits::MAX_PARTS;
use super::sexpr::{Error, Expr, Kind};
use crate::hash::FxHashMap;
use crate::term::quote_symbol;
use std::sync::Arc;

/// A name of the script.
pub(super) type Name = Arc<str>;

/// A sort of the script.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ty {
    Bool,
    Int,
    Real,
    /// Bit-vectors of this width.
    Bits(u32),
    /// The declared sort, or instance of one, of this number.
    Named(usize),
    /// The sort of arrays of this number.
    Array(usize),
}

/// The meaning of a sort symbol.
#[derive(Clone, Debug)]
pub(super) enum SortMeaning {
    /// A declared sort symbol with this number of arguments. The second number tells it from a symbol of the same name in another scope.
    Declared { arity: usize, number: usize },
    /// An abbreviation with this number of parameters.
    Abbreviation { arity: usize, pattern: Pattern },
}

/// A sort over parameters.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Sort(Ty),
    /// The parameter at this position.
    Parameter(usize),
    /// A declared symbol with this name and number, and its arguments.
    Instance(Name, usize, Vec<Pattern>),
    /// Arrays with indices and elements of these sorts.
    Array(Box<[Pattern; 2]>),
}

/// The instances of declared sort symbols, by number and arguments.
type Instances = FxHashMap<(usize, Vec<Ty>), usize>;

/// The sort symbols in scope and all sorts that were ever named.
#[derive(Default)]
pub(super) struct Sorts {
    /// The texts of declared sorts and of instances.
    texts: Vec<String>,
    instances: Instances,
    meanings: FxHashMap<Name, SortMeaning>,
    declared: usize,
    /// The sorts of the indices and of the elements of arrays.
    arrays: Vec<(Ty, Ty)>,
    /// Whether arrays are indices, elements, arguments or results anywhere.
    pub have_array_values: bool,
}

impl Sorts {
    /// The meaning of a new declared sort symbol.
    pub fn fresh(&mut self, arity: usize) -> SortMeaning {
        self.declared += 1;
        SortMeaning::Declared {
            arity,
            number: self.declared,
        }
    }

    /// Declares a sort symbol.
    pub fn declare(&mut self, name: &str, meaning: SortMeaning) -> Result<Name, String> {
        if self.meanings.contains_key(name) || matches!(name, "Bool" | "Int" | "Real" | "Array") {
            return Err(format!("the sort {name} is declared already"));
        }
        let name = Name::from(name);
        self.meanings.insert(Name::clone(&name), meaning);
        Ok(name)
    }

    /// Forgets a sort symbol.
    pub fn remove(&mut self, name: &str) {
        self.meanings.remove(name);
    }

    /// The text of a sort.
    pub fn text(&self, ty: Ty) -> String {
        match ty {
            Ty::Bool => "Bool".to_owned(),
            Ty::Int => "Int".to_owned(),
            Ty::Real => "Real".to_owned(),
            Ty::Bits(width) => format!("(_ BitVec {width})"),
            Ty::Named(number) => self.texts[number].clone(),
            Ty::Array(number) => {
                let (index, element) = self.arrays[number];
                format!("(Array {} {})", self.text(index), self.text(element))
            }
        }
    }

    /// The sorts of the indices and of the elements of a sort of arrays.
    pub fn array(&self, number: usize) -> (Ty, Ty) {
        self.arrays[number]
    }

    /// All sorts of arrays with those of their indices and elements.
    pub fn arrays(&self) -> impl Iterator<Item = (usize, Ty, Ty)> + '_ {
        (0..)
            .zip(&self.arrays)
            .map(|(number, &(index, element))| (number, index, element))
    }

    /// Whether every model has infinitely many values of this sort. A declared sort may be finite.
    pub fn is_infinite(&self, ty: Ty) -> bool {
        match ty {
            Ty::Int | Ty::Real => true,
            Ty::Bool | Ty::Bits(_) | Ty::Named(_) => false,
            Ty::Array(number) => {
                let (index, element) = self.arrays[number];
                let has_two = element == Ty::Bool || self.is_infinite(element);
                self.is_infinite(element) || (has_two && self.is_infinite(index))
            }
        }
    }

    /// Whether a sort can be that of an element, or of an argument of a function: one of finitely many arrays cannot (see `array_values`).
    pub fn is_value(&self, ty: Ty) -> bool {
        !matches!(ty, Ty::Array(number) if self.arrays[number] == (Ty::Bool, Ty::Bool))
    }

    /// Reads a sort.
    pub fn read(&mut self, expr: &Expr<'_>, node: usize) -> Result<Ty, Error> {
        let pattern = self.pattern(expr, node, &[], 0)?;
        self.instance(&pattern).map_err(|message| expr.error(node, message))
    }

    /// Reads the body of an abbreviation over the parameters.
    pub fn abbreviation(&self, expr: &Expr<'_>, node: usize, parameters: &[&str]) -> Result<SortMeaning, Error> {
        Ok(SortMeaning::Abbreviation {
            arity: parameters.len(),
            pattern: self.pattern(expr, node, parameters, 0)?,
        })
    }

    fn pattern(&self, expr: &Expr<'_>, node: usize, parameters: &[&str], depth: usize) -> Result<Pattern, Error> {
        if depth > MAX_PARTS {
            return Err(expr.error(node, "this sort is too large"));
        }
        if let Some(width) = width_of_sort(expr, node) {
            return Ok(Pattern::Sort(Ty::Bits(width)));
        }
        let (head, arguments) = match expr.kind(node) {
            Kind::List => match expr.list(node).split_first() {
                Some((&head, arguments)) if !arguments.is_empty() && expr.symbol(head) != Some("_") => {
                    (head, arguments.to_vec())
                }
                _ => return Err(expr.error(node, format!("the sort {} is not supported", expr.source(node)))),
            },
            _ => (node, Vec::new()),
        };
        let Some(name) = expr.symbol(head) else {
            return Err(expr.error(node, format!("the sort {} is not supported", expr.source(node))));
        };
        let arguments = arguments
            .into_iter()
            .map(|argument| self.pattern(expr, argument, parameters, depth + 1))
            .collect::<Result<Vec<Pattern>, Error>>()?;
        let wanted = |arity: usize| {
            let found = arguments.len();
            let message = format!("the sort {name} takes {arity} arguments, found {found}");
            if arity == found {
                Ok(())
            } else {
                Err(expr.error(node, message))
            }
        };
        let small = |pattern: Pattern| match pattern.parts() {
            parts if parts <= MAX_PARTS => Ok(pattern),
            _ => Err(expr.error(node, "this sort is too large")),
        };
        if let Some(position) = parameters.iter().position(|parameter| *parameter == name) {
            wanted(0)?;
            return Ok(Pattern::Parameter(position));
        }
        match (name, self.meanings.get(name)) {
            ("Bool", _) => wanted(0).map(|()| Pattern::Sort(Ty::Bool)),
            ("Int", _) => wanted(0).map(|()| Pattern::Sort(Ty::Int)),
            ("Real", _) => wanted(0).map(|()| Pattern::Sort(Ty::Real)),
            ("Array", _) => {
                wanted(2)?;
                let [index, element] = [0, 1].map(|at| arguments[at].clone());
                small(Pattern::Array(Box::new([index, element])))
            }
            (_, Some(SortMeaning::Declared { arity, number })) => {
                wanted(*arity)?;
                small(Pattern::Instance(name.into(), *number, arguments))
            }
            (_, Some(SortMeaning::Abbreviation { arity, pattern })) => {
                wanted(*arity)?;
                small(substitute(pattern, &arguments))
            }
            _ => Err(expr.error(node, format!("the sort {name} is not supported or not declared"))),
        }
    }

    /// The sort that a pattern without parameters is.
    fn instance(&mut self, pattern: &Pattern) -> Result<Ty, String> {
        Ok(match pattern {
            Pattern::Sort(ty) => *ty,
            Pattern::Array(parts) => {
                let sort = (self.instance(&parts[0])?, self.instance(&parts[1])?);
                for part in [sort.0, sort.1] {
                    if matches!(part, Ty::Real | Ty::Bits(_)) || !self.is_value(part) {
                        let part = self.text(part);
                        return Err(format!(
                            "arrays with indices or elements of sort {part} are not supported"
                        ));
                    }
                    self.have_array_values |= matches!(part, Ty::Array(_));
                }
                let known = self.arrays.iter().position(|other| *other == sort);
                Ty::Array(known.unwrap_or_else(|| {
                    self.arrays.push(sort);
                    self.arrays.len() - 1
                }))
            }
            Pattern::Parameter(_) => unreachable!("only abbreviations have parameters"),
            Pattern::Instance(name, number, arguments) => {
                let arguments: Vec<Ty> = arguments.iter().map(|a| self.instance(a)).collect::<Result<_, _>>()?;
                let mut text = quote_symbol(name);
                if !arguments.is_empty() {
                    let arguments: Vec<String> = arguments.iter().map(|&a| self.text(a)).collect();
                    text = format!("({text} {})", arguments.join(" "));
                }
                let texts = &mut self.texts;
                let number = *self.instances.entry((*number, arguments)).or_insert_with(|| {
                    texts.push(text);
                    texts.len() - 1
                });
                Ty::Named(number)
            }
        })
    }
}

impl Pattern {
    fn parts(&self) -> usize {
        match self {
            Pattern::Sort(_) | Pattern::Parameter(_) => 1,
            Pattern::Instance(_, _, arguments) => 1 + arguments.iter().map(Pattern::parts).sum::<usize>(),
            Pattern::Array(parts) => 1 + parts.iter().map(Pattern::parts).sum::<usize>(),
        }
    }
}

/// The pattern with its parameters replaced.
fn substitute(pattern: &Pattern, arguments: &[Pattern]) -> Pattern {
    match pattern {
        Pattern::Sort(ty) => Pattern::Sort(*ty),
        Pattern::Parameter(position) => arguments[*position].clone(),
        Pattern::Array(parts) => Pattern::Array(Box::new([0, 1].map(|at| substitute(&parts[at], arguments)))),
        Pattern::Instance(name, number, inner) => {
            let inner = inner.iter().map(|p| substitute(p, arguments)).collect();
            Pattern::Instance(Name::clone(name), *number, inner)
        }
    }
}
