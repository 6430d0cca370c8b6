//! Values, models and formulas as SMT-LIB text, with the script's own sorts.

use super::array_definitions::Shape;
use super::arrays;
use super::bitvectors;
use super::elaborate::Ty;
use super::scope::{Declaration, Meaning, Scope};
use super::symbols;
use crate::hash::FxHashMap;
use crate::model::{Model, Value};
use crate::num::{Int, Rational};
use crate::term::{
    NO_INDEX, SmtLibStyle, Symbol, Term, TermId, TermPool, quote_symbol, smtlib_number, smtlib_rational,
};
use std::fmt::Write;

/// A value of a sort. The elements of a declared sort are abstract values, named by the integers that stand for them.
pub(super) fn value_text(scope: &Scope, ty: Ty, value: &Value) -> String {
    match (ty, value) {
        (_, Value::Bool(truth)) => truth.to_string(),
        // A predicate holds where its number is at least 1; a function of reals may have one in between.
        (Ty::Bool, Value::Int(number)) => number.is_positive().to_string(),
        (Ty::Bool, Value::Real(number)) => (*number >= Rational::ONE).to_string(),
        (Ty::Real, Value::Int(number)) => smtlib_rational(&Rational::from(number)),
        (Ty::Real, Value::Real(number)) => smtlib_rational(number),
        (Ty::Array(sort), Value::Int(identity)) => scope.array_text(sort, &scope.content(sort, identity)),
        (Ty::Bits(width), Value::Int(number)) => bitvectors::text(width, number),
        (Ty::Int | Ty::Named(_) | Ty::Bits(_) | Ty::Array(_), Value::Real(number)) => {
            value_text(scope, ty, &Value::Int(number.floor()))
        }
        (Ty::Int, Value::Int(number)) => smtlib_number(number),
        (Ty::Named(_), Value::Int(number)) => format!("(as @{number} {})", scope.sort_text(ty)),
    }
}

/// The model as a list of definitions of all declared functions, in the order of their declaration.
pub(super) fn model_text(scope: &Scope, model: &Model) -> String {
    let mut text = String::from("(\n");
    for declaration in &scope.trail {
        let Declaration::Function(name) = declaration else {
            continue;
        };
        let Some(Meaning::Declared {
            symbol,
            parameters,
            result,
        }) = scope.meaning(name)
        else {
            continue;
        };
        let (mut formals, body) = (Vec::new(), definition(scope, model, *symbol, parameters, *result));
        for (number, &ty) in parameters.iter().enumerate() {
            formals.push(format!("(.x{number} {})", scope.sort_text(ty)));
        }
        let (name, formals, sort) = (quote_symbol(name), formals.join(" "), scope.sort_text(*result));
        writeln!(text, "  (define-fun {name} ({formals}) {sort} {body})").expect("strings accept text");
    }
    text.push(')');
    text
}

fn definition(scope: &Scope, model: &Model, symbol: Symbol, parameters: &[Ty], result: Ty) -> String {
    if parameters.is_empty() {
        return match result {
            Ty::Bool => model.bool(symbol).to_string(),
            Ty::Int | Ty::Named(_) | Ty::Bits(_) => value_text(scope, result, &Value::Int(model.int(symbol))),
            Ty::Real => value_text(scope, result, &Value::Real(model.real(symbol))),
            Ty::Array(sort) => {
                let table = model.function(symbol).unwrap_or_default();
                scope.array_text(sort, &table)
            }
        };
    }
    let mut points: Vec<(Vec<Value>, Value)> = Vec::new();
    let mut default = Value::Int(Int::ZERO);
    if let Some(table) = model.function(symbol) {
        let values = |point: &[Int]| point.iter().cloned().map(Value::Int).collect();
        points.extend(table.points.iter().map(|(p, v)| (values(p), Value::Int(v.clone()))));
        default = Value::Int(table.default.clone());
    }
    if let Some(table) = model.real_function(symbol) {
        let values = |point: &[Rational]| point.iter().cloned().map(Value::Real).collect();
        points.extend(table.points.iter().map(|(p, v)| (values(p), Value::Real(v.clone()))));
        default = Value::Real(table.default.clone());
    }
    let mut text = String::new();
    for (point, value) in &points {
        let coordinates = point
            .iter()
            .zip(parameters)
            .enumerate()
            .map(|(number, (coordinate, &ty))| {
                let value = value_text(scope, ty, coordinate);
                match (ty, value.as_str()) {
                    (Ty::Bool, "true") => format!(".x{number}"),
                    (Ty::Bool, _) => format!("(not .x{number})"),
                    _ => format!("(= .x{number} {value})"),
                }
            });
        let conditions = coordinates.collect::<Vec<_>>().join(" ");
        let condition = if parameters.len() == 1 {
            conditions
        } else {
            format!("(and {conditions})")
        };
        write!(text, "(ite {condition} {} ", value_text(scope, result, value)).expect("strings accept text");
    }
    text.push_str(&value_text(scope, result, &default));
    text.extend(std::iter::repeat_n(')', points.len()));
    text
}

/// Writes terms with the script's names and sorts.
pub(super) struct ScriptStyle {
    signatures: FxHashMap<Symbol, (Vec<Ty>, Ty)>,
    /// The sorts of arrays.
    array_sorts: FxHashMap<Symbol, Ty>,
    /// The texts of arrays, and of propositions that two arrays are equal.
    array_texts: FxHashMap<Symbol, String>,
}

impl SmtLibStyle for ScriptStyle {
    fn variable(&self, pool: &TermPool, symbol: Symbol) -> String {
        let text = self.array_texts.get(&symbol);
        text.cloned().unwrap_or_else(|| self.symbol(pool, symbol))
    }

    fn symbol(&self, pool: &TermPool, symbol: Symbol) -> String {
        if let Some(text) = self.array_texts.get(&symbol) {
            return format!("select {text}");
        }
        match symbols::operator(pool, symbol) {
            Some(name) => name.to_owned(),
            None if symbol.index == NO_INDEX => quote_symbol(pool.name(symbol.name)),
            None => format!("|{}|", pool.symbol_text(symbol).replace(['|', '\\'], "_")),
        }
    }

    fn returns_bool(&self, function: Symbol) -> bool {
        self.signatures
            .get(&function)
            .is_some_and(|signature| signature.1 == Ty::Bool)
    }

    fn takes_bool(&self, function: Symbol, argument: usize) -> bool {
        self.signatures
            .get(&function)
            .is_some_and(|signature| signature.0[argument] == Ty::Bool)
    }

    fn returns_real(&self, function: Symbol) -> bool {
        self.signatures
            .get(&function)
            .is_none_or(|signature| signature.1 == Ty::Real)
    }

    fn takes_real(&self, function: Symbol, argument: usize) -> bool {
        self.signatures
            .get(&function)
            .is_none_or(|signature| signature.0[argument] == Ty::Real)
    }
}

impl ScriptStyle {
    pub fn new(pool: &TermPool, scope: &Scope) -> Self {
        let mut style = ScriptStyle {
            signatures: FxHashMap::default(),
            array_sorts: FxHashMap::default(),
            array_texts: FxHashMap::default(),
        };
        for declaration in &scope.trail {
            if let Declaration::Function(name) = declaration
                && let Some(Meaning::Declared {
                    symbol,
                    parameters,
                    result,
                }) = scope.meaning(name)
            {
                match *result {
                    Ty::Array(sort) if parameters.is_empty() => {
                        let (index, element) = scope.sorts.array(sort);
                        style.signatures.insert(*symbol, (vec![index], element));
                        style.array_sorts.insert(*symbol, *result);
                        style.array_texts.insert(*symbol, quote_symbol(name));
                    }
                    _ => drop(style.signatures.insert(*symbol, (parameters.clone(), *result))),
                }
            }
        }
        style.name_arrays(pool, scope);
        style
    }

    /// Gives the arrays that have no name of their own their texts.
    fn name_arrays(&mut self, pool: &TermPool, scope: &Scope) {
        for (symbol, shape, sort) in scope.arrays.all() {
            let of = |s: Symbol| self.array_texts.get(&s).cloned();
            let (index_sort, element_sort) = scope.sorts.array(sort);
            let typed = |t: TermId, ty: Ty| {
                let text = pool.to_smtlib_styled(t, self);
                // A truth value is 0 or 1 inside.
                Some(if ty == Ty::Bool { format!("(= {text} 1)") } else { text })
            };
            let term = |t: TermId| Some(pool.to_smtlib_styled(t, self));
            let text = match shape {
                Shape::Store(array, index, value) => arrays::text(
                    "store",
                    [of(array), typed(index, index_sort), typed(value, element_sort)],
                ),
                Shape::Choice(condition, yes, no) => arrays::text("ite", [term(condition), of(yes), of(no)]),
                Shape::Constant(value) => arrays::text(
                    &format!("(as const {})", scope.sort_text(Ty::Array(sort))),
                    [typed(value, element_sort), Some(String::new()), Some(String::new())],
                ),
                Shape::Named(identity) => term(identity),
                Shape::Equality(left, right) => arrays::text("=", [of(left), of(right), Some(String::new())]),
            };
            if !matches!(shape, Shape::Equality(..)) {
                self.signatures.insert(symbol, (vec![index_sort], element_sort));
                self.array_sorts.insert(symbol, Ty::Array(sort));
            }
            self.array_texts.extend(text.map(|text| (symbol, text)));
        }
    }

    /// The sort of an integer term of the pool in the script, if the script has one for it.
    pub(super) fn sort_of(&self, pool: &TermPool, term: TermId) -> Ty {
        let mut term = term;
        loop {
            match pool.term(term) {
                Term::IntVar(s) if self.array_sorts.contains_key(s) => return self.array_sorts[s],
                Term::IntVar(s) | Term::App(s, _) | Term::RealApp(s, _) => {
                    return self.signatures.get(s).map_or(Ty::Int, |sig| sig.1);
                }
                Term::Ite(_, yes, _) => term = *yes,
                // The integer part of a function of reals with values in a declared sort.
                Term::Div(value, divisor) if divisor.is_one() => term = *value,
                _ => return Ty::Int,
            }
        }
    }

    /// Whether a function takes or gives bit-vectors.
    fn has_vectors(&self, function: Symbol) -> bool {
        let is_vector = |ty: &Ty| matches!(ty, Ty::Bits(_));
        let signature = self.signatures.get(&function);
        signature.is_some_and(|(parameters, result)| is_vector(result) || parameters.iter().any(is_vector))
    }

    /// The formula as text of the script's language, or `None` if it has no such form: an order among the elements of a declared
    /// sort, the number of a bit-vector, or an internal function.
    pub fn formula(&self, pool: &TermPool, formula: TermId) -> Option<String> {
        let mut expressible = true;
        pool.visit(&[formula], |_, term| {
            term.for_each_symbol(|s| expressible &= !self.has_vectors(s));
            term.for_each_symbol(|s| expressible &= s.index == NO_INDEX || symbols::operator(pool, s).is_some());
            let (Term::Le(sum) | Term::Lt(sum) | Term::Eq(sum)) = term else {
                return;
            };
            let mut named = 0;
            let mut coefficients = Vec::new();
            let constant = pool.for_each_monomial(*sum, |coefficient, monomial| {
                named += usize::from(matches!(self.sort_of(pool, monomial), Ty::Named(_) | Ty::Array(_)));
                coefficients.push(coefficient.clone());
            });
            let equates = matches!(term, Term::Eq(_)) && constant.is_zero();
            let pair = coefficients == [Int::ONE, Int::MINUS_ONE];
            expressible &= named == 0 || (named == 2 && pair && equates);
        });
        expressible.then(|| pool.to_smtlib_styled(formula, self))
    }

    /// The formula that every application of a predicate in the formulas is 0 or 1, as the text of a formula takes it to be.
    pub fn predicate_ranges(&self, pool: &mut TermPool, formula: TermId) -> TermId {
        let mut predicates = Vec::new();
        pool.visit(&[formula], |id, term| {
            if let Term::App(function, _) | Term::RealApp(function, _) = term
                && self.returns_bool(*function)
            {
                predicates.push(id);
            }
        });
        predicates.sort_unstable();
        let (zero, one) = (pool.int(0), pool.int(1));
        let ranges: Vec<TermId> = predicates
            .into_iter()
            .flat_map(|predicate| [pool.ge(predicate, zero), pool.le(predicate, one)])
            .collect();
        pool.and(&ranges)
    }
}
