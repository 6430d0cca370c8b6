//! From formulas of the analysis to C expressions.
//!
//! The formulas are about mathematical integers, C about machine integers. A comparison of sums is written with `long long`, and only if the ranges of the types show that no sum leaves it. Parts
//! without exact C text are left out in such a way that the result is *weaker*: conjuncts are dropped, and a disjunction with such a part is dropped as a whole. So the text holds
//! wherever the formula holds. Left out are:
//!
//! * memory behind pointers and at computed addresses, since to evaluate it may be undefined. Objects with a name are written by their names, if a cell of the formula is the whole of one: its
//!   number may be the unsigned one of a signed object, which takes a conversion, but a byte of a wider object has no name;
//! * addresses other than null, since they are Provident's choice;
//! * variables that are not visible at the place: temporaries, hidden names, other functions' variables, and all locals of recursive functions, of which the analysis has several instances;
//! * operators without linear meaning, and sums of 64-bit values that may overflow.

use super::text::Text;
use super::violation::literal;
use crate::cfa::memory_types::Cells;
use crate::cfa::{FuncId, Program, VarId, VarKind};
use crate::frontend::types::{ArrayLen, Made, RecordKind, Type, TypeId, Types};
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, Symbol, Term, TermId, TermPool};
use std::collections::BTreeMap;

/// The longest expression that is written.
const MAX_NODES: usize = 4_000;
/// The deepest one: some compilers read no more brackets inside each other than 256, and the stack is finite.
const MAX_DEPTH: usize = 200;
/// Elements of an array that have a name here.
const MAX_ELEMENTS: u64 = 256;

/// A scalar object with a name.
#[derive(Clone, Debug)]
struct Object {
    var: VarId,
    /// How C names it.
    text: String,
    /// The least and the greatest value.
    range: (i128, i128),
    /// The number of its bytes.
    size: u64,
    pointer: bool,
    /// Whether it is a `_Bool`, of which C reads no number but 0 and 1.
    truth: bool,
}

impl Object {
    /// The object as the number that a cell of memory at its address holds; `None` if the cell is not the whole of it, or C has no name for that number.
    fn in_cell(&self, cells: Cells) -> Option<Object> {
        let (size, signed, uniform) = match cells {
            Cells::Scalars { size, signed, uniform } => (size, signed, uniform),
            Cells::Bytes => (1, false, false),
        };
        if size != self.size || self.truth && !uniform {
            return None;
        }
        let is_signed = self.range.0 < 0;
        if signed == is_signed || self.truth {
            return Some(self.clone());
        }
        if self.pointer {
            return None;
        }
        let name = match size {
            1 => "char",
            2 => "short",
            4 => "int",
            8 => "long long",
            _ => return None,
        };
        let half = 1i128 << (8 * size - 1);
        let (sign, range) = match signed {
            true => ("signed", (-half, half - 1)),
            false => ("unsigned", (0, 2 * half - 1)),
        };
        Some(Object {
            text: format!("({sign} {name}) {}", self.text),
            range,
            ..self.clone()
        })
    }
}

/// The scalar objects of a program by what formulas call them.
#[derive(Debug)]
pub struct Names {
    /// Plain variables and their members.
    by_symbol: BTreeMap<String, Object>,
    /// Objects in memory by their address.
    by_address: BTreeMap<u64, Object>,
    /// How the cells of a region represent the bytes, by the region's name.
    cells: BTreeMap<String, Cells>,
}

impl Names {
    /// The names of a program's objects, for formulas in which memory has these cells.
    pub fn new(program: &Program, cells: BTreeMap<String, Cells>) -> Names {
        let mut names = Names {
            by_symbol: BTreeMap::new(),
            by_address: BTreeMap::new(),
            cells,
        };
        for var in program.var_ids() {
            let variable = program.var(var);
            if matches!(variable.kind, VarKind::Global | VarKind::Local | VarKind::Param) {
                let address = variable.address.filter(|_| variable.in_memory);
                names.add(program, var, variable.ty, &variable.name, &variable.display, address);
            }
        }
        names
    }

    fn add(&mut self, program: &Program, var: VarId, ty: TypeId, symbol: &str, text: &str, address: Option<u64>) {
        let types = &program.types;
        match types.get(ty) {
            Type::Record(id) => {
                let record = types.record(*id);
                // The parts of complex numbers and vectors have no names in C.
                if record.kind == RecordKind::Union || record.made != Made::Declared {
                    return;
                }
                for (i, field) in record.fields.iter().enumerate() {
                    // The members of an anonymous structure are named as if they were of the outer one.
                    let (symbol, text) = match &field.name {
                        Some(name) => (format!("{symbol}.{name}"), format!("{text}.{name}")),
                        None => (format!("{symbol}.s{i}"), text.to_string()),
                    };
                    if field.bits.is_none() {
                        let address = address.map(|a| a + field.offset);
                        self.add(program, var, field.ty, &symbol, &text, address);
                    }
                }
            }
            Type::Array {
                elem,
                len: ArrayLen::Fixed(count),
            } => {
                let (Some(address), Some(size)) = (address, types.size_of(*elem)) else {
                    return;
                };
                for i in 0..(*count).min(MAX_ELEMENTS) {
                    self.add(
                        program,
                        var,
                        *elem,
                        symbol,
                        &format!("{text}[{i}]"),
                        Some(address + i * size),
                    );
                }
            }
            _ => {
                let (Some(range), Some(size)) = (range(types, ty), types.size_of(ty)) else {
                    return;
                };
                let object = Object {
                    var,
                    text: text.to_string(),
                    range,
                    size,
                    pointer: types.is_pointer(ty),
                    truth: matches!(types.get(ty), Type::Bool),
                };
                match address {
                    Some(address) => {
                        self.by_address.insert(address, object);
                    }
                    None => {
                        self.by_symbol.insert(symbol.to_string(), object);
                    }
                }
            }
        }
    }
}

/// The values of an integer or pointer type of at most 64 bits.
fn range(types: &Types, ty: TypeId) -> Option<(i128, i128)> {
    if matches!(types.get(ty), Type::Bool) {
        return Some((0, 1));
    }
    let info = types.integer(ty).filter(|info| info.width <= 64)?;
    Some(match info.signed {
        true => (-(1 << (info.width - 1)), (1 << (info.width - 1)) - 1),
        false => (0, (1 << info.width) - 1),
    })
}

/// A translation at one place of the program.
pub struct Translator<'a> {
    program: &'a Program,
    text: &'a Text<'a>,
    names: &'a Names,
    pool: &'a TermPool,
    func: FuncId,
    token: usize,
    /// Nodes that may still be written.
    left: usize,
    /// Nodes inside of each other that may still be written.
    depth: usize,
}

/// A sum of one side of a comparison.
struct Side {
    terms: Vec<(Int, TermId)>,
    constant: Int,
}

impl<'a> Translator<'a> {
    /// A translation of formulas of `pool` for the statement at a token of a function.
    pub fn new(
        program: &'a Program,
        text: &'a Text<'a>,
        names: &'a Names,
        pool: &'a TermPool,
        func: FuncId,
        token: usize,
    ) -> Translator<'a> {
        Translator {
            program,
            text,
            names,
            pool,
            func,
            token,
            left: MAX_NODES,
            depth: MAX_DEPTH,
        }
    }

    /// Translates a node; `None` if the expression is too long or too deep.
    fn node<T>(&mut self, translate: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        self.depth = self.depth.checked_sub(1)?;
        let translated = translate(self);
        self.depth += 1;
        translated
    }

    /// A C expression that the formula implies; `None` if there is none but `1`.
    pub fn weaken(&mut self, term: TermId, positive: bool) -> Option<String> {
        self.node(|translator| translator.weaken_node(term, positive))
    }

    fn weaken_node(&mut self, term: TermId, positive: bool) -> Option<String> {
        match (self.pool.term(term).clone(), positive) {
            (Term::True, true) | (Term::False, false) => None,
            (Term::True, false) | (Term::False, true) => Some("0".to_string()),
            (Term::Not(inner), _) => self.weaken(inner, !positive),
            (Term::And(list), true) | (Term::Or(list), false) => {
                let mut parts: Vec<String> = list.iter().filter_map(|&t| self.weaken(t, positive)).collect();
                // The order of the terms is that of their creation, which means nothing.
                parts.sort_unstable();
                parts.dedup();
                (!parts.is_empty()).then(|| join(&parts, " && "))
            }
            (Term::Or(list), true) | (Term::And(list), false) => {
                let parts: Option<Vec<String>> = list.iter().map(|&t| self.weaken(t, positive)).collect();
                let mut parts = parts?;
                parts.sort_unstable();
                parts.dedup();
                Some(join(&parts, " || "))
            }
            _ => self.exact(term, positive),
        }
    }

    /// A C expression for the formula, or for its negation.
    fn exact(&mut self, term: TermId, positive: bool) -> Option<String> {
        self.node(|translator| translator.exact_node(term, positive))
    }

    fn exact_node(&mut self, term: TermId, positive: bool) -> Option<String> {
        match self.pool.term(term).clone() {
            Term::True => Some(if positive { "1" } else { "0" }.to_string()),
            Term::False => Some(if positive { "0" } else { "1" }.to_string()),
            Term::Not(inner) => self.exact(inner, !positive),
            Term::And(list) | Term::Or(list) => {
                let is_and = matches!(self.pool.term(term), Term::And(_));
                let parts: Option<Vec<String>> = list.iter().map(|&t| self.exact(t, positive)).collect();
                let mut parts = parts?;
                parts.sort_unstable();
                Some(join(&parts, if is_and == positive { " && " } else { " || " }))
            }
            Term::Iff(a, b) => {
                let (a, b) = (self.exact(a, true)?, self.exact(b, positive)?);
                Some(format!("(!({a}) == !({b}))"))
            }
            Term::IteBool(c, t, e) => {
                let (c, t, e) = (self.exact(c, true)?, self.exact(t, positive)?, self.exact(e, positive)?);
                Some(format!("(({c}) ? ({t}) : ({e}))"))
            }
            Term::Le(sum) => self.comparison(sum, if positive { "<=" } else { ">" }),
            Term::Eq(sum) => self.comparison(sum, if positive { "==" } else { "!=" }),
            _ => None,
        }
    }

    /// `sum op 0`.
    fn comparison(&mut self, sum: TermId, op: &str) -> Option<String> {
        let mut left = Side {
            terms: Vec::new(),
            constant: Int::ZERO,
        };
        let mut right = Side {
            terms: Vec::new(),
            constant: Int::ZERO,
        };
        let constant = self.pool.for_each_monomial(sum, |c, t| match c.is_negative() {
            true => right.terms.push((-c, t)),
            false => left.terms.push((c.clone(), t)),
        });
        match constant.is_negative() {
            true => right.constant = -constant,
            false => left.constant = constant,
        }
        if let Some(text) = self.simple(&left, &right, op) {
            return Some(text);
        }
        if [&left, &right]
            .iter()
            .any(|side| side.terms.iter().any(|(_, t)| self.is_pointer(*t)))
        {
            return None;
        }
        let (left, right) = (self.side(&left)?, self.side(&right)?);
        Some(format!("{left} {op} {right}"))
    }

    fn is_pointer(&self, term: TermId) -> bool {
        self.object(term).is_some_and(|object| object.pointer)
    }

    /// A comparison of one object with a constant, or of two objects of one range, in their own types.
    fn simple(&mut self, left: &Side, right: &Side, op: &str) -> Option<String> {
        let one = |side: &Side| match side.terms.as_slice() {
            [(c, t)] if c.is_one() => Some(*t),
            _ => None,
        };
        let (object, bound, op) = match (one(left), one(right)) {
            (Some(a), Some(b)) if left.constant.is_zero() && right.constant.is_zero() => {
                let (a, b) = (self.visible(a)?, self.visible(b)?);
                let fits = a.range == b.range && (a.pointer == b.pointer) && (!a.pointer || matches!(op, "==" | "!="));
                return fits.then(|| format!("{} {op} {}", a.text, b.text));
            }
            (Some(t), None) if right.terms.is_empty() => (t, &right.constant - &left.constant, op),
            (None, Some(t)) if left.terms.is_empty() => {
                let mirrored = match op {
                    "<=" => ">=",
                    ">" => "<",
                    other => other,
                };
                (t, &left.constant - &right.constant, mirrored)
            }
            _ => return None,
        };
        let object = self.visible(object)?;
        let bound = bound.to_i128()?;
        if object.pointer {
            let null = match (op, bound) {
                ("==" | "<=", 0) | ("<", 1) => "==",
                ("!=" | ">", 0) | (">=", 1) => "!=",
                _ => return None,
            };
            return Some(format!("{} {null} 0", object.text));
        }
        let (lo, hi) = object.range;
        let below = bound < lo;
        if below || bound > hi {
            let holds = match op {
                "<=" | "<" => !below,
                ">=" | ">" => below,
                "==" => false,
                _ => true,
            };
            return Some(if holds { "1" } else { "0" }.to_string());
        }
        Some(format!("{} {op} {}", object.text, literal(&bound.to_string())?))
    }

    /// A sum in `long long`.
    fn side(&mut self, side: &Side) -> Option<String> {
        let mut parts = Vec::new();
        let constant = side.constant.to_i128()?;
        let (mut lo, mut hi) = (constant.min(0), constant.max(0));
        for (c, t) in &side.terms {
            let (text, (least, most)) = self.number(*t)?;
            let c = c.to_i128()?;
            lo = lo.checked_add(c.checked_mul(least)?.min(0))?;
            hi = hi.checked_add(c.checked_mul(most)?.max(0))?;
            parts.push(match c {
                1 => text,
                _ => format!("{} * {text}", long(c)?),
            });
        }
        if lo < i128::from(i64::MIN) || hi > i128::from(i64::MAX) {
            return None;
        }
        parts.sort_unstable();
        if constant != 0 || parts.is_empty() {
            parts.push(literal(&constant.to_string())?);
        }
        Some(parts.join(" + "))
    }

    /// A number as `long long`, with its bounds.
    fn number(&mut self, term: TermId) -> Option<(String, (i128, i128))> {
        self.node(|translator| translator.number_node(term))
    }

    fn number_node(&mut self, term: TermId) -> Option<(String, (i128, i128))> {
        let inside = |range: (i128, i128)| range.0 >= i128::from(i64::MIN) && range.1 <= i128::from(i64::MAX);
        match self.pool.term(term).clone() {
            Term::Const(value) => {
                let value = value.to_i128()?;
                Some((long(value)?, (value, value))).filter(|(_, range)| inside(*range))
            }
            Term::IntVar(_) | Term::App(..) => {
                let object = self.visible(term)?;
                inside(object.range).then(|| (format!("(long long) {}", object.text), object.range))
            }
            Term::Div(inner, by) => {
                let (text, (lo, hi)) = self.number_of_sum(inner)?;
                let by = by.to_i128()?;
                // C rounds to zero; that is rounding down where nothing is negative.
                (lo >= 0 && by > 0).then(|| (format!("(({text}) / {by}LL)"), (lo / by, hi / by)))
            }
            Term::Ite(c, t, e) => {
                let c = self.exact(c, true)?;
                let (t, (a, b)) = self.number_of_sum(t)?;
                let (e, (x, y)) = self.number_of_sum(e)?;
                Some((format!("(({c}) ? ({t}) : ({e}))"), (a.min(x), b.max(y))))
            }
            _ => None,
        }
    }

    fn number_of_sum(&mut self, term: TermId) -> Option<(String, (i128, i128))> {
        if !matches!(self.pool.term(term), Term::Sum(..)) {
            return self.number(term);
        }
        let mut terms = Vec::new();
        let constant = self.pool.for_each_monomial(term, |c, t| terms.push((c.clone(), t)));
        let constant = constant.to_i128()?;
        let (mut lo, mut hi) = (constant, constant);
        let mut text = long(constant)?;
        let (mut least_partial, mut most_partial) = (constant, constant);
        for (c, t) in terms {
            let (part, (least, most)) = self.number(t)?;
            let c = c.to_i128()?;
            let (x, y) = (c.checked_mul(least)?, c.checked_mul(most)?);
            lo = lo.checked_add(x.min(y))?;
            hi = hi.checked_add(x.max(y))?;
            least_partial = least_partial.min(lo).min(x).min(y);
            most_partial = most_partial.max(hi).max(x).max(y);
            text = format!("{text} + {} * {part}", long(c)?);
        }
        (least_partial >= i128::from(i64::MIN) && most_partial <= i128::from(i64::MAX))
            .then_some((format!("({text})"), (lo, hi)))
    }

    /// The object that a term is the value of.
    fn object(&self, term: TermId) -> Option<Object> {
        match self.pool.term(term) {
            Term::IntVar(Symbol { name, index: NO_INDEX }) => self.names.by_symbol.get(self.pool.name(*name)).cloned(),
            Term::App(Symbol { name, index: NO_INDEX }, args) => match &**args {
                [address] => {
                    let address = self.pool.as_const(*address)?.to_i128()?;
                    let object = self.names.by_address.get(&u64::try_from(address).ok()?)?;
                    object.in_cell(*self.names.cells.get(self.pool.name(*name))?)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The object of a term, if the place sees it under its name.
    fn visible(&self, term: TermId) -> Option<Object> {
        let object = self.object(term)?;
        let variable = self.program.var(object.var);
        if variable
            .func
            .is_some_and(|func| func != self.func || self.program.function(func).recursive)
        {
            return None;
        }
        let declared = self.scope(object.var)?;
        // No other object of that name may be declared nearer.
        let same = self.program.var_ids().filter(|&other| {
            let other_variable = self.program.var(other);
            other != object.var
                && other_variable.display == variable.display
                && other_variable.func.is_none_or(|func| func == self.func)
        });
        let hidden = same
            .filter_map(|other| self.scope(other))
            .any(|nearer| nearer > declared);
        (!hidden).then_some(object)
    }

    /// Where a variable is declared, if its scope holds the place.
    fn scope(&self, var: VarId) -> Option<usize> {
        let variable = self.program.var(var);
        if !variable.loc.is_some() || !matches!(variable.kind, VarKind::Global | VarKind::Local | VarKind::Param) {
            return None;
        }
        let declared = self.text.token_at(variable.loc)?;
        if self.text.word(declared) != variable.display {
            return None;
        }
        if !self.text.same_unit(declared, self.token) {
            // Another file sees what it declares itself; a name with the file in it is `static` there.
            let external = variable.kind == VarKind::Global && variable.name == variable.display;
            let here = self.text.declared_extern(&variable.display, self.token);
            return here.filter(|_| external);
        }
        if variable.kind == VarKind::Param {
            return Some(declared);
        }
        self.text.scope_holds(declared, self.token).then_some(declared)
    }
}

/// A number as an operand of type `long long`.
fn long(value: i128) -> Option<String> {
    let value = i64::try_from(value).ok()?;
    Some(match value {
        i64::MIN => "(-9223372036854775807LL - 1)".to_string(),
        0.. => format!("{value}LL"),
        _ => format!("({value}LL)"),
    })
}

fn join(parts: &[String], op: &str) -> String {
    match parts {
        [one] => one.clone(),
        _ => format!("({})", parts.join(op)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::lower::{LowerOptions, lower};
    use crate::frontend::text::source::Source;
    use crate::frontend::types::DataModel;
    use crate::frontend::{FrontendOptions, parse};

    #[test]
    fn deep_formulas_need_no_stack() {
        let options = FrontendOptions {
            data_model: DataModel::Lp64,
        };
        let unit = parse(Source::new("deep", "int x; int main(void) { return x; }"), &options);
        let unit = unit.unwrap_or_else(|e| panic!("{}", e.render(false)));
        let program = lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let text = Text::new(&program.sources);
        let names = Names::new(&program, BTreeMap::new());
        let mut pool = TermPool::new();
        let x = pool.symbol("x");
        let x = pool.int_var(x, NO_INDEX);
        let mut nested = |depth: i64| {
            let zero = pool.int(0);
            let mut formula = pool.le(x, zero);
            for number in 1..=depth {
                let number = pool.int(number);
                let differs = pool.ne(x, number);
                let either = pool.or2(differs, formula);
                formula = pool.and2(differs, either);
            }
            formula
        };
        let [shallow, deep] = [2, 200_000].map(&mut nested);
        let token = (0..text.len()).find(|&token| text.word(token) == "return");
        let token = token.expect("the function returns");
        let weakened = |formula| {
            let mut translator = Translator::new(&program, &text, &names, &pool, program.start, token);
            translator.weaken(formula, true).expect("something is said")
        };
        let expected = "((((x != 1 || x <= 0) && x != 1) || x != 2) && x != 2)";
        assert_eq!(weakened(shallow), expected);
        let text = weakened(deep);
        assert!(text.ends_with(" && x != 200000)"), "{text}");
        assert!(text.matches('(').count() < MAX_DEPTH, "{text}");
    }
}
